"""Gradients that are rows, or elements, of an array: their sums, and what is handed out of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..base.typing import Array
from ..ops.bag_slices import BagSlices
from ..ops.dispatch import unwrap
from ..ops.indexed_slices import IndexedSlices
from ..ops.scatter import IndexedCotangent, add_rows

__all__ = ["is_indexed"]


def is_indexed(r: Any) -> bool:
    """Tell whether a gradient is some rows, or some elements, of an array."""
    return isinstance(r, IndexedSlices) or type(r) is IndexedCotangent


def _dense(r: Any) -> Any:
    """Return a gradient as one dense array."""
    if type(r) is list:
        r = _concatenated(r)
    if type(r) is IndexedCotangent:
        return r.dense()
    return r.to_dense() if isinstance(r, IndexedSlices) else r


def _merged(x: Any, total: Any, mine: bool, r: Any, yours: bool, taped: bool) -> Any:
    """Return the sum of two gradients of ``x`` of which one or both are rows or elements; of rows alone as a list.

    ``mine`` and ``yours`` say that the first, the second, is an array that nobody else holds: it may be written to.
    """
    if isinstance(r, IndexedSlices) and isinstance(total, (IndexedSlices, list)):
        return [*total, r] if type(total) is list else [total, r]
    if taped:
        return _dense(total) + _dense(r)
    return _with_rows(x, r, True, total) if yours else _with_rows(x, total, mine, r)


def _with_rows(x: Any, total: Any, owned: bool, r: Any) -> Array:
    """Return the sum of two gradients, in place where the first is an array that is ``owned``."""
    if not isinstance(total, np.ndarray):
        buffer = np.zeros(x.shape, x.dtype)
        _add_into(buffer, total)
    elif owned and total.flags.c_contiguous:
        buffer = total
    else:
        buffer = total.copy(order="C")
    _add_into(buffer, r)
    return buffer


def _add_into(buffer: Array, r: Any) -> None:
    if type(r) is list:
        for part in r:
            _add_into(buffer, part)
    elif type(r) is IndexedCotangent:
        r.add_into(buffer)
    elif isinstance(r, IndexedSlices):
        add_rows(buffer, r.indices, r.values)
    else:
        buffer += r


def _handed_out(parts: list[Any], taped: bool) -> Any:
    """Return the sum of parts of a source's gradient that others may hold too, as arrays of its own; None of none."""
    total: Any = None
    own = False
    for r in parts:
        if type(r) is list:
            r, own = _concatenated(r), True
        if type(r) is IndexedCotangent:
            r, own = r.dense(), True
        if total is None:
            total = r
        elif isinstance(total, IndexedSlices) and isinstance(r, IndexedSlices):
            total = _concatenated([r, total])
        else:
            total = _dense(total) + _dense(r)
    own = own if len(parts) == 1 else len(parts) > 1
    if total is None or taped or own:
        return total
    if type(total) is BagSlices:
        return total.owned()
    if isinstance(total, IndexedSlices):
        return IndexedSlices(total.values.copy(), total.indices, total.dense_shape)
    return total.copy(order="C") if isinstance(total, np.ndarray) else np.array(unwrap(total))


def _concatenated(parts: list[IndexedSlices]) -> IndexedSlices:
    parts = parts[::-1]  # in the order in which the rows were read
    values = np.concatenate([part.values for part in parts])
    indices = np.concatenate([part.indices for part in parts])
    return IndexedSlices(values, indices, parts[0].dense_shape)


_core.register_tape(dense=_dense, merged=_merged, handed_out=_handed_out, indexed=IndexedCotangent)
