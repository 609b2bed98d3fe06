"""What a schedule is, and the one place where the arguments of schedules are checked and read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from ...base.errors import describe, must

__all__ = [
    "Check",
    "OwnSteps",
    "Schedule",
    "at_least_0",
    "checked_schedule",
    "finite",
    "own_steps",
    "positive",
    "source",
    "step_source",
]

Check: TypeAlias = Callable[[str, str, Any], object]
"""A function of the schedule's name, the argument's name and its value, that raises where the value does not do."""


class OwnSteps:
    """Stands for a ``global_step`` that is not given: the updates of the optimizer that has the schedule."""

    def __init__(self) -> None:
        self.count = np.zeros((), np.int64)  # an array: the native call that updates also counts

    @property
    def value(self) -> int:
        """How many updates there were."""
        return int(self.count.item())

    @value.setter
    def value(self, value: int) -> None:
        self.count[()] = value

    def __call__(self) -> int:
        """Return how many updates there were."""
        return int(self.count.item())

    def __repr__(self) -> str:
        return "None"


class Schedule(np.lib.mixins.NDArrayOperatorsMixin):
    """A learning rate that is computed at each call; it prints as the call that made it.

    In arithmetic, with NumPy's functions and in ``float`` it is its present value, so that a rule in Python may write
    ``self._learning_rate * grad``.

    A schedule without a ``global_step`` counts the updates of the optimizer that it is given to, in ``steps``; one that
    several optimizers have counts the updates of all.

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

    @property
    def steps(self) -> int | None:
        """The updates that it has counted, None where it is given a step; set it to go on from another."""
        return next((own.value for own in own_steps([self])), None)

    @steps.setter
    def steps(self, steps: int) -> None:
        counted = own_steps([self])
        if not counted:
            raise ValueError(must(self._label, "steps", "be set where the schedule counts by itself", describe(steps)))
        if at_least_0(self._label, "steps", steps) != int(steps):
            raise ValueError(must(self._label, "steps", "be an integer", describe(steps)))
        for own in counted:
            own.value = int(steps)

    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return getattr(ufunc, method)(*[x() if isinstance(x, Schedule) else x for x in inputs], **kwargs)

    def __float__(self) -> float:
        return self()

    def __repr__(self) -> str:
        return f"{self._label}({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"


def own_steps(values: Iterable[Any]) -> tuple[OwnSteps, ...]:
    """Return what the schedules among ``values``, and those inside them, count by themselves, each once."""
    found: dict[int, OwnSteps] = {}
    for value in values:
        if isinstance(value, OwnSteps):
            found[id(value)] = value
        elif isinstance(value, Schedule):
            found.update((id(own), own) for own in own_steps(value.arguments.values()))
    return tuple(found.values())


def _read(who: str, name: str, value: Any) -> Any:
    """Return an argument's present value: callables are called, Variables and arrays read."""
    if value is None or isinstance(value, bool | tuple):
        return value
    if callable(value):
        value = value()
    return _number(who, name, getattr(value, "_value", value))


def _number(who: str, name: str, value: Any) -> float:
    try:
        if isinstance(value, str | bytes | bool) or np.ndim(value) != 0:
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(must(who, name, "be a real number", describe(value))) from None


def source(who: str, name: str, value: Any) -> None:
    """Check what is read at each call; a callable is checked when it is called."""
    if value is None:
        raise ValueError(must(who, name, "be a number, a Variable or a callable", "None"))
    if not callable(value):
        finite(who, name, getattr(value, "_value", value))


def step_source(who: str, name: str, value: Any) -> Any:
    """Check what is read as the step at each call, and return it; for None, a count of the schedule's own."""
    if value is None:
        return OwnSteps()
    source(who, name, value)
    return value


def finite(who: str, name: str, value: Any) -> float:
    """Return the value as a float; ValueError unless it is finite."""
    number = _number(who, name, value)
    if not math.isfinite(number):
        raise ValueError(must(who, name, "be finite", describe(value)))
    return number


def positive(who: str, name: str, value: Any) -> float:
    """Return the value as a float; ValueError unless it is positive and finite."""
    number = _number(who, name, value)
    if not 0 < number < math.inf:
        raise ValueError(must(who, name, "be positive and finite", describe(value)))
    return number


def at_least_0(who: str, name: str, value: Any) -> float:
    """Return the value as a float; ValueError unless it is finite and at least 0."""
    number = finite(who, name, value)
    if number < 0:
        raise ValueError(must(who, name, "be at least 0", describe(value)))
    return number


_CHECKS: Mapping[str, Check] = {
    "learning_rate": source,
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
    arguments["global_step"] = step_source(label, "global_step", arguments["global_step"])
    return Schedule(rule, label, **arguments)
