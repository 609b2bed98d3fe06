"""Rows dealt out to several tensors, and put together again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive, also_complex
from ..graph import shape_inference
from ..graph.build import call, convert, dtype_of
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.shapes import bracketed, compatible, text
from .gather_ops import check_positions

__all__ = ["dynamic_partition", "dynamic_stitch"]


def _stitch(rows: Any, ids: Any) -> Any:
    last = np.zeros(int(ids.max(initial=-1)) + 1, np.int64)
    last[ids] = np.arange(ids.size)
    return np.take(rows, last, axis=0)


# TensorFlow gives the gradient of a row to all that are written there, not only to the last.
_STITCHED = Primitive(_stitch, (lambda g, y, rows, ids: np.take(g, ids, axis=0),), name="dynamic_stitch")
also_complex(_STITCHED)


def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Any:
    """Return the rows of several tensors merged: row ``indices[m][i]`` is ``data[m][i]``, of several the last one."""
    count = len(indices)

    def merged(*values: Any) -> Any:
        ids = [array_of(value) for value in values[:count]]
        parts = [
            np.reshape(x, (-1 if x.size else i.size, *x.shape[i.ndim :]))
            for i, x in zip(ids, values[count:], strict=True)
        ]
        for each in ids:
            if each.min(initial=0) < 0:
                raise IndexError(f"indices{bracketed(np.argwhere(each < 0)[0].tolist())} is out of range")
        all_ids = np.concatenate([i.reshape(-1) for i in ids])
        return apply(_STITCHED, (np.concatenate(parts, axis=0), all_ids))

    if not count or len(data) != count:
        lengths = f"with length {count} must match length {len(data)} of argument 'data', and be at least 1"
        raise ValueError(f"List argument 'indices' to 'dynamic_stitch' Op {lengths}.")
    dtype = dtype_of(data[0])
    where = list(indices) if executing_eagerly() else [convert(each) for each in indices]

    def shape_fn(*shapes: Any) -> Any:
        rest: Any = None
        for ids, x in zip(shapes[:count], shapes[count:], strict=True):
            if ids is None or x is None:
                continue
            if not compatible(x[: len(ids)], ids):
                raise ValueError(f"data.shape must start with indices.shape, got {text(x)} and {text(ids)}")
            rest = shape_inference.merged(rest, x[len(ids) :])
        numbers = [shape_inference.known_value(ids) for ids in where]
        largest = [-1 if ids is None else int(ids.max(initial=-1)) for ids in numbers]
        size = None if any(ids is None for ids in numbers) else max(largest) + 1
        return None if rest is None else (size, *rest)

    return call("DynamicStitch", merged, [*where, *data], name=name, shape=shape_fn, dtype=dtype, same=False)


parallel_dynamic_stitch = dynamic_stitch  # under its path below `python`


def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> list[Any]:
    """Return ``num_partitions`` tensors: the rows of ``data`` whose partition is 0, 1, ..."""
    if num_partitions < 1:
        raise ValueError(f"num_partitions must be at least 1, got {num_partitions}")

    def part(k: int) -> Any:
        def rows(x: Any, p: Any) -> Any:
            p = array_of(p)
            if x.shape[: p.ndim] != p.shape:
                shapes = f"got data.shape = {bracketed(x.shape)}, partitions.shape = {bracketed(p.shape)}"
                raise ValueError(f"data.shape must start with partitions.shape, {shapes}")
            check_positions(p, num_partitions, "partitions")
            return x[p == k]

        return rows

    def shape_fn(x: Any, p: Any) -> Any:
        if None not in (x, p) and not compatible(x[: len(p)], p):
            raise ValueError(f"data.shape must start with partitions.shape, got {text(x)} and {text(p)}")
        return None if x is None or p is None else (None, *x[len(p) :])

    return [
        call("DynamicPartition", part(k), (data, partitions), name=name, shape=shape_fn, same=False)
        for k in range(num_partitions)
    ]
