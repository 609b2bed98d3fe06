"""Conversions between element types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...variables.variable import Variable as EagerVariable
from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import call
from ..graph.composites import is_composite, with_values
from ..graph.dtypes import as_dtype
from ..graph.errors import UnimplementedError
from ..graph.node import Node
from ..graph.run_values import array_of

__all__ = ["cast", "saturate_cast", "to_complex64", "to_complex128", "to_double", "to_float", "to_int32", "to_int64"]


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """Return ``x`` in another type; floats are truncated towards zero for integers. Gradients flow between floats."""
    dtype = as_dtype(dtype).base_dtype
    if is_composite(x):
        return with_values(x, cast(x.values, dtype, name))
    if isinstance(x, EagerVariable) and as_dtype(x.dtype).base_dtype == dtype:
        return x  # the variable itself: what is made of it later reads the value that it has then
    if isinstance(x, Node) and x._tensor().dtype == dtype and x._tensor().op.type != "VariableV2":
        return x._tensor()

    def converted(value: Any) -> Any:
        if (value.dtype.kind == "O") != (dtype.dtype.kind == "O"):
            raise UnimplementedError(None, None, f"Cast {as_dtype(value.dtype).name} to {dtype.name} is not supported")
        if value.dtype.kind == "c" and dtype.dtype.kind not in "cb":
            value = np.real(value)
        return value.astype(dtype.dtype)

    flows = dtype.has_gradients
    return call("Cast", converted, (x,), name=name, shape=shape_inference.same, dtype=dtype, differentiable=flows)


def _caster(dtype: str, name: str) -> Callable[..., Any]:
    def to(x: Any, name: str | None = name) -> Any:
        return cast(x, dtype, name)

    to.__doc__ = f"Return ``cast(x, tf.{dtype})``."
    return to


to_complex64, to_complex128 = _caster("complex64", "ToComplex64"), _caster("complex128", "ToComplex128")
to_float, to_double = _caster("float32", "ToFloat"), _caster("float64", "ToDouble")
to_int32, to_int64 = _caster("int32", "ToInt32"), _caster("int64", "ToInt64")


def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
    """Return ``value`` in another type; what does not fit becomes the nearest that does."""
    dtype = as_dtype(dtype)

    def converted(x: Any) -> Any:
        x = array_of(x) if dtype.is_integer else x
        if not dtype.is_integer or x.dtype.kind in "iub":
            return np.clip(x, dtype.min, dtype.max).astype(dtype.dtype)
        largest = x.dtype.type(dtype.max)
        if float(largest) > dtype.max:  # rounding went up: take the number below
            largest = np.nextafter(largest, x.dtype.type(0))
        limits = np.finfo(x.dtype)  # of half precision, whose numbers end below those of int32
        least = max(float(dtype.min), float(limits.min))
        return np.clip(x, x.dtype.type(least), min(largest, limits.max)).astype(dtype.dtype)

    flows = dtype.is_floating
    return call(
        "SaturateCast", converted, (value,), name=name, shape=shape_inference.same, dtype=dtype, differentiable=flows
    )


name_functions(__name__)
