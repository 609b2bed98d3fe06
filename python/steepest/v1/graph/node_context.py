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
        self.labels: dict[str, str] = {}  # of the kernels that operations are computed by
        self.attributes: dict[str, Any] = {}  # what operations are to say of themselves
        self.original: Operation | None = None  # for which operations are made
        self.bodies = 0  # how many bodies of functions are made, one within another
        self.shape_rules: list[Any] | None = None  # how to tell again what shapes operations have, for some bodies
        self.awaited: list[Operation] = []  # what control dependencies named in the body of a function
        self.creators: list[Any] = []  # functions that take part when a variable is made
        self.resource_creators: list[Any] = []  # and when a `ResourceVariable` is

    def before(self, operation: Operation, taken: set[Operation]) -> list[Operation]:
        """Return what must run before a new operation: not what an input waits for already, nor the inputs.

        Raises ValueError for an input that is made in a loop around which the operation is not.
        """
        for op in taken:
            if op.branch is not None and op.branch is not self.branch:
                self.check_loops(operation.name, op)
        waiting = (each for each in self.controllers if each.made.isdisjoint(taken))
        found = dict.fromkeys(op for each in waiting for op in each.inputs if op not in taken)
        for each in self.controllers:
            each.made.add(operation)
        return list(found)

    def check_loops(self, name: str, taken: Operation) -> None:
        """Raise ValueError where an operation of a name would take what is made in a loop around which it is not."""
        inside, around = _loops(self.branch), _loops(taken.branch)
        if around and around[0] not in inside:
            where = "they are in different while loops" if inside else f"'{taken.name}' is in a while loop"
            raise ValueError(
                f"Cannot use '{taken.name}' as input to '{name}' because {where}. See info log for more details."
            )


def _loops(branch: Any) -> list[object]:
    """Return what stands for the loops in which a branch is, the innermost first."""
    found = []
    while branch is not None:
        if branch.loop is not None:
            found.append(branch.loop)
        branch = branch.outer
    return found
