"""AdaMax."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.typing import Hook, Hyper
from ..variables.variable import Variable
from .adam import AdamOptimizer
from .counters import FirstBetaPower

__all__ = ["AdaMaxOptimizer"]


class AdaMaxOptimizer(AdamOptimizer):
    """AdaMax, Adam with the largest gradient in place of the root mean square; step t = 1, 2, ...::

        m = m + (g - m) * (1 - beta1)
        v = max(v * beta2, abs(g))
        w = w - m * (learning_rate / (1 - beta1**t)) / (v + epsilon)

    All have shape S. In a sparse update only the batch's rows of w, m and v move. Slots: ``m``, ``v``, zeros at first.
    ``torch.optim.Adamax`` adds epsilon inside: ``v = max(v * beta2, abs(g) + epsilon)``.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        beta1: in [0, 1), in the same forms: the decay of m.
        beta2: in [0, 1): the decay of v.
        epsilon: at least 0.
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
        >>> w = np.zeros(2)
        >>> st.AdaMaxOptimizer(0.25, epsilon=0.0).apply_gradients([(np.array([3.0, -7.0]), w)])
        >>> w.round(6).tolist()
        [-0.25, 0.25]

    Source: ``tf.contrib.opt.AdaMaxOptimizer``; Kingma and Ba, 2015.
    """

    _rule = "ada_max"
    _counters = FirstBetaPower()

    def __init__(
        self,
        learning_rate: Hyper = 0.001,
        beta1: Hyper = 0.9,
        beta2: Hyper = 0.999,
        epsilon: Hyper = 1e-8,
        use_locking: bool = False,
        name: str = "AdaMax",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name, hooks=hooks)

    def _get_beta_accumulators(self) -> Variable | None:  # type: ignore[override]  # as in TensorFlow
        """Return the variable ``beta1_power``; None before the first step."""
        return self._get_non_slot_variable("beta1_power")
