"""What ``tensorflow.python.keras.utils.tf_utils`` asks of values: whether they stand for tensors of a graph."""

from __future__ import annotations

from typing import Any

from ..graph.node import Node
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["is_symbolic_tensor", "register_symbolic_tensor_type"]

_TYPES: set[type] = set()


def register_symbolic_tensor_type(cls: type) -> None:
    """Say that objects of a class are converted to tensors before they are asked about.

    Source: ``tf_utils.register_symbolic_tensor_type``.
    """
    _TYPES.add(cls)


def is_symbolic_tensor(tensor: Any) -> bool:
    """Tell whether a value is a tensor of a graph, or of a registered class and becomes one."""
    if isinstance(tensor, tuple(_TYPES)):
        tensor = convert_to_tensor(tensor)
    return isinstance(tensor, Node)
