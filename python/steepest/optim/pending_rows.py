"""Adam's deferred updates: rows that a sparse gradient leaves out move when they are next read.

In Adam a row without a gradient goes on moving, by what is left of its moments. `PendingRows` knows, for one variable,
which rows have which moves pending, and makes them before somebody reads the variable. The result is that of moving
every row at every step, at the batch's cost. The moves are computed natively; docs/deferred.md has the mathematics.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from ..base.dtypes import Array, code_of
from ..base.errors import must
from ..base.locks import lock_across_forks
from ..variables.variable import Variable
from .commit import Advance
from .hooks import CheckFinite, ClipByGlobalNorm, ClipByNorm, WeightDecay
from .hyperparameters import SCHEMA
from .native import Item, Job, NativeUpdater
from .parameters import ParameterTable
from .rule_source import RuleSource
from .updates import Update

__all__ = ["PendingRows", "PendingRowsUpdater"]

Hyper = tuple[float, float, float]  # beta1, beta2, epsilon

# One for all: rows are brought up to date by whichever thread reads first, and optimizers update several variables.
_lock = lock_across_forks()


class PendingRows:
    """The pending moves of a variable's rows, all by one optimizer; a variable has at most one such object.

    While there are any, ``_pending`` of the variable and of its slots is this object. It keeps the arrays and not the
    variables, so it outlives the optimizer, and a variable that is gone takes it along.
    """

    def __init__(
        self,
        table: ParameterTable,
        variable: Variable,
        slots: list[Variable],
        rule: str,
        hyper: Hyper,
        history: object | None = None,
    ) -> None:
        self.owner = table  # stands for the optimizer
        self.array = variable._array
        self.slots = tuple(slot._array for slot in slots)
        self.hyper = hyper
        self.rule = rule
        code = code_of(self.array.dtype)
        assert code is not None  # it is a parameter
        self._code = code
        self.history = history or _core.step_history(*hyper, rows=len(self.array), dtype=self._code)
        self._shown = [weakref.ref(shown) for shown in (variable, *slots)]
        for shown in (variable, *slots):
            shown._pending = self

    def flush(self) -> None:
        """Make all moves; afterwards nothing is pending."""
        with _lock:
            _core.apply_pending(self.history, self.rule, self._code, self.array, self.slots)
            for reference in self._shown:
                shown = reference()
                if shown is not None and shown._pending is self:
                    shown._pending = None

    def read(self, array: Array, ids: Any) -> Array:
        """Return rows with their pending moves made; nothing is stored, so reading changes no later result.

        ``array`` is the variable's or a slot's; of a slot every row moves first.
        """
        ids = np.asarray(ids, np.int64, order="C")
        if array is not self.array:
            self.flush()
            taken: Array = array.take(ids, axis=0)
            return taken
        out = np.empty((*ids.shape, *self.array.shape[1:]), self.array.dtype)
        with _lock:
            _core.read_rows(self.history, self.rule, self._code, self.array, self.slots, ids, out)
        return out

    def settled(self, array: Array) -> Array:
        """Return a copy of the variable's or a slot's array with all moves made in it; nothing is stored."""
        with _lock:
            if array is self.array:
                return self.read(array, np.arange(len(array)))
            copies = self._settled_copies()
            return next(copy for copy, own in zip(copies, (self.array, *self.slots), strict=True) if own is array)

    def saved(self) -> tuple[Array, Array, tuple[list[Array], list[Array]]]:
        """Return the history (rates, last steps of rows), and variable and slots before and after the moves."""
        with _lock:
            rates, last = _core.save_history(self.history)
            return rates, last, ([self.array, *self.slots], self._settled_copies())

    def _settled_copies(self) -> list[Array]:
        copies = [array.copy() for array in (self.array, *self.slots)]
        _core.apply_pending(self.history, self.rule, self._code, copies[0], tuple(copies[1:]), keep=True)
        return copies

    def fits(self, slots: list[Variable], hyper: Hyper) -> bool:
        """Tell whether one more step can be added, by the optimizer that these are the slots of."""
        # _pending too: an interrupt may have come between the one and the other when this was made.
        same = all(a is slot._array and slot._pending is self for a, slot in zip(self.slots, slots, strict=True))
        return same and self.hyper == hyper and _core.room(self.history) > 0


class PendingRowsUpdater(NativeUpdater):
    """Updates the batch's rows; the others' moves stay pending until somebody reads them."""

    remembers = False  # each step puts the rows that it leaves out on record
    lock = _lock

    def check(self, who: str, updates: list[Update]) -> None:
        """Refuse sparse gradients of arrays, which cannot be brought up to date when they are read."""
        for update in updates:
            if update.indices is not None and not isinstance(update.parameter, Variable):
                rule = "be a Variable for a deferred sparse update"
                remedy = (
                    "wrap it in steepest.Variable (an ndarray cannot be brought up to date when it is read), "
                    "or use sparse_update='full' or LazyAdamOptimizer"
                )
                raise TypeError(must(who, f"variable {update.parameter.name!r}", rule, "an ndarray", remedy))

    def fuses(self, hooks: Iterable[Any], updates: list[Update]) -> bool:
        """Tell whether declarative hooks can be part of the native call."""
        # A norm of gradients that contain the parameter reads rows; only the update itself makes them move first.
        reads = any(isinstance(hook, WeightDecay) and not hook.decoupled for hook in hooks)
        norms = any(isinstance(hook, (CheckFinite, ClipByGlobalNorm, ClipByNorm)) for hook in hooks)
        return super().fuses(hooks, updates) and not (reads and norms) and not _come_twice(updates)

    def work(self, source: RuleSource, updates: list[Update]) -> tuple[list[Job], list[Item], list[Advance]]:
        """As `NativeUpdater.work`; a table that comes more than once is updated in full."""
        values = self.hyper.values + source._counters.scalars(self.slots.non_slots)
        often = _come_twice(updates)
        items = [self._item_of_all_rows(u) if id(u.parameter) in often else self._item(u) for u in updates]
        jobs: list[Job] = [(self.rule, values, [])]
        return [*jobs, ("adam", values, [])] if often else jobs, items, []

    def _item_of_all_rows(self, update: Update) -> Item:
        _ = update.parameter._value  # makes the moves that are pending
        return 1, *super()._item(update)[1:]

    def slots_of(self, variable: Variable) -> list[Variable]:
        """Return the slots of a variable that has been met, in the rule's order."""
        key = self.slots.parameters.key(variable)
        return [self.slots.by_name[slot["name"]][key] for slot in SCHEMA[self.rule]["slots"]]

    def _item(self, update: Update) -> Item:
        variable, array = update.parameter, update.target
        if update.indices is None or not isinstance(variable, Variable):
            return super()._item(update)  # reads the slots, which brings all rows up to date
        slots = self.slots_of(variable)
        _, beta1, beta2, epsilon = self.hyper.values  # the learning rate may change
        hyper = (beta1, beta2, epsilon)
        pending = variable._pending
        if pending is None or not pending.fits(slots, hyper):
            for shown in (variable, *slots):
                _ = shown._kept  # makes moves that are due to another optimizer, other betas, or a full record
            pending = PendingRows(self.slots.parameters, variable, slots, self.rule, hyper)
        code = code_of(array.dtype)
        values, indices, wide = update.values, update.places, update.wide
        return 0, variable.name, code, array, pending.slots, values, indices, wide, pending.history


def _come_twice(updates: list[Update]) -> set[int]:
    """Return the variables with a sparse gradient that come more than once: updates must see each other's moves."""
    sparse = {id(update.parameter) for update in updates if update.indices is not None}
    counts = Counter(id(update.parameter) for update in updates)
    return {parameter for parameter in sparse if counts[parameter] > 1}
