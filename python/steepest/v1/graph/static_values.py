"""Values of tensors that are known before a session runs."""

from __future__ import annotations

from typing import Any

from . import constants
from .build import convert
from .node import Node
from .shape_inference import known_value, shape_value
from .shapes import TensorShape

__all__ = ["constant_value", "constant_value_as_shape"]


def constant_value(tensor: Any, partial: bool = False) -> Any:
    """Return the value of a constant, or of a small tensor that constants and known shapes decide; None for any other.

    Source: ``tf.get_static_value``.
    """
    del partial
    return known_value(tensor._tensor()) if isinstance(tensor, Node) else constants.constant_value(tensor)


def constant_value_as_shape(tensor: Any) -> TensorShape:
    """Return the shape that a vector of sizes will be, as far as it is known; -1 is an unknown size."""
    node = convert(tensor)._tensor()
    ndim = None if node._shape is None else len(node._shape)
    if ndim not in (None, 1):
        raise ValueError(f"constant_value_as_shape: tensor must be a vector, had rank {ndim}")
    return TensorShape(shape_value(node))
