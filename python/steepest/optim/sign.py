"""AddSign and PowerSign: gradient descent that listens to the signs of gradient and momentum."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ..base.errors import describe, must
from ..base.typing import Hook, Hyper
from .apply import EitherPair, Step
from .counters import Counters, Own, StepNumber
from .hyperparameters import scalar
from .optimizer import Optimizer

__all__ = ["AddSignOptimizer", "PowerSignOptimizer"]


class _SignDecay(Counters):
    """What the signs are multiplied by in this step; in graph mode a node."""

    value: Any = 1.0

    def sources(self) -> tuple[Any, ...]:
        return (self.value,)

    def scalars(self, own: Own) -> list[float]:
        number = scalar("sign_decay_fn", "value", own.get(StepNumber.GIVEN, self.value))
        if not math.isfinite(number):
            raise ValueError(must("sign_decay_fn", "value", "be finite", f"{number!r}"))
        return [number]


class _SignOptimizer(Optimizer):
    """What both have: m, and a decay of the signs that is a function of the global step."""

    beta: Hyper

    def __init__(
        self, beta: Hyper, sign_decay_fn: Callable[[Any], Any] | None, use_locking: bool, name: str, hooks: Any
    ) -> None:
        if sign_decay_fn is not None and not callable(sign_decay_fn):
            rule = "be a function of the global step or None"
            raise TypeError(must(name, "sign_decay_fn", rule, describe(sign_decay_fn)))
        self._beta = beta
        self._sign_decay_fn = sign_decay_fn
        self._counters: _SignDecay = _SignDecay()
        super().__init__(use_locking, name, hooks=hooks)

    def _enter_step(self, global_step: Any) -> None:
        if self._sign_decay_fn is not None:
            self._counters.value = self._sign_decay_fn(global_step)

    def apply_gradients(
        self, grads_and_vars: Iterable[EitherPair], global_step: Step | None = None, name: str | None = None
    ) -> Any:
        """Do what `Optimizer.apply_gradients` does, with the signs' decay at ``global_step``."""
        self._enter_step(global_step)
        return super().apply_gradients(grads_and_vars, global_step, name)


class AddSignOptimizer(_SignOptimizer):
    """AddSign: a gradient counts more where it agrees with the momentum; sign(0) is 0::

        m = m * beta + g * (1 - beta)
        w = w - g * ((sign(g) * sign(m) * sign_decay + alpha) * learning_rate)

    All have shape S. In a sparse update m decays on every row, and only the batch's rows of w move. Slot: ``m``, zeros
    at first.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        alpha: a finite number, in the same forms.
        beta: in [0, 1): the decay of m.
        sign_decay_fn: a function of the ``global_step`` that ``apply_gradients`` is given, for sign_decay; else it
            is 1.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range, or a sign_decay that is not finite.
        TypeError: for a hyper-parameter that is not one real number, or a ``sign_decay_fn`` that is no function.
        TypeError: for a hook that is not callable.

    Example:
        >>> w, opt = np.zeros(2), st.AddSignOptimizer(0.5, beta=0.5)
        >>> opt.apply_gradients([(np.array([1.0, 4.0]), w)])
        >>> opt.apply_gradients([(np.array([1.0, -1.0]), w)])  # the second goes against its momentum: it does not count
        >>> w.tolist()
        [-2.0, -4.0]

    Source: ``tf.contrib.opt.AddSignOptimizer``; Bello et al., 2017.
    """

    _rule = "add_sign"

    alpha: Hyper

    def __init__(
        self,
        learning_rate: Hyper = 0.1,
        alpha: Hyper = 1.0,
        beta: Hyper = 0.9,
        sign_decay_fn: Callable[[Any], Any] | None = None,
        use_locking: bool = False,
        name: str = "AddSignOptimizer",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._alpha = alpha
        super().__init__(beta, sign_decay_fn, use_locking, name, hooks)


class PowerSignOptimizer(_SignOptimizer):
    """PowerSign: a gradient is multiplied where it agrees with the momentum, else divided; sign(0) is 0::

        m = m * beta + g * (1 - beta)
        w = w - g * (learning_rate * base**(sign_decay * sign(g) * sign(m)))

    All have shape S. In a sparse update m decays on every row, and only the batch's rows of w move. Slot: ``m``, zeros
    at first.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        base: positive, in the same forms.
        beta: in [0, 1): the decay of m.
        sign_decay_fn: a function of the ``global_step`` that ``apply_gradients`` is given, for sign_decay; else it
            is 1.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range, or a sign_decay that is not finite.
        TypeError: for a hyper-parameter that is not one real number, or a ``sign_decay_fn`` that is no function.
        TypeError: for a hook that is not callable.

    Example:
        >>> w, opt = np.zeros(2), st.PowerSignOptimizer(0.5, base=2.0, beta=0.5)
        >>> opt.apply_gradients([(np.array([1.0, 4.0]), w)])
        >>> opt.apply_gradients([(np.array([1.0, -1.0]), w)])  # the second goes against its momentum: half of it
        >>> w.round(6).tolist()
        [-2.0, -3.75]

    Source: ``tf.contrib.opt.PowerSignOptimizer``; Bello et al., 2017.
    """

    _rule = "power_sign"

    base: Hyper

    def __init__(
        self,
        learning_rate: Hyper = 0.1,
        base: Hyper = math.e,
        beta: Hyper = 0.9,
        sign_decay_fn: Callable[[Any], Any] | None = None,
        use_locking: bool = False,
        name: str = "PowerSignOptimizer",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._base = base
        super().__init__(beta, sign_decay_fn, use_locking, name, hooks)
