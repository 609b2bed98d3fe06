"""Norms of vectors and of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import REAL
from .reduce_ops import largest, length_of, reduced

__all__ = ["norm"]


def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
) -> Any:
    """Return the norm of the vectors along ``axis``, of the matrices along two axes, or of all elements.

    ``ord``: of vectors 'euclidean' (2), 1, any positive number or ``np.inf``; of matrices 'euclidean' and 'fro' (the
    root of the sum of squares), 1 and ``np.inf`` (the largest sum of a column, of a row), 2 (the largest singular
    value). Raises ValueError for others.
    """
    of_matrices = isinstance(axis, (list, tuple))
    whole = not of_matrices or all(isinstance(each, (int, np.integer)) for each in axis)
    if of_matrices:
        axis = tuple(axis)
    if isinstance(axis, float) or (of_matrices and (not whole or len(axis) != 2 or axis[0] == axis[1])):
        raise ValueError(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}")
    allowed = ("euclidean", "fro", 1, 2, np.inf) if of_matrices else ("euclidean", 1, 2, np.inf)
    if ord not in allowed and (of_matrices or not isinstance(ord, (int, float)) or not ord > 0):
        kind = f"matrix norm in {list(allowed)}" if of_matrices else "vector norm"
        raise ValueError(f"'ord' must be a supported {kind}, got {ord}")

    def length(x: Any, along: Any, keep: bool) -> Any:
        if of_matrices and ord in (1, 2, np.inf):
            return _of_matrices(x, ord, along, keep)
        if ord == 1:
            return _sum_of_absolutes(x, along, keep)
        if ord == np.inf:
            return largest(np.absolute(x), along, keep)
        if ord in ("euclidean", "fro", 2):
            return length_of(x, along, keep)
        return np.sum(np.absolute(x) ** ord, axis=along, keepdims=keep) ** np.finfo(x.dtype).dtype.type(1 / ord)

    # A root of a sum of products is complex in TensorFlow, one of lengths is not.
    by_lengths = (of_matrices and ord in (1, 2, np.inf)) or ord not in ("euclidean", "fro", 2)
    op_type = "NormOfAbsolutes" if ord in (1, np.inf) else "Norm"  # a root is not for integers
    return reduced(op_type, length, tensor, (axis, keepdims, None, keep_dims), name, REAL if by_lengths else None)


def _sum_of_absolutes(x: Any, axis: Any, keep: bool) -> Any:
    absolutes = np.absolute(x)
    return np.sum(absolutes, axis=axis, keepdims=keep, dtype=absolutes.dtype)  # integers keep their type


def _of_matrices(x: Any, ord: Any, axes: Any, keep: bool) -> Any:
    rows, columns = (axis % x.ndim for axis in axes)
    if ord == 2:
        matrices = np.moveaxis(x, (rows, columns), (-2, -1))
        found = np.max(np.linalg.svd(matrices, full_matrices=False)[1], axis=-1)
    else:
        summed, compared = (rows, columns) if ord == 1 else (columns, rows)
        found = np.max(_sum_of_absolutes(x, summed, True), axis=compared, keepdims=True)
        found = np.squeeze(found, (rows, columns))
    return np.expand_dims(found, (rows, columns)) if keep else found
