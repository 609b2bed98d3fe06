"""Updates by rules written in Python: one by one, with a copy of everything to put back when the step ends early."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import describe, must
from ..ops.indexed_slices import IndexedSlices
from .commit import Advance, StepCommit, advance
from .hooks import Hook
from .overlaps import Memory
from .parameters import ArrayParameter
from .schedules.schedule import own_steps
from .slots import ROWS_KEY, SlotTable
from .updates import Update, array_of, check_bounds, targets_of

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = ["PythonUpdater", "apply_rows", "counted_by_schedules"]


class PythonUpdater:
    """Updates parameters by the optimizer's own ``_apply_dense`` and its kin."""

    remembers = False

    def __init__(self, slots: SlotTable) -> None:
        self.slots = slots

    def check(self, who: str, updates: list[Update]) -> None:
        """Accept every update."""

    def fuses(self, hooks: Iterable[Any], updates: list[Update]) -> bool:
        """Return False: hooks are called one by one."""
        return False

    def apply(
        self, optimizer: Optimizer, who: str, updates: list[Update], fused: list[Hook], commit: StepCommit
    ) -> bool:
        """Take the step, update by update; where it ends before all is done, put everything back."""
        with self.undone(who, updates, commit) as isolated:
            self.update(optimizer, isolated, fused)
            advance(commit.with_step(*counted_by_schedules(optimizer)), updates)
        return True

    @contextmanager
    def undone(self, who: str, updates: list[Update], commit: object) -> Iterator[list[Update]]:
        """Put everything that updates write back at the end, unless ``commit`` is true then: the step has been taken.

        Yields the updates, with gradients and indices that are memory which the step writes copied.
        """
        for position, update in enumerate(updates):
            check_bounds(who, position, update)
        own = [variable._kept for variable in self.slots.variables_of(update.parameter for update in updates)]
        written = {id(array): array for array in [*(update.target for update in updates), *own]}.values()
        saved = [(array, array.copy()) for array in written]
        isolated = _isolated(updates, Memory(written))
        try:
            yield isolated
        finally:
            self.slots.give_rows_back()  # where an interrupt has come just then
            if not commit:
                for array, before in saved:
                    array[...] = before

    def update(self, optimizer: Optimizer, updates: list[Update], fused: list[Hook]) -> None:
        """Call the optimizer's methods for every update in order, and its ``_finish``."""
        if optimizer._native is not None:  # super()._apply_dense leads to the rule
            optimizer._native.read_hyper(optimizer)
        natives = [hook._native_for(optimizer, targets_of(updates)) for hook in fused]  # decoupled weight decays
        decays = [[n[1] for n in natives if len(n) == 3 or n[3][k]] for k in range(len(updates))]
        for update, rates in zip(updates, decays, strict=True):
            _decay(update, rates)
            if update.indices is not None:
                optimizer._apply_by_kind(IndexedSlices(update.values, update.indices), update.parameter)
            else:
                _check_result(optimizer, optimizer._apply_by_kind(update.values, update.parameter), update.parameter)
        optimizer._finish([], "update")


def counted_by_schedules(optimizer: Optimizer) -> list[Advance]:
    """Return what the schedules among an optimizer's attributes count; a rule in Python reads those itself."""
    if optimizer._native is not None:
        return list(optimizer._native.hyper.counting)
    return [(own.count, None) for own in own_steps(vars(optimizer).values())]


def _isolated(updates: list[Update], written: Memory) -> list[Update]:
    """Copy gradients and indices that are (views of) what is written: they mean its values before the step."""

    def copied(array: Any) -> Any:
        return array.copy() if array is not None and written.holds_some_of(array) else array

    every = [update.expanded() for update in updates]
    return [update._replace(values=copied(update.values), indices=copied(update.indices)) for update in every]


def apply_rows(optimizer: Optimizer, grad: IndexedSlices, var: Any) -> None:
    """Gather the rows of a variable and of its slots, update them by ``_apply_dense``, and scatter them back.

    A slot that ``_apply_dense`` makes is made for the whole variable.
    """
    rows = np.asarray(grad.indices)
    part = ArrayParameter(var._value[rows])
    part.name = var.name
    table = optimizer._slot_table
    key = table.parameters.key(var)
    table.parameters._keys[id(part)] = ROWS_KEY
    borrowed: list[tuple[Any, ArrayParameter]] = []

    def lend(slots: dict[Any, Any], slot: Any) -> Any:
        lent = slot
        if slot.shape[:1] == var.shape[:1]:
            lent = ArrayParameter(slot._kept[rows])  # the part of Variable that rules use
            borrowed.append((slot, lent))
        slots[ROWS_KEY] = lent
        return lent

    def make(slot_name: str, op_name: str, initial: Any, shape: Any, dtype: Any) -> Any:
        if shape is None:
            initial, shape, dtype = _one_value(optimizer, slot_name, initial)
        if tuple(shape[:1]) == part.shape[:1]:
            shape = (*var.shape[:1], *shape[1:])
        slot = table.get_or_make(var, slot_name, op_name, initial, shape, dtype)
        return lend(table.by_name[slot_name], slot)

    table.make_for_rows = make
    try:
        for slots in table.by_name.values():
            slot = slots.get(key) if key is not None else None
            if slot is not None:
                lend(slots, slot)
        _check_result(optimizer, optimizer._apply_dense(np.asarray(grad.values), part), part)
        var._value[rows] = part._value
        for slot, rows_of_slot in borrowed:
            slot._kept[rows] = rows_of_slot._value
    finally:
        table.give_rows_back()


def _one_value(optimizer: Optimizer, slot_name: str, initial: Any) -> tuple[Any, tuple[int, ...], Any]:
    """Return the one value, the shape and the type of an array that a slot of some rows is to begin with."""
    array = array_of(initial)
    first = array.reshape(-1)[:1]
    if (array != (first if array.ndim else array)).any():
        rule, remedy = "be made in _create_slots where its values differ", "there the whole variable is at hand"
        raise ValueError(must(type(optimizer).__name__, f"slot {slot_name!r}", rule, "those of some rows", remedy))
    return first[0] if first.size else 0, array.shape, array.dtype


def _check_result(optimizer: Optimizer, result: Any, parameter: Any) -> None:
    """Raise TypeError for an update that is returned instead of made."""
    if isinstance(result, np.ndarray) and not np.may_share_memory(result, parameter._value):
        rule, remedy = "change var in place", "write var.assign(new_value), var.assign_sub(step) or var -= step"
        raise TypeError(must(type(optimizer).__name__, "_apply_dense", rule, f"a returned {describe(result)}", remedy))


def _decay(update: Update, decays: list[float]) -> None:
    """Decay weights as decoupled `WeightDecay` hooks say, of the touched rows where the gradient is sparse."""
    target: Any = update.target
    rows: Any = ... if update.indices is None else np.unique(update.indices)
    for decay in decays:
        target[rows] -= target[rows] * target.dtype.type(decay)
