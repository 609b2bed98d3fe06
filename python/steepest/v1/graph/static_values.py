"""Values of tensors that are known before a session runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .build import convert
from .node import Node, Tensor
from .run_values import array_of
from .shape_inference import known_value, shape_value
from .shapes import TensorShape

__all__ = ["constant_value", "constant_value_as_shape"]


# What TensorFlow looks through: checks of values that any other operation computes are left to a run.
_PASSED = {"CheckNumericsV2", "DebugIdentityV2", "Identity", "StopGradient"}
_PARTED = {"Pack", "Split", "Unpack"}
_DECIDED = _PASSED | _PARTED | {
    "Cast", "Concat", "ConcatOffset", "ConcatV2", "Const", "Equal", "Fill", "NotEqual", "Range", "Rank", "Shape",
    "Size", "ones", "zeros",
}  # fmt: skip


def constant_value(tensor: Any, partial: bool = False) -> Any:
    """Return the value of a constant, or of a tensor that constants and known shapes decide; None for any other.

    What is no tensor is returned as it is. With ``partial`` a stack of which some parts are known is a list of these,
    with None for the others.

    Source: ``tf.get_static_value``.
    """
    if not isinstance(tensor, Node):
        return tensor.numpy() if hasattr(tensor, "numpy") else tensor
    return _decided(tensor._tensor(), partial)


def _decided(tensor: Tensor, partial: bool = False) -> Any:
    op = tensor.op
    if op.type not in _DECIDED or (op.type in ("Pack", "Unpack") and op._attributes.get("axis")):
        return None
    if op.type in _PASSED and op.operands:
        return _decided(op.operands[0], partial)
    if op.type in _PARTED and partial:
        return _part(tensor)
    known = known_value(tensor)
    if known is not None or op.function is None:
        return known
    values = [_decided(part) for part in op.operands]
    if any(value is None for value in values):
        return None
    result = op.function(*values)
    return array_of(result[tensor.value_index] if len(op.outputs) > 1 else result)


def _part(tensor: Tensor) -> Any:
    """Return what is known of a stack of values, or of a part of such a stack."""
    values = [_decided(part, True) for part in tensor.op.operands]
    if tensor.op.type == "Pack":
        if all(value is not None for value in values):
            return np.array(values)
        return np.array([*values, None], object)[:-1]
    if any(value is None for value in values):
        return None
    if tensor.op.type == "Unpack":
        return values[0][tensor.value_index]
    axis = tensor.op._attributes.get("axis", 0)
    return np.split(values[0], len(tensor.op.outputs), axis)[tensor.value_index]


def constant_value_as_shape(tensor: Any) -> TensorShape:
    """Return the shape that a vector of sizes will be, as far as it is known; -1 is an unknown size.

    The number -1 is an unknown shape. Raises ValueError for other numbers, and for what has more axes.
    """
    node = convert(tensor)._tensor()
    if node._shape == ():
        value = constant_value(node)
        if value is None:
            raise ValueError(
                "Received a scalar with unknown value as shape; require a statically known scalar with value '-1' to "
                "describe an unknown shape."
            )
        if value != -1:
            raise ValueError(
                f"Received a scalar value '{value}' as shape; require a statically known scalar with value '-1' to "
                "describe an unknown shape."
            )
        return TensorShape(None)
    if node.op.type == "StridedSlice" and node.op._attributes.get("index") is Ellipsis:
        return TensorShape([None] * int((node._shape or (0,))[0] or 0))
    ndim = None if node._shape is None else len(node._shape)
    if ndim not in (None, 1):
        raise ValueError(f"Shape {node.shape} must have rank 1")
    return TensorShape(shape_value(node))
