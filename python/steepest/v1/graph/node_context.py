"""What new nodes and variables of a graph get from the blocks in which they are made."""

from __future__ import annotations

from typing import Any

from .node import Operation

__all__ = ["Controller", "NodeContext"]


class Controller:
    """One ``with control_dependencies``: what runs before, and the operations that were made inside so far."""

    def __init__(self, inputs: list[Operation]) -> None:
        self.inputs = inputs
        self.made: set[Operation] = set()


class NodeContext:
    """What new nodes get: the control inputs in force, the branch of a ``cond``, gradients, makers of variables."""

    def __init__(self) -> None:
        self.controllers: list[Controller] = []
        self.branch: Any = None
        self.overrides: dict[str, str] = {}
        self.attributes: dict[str, Any] = {}  # what operations are to say of themselves
        self.original: Operation | None = None  # for which operations are made
        self.awaited: list[Operation] = []  # what control dependencies named in the body of a function
        self.creators: list[Any] = []  # functions that take part when a variable is made

    def before(self, operation: Operation, taken: set[Operation]) -> list[Operation]:
        """Return what must run before a new operation: not what an input waits for already, nor the inputs."""
        waiting = (each for each in self.controllers if each.made.isdisjoint(taken))
        found = dict.fromkeys(op for each in waiting for op in each.inputs if op not in taken)
        for each in self.controllers:
            each.made.add(operation)
        return list(found)
