"""The functions of ``tensorflow.python.framework.common_shapes``: shapes beside each other, shapes of operations."""

from __future__ import annotations

from typing import Any

from .shape_inference import broadcast
from .shapes import TensorShape, as_shape
from .tensor_kind import Tensor

__all__ = [
    "broadcast_shape",
    "call_cpp_shape_fn",
    "has_fully_defined_shape",
    "is_broadcast_compatible",
    "no_outputs",
    "rank",
    "scalar_shape",
    "unchanged_shape",
    "unchanged_shape_with_rank",
    "unchanged_shape_with_rank_at_least",
    "unchanged_shape_with_rank_at_most",
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


def has_fully_defined_shape(tensor: Any) -> bool:
    """Tell whether all sizes of a tensor are known."""
    return bool(tensor.shape.is_fully_defined())


def rank(tensor: Any) -> int | None:
    """Return how many axes a tensor has, None where that is not known, and for what is no tensor."""
    return tensor.shape.ndims if isinstance(tensor, Tensor) else None


def scalar_shape(op: Any) -> list[TensorShape]:
    """Return the shape of a number, as that of the one result of an operation."""
    return [TensorShape([])]


def unchanged_shape(op: Any) -> list[TensorShape]:
    """Return the shape of an operation's first input."""
    return [op.inputs[0].get_shape()]


def unchanged_shape_with_rank(rank: int) -> Any:
    """Return a function that gives the shape of an operation's first input, which has to have so many axes."""
    return lambda op: [op.inputs[0].get_shape().with_rank(rank)]


def unchanged_shape_with_rank_at_least(rank: int) -> Any:
    """Return a function that gives the shape of an operation's first input, which has to have so many axes or more."""
    return lambda op: [op.inputs[0].get_shape().with_rank_at_least(rank)]


def unchanged_shape_with_rank_at_most(rank: int) -> Any:
    """Return a function that gives the shape of an operation's first input, which may have so many axes."""
    return lambda op: [op.inputs[0].get_shape().with_rank_at_most(rank)]


def no_outputs(op: Any) -> list[TensorShape]:
    """Return the shapes of no results."""
    return []


def unknown_shape(op: Any) -> list[TensorShape]:
    """Return for each result that nothing is known of its shape."""
    return [TensorShape(None) for _ in op.outputs]


def call_cpp_shape_fn(op: Any, require_shape_fn: bool = True) -> dict[str, list[TensorShape]]:
    """Return the shapes that an operation's results have."""
    return {"shapes": [output.get_shape() for output in op.outputs]}
