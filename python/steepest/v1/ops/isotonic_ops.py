"""Isotonic regression: the nearest values, in squares, that do not grow, or do not shrink, along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.scatter import scattered
from ..graph.build import call
from ..graph.run_values import array_of
from .array_ops import transpose
from .cast_ops import cast
from .sparse_ops import convert_to_tensor

__all__ = ["isotonic_regression"]

_WIDER = {"int8": "float32", "int16": "float32", "int32": "float64"}


def isotonic_regression(inputs: Any, decreasing: bool = True, axis: int = -1) -> tuple[Any, Any]:
    """Return the values that are nearest to the inputs among those that do not grow along an axis, and their segments.

    With ``decreasing=False`` they do not shrink. Each value is the mean of its segment, whose number, from 0 on, is in
    the second result, of int32. Integers become floats.

    Raises ValueError for a scalar, and for another axis than the inputs have.

    Source: ``nn_ops.isotonic_regression`` of TensorFlow 2.
    """
    x = convert_to_tensor(inputs)
    if x.dtype.name in _WIDER:
        x = cast(x, _WIDER[x.dtype.name])
    rank = x.shape.ndims
    if rank is None or not -rank <= axis < rank:
        raise ValueError(f"isotonic_regression: axis must be one of the inputs', of shape {x.shape}, got {axis}")
    order = None
    if axis % rank != rank - 1:
        order = list(range(rank))
        order[axis], order[-1] = order[-1], order[axis]
        x = transpose(x, order)
    x = x if decreasing else -x

    def fitted(values: Any) -> tuple[Any, Any]:
        rows = array_of(values)
        length, segments = rows.shape[-1], np.zeros(rows.shape, np.int32)
        for place in np.ndindex(rows.shape[:-1]):
            segments[place] = _segments(rows[place])
        places = segments.reshape(-1) + np.arange(rows.size) // max(length, 1) * length
        counts = np.maximum(np.bincount(places, minlength=rows.size), 1).astype(rows.dtype)
        means = scattered(np.reshape(values, -1), places, (rows.size,)) / counts
        return np.reshape(np.take(means, places), rows.shape), segments

    def shapes(shape: Any) -> Any:
        return [shape, shape]

    dtypes = [x.dtype.base_dtype, "int32"]
    y, segments = call("IsotonicRegression", fitted, (x,), shape=shapes, dtype=dtypes, outputs=2, same=False)
    y = y if decreasing else -y
    return (y, segments) if order is None else (transpose(y, order), transpose(segments, order))


def _segments(row: Any) -> Any:
    """Return for each number of a row which segment it is in: neighbours are joined while their means grow."""
    sums: list[float] = []
    counts: list[int] = []
    for value in unwrap(row).astype(np.float64):
        sums.append(float(value))
        counts.append(1)
        while len(sums) > 1 and sums[-2] * counts[-1] < sums[-1] * counts[-2]:
            total, count = sums.pop(), counts.pop()
            sums[-1] += total
            counts[-1] += count
    return np.repeat(np.arange(len(counts)), counts)
