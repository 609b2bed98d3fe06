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
_DECIDED = {
    "Cast", "Concat", "ConcatOffset", "ConcatV2", "Const", "Equal", "Fill", "NotEqual", "Pack", "Range", "Rank",
    "Shape", "Size", "StopGradient", "Unpack", "ones", "zeros",
}  # fmt: skip


def constant_value(tensor: Any, partial: bool = False) -> Any:
    """Return the value of a constant, or of a tensor that constants and known shapes decide; None for any other.

    What is no tensor is returned as it is. With ``partial`` a stack of which some parts are known is a list of these,
    with None for the others.

    Source: ``tf.get_static_value``.
    """
    if not isinstance(tensor, Node):
        return tensor.numpy() if hasattr(tensor, "numpy") else tensor
    node = tensor._tensor()
    value = _decided(node)
    if value is None and partial and node.op.type == "Pack" and not node.op._attributes.get("axis"):
        return np.array([*map(_decided, node.op.operands), None], object)[:-1]
    return value


def _decided(tensor: Tensor) -> Any:
    op = tensor.op
    if op.type not in _DECIDED:
        return None
    known = known_value(tensor)
    if known is not None or op.function is None:
        return known
    values = [_decided(part) for part in op.operands]
    return None if any(value is None for value in values) else array_of(op.function(*values))


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
    ndim = None if node._shape is None else len(node._shape)
    if ndim not in (None, 1):
        raise ValueError(f"Shape {node.shape} must have rank 1")
    return TensorShape(shape_value(node))
