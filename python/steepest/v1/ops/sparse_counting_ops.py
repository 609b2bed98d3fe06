"""How often numbers come, as sparse tensors: what does not come has no place in them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call, dtype_of
from ..graph.composites import is_sparse
from ..graph.run_values import array_of
from ..graph.shapes import Shape, bracketed
from .array_ops import reshape
from .sparse_ops import SparseTensor, convert_to_tensor

__all__ = ["dense_count_sparse_output", "sparse_bincount", "sparse_count_sparse_output"]


class CountSparseOutput(NamedTuple):
    """The parts of a sparse tensor of counts."""

    output_indices: Any
    output_values: Any
    output_dense_shape: Any


def dense_count_sparse_output(
    values: Any, weights: Any, binary_output: bool, minlength: int = -1, maxlength: int = -1, name: str | None = None
) -> CountSparseOutput:
    """Return the counts of the numbers of a vector, or of each row of a matrix; or the sums of their weights.

    Raises InvalidArgumentError for more axes, and for weights of another shape. Source: ``gen_count_ops``.
    """
    values, weights = convert_to_tensor(values), convert_to_tensor(weights)

    def counted(ids: Any, shares: Any) -> Any:
        ids, shares = array_of(ids), array_of(shares)
        if ids.ndim not in (1, 2):
            raise ValueError(f"Input must be a 1 or 2-dimensional tensor. Got: {bracketed(ids.shape)}")
        rows = np.repeat(np.arange(len(ids)), ids.shape[1]) if ids.ndim == 2 else None
        length = len(ids) if ids.ndim == 2 else None
        return _counts(rows, ids, shares, length, binary_output, minlength, maxlength)

    rank: Any = values._shape if hasattr(values, "_shape") else None
    return _made("DenseCountSparseOutput", counted, (values, weights), rank and len(rank), name)


def sparse_count_sparse_output(
    indices: Any,
    values: Any,
    dense_shape: Any,
    weights: Any,
    binary_output: bool,
    minlength: int = -1,
    maxlength: int = -1,
    name: str | None = None,
) -> CountSparseOutput:
    """Return the counts of the numbers of a sparse vector, or of each row of a sparse matrix, given by its parts.

    Raises ValueError for places that are known to be no matrix, in a run InvalidArgumentError for parts and weights
    that do not fit each other. Source: ``gen_count_ops``.
    """
    indices, dense_shape = (convert_to_tensor(part, "int64") for part in (indices, dense_shape))
    values, weights = convert_to_tensor(values), convert_to_tensor(weights)

    def counted(where: Any, ids: Any, sizes: Any, shares: Any) -> Any:
        where, ids, sizes, shares = (array_of(part) for part in (where, ids, sizes, shares))
        if where.ndim != 2:
            raise ValueError(f"Input indices must be a 2-dimensional tensor. Got: {bracketed(where.shape)}")
        if len(ids) != len(where):
            told = f"Got {len(ids)} values, indices shape: {bracketed(where.shape)}"
            raise ValueError(f"Number of values must match first dimension of indices. {told}")
        if np.any((where < 0) | (where >= sizes)):
            raise ValueError(f"Indices must be inside of the shape {bracketed(tuple(sizes.tolist()))}")
        rows = where[:, 0] if len(sizes) > 1 else None
        return _counts(rows, ids, shares, None if rows is None else int(sizes[0]), binary_output, minlength, maxlength)

    inputs = indices, values, dense_shape, weights
    known: Shape = dense_shape._shape if hasattr(dense_shape, "_shape") else None
    return _made("SparseCountSparseOutput", counted, inputs, known and known[0], name)


def _made(op_type: str, function: Any, inputs: tuple[Any, ...], rank: Any, name: str | None) -> CountSparseOutput:
    def shaped(*shapes: Shape) -> Any:
        if op_type.startswith("Sparse") and shapes[0] is not None and len(shapes[0]) != 2:
            raise ValueError(f"Shape must be rank 2 but is rank {len(shapes[0])}")
        return [(None, rank), (None,), (rank,)]

    dtypes = ["int64", dtype_of(inputs[-1]), "int64"]
    options: Any = {"outputs": 3, "same": False, "differentiable": False}
    return CountSparseOutput(*call(op_type, function, inputs, name=name, shape=shaped, dtype=dtypes, **options))


def _counts(
    rows: Any, ids: Any, shares: Any, length: int | None, binary: bool, least: int, most: int
) -> tuple[Any, Any, Any]:
    """Return places, counts and shape of the numbers in rows, or of all of them where there are none."""
    if shares.size and shares.shape != ids.shape:
        told = f"Weight shape: {bracketed(shares.shape)}; values shape: {bracketed(ids.shape)}"
        raise ValueError(f"Weights and values must have the same shape. {told}")
    ids, shares = ids.reshape(-1), shares.reshape(-1)
    if ids.size and ids.min() < 0:
        raise ValueError("Input values must all be non-negative")
    columns = most if most >= 0 else max(int(ids.max(initial=-1)) + 1, least)
    inside = ids < columns
    kept = ids[inside] if rows is None else np.stack([rows[inside], ids[inside]], axis=1)
    places, which = np.unique(kept, axis=0, return_inverse=True)
    counts = np.zeros(len(places), shares.dtype)
    np.add.at(counts, which.reshape(-1), shares[inside] if shares.size else 1)
    shape = [columns] if length is None else [length, columns]
    values = np.ones_like(counts) if binary else counts
    return places.reshape(len(places), len(shape)).astype(np.int64), values, np.array(shape, np.int64)


def sparse_bincount(
    values: Any,
    weights: Any = None,
    axis: int | None = 0,
    minlength: int | None = None,
    maxlength: int | None = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Return how often each number comes, or the sum of its weights; with an axis of -1, in each row.

    Raises ValueError for another axis than 0 and -1. Source: ``tf.sparse.bincount``.
    """
    if axis not in (None, 0, -1):
        raise ValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    limits = (-1 if minlength is None else int(minlength), -1 if maxlength is None else int(maxlength), name)
    ids = values.values if is_sparse(values) else convert_to_tensor(values)
    shares = weights.values if is_sparse(weights) else weights
    shares = np.zeros(0, dtype_of(ids).as_numpy_dtype) if shares is None else convert_to_tensor(shares)
    if axis == -1 and is_sparse(values):
        return SparseTensor(
            *sparse_count_sparse_output(values.indices, ids, values.dense_shape, shares, binary_output, *limits)
        )
    if axis != -1:
        ids, shares = reshape(ids, [-1]), reshape(shares, [-1])
    return SparseTensor(*dense_count_sparse_output(ids, shares, binary_output, *limits))
