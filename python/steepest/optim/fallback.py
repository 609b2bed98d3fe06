"""Updates by rules written in Python: one by one, with a copy of everything to put back when one raises."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ops.indexed_slices import IndexedSlices
from .hooks import Hook
from .parameters import ArrayParameter
from .slots import SlotTable
from .updates import Update, check_bounds

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = ["PythonUpdater", "apply_rows"]


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

    def apply(self, optimizer: Optimizer, who: str, updates: list[Update], fused: list[Hook]) -> bool:
        """Apply the updates in order; where one raises, put everything back."""
        for position, update in enumerate(updates):
            check_bounds(who, position, update)
        if optimizer._native is not None:  # super()._apply_dense leads to the rule
            optimizer._native.read_hyper(optimizer)
        decays = [hook.native(optimizer)[1] for hook in fused]  # decoupled weight decays
        undo: list[Callable[[], None]] = []
        try:
            for update in updates:
                slots = self.slots.slots_of(update.parameter)
                undo += [_restorer(array) for array in (update.target, *(slot.value for slot in slots))]
                _decay(update, decays)
                if update.indices is not None:
                    slices = IndexedSlices(update.values, update.indices, update.target.shape)
                    optimizer._apply_sparse_duplicate_indices(slices, update.parameter)
                else:
                    optimizer._apply_dense(update.values, update.parameter)
        except BaseException:
            for restore in reversed(undo):
                restore()
            raise
        return True


def apply_rows(optimizer: Optimizer, grad: IndexedSlices, var: Any) -> None:
    """Gather the rows of a variable and of its slots, update them by ``_apply_dense``, and scatter them back."""
    rows = np.asarray(grad.indices)
    part = ArrayParameter(var.value[rows])
    part.name = var.name
    table = optimizer._slot_table
    key, part_key = table.parameters.key(var), -1  # no parameter that has been met has a negative key
    table.parameters._keys[id(part)] = part_key
    borrowed: list[tuple[Any, ArrayParameter]] = []
    try:
        for slots in table.by_name.values():
            slot = slots.get(key) if key is not None else None
            if slot is None:
                continue
            if slot.shape[:1] == var.shape[:1]:
                rows_of_slot = ArrayParameter(slot.value[rows])
                borrowed.append((slot, rows_of_slot))
                slots[part_key] = rows_of_slot  # type: ignore[assignment]  # the part of Variable that rules use
            else:
                slots[part_key] = slot
        optimizer._apply_dense(np.asarray(grad.values), part)
        var.value[rows] = part.value
        for slot, rows_of_slot in borrowed:
            slot.value[rows] = rows_of_slot.value
    finally:
        del table.parameters._keys[id(part)]
        for slots in table.by_name.values():
            slots.pop(part_key, None)


def _decay(update: Update, decays: list[float]) -> None:
    """Decay weights as decoupled `WeightDecay` hooks say, of the touched rows where the gradient is sparse."""
    target: Any = update.target
    rows: Any = ... if update.indices is None else np.unique(update.indices)
    for decay in decays:
        target[rows] -= target[rows] * target.dtype.type(decay)


def _restorer(array: Any) -> Callable[[], None]:
    saved = array.copy()

    def restore() -> None:
        array[...] = saved

    return restore
