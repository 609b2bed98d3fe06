"""Adam and lazy Adam."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..base.errors import must
from ..base.typing import Hook, Hyper
from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .counters import BetaPowers
from .hyperparameters import check_hyper, hyper_dtype
from .native import NativeUpdater
from .optimizer import Optimizer
from .overrides import APPLY_METHODS, foreign_methods
from .parameters import Parameter
from .pending_rows import PendingRowsUpdater
from .slots import SlotTable

__all__ = ["AdamOptimizer", "LazyAdamOptimizer"]


class AdamOptimizer(Optimizer):
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
    _counters = BetaPowers()

    def __init__(
        self,
        learning_rate: Hyper = 0.001,
        beta1: Hyper = 0.9,
        beta2: Hyper = 0.999,
        epsilon: Hyper = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
        use_own_namescope_for_non_slot_vars: bool = False,
        *,
        hooks: Iterable[Hook] = (),
        sparse_update: str = "full",
    ) -> None:
        del use_own_namescope_for_non_slot_vars
        self._lr = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._sparse_update = sparse_update
        super().__init__(use_locking, name, hooks=hooks)

    @property
    def _learning_rate(self) -> Hyper:
        return self._lr

    def _hyper(self) -> dict[str, Any]:
        return {"learning_rate": self._lr, "beta1": self._beta1, "beta2": self._beta2, "epsilon": self._epsilon}

    def _native_updater(self, slots: SlotTable) -> NativeUpdater | None:
        way = self._sparse_update
        if way not in ("full", "deferred"):
            remedy = "LazyAdamOptimizer moves only the batch's rows"
            raise ValueError(must(self._name, "sparse_update", "be 'full' or 'deferred'", way, remedy))
        if way == "full":
            return super()._native_updater(slots)
        if self._rule != "adam" or not APPLY_METHODS.isdisjoint(foreign_methods(type(self))):
            rule = "be 'full' for LazyAdamOptimizer, and where a subclass overrides _apply_dense or its like"
            raise ValueError(must(self._name, "sparse_update", rule, way))
        return PendingRowsUpdater("lazy_adam", slots)

    def _create_slots(self, var_list: Sequence[Parameter]) -> None:
        for name, power in BetaPowers.NAMES.items():
            if power not in self._slot_table.non_slots:
                self._create_non_slot_variable(self._first_power(name), power, var_list[0])
        super()._create_slots(var_list)

    def _first_power(self, name: str) -> Any:
        beta = self._hyper()[name]
        if isinstance(beta, Symbolic):
            return beta  # its value is known when a session runs
        return hyper_dtype(beta)(check_hyper(self._name, "adam", name, beta))

    def _get_beta_accumulators(self) -> tuple[Variable | None, Variable | None]:
        """Return the variables ``beta1_power`` and ``beta2_power``; None before the first step."""
        return self._get_non_slot_variable("beta1_power"), self._get_non_slot_variable("beta2_power")

    def flush(self) -> None:
        """Bring all rows of all variables, and of their slots, up to date.

        Every read does so by itself; this chooses the moment. Without ``sparse_update="deferred"`` nothing is pending.
        """
        for variable in self.variables():
            _ = variable.value


class LazyAdamOptimizer(AdamOptimizer):
    """Adam whose sparse updates touch only the batch's rows: cost of the batch, not of the table.

    Dense gradients: as `AdamOptimizer`. Sparse: duplicates are summed, then m, v and w of the batch's rows move by
    Adam's formula; a row that is not in the batch keeps its moments and its place, so the result differs from Adam's.

    Source: ``tf.contrib.opt.LazyAdamOptimizer``.
    """

    _rule = "lazy_adam"
