"""Quotients of floats, and of integers, which become floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import Operand
from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import call, convert, dtype_of
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from .division_ops import divided_safely, integers_in_floats

__all__ = ["div_no_nan", "divide", "truediv"]


def truediv(x: Any, y: Any, name: str | None = None) -> Any:
    """Return ``x / y``; int8 and int16 become float32, longer integers float64."""
    return _of_floats("RealDiv", np.true_divide, x, y, name or "truediv")


def div_no_nan(x: Any, y: Any, name: str | None = None) -> Any:
    """Return ``x / y``, 0 where y is 0; integers become floats as those of `truediv`."""
    return _of_floats("DivNoNan", divided_safely, x, y, name or "div_no_nan")


def _of_floats(op_type: str, function: Any, x: Any, y: Any, name: str) -> Any:
    if executing_eagerly():
        types = [dtype_of(each) for each in (x, y) if isinstance(each, Operand)]
        if len(set(types)) > 1:
            raise TypeError(f"`x` and `y` must have the same dtype, got {types[0]!r} != {types[1]!r}.")
        return call(op_type, integers_in_floats(function), (x, y))
    if not isinstance(x, Node) and not isinstance(y, Node):
        x = convert(x, name=f"{name}/x")
    dtype = (x if isinstance(x, Node) else y)._tensor().dtype
    if not dtype.is_integer:
        return call(op_type, function, (x, y), name=name, shape=shape_inference.broadcast)
    wide = "float64" if dtype.size > 2 else "float32"
    return call(op_type, integers_in_floats(function), (x, y), name=name, shape=shape_inference.broadcast, dtype=wide)


divide = truediv

name_functions(__name__)
