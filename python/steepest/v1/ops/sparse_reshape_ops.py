"""Sparse tensors in another shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.build import convert, shape_of
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.shape_inference import known_value, shape_value
from .sparse_array_ops import checked_sparse, count_of, flat_places, parts_of, places_at, produced, sizes_of, with_sizes
from .sparse_ops import SparseTensor

__all__ = ["sparse_reshape"]


def sparse_reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """Return the same elements in another shape; -1 stands for what is left.

    Raises InvalidArgumentError, when a session runs, where the numbers of elements differ.
    """
    sparse = checked_sparse(sp_input)
    sizes = shape if executing_eagerly() else convert(shape, None if hasattr(shape, "dtype") else "int64")
    known = shape_of(sizes)

    if not executing_eagerly() and (fixed := known_value(sizes)) is not None and np.count_nonzero(fixed < 0) > 1:
        known_sizes = sizes_of(sparse)
        if known_sizes is not None and None not in known_sizes:
            raise ValueError(f"At most one dimension can be inferred (-1). Found: {fixed.tolist()}")

    def reshaped(where: Any, values: Any, old: Any, new: Any) -> Any:
        old, new = array_of(old), array_of(new).astype(np.int64)
        several = np.flatnonzero(new < 0)
        if several.size > 1:
            raise ValueError(f"only one output dimension may be -1, not both {several[0]} and {several[1]}")
        total, rest = int(np.prod(old)), int(np.prod(new[new >= 0]))
        target = np.where(new < 0, total // max(rest, 1), new)
        if int(np.prod(target)) != total:
            if np.any(new < 0):
                why = f"but the requested shape requires a multiple of {rest}"
                raise ValueError(f"Input to reshape is a SparseTensor with {total} dense values, {why}")
            why = f"but the requested shape has {int(np.prod(target))}"
            raise ValueError(f"Input to reshape is a tensor with {total} dense values, {why}")
        return places_at(flat_places(where, old), target), np.copy(values), target

    ndim = None if known is None else known[0]
    inputs = [*parts_of(sparse), sizes]
    made = produced("SparseReshape", reshaped, inputs, sparse.dtype, ndim, name, count=count_of(sparse))
    if executing_eagerly():
        return made
    old, new = shape_value(sparse.dense_shape), known_value(sizes)
    if old is None or None in old:
        return made
    if new is None:
        parts = shape_value(sizes)
        if parts is None or parts.count(None) != 1 or not all(part != 0 for part in parts):
            return made
        new = np.array([-1 if part is None else part for part in parts], np.int64)
        left, more = divmod(math.prod(size or 0 for size in old), -math.prod(new.tolist()))
        return made if more else with_sizes(made, [left if size < 0 else int(size) for size in new])
    total = math.prod(size or 0 for size in old)
    rest = math.prod(int(size) for size in new if size >= 0)
    target = [total // max(rest, 1) if size < 0 else int(size) for size in new]
    if math.prod(target) != total:
        raise ValueError(f"Cannot reshape a tensor with {total} elements to shape {new.tolist()}")
    return SparseTensor(made.indices, made.values, np.array(target, np.int64))
