"""Update rules written in Python: which method is called for which gradient, and all or nothing around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import must
from ..ops.indexed_slices import IndexedSlices
from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .duplicates import sum_duplicates
from .parameters import ArrayParameter
from .updates import Update

if TYPE_CHECKING:
    from .slots import SlotKeeper

    _Base = SlotKeeper
else:
    _Base = object

__all__ = ["PythonUpdates"]


class PythonUpdates(_Base):
    """TensorFlow 1's methods for update rules, with defaults that lead from sparse to dense.

    A subclass that defines ``_apply_dense(grad, var)`` alone is complete: for sparse gradients duplicates are
    summed, the touched rows of the variable and of its slots are gathered, updated by ``_apply_dense`` and scattered
    back. ``var`` behaves as a `Variable`; change it with ``assign``, ``assign_add``, ``assign_sub``.
    """

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        """Update ``var`` by a gradient of its shape."""
        if self._overrides("_resource_apply_dense"):
            return self._resource_apply_dense(grad, var)
        name = type(self).__name__
        raise NotImplementedError(must(name, "class", "define _apply_dense(grad, var)", "neither it nor a variant"))

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        """Update ``handle``, a variable, by a gradient of its shape."""
        return self._apply_dense(grad, handle)

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        """Update ``var`` by slices whose indices may repeat; by default duplicates are summed first."""
        if self._overrides("_resource_apply_sparse_duplicate_indices"):
            return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)
        return self._apply_summed(grad, var)

    def _apply_summed(self, grad: IndexedSlices, var: Any) -> Any:
        summed = var._summed(grad) if isinstance(var, Symbolic) else sum_duplicates("apply_gradients", grad)
        return self._apply_sparse(summed, var)

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Any, indices: Any) -> Any:
        """Update rows ``indices``, which may repeat, of ``handle``."""
        return self._apply_summed(IndexedSlices(grad, indices, handle.shape), handle)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        """Update ``var`` by slices with unique indices; by default through ``_apply_dense`` on the touched rows."""
        if self._overrides("_resource_apply_sparse"):
            return self._resource_apply_sparse(grad.values, var, grad.indices)
        return self._apply_rows(grad, var)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        """Update rows ``indices``, unique, of ``handle``."""
        return self._apply_rows(IndexedSlices(grad, indices, handle.shape), handle)

    def _overrides(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(PythonUpdates, method)

    def _apply_rows(self, grad: IndexedSlices, var: Any) -> Any:
        if isinstance(var, Symbolic):
            return var._apply_rows(self, grad)
        rows = np.asarray(grad.indices)
        part = ArrayParameter(var.value[rows])
        part.name = var.name
        key, part_key = self._parameters.key(var), -1  # no parameter that has been met has a negative key
        self._parameters._keys[id(part)] = part_key
        borrowed: list[tuple[Any, ArrayParameter]] = []
        try:
            for slots in self._slots.values():
                slot = slots.get(key) if key is not None else None
                if slot is None:
                    continue
                if slot.shape[:1] == var.shape[:1]:
                    rows_of_slot = ArrayParameter(slot.value[rows])
                    borrowed.append((slot, rows_of_slot))
                    slots[part_key] = rows_of_slot  # type: ignore[assignment]  # the part of Variable that rules use
                else:
                    slots[part_key] = slot
            self._apply_dense(np.asarray(grad.values), part)
            var.value[rows] = part.value
            for slot, rows_of_slot in borrowed:
                slot.value[rows] = rows_of_slot.value
        finally:
            del self._parameters._keys[id(part)]
            for slots in self._slots.values():
                slots.pop(part_key, None)
        return None

    # All or nothing ------------------------------------------------------------------------------

    def _apply_in_python(self, updates: list[Update], decays: list[float]) -> None:
        """Apply the updates one by one, in order; where one raises, put everything back."""
        undo: list[Callable[[], None]] = []
        try:
            for update in updates:
                self._back_up(update, undo)
                self._decay(update, decays)
                gradient: Any = update.values
                if update.indices is not None:
                    gradient = IndexedSlices(update.values, update.indices, update.target.shape)
                    self._apply_sparse_duplicate_indices(gradient, update.parameter)
                else:
                    self._apply_dense(gradient, update.parameter)
        except BaseException:
            for restore in reversed(undo):
                restore()
            raise

    def _back_up(self, update: Update, undo: list[Callable[[], None]]) -> None:
        key = self._parameters.key(update.parameter)
        variables: list[Variable] = [slots[key] for slots in self._slots.values() if key in slots]
        for array in [update.target, *(variable.value for variable in variables)]:
            undo.append(_restorer(array))

    def _decay(self, update: Update, decays: list[float]) -> None:
        """Decoupled weight decay, of the touched rows where the gradient is sparse."""
        target: Any = update.target
        rows: Any = ... if update.indices is None else np.unique(update.indices)
        for decay in decays:
            target[rows] -= target[rows] * target.dtype.type(decay)


def _restorer(array: Any) -> Callable[[], None]:
    saved = array.copy()

    def restore() -> None:
        array[...] = saved

    return restore
