"""Adam with powers of beta for each variable."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..base.typing import Hook, Hyper
from ..variables.variable import Variable
from .commit import Advance
from .native import Item, Job, NativeUpdater
from .optimizer import Optimizer
from .rule_source import RuleSource
from .slots import SlotTable
from .updates import Update

__all__ = ["AdamAsyncOptimizer"]


class AdamAsyncOptimizer(Optimizer):
    """Adam whose bias correction counts the steps of each variable, and moves only the batch's rows: DeepRec's.

    The formula is `LazyAdamOptimizer`'s, but for t, which is the number of updates that this variable has had. So a
    variable that is trained from the hundredth step on starts as if it were the first. With ``apply_sparse_rmsprop``
    sparse gradients, and they alone, are applied without bias correction, epsilon inside the root::

        v = v + (g * g - v) * (1 - beta2)
        m = m * beta1 + learning_rate * g / sqrt(v + epsilon)
        w = w - m

    and do not count as updates. Slots: ``m``, ``v``, in w's shape, zeros at first; ``beta1_power``, ``beta2_power``,
    one number for each variable, in float64.

    In the original, duplicates of a sparse gradient are applied one by one where the caller has not summed them, and
    threads that update the same rows or powers may overwrite each other's results, so that those depend on the number
    of threads. This is what it does with one thread and unique rows.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        beta1: in [0, 1): the decay of m.
        beta2: in [0, 1): the decay of v.
        epsilon: at least 0.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        apply_sparse_rmsprop: whether sparse gradients are applied by the second formula.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> early, late = np.zeros(1), np.zeros(1)
        >>> opt = st.AdamAsyncOptimizer(0.25)
        >>> for _ in range(3):
        ...     opt.apply_gradients([(np.ones(1), early)])
        >>> opt.apply_gradients([(np.ones(1), early), (np.ones(1), late)])
        >>> early.round(6).tolist(), late.round(6).tolist()  # a first step is the learning rate
        ([-1.0], [-0.25])

    Source: ``AdamAsyncOptimizer`` of Alibaba's TensorFlow forks (DeepRec).
    """

    _rule = "lazy_adam"

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
        apply_sparse_rmsprop: bool = False,
        name: str = "AdamAsync",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._apply_sparse_rmsprop = bool(apply_sparse_rmsprop)
        super().__init__(use_locking, name, hooks=hooks)

    def _native_updater(self, slots: SlotTable) -> NativeUpdater:
        return _AsyncUpdater("lazy_adam", slots, self._apply_sparse_rmsprop)


class _AsyncUpdater(NativeUpdater):
    """Updates variables with equal powers in one native call, and advances the powers of each."""

    remembers = False  # the scalars of a call are those of its variables

    _POWERS = ("beta1_power", "beta2_power")

    def __init__(self, rule: str, slots: SlotTable, sparse_rmsprop: bool) -> None:
        super().__init__(rule, slots)
        self._sparse_rmsprop = sparse_rmsprop

    def another(self) -> NativeUpdater:
        return type(self)(self.rule, SlotTable(), self._sparse_rmsprop)

    def declared(self) -> list[dict[str, Any]]:
        form = {"extent": "parameter", "slot_type": "double", "initial": 0.0, "from_parameter": False}
        powers = [
            {"name": power, "initial_hyper": beta, **form}
            for power, beta in zip(self._POWERS, ("beta1", "beta2"), strict=True)
        ]
        return [*super().declared(), *powers]

    def read_hyper(self, source: RuleSource) -> None:
        super().read_hyper(source)
        # Loaded state may have set it; a session's updater has it from the optimizer's.
        self._sparse_rmsprop = getattr(source, "_apply_sparse_rmsprop", self._sparse_rmsprop)

    def work(self, source: RuleSource, updates: list[Update]) -> tuple[list[Job], list[Item], list[Advance]]:
        """A job for all variables with equal powers; one that comes again sees those that its first update leaves."""
        rate, *betas, epsilon = self.hyper.values
        powers: dict[int, list[float]] = {}
        jobs: dict[tuple[Any, ...], int] = {}
        items: list[Item] = []
        advances: dict[Any, Advance] = {}
        for update in updates:
            item = self._item(update)
            if self._by_rmsprop(update):
                job: tuple[Any, ...] = "rmsprop", rate, betas[1], betas[0], epsilon
                m, v = item[4]
                item = (*item[:4], (v, m), *item[5:])
            else:
                held = self._powers(update)
                now = powers.setdefault(id(update.parameter), [power._kept.item() for power in held])
                job = self.rule, *self.hyper.values, *now
                now[:] = [power * beta for power, beta in zip(now, betas, strict=True)]
                advances.update({id(p): (p, np.asarray(value)) for p, value in zip(held, now, strict=True)})
            items.append((jobs.setdefault(job, len(jobs)), *item[1:]))
        return [(rule, list(values), []) for rule, *values in jobs], items, list(advances.values())

    def _by_rmsprop(self, update: Update) -> bool:
        return self._sparse_rmsprop and update.indices is not None

    def _powers(self, update: Update) -> list[Variable]:
        key = self.slots.parameters.key(update.parameter)
        return [self.slots.by_name[power][key] for power in self._POWERS]
