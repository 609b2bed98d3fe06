"""The fixed tree in which what micro-batches give is added: the same for any number of ranks.

Leaf k is micro-batch k of the step. The node (level, start) is the sum of leaves ``start`` to ``start + 2**level``: its
left half plus its right half. A rank adds the nodes that lie within its own leaves; who has all nodes adds the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

__all__ = ["Node", "Nodes", "nodes_of", "total"]

T = TypeVar("T")


class Node(NamedTuple, Generic[T]):
    """The sum of ``2**level`` leaves from ``start`` on; a value of None adds nothing."""

    level: int
    start: int
    value: T | None


class Nodes(Generic[T]):
    """The nodes of consecutive leaves, as few as there can be.

    Args:
        add: returns the sum of two values; it may write it into the first one.
    """

    def __init__(self, add: Callable[[T, T], T]) -> None:
        self._add = add
        self.nodes: list[Node[T]] = []

    def push(self, node: Node[T]) -> None:
        """Add the node that begins where the last one ends."""
        while self.nodes and self._pair(self.nodes[-1], node):
            left = self.nodes.pop()
            node = Node(node.level + 1, left.start, self._sum(left.value, node.value))
        self.nodes.append(node)

    def total(self) -> T | None:
        """Return the sum of all leaves, None where there is nothing. The nodes are used up."""
        value: T | None = None
        while self.nodes:
            value = self._sum(self.nodes.pop().value, value)
        return value

    def _sum(self, left: T | None, right: T | None) -> T | None:
        if left is None or right is None:
            return right if left is None else left
        return self._add(left, right)

    @staticmethod
    def _pair(left: Node[T], right: Node[T]) -> bool:
        return left.level == right.level and left.start % (2 << left.level) == 0


def nodes_of(first: int, count: int) -> list[tuple[int, int]]:
    """Return (level, start) of the nodes that `Nodes` makes of leaves ``first`` to ``first + count``."""
    nodes: Nodes[bool] = Nodes(lambda left, right: True)
    for leaf in range(first, first + count):
        nodes.push(Node(0, leaf, True))
    return [(node.level, node.start) for node in nodes.nodes]


def total(nodes: Iterable[Node[T]], add: Callable[[T, T], T]) -> T | None:
    """Return the sum of all leaves of consecutive nodes, of which the first one begins at 0."""
    joined: Nodes[T] = Nodes(add)
    for node in nodes:
        joined.push(node)
    return joined.total()
