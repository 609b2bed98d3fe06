"""Sparse tensors of what is set in dense ones, and how far the rows of sparse ones reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.build import call
from ...graph.dtypes import as_dtype
from ...graph.run_values import array_of
from ...graph.scopes import name_scope
from ...ops.array_ops import reshape, shape
from ...ops.cast_ops import cast
from ...ops.concat_ops import concat
from ...ops.creation_ops import ones_like, zeros_like
from ...ops.gather_ops import where
from ...ops.math_ops import equal, not_equal
from ...ops.position_ops import gather_nd
from ...ops.reduce_ops import cumsum, reduce_max
from ...ops.sparse_ops import SparseTensor, convert_to_tensor

__all__ = ["dense_to_sparse_tensor", "indicators_to_sparse_ids", "sparse_row_envelope"]


def _ignored(dense: Any, ignore_value: Any) -> Any:
    """Return the value of what is not set, by default the zero of the type, or the empty text."""
    dtype = dense.dtype.base_dtype
    if ignore_value is None:
        ignore_value = "" if dtype.name == "string" else dtype.as_numpy_dtype()
    return cast(convert_to_tensor(ignore_value), dtype, name="ignore_value")


def dense_to_sparse_tensor(dense_tensor: Any, ignore_value: Any = None) -> SparseTensor:
    """Return a sparse tensor of the elements that are not ``ignore_value``: by default 0, False or the empty text."""
    with name_scope("DenseToSparseTensor"):
        dense = convert_to_tensor(dense_tensor)
        indices = where(not_equal(dense, _ignored(dense, ignore_value)), name="indices")
        values = gather_nd(dense, indices, name="values")
        return SparseTensor(indices, values, shape(dense, out_type="int64", name="dense_shape"))


def indicators_to_sparse_ids(indicators: Any, ignore_value: Any = None, dtype: Any = "int64") -> SparseTensor:
    """Return a sparse tensor of the places along the last axis at which there is something, one behind another.

    Raises ValueError for a type that is no integer.
    """
    if not as_dtype(dtype).is_integer:
        raise ValueError(f"Invalid dtype {as_dtype(dtype)} not integer.")
    with name_scope(None, "indicators_to_sparse_ids"):
        dense = convert_to_tensor(indicators, name="indicators")
        missing = equal(dense, _ignored(dense, ignore_value), name="missing")
        zeros = zeros_like(dense, dtype="int64", name="zeros")
        binary = where(missing, zeros, ones_like(dense, dtype="int64", name="ones"), name="binary_indicators")
        numbers = where(missing, zeros, cumsum(binary, axis=-1), name="row_index_indicators")
        width = reshape(reduce_max(numbers), [1], name="result_last_dim")
        found = dense_to_sparse_tensor(numbers, ignore_value=0)
        indices = concat([found.indices[:, :-1], reshape(found.values - 1, [-1, 1])], axis=1, name="indices")
        values = cast(found.indices[:, -1], as_dtype(dtype), name="values")
        return SparseTensor(indices, values, concat([found.dense_shape[:-1], width], axis=0, name="dense_shape"))


def sparse_row_envelope(sparse_input: Any, row_axis: int = 0, col_axis: int = 1, name: str | None = None) -> Any:
    """Return for each row the number of columns up to its last element, 0 for an empty row.

    Raises ValueError for axes that are no integers, or the same one.
    """
    if not (isinstance(row_axis, int) and isinstance(col_axis, int)):
        raise ValueError("`row_axis` and `col_axis` must be integers.")
    if row_axis == col_axis:
        raise ValueError("Row and column can not be the same axis.")

    def ends(indices: Any, sizes: Any) -> Any:
        indices = array_of(indices)
        reach = np.zeros(array_of(sizes)[row_axis], np.int64)
        np.maximum.at(reach, indices[:, row_axis], indices[:, col_axis] + 1)
        return reach

    with name_scope(name, "sparse_row_envelope"):
        parts = sparse_input.indices, sparse_input.dense_shape
        return call("RowEnvelope", ends, parts, shape=(None,), dtype="int64", same=False, differentiable=False)
