"""Sparse tensors made of dense ones and of ids, and what their ids say."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.indexed_slices import IndexedSlices
from ..graph.build import call, dtype_of, shape_of
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from ..graph.static_values import constant_value
from .gather_ops import taken_dense
from .sparse_array_ops import checked_sparse, count_of, order_of, produced, rank_of, sizes_of, with_sizes
from .sparse_ops import SparseTensor

__all__ = ["sparse_mask", "sparse_merge", "sparse_to_indicator"]


def sparse_merge(
    sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None, already_sorted: bool = False
) -> SparseTensor:
    """Return the tensor with ``sp_values`` at the columns that ``sp_ids`` say: ``out[i, ids[i, j]] = values[i, j]``.

    With a list of ``sp_ids``, each with its ``vocab_size``, there is an axis for each of them.

    Raises TypeError for what is no sparse tensor, and for sizes that are no list beside a list;
    ValueError for another number of sizes than of ids.
    """
    several = isinstance(sp_ids, (list, tuple)) and not hasattr(sp_ids, "dense_shape")
    if isinstance(vocab_size, (list, tuple)) != several:
        rule = "a list beside a list of sp_ids" if several else "a Tensor or Python int"
        raise TypeError(f"vocab_size has to be {rule}. Found {type(vocab_size)}")
    all_ids = [checked_sparse(item) for item in (sp_ids if several else [sp_ids])]
    sizes_of_ids = list(vocab_size) if several else [vocab_size]
    if len(all_ids) != len(sizes_of_ids):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    ids, values, count = all_ids[0], checked_sparse(sp_values), len(all_ids)

    def merged(where: Any, numbers: Any, sizes: Any, *rest: Any) -> Any:
        columns = np.stack([array_of(part).astype(np.int64) for part in rest[:count]], axis=1)
        if len(columns) != len(numbers):
            told = f"(indices = {len(columns)}, values = {len(numbers)})"
            raise ValueError(f"indices and values rows (indexing dimension) must match. {told}")
        places = np.concatenate([array_of(where)[:, :-1], columns], axis=1)
        total = np.concatenate([array_of(sizes)[:-1], [int(array_of(size)) for size in rest[count:]]])
        order = np.arange(len(places)) if already_sorted else order_of(places)
        return places[order], taken_dense(numbers, order, 0), total

    inputs = [ids.indices, values.values, ids.dense_shape, *(item.values for item in all_ids), *sizes_of_ids]
    ndim, known = rank_of(ids), sizes_of(ids)
    after = None if ndim is None else ndim - 1 + count
    made = produced("SparseMerge", merged, inputs, values.dtype, after, name, count=count_of(values))
    return made if known is None else with_sizes(made, [*known[:-1], *map(constant_value, sizes_of_ids)])


def sparse_to_indicator(sp_input: Any, vocab_size: int, name: str | None = None) -> Any:
    """Return a truth value for each row and id: whether the row of ``sp_input`` has that id."""
    sparse = checked_sparse(sp_input)

    def told(where: Any, ids: Any, sizes: Any) -> Any:
        where = array_of(where)
        seen = np.zeros((*array_of(sizes)[:-1].tolist(), int(vocab_size)), bool)
        places = np.column_stack([where[:, :-1], array_of(ids)])
        if ((places < 0) | (places >= seen.shape)).any():
            raise ValueError(f"Indices are not valid (out of bounds).  Shape: {bracketed(seen.shape)}")
        seen[tuple(places.T)] = True
        return seen

    sizes = sizes_of(sparse)
    shape = None if sizes is None else (*sizes[:-1], int(vocab_size))
    return call(
        "SparseToIndicator",
        told,
        sparse._sparse_parts,
        name=name,
        shape=shape,
        dtype="bool",
        same=False,
        differentiable=False,
    )


def sparse_mask(a: IndexedSlices, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """Return the slices without those rows whose index is in ``mask_indices``."""

    def kept(values: Any, ids: Any, masked: Any) -> Any:
        chosen = np.flatnonzero(~np.isin(array_of(ids), array_of(masked)))
        return values[chosen], array_of(ids)[chosen]

    known = shape_of(a.values)
    values, ids = call(
        "SparseMask",
        kept,
        [a.values, a.indices, mask_indices],
        name=name,
        shape=[None if known is None else (None, *known[1:]), (None,)],
        dtype=[dtype_of(a.values), dtype_of(a.indices)],
        outputs=2,
        same=False,
    )
    return IndexedSlices(values, ids, a.dense_shape)


def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """Return the sparse tensor of the elements that are not zero."""
    known = shape_of(tensor)

    def parts(x: Any) -> Any:
        where = np.argwhere(array_of(x))
        return where.astype(np.int64), x[tuple(where.T)], np.array(x.shape, np.int64)

    return produced("FromDense", parts, [tensor], dtype_of(tensor), None if known is None else len(known), name)


def sparse_expand_dims(sp_input: Any, axis: Any = None, name: str | None = None) -> SparseTensor:
    """Return the sparse tensor with a new axis of size 1 before ``axis``, by default the last."""
    sparse = checked_sparse(sp_input)
    known = rank_of(sparse)
    at = np.int64(-1) if axis is None else axis
    told = constant_value(at)
    if known is not None and told is not None and not -known - 1 <= told <= known:
        raise ValueError(f"axis must be in [-rank(input) - 1, rank(input)], got {told} for rank {known}")

    def widened(where: Any, values: Any, sizes: Any, before: Any) -> Any:
        place = int(array_of(before)) % (len(sizes) + 1)
        return np.insert(array_of(where), place, 0, axis=1), np.copy(values), np.insert(array_of(sizes), place, 1)

    ndim = None if known is None else known + 1
    inputs = [*sparse._sparse_parts, at]
    return produced("SparseExpandDims", widened, inputs, sparse.dtype, ndim, name, count=count_of(sparse))


def sparse_eye(num_rows: Any, num_columns: Any = None, dtype: Any = "float32", name: str | None = None) -> SparseTensor:
    """Return the sparse matrix with ones on its diagonal."""
    rows = int(constant_value(num_rows))
    columns = rows if num_columns is None else int(constant_value(num_columns))
    least = np.arange(min(rows, columns), dtype=np.int64)
    ones = np.ones(len(least), np.dtype(dtype_of(np.ones((), getattr(dtype, "as_numpy_dtype", dtype))).as_numpy_dtype))
    return SparseTensor(np.stack([least, least], axis=1), ones, [rows, columns])
