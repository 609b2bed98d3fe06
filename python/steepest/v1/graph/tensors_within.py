"""Whether there are tensors in lists, and of which type the first one is."""

from __future__ import annotations

from typing import Any

from ...ops.tensor import Tensor as EagerTensor
from .dtypes import DType, as_dtype
from .eager_operands import CheckedOperands
from .node import Node

__all__ = ["EAGER", "holds_nodes", "holds_tensors", "type_within"]

EAGER = (EagerTensor, CheckedOperands)
"""The classes of tensors and variables of eager mode."""

_TENSORS = (Node, *EAGER)
_NUMBERS = frozenset([bool, int, float, complex, str, bytes])


def holds_nodes(value: Any) -> bool:
    """Tell whether there are nodes in a list or tuple."""
    return _holds(value, Node)


def holds_tensors(value: Any) -> bool:
    """Tell whether there are nodes, or tensors or variables of eager mode, in a list or tuple."""
    return _holds(value, _TENSORS)


def _holds(value: Any, kinds: Any) -> bool:
    if not isinstance(value, (list, tuple)):
        return False
    for item in value:  # noqa: SIM110 - any() takes a third longer
        # Most lists are long ones of numbers: one look at the type is enough for these.
        if type(item) not in _NUMBERS and (isinstance(item, kinds) or _holds(item, kinds)):
            return True
    return False


def type_within(value: Any) -> DType:
    """Return the type of the first tensor in a nest of lists that holds one."""
    first = next(item for item in value if isinstance(item, _TENSORS) or holds_tensors(item))
    if holds_tensors(first):
        return type_within(first)
    found: Any = first._tensor().dtype if isinstance(first, Node) else as_dtype(first.dtype)
    own: DType = found.base_dtype
    return own
