"""Summing the duplicates of `IndexedSlices`, for everything outside the fused update."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..base.dtypes import Array, code_of, is_real
from ..base.errors import must
from ..ops.indexed_slices import IndexedSlices
from .updates import array_of

__all__ = ["as_values", "native_gradient", "sum_duplicates"]


def as_values(who: str, value: Any) -> Array:
    """Return a gradient's values as a C-contiguous float array; integers become float64."""
    array = array_of(value)
    if not is_real(array.dtype):
        raise TypeError(must(who, "gradient", "be real numbers", f"dtype {array.dtype}"))
    if code_of(array.dtype) is None:
        array = array.astype(np.float64)
    # Not ascontiguousarray, which makes a scalar one-dimensional.
    return array if array.flags.c_contiguous and array.flags.aligned else array.copy(order="C")


def _rows_of(slices: IndexedSlices, indices: Array) -> int:
    if slices.dense_shape is not None:
        return int(slices.dense_shape[0])
    return int(indices.max()) + 1 if indices.size else 0


def native_gradient(who: str, gradient: Any) -> tuple[int, Array, Array | None, int]:
    """Return ``(dtype code, values, indices or None, rows)``, as the core's norms take it."""
    if not isinstance(gradient, IndexedSlices):
        values = as_values(who, gradient)
        code = code_of(values.dtype)
        assert code is not None
        return code, values, None, 0
    values = as_values(who, gradient.values)
    indices = np.ascontiguousarray(array_of(gradient.indices))
    code = code_of(values.dtype)
    assert code is not None
    return code, values, indices, _rows_of(gradient, indices)


def sum_duplicates(who: str, slices: IndexedSlices) -> IndexedSlices:
    """Return slices of the same meaning with unique ascending indices; repeats are summed in batch order.

    Raises IndexError for a negative index, or one outside ``dense_shape``.
    """
    code, values, indices, rows = native_gradient(who, slices)
    assert indices is not None
    unique, summed = _core.sum_duplicates(who, code, values, indices, rows)
    return IndexedSlices(summed, unique.astype(indices.dtype, copy=False), slices.dense_shape)
