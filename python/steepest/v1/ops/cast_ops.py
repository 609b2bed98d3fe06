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
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import UnimplementedError
from ..graph.node import Node
from ..graph.run_values import array_of

__all__ = [
    "cast",
    "saturate_cast",
    "to_bfloat16",
    "to_complex64",
    "to_complex128",
    "to_double",
    "to_float",
    "to_int32",
    "to_int64",
]


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
to_bfloat16 = _caster("bfloat16", "ToBFloat16")


def _clipped(x: Any, dtype: DType) -> Any:
    """Return numbers that are in the range of a type; the ends are numbers of their own type."""
    own, wanted = as_dtype(x.dtype), dtype.real_dtype
    kind = np.dtype(own.dtype).type
    if own.is_integer:
        return np.clip(x, max(own.min, int(float(wanted.min))), min(own.max, int(float(wanted.max))))
    ends = []
    for end in (max(float(own.min), float(wanted.min)), min(float(own.max), float(wanted.max))):
        rounded = kind(end)
        ends.append(np.nextafter(rounded, kind(0)) if abs(float(rounded)) > abs(end) else rounded)
    return np.clip(x, *ends)


def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
    """Return ``value`` in another type; what does not fit becomes the nearest that does."""
    dtype = as_dtype(dtype)

    def converted(x: Any) -> Any:
        x = array_of(x) if dtype.is_integer else x
        if as_dtype(x.dtype).is_complex:
            if dtype.is_complex:
                return (_clipped(np.real(x), dtype) + 1j * _clipped(np.imag(x), dtype)).astype(dtype.dtype)
            x = np.real(x)
        return _clipped(x, dtype).astype(dtype.dtype)

    _ = dtype.real_dtype.min  # TypeError for a type without limits
    flows = dtype.is_floating or dtype.is_complex
    return call(
        "SaturateCast", converted, (value,), name=name, shape=shape_inference.same, dtype=dtype, differentiable=flows
    )


name_functions(__name__)
