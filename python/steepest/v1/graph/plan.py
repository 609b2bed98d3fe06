"""What a run does, in which order: made once for a set of fetches and feeds, then followed at every run.

Every needed operation is evaluated once. Operations that write to variables come as late as their control
dependencies allow, so that a read which depends on no write sees the value of before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...autodiff.tape import GradientTape
from ...debugging import places
from ...ops.registry import PRIMITIVES
from .branches import Branch, branches_of, is_loop
from .errors import OpError
from .fed_gradients import fed_step, followed
from .located_errors import located
from .node import Operation, Tensor
from .plan_branches import Choice, Loop, Way, beginning
from .plan_order import ENTERING, LEAVING, in_turn, kept_outputs, waited_by
from .plan_steps import FAILED, SESSION, TABLE, Spread, Step, follow, handed_out, named, numbers_of, ready
from .run_arguments import RunArguments
from .shape_inference import known_value
from .watching import reading_watched, watched_value

__all__ = ["ExecutionPlan"]


class ExecutionPlan:
    """The steps of a run that fetches ``targets`` and is fed ``fed``.

    Raises InvalidArgumentError for a cycle through control dependencies.
    """

    _handed_out = staticmethod(handed_out)

    def __init__(self, targets: Sequence[Tensor | Operation], fed: Iterable[Tensor]) -> None:
        self._places: dict[Any, int] = {}
        self._template: list[Any] = [None, None, None]
        self._fed = set(fed)
        self._followed: set[Tensor] = set()
        self._owners: dict[int, Operation] = {}
        # Arguments of nodes that are constants are bound to the functions, unless a constant is fed.
        self._folds = not any(tensor.op.folded_calls for tensor in self._fed)
        self._bound: dict[Operation, Callable[..., Any]] = {}
        self._waited: dict[Operation, set[Operation]] = {}
        self.feeds = [self._place(tensor) for tensor in fed]
        ends = [target.op for target in targets if target not in self._fed]
        self._kept: dict[Operation, frozenset[int]] = {}
        order = self._pruned(ends, targets)
        asking = [self._gradient_ops(op) for op in order]
        if self._fed and any(asking):
            needed = {*targets, *(tensor for op in order for tensor in op.operands)}
            self._followed = followed(self._fed, [op for ops in asking for op in ops], needed)
            order = self._pruned(ends, targets) if self._followed else order
            asking = [self._gradient_ops(op) for op in order]
        self._watched = {x for ops in asking for op in ops for x in op.get_attr("sources")}
        self.tapes = any(asking)
        # Whether the run needs the session for itself: no other thread may write to the variables meanwhile.
        self.alone = self.tapes or any(op.writes for op in order)
        self._as_arrays = self._taken_as_arrays(order, targets)
        last = max((position + 1 for position, ops in enumerate(asking) if ops), default=0)
        # Variables that change before their gradients are asked for are copied when they are read.
        self._copies = any(op.writes for op in order[:last])
        self._recorded: list[Step] = []
        # Where a run takes from queues, enqueuing begins early and ends late: one may wait for the other.
        self._begun: dict[Operation, Step] | None = {} if any(op.type in LEAVING for op in order) else None
        self._entering: list[int] = []
        for tensor in (self._fed & self._watched) - self._followed:
            self._watch(tensor, self._recorded)
        for op in order[:last]:
            self._append(op, self._recorded)
        steps: list[Step] = []
        for op in order[last:]:
            self._append(op, steps)
        steps += (self._begun or {}).values()
        self.results = [self._handed(target, steps) for target in targets]
        self._ready = ready(self._recorded), ready(steps)

    # Making a plan -----------------------------------------------------------------------------

    def _place(self, key: Any, initial: Any = None) -> int:
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self._template)
            self._template.append(initial)
        return place

    def _computed(self, tensor: Tensor) -> int:
        """Return the place of what is computed for a tensor: another one than that of what is fed for it."""
        return self._place((tensor, "computed") if tensor in self._followed else tensor)

    def _result(self, target: Tensor | Operation) -> int | None:
        return None if isinstance(target, Operation) else self._place(target)

    def _handed(self, target: Tensor | Operation, steps: list[Step]) -> int | None:
        place = self._result(target)
        if place is None or isinstance(target, Operation) or not target.dtype.is_quantized:
            return place
        steps.append((numbers_of, (place,), self._place((target, "numbers"))))
        return self._place((target, "numbers"))

    def _ordered(self, targets: Sequence[Operation], within: Any = None) -> list[Operation]:
        """Sort the needed operations: each after what it depends on, and those that write as late as possible.

        ``within`` is a branch: operations outside it are left out, but variables are kept.
        """
        given = self._fed - self._followed
        waits: dict[Operation, int] = {}
        feeds: dict[Operation, list[Operation]] = {}
        stack = [op for op in targets if op not in self._places]
        while stack:
            op = stack.pop()
            if op in waits:
                continue
            before = self._before(op, given)
            if within is not None:
                # A variable is read inside the branch that uses it: the other branch may run before it has a value.
                before = {other for other in before if within.holds(other) or other.type == "VariableV2"}
            waits[op] = len(before)
            for other in before:
                feeds.setdefault(other, []).append(op)
                stack.append(other)
        return in_turn(waits, feeds)

    def _before(self, op: Operation, given: set[Tensor]) -> set[Operation]:
        """Return the operations that must run before one, where the run is ``given`` some tensors."""
        before = {t.op for t in self._inputs(op) if t not in given}
        return before | {other for other in self._waits(op) if not given.issuperset(other.outputs or (None,))}

    def _waits(self, op: Operation) -> set[Operation]:
        """Return what an operation waits for: its control inputs, and those of arguments that are bound to it."""
        return {*op.control_inputs, *self._waited.get(op, ())}

    def _inputs(self, op: Operation) -> list[Tensor]:
        """Return the inputs that a run must compute; arguments that are known are bound to the function instead."""
        if not self._folds or not isinstance(op.function, RunArguments):
            return op.operands
        count = op.function.count
        if op not in self._bound:
            values = [known_value(tensor) for tensor in op.operands[-count:]]
            if any(value is None for value in values):
                return op.operands
            self._bound[op] = op.function.with_values(values)
            self._waited[op] = waited_by(op.operands[-count:])
        return op.operands[:-count]

    def _gradient_ops(self, op: Operation) -> list[Operation]:
        """Return the operations that ask the tape for gradients: this one, or those in its branches."""
        if op.type == "Gradients":
            return [op]
        inside = [inner for branch in branches_of(op) for inner in self._within(op, branch)]
        return [found for inner in inside for found in self._gradient_ops(inner)]

    def _pruned(self, ends: Sequence[Operation], targets: Sequence[Any]) -> list[Operation]:
        """Return the order of a run in which branches make those results alone that something takes."""
        order = self._ordered(ends)
        self._kept = {}
        self._keep(order, targets)
        return order

    def _keep(self, order: Sequence[Operation], targets: Sequence[Any]) -> None:
        choices = [op for op in order if branches_of(op)]
        if choices:
            bound = (other for op in order for other in self._waited.get(op, ()))
            self._kept.update(kept_outputs(choices, order, [*targets, *bound]))
        for op in choices:
            for branch in branches_of(op):
                self._keep(self._within(op, branch), self._results(op, branch))

    def _results(self, op: Operation, branch: Branch) -> list[Any]:
        """Return the results of a branch that something takes, None in place of the others."""
        kept = self._kept.get(op)
        return [result if kept is None or k in kept else None for k, result in enumerate(branch.results)]

    def _within(self, op: Operation, branch: Branch) -> list[Operation]:
        """Return the operations of a branch in the order in which they run."""
        results = [result.op for result in self._results(op, branch) if result is not None]
        return self._ordered([*filter(branch.holds, results), *branch.effects], branch)

    def _taken_as_arrays(self, order: Sequence[Operation], targets: Sequence[Any]) -> set[Any]:
        """Return the tensors that something needs as an array; the rest of a gradient's rows only updates take."""
        taken = {*targets, *self._watched}
        for op in order:
            for branch in branches_of(op):
                taken |= {*self._taken_as_arrays(self._within(op, branch), []), *branch.results}
            if not getattr(op.function, "takes_slices", False):
                taken.update(op.operands)
        return taken

    def _append(self, op: Operation, steps: list[Step]) -> None:
        """Add the steps that evaluate one operation."""
        if op.type == "Const":
            place = self._place(op.outputs[0], op.get_attr("value"))
            self._owners[place] = op
            if op.outputs[0] in self._watched:
                self._watch(op.outputs[0], steps)
            return
        function: Any = self._bound.get(op, op.function)
        if op.type == "Gradients" and hasattr(function, "lending"):
            function = function.lending(
                frozenset(k for k, output in enumerate(op.outputs) if output not in self._as_arrays)
            )
        inputs = tuple(self._place(tensor) for tensor in self._inputs(op))
        single = len(op.outputs) == 1
        place = self._computed(op.outputs[0]) if single else self._place(op)
        self._owners[place] = op
        ways = branches_of(op)
        if is_loop(op):
            function, inputs = self._loop(op), (TABLE, *inputs[: 1 + len(op.outputs)])
        elif ways:
            true, false = (self._ways(op, branch) for branch in ways)
            function, inputs = Choice(true, false, single), (TABLE, inputs[0])
        elif op.contextual:
            inputs = (SESSION, *inputs)
        if self._begun is not None and op.branch is None:
            steps += [self._begun.pop(other) for other in self._waits(op) if other in self._begun]
            if op.type in ENTERING:
                steps.append((function.begin, inputs, place))
                self._begun[op] = function.end, (SESSION, place), place
                self._entering.append(place)
                return
        if steps is self._recorded and isinstance(function, np.ufunc):
            function = PRIMITIVES.get(function, function)  # what the ufunc calls on what a tape records, at once
        watches = op.type == "VariableV2" and op.outputs[0] in self._watched and op.outputs[0] not in self._fed
        if function is not None:
            steps.append((reading_watched(function) if watches else function, inputs, place))
        if watches:
            return
        given = self._fed - self._followed
        outputs = [(k, output) for k, output in enumerate(op.outputs) if output not in given]
        if not single:
            items = [(k, self._computed(output)) for k, output in outputs]
            self._owners.update((item, op) for _, item in items)
            steps.append((Spread(items), (TABLE, place), place))
        for _, output in outputs:
            if output in self._followed:
                steps.append(fed_step(op, inputs, self._computed(output), self._place(output)))
            if output in self._watched:
                self._watch(output, steps)

    def _watch(self, tensor: Tensor, steps: list[Step]) -> None:
        place = self._place(tensor)
        self._owners.setdefault(place, tensor.op)
        steps.append((watched_value, (place,), place))

    def _ways(self, op: Operation, branch: Branch) -> Way:
        """Return the steps of a branch, and the places of what it returns."""
        within = self._within(op, branch)
        steps = beginning(op, branch, within)
        for inside in within:
            self._append(inside, steps)
        return ready(steps), [None if out is None else self._result(out) for out in self._results(op, branch)]

    def _loop(self, op: Operation) -> Loop:
        """Return the function that evaluates a ``while_loop``."""
        test, body = branches_of(op)
        test_entries, body_entries = ([self._place(tensor) for tensor in branch.entries] for branch in (test, body))
        ways = self._ways(op, test), self._ways(op, body)
        return Loop(*ways, test_entries, body_entries, op.get_attr("checks"), op.differentiable)

    # Following it ------------------------------------------------------------------------------

    def run(self, session: Any, fed: Sequence[Any]) -> list[Any]:
        """Follow the steps; return the values of the targets, None for operations.

        Raises the `steepest.v1.errors` that TensorFlow raises, with the operation's name in the message.
        """
        values = self._template.copy()
        values[TABLE], values[SESSION] = values, session
        for place, value in zip(self.feeds, fed, strict=True):
            values[place] = value
        recorded, steps = self._ready
        if places.naming:
            recorded, steps = named(recorded, self._owners), named(steps, self._owners)
        try:
            with np.errstate(all="ignore"):
                if self.tapes:
                    with GradientTape(self._copies, watch_accessed_variables=False) as tape:
                        tape._shared = True  # several operations may ask for gradients of one forward pass
                        outer, session._watched = session._watched, tape._watched
                        try:
                            follow(recorded, values)
                        finally:
                            session._watched = outer
                follow(steps, values)
        except OpError as error:
            raise located(error, self._owners.get(values[FAILED])) from None
        except (ValueError, IndexError, TypeError, ArithmeticError, NotImplementedError) as error:
            raise located(error, self._owners.get(values[FAILED])) from error
        finally:
            for place in self._entering:
                if values[place] is not None:
                    values[place].abandon()
            values[TABLE] = None  # breaks the cycle: a list that holds itself is freed only by the garbage collector
        outputs = [None if place is None else values[place] for place in self.results]
        return [self._handed_out(value) for value in outputs]
