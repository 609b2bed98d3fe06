"""Adam and lazy Adam."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.errors import describe, must
from ..base.typing import Hook, Hyper
from ..variables.variable import Variable
from . import apply_methods
from .counters import BetaPowers
from .native import NativeUpdater
from .optimizer import Optimizer
from .overrides import APPLY_METHODS, foreign_methods
from .pending_rows import PendingRowsUpdater
from .slots import SlotTable

__all__ = ["AdamOptimizer", "LazyAdamOptimizer"]


class AdamOptimizer(Optimizer):
    """Adam: step t = 1, 2, ... with moments m and v, zeros at first::

        alpha = learning_rate * sqrt(1 - beta2**t) / (1 - beta1**t)
        m = m + (g - m) * (1 - beta1)
        v = v + (g * g - v) * (1 - beta2)
        w = w - m * alpha / (sqrt(v) + epsilon)

    ``epsilon`` is the paper's "epsilon hat": outside the bias correction. Slots: ``m``, ``v``, in w's shape S. The
    powers ``beta1_power``, ``beta2_power`` are variables of the optimizer, advanced once in each ``apply_gradients``.

    In a sparse gradient the rows that are left out count as zeros. There are three ways to treat them:

    - ``sparse_update="full"``: every row moves at each step, at the cost of the table. This is TensorFlow's Adam.
    - ``sparse_update="deferred"``: the same result at about the cost of the batch. A row that is not in the batch moves
      later, by all its pending moves at once, when something reads it. ``gather``, ``embedding_lookup`` and ``w[ids]``
      cost the rows that they read; any other read of the Variable or its slots costs the table. See docs/deferred.md.
    - `LazyAdamOptimizer`: only the batch's rows move, which is another result.

    With ``amsgrad``: ``vhat = max(vhat, v)`` divides in the place of v, ``w = w - m * alpha / (sqrt(vhat) + epsilon)``;
    a further slot ``vhat``, zeros at first. With ``use_nesterov`` it is `NadamOptimizer`.

    Deferred moves are exact to the last bits of the type, for any history of learning rates; half types round once for
    each visit. All rows move first when betas or epsilon change, at a dense gradient, at an update by another optimizer
    and at ``assign``. An array taken from ``.value`` earlier is not brought up to date: take it again.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        beta1: in [0, 1), in the same forms: the decay of m.
        beta2: in [0, 1): the decay of v.
        epsilon: at least 0.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        use_own_namescope_for_non_slot_vars: ignored; TensorFlow 1 has it.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.
        sparse_update: "full", or "deferred" for sparse gradients of Variables.
        amsgrad: divide by the largest v so far. (``optax.amsgrad`` takes the largest after the bias correction.)
        use_nesterov: move by what m will be if the gradient comes once more.

    Raises:
        ValueError: for a hyper-parameter outside its range, or an unknown ``sparse_update``; for ``amsgrad`` or
            ``use_nesterov`` with each other, with ``sparse_update="deferred"`` or for `LazyAdamOptimizer`.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.
        TypeError: deferred updates need a Variable; a plain ndarray cannot be brought up to date when it is read.

    Example:
        >>> w = np.array([1.0, -1.0])
        >>> opt = st.AdamOptimizer(0.25)
        >>> opt.apply_gradients([(np.array([3.0, -7.0]), w)])  # the first step is the learning rate
        >>> w.round(6).tolist()
        [0.75, -0.75]
        >>> table = st.Variable(np.zeros((1000, 4)))
        >>> deferred = st.AdamOptimizer(0.25, sparse_update="deferred")
        >>> loss = deferred.minimize(lambda: np.sum(st.gather(table, [7, 3])))
        >>> table.numpy()[7].round(6).tolist()
        [-0.25, -0.25, -0.25, -0.25]

    Source: ``tf.train.AdamOptimizer``; Kingma and Ba, 2015.
    """

    _rule = "adam"
    _counters = BetaPowers()

    beta1: Hyper
    beta2: Hyper
    epsilon: Hyper

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
        amsgrad: bool = False,
        use_nesterov: bool = False,
    ) -> None:
        del use_own_namescope_for_non_slot_vars
        self._learning_rate = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._sparse_update = sparse_update
        if amsgrad or use_nesterov:
            if self._rule != "adam" or (amsgrad and use_nesterov):
                argument = "amsgrad" if amsgrad else "use_nesterov"
                rule = "be False for LazyAdamOptimizer, and where the other of amsgrad and use_nesterov is True"
                raise ValueError(must(name, argument, rule, True))
            self._rule = "amsgrad" if amsgrad else "nadam"
        super().__init__(use_locking, name, hooks=hooks)

    _amsgrad = property(lambda self: self._rule == "amsgrad")  # for repr: the rule is what is saved
    _use_nesterov = property(lambda self: self._rule == "nadam")

    @property
    def _lr(self) -> Hyper:  # TensorFlow's name
        return self._learning_rate

    @_lr.setter
    def _lr(self, learning_rate: Hyper) -> None:
        self._learning_rate = learning_rate

    def _hyper(self) -> dict[str, Any]:
        return {
            "learning_rate": self._learning_rate,
            "beta1": self._beta1,
            "beta2": self._beta2,
            "epsilon": self._epsilon,
        }

    def _native_updater(self, slots: SlotTable) -> NativeUpdater | None:
        sparse_update = self._sparse_update
        if not isinstance(sparse_update, str) or sparse_update not in ("full", "deferred"):
            remedy = "LazyAdamOptimizer moves only the batch's rows"
            raise ValueError(
                must(self._name, "sparse_update", "be 'full' or 'deferred'", describe(sparse_update), remedy)
            )
        if sparse_update == "full":
            return super()._native_updater(slots)
        if self._rule != "adam" or not APPLY_METHODS.isdisjoint(foreign_methods(type(self))):
            rule = (
                "be 'full' for LazyAdamOptimizer, amsgrad and use_nesterov, and where a subclass overrides "
                "_apply_dense or its like"
            )
            raise ValueError(must(self._name, "sparse_update", rule, sparse_update))
        return PendingRowsUpdater("lazy_adam", slots)

    def _get_beta_accumulators(self) -> tuple[Variable | None, Variable | None]:
        """Return the variables ``beta1_power`` and ``beta2_power``; None before the first step."""
        return self._get_non_slot_variable("beta1_power"), self._get_non_slot_variable("beta2_power")

    _apply_sparse_shared = apply_methods.apply_sparse_shared
    _resource_scatter_add = apply_methods.resource_scatter_add

    def flush(self) -> None:
        """Bring all rows of all variables, and of their slots, up to date.

        Every read does so by itself; call this to choose the moment. It does nothing without
        ``sparse_update="deferred"``.
        """
        for variable in self.variables():
            _ = variable._kept


class LazyAdamOptimizer(AdamOptimizer):
    """Adam whose sparse updates touch only the batch's rows: cost of the batch, not of the table.

    Dense gradients: as `AdamOptimizer`. Sparse: duplicates are summed, then m, v and w of the batch's rows move by
    Adam's formula. A row that is not in the batch keeps its moments and its place, so the result differs from Adam's.
    Slots as there: ``m``, ``v``, in w's shape.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        beta1: in [0, 1), in the same forms: the decay of m.
        beta2: in [0, 1): the decay of v.
        epsilon: at least 0.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        use_own_namescope_for_non_slot_vars: ignored; TensorFlow 1 has it.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.
        sparse_update: "full"; `AdamOptimizer` knows another.
        amsgrad, use_nesterov: False; `AdamOptimizer` knows True.

    Raises:
        ValueError: for a hyper-parameter outside its range, or another value of the last three.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> table = np.zeros((4, 2))
        >>> opt = st.LazyAdamOptimizer(0.25)
        >>> opt.apply_gradients([(st.IndexedSlices(np.ones((2, 2)), [1, 3]), table)])
        >>> table.round(6).tolist()
        [[0.0, 0.0], [-0.25, -0.25], [0.0, 0.0], [-0.25, -0.25]]

    Source: ``tf.contrib.opt.LazyAdamOptimizer``.
    """

    _rule = "lazy_adam"
