"""Summing the duplicates of `IndexedSlices`, for everything outside the fused update."""

from __future__ import annotations

from typing import Any

from .. import _core
from ..base.arrays import with_packed_rows
from ..base.dtypes import Array, code_of
from ..ops.indexed_slices import IndexedSlices
from .gradient_values import as_values, values_of
from .updates import array_of

__all__ = ["native_gradient", "sum_duplicates", "without_duplicates"]


def _rows_of(slices: IndexedSlices, indices: Array) -> int:
    if slices.dense_shape is not None:
        return int(slices.dense_shape[0])
    return int(indices.max()) + 1 if indices.size else 0


def native_gradient(who: str, gradient: Any) -> tuple[int, Array, Array | None, int]:
    """Return ``(dtype code, values, indices or None, rows)``, as the core's norms take it."""
    values = as_values(who, values_of(gradient))
    code = code_of(values.dtype)
    assert code is not None  # as_values returns parameter types only
    if not isinstance(gradient, IndexedSlices):
        return code, values, None, 0
    indices = with_packed_rows(array_of(gradient.indices))
    return code, values, indices, _rows_of(gradient, indices)


def sum_duplicates(who: str, slices: IndexedSlices) -> IndexedSlices:
    """Return slices of the same meaning with unique ascending indices; repeats are summed in batch order.

    Raises:
        IndexError: for a negative index, or one outside ``dense_shape``.
    """
    code, values, indices, rows = native_gradient(who, slices)
    assert indices is not None
    unique, summed = _core.sum_duplicates(who, code, values, indices, rows)
    return IndexedSlices(summed, unique.astype(indices.dtype, copy=False), slices.dense_shape)


def without_duplicates(who: str, gradient: Any) -> Any:
    """Return slices with their duplicates summed, and any other gradient as it is."""
    return sum_duplicates(who, gradient) if isinstance(gradient, IndexedSlices) else gradient
