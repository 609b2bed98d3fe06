"""The order that a function's body has: what changes or reads variables, and other effects, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .branches import Branch, branches_of
from .node import Operation
from .plan_order import ENTERING, LEAVING

__all__ = ["in_order"]

_EFFECTS = frozenset(
    {"Assert", "DeleteSessionTensor", "EagerPyFunc", "GetSessionHandle", "Print", "PrintV2", "PyFunc", "WriteFile"}
    | {"Save", "SaveSlices", "SaveV2"}
    | {"AccumulatorApplyGradient", "AccumulatorNumAccumulated", "AccumulatorSetGlobalStep"}
    | {"AccumulatorTakeGradient", "SparseAccumulatorApplyGradient", "SparseAccumulatorTakeGradient"}
    | {"StackClose", "StackCloseV2", "StackPop", "StackPopV2", "StackPush", "StackPushV2"}
    | {"BarrierClose", "BarrierIncompleteSize", "BarrierInsertMany", "BarrierReadySize", "BarrierTakeMany"}
    | {f"{kind}{what}" for kind in ("Map", "OrderedMap") for what in ("Clear", "IncompleteSize", "Peek", "Size")}
    | {"QueueCloseV2", "QueueIsClosedV2", "QueueSizeV2", "StageClear", "StagePeek", "StageSize"}
    | {"CloseSummaryWriter", "CreateSummaryFileWriter", "FlushSummaryWriter", "ImportEvent", "WriteAudioSummary"}
    | {"WriteGraphSummary", "WriteHistogramSummary", "WriteImageSummary", "WriteRawProtoSummary"}
    | {"WriteScalarSummary", "WriteSummary"}
    | {f"LookupTable{what}V2" for what in ("Export", "Find", "Import", "Insert", "Remove", "Size")}
    | ENTERING
    | LEAVING
)
"""Types of operations that do something besides giving a value, and that write to no variable."""


def in_order(made: Sequence[Operation], branch: Branch | None) -> Operation | None:
    """Make the operations of a body keep the order in which they were made, as far as it can be noticed.

    Operations with effects run one after the other; one that reads a variable runs after the write before it, and
    before the next. What begins variables stays as it is. Return the last operation with an effect, which waits for
    all others, None where there is none.
    """
    inside = _by_branch(made, branch)
    last: Operation | None = None
    for where, ops in inside.items():
        end = _chain(ops, inside)
        if where is branch:
            last = end
        elif where is not None and end is not None and end not in where.effects:
            where.effects.append(end)
    return last


def effects_among(made: Sequence[Operation], branch: Branch | None) -> list[Operation]:
    """Return the operations of a body that have effects, by themselves or in a branch that they run."""
    inside = _by_branch(made, branch)
    return [op for op in inside[branch] if _has_effect(op, inside)]


def _by_branch(made: Sequence[Operation], branch: Branch | None) -> dict[Branch | None, list[Operation]]:
    """Return operations by the branch that they are in, without variables and what begins them."""
    free = _initializing(made)
    inside: dict[Branch | None, list[Operation]] = {branch: []}
    for op in made:
        if op not in free and op.type != "VariableV2":
            inside.setdefault(op.branch, []).append(op)
    return inside


def _chain(ops: Iterable[Operation], inside: dict[Branch | None, list[Operation]]) -> Operation | None:
    """Give operations of one branch control inputs; return the last one with an effect."""
    last: Operation | None = None
    last_writes: dict[Operation | None, Operation] = {}  # by variable; None: of one that writes to any
    readers: dict[Operation, list[Operation]] = {}
    for op in ops:
        before: list[Operation] = []
        for variable in _read(op, inside):
            write = last_writes.get(variable, last_writes.get(None))
            before += [] if write is None else [write]
            readers.setdefault(variable, []).append(op)
        if _has_effect(op, inside):
            before += [] if last is None else [last]
            last = op
            targets = _written(op, inside)
            if None in targets:
                last_writes.clear()
            for target in list(readers) if None in targets else targets:
                before += readers.pop(target, ()) if target is not None else ()
            for target in targets:
                last_writes[target] = op
        op._add_control_inputs([each for each in dict.fromkeys(before) if each is not op])
    return last


def _parts(op: Operation, inside: dict[Branch | None, list[Operation]]) -> Iterator[Operation]:
    """Give an operation, and those in its branches."""
    yield op
    for branch in branches_of(op):
        for inner in inside.get(branch, ()):
            yield from _parts(inner, inside)


def _read(op: Operation, inside: dict[Branch | None, list[Operation]]) -> set[Operation]:
    """Return the variables that an operation takes; what an assignment returns stands for the variable."""
    parts = list(_parts(op, inside))
    taken = {tensor.op for part in parts for tensor in part.operands}
    taken |= {result.op for part in parts for branch in branches_of(part) for result in branch.results}
    found = {each._attributes.get("target", each) for each in taken}
    return {each for each in found if each.type == "VariableV2"}


def _has_effect(op: Operation, inside: dict[Branch | None, list[Operation]]) -> bool:
    return any(part.writes or part.type in _EFFECTS for part in _parts(op, inside))


def _written(op: Operation, inside: dict[Branch | None, list[Operation]]) -> set[Operation | None]:
    """Return the variables that an operation writes to, None where it does not say to which."""
    writing = (part for part in _parts(op, inside) if part.writes and not branches_of(part))
    return {part._attributes.get("target") for part in writing}


def _initializing(made: Sequence[Operation]) -> set[Operation]:
    """Return what gives the variables that were made their first values: it runs when they are initialized."""
    owners = [op.get_attr("owner") for op in made if op.type == "VariableV2"]
    here, found = set(made), set()
    stack = [owner.initializer for owner in owners]
    while stack:
        op = stack.pop()
        if op not in found and op in here and op.type != "VariableV2":
            found.add(op)
            stack += [tensor.op for tensor in op.operands]
            stack += [result.op for branch in branches_of(op) for result in branch.results]
    return found
