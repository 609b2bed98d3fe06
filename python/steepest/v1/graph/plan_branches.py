"""What an `ExecutionPlan` makes of operations that have branches: a choice between two, and a loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .branches import NO_LIMIT, Branch, branches_of, is_loop, of_another_way
from .errors import InvalidArgumentError
from .node import Operation
from .plan_steps import FAILED, ReadyStep, Step, follow
from .run_limits import check_time, end_of_run

__all__ = ["Choice", "Loop", "Way", "beginning"]

Way = tuple[list[ReadyStep], list[int | None]]
"""The steps of a branch, and the places of its results: None for operations."""


def beginning(op: Operation, branch: Branch, made: Sequence[Operation]) -> list[Step]:
    """Return the steps with which the steps of an operation's branch begin: one that fails where no run can succeed."""
    if is_loop(op) or of_another_way(made, branch, branches_of(op)) is None:
        return []
    return [(_no_value, (), FAILED)]


def _no_value() -> Any:
    raise InvalidArgumentError(None, None, "Retval[0] does not have value")


class Choice:
    """Evaluates one branch of a ``cond``: the first where the predicate is true."""

    def __init__(self, true: Way, false: Way, single: bool) -> None:
        self._ways = true, false
        self._single = single

    def __call__(self, values: list[Any], predicate: Any) -> Any:
        steps, results = self._ways[0 if bool(predicate) else 1]
        follow(steps, values)
        outputs = tuple(None if place is None else values[place] for place in results)
        return outputs[0] if self._single else outputs


class Loop:
    """Evaluates the body of a ``while_loop`` while the test is true.

    A tape records each round's operations as it does any other's: a value knows by itself from what it came.

    Args:
        entries: the places in which a round's values are, of the test and of the body.
        checks: the positions of the values whose shapes the graph could not compare, and those shapes.
        differentiable: gradients flow through it.
    """

    def __init__(
        self,
        test: Way,
        body: Way,
        test_entries: list[int],
        body_entries: list[int],
        checks: Sequence[tuple[int, str, Sequence[int | None]]],
        differentiable: bool,
    ) -> None:
        self._test, self._body = test, body
        self._test_entries, self._body_entries = test_entries, body_entries
        self._checks = checks
        self._differentiable = differentiable

    def __call__(self, values: list[Any], limit: Any, *state: Any) -> Any:
        rounds_left, end = int(limit), end_of_run()
        if NO_LIMIT < rounds_left < 0:  # as a counter that begins at zero has it
            rounds_left = 0
        (test_steps, (answer,)), (steps, results) = self._test, self._body
        while rounds_left:
            if end is not None:
                check_time(end)
            for place, value in zip(self._test_entries, state, strict=True):
                values[place] = value
            follow(test_steps, values)
            if answer is None or not bool(values[answer]):
                break
            for place, value in zip(self._body_entries, state, strict=True):
                values[place] = value
            follow(steps, values)
            state = tuple([None if place is None else values[place] for place in results])
            rounds_left -= 1  # from below zero downwards where there is no limit
            for position, name, shape in self._checks:
                _check_shape(name, shape, np.shape(state[position]))
        if not self._differentiable:
            state = tuple([_cut_off(value) for value in state])
        return state[0] if len(state) == 1 else state


def _check_shape(name: str, expected: Sequence[int | None], shape: Sequence[int]) -> None:
    fits = len(shape) == len(expected)
    if not fits or any(size not in (None, other) for size, other in zip(expected, shape, strict=True)):
        raise ValueError(f"{name} enters the loop with shape {expected}, but has shape {shape} after one iteration")


def _cut_off(value: Any) -> Any:
    """Return a value through which no gradient flows."""
    if hasattr(value, "without_gradients"):
        return value.without_gradients()
    return np.asarray(value.value) if hasattr(value, "value") else value
