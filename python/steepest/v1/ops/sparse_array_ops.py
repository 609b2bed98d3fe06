"""Sparse tensors made of sparse tensors: sorted, cut, filled."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import call, dtype_of, shape_of
from ..graph.run_values import array_of
from ..graph.shapes import as_shape, compatible, text
from ..graph.static_values import constant_value
from .gather_ops import gather, taken_dense
from .sparse_ops import SparseTensor, convert_to_tensor

__all__ = [
    "sparse_fill_empty_rows",
    "sparse_reorder",
    "sparse_reset_shape",
    "sparse_retain",
    "sparse_slice",
    "sparse_slice_grad",
    "sparse_transpose",
]


def checked_sparse(value: Any) -> SparseTensor:
    """Return a sparse tensor for one or its value; TypeError for anything else."""
    return SparseTensor.from_value(value)


def rank_of(sparse: SparseTensor) -> int | None:
    """Return the number of axes, None where only a session knows it."""
    sizes = shape_of(sparse.dense_shape)
    places = shape_of(sparse.indices)
    return (None if sizes is None else sizes[0]) or (None if places is None else places[1])


def produced(
    op_type: str,
    function: Callable[..., Any],
    inputs: list[Any],
    dtype: Any,
    ndim: int | None,
    name: str | None = None,
    differentiable: bool = True,
    count: int | None = None,
    sizes: Any = None,
    contextual: bool = False,
) -> SparseTensor:
    """Return the sparse tensor of the indices, values and shape that ``function(*inputs)`` will be.

    Args:
        count: the number of values, where it is known.
        sizes: the tensor of the shape, where it is that of an input; then the function gives indices and values.
        contextual: the session comes before the inputs.
    """
    parts = call(
        op_type,
        function,
        inputs,
        name=name,
        shape=[(count, ndim), (count,), (ndim,)][: 2 if sizes is not None else 3],
        dtype=["int64", dtype, "int64"][: 2 if sizes is not None else 3],
        outputs=2 if sizes is not None else 3,
        same=False,
        differentiable=differentiable,
        contextual=contextual,
    )
    return SparseTensor(*parts, *([] if sizes is None else [sizes]))


def count_of(sparse: SparseTensor) -> int | None:
    """Return the number of values, None where only a session knows it."""
    known = shape_of(sparse.values) or shape_of(sparse.indices)
    return None if known is None else known[0]


def parts_of(sparse: SparseTensor) -> list[Any]:
    """Return indices, values and shape, as the inputs of an operation."""
    return [sparse.indices, sparse.values, sparse.dense_shape]


def sizes_of(sparse: SparseTensor) -> tuple[int | None, ...] | None:
    """Return the static shape, with None for sizes that only a session knows; None where the rank is not known."""
    return as_shape(sparse.shape)


def check_alike(op_type: str, one: SparseTensor, two: SparseTensor) -> None:
    """Raise TypeError for sparse tensors of two types, ValueError for ones of shapes that are known to differ."""
    kinds = [each.dtype.base_dtype.name for each in (one, two)]
    if kinds[0] != kinds[1]:
        told = f"that does not match type {kinds[0]} of argument 'a_values'."
        raise TypeError(f"Input 'b_values' of {op_type!r} Op has type {kinds[1]} {told}")
    sizes, sizes_b = sizes_of(one), sizes_of(two)
    if not compatible(sizes, sizes_b):
        raise ValueError(f"Shapes {text(sizes)} and {text(sizes_b)} are incompatible")


def with_sizes(sparse: SparseTensor, sizes: Any) -> SparseTensor:
    """Return the same sparse tensor, of which so much of the shape is known before a session runs."""
    sparse._sizes = tuple(None if size is None else int(size) for size in sizes)
    return sparse


def target_of(sizes: Any) -> tuple[int, ...]:
    """Return a shape that a run tells. Raises ValueError for one that no array has."""
    target = tuple(array_of(sizes).tolist())
    if any(size < 0 for size in target):
        raise ValueError(f"Dimension {next(size for size in target if size < 0)} must be >= 0")
    if math.prod(target) >= 1 << 63:
        raise ValueError(f"Encountered overflow when multiplying the sizes of {list(target)}")
    return target


def flat_places(where: Any, sizes: Any) -> Any:
    """Return the numbers of the places, counted row by row."""
    where = array_of(where)
    return np.ravel_multi_index(tuple(where.T), tuple(array_of(sizes).tolist())) if len(where) else np.zeros(0, int)


def order_of(where: Any) -> Any:
    """Return how places come in order, row by row; ones outside of the shape too, and equal ones as they come."""
    where = array_of(where)
    return np.lexsort(where.T[::-1]) if where.size else np.arange(len(where))


def places_at(flat: Any, sizes: Any) -> Any:
    """Return the places of numbers that `flat_places` gave."""
    return np.stack(np.unravel_index(flat, tuple(sizes)), axis=1).astype(np.int64).reshape(-1, len(sizes))


def sparse_reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Return the same, its places in order: row by row."""
    sparse = checked_sparse(sp_input)

    def ordered(where: Any, values: Any, sizes: Any) -> Any:
        order = order_of(where)
        return array_of(where)[order], taken_dense(values, order, 0)

    known = {"count": count_of(sparse), "sizes": sparse.dense_shape}
    return produced("SparseReorder", ordered, parts_of(sparse), sparse.dtype, rank_of(sparse), name, **known)


def sparse_retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """Return those values for which ``to_retain`` is true."""
    sparse = checked_sparse(sp_input)
    wanted, count = shape_of(to_retain), count_of(sparse)
    if wanted is not None and len(wanted) == 1 and None not in (count, wanted[0]) and wanted[0] != count:
        raise ValueError(f"Dimensions {count} and {wanted[0]} are not compatible: to_retain has one element a value")

    def positions(keep: Any) -> Any:
        return np.flatnonzero(array_of(keep))

    chosen = call("Where", positions, (to_retain,), shape=(None,), dtype="int64", differentiable=False)
    return SparseTensor(gather(sparse.indices, chosen), gather(sparse.values, chosen), sparse.dense_shape)


def sparse_transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """Return the axes in another order, reversed by default."""
    sparse = checked_sparse(sp_input)
    ndim, order = rank_of(sparse), None if perm is None else shape_of(perm)
    if None not in (ndim, order) and order != (ndim,):
        raise ValueError(f"Dimensions {order[0] if order else order} and {ndim} are not compatible")

    def turned(where: Any, values: Any, sizes: Any, *order: Any) -> Any:
        sizes = array_of(sizes)
        axes = array_of(order[0]).tolist() if order else list(range(len(sizes)))[::-1]
        where, sizes = array_of(where)[:, axes], sizes[axes]
        row_by_row = np.argsort(flat_places(where, sizes), kind="stable")
        return where[row_by_row], taken_dense(values, row_by_row, 0), sizes

    inputs = [*parts_of(sparse), *([] if perm is None else [perm])]
    made = produced("SparseTranspose", turned, inputs, sparse.dtype, rank_of(sparse), name, count=count_of(sparse))
    sizes, axes = sizes_of(sparse), None if perm is None else constant_value(perm)
    if sizes is None or None in sizes or (perm is not None and axes is None):
        return made
    return with_sizes(made, [sizes[k] for k in (range(len(sizes))[::-1] if axes is None else axes)])


def sparse_slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """Return the part that begins at ``start`` and has at most ``size``."""
    sparse = checked_sparse(sp_input)

    def cut(where: Any, values: Any, sizes: Any, low: Any, length: Any) -> Any:
        for which, given in (("start", low), ("size", length)):
            if given.shape != sizes.shape:
                told = f"a vector of length {len(sizes)} but got length {given.size}"
                raise ValueError(f"Expected {which} to be {told}")
        if np.any(array_of(length) < 0):
            raise ValueError(f"Expected size to have no negative values, got {array_of(length).tolist()}")
        where, low = array_of(where), array_of(low).astype(np.int64)
        high = np.minimum(low + array_of(length), array_of(sizes))
        inside = np.flatnonzero(np.all((where >= low) & (where < high), axis=1))
        return where[inside] - low, taken_dense(values, inside, 0), np.maximum(high - low, 0)

    return produced("SparseSlice", cut, [*parts_of(sparse), start, size], sparse.dtype, rank_of(sparse), name)


def sparse_slice_grad(
    backprop_val_grad: Any, input_indices: Any, input_start: Any, output_indices: Any, name: str | None = None
) -> Any:
    """Return the gradient of the values that `sparse_slice` was given, from that of the values of the part.

    Raises ValueError, in a run InvalidArgumentError, for arguments whose sizes do not fit each other.
    """
    grads = convert_to_tensor(backprop_val_grad)
    parts = [convert_to_tensor(part, "int64") for part in (input_indices, input_start, output_indices)]

    def spread(grads: Any, where: Any, start: Any, within: Any) -> Any:
        where, start, within = (array_of(part) for part in (where, start, within))
        if where.ndim != 2 or within.ndim != 2 or where.shape[1] != within.shape[1]:
            told = f"got {list(where.shape)} and {list(within.shape)}"
            raise ValueError(f"The input and output should have the same ndims and indices be matrices: {told}")
        if len(grads) != len(within):
            raise ValueError(f"# elements and rows of output_indices should match, got {len(grads)} and {len(within)}")
        places = {place: k for k, place in enumerate(map(tuple, where.tolist()))}
        out = np.zeros(len(where), grads.dtype)
        out[[places[place] for place in map(tuple, (within + start).tolist())]] = array_of(grads)
        return out

    def shaped(_: Any, where: Any, *__: Any) -> Any:
        return (None if where is None else where[0],)

    options: Any = {"dtype": dtype_of(grads), "same": False, "differentiable": False}
    return call("SparseSliceGrad", spread, [grads, *parts], name=name, shape=shaped, **options)


def sparse_fill_empty_rows(sp_input: Any, default_value: Any, name: str | None = None) -> tuple[SparseTensor, Any]:
    """Return the same with ``default_value`` in the first column of empty rows, and which rows were empty."""
    sparse = checked_sparse(sp_input)
    fill = convert_to_tensor(default_value, sparse.dtype)

    def filled(where: Any, values: Any, sizes: Any, fill: Any) -> Any:
        where, sizes = array_of(where), array_of(sizes)
        outside = np.flatnonzero((where[:, 0] < 0) | (where[:, 0] >= sizes[0]))
        if outside.size:
            row = int(where[outside[0], 0])
            raise ValueError(f"indices({outside[0]}, 0) is invalid: {row} is not in [0, {int(sizes[0])})")
        added = np.flatnonzero(np.bincount(where[:, 0], minlength=int(sizes[0])) == 0)
        new = np.zeros((len(added), where.shape[1]), np.int64)
        new[:, 0] = added
        places = np.concatenate([where, new])
        order = np.argsort(places[:, 0], kind="stable")  # inside a row the order stays
        return places[order], np.concatenate([values, np.broadcast_to(fill, (len(added),))])[order]

    def empty(where: Any, sizes: Any) -> Any:
        return np.bincount(array_of(where)[:, 0], minlength=int(array_of(sizes)[0])) == 0

    known = sparse.dense_shape
    result = produced(
        "SparseFillEmptyRows", filled, [*parts_of(sparse), fill], sparse.dtype, rank_of(sparse), name, sizes=known
    )
    inputs = (sparse.indices, sparse.dense_shape)
    known_sizes = sizes_of(sparse)
    shape = (known_sizes[0] if known_sizes else None,)
    rows = call("EmptyRows", empty, inputs, shape=shape, dtype="bool", same=False, differentiable=False)
    return result, rows


def sparse_reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """Return the same in a larger shape, by default the smallest that has all values.

    Raises ValueError for a shape that is known to be smaller than the values' own, or to have another rank.
    """
    sparse = checked_sparse(sp_input)
    target = None if new_shape is None else constant_value(new_shape)
    own = constant_value(sparse.dense_shape)
    if target is not None:
        ndim = rank_of(sparse)
        if ndim is not None and len(target) != ndim:
            raise ValueError(f"Shapes must be equal, but are ({ndim},) and ({len(target)},)")
        if own is not None and np.any(np.less(target, own)):
            raise ValueError(f"New shape should have dimension sizes >= sp_input.shape, got {list(target)}")

    def reset(where: Any, values: Any, sizes: Any, *wanted: Any) -> Any:
        where, sizes = array_of(where), array_of(sizes)
        if not wanted:
            return where, np.copy(values), where.max(axis=0, initial=-1) + 1
        larger = array_of(wanted[0]).astype(np.int64)
        if larger.shape != sizes.shape:
            raise ValueError(f"Condition x == y did not hold element-wise: x = {sizes.size}, y = {larger.size}")
        if np.any(larger < sizes):
            raise ValueError(f"Condition x <= y did not hold element-wise: x = {sizes.tolist()}, y = {larger.tolist()}")
        return where, np.copy(values), larger

    inputs = [*parts_of(sparse), *([] if new_shape is None else [new_shape])]
    result = produced("SparseResetShape", reset, inputs, sparse.dtype, rank_of(sparse), count=count_of(sparse))
    return result if target is None else SparseTensor(result.indices, result.values, np.array(target, np.int64))
