"""Schedule-free learning: in place of a decaying rate, an average of all iterates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from ..base.typing import Array, Hook, Hyper
from ..base.typing import Parameter as Target
from .counters import RateWeights
from .hyperparameters import scalar
from .optimizer import Optimizer
from .updates import array_of
from .wrappers.swap import averaged_weights

__all__ = ["ScheduleFreeAdamW", "ScheduleFreeSGD"]


class _ScheduleFree(Optimizer):
    """What both share: where their average is."""

    _BETA: ClassVar[str]

    def averaged_value(self, var: Target) -> Array:
        """Return the average of a parameter's iterates, which is what to evaluate and to ship: a new array.

        Args:
            var: the parameter; before its first step the average is the parameter itself.
        """
        self._check_whole()
        w, slot = array_of(var), self._slot_table.find(var, "z")
        if slot is None:
            return np.array(w)
        z = slot._kept
        return np.asarray(z + (w - z) / z.dtype.type(scalar(self._name, "beta", self._hyper()[self._BETA])), w.dtype)

    averaged_weights = averaged_weights


class ScheduleFreeSGD(_ScheduleFree):
    """Gradient descent that needs no schedule: w is where gradients are taken, z the plain sequence::

        c = r**2 / (r_1**2 + ... + r_t**2)    with r the largest learning rate so far
        g = g + w * weight_decay
        w = w + (z - w) * c + g * learning_rate * (beta * (1 - c) - 1)
        z = z - g * learning_rate

    Evaluate and ship the average of the z's, `averaged_value`: ``x = z + (w - z) / beta``. A sparse update moves every
    row of the table: rows that are not in the batch have a gradient of zero. Slot: ``z``, the parameter's first values.

    Args:
        learning_rate: at least 0; a number, a scalar Variable or array, or a callable; read at every step. A warm-up is
            the only schedule that makes sense.
        beta: in (0, 1); how far w lies from z towards the average.
        weight_decay: at least 0.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = st.Variable(np.array([4.0]))
        >>> opt = st.ScheduleFreeSGD(0.5)
        >>> for _ in range(50):
        ...     loss = opt.minimize(lambda: np.sum((w - 1.0) ** 2))
        >>> with opt.averaged_weights():
        ...     print(w.numpy().round(2).tolist())
        [1.0]

    Source: Defazio et al., 2024, "The road less scheduled"; ``SGDScheduleFree``.
    """

    _rule = "schedule_free_sgd"
    _BETA = "beta"

    beta: Hyper
    weight_decay: Hyper

    def __init__(
        self,
        learning_rate: Hyper = 1.0,
        beta: Hyper = 0.9,
        weight_decay: Hyper = 0.0,
        use_locking: bool = False,
        name: str = "ScheduleFreeSGD",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._beta = beta
        self._weight_decay = weight_decay
        self._counters: RateWeights = RateWeights(name)
        super().__init__(use_locking, name, hooks=hooks)


class ScheduleFreeAdamW(_ScheduleFree):
    """AdamW that needs no schedule: w is where gradients are taken, z the plain sequence::

        c = r**2 / (r_1**2 + ... + r_t**2)    with r the largest learning rate so far
        v = v + (g * g - v) * (1 - beta2)
        u = g / (sqrt(v / (1 - beta2**t)) + epsilon) + w * weight_decay
        w = w + (z - w) * c + u * learning_rate * (beta1 * (1 - c) - 1)
        z = z - u * learning_rate

    Evaluate and ship the average of the z's, `averaged_value`: ``x = z + (w - z) / beta1``. A sparse update moves every
    row of the table: rows that are not in the batch have a gradient of zero. Slots: ``z``, the parameter's first
    values; ``v``, zeros.

    Args:
        learning_rate: at least 0; a number, a scalar Variable or array, or a callable; read at every step. A warm-up is
            the only schedule that makes sense.
        beta1: in (0, 1); how far w lies from z towards the average.
        beta2: in [0, 1).
        epsilon: at least 0.
        weight_decay: at least 0.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = st.Variable(np.array([4.0]))
        >>> opt = st.ScheduleFreeAdamW(0.5)
        >>> for _ in range(100):
        ...     loss = opt.minimize(lambda: np.sum((w - 1.0) ** 2))
        >>> bool(abs(opt.averaged_value(w)[0] - 1.0) < 0.05)
        True

    Source: Defazio et al., 2024, "The road less scheduled"; ``AdamWScheduleFree``.
    """

    _rule = "schedule_free_adamw"
    _BETA = "beta1"

    beta1: Hyper
    beta2: Hyper
    epsilon: Hyper
    weight_decay: Hyper

    def __init__(
        self,
        learning_rate: Hyper = 0.0025,
        beta1: Hyper = 0.9,
        beta2: Hyper = 0.999,
        epsilon: Hyper = 1e-8,
        weight_decay: Hyper = 0.0,
        use_locking: bool = False,
        name: str = "ScheduleFreeAdamW",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._weight_decay = weight_decay
        self._counters: RateWeights = RateWeights(name, "beta2")
        super().__init__(use_locking, name, hooks=hooks)
