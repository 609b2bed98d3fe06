"""Schedules in pieces: constant between boundaries, and a warm-up in front of another schedule."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ...base.errors import must
from ...base.typing import Hyper
from .schedule import Schedule, checked_schedule, finite, step_source

__all__ = ["linear_warmup", "piecewise_constant"]


def piecewise_constant(
    x: Hyper | None, boundaries: Sequence[float], values: Sequence[float], name: str | None = None
) -> Schedule:
    """``values[i]`` where ``boundaries[i-1] < x <= boundaries[i]``; the last value after the last boundary.

    Args:
        x: usually the global step: a number, a scalar Variable or array, or a callable; None for the updates of the
            optimizer that the schedule is given to.
        boundaries: B increasing numbers; B may be 0.
        values: B + 1 numbers.
        name: ignored; TensorFlow 1 has it.

    Raises:
        ValueError: for boundaries that do not increase, for another number of values than B + 1, or a NaN or an
            infinity among them.
        TypeError: for boundaries or values that are not lists of numbers.

    Example:
        >>> [st.piecewise_constant(step, [10, 20], [1.0, 0.5, 0.1])() for step in (10, 11, 20, 21)]
        [1.0, 0.5, 0.5, 0.1]

    Source: ``tf.train.piecewise_constant``.
    """
    del name
    who = "piecewise_constant"
    x = step_source(who, "x", x)
    try:
        edges = tuple(finite(who, "boundaries", edge) for edge in boundaries)
        levels = tuple(finite(who, "values", level) for level in values)
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


def linear_warmup(learning_rate: Hyper, global_step: Hyper | None, warmup_steps: float, start: float = 0.0) -> Schedule:
    """``start + (learning_rate - start) * step / warmup_steps`` up to ``warmup_steps``, then ``learning_rate``.

    Args:
        learning_rate: the rate after the warm-up; another schedule is read at the same step.
        global_step: the number of steps taken so far; None for the updates of the schedule's optimizer.
        warmup_steps: steps until ``learning_rate`` is reached; positive.
        start: the rate at step 0.

    Raises:
        ValueError: for ``warmup_steps`` that are not positive, an argument that is not finite, or None.
        TypeError: for an argument that is not one real number.

    Example:
        >>> [st.linear_warmup(0.5, step, warmup_steps=4)() for step in (0, 1, 4, 9)]
        [0.0, 0.125, 0.5, 0.5]
    """
    return checked_schedule(
        _warmup,
        "linear_warmup",
        {},
        learning_rate=learning_rate,
        global_step=global_step,
        warmup_steps=warmup_steps,
        start=start,
    )


def _warmup(learning_rate: float, global_step: float, warmup_steps: float, start: float) -> float:
    if global_step >= warmup_steps:
        return learning_rate
    return start + (learning_rate - start) * global_step / warmup_steps
