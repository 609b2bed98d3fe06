"""Updates of some rows of a variable by an optimizer's rule for dense gradients."""

from __future__ import annotations

from typing import Any

from ...ops.dispatch import unwrap
from ...ops.indexed_slices import IndexedSlices
from ...optim.duplicates import sum_duplicates
from ..graph.build import call
from ..graph.node import Node, Tensor
from ..graph.run_values import array_of
from ..ops.gather_ops import gather
from .scatter_ops import scatter_update

__all__ = ["RowsVariable", "apply_rows", "summed"]


def summed(slices: IndexedSlices) -> IndexedSlices:
    """Return slices of nodes with the values of equal indices summed."""

    def unique(values: Any, ids: Any) -> Any:
        sums = sum_duplicates("apply_gradients", IndexedSlices(unwrap(values), array_of(ids)))
        return sums.values, sums.indices

    values, indices = slices.values, slices.indices
    results = call(
        "UnsortedSegmentSum",
        unique,
        (values, indices),
        shape=[None if values._shape is None else (None, *values._shape[1:]), (None,)],
        dtype=[values.dtype.base_dtype, indices.dtype.base_dtype],
        outputs=2,
        same=False,
        differentiable=False,
    )
    return IndexedSlices(results[0], results[1], slices.dense_shape)


class RowsVariable(Node):
    """Some rows of a variable, or of a slot, as a variable: what an update rule for dense gradients is given."""

    __slots__ = ("_indices", "_variable")

    def __init__(self, variable: Node, indices: Tensor) -> None:
        self._variable = variable
        self._indices = indices

    @property
    def op(self) -> Any:  # type: ignore[override]  # the whole variable's, whose name names these rows too
        """The operation of the whole variable."""
        return self._variable.op

    @property
    def handle(self) -> Any:
        """These rows themselves, which is what operations on resources take here."""
        return self

    @property
    def dtype(self) -> Any:
        """The element type."""
        return self._variable._tensor().dtype

    def _tensor(self) -> Tensor:
        # A new node for each use, so that it reads after the control dependencies that are in force then.
        rows: Tensor = gather(self._variable, self._indices)
        return rows

    def _slot_key(self) -> Any:
        return (self.graph, f"rows of {self.op.name}")

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Return the tensor that overwrites the rows."""
        return scatter_update(self._variable, self._indices, value, use_locking, name)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Return the tensor that adds to the rows."""
        return self.assign(self._tensor() + delta, use_locking, name)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Return the tensor that subtracts from the rows."""
        return self.assign(self._tensor() - delta, use_locking, name)


def apply_rows(optimizer: Any, variable: Node, slices: IndexedSlices) -> Any:
    """Return what ``optimizer._apply_dense`` makes of some rows of a variable and of its slots."""
    row_variable: Any = RowsVariable(variable, slices.indices)
    rows_key, variable_key = row_variable._slot_key(), variable._slot_key()
    try:
        for slots in optimizer._slots.values():
            slot = slots.get(variable_key)
            if slot is not None:
                rows = slot.shape[:1] == variable.shape[:1]
                slots[rows_key] = RowsVariable(slot, slices.indices) if rows else slot
        return optimizer._apply_dense(slices.values, row_variable)
    finally:
        for slots in optimizer._slots.values():
            slots.pop(rows_key, None)
