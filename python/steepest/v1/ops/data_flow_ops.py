"""Rows dealt out to several tensors, and put together again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive, also_complex
from ..graph.build import call, dtype_of
from ..graph.run_values import array_of
from ..graph.shapes import compatible, text
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
        all_ids = np.concatenate([i.reshape(-1) for i in ids])
        return apply(_STITCHED, (np.concatenate(parts, axis=0), all_ids))

    if not count or len(data) != count:
        raise ValueError(f"dynamic_stitch: as many indices as data, at least one, must be given, got {count}")
    dtype = dtype_of(data[0])
    return call("DynamicStitch", merged, [*indices, *data], name=name, dtype=dtype, same=False)


parallel_dynamic_stitch = dynamic_stitch  # under its path below `python`


def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> list[Any]:
    """Return ``num_partitions`` tensors: the rows of ``data`` whose partition is 0, 1, ..."""
    if num_partitions < 1:
        raise ValueError(f"num_partitions must be at least 1, got {num_partitions}")

    def part(k: int) -> Any:
        def rows(x: Any, p: Any) -> Any:
            p = array_of(p)
            if x.shape[: p.ndim] != p.shape:
                shapes = f"got data.shape = {text(x.shape)}, partitions.shape = {text(p.shape)}"
                raise ValueError(f"data.shape must start with partitions.shape, {shapes}")
            check_positions(p, num_partitions, "partitions")
            return x[np.nonzero(p == k)]

        return rows

    def shape_fn(x: Any, p: Any) -> Any:
        if None not in (x, p) and not compatible(x[: len(p)], p):
            raise ValueError(f"data.shape must start with partitions.shape, got {text(x)} and {text(p)}")
        return None if x is None or p is None else (None, *x[len(p) :])

    return [
        call("DynamicPartition", part(k), (data, partitions), name=name, shape=shape_fn, same=False)
        for k in range(num_partitions)
    ]
