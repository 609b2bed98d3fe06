"""Walks through a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .branches import branches_of
from .node import Operation, Tensor

__all__ = ["needs_of", "reached"]


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


def needs_of(op: Operation) -> list[Operation]:
    """Return the operations that one needs: what it takes and waits for, and what its branches begin and end with."""
    parts = [part for branch in branches_of(op) for part in (*branch.results, *branch.entries, *branch.effects)]
    inside = [part.op if isinstance(part, Tensor) else part for part in parts if isinstance(part, (Operation, Tensor))]
    return [*(each.op for each in op.operands), *op.control_inputs, *inside]
