"""Lookahead: k steps forward, one step back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...base.errors import describe, must
from ..hyperparameters import scalar
from ..optimizer import Optimizer
from ..updates import array_of
from .wrapper import Wrapper

__all__ = ["Lookahead"]


class Lookahead(Wrapper):
    """Slow weights that follow every k-th step of another optimizer, which goes on from there::

        w = a step of the optimizer
        at every sync_period-th step:  slow = slow + (w - slow) * slow_step_size;  w = slow

    Slot: ``slow``, the parameter's first values at first. Slots of the inner optimizer go on as they are.

    Args:
        optimizer: the optimizer that makes the fast steps.
        sync_period: steps between two synchronizations; an integer of at least 1.
        slow_step_size: in [0, 1].
        name: part of the slots' names.

    Raises:
        TypeError: for what is no optimizer, or a number of another type.
        ValueError: for a number outside its range.

    Example:
        >>> w = np.zeros(1)
        >>> opt = st.Lookahead(st.GradientDescentOptimizer(1.0), sync_period=2, slow_step_size=0.5)
        >>> for _ in range(3):
        ...     opt.apply_gradients([(np.ones(1), w)])
        ...     print(w.item())
        -1.0
        -1.0
        -2.0

    Source: Zhang, Lucas, Hinton, Ba, 2019.
    """

    _SLOT: ClassVar[str] = "slow"

    def __init__(
        self, optimizer: Optimizer, sync_period: int = 6, slow_step_size: float = 0.5, name: str = "Lookahead"
    ) -> None:
        self._sync_period = sync_period
        self._slow_step_size = scalar("Lookahead", "slow_step_size", slow_step_size)
        if isinstance(sync_period, bool) or not isinstance(sync_period, int) or sync_period < 1:
            raise ValueError(must("Lookahead", "sync_period", "be an integer of at least 1", describe(sync_period)))
        if not 0 <= self._slow_step_size <= 1:
            raise ValueError(must("Lookahead", "slow_step_size", "be in [0, 1]", f"{slow_step_size!r}"))
        super().__init__(optimizer, name)

    def _moves_parameters(self) -> bool:
        return int(self._followed._value) % self._sync_period == 0

    def _follow(self, targets: Sequence[Any]) -> list[tuple[Any, Any]]:
        if (int(self._followed._value) + 1) % self._sync_period:
            return []
        pairs: list[tuple[Any, Any]] = []
        for target in targets:
            slow, fast = self._slot_table.find(target, self._SLOT), array_of(target)
            assert slow is not None
            middle = slow._kept + (fast - slow._kept) * slow.dtype.type(self._slow_step_size)
            pairs += [(middle, slow), (middle, target)]
        return pairs
