"""What a tensor holds and how often: different values, counts, confusion matrices. No gradient flows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.arguments import as_count, as_integers, call_with
from ..graph.build import call, convert, shape_of
from ..graph.composites import is_sparse
from ..graph.dtypes import as_dtype, dtype_or
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.results import ListDiff, Unique, UniqueWithCounts
from ..graph.run_values import array_of
from ..graph.shapes import TensorShape
from ..graph.static_values import constant_value
from .cast_ops import cast

__all__ = ["bincount", "confusion_matrix", "setdiff1d", "unique", "unique_with_counts"]


def setdiff1d(x: Any, y: Any, index_dtype: Any = "int32", name: str | None = None) -> Any:
    """Return the values of x that are not in y, in order, and their positions."""
    index_dtype = dtype_or(index_dtype, "int32")

    def compute(a: Any, b: Any) -> Any:
        a, b = array_of(a), array_of(b)
        at = np.flatnonzero(~np.isin(a, b))
        return a[at], at.astype(index_dtype.dtype)

    if executing_eagerly():
        return ListDiff(*call("ListDiff", compute, (x, y)))
    a = convert(x)
    parts = call(
        "ListDiff",
        compute,
        (a, y),
        name=name,
        shape=_of_vectors,
        dtype=[a.dtype.base_dtype, index_dtype],
        outputs=2,
        differentiable=False,
    )
    return ListDiff(*parts)


def _of_vectors(*shapes: Any) -> Any:
    for known in shapes:
        if known is not None and len(known) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(known)}")
    return [(None,), (None,)]


def _largest(*values: Any) -> int | None:
    """Return the largest of integers that are known before a session runs, -1 of none; None where some are not."""
    arrays = [constant_value(value) if isinstance(value, Node) else np.asarray(value) for value in values]
    known = [array for array in arrays if array is not None and array.dtype.kind != "O"]
    return max(int(array.max(initial=-1)) for array in known) if len(known) == len(values) else None


def counts_of_rows(ids: Any, size: int, weights: Any, dtype: Any, binary: bool = False) -> Any:
    """Return how often each of 0 to ``size - 1`` is in each row, or the sums of weights; with ``binary``, 1 or 0.

    Larger numbers are left out. Raises ValueError for negative numbers.
    """
    if ids.size and ids.min() < 0:
        raise ValueError("Input arr must be non-negative! Input must be non-negative.")
    rows = ids.reshape(math.prod(ids.shape[:-1]), ids.shape[-1])
    inside = rows < size
    places = (np.arange(len(rows))[:, None] * size + rows)[inside].astype(np.int64)
    share = None if weights is None or binary else weights.reshape(rows.shape)[inside]
    counts = np.bincount(places, share, len(rows) * size).reshape(*ids.shape[:-1], size)
    return (counts > 0 if binary else counts).astype(dtype)


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = "int32",
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Any:
    """Return how often each of 0, 1, ... comes, or the sum of its weights; with an axis of -1, in each row.

    ``binary_output`` tells whether it comes. Raises ValueError for another axis than 0 and -1, and for
    ``binary_output`` with weights. Source: ``tf.math.bincount``.
    """
    if weights is not None and binary_output:
        both = "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only one."
        raise ValueError(both)
    if axis not in (None, 0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    lead: Any = None
    if is_sparse(arr):  # what it leaves out is not counted
        if weights is not None and not is_sparse(weights):
            told = "must be a SparseTensor if `values` is a SparseTensor"
            raise ValueError(f"Argument `weights` {told}. Received weights={weights} of type: {type(weights).__name__}")
        weights = weights.values if weights is not None else None
        if axis == -1 and (rank := shape_of(arr.dense_shape)) is not None and rank[0] != 1:
            if rank[0] is not None and rank[0] > 2:
                raise ValueError("Input must be less than rank 2")
            lead = (arr.indices, arr.dense_shape)
        arr, axis = arr.values, 0
    dtype, arr = as_dtype(dtype), as_integers(arr)
    if getattr(arr, "dtype", None) is not None and as_dtype(arr.dtype).is_floating:
        arr = cast(arr, "int32")

    def counted(least: Any, most: Any, values: Any, *weight_values: Any) -> Any:
        rows = None
        if lead is not None:
            where, sizes, *rest = (array_of(each) for each in weight_values)
            rows, weight_values = (where[:, 0], int(sizes[0])), tuple(rest)
        ids = array_of(values) if axis == -1 else array_of(values).ravel()
        if ids.dtype.kind == "f" and not ids.size:  # an empty list has no integers
            ids = ids.astype(np.int64)
        if least is not None and least < 0:
            raise ValueError(f"size ({least}) must be non-negative")
        share = array_of(weight_values[0]).ravel() if weight_values else None
        if share is not None and share.size != ids.size:
            raise ValueError("`weights` must be the same shape as `arr`")
        size = max(int(ids.max(initial=-1)) + 1, least or 0)
        size = size if most is None else min(size, most)
        if rows is not None:
            inside, total = ids < size, rows[1] * size
            ids, share = (rows[0] * size + ids)[inside], None if share is None else share[inside]
            kind = dtype.dtype if share is None else share.dtype
            return counts_of_rows(ids, total, share, kind, binary_output).reshape(rows[1], size)
        return counts_of_rows(ids, size, share, dtype.dtype if share is None else share.dtype, binary_output)

    def shape_fn(least: Any, most: Any, known: Any, *_: Any) -> Any:
        largest = _largest(arr)
        if lead is not None:
            return (None, None)
        rows = () if axis != -1 else known[:-1] if known is not None else None
        if rows is None:
            return None
        if largest is None or isinstance(least, Tensor) or isinstance(most, Tensor):
            return (*rows, None)
        size = max(largest + 1, least or 0)
        return (*rows, size if most is None else min(size, most))

    inputs = (arr, *(lead or ()), *(() if weights is None else (weights,)))
    out = dtype if weights is None or executing_eagerly() else convert(weights).dtype
    return call_with(
        "Bincount",
        [(minlength, as_count), (maxlength, as_count)],
        counted,
        inputs,
        shape=shape_fn,
        name=name,
        dtype=out,
        same=False,
        differentiable=False,
    )


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    dtype: Any = "int32",
    name: str | None = None,
    weights: Any = None,
) -> Any:
    """Return how often each label (row) was given each prediction (column)."""
    dtype = as_dtype(dtype)
    if weights is not None:
        TensorShape(shape_of(predictions)).assert_is_compatible_with(TensorShape(shape_of(weights)))

    def counted(classes: Any, z: Any, p: Any, *weight_values: Any) -> Any:
        z, p = (array_of(ids).astype(np.int64, copy=False) for ids in (z, p))
        if z.size != p.size:
            raise ValueError(f"Shapes {z.shape} and {p.shape} of labels and predictions are not compatible")
        z, p = z.ravel(), p.ravel()
        size = int(max(z.max(initial=-1), p.max(initial=-1))) + 1 if classes is None else classes
        for which, ids in (("labels", z), ("predictions", p)):
            if ids.min(initial=0) < 0:
                raise ValueError(f"`{which}` contains negative values: {ids.min()}")
            if ids.max(initial=-1) >= size:
                fault = f"`{which}` out of bound: Condition x < y did not hold element-wise: {ids.max()} and {size}"
                raise ValueError(fault)
        out = np.zeros((size, size), dtype.dtype)
        np.add.at(out, (z, p), array_of(weight_values[0]).ravel().astype(dtype.dtype) if weight_values else 1)
        return out

    def shape_fn(classes: Any, first: Any = None, second: Any = None, *_: Any) -> Any:
        known = [shape for shape in (first, second) if shape is not None and None not in shape]
        if len({math.prod(shape) for shape in known}) > 1:
            raise ValueError(f"Dimension 0 in both shapes must be equal, but are {first} and {second}")
        largest = _largest(labels, predictions) if classes is None else None
        size = None if isinstance(classes, Tensor) else classes if largest is None else largest + 1
        return (size, size)

    return call_with(
        "ConfusionMatrix",
        [(num_classes, as_count)],
        counted,
        (labels, predictions) if weights is None else (labels, predictions, weights),
        shape=shape_fn,
        name=name,
        dtype=dtype,
        same=False,
        differentiable=False,
    )


def _unique(x: Any, axis: int) -> tuple[Any, Any, Any]:
    array = array_of(x)
    values, first, inverse, counts = np.unique(
        array, True, True, True, axis=None if array.ndim == 1 else axis, equal_nan=False
    )
    order = np.argsort(first, kind="stable")  # TensorFlow keeps the order of first appearance
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return np.take(values, order, axis), place[inverse.ravel()], counts[order]


def unique(x: Any, out_idx: Any = "int32", name: str | None = None) -> Any:
    """Return the different values in order of their first appearance, and for each element which of them it is."""
    return Unique(*_different("Unique", 2, x, None, out_idx, name))


def unique_with_counts(x: Any, out_idx: Any = "int32", name: str | None = None) -> Any:
    """Return what `unique` returns, and how often each value comes."""
    return UniqueWithCounts(*_different("UniqueWithCounts", 3, x, None, out_idx, name))


def unique_v2(x: Any, axis: Any, out_idx: Any = "int32", name: str | None = None) -> Any:
    """Return what `unique` returns, of the parts that stand along an axis; without an axis, of a vector's elements."""
    return Unique(*_different("UniqueV2", 2, x, axis, out_idx, name))


def unique_with_counts_v2(x: Any, axis: Any, out_idx: Any = "int32", name: str | None = None) -> Any:
    """Return what `unique_v2` returns, and how often each part comes."""
    return UniqueWithCounts(*_different("UniqueWithCountsV2", 3, x, axis, out_idx, name))


def _one_axis(axis: Any, rank: int) -> int:
    """Return the axis, from 0, that a vector of at most one names. Raises ValueError for others."""
    given = [] if axis is None else constant_value(axis)
    if np.ndim(given) != 1:
        raise ValueError("axis expects a 1D vector.")
    named = np.ravel(given)
    if named.size > 1:
        raise ValueError("axis does not support input tensors larger than 1 elements")
    if named.size and not -rank <= named[0] < rank:
        raise ValueError(f"axis expects to be in the range [{-rank}, {rank})")
    if not named.size and rank != 1:
        raise ValueError(f"Shape must be rank 1 but is rank {rank}" if axis is None else "x expects a 1D vector.")
    return int(named[0]) % rank if named.size else 0


def _different(op_type: str, count: int, x: Any, axis: Any, out_idx: Any, name: str | None) -> Any:
    index_dtype = dtype_or(out_idx, "int32")
    unknown = isinstance(axis, Node) and constant_value(axis) is None

    def compute(values: Any, *given: Any) -> Any:
        along = array_of(given[0]) if given else axis
        if along is None and np.ndim(values) != 1:
            raise ValueError("unique expects a 1D vector.")
        different, positions, counts = _unique(values, _one_axis(along, np.ndim(values)))
        return (different, positions.astype(index_dtype.dtype), counts.astype(index_dtype.dtype))[:count]

    def shape_fn(known: Any, *_: Any) -> Any:
        if unknown:
            return [None if known is None else (None,) * len(known), (None,), (None,)][:count]
        if known is None:
            return [None, (None,), (None,)][:count] if axis is not None else [(None,), None, (None,)][:count]
        along = _one_axis(axis, len(known))
        return [(None,) * len(known), (known[along],), (None,)][:count]

    if executing_eagerly():
        return call(op_type, compute, (x,))
    tensor = convert(x)
    return call(
        op_type,
        compute,
        (tensor, axis) if unknown else (tensor,),
        name=name,
        shape=shape_fn,
        dtype=[tensor.dtype.base_dtype, index_dtype, index_dtype][:count],
        outputs=count,
        same=False,
        differentiable=False,
    )
