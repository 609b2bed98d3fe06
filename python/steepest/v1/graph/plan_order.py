"""The order of a run's operations: what waits comes first, or last, and variables are read late."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import InvalidArgumentError
from .node import Operation, Tensor
from .walks import reached

__all__ = ["ENTERING", "LEAVING", "in_turn", "kept_outputs", "waited_by"]

ENTERING = frozenset({"MapStage", "OrderedMapStage", "QueueEnqueueManyV2", "QueueEnqueueV2", "Stage"})
LEAVING = frozenset(
    {"QueueDequeueManyV2", "QueueDequeueUpToV2", "QueueDequeueV2", "ReaderReadUpToV2", "ReaderReadV2", "Unstage"}
    | {"MapUnstage", "MapUnstageNoKey", "OrderedMapUnstage", "OrderedMapUnstageNoKey"}
)
_TAKING = frozenset({"AccumulatorTakeGradient", "BarrierTakeMany", "SparseAccumulatorTakeGradient"})
_COUNTING = frozenset({"CountUpTo"})
_OVERWRITING = frozenset({"Assign", "AssignVariableOp"})


def in_turn(waits: dict[Operation, int], feeds: Mapping[Operation, Iterable[Operation]]) -> list[Operation]:
    """Return operations in the order in which they run: each after what it waits for, and those that write late.

    Args:
        waits: how many others each waits for; counted down here.
        feeds: those that wait for each.

    Raises InvalidArgumentError for a cycle through control dependencies.
    """
    feeds = overwritten_first(waits, one_after_the_other(waits, feeds))
    early = ranks(waits, feeds)
    ready = [(early.get(op, op.writes), op.number, op) for op, count in waits.items() if not count]
    heapq.heapify(ready)
    order: list[Operation] = []
    while ready:
        _, _, op = heapq.heappop(ready)
        order.append(op)
        for other in feeds.get(op, ()):
            waits[other] -= 1
            if not waits[other]:
                heapq.heappush(ready, (early.get(other, other.writes), other.number, other))
    if len(order) < len(waits):
        stuck = sorted((op for op, count in waits.items() if count), key=lambda op: op.number)
        names = ", ".join(op.name for op in stuck[:4])
        raise InvalidArgumentError(
            stuck[0], stuck[0], f"Graph is invalid, contains a cycle with {len(stuck)} nodes, including: {names}"
        )
    return read_late(order)


def one_after_the_other(
    waits: dict[Operation, int], feeds: Mapping[Operation, Iterable[Operation]]
) -> Mapping[Operation, Iterable[Operation]]:
    """Let each function of a critical section that a run calls wait until the one before it has given its lock back."""
    ends = [op for op in waits if op.type == "ConsumeMutexLock" and op._attributes["lock"] in waits]
    if len(ends) < 2:
        return feeds
    more = {op: list(others) for op, others in feeds.items()}
    last: dict[Any, Operation] = {}
    for end in sorted(ends, key=lambda op: op.number):
        lock = end._attributes["lock"]
        if (before := last.get(lock._attributes["section"])) is not None:
            more.setdefault(before, []).append(lock)
            waits[lock] += 1
        last[lock._attributes["section"]] = end
    return more


def overwritten_first(
    waits: dict[Operation, int], feeds: Mapping[Operation, Iterable[Operation]]
) -> Mapping[Operation, Iterable[Operation]]:
    """Let what changes a variable wait for the assignments to it of values that are made of the variable itself.

    A step and ``w.assign(tf.clip_by_value(w, low, high))`` in one run, with no order between them, both have their
    effect: the other way round the assignment would take the step back. What needs the change before stays behind it.
    """
    targets = {op._attributes.get("target") for op in waits if op.type in _OVERWRITING}
    changes: dict[Any, list[Operation]] = {}
    for op in waits if targets else ():
        if op.writes and op.type not in _OVERWRITING:
            for target in targets.intersection(getattr(op.function, "ops", ()) or [op._attributes.get("target")]):
                changes.setdefault(target, []).append(op)
    if not changes:
        return feeds
    more = {op: list(others) for op, others in feeds.items()}
    before: dict[Operation, list[Operation]] = {}
    for op, others in more.items():
        for other in others:
            before.setdefault(other, []).append(op)
    for assignment in [op for op in waits if op.type in _OVERWRITING]:
        target = assignment._attributes.get("target")
        needed = reached([assignment], lambda each: before.get(each, ()))
        for change in changes.get(target, ()) if target in needed else ():
            if change not in needed:
                more.setdefault(assignment, []).append(change)
                before.setdefault(change, []).append(assignment)
                waits[change] += 1
    return more


def ranks(needed: Iterable[Operation], feeds: Mapping[Operation, Iterable[Operation]]) -> dict[Operation, int]:
    """Return the operations of a run that come before all others, as -3 to -1, and those that come last, as 2.

    None where nothing waits. What a run takes from a queue may have to be put there by the same run, so that enqueuing
    begins first; before it comes what counts and tells the end: the run must not wait for what nobody will put in. A
    run that waits lets others change the variables meanwhile, so that it waits before it reads them. What needs a write
    before stays where it is. Accumulators and barriers give away when all that the run adds to them is there.
    """
    every = (LEAVING, ENTERING, _TAKING, _COUNTING)
    waiting = {kinds: [op for op in needed if op.type in kinds] for kinds in every}
    found: dict[Operation, int] = dict.fromkeys(waiting[_TAKING], 2)
    if not waiting[LEAVING]:
        return found
    before: dict[Operation, list[Operation]] = {}
    for op, others in feeds.items():
        for other in others:
            before.setdefault(other, []).append(op)
    for kinds, rank in ((LEAVING, -1), (ENTERING, -2)):
        for op in waiting[kinds]:
            whole = reached([op], lambda each: before.get(each, ()))
            if not any(each.writes or (rank == -2 and each.type in LEAVING) for each in whole):
                found.update(dict.fromkeys(whole, rank))
    for op in waiting[_COUNTING]:
        target = op._attributes["target"]
        if not before.get(op) and not feeds.get(target):  # nothing reads what it counts
            found[op] = -3
    return found


def read_late(order: list[Operation]) -> list[Operation]:
    """Return the operations with each variable just before what needs it first: it may begin in the same run."""
    variables = {op for op in order if op.type == "VariableV2"}
    late: dict[Operation, None] = {}
    for op in order:
        if op not in variables:
            needed = [tensor.op for tensor in op.operands] + op.control_inputs
            late.update(dict.fromkeys(each for each in needed if each in variables))
            late[op] = None
    return [*late, *(op for op in order if op not in late)]


def kept_outputs(
    choices: Iterable[Operation], order: Iterable[Operation], targets: Iterable[Any]
) -> dict[Operation, frozenset[int]]:
    """Return which results of each ``cond`` in an order something takes; of one that is waited for all are.

    Each result of a ``cond`` is an operation of its own in TensorFlow: what only others need does not run.
    """
    waited = {other for op in order for other in op.control_inputs}.union(targets)
    taken = {tensor for op in order for tensor in op.operands}.union(targets)
    return {
        op: frozenset(k for k, output in enumerate(op.outputs) if output in taken)
        for op in choices
        if op.type == "Cond" and op not in waited
    }


def waited_by(arguments: Iterable[Tensor]) -> set[Operation]:
    """Return what the nodes of known arguments wait for: so does the operation to which the arguments are bound."""
    found: set[Operation] = set()
    stack = [tensor.op for tensor in arguments]
    while stack:
        op = stack.pop()
        found.update(op.control_inputs)
        if op.type != "Shape":  # what has a known shape is not evaluated
            stack += [tensor.op for tensor in op.operands]
    return found
