"""Along which axes gradients of broadcast operands are summed, as far as it is known of two shapes."""

from __future__ import annotations

import itertools
from typing import Any

from ..graph.shapes import TensorShape

__all__ = ["_InferGradientReductionAxes"]


def _InferGradientReductionAxes(x_shape: Any, y_shape: Any) -> tuple[list[int] | None, list[int] | None]:
    """Return the axes of the broadcast shape along which each operand was repeated, None twice where runs tell.

    Source: ``math_grad._InferGradientReductionAxes``.
    """
    shapes = TensorShape(x_shape), TensorShape(y_shape)
    if None in (shapes[0].ndims, shapes[1].ndims):
        return None, None
    x_axes, y_axes = [], []
    pairs = itertools.zip_longest(*(reversed(shape.as_list()) for shape in shapes), fillvalue=1)
    for axis, (x, y) in enumerate(reversed(list(pairs))):
        if x == 1 and y != 1:
            x_axes.append(axis)
        elif y == 1 and x != 1:
            y_axes.append(axis)
        elif None in (x, y):
            return None, None
    return x_axes, y_axes
