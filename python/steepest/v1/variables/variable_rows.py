"""The methods of variables, of both modes, that read or change some rows or elements."""

from __future__ import annotations

from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ..ops.gather_ops import gather
from ..ops.position_ops import gather_nd
from . import scatter_ops
from .handles import handle_of

__all__ = ["RowMethods"]


def _parts(sparse_delta: Any) -> tuple[Any, Any]:
    if not isinstance(sparse_delta, IndexedSlices):
        raise TypeError(f"sparse_delta is not IndexedSlices: {sparse_delta}")
    return sparse_delta.indices, sparse_delta.values


class RowMethods:
    """Changes return the tensor that makes them and then is the value; in eager mode the variable."""

    __slots__ = ()

    @property
    def handle(self) -> Any:
        """The tensor of the type ``resource`` that operations on resources take for the variable."""
        return handle_of(self)

    _handle = handle

    def scatter_add(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Add `IndexedSlices` to the variable's rows."""
        return scatter_ops.scatter_add(self, *_parts(sparse_delta), use_locking, name)

    def scatter_sub(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Subtract `IndexedSlices` from the variable's rows."""
        return scatter_ops.scatter_sub(self, *_parts(sparse_delta), use_locking, name)

    def scatter_update(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Overwrite the variable's rows by those of `IndexedSlices`."""
        return scatter_ops.scatter_update(self, *_parts(sparse_delta), use_locking, name)

    def scatter_max(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Take the larger elements of the variable's rows and those of `IndexedSlices`."""
        return scatter_ops.scatter_max(self, *_parts(sparse_delta), use_locking, name)

    def scatter_min(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Take the smaller elements of the variable's rows and those of `IndexedSlices`."""
        return scatter_ops.scatter_min(self, *_parts(sparse_delta), use_locking, name)

    def scatter_mul(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Multiply the variable's rows by `IndexedSlices`."""
        return scatter_ops.scatter_mul(self, *_parts(sparse_delta), use_locking, name)

    def scatter_div(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Divide the variable's rows by `IndexedSlices`; integers without their fraction."""
        return scatter_ops.scatter_div(self, *_parts(sparse_delta), use_locking, name)

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Overwrite rows in each of several batches, as `tf.batch_scatter_update` does."""
        return scatter_ops.batch_scatter_update(self, *_parts(sparse_delta), use_locking, name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Add to the elements, or parts, at positions."""
        return scatter_ops.scatter_nd_add(self, indices, updates, False, name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtract from the elements, or parts, at positions."""
        return scatter_ops.scatter_nd_sub(self, indices, updates, False, name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Overwrite the elements, or parts, at positions."""
        return scatter_ops.scatter_nd_update(self, indices, updates, False, name)

    def scatter_nd_max(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Take the larger of the elements at positions and the updates."""
        return scatter_ops.scatter_nd_max(self, indices, updates, False, name)

    def scatter_nd_min(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Take the smaller of the elements at positions and the updates."""
        return scatter_ops.scatter_nd_min(self, indices, updates, False, name)

    def sparse_read(self, indices: Any, name: str | None = None) -> Any:
        """Return rows of the variable, as `tf.gather` does."""
        return gather(self, indices, name=name)

    def gather_nd(self, indices: Any, name: str | None = None) -> Any:
        """Return the elements, or parts, at positions, as `tf.gather_nd` does."""
        return gather_nd(self, indices, name=name)
