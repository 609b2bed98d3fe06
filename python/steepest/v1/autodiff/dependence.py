"""How tensors depend on others, as far as the graph says it before a session runs."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.branches import branches_of
from ..graph.node import Operation, Tensor

__all__ = ["GIVEN_GRADIENT", "index_type", "ops_between", "reaches"]

GIVEN_GRADIENT = "CustomGradient"
"""The type of operations whose gradient the program has given, for the inputs at the positions ``followed`` alone."""


WITHOUT_GRADIENT = frozenset(
    {"Bincount", "IgammaGradA", "ListDiff", "Lu", "PreventGradient", "SparseReduceMax", "TruncateMod", "Unique"}
    | {"UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2"}
)
"""Types of operations that depend on their inputs, and of which TensorFlow does not know how."""


def reaches(targets: Sequence[Tensor], source: Tensor, stops: Sequence[Tensor]) -> str:
    """Tell how targets depend on a source: ``"rows"`` where only rows of it are taken, ``"all"``, or ``""``."""
    if not source.dtype.has_gradients:
        return ""
    needed = ops_between(targets, source, stops)
    ways: set[str] = set()
    if source in targets:
        ways.add("all")
    for op in needed:
        if op.type == GIVEN_GRADIENT:
            ways.update("all" for tensor in _inputs(op) if tensor is source)
            continue
        for position, tensor in enumerate(op.operands):
            if tensor is source:
                ways.add("rows" if op.rows_of == position else "all")
    return "" if not ways else "rows" if ways == {"rows"} else "all"


def ops_between(targets: Sequence[Tensor], source: Tensor, stops: Sequence[Tensor]) -> set[Operation]:
    """Return the operations between the source and the targets through which a gradient flows.

    Raises LookupError where one of them is of a type without a gradient.
    """
    stopped = set(stops) - {source}
    connected: dict[Operation, bool] = {}
    order: list[Operation] = []
    stack = [t.op for t in targets if t is not source and t not in stopped and t.dtype.has_gradients]
    while stack:
        op = stack.pop()
        if op in connected:
            continue
        connected[op] = False
        order.append(op)
        if op.differentiable or op.type in WITHOUT_GRADIENT:
            stack.extend(t.op for t in _inputs(op) if t is not source and t not in stopped and t.dtype.has_gradients)
    order.sort(key=lambda op: op.number)
    for op in order:
        connected[op] = (op.differentiable or op.type in WITHOUT_GRADIENT) and any(
            t is source or (t not in stopped and connected.get(t.op, False))
            for t in _inputs(op)
            if t.dtype.has_gradients
        )
        if connected[op] and op.type in WITHOUT_GRADIENT:
            if op.type == "PreventGradient":
                raise LookupError(f"Gradient explicitly disabled. Reason: {op.get_attr('message')!r}")
            raise LookupError(f"No gradient defined for operation {op.name!r} (op type: {op.type})")
    return {op for op, is_connected in connected.items() if is_connected}


def _inputs(op: Operation) -> list[Tensor]:
    """Return the tensors from which an operation's results come, those in branches and bodies of loops included."""
    if op.type == GIVEN_GRADIENT:
        return [op.operands[position] for position in op.get_attr("followed")]
    if op.type == "LoopInput":
        entering: list[Tensor] = op.get_attr("given")
        return entering
    inside = [result for branch in branches_of(op) for result in branch.results if isinstance(result, Tensor)]
    return [*op.operands, *inside] if inside else op.operands


def index_type(targets: Sequence[Tensor], source: Tensor) -> str:
    """Return the type of the indices of a sparse gradient: int64 where one of the lookups has it."""
    dtypes = [
        op.operands[1].dtype
        for op in ops_between(targets, source, ())
        if op.rows_of is not None and op.operands[op.rows_of] is source and len(op.operands) > 1
    ]
    return "int32" if dtypes and all(dtype == "int32" for dtype in dtypes) else "int64"
