"""The plan of a run in whose graph values may be dead: steps that wait for them are guarded, frames run in rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .dead_values import DIVIDING, MERGING, Guarded, check_alive, zeros_for_dead
from .frames import ENTERS, EXITS, NEXTS, Frame, FrameSteps, entering, frames_of, leaving
from .graph import Graph
from .node import Operation, Tensor
from .plan import ExecutionPlan
from .plan_steps import TABLE, Spread, Step, ready
from .walks import reached

__all__ = ["plan_of"]


def plan_of(graph: Graph, targets: Sequence[Tensor | Operation], fed: Sequence[Tensor]) -> ExecutionPlan:
    """Return the plan of a run that fetches ``targets`` and is fed ``fed``."""
    return (_FlowPlan if graph._divides else ExecutionPlan)(targets, fed)


class _FlowPlan(ExecutionPlan):
    def __init__(self, targets: Sequence[Tensor | Operation], fed: Sequence[Tensor]) -> None:
        given = set(fed)
        needed = reached(
            [target.op for target in targets if target not in given],
            lambda op: [*(t.op for t in op.operands if t not in given), *op.control_inputs],
        )
        self._frames = frames_of(needed) if any(op.type in ENTERS for op in needed) else {}
        self._level: Frame | None = None  # the frame whose operations are put in order
        self._dying = _dying(targets[0].graph.get_operations() if targets else [], self._frames)
        self._late = self._read_late(needed, targets)
        super().__init__(targets, fed)
        fetched: list[Step] = [
            (check_alive(position), (place,), place)
            for position, (target, place) in enumerate(zip(targets, self.results, strict=True))
            if place is not None and target.op in self._dying and target not in given
        ]
        recorded, steps = self._ready
        self._ready = recorded, [*steps, *ready(fetched)]

    def _read_late(self, needed: Iterable[Operation], targets: Iterable[Any]) -> set[Operation]:
        """Return the variables that are read where they are taken: it may be that nothing takes them."""
        always = [op for op in needed if op not in self._dying or op.type in MERGING or op.type == "Gradients"]
        early = {t.op for op in always for t in op.operands}.union(t.op for t in targets)
        return {op for op in needed if op.type == "VariableV2" and op not in early}

    # The order ---------------------------------------------------------------------------------

    def _ordered(self, targets: Sequence[Any], within: Any = None) -> list[Any]:
        items = [self._item(op) for op in targets]
        return super()._ordered([item for item in dict.fromkeys(items) if item is not None], within)

    def _before(self, op: Any, given: set[Tensor]) -> set[Any]:
        if isinstance(op, Frame):
            found: set[Any] = {t.op for t in op.operands if t not in given}.union(op.control_inputs)
        else:
            found = {each for each in super()._before(op, given) if op.type not in MERGING or each.type not in NEXTS}
        return {item for each in found if (item := self._item(each)) is not None and item is not op}

    def _item(self, op: Any) -> Any:
        """Return what stands for an operation where those of one frame are put in order: itself, or a frame in it.

        None stands for what is outside.
        """
        frame = op.outer if isinstance(op, Frame) else self._frames.get(op)
        item = op
        while frame is not self._level:
            if frame is None:
                return None
            item, frame = frame, frame.outer
        return item

    # The steps ---------------------------------------------------------------------------------

    def _append(self, op: Any, steps: list[Step]) -> None:
        if isinstance(op, Frame):
            self._append_frame(op, steps)
            return
        if op not in self._dying:
            if op not in self._late:
                super()._append(op, steps)
            return
        start = len(steps)
        frame = self._frames.get(op)
        if frame is not None and op.type in EXITS:
            place = self._place(op.outputs[0])
            steps.append((leaving(place), (TABLE, self._place(op.operands[0])), place))
            return
        for variable in dict.fromkeys(tensor.op for tensor in op.operands if tensor.op in self._late):
            super()._append(variable, steps)
        begun, self._begun = self._begun, None  # what may be left out does not begin early
        super()._append(op, steps)
        self._begun = begun
        if frame is not None and op.type in ENTERS:
            place = steps[-1][2]
            constant = bool(op.get_attr("is_constant"))
            steps.append((entering(constant), (self._place((frame, "first")), place), place))
        if op.type in MERGING:
            function, _, place = steps[start]
            steps[start] = function, tuple(self._arriving(tensor) for tensor in op.operands), place
        self._guard(op, steps, start)

    def _arriving(self, tensor: Tensor) -> int:
        return self._place((tensor.op, "back")) if tensor.op.type in NEXTS else self._place(tensor)

    def _guard(self, op: Operation, steps: list[Step], start: int) -> None:
        """Let the steps of an operation, from ``start`` on, run where nothing that it waits for is dead."""
        if len(steps) == start:  # a constant, or what does nothing
            value = op.get_attr("value") if op.outputs else None
            steps.append((lambda: value, (), self._done(op)))
        targets = getattr(op.function, "targets", 0) if op.type == "Gradients" else 0
        if targets:  # what is dead has a gradient of zeros
            function, inputs, place = steps[start]
            steps[start] = zeros_for_dead(function, targets), inputs, place
        waited = [self._place(tensor) for tensor in op.operands[targets:] if tensor.op in self._dying]
        waited += [self._done(other) for other in op.control_inputs if other in self._dying]
        if op.type in MERGING:
            start, waited = start + 1, []
        for position in range(start, len(steps)):
            function, inputs, place = steps[position]
            spread = tuple(item for _, item in function.items) if isinstance(function, Spread) else ()
            taken = targets if position == start else 0
            steps[position] = Guarded(function, len(inputs), spread, taken), (*inputs, *waited), place

    def _done(self, op: Operation) -> int:
        """Return the place that tells whether an operation was left out."""
        return self._computed(op.outputs[0]) if len(op.outputs) == 1 else self._place(op)

    def _append_frame(self, frame: Frame, steps: list[Step]) -> None:
        outer, self._level = self._level, frame
        inside: list[Step] = []
        for op in self._ordered(frame.ends(), frame):
            self._append(op, inside)
        self._level = outer
        back = [(self._place(op.outputs[0]), self._place((op, "back"))) for op in frame.members if op.type in NEXTS]
        ends = [self._place(op.outputs[0]) for op in frame.members if op.type in EXITS]
        function = FrameSteps(ready(inside), self._place((frame, "first")), back, ends)
        steps.append((function, (TABLE,), self._place(frame)))


def _dying(operations: Iterable[Operation], frames: dict[Operation, Frame]) -> set[Operation]:
    """Return the operations that may be left out, or give a dead value."""
    found: set[Operation] = set()
    for op in operations:
        inputs = [tensor.op in found for tensor in op.operands]
        if op.type in MERGING:
            dies = all(inputs)
        else:
            dies = op.type in DIVIDING or any(inputs) or not found.isdisjoint(op.control_inputs)
        if dies or op in frames:
            found.add(op)
    return found
