"""Initial values that other variables take part in: they are read where they have a value, else begin as they do."""

from __future__ import annotations

from typing import Any

from ..graph.branches import branches_of
from ..graph.node import Operation, Tensor

__all__ = ["check_first", "safe_first_value"]


def check_first(value: Any, branch: Any) -> None:
    """Raise ValueError without an initial value, and for one that only a branch or a loop, not an initializer, has."""
    if value is None:
        raise ValueError("initial_value must be specified.")
    if branch is not None and isinstance(value, Tensor) and value.op.branch is not None:
        raise ValueError(
            "The `initial_value` of a variable is from inside a control-flow construct, such as a loop or conditional: "
            f"{value.name}. Tensor-typed variable initializers must be callable there: use a lambda as the initializer."
        )


def safe_first_value(first: Tensor) -> Tensor:
    """Return the initial value with the variables in it as they are or, in a session without them, as they begin.

    So one run can initialise variables in any order. Operations between are made again; those that hold a part of a
    graph, such as loops, stay as they are.
    """
    if not _reads_a_variable(first):
        return first
    made: dict[Tensor, Tensor] = {}
    waiting = [first]
    while waiting:
        tensor = waiting[-1]
        if tensor in made:
            waiting.pop()
            continue
        op = tensor.op
        owner = op._attributes.get("owner")
        if owner is not None:
            made[tensor] = owner.initialized_value()
        elif not op.operands or op.writes or branches_of(op) or op.type == "IsVariableInitialized":
            made[tensor] = tensor
        elif missing := [each for each in op.operands if each not in made]:
            waiting.extend(missing)
        else:
            operands = [made[each] for each in op.operands]
            same = all(new is old for new, old in zip(operands, op.operands, strict=True))
            outputs = op.outputs if same else _again(op, operands).outputs
            made.update(zip(op.outputs, outputs, strict=True))
    return made[first]


def _reads_a_variable(first: Tensor) -> bool:
    seen: set[Operation] = set()
    waiting = [first.op]
    while waiting:
        op = waiting.pop()
        if op in seen:
            continue
        if op._attributes.get("owner") is not None:
            return True
        seen.add(op)
        if not branches_of(op):
            waiting.extend(tensor.op for tensor in op.operands)
    return False


def _again(op: Operation, operands: list[Tensor]) -> Operation:
    """Return the operation once more, with other inputs."""
    return Operation(
        op.graph,
        op.type,
        op.graph.unique_name(f"{op.name.rpartition('/')[2]}_initial"),
        op.function,
        operands,
        [(tensor.dtype, tensor._shape) for tensor in op.outputs],
        op.contextual,
        op.writes,
        op.differentiable,
        op.rows_of,
        dict(op._attributes),
    )
