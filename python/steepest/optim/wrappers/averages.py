"""Averages of weights over the steps of any optimizer: exponential, and stochastic weight averaging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ...base.errors import describe, must
from ...base.typing import Array
from ...base.typing import Parameter as Target
from ..hyperparameters import scalar
from ..optimizer import Optimizer
from ..updates import array_of
from .swap import averaged_weights
from .wrapper import Wrapper

__all__ = ["SWA", "ExponentialMovingAverage"]


class _Averages(Wrapper):
    """What averages share: reading them, and trying them out."""

    _SLOT: ClassVar[str] = "average"

    def averaged_value(self, var: Target) -> Array:
        """Return the average of a parameter, in its type: a new array.

        Args:
            var: the parameter; before its first step the average is the parameter itself.
        """
        self._check_whole()
        self._catch_up()
        value = array_of(var)
        slot = self._slot_table.find(var, self._SLOT)
        return np.array(value if slot is None else slot._kept, value.dtype)

    averaged_weights = averaged_weights


class ExponentialMovingAverage(_Averages):
    """An exponential average of the weights beside any optimizer: ``a = a + (w - a) * (1 - decay)`` after each step.

    Slot: ``average`` (a), the parameter's first values at first.

    Args:
        optimizer: the optimizer that takes the steps.
        decay: in [0, 1]; 0.999 averages over some thousand steps.
        name: part of the slots' names.

    Raises:
        TypeError: for what is no optimizer, or a decay that is no number.
        ValueError: for a decay outside its range.

    Example:
        >>> w = st.Variable(np.zeros(1))
        >>> opt = st.ExponentialMovingAverage(st.GradientDescentOptimizer(1.0), decay=0.5)
        >>> for _ in range(2):
        ...     opt.apply_gradients([(np.ones(1), w)])
        >>> w.numpy().item(), opt.averaged_value(w).item()
        (-2.0, -1.25)
        >>> with opt.averaged_weights():
        ...     print(w.numpy().item())
        -1.25

    Source: ``tf.train.ExponentialMovingAverage``; Polyak, Juditsky, 1992.
    """

    def __init__(self, optimizer: Optimizer, decay: float = 0.999, name: str = "ExponentialMovingAverage") -> None:
        self._decay = scalar("ExponentialMovingAverage", "decay", decay)
        if not 0 <= self._decay <= 1:
            raise ValueError(must("ExponentialMovingAverage", "decay", "be in [0, 1]", f"{decay!r}"))
        super().__init__(optimizer, name)

    def _follow(self, targets: Sequence[Any]) -> list[tuple[Any, Any]]:
        self._blend.learning_rate = 1 - self._decay
        return [(array_of(target), self._slot_table.find(target, self._SLOT)) for target in targets]


class SWA(_Averages):
    """Stochastic weight averaging: the plain mean of the weights after every ``period``-th step from ``start`` on.

    Slot: ``average``, until then the parameter's first values.

    Args:
        optimizer: the optimizer that takes the steps.
        start: the first step, counted from 1, whose weights are averaged; an integer of at least 1.
        period: steps from one to the next; an integer of at least 1.
        name: part of the slots' names.

    Raises:
        TypeError: for what is no optimizer.
        ValueError: for a number that is no integer of at least 1.

    Example:
        >>> w = st.Variable(np.zeros(1))
        >>> opt = st.SWA(st.GradientDescentOptimizer(1.0), start=2)
        >>> for _ in range(3):
        ...     opt.apply_gradients([(np.ones(1), w)])
        >>> opt.averaged_value(w).item()  # of -2 and -3
        -2.5

    Source: Izmailov et al., 2018.
    """

    def __init__(self, optimizer: Optimizer, start: int = 1, period: int = 1, name: str = "SWA") -> None:
        for argument, value in (("start", start), ("period", period)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(must("SWA", argument, "be an integer of at least 1", describe(value)))
        self._start, self._period = start, period
        super().__init__(optimizer, name)

    def _follow(self, targets: Sequence[Any]) -> list[tuple[Any, Any]]:
        since = int(self._followed._value) + 1 - self._start
        if since < 0 or since % self._period:
            return []
        self._blend.learning_rate = 1 / (since // self._period + 1)
        return [(array_of(target), self._slot_table.find(target, self._SLOT)) for target in targets]
