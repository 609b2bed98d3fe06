"""Sums and means of segments, and the search for the k largest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.dispatch import plain
from ..ops.scatter import scattered
from .build import call
from .constants import constant_value

__all__ = [
    "in_top_k",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "top_k",
    "unsorted_segment_sum",
]


def top_k(input: Any, k: int = 1, sorted: bool = True, name: str | None = None) -> Any:
    """Return ``(values, indices)`` of the k largest along the last axis, the first of equal ones first."""
    count = int(np.asarray(constant_value(k)))

    def order(x: Any) -> Any:
        return np.argsort(-np.asarray(plain(x)), axis=-1, kind="stable")[..., :count]

    values = call("TopKV2", lambda x: np.take_along_axis(x, order(x), -1), (input,), name=name)
    indices = call(
        "TopKV2", lambda x: order(x).astype(np.int32), (input,), name=name, dtype="int32", differentiable=False
    )
    return values, indices


def in_top_k(predictions: Any, targets: Any, k: int, name: str | None = None) -> Any:
    """Tell for each row whether its target is among the k largest predictions; ties count for the target."""

    def inside(scores: Any, ids: Any) -> Any:
        scores, ids = np.asarray(plain(scores)), np.asarray(plain(ids))
        own = np.take_along_axis(scores, ids[:, None], 1)
        return np.sum(scores > own, axis=1) < k

    return call(
        "InTopK",
        inside,
        (predictions, targets),
        name=name,
        same=False,
        dtype="bool",
        shape=lambda p, t: None if t is None else t,
        differentiable=False,
    )


# Segments


def _segment(kind: str, data: Any, ids: Any, combine: Any, name: Any, count: Any = None) -> Any:
    inputs = (data, ids) if count is None else (data, ids, count)

    def combined(x: Any, where: Any, rows: Any = None) -> Any:
        where = np.asarray(plain(where)).astype(np.int64)
        size = int(np.asarray(plain(rows))) if rows is not None else int(where.max(initial=-1)) + 1
        return combine(x, where.reshape(-1), size)

    def rule(x: Any, where: Any, _: Any = None) -> Any:
        if x is None:
            return None
        known = None if count is None else constant_value(count)
        return (None if known is None else int(known), *x[1:])

    return call(kind, combined, inputs, name=name, same=False, shape=rule, dtype=None)


def _summed(x: Any, where: Any, size: int) -> Any:
    return scattered(x, where, (size, *x.shape[1:]))


def _averaged(x: Any, where: Any, size: int) -> Any:
    counts = np.maximum(np.bincount(where, minlength=size), 1).astype(x.dtype)
    return _summed(x, where, size) / counts.reshape(-1, *([1] * (x.ndim - 1)))


def _extreme(function: Any, worst: Any) -> Any:
    def combine(x: Any, where: Any, size: int) -> Any:
        x = plain(x)
        out = np.full((size, *x.shape[1:]), worst(x.dtype), x.dtype)
        function.at(out, where, x)
        return out

    return combine


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the sum of its rows; ``segment_ids`` are sorted."""
    return _segment("SegmentSum", data, segment_ids, _summed, name)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the mean of its rows; ``segment_ids`` are sorted."""
    return _segment("SegmentMean", data, segment_ids, _averaged, name)


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the largest of its rows' elements, without gradient."""
    return _segment("SegmentMax", data, segment_ids, _extreme(np.maximum, lambda d: _lowest(d)), name)


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the smallest of its rows' elements, without gradient."""
    return _segment("SegmentMin", data, segment_ids, _extreme(np.minimum, lambda d: _highest(d)), name)


def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return for each segment the product of its rows, without gradient."""
    return _segment("SegmentProd", data, segment_ids, _extreme(np.multiply, lambda d: 1), name)


def _unsorted(kind: str, combine: Any, text: str) -> Any:
    def operation(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        return _segment(kind, data, segment_ids, combine, name, num_segments)

    operation.__doc__ = f"Return for each of ``num_segments`` segments {text}."
    return operation


def _lowest(dtype: Any) -> Any:
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _highest(dtype: Any) -> Any:
    return np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


unsorted_segment_mean = _unsorted("UnsortedSegmentMean", _averaged, "the mean of its rows")
unsorted_segment_max = _unsorted(
    "UnsortedSegmentMax", _extreme(np.maximum, _lowest), "the largest of its rows' elements, without gradient"
)
unsorted_segment_min = _unsorted(
    "UnsortedSegmentMin", _extreme(np.minimum, _highest), "the smallest of its rows' elements, without gradient"
)
unsorted_segment_prod = _unsorted(
    "UnsortedSegmentProd", _extreme(np.multiply, lambda d: 1), "the product of its rows, without gradient"
)


def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Return for each of ``num_segments`` segments the sum of its rows."""
    return _segment("UnsortedSegmentSum", data, segment_ids, _summed, name, num_segments)
