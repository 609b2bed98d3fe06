"""Parts of a graph that run when an operation says so: the ways of a ``cond``, test and body of a ``while_loop``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .body_errors import BodyValueError
from .graph import Graph
from .node import Operation, Tensor

__all__ = [
    "NO_LIMIT",
    "Branch",
    "branches_of",
    "check_ways",
    "function_names",
    "has_state",
    "is_loop",
    "of_another_way",
    "taken_from_outside",
    "wait_outside",
]

NO_LIMIT = -(2**31)
"""What a loop has in the place of the most rounds where there may be any number of them."""

_PARTS = {
    "If": (("then_branch", "true"), ("else_branch", "false")),
    "While": (("cond", "cond"), ("body", "body")),
}


class Branch:
    """What was made in such a part, what it returns, and the tensors in which each round of a loop begins.

    ``effects`` are operations that run with the results though these do not depend on them. ``loop`` stands for the
    loop whose test or body it is, None of a way of a ``cond``. ``name`` is what errors call it.
    """

    name = "branch"

    def __init__(self, outer: Branch | None, loop: object = None) -> None:
        self.outer, self.loop = outer, loop
        self.results: list[Any] = []
        self.entries: list[Tensor] = []
        self.effects: list[Operation] = []

    def holds(self, op: Operation) -> bool:
        """Tell whether an operation belongs to this branch, and not to a branch inside it."""
        return op.branch is self


def branches_of(op: Operation) -> Sequence[Branch]:
    """Return the branches that an operation runs: none of most."""
    branches: Sequence[Branch] = op._attributes.get("branches", ())
    return branches


def is_loop(op: Operation) -> bool:
    """Tell whether an operation runs the body of a loop."""
    branches = branches_of(op)
    return bool(branches and branches[0].entries)


def function_names(op: Operation) -> dict[str, str]:
    """Return names for the branches of an ``If`` or ``While`` by its attributes; none of other operations.

    They end in a number, as TensorFlow's do, which is the same one in each graph that has the operation.
    """
    parts = _PARTS.get(op.type.removeprefix("Stateless"), ()) if branches_of(op) else ()
    called = op.name.replace("/", "_")
    return {attribute: f"{called}_{part}_{place}" for place, (attribute, part) in enumerate(parts)}


def has_state(made: Sequence[Operation]) -> bool:
    """Tell whether operations of branches read variables, or have a state or an effect of their own."""
    reads = (tensor.op.type == "VariableV2" for op in made for tensor in op.operands)
    return any(reads) or any(op.writes or op.op_def.is_stateful for op in made)


def taken_from_outside(graph: Graph, before: int, *branches: Branch) -> list[Tensor]:
    """Return the tensors that branches, made since the graph's version was ``before``, take but did not make.

    Variables are among them.
    """
    inside = [op for op in graph.get_operations()[before:] if any(branch.holds(op) for branch in branches)]
    tensors = [tensor for op in inside for tensor in op.operands]
    tensors += [result for branch in branches for result in branch.results if isinstance(result, Tensor)]
    return list(dict.fromkeys(t for t in tensors if not _within(t.op.branch, branches)))


def of_another_way(made: Sequence[Operation], branch: Branch, ways: Sequence[Branch]) -> Tensor | None:
    """Return a tensor that one way of a ``cond`` takes, or returns, though another one makes it; None where none is.

    Args:
        made: the operations of the ``branch``, one of the ``ways``.
    """
    others = [way for way in ways if way is not branch]
    tensors = [tensor for op in made for tensor in op.operands]
    tensors += [result for result in branch.results if isinstance(result, Tensor)]
    return next((tensor for tensor in tensors if _within(tensor.op.branch, others)), None)


def check_ways(graph: Graph, made: Sequence[Operation], true: Branch, false: Branch, scope: str) -> None:
    """Raise BodyValueError where, in the body of a function, one way of a ``cond`` takes what the other one makes."""
    if not graph._context.bodies:
        return  # a run says so
    for way, other in ((false, true), (true, false)):
        tensor = of_another_way([op for op in made if way.holds(op)], way, (true, false))
        if tensor is not None:
            own = tensor.name if graph.building_function else tensor.name.removeprefix(scope)
            taker = _taker(made, tensor, way)
            raise BodyValueError(f"Tensor {own} in {other.name} is accessed from {taker.name}.")


def _taker(made: Sequence[Operation], tensor: Tensor, way: Branch) -> Branch:
    """Return the innermost branch that takes or returns a tensor, of those below one way."""
    inside = [op.branch for op in made if tensor in op.operands and not branches_of(op)]
    returning = [branch for op in made for branch in branches_of(op) if tensor in branch.results]
    return next((branch for branch in (*inside, *returning) if branch is not None and _within(branch, [way])), way)


def _within(branch: Branch | None, branches: Sequence[Branch]) -> bool:
    """Tell whether a branch is one of several, or somewhere inside one."""
    while branch is not None:
        if branch in branches:
            return True
        branch = branch.outer
    return False


def wait_outside(operation: Operation, made: Sequence[Operation]) -> None:
    """Let an operation wait for what those ``made`` for its branches, as far as these need them, wait for outside.

    Inside only what is made inside can be waited for.
    """
    inside = set(made)
    branches = branches_of(operation)
    waiting = [
        result.op for branch in branches for result in (*branch.results, *branch.effects) if hasattr(result, "op")
    ]
    seen: set[Operation] = set()
    outside: dict[Operation, None] = {}
    while waiting:
        op = waiting.pop()
        if op in seen or op not in inside:
            continue
        seen.add(op)
        outside.update(dict.fromkeys(each for each in op.control_inputs if each not in inside))
        waiting += [*(tensor.op for tensor in op.operands), *op.control_inputs]
    operation._add_control_inputs(list(outside))
