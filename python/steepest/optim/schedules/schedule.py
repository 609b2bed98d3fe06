"""What a schedule is, and the one place where the arguments of schedules are checked and read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from ...base.errors import describe, must

__all__ = ["Check", "Schedule", "at_least_0", "checked_schedule", "finite", "positive", "source"]

Check: TypeAlias = Callable[[str, str, Any], object]
"""A function of the schedule's name, the argument's name and its value, that raises where the value does not do."""


class Schedule:
    """A learning rate that is computed at each call; it prints as the call that made it.

    Args:
        rule: the formula, a function of the arguments' present values that returns a float.
        label: the name to print, and to begin error messages with.
        arguments: what to read at each call and to pass to ``rule`` by name. Callables are called, Variables and arrays
            read; None, booleans and tuples are passed as they are.

    Example:
        >>> step = st.Variable(np.int64(4), trainable=False)
        >>> st.schedules.Schedule(lambda base, step: base / (1 + step), "harmonic", base=0.5, step=step)()
        0.1
    """

    def __init__(self, rule: Callable[..., float], label: str, **arguments: Any) -> None:
        self._rule = rule
        self._label = label
        self.arguments = arguments

    def __call__(self) -> float:
        """Return the learning rate at the global step's present value.

        Raises:
            TypeError: for an argument that is not one real number now.
        """
        return self._rule(**{name: _read(self._label, name, value) for name, value in self.arguments.items()})

    def __repr__(self) -> str:
        return f"{self._label}({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"


def _read(who: str, name: str, value: Any) -> Any:
    """Return an argument's present value: callables are called, Variables and arrays read."""
    if value is None or isinstance(value, bool | tuple):
        return value
    if callable(value):
        value = value()
    return _number(who, name, getattr(value, "value", value))


def _number(who: str, name: str, value: Any) -> float:
    if isinstance(value, str | bytes | bool) or np.ndim(value) != 0:
        raise TypeError(must(who, name, "be a real number", describe(value)))
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(must(who, name, "be a real number", describe(value))) from None


def source(who: str, name: str, value: Any) -> None:
    """Check what is read at each call; a callable is checked when it is called."""
    if value is None:
        remedy = "get_or_create_global_step() makes a step" if name != "learning_rate" else None
        raise ValueError(must(who, name, "be a number, a Variable or a callable", "None", remedy))
    if not callable(value):
        finite(who, name, getattr(value, "value", value))


def finite(who: str, name: str, value: Any) -> float:
    """Return the value as a float; ValueError unless it is finite."""
    number = _number(who, name, value)
    if not math.isfinite(number):
        raise ValueError(must(who, name, "be finite", value))
    return number


def positive(who: str, name: str, value: Any) -> float:
    """Return the value as a float; ValueError unless it is positive and finite."""
    number = _number(who, name, value)
    if not 0 < number < math.inf:
        raise ValueError(must(who, name, "be positive and finite", value))
    return number


def at_least_0(who: str, name: str, value: Any) -> float:
    """Return the value as a float; ValueError unless it is finite and at least 0."""
    number = finite(who, name, value)
    if number < 0:
        raise ValueError(must(who, name, "be at least 0", value))
    return number


_CHECKS: Mapping[str, Check] = {
    "learning_rate": source,
    "global_step": source,
    "decay_steps": positive,
    "warmup_steps": positive,
    "power": positive,
    "end_learning_rate": finite,
    "alpha": finite,
    "start": finite,
}
"""What the arguments that schedules share must be."""


def checked_schedule(rule: Callable[..., float], label: str, checks: Mapping[str, Check], **arguments: Any) -> Schedule:
    """Check the arguments in their order, and return the schedule; ``checks`` are those of this schedule alone."""
    for name, value in arguments.items():
        check = checks.get(name) or _CHECKS.get(name)
        if check is not None:
            check(label, name, value)
    return Schedule(rule, label, **arguments)
