"""Momentum, Nesterov's too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.typing import Hook, Hyper
from .optimizer import Optimizer

__all__ = ["MomentumOptimizer"]


class MomentumOptimizer(Optimizer):
    """Momentum: ``a = a * momentum + g``, ``w = w - a * learning_rate``; slot ``momentum`` (a), zeros at first.

    With ``use_nesterov``: ``w = w - (g * learning_rate + a * momentum * learning_rate)``. w, g and a have shape S. In a
    sparse update only the batch's rows of w and a move.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        momentum: in the same forms; usually in [0, 1).
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        use_nesterov: look ahead by one step.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter that is NaN or infinite, here or when it is read.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = np.zeros(1)
        >>> opt = st.MomentumOptimizer(0.5, momentum=0.5)
        >>> for _ in range(2):
        ...     opt.apply_gradients([(np.ones(1), w)])
        >>> w.tolist(), opt.get_slot(w, "momentum").numpy().tolist()
        ([-1.25], [1.5])

    Source: ``tf.train.MomentumOptimizer``; Sutskever et al., 2013.
    """

    _rule = "momentum"

    momentum: Hyper
    use_nesterov: bool

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
