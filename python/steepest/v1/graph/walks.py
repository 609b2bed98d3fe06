"""Walks through a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .node import Operation

__all__ = ["reached"]


def reached(starts: Iterable[Operation], following: Callable[[Operation], Iterable[Operation]]) -> set[Operation]:
    """Return the operations that are reached from some, these among them, step by step: what each is followed by."""
    found: set[Operation] = set()
    stack = list(starts)
    while stack:
        op = stack.pop()
        if op not in found:
            found.add(op)
            stack.extend(following(op))
    return found
