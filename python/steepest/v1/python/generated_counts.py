"""How often numbers come: the forms of TensorFlow's generated modules, of arrays, rows, sparse and ragged tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.arguments import as_count, call_with
from ..graph.build import dtype_of
from ..graph.node import Node, Tensor
from ..graph.run_values import array_of
from ..ops.counting_ops import counts_of_rows
from ..ops.sparse_dense_ops import check_indices
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["bincount", "dense_bincount", "ragged_bincount", "sparse_bincount"]


def _counts(
    op_type: str,
    function: Callable[..., Any],
    inputs: tuple[Any, ...],
    size: Any,
    weights: Any,
    rows: Callable[..., Any],
    name: str | None,
) -> Any:
    """Return counts below ``size``; the last of the values is weights, or an empty tensor, of the result's type.

    ``rows`` tells the sizes before it, by the static shapes of the inputs.
    """
    shares = convert_to_tensor(weights)
    if not isinstance(size, Node) and np.ndim(size):
        raise ValueError(f"Shape must be rank 0 but is rank {np.ndim(size)} for '{op_type}': size")

    def counted(count: int, *values: Any) -> Any:
        if count < 0:
            raise ValueError(f"size ({count}) must be non-negative")
        return function(count, *map(array_of, values))

    def shape_fn(count: Any, *shapes: Any) -> Any:
        if isinstance(count, Tensor):
            known = None
            if count.shape.ndims:
                raise ValueError(f"Shape must be rank 0 but is rank {count.shape.ndims} for '{op_type}': size")
        else:
            known = count
            if count < 0:
                raise ValueError(f"size ({count}) must be non-negative")
        outer = rows(*shapes)
        return None if outer is None else (*outer, known)

    return call_with(
        op_type,
        [(size, as_count)],
        counted,
        (*inputs, shares),
        shape=shape_fn,
        name=name,
        dtype=dtype_of(shares),
        same=False,
        differentiable=False,
    )


def _shares(ids: Any, weights: Any) -> Any:
    """Return weights where there are any; ValueError where they are not one for each number."""
    if weights.size and weights.shape != ids.shape:
        same = "`weights` must be the same shape as `input` or a length-0 `Tensor`, in which case it acts as all"
        raise ValueError(f"{same} weights equal to 1. Received {list(weights.shape)}")
    if not weights.ndim:
        raise ValueError("weights must be a vector, or of the shape of the numbers, got a scalar")
    return weights if weights.size else None


def bincount(arr: Any, size: Any, weights: Any, name: str | None = None) -> Any:
    """Return how often each of 0 to ``size - 1`` is in ``arr``, or the sums of their weights where there are any."""

    def of_all(count: int, ids: Any, shares: Any) -> Any:
        return counts_of_rows(ids.ravel(), count, shares.ravel() if shares.size else None, shares.dtype)

    return _counts("Bincount", of_all, (arr,), size, weights, lambda *_: (), name)


def dense_bincount(input: Any, size: Any, weights: Any, binary_output: bool = False, name: str | None = None) -> Any:
    """Return how often each of 0 to ``size - 1`` is in a vector, or in each row of a matrix.

    Raises ValueError for more axes, InvalidArgumentError for negative numbers. Source: ``gen_math_ops``.
    """

    def of_rows(count: int, ids: Any, shares: Any) -> Any:
        rows(ids.shape)
        return counts_of_rows(ids, count, _shares(ids, shares), shares.dtype, binary_output)

    def rows(known: Any, *_: Any) -> Any:
        if known is not None and len(known) > 2:
            raise ValueError(f"Shape must be at most rank 2 but is rank {len(known)}")
        return None if known is None else known[:-1]

    return _counts("DenseBincount", of_rows, (input,), size, weights, rows, name)


def _of_cells(rows: Any, count: int, ids: Any, shares: Any, length: int, binary: bool) -> Any:
    """Return the counts of numbers that are each in a row of ``length`` rows."""
    weights, inside = _shares(ids, shares), ids < count
    if ids.size and ids.min() < 0:
        raise ValueError("Input must be non-negative")
    cells, kept = (rows * count + ids)[inside], None if weights is None else weights[inside]
    return counts_of_rows(cells, length * count, kept, shares.dtype, binary).reshape(length, count)


def sparse_bincount(
    indices: Any,
    values: Any,
    dense_shape: Any,
    size: Any,
    weights: Any,
    binary_output: bool = False,
    name: str | None = None,
) -> Any:
    """Return how often each of 0 to ``size - 1`` is in a sparse vector, or in each row of a sparse matrix.

    What a sparse tensor leaves out is not counted. Source: ``gen_math_ops``.
    """

    def of_rows(count: int, places: Any, ids: Any, sizes: Any, shares: Any) -> Any:
        check_indices(places, sizes)
        if len(sizes) == 1:
            return counts_of_rows(ids, count, _shares(ids, shares), shares.dtype, binary_output)
        return _of_cells(places[:, 0], count, ids, shares, int(sizes[0]), binary_output)

    def rows(places: Any, ids: Any, sizes: Any, *_: Any) -> Any:
        rank = None if sizes is None else sizes[0]
        return None if rank is None else (None,) * (rank - 1)

    return _counts("SparseBincount", of_rows, (indices, values, dense_shape), size, weights, rows, name)


def ragged_bincount(
    splits: Any, values: Any, size: Any, weights: Any, binary_output: bool = False, name: str | None = None
) -> Any:
    """Return how often each of 0 to ``size - 1`` is in rows of values that ``splits`` divides.

    Raises InvalidArgumentError for splits that do not divide the values. Source: ``gen_math_ops``.
    """

    def of_rows(count: int, ends: Any, ids: Any, shares: Any) -> Any:
        if not ends.size:
            raise ValueError("Splits must be non-empty")
        if ends[0] != 0:
            raise ValueError(f"Splits must start with 0, not with {ends[0]}")
        if ends[-1] != ids.size:
            raise ValueError(f"Splits must end with the number of values, got {ends[-1]} instead of {ids.size}")
        rows = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
        return _of_cells(rows, count, ids, shares, len(ends) - 1, binary_output)

    def rows(ends: Any, *_: Any) -> Any:
        return (None if not ends or ends[0] is None else max(ends[0] - 1, 0),)

    return _counts("RaggedBincount", of_rows, (splits, values), size, weights, rows, name)
