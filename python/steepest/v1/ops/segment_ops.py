"""Sums, means, products and extremes of segments."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ...ops.scatter import scattered
from ..graph.bound_names import name_functions
from ..graph.build import call, dtype_of
from ..graph.dtypes import as_dtype
from ..graph.run_values import array_of
from ..graph.shapes import compatible, text
from ..graph.static_values import constant_value
from .division_ops import truncated
from .segment_product_ops import product_of_rows

__all__ = [
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
]


def segmented(
    op_type: str,
    data: Any,
    ids: Any,
    combine: Any,
    name: str | None,
    count: Any = None,
    dtype: Any = None,
    places: tuple[Any, ...] = (),
    made: Any = lambda function: function,
    shape_of: Any = lambda function: function,
) -> Any:
    """Return what ``combine`` makes of the rows of each segment.

    Inputs between the data and the ids are ``places``; then ``made`` and ``shape_of`` make of the functions of data,
    ids and a number of segments those of all inputs.
    """
    of_rows = op_type.startswith("Sparse")
    ids = whole_numbers(ids) if of_rows else ids
    inputs = (data, *places, ids) if count is None else (data, *places, ids, count)
    sized = count is not None or of_rows  # of these the graph knows; of others only the run
    if not dtype_of(ids).is_integer:
        raise TypeError(f"{op_type}: segment_ids must hold integers, got {dtype_of(ids).name}")

    def combined(x: Any, where: Any, rows: Any = None) -> Any:
        where = array_of(where).astype(np.int64)
        if rows is not None and array_of(rows).ndim:
            raise ValueError(f"num_segments should be a scalar, not shape {list(array_of(rows).shape)}")
        size = int(array_of(rows)) if rows is not None else int(where.max(initial=-1)) + 1
        check_size(size, x.shape[where.ndim :])
        if where.shape != x.shape[: where.ndim]:
            sizes = f"data.shape = {x.shape} does not start with segment_ids.shape = {where.shape}"
            same = "segment_ids should be the same size as dimension 0 of input. " if rows is None else ""
            raise ValueError(same + sizes)
        if rows is None or of_rows:
            _check_order(where)
        if of_rows and rows is not None and where.size and where[-1] >= size:
            raise ValueError("segment ids must be < num_segments")
        if rows is not None and where.size and where.max() >= size:
            place = tuple(int(k) for k in np.argwhere(where >= size)[0])
            at = ",".join(map(str, place))
            raise IndexError(f"segment_ids[{at}] = {where[place]} is out of range [0, {size})")
        x, where = np.reshape(x, (where.size, *x.shape[where.ndim :])), where.reshape(-1)
        if where.min(initial=0) < 0:
            x, where = x[np.flatnonzero(where >= 0)], where[where >= 0]  # rows with a negative id are dropped
        return combine(x, where, size)

    def shape_fn(x: Any, where: Any, _: Any = None) -> Any:
        if x is not None and not x:
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        if count is None and x is not None and where is None:
            where = (None,)
        if x is None or where is None:
            return None
        if count is None and len(where) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(where)}")
        if sized and not compatible(x[: len(where)], where):
            raise ValueError(f"Shapes {text(x)} and {text(where)} are incompatible: data and segment_ids")
        known = None if count is None else constant_value(count)
        if known is not None and known < 0:
            words = "Cannot specify a negative value for num_segments" if of_rows else "num_segments must be >= 0"
            raise ValueError(f"{words}, got {int(known)}")
        return (None if known is None else int(known), *x[len(where) :])

    return call(op_type, made(combined), inputs, name=name, same=False, shape=shape_of(shape_fn), dtype=dtype)


def check_size(size: int, rest: tuple[int, ...]) -> None:
    """Raise ValueError for a result that has more elements than int64 can count."""
    if size * math.prod(rest) >= 2**63:
        raise ValueError(f"Encountered overflow when multiplying {size} with {math.prod(rest)}, result: -1")


def whole_numbers(numbers: Any) -> Any:
    """Return ids or indices as they are; of a list without any, which is of no type, integers."""
    return np.zeros(0, np.int32) if isinstance(numbers, (list, tuple)) and not numbers else numbers


def _check_order(ids: Any) -> None:
    """Raise ValueError unless the ids are sorted and none is negative, in TensorFlow's words."""
    if not ids.size or (ids[0] >= 0 and np.all(np.diff(ids) >= 0)):
        return
    last = int(ids[-1]) + 1
    if last <= 0:
        raise ValueError("segment ids must be >= 0")
    runs = [int(each) for each, before in zip(ids, [None, *ids], strict=False) if each != before]
    for each, following in zip(runs, [*runs[1:], None], strict=True):
        if following is not None and following < each:
            raise ValueError("segment ids are not increasing")
        if not 0 <= each < last:
            reason = "possibly because 'segment_ids' input is not sorted."
            raise ValueError(f"Segment id {each} out of range [0, {last}), {reason}")


def summed(x: Any, where: Any, size: int) -> Any:
    return scattered(x, where, (size, *x.shape[1:]))


def averaged(x: Any, where: Any, size: int) -> Any:
    total, counts = summed(x, where, size), _counts(x, where, size)
    if x.dtype.kind in "iu":
        total = total.astype(np.float32 if x.dtype.itemsize <= 2 else np.float64)
    return total / counts.astype(total.dtype)


def _averaged_in_type(x: Any, where: Any, size: int) -> Any:
    total = summed(x, where, size)
    return truncated(total, _counts(x, where, size)) if x.dtype.kind in "iu" else total / _counts(x, where, size)


def over_root(x: Any, where: Any, size: int) -> Any:
    return summed(x, where, size) / np.sqrt(_counts(x, where, size))


def _counts(x: Any, where: Any, size: int) -> Any:
    """Return how many rows each segment has, at least 1."""
    counts = np.maximum(np.bincount(where, minlength=size), 1).astype(x.dtype)
    return counts.reshape(-1, *([1] * (x.ndim - 1)))


def _extremes(x: Any, where: Any, size: int, function: Any, worst: Any, empty: Any) -> Any:
    rows = array_of(x)
    extremes = np.full((size, *rows.shape[1:]), worst(rows.dtype), rows.dtype)
    function.at(extremes, where, rows)
    if empty is not None:
        extremes[np.bincount(where, minlength=size) == 0] = empty
    return extremes


def _to_extremes(g: Any, y: Any, x: Any, where: Any, *_: Any) -> Any:
    """Return the gradient by the rows: elements that are equal to the extreme share it."""
    inside = np.equal(unwrap(x), unwrap(y)[where])
    share = np.zeros(unwrap(y).shape, x.dtype)
    np.add.at(share, where, inside)
    weights = (1 / np.maximum(share, 1)[where]).astype(x.dtype)
    return np.where(inside, g[where] * weights, np.zeros((), x.dtype))


_EXTREMES = Primitive(_extremes, (_to_extremes,))


def _extreme(function: Any, worst: Any, empty: Any = None) -> Any:
    """Return how the largest (smallest) elements of segments are found.

    A segment without rows has the value ``empty``, by default ``worst(dtype)``.
    """
    return lambda x, where, size: apply(_EXTREMES, (x, where, size, function, worst, empty))


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the sum of its rows; ``segment_ids`` are sorted."""
    return segmented("SegmentSum", data, segment_ids, summed, name)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the mean of its rows; ``segment_ids`` are sorted."""
    return segmented("SegmentMean", data, segment_ids, _averaged_in_type, name)


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the largest of its rows' elements."""
    return segmented("SegmentMax", data, segment_ids, _extreme(np.maximum, partial(_end, -1), 0), name)


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the smallest of its rows' elements."""
    return segmented("SegmentMin", data, segment_ids, _extreme(np.minimum, partial(_end, 1), 0), name)


def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the product of its rows."""
    return segmented("SegmentProd", data, segment_ids, product_of_rows, name)


def _unsorted(op_type: str, combine: Any, text: str) -> Any:
    def operation(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        return segmented(op_type, data, segment_ids, combine, name, num_segments)

    operation.__doc__ = f"Return for each of ``num_segments`` segments {text}."
    return operation


def _end(sign: int, dtype: Any) -> Any:
    """Return infinity of a sign, of integers the last one; a segment that has rows never keeps it otherwise."""
    limits = np.iinfo(dtype) if dtype.kind in "iu" else None
    return sign * np.inf if limits is None else limits.max if sign > 0 else limits.min


def _lowest(dtype: Any) -> Any:
    return as_dtype(dtype).min


def _highest(dtype: Any) -> Any:
    return as_dtype(dtype).max


def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Return for each of ``num_segments`` segments the mean of its rows, of integers in float32 up to 16 bits."""
    own = dtype_of(data)
    dtype = None if not own.is_integer else "float32" if own.size <= 2 else "float64"
    return segmented("UnsortedSegmentMean", data, segment_ids, averaged, name, num_segments, dtype)


unsorted_segment_max = _unsorted(
    "UnsortedSegmentMax", _extreme(np.maximum, _lowest), "the largest of its rows' elements"
)
unsorted_segment_min = _unsorted(
    "UnsortedSegmentMin", _extreme(np.minimum, _highest), "the smallest of its rows' elements"
)
unsorted_segment_prod = _unsorted("UnsortedSegmentProd", product_of_rows, "the product of its rows")
unsorted_segment_sqrt_n = _unsorted(
    "UnsortedSegmentSqrtN", over_root, "the sum of its rows over the root of their number"
)


def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Return for each of ``num_segments`` segments the sum of its rows."""
    return segmented("UnsortedSegmentSum", data, segment_ids, summed, name, num_segments)


name_functions(__name__)
