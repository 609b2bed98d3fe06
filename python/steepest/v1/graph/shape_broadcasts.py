"""The functions of ``tensorflow.python.framework.common_shapes``: shapes beside each other, shapes of operations."""

from __future__ import annotations

from typing import Any

from .shape_inference import broadcast
from .shapes import TensorShape, as_shape

__all__ = [
    "broadcast_shape",
    "call_cpp_shape_fn",
    "is_broadcast_compatible",
    "no_outputs",
    "scalar_shape",
    "unchanged_shape",
    "unknown_shape",
]


def broadcast_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """Return the shape of what two shapes make together. Raises ValueError where they do not fit."""
    first, second = as_shape(shape_x), as_shape(shape_y)
    try:
        return TensorShape(broadcast(first, second))
    except ValueError:
        fault = f"Incompatible shapes for broadcasting: {TensorShape(first)} and {TensorShape(second)}"
        raise ValueError(fault) from None


def is_broadcast_compatible(shape_x: Any, shape_y: Any) -> bool:
    """Tell whether two shapes fit beside each other; False where one is not known."""
    first, second = as_shape(shape_x), as_shape(shape_y)
    if first is None or second is None:
        return False
    try:
        broadcast(first, second)
    except ValueError:
        return False
    return True


def scalar_shape(op: Any) -> list[TensorShape]:
    """Return the shape of a number, as that of the one result of an operation."""
    return [TensorShape([])]


def unchanged_shape(op: Any) -> list[TensorShape]:
    """Return the shape of an operation's first input."""
    return [op.inputs[0].get_shape()]


def no_outputs(op: Any) -> list[TensorShape]:
    """Return the shapes of no results."""
    return []


def unknown_shape(op: Any) -> list[TensorShape]:
    """Return for each result that nothing is known of its shape."""
    return [TensorShape(None) for _ in op.outputs]


def call_cpp_shape_fn(op: Any, require_shape_fn: bool = True) -> dict[str, list[TensorShape]]:
    """Return the shapes that an operation's results have."""
    return {"shapes": [output.get_shape() for output in op.outputs]}
