"""Rows that a sparse gradient leaves out move when they are next needed: every step's result, at the batch's cost.

In Adam a row without a gradient goes on moving, by what is left of its moments. `Pending` keeps, for one variable,
which rows have not made which moves yet, and stands between the variable and whoever reads it. The moves themselves are
native; docs/deferred.md has the mathematics.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import Counter
from typing import Any

import numpy as np

from .. import _core
from ..base.dtypes import Array, code_of
from ..base.errors import must
from ..variables.variable import Variable
from .hooks import CheckFinite, ClipByGlobalNorm, ClipByNorm, Hook, WeightDecay
from .hyperparameters import SCHEMA
from .native import NativeOptimizer
from .optimizer import Pairs
from .parameters import ParameterTable
from .updates import Update, check_bounds

__all__ = ["DeferringOptimizer", "Pending"]

Hyper = tuple[float, float, float]  # beta1, beta2, epsilon

# One for all: rows are brought up to date by whichever thread reads first, and optimizers update several variables.
_lock = threading.RLock()
if hasattr(os, "register_at_fork"):  # a child must not find it held by a thread that it does not have
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


class Pending:
    """The moves that rows of a variable owe to one optimizer; a variable has at most one.

    While there are any, ``_pending`` of the variable and of its slots is this object. It keeps the arrays and not the
    variables, so it outlives the optimizer, and a variable that is gone takes it along.
    """

    def __init__(
        self, table: ParameterTable, variable: Variable, slots: list[Variable], rule: str, hyper: Hyper
    ) -> None:
        self.table = table  # stands for the optimizer
        self.array = variable._array
        self.slots = tuple(slot._array for slot in slots)
        self.hyper = hyper
        self._rule = rule
        code = code_of(self.array.dtype)
        assert code is not None  # it is a parameter
        self._code = code
        self.ledger = _core.ledger(*hyper, rows=len(self.array), dtype=self._code)
        self._shown = [weakref.ref(shown) for shown in (variable, *slots)]
        for shown in (variable, *slots):
            shown._pending = self

    def flush(self) -> None:
        """Make all moves; afterwards nothing is pending."""
        with _lock:
            _core.catch_up(self.ledger, self._rule, self._code, self.array, self.slots)
            for reference in self._shown:
                shown = reference()
                if shown is not None and shown._pending is self:
                    shown._pending = None

    def read(self, ids: Any) -> Array:
        """Return rows as they stand after the moves they owe; nothing moves, so reading changes no later result."""
        ids = np.asarray(ids, np.int64, order="C")
        out = np.empty((*ids.shape, *self.array.shape[1:]), self.array.dtype)
        with _lock:
            _core.read_rows(self.ledger, self._rule, self._code, self.array, self.slots, ids, out)
        return out

    def fits(self, slots: list[Variable], hyper: Hyper) -> bool:
        """Tell whether one more step can be added, by the optimizer that these are the slots of."""
        same = all(array is slot._array for array, slot in zip(self.slots, slots, strict=True))
        return same and self.hyper == hyper and _core.room(self.ledger) > 0


class DeferringOptimizer(NativeOptimizer):
    """Base of optimizers whose sparse updates may leave rows for later."""

    _deferring_rule: str | None = None  # the rule that moves the batch's rows alone; None: nothing can be deferred
    _defers = False

    def flush(self) -> None:
        """Bring all rows of all variables, and of their slots, up to date.

        Every read does so by itself; this chooses the moment. Without ``sparse_update="deferred"`` nothing is pending.
        """
        for variable in self.variables():
            _ = variable.value

    def _update_sparsely(self, way: str) -> None:
        """Do what ``sparse_update`` says, from the constructor."""
        if way not in ("full", "deferred"):
            remedy = "LazyAdamOptimizer moves only the batch's rows"
            raise ValueError(must(self._name, "sparse_update", "be 'full' or 'deferred'", way, remedy))
        if way == "full":
            return
        if self._deferring_rule is None or self._in_python:
            rule = "be 'full' for LazyAdamOptimizer, and where a subclass overrides _apply_dense or its like"
            raise ValueError(must(self._name, "sparse_update", rule, way))
        self._defers, self._rule = True, self._deferring_rule
        self._remembers = False  # its steps keep a record of the rows that they leave out

    def _check(self, who: str, pairs: Pairs, may_skip: bool = False) -> list[Update]:
        updates = super()._check(who, pairs, may_skip)
        for update in updates if self._defers else ():
            if update.indices is not None and not isinstance(update.parameter, Variable):
                rule = "be a Variable for a deferred sparse update, nobody asks an array before reading it"
                remedy = "wrap it in steepest.Variable, or use sparse_update='full' or LazyAdamOptimizer"
                raise TypeError(must(who, f"variable {update.parameter.name!r}", rule, "an ndarray", remedy))
        return updates

    def _fuses(self, updates: list[Update]) -> bool:
        if not super()._fuses(updates):
            return False
        if not self._defers:
            return True
        hooks = [hook for hook in self._hooks if isinstance(hook, Hook)]
        # A norm of gradients that contain the parameter reads rows; only the update itself makes them move first.
        reads = any(isinstance(hook, WeightDecay) and not hook.decoupled for hook in hooks)
        norms = any(isinstance(hook, (CheckFinite, ClipByGlobalNorm, ClipByNorm)) for hook in hooks)
        return not (reads and norms) and not _several(updates)

    def _apply_updates(self, who: str, updates: list[Update], fused: list[Hook]) -> bool:
        if not self._defers:
            return super()._apply_updates(who, updates, fused)
        with _lock:
            if not _several(updates):
                return super()._apply_updates(who, updates, fused)
            for position, update in enumerate(updates):
                check_bounds(who, position, update)
            done = [super(DeferringOptimizer, self)._apply_updates(who, [update], fused) for update in updates]
            return all(done)

    def _item(self, update: Update, array: Array) -> tuple[Any, ...]:
        variable = update.parameter
        if not self._defers or update.indices is None or not isinstance(variable, Variable):
            return super()._item(update, array)  # reads the slots, which brings all rows up to date
        key = self._parameters.key(variable)
        assert key is not None
        slots = [self._slots[slot["name"]][key] for slot in SCHEMA[self._rule]["slots"]]
        _, beta1, beta2, epsilon = self._checked  # the learning rate may change
        hyper = (beta1, beta2, epsilon)
        pending = variable._pending
        if pending is None or not pending.fits(slots, hyper):
            for shown in (variable, *slots):
                _ = shown.value  # moves that are due to another optimizer, other betas, or a full ledger
            pending = Pending(self._parameters, variable, slots, self._rule, hyper)
        code = code_of(array.dtype)
        return variable.name, code, array, pending.slots, update.values, update.indices, update.wide, pending.ledger


def _several(updates: list[Update]) -> bool:
    """Whether a variable with a sparse gradient comes more than once: its updates must see each other's moves."""
    sparse = {id(update.parameter) for update in updates if update.indices is not None}
    counts = Counter(id(update.parameter) for update in updates)
    return any(counts[parameter] > 1 for parameter in sparse)
