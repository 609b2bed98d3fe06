"""The optimizers: TensorFlow 1's names and argument order. The arithmetic is in ``cpp/include/steepest/rules``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .adagrad_decay import AdagradDecayOptimizer
from .counters import advance
from .hyperparameters import check_hyper, hyper_dtype, is_constant
from .native import NativeOptimizer
from .optimizer import Pairs
from .parameters import Parameter
from .pending_rows import DeferringOptimizer
from .rowwise_adagrad import RowWiseAdagradOptimizer

__all__ = [
    "AdagradDecayOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "GradientDescentOptimizer",
    "LazyAdamOptimizer",
    "MomentumOptimizer",
    "RowWiseAdagradOptimizer",
]

Hooks = Iterable[Callable[[Pairs], Pairs]]


class GradientDescentOptimizer(NativeOptimizer):
    """Gradient descent: ``w = w - learning_rate * g``.

    Args:
        learning_rate: a finite number, a callable, a Variable or a schedule; read at every step.
        use_locking: accepted for TensorFlow's sake; updates never race.
        name: part of no slot's name here: this optimizer has no slots.
        hooks: callables on the list of (gradient, variable) pairs; see `steepest.hooks`.

    Raises:
        ValueError: for a learning rate that is NaN or infinite, here or when it is read.

    Source: ``tf.train.GradientDescentOptimizer``.
    """

    _rule = "sgd"

    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent", *, hooks: Hooks = ()
    ) -> None:
        self._learning_rate = learning_rate
        super().__init__(use_locking, name, hooks)

    def _hyper(self) -> dict[str, Any]:
        return {"learning_rate": self._learning_rate}


class MomentumOptimizer(NativeOptimizer):
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
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
        *,
        hooks: Hooks = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov = bool(use_nesterov)
        super().__init__(use_locking, name, hooks)

    def _hyper(self) -> dict[str, Any]:
        return {
            "learning_rate": self._learning_rate,
            "momentum": self._momentum,
            "use_nesterov": self._use_nesterov,
        }


class AdagradOptimizer(NativeOptimizer):
    """Adagrad: ``a = a + g * g``, ``w = w - g * learning_rate / sqrt(a)``; slot ``accumulator`` (a). No epsilon.

    In a sparse update only the batch's rows of w and a move.

    Args:
        learning_rate: a finite number, a callable, a Variable or a schedule; read at every step.
        initial_accumulator_value: where a starts; positive.
        use_locking: accepted for TensorFlow's sake.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs; see `steepest.hooks`.

    Raises:
        ValueError: for an initial accumulator that is not positive, or a learning rate that is not finite.

    Source: ``tf.train.AdagradOptimizer``; Duchi, Hazan, Singer, 2011.
    """

    _rule = "adagrad"

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: Any = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
        *,
        hooks: Hooks = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        super().__init__(use_locking, name, hooks)

    def _hyper(self) -> dict[str, Any]:
        return {
            "learning_rate": self._learning_rate,
            "initial_accumulator_value": self._initial_accumulator_value,
        }


class AdamOptimizer(DeferringOptimizer):
    """Adam: step t = 1, 2, ... with moments m and v, zeros at first::

        alpha = learning_rate * sqrt(1 - beta2**t) / (1 - beta1**t)
        m = m + (g - m) * (1 - beta1)
        v = v + (g * g - v) * (1 - beta2)
        w = w - m * alpha / (sqrt(v) + epsilon)

    ``epsilon`` is the paper's "epsilon hat": outside the bias correction. A sparse gradient means zero for the other
    rows: every row moves, at the cost of the whole table. `LazyAdamOptimizer` moves only the batch's rows. With
    ``sparse_update="deferred"`` the result is the full one at about the lazy cost: a row that is not in the batch moves
    when it is next needed, by all it owes, in one formula. Whatever reads the Variable or its slots sees it up to date:
    ``gather``, ``embedding_lookup`` and ``w[ids]`` at the cost of the rows they read, every other way of reading at the
    cost of the table. Moves are exact to the last bits of the type, for any history of learning rates; betas or an
    epsilon that change, a dense gradient, another optimizer and ``assign`` make all rows move first. An array that was
    taken from ``.value`` earlier shows rows as they were then: take it again. Half types round once for each visit.

    Slots: ``m``, ``v``. The powers ``beta1_power``, ``beta2_power`` are variables of the optimizer, advanced once in
    each ``apply_gradients``.

    Args:
        learning_rate: a finite number, a callable, a Variable or a schedule; read at every step.
        beta1, beta2: in [0, 1). epsilon: at least 0. Numbers or callables.
        use_locking, use_own_namescope_for_non_slot_vars: accepted for TensorFlow's sake.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs; see `steepest.hooks`.
        sparse_update: "full", or "deferred" for sparse gradients of Variables (docs/deferred.md).

    Raises:
        ValueError: for a hyper-parameter outside its range, or an unknown ``sparse_update``. TypeError: when a sparse
        update of an ndarray should be deferred: nobody asks an array before reading it.

    Source: ``tf.train.AdamOptimizer``; Kingma and Ba, 2015.
    """

    _rule = "adam"
    _deferring_rule: str | None = "lazy_adam"

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
        use_own_namescope_for_non_slot_vars: bool = False,
        *,
        hooks: Hooks = (),
        sparse_update: str = "full",
    ) -> None:
        del use_own_namescope_for_non_slot_vars
        self._lr = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        super().__init__(use_locking, name, hooks)
        self._update_sparsely(sparse_update)

    @property
    def _learning_rate(self) -> Any:
        return self._lr

    def _hyper(self) -> dict[str, Any]:
        return {"learning_rate": self._lr, "beta1": self._beta1, "beta2": self._beta2, "epsilon": self._epsilon}

    def _beta(self, name: str) -> Any:
        value = getattr(self, f"_{name}")
        if isinstance(value, Symbolic):
            return value  # its value is known when a session runs
        number: np.floating[Any] = hyper_dtype(value)(check_hyper(self._name, self._rule, name, value))
        return number

    def _create_slots(self, var_list: Sequence[Parameter]) -> None:
        for name in ("beta1", "beta2"):
            if f"{name}_power" not in self._non_slots:
                self._create_non_slot_variable(self._beta(name), f"{name}_power", var_list[0])
        super()._create_slots(var_list)

    def _get_beta_accumulators(self) -> tuple[Variable | None, Variable | None]:
        """Return the variables ``beta1_power`` and ``beta2_power``; None before the first step."""
        own = self._non_slots
        if "beta1_power" in own and "beta2_power" in own:
            return own["beta1_power"], own["beta2_power"]
        return self._get_non_slot_variable("beta1_power"), self._get_non_slot_variable("beta2_power")

    def _scalars(self) -> list[float]:
        one, two = self._get_beta_accumulators()
        assert one is not None
        assert two is not None
        return [one._array.item(), two._array.item()]

    def _powers(self) -> tuple[tuple[Variable, float], ...]:
        one, two = self._get_beta_accumulators()
        beta1, beta2 = self._beta1, self._beta2
        if one is None or two is None or type(beta1) is not float or type(beta2) is not float:
            return ()
        return (one, beta1), (two, beta2)

    def _finish(self, update_ops: list[Any], name_scope: str) -> None:
        one, two = self._get_beta_accumulators()
        beta1, beta2 = self._beta1, self._beta2
        if one is not None:
            advance(one, beta1 if is_constant(beta1) else self._beta("beta1"))
        if two is not None:
            advance(two, beta2 if is_constant(beta2) else self._beta("beta2"))


class LazyAdamOptimizer(AdamOptimizer):
    """Adam whose sparse updates touch only the batch's rows: cost of the batch, not of the table.

    Dense gradients: as `AdamOptimizer`. Sparse: duplicates are summed, then m, v and w of the batch's rows move by
    Adam's formula; a row that is not in the batch keeps its moments and its place, so the result differs from Adam's.

    Source: ``tf.contrib.opt.LazyAdamOptimizer``.
    """

    _rule = "lazy_adam"
    _deferring_rule = None  # what is left out never moves
