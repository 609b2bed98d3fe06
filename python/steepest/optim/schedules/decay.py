"""TensorFlow 1's decays: each a formula of the global step."""

from __future__ import annotations

import math

from ...base.typing import Hyper
from .schedule import Schedule, at_least_0, checked_schedule, positive

__all__ = ["cosine_decay", "exponential_decay", "inverse_time_decay", "polynomial_decay"]


def exponential_decay(
    learning_rate: Hyper,
    global_step: Hyper | None,
    decay_steps: float,
    decay_rate: float,
    staircase: bool = False,
    name: str | None = None,
) -> Schedule:
    """``learning_rate * decay_rate ** (global_step / decay_steps)``; ``staircase`` floors the exponent.

    Args:
        learning_rate: the rate at step 0.
        global_step: the number of steps taken so far; None for the updates of the schedule's optimizer.
        decay_steps: steps in which the rate is multiplied by ``decay_rate`` once; positive.
        decay_rate: positive.
        staircase: decay at once at the end of each ``decay_steps`` steps, instead of a little at each step.
        name: ignored; TensorFlow 1 has it.

    Raises:
        ValueError: for ``decay_steps`` or ``decay_rate`` that are not positive, an argument that is not finite, or
            None.
        TypeError: for an argument that is not one real number.

    Example:
        >>> step = st.Variable(np.int64(0), trainable=False)
        >>> rate = st.exponential_decay(0.5, step, decay_steps=10, decay_rate=0.5)
        >>> opt = st.GradientDescentOptimizer(rate)
        >>> opt.apply_gradients([(np.ones(2), np.zeros(2))], global_step=step)
        >>> _ = step.assign(20)
        >>> rate()
        0.125

    Source: ``tf.train.exponential_decay``.
    """
    del name
    return checked_schedule(
        _exponential,
        "exponential_decay",
        {"decay_rate": positive},
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
    learning_rate: Hyper,
    global_step: Hyper | None,
    decay_steps: float,
    decay_rate: float,
    staircase: bool = False,
    name: str | None = None,
) -> Schedule:
    """``learning_rate / (1 + decay_rate * global_step / decay_steps)``; ``staircase`` floors the fraction.

    Args:
        learning_rate: the rate at step 0.
        global_step: the number of steps taken so far; None for the updates of the schedule's optimizer.
        decay_steps: steps in which the denominator grows by ``decay_rate``; positive.
        decay_rate: at least 0.
        staircase: floor ``global_step / decay_steps``.
        name: ignored; TensorFlow 1 has it.

    Raises:
        ValueError: for ``decay_steps`` that are not positive, a negative ``decay_rate``, an argument that is not
            finite, or None.
        TypeError: for an argument that is not one real number.

    Example:
        >>> [st.inverse_time_decay(1.0, step, decay_steps=10, decay_rate=1.0)() for step in (0, 10, 30)]
        [1.0, 0.5, 0.25]

    Source: ``tf.train.inverse_time_decay``.
    """
    del name
    return checked_schedule(
        _inverse_time,
        "inverse_time_decay",
        {"decay_rate": at_least_0},
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


def polynomial_decay(
    learning_rate: Hyper,
    global_step: Hyper | None,
    decay_steps: float,
    end_learning_rate: float = 0.0001,
    power: float = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Schedule:
    """``(learning_rate - end) * (1 - step / decay_steps) ** power + end``, with ``step`` at most ``decay_steps``.

    Args:
        learning_rate: the rate at step 0.
        global_step: the number of steps taken so far; None for the updates of the schedule's optimizer.
        decay_steps: steps until the end is reached; positive.
        end_learning_rate: the rate at the end.
        power: of the polynomial; positive. 1 is a straight line.
        cycle: start again instead of ending: ``decay_steps`` is multiplied by ``ceil(step / decay_steps)``, at least 1.
        name: ignored; TensorFlow 1 has it.

    Raises:
        ValueError: for ``decay_steps`` or ``power`` that are not positive, an argument that is not finite, or None.
        TypeError: for an argument that is not one real number.

    Example:
        >>> [st.polynomial_decay(1.0, step, decay_steps=8, end_learning_rate=0.5)() for step in (0, 4, 8, 9)]
        [1.0, 0.75, 0.5, 0.5]

    Source: ``tf.train.polynomial_decay``.
    """
    del name
    return checked_schedule(
        _polynomial,
        "polynomial_decay",
        {},
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
    learning_rate: Hyper, global_step: Hyper | None, decay_steps: float, alpha: float = 0.0, name: str | None = None
) -> Schedule:
    """``learning_rate * ((1 - alpha) * (1 + cos(pi * min(step / decay_steps, 1))) / 2 + alpha)``.

    Args:
        learning_rate: the rate at step 0.
        global_step: the number of steps taken so far; None for the updates of the schedule's optimizer.
        decay_steps: steps until the end is reached; positive.
        alpha: the share of ``learning_rate`` that is left at the end.
        name: ignored; TensorFlow 1 has it.

    Raises:
        ValueError: for ``decay_steps`` that are not positive, an argument that is not finite, or None.
        TypeError: for an argument that is not one real number.

    Example:
        >>> [round(st.cosine_decay(1.0, step, decay_steps=10, alpha=0.5)(), 6) for step in (0, 5, 10, 20)]
        [1.0, 0.75, 0.5, 0.5]

    Source: Loshchilov and Hutter 2016, "SGDR"; ``tf.train.cosine_decay``.
    """
    del name
    return checked_schedule(
        _cosine,
        "cosine_decay",
        {},
        learning_rate=learning_rate,
        global_step=global_step,
        decay_steps=decay_steps,
        alpha=alpha,
    )


def _cosine(learning_rate: float, global_step: float, decay_steps: float, alpha: float) -> float:
    wave = 0.5 * (1.0 + math.cos(math.pi * min(global_step / decay_steps, 1.0)))
    return learning_rate * ((1.0 - alpha) * wave + alpha)
