"""What stands for a node in sets and dicts: nodes themselves compare in other ways in some programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .node import Node

__all__ = ["Reference"]


class Reference:
    """Stands for a node in sets and dicts; ``deref()`` gives it back."""

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    def deref(self) -> Node:
        """Return the node."""
        return self._node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other._node is self._node

    def __hash__(self) -> int:
        return id(self._node)
