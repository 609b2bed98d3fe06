"""Learning rates that follow the global step: TensorFlow 1's decays and a linear warm-up.

Each function returns a :class:`Schedule`, a callable without arguments that optimizers call once
per ``apply_gradients``, before the step is counted. All are computed in double precision.
``global_step`` is a ``Variable``, an integer (array) or a callable that returns one; ``learning_rate`` is
a number, a ``Variable`` or a callable, so that schedules can be wrapped in one another.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.errors import describe, must

__all__ = [
    "Schedule",
    "cosine_decay",
    "exponential_decay",
    "inverse_time_decay",
    "linear_warmup",
    "piecewise_constant",
    "polynomial_decay",
]


class Schedule:
    """A learning rate that is computed at each call; it prints as the call that made it."""

    def __init__(self, rule: Callable[..., float], label: str, **arguments: Any) -> None:
        self._rule = rule
        self._label = label
        self.arguments = arguments

    def __call__(self) -> float:
        """Return the learning rate at the global step's present value."""
        return self._rule(**{name: _now(self._label, name, value) for name, value in self.arguments.items()})

    def __repr__(self) -> str:
        return f"{self._label}({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"


def _now(who: str, name: str, value: Any) -> Any:
    """The present value of an argument: callables are called, Variables and arrays read."""
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


def _check_sources(who: str, **sources: Any) -> None:
    for name, value in sources.items():
        if value is None:
            remedy = "get_or_create_global_step() makes a step" if name != "learning_rate" else None
            raise ValueError(must(who, name, "be a number, a Variable or a callable", "None", remedy))
        if not callable(value):  # a callable is checked when it is called
            _finite(who, name, getattr(value, "value", value))


def _positive(who: str, name: str, value: Any) -> float:
    number = _number(who, name, value)
    if not 0 < number < math.inf:
        raise ValueError(must(who, name, "be positive and finite", value))
    return number


def _finite(who: str, name: str, value: Any) -> float:
    number = _number(who, name, value)
    if not math.isfinite(number):
        raise ValueError(must(who, name, "be finite", value))
    return number


def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: float,
    decay_rate: float,
    staircase: bool = False,
    name: str | None = None,
) -> Schedule:
    """``learning_rate * decay_rate ** (global_step / decay_steps)``; ``staircase`` floors the exponent.

    Raises ValueError unless ``decay_steps`` and ``decay_rate`` are positive. Source:
    ``tf.train.exponential_decay``.
    """
    who = "exponential_decay"
    _check_sources(who, learning_rate=learning_rate, global_step=global_step)
    _positive(who, "decay_steps", decay_steps)
    _positive(who, "decay_rate", decay_rate)
    return Schedule(
        _exponential,
        who,
        learning_rate=learning_rate,
        global_step=global_step,
        decay_steps=decay_steps,
        decay_rate=decay_rate,
        staircase=bool(staircase),
    )


def _exponential(
    learning_rate: float, global_step: float, decay_steps: float, decay_rate: float, staircase: bool
) -> float:
    periods = global_step / decay_steps
    return learning_rate * math.pow(decay_rate, math.floor(periods) if staircase else periods)


def inverse_time_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: float,
    decay_rate: float,
    staircase: bool = False,
    name: str | None = None,
) -> Schedule:
    """``learning_rate / (1 + decay_rate * global_step / decay_steps)``; ``staircase`` floors the fraction.

    Raises ValueError unless ``decay_steps`` is positive and ``decay_rate`` at least 0. Source:
    ``tf.train.inverse_time_decay``.
    """
    who = "inverse_time_decay"
    _check_sources(who, learning_rate=learning_rate, global_step=global_step)
    _positive(who, "decay_steps", decay_steps)
    if _finite(who, "decay_rate", decay_rate) < 0:
        raise ValueError(must(who, "decay_rate", "be at least 0", decay_rate))
    return Schedule(
        _inverse_time,
        who,
        learning_rate=learning_rate,
        global_step=global_step,
        decay_steps=decay_steps,
        decay_rate=decay_rate,
        staircase=bool(staircase),
    )


def _inverse_time(
    learning_rate: float, global_step: float, decay_steps: float, decay_rate: float, staircase: bool
) -> float:
    periods = global_step / decay_steps
    return learning_rate / (1.0 + decay_rate * (math.floor(periods) if staircase else periods))


def piecewise_constant(
    x: Any, boundaries: Sequence[float], values: Sequence[float], name: str | None = None
) -> Schedule:
    """``values[i]`` where ``boundaries[i-1] < x <= boundaries[i]``; the last value after the last boundary.

    ``x`` is usually the global step. Raises ValueError unless there is one value more than there are
    boundaries, and these increase. Source: ``tf.train.piecewise_constant``.
    """
    who = "piecewise_constant"
    _check_sources(who, x=x)
    try:
        edges = tuple(_finite(who, "boundaries", edge) for edge in boundaries)
        levels = tuple(_finite(who, "values", level) for level in values)
    except TypeError as error:
        if str(error).startswith(who):
            raise
        raise TypeError(must(who, "boundaries and values", "be lists of numbers", [boundaries, values])) from None
    if len(levels) != len(edges) + 1:
        rule = f"have {len(edges) + 1} items, one more than boundaries"
        raise ValueError(must(who, "values", rule, str(len(levels))))
    if any(right <= left for left, right in itertools.pairwise(edges)):
        raise ValueError(must(who, "boundaries", "increase", repr(edges)))
    return Schedule(_piecewise, who, x=x, boundaries=edges, values=levels)


def _piecewise(x: float, boundaries: tuple[float, ...], values: tuple[float, ...]) -> float:
    return values[sum(x > edge for edge in boundaries)]


def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: float,
    end_learning_rate: float = 0.0001,
    power: float = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Schedule:
    """``(learning_rate - end) * (1 - step / decay_steps) ** power + end``, with ``step`` at most ``decay_steps``.

    With ``cycle`` the decay does not end: ``decay_steps`` is multiplied by ``ceil(step / decay_steps)``,
    at least 1. Raises ValueError unless ``decay_steps`` and ``power`` are positive. Source:
    ``tf.train.polynomial_decay``.
    """
    who = "polynomial_decay"
    _check_sources(who, learning_rate=learning_rate, global_step=global_step)
    _positive(who, "decay_steps", decay_steps)
    _finite(who, "end_learning_rate", end_learning_rate)
    _positive(who, "power", power)
    return Schedule(
        _polynomial,
        who,
        learning_rate=learning_rate,
        global_step=global_step,
        decay_steps=decay_steps,
        end_learning_rate=end_learning_rate,
        power=power,
        cycle=bool(cycle),
    )


def _polynomial(
    learning_rate: float,
    global_step: float,
    decay_steps: float,
    end_learning_rate: float,
    power: float,
    cycle: bool,
) -> float:
    if cycle:
        decay_steps *= max(1, math.ceil(global_step / decay_steps))
    left = 1.0 - min(global_step, decay_steps) / decay_steps
    return (learning_rate - end_learning_rate) * math.pow(left, power) + end_learning_rate


def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: float, alpha: float = 0.0, name: str | None = None
) -> Schedule:
    """``learning_rate * ((1 - alpha) * (1 + cos(pi * min(step / decay_steps, 1))) / 2 + alpha)``.

    ``alpha`` is the share that is left at the end. Raises ValueError unless ``decay_steps`` is
    positive. Source: Loshchilov and Hutter 2016, "SGDR"; ``tf.train.cosine_decay``.
    """
    who = "cosine_decay"
    _check_sources(who, learning_rate=learning_rate, global_step=global_step)
    _positive(who, "decay_steps", decay_steps)
    _finite(who, "alpha", alpha)
    return Schedule(
        _cosine, who, learning_rate=learning_rate, global_step=global_step, decay_steps=decay_steps, alpha=alpha
    )


def _cosine(learning_rate: float, global_step: float, decay_steps: float, alpha: float) -> float:
    wave = 0.5 * (1.0 + math.cos(math.pi * min(global_step / decay_steps, 1.0)))
    return learning_rate * ((1.0 - alpha) * wave + alpha)


def linear_warmup(learning_rate: Any, global_step: Any, warmup_steps: float, start: float = 0.0) -> Schedule:
    """``start + (learning_rate - start) * step / warmup_steps`` up to ``warmup_steps``, then ``learning_rate``.

    ``learning_rate`` is a number or another schedule, which is read at the same step. Raises
    ValueError unless ``warmup_steps`` is positive.
    """
    who = "linear_warmup"
    _check_sources(who, learning_rate=learning_rate, global_step=global_step)
    _positive(who, "warmup_steps", warmup_steps)
    _finite(who, "start", start)
    return Schedule(
        _warmup, who, learning_rate=learning_rate, global_step=global_step, warmup_steps=warmup_steps, start=start
    )


def _warmup(learning_rate: float, global_step: float, warmup_steps: float, start: float) -> float:
    if global_step >= warmup_steps:
        return learning_rate
    return start + (learning_rate - start) * global_step / warmup_steps
