"""Rows that are one value at a position, and another elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...variables.variable import Variable as EagerVariable
from ..graph.arguments import as_integers
from ..graph.build import call, convert
from ..graph.constants import constant_array
from ..graph.dtypes import DType, as_dtype
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from .creation_ops import type_of

__all__ = ["one_hot"]


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """Return ``on_value`` (1) at the indices along a new axis of size ``depth``, ``off_value`` (0) elsewhere.

    Raises TypeError for indices that are not integers, and for values of several types.
    """
    given = [value for value in (on_value, off_value) if value is not None]
    element = _common_type(given, dtype)
    at = -1 if axis is None else axis
    if at < -1:
        raise ValueError(f"axis must be >= -1, got {at}")
    on, off = (_scalar(value, element) for value in (on_value, off_value))
    indices = as_integers(indices)
    if not executing_eagerly():
        below = name or "one_hot"
        indices, depth = convert(indices, name=f"{below}/indices"), convert(depth, name=f"{below}/depth")
        if not indices.dtype.is_integer:
            raise TypeError(f"one_hot: indices must be integers, got {indices!r}")
    width = None if executing_eagerly() else constant_value(depth)

    def shape_fn(ids: Any, size: Any, *_: Any) -> Any:
        if size:
            raise ValueError(f"Shape must be rank 0 but is rank {len(size)}: the depth")
        if width is not None and width < 0:
            raise ValueError(f"depth must be non-negative, got: {int(width)}")
        if ids is None:
            return None
        place = len(ids) if at == -1 else min(at, len(ids))
        return (*ids[:place], None if width is None else int(width), *ids[place:])

    inputs = (indices, depth, _one(1, element) if on is None else on, _one(0, element) if off is None else off)
    options: dict[str, Any] = {"dtype": element, "same": False, "differentiable": False}
    return call("OneHot", lambda *values: _hot(at, *values), inputs, name=name or "one_hot", shape=shape_fn, **options)


def _hot(at: int, ids: Any, width: Any, on: Any, off: Any) -> Any:
    ids = array_of(ids)
    if int(width) < 0:
        raise ValueError(f"depth must be non-negative, got: {int(width)}")
    if ids.dtype.kind not in "iu":
        raise TypeError(f"one_hot: indices must be integers, got {ids.dtype}")
    hot = np.expand_dims(ids, -1) == np.arange(int(width))
    return np.moveaxis(np.where(hot, array_of(on), array_of(off)), -1, at)


def _common_type(given: list[Any], dtype: Any) -> DType:
    if dtype is not None:
        for value in given:  # numbers of Python take any type
            typed = isinstance(value, (Node, np.ndarray, np.generic))
            if typed and (own := as_dtype(type_of(value)).base_dtype) != as_dtype(dtype):
                raise TypeError(f"dtype {own!r} of on_value does not match dtype parameter {dtype}")
        return as_dtype(dtype)
    found = list(dict.fromkeys(as_dtype(type_of(value)).base_dtype for value in given))
    if len(found) > 1:
        one, other = found
        raise TypeError(f"dtype {one} of on_value does not match dtype {other} of off_value")
    element = found.pop() if found else as_dtype("float32")
    if element.name == "string" and len(given) < 2:
        raise TypeError("one_hot: on_value and off_value must be given where they are not numbers")
    return element


def _scalar(value: Any, dtype: DType) -> Any:
    """Return a value as a node or an array of the type; TypeError for one of another."""
    if isinstance(value, EagerVariable) and not executing_eagerly():
        value = convert(value)  # it may have another value each time that a function runs
    if isinstance(value, Node):
        if value._tensor().dtype.base_dtype != dtype:
            raise TypeError(f"one_hot: a value must be of {dtype.name}, got {value!r}")
        return value
    return None if value is None else constant_array(value, dtype)


def _one(number: int, dtype: DType) -> Any:
    return constant_array(number, dtype)  # which is a TypeError for truth values
