"""Update operations that are a native rule on other arrays: what the rule is given, and what is written back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import compute_dtype

__all__ = ["Step", "adapted"]

_Change = Callable[[Any], Any]


class Step(NamedTuple):
    """One call of a native rule."""

    rule: str
    numbers: dict[str, float]  # by the rule's names
    target: Any
    slots: tuple[Any, ...]  # in the rule's order
    gradient: Any
    ids: Any  # None: a dense gradient


def adapted(operation: str, step: Step, switches: dict[str, Any]) -> tuple[Step, Callable[[], None]]:
    """Return the step for the native rule, and the function that writes slots which it has as copies.

    ``operation``: its name without ``resource_`` and its like. ``switches``: its arguments that are True or False.
    """
    changes: dict[int, tuple[_Change, _Change]] = {}  # of slots: to what the rule keeps, and back
    rate = step.numbers.get("learning_rate", 0.0)
    if switches.get("use_nesterov"):
        step = step._replace(rule="nadam") if operation == "adam" else _with_numbers(step, use_nesterov=1.0)
    if operation == "keras_momentum":  # its accumulator holds steps: of the other sign, and with the rate
        step = _with_numbers(step, learning_rate=1.0)._replace(gradient=step.gradient * step.gradient.dtype.type(rate))
        changes[0] = np.negative, np.negative
    if switches.get("multiply_linear_by_lr"):
        changes[1] = lambda linear: linear / linear.dtype.type(rate), lambda linear: linear * linear.dtype.type(rate)
    if switches.get("update_slots") is False:
        step = _with_slots_as_they_are(step)
    elif operation == "adagrad_v2" and step.numbers["epsilon"] == 0:
        step = step._replace(rule="adagrad")
    step, write_back = _with_copies(step, changes)
    return _each_element_a_row(step) if step.rule == "rowwise_adagrad" else step, write_back


def _with_numbers(step: Step, **numbers: float) -> Step:
    return step._replace(numbers={**step.numbers, **numbers})


def _with_slots_as_they_are(step: Step) -> Step:
    """Return Adagrad's step by an accumulator that stays: gradient descent with gradients divided beforehand."""
    (accumulator,) = step.slots
    divisor = np.sqrt(accumulator if step.ids is None else accumulator[step.ids])
    gradient = step.gradient / (divisor + divisor.dtype.type(step.numbers.get("epsilon", 0.0)))
    return step._replace(rule="sgd", slots=(), gradient=gradient.astype(step.gradient.dtype))


def _with_copies(step: Step, changes: dict[int, tuple[_Change, _Change]]) -> tuple[Step, Callable[[], None]]:
    """Replace slots that are to be changed, and those of a half type, by copies in the type the rule computes in."""
    dtype = compute_dtype(step.target.dtype)
    copies = {}
    for position, slot in enumerate(step.slots):
        if position in changes:
            copies[position] = changes[position][0](slot.astype(dtype))
        elif slot.dtype != dtype:
            copies[position] = slot.astype(dtype)

    def write_back() -> None:
        for position, copy in copies.items():
            step.slots[position][...] = changes[position][1](copy) if position in changes else copy

    return step._replace(slots=tuple(copies.get(k, slot) for k, slot in enumerate(step.slots))), write_back


def _each_element_a_row(step: Step) -> Step:
    """Return the step of a rule of rows for a table whose rows have one element each: the same memory."""
    ids = step.ids
    if ids is not None:
        width = math.prod(step.target.shape[1:])
        ids = (ids[:, None] * width + np.arange(width)).reshape(-1)
    column = (-1, 1)
    return step._replace(
        target=step.target.reshape(column),
        slots=tuple(slot.reshape(-1) for slot in step.slots),
        gradient=step.gradient.reshape(column),
        ids=ids,
    )
