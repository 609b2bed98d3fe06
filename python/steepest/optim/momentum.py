"""Momentum, Nesterov's too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.typing import Hook, Hyper
from .optimizer import Optimizer

__all__ = ["MomentumOptimizer"]


class MomentumOptimizer(Optimizer):
    """Momentum: ``a = a * momentum + g``, ``w = w - a * learning_rate``; slot ``momentum`` (a), zeros at first.

    With ``use_nesterov``: ``w = w - (g * learning_rate + a * momentum * learning_rate)``. In a sparse update only the
    batch's rows of w and a move.

    Args:
        learning_rate, momentum: finite numbers, callables, Variables or schedules; read at every step.
        use_locking: accepted for TensorFlow's sake.
        name: part of the slots' names.
        use_nesterov: look ahead by one step.
        hooks: callables on the list of (gradient, variable) pairs; see `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter that is NaN or infinite.

    Source: ``tf.train.MomentumOptimizer``; Sutskever et al., 2013.
    """

    _rule = "momentum"

    def __init__(
        self,
        learning_rate: Hyper,
        momentum: Hyper,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov = bool(use_nesterov)
        super().__init__(use_locking, name, hooks=hooks)

    def _hyper(self) -> dict[str, Any]:
        return {
            "learning_rate": self._learning_rate,
            "momentum": self._momentum,
            "use_nesterov": self._use_nesterov,
        }
