"""The sums of gradients that a pass back builds up."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.dispatch import unwrap
from ..ops.indexed_slices import IndexedSlices
from ..ops.scatter import IndexedCotangent, add_rows
from ..ops.tensor import Tensor

__all__ = ["Sums"]


class Sums:
    """For each tensor the gradient that has arrived so far.

    It is an array (or a tensor under an outer tape), `Placed`, `IndexedSlices`, or a list of IndexedSlices. It is
    added to in place only where the array belongs to this object, which ``owned`` tells: neither users nor variables
    ever see their arrays change, and what is handed out is nobody else's.
    """

    def __init__(self, taped: bool) -> None:
        self.taped = taped
        self.grads: dict[Tensor, Any] = {}
        self.owned: set[Tensor] = set()

    def add(self, a: Tensor, r: Any, fresh: bool) -> None:
        """Add ``r`` to the gradient of ``a``; ``fresh`` says that nobody else holds r."""
        grads, owned = self.grads, self.owned
        old = grads.get(a)
        if old is None:
            grads[a] = r
            if fresh:
                owned.add(a)
        elif type(r) is np.ndarray and type(old) is np.ndarray:
            if a in owned:
                old += r
                return
            if fresh:
                r += old
            else:
                r = old + r
            grads[a] = r
            owned.add(a)
        elif isinstance(r, (IndexedCotangent, IndexedSlices)) or isinstance(
            old, (IndexedCotangent, IndexedSlices, list)
        ):
            self._add_sparse(a, old, r, fresh)
        else:
            grads[a] = old + r
            owned.discard(a)

    def _add_sparse(self, a: Tensor, old: Any, r: Any, fresh: bool) -> None:
        grads, owned = self.grads, self.owned
        if type(r) is IndexedSlices and type(old) in (IndexedSlices, list):
            grads[a] = [*old, r] if type(old) is list else [old, r]
            owned.discard(a)
            return
        if self.taped:
            grads[a] = self.dense(old, a) + self.dense(r, a)
            return
        if fresh and type(r) is np.ndarray and r.flags.c_contiguous:
            old, r = r, old
            owned.add(a)
        if isinstance(old, np.ndarray) and a in owned and old.flags.c_contiguous:
            buffer = old
        else:
            was_dense = isinstance(old, np.ndarray)
            buffer = old.copy(order="C") if was_dense else np.zeros(a.shape, a.dtype)
            if not was_dense:
                self._add_into(buffer, old)
        self._add_into(buffer, r)
        grads[a] = buffer
        owned.add(a)

    def _add_into(self, buffer: Any, r: Any) -> None:
        if type(r) is list:
            for part in r:
                self._add_into(buffer, part)
        elif type(r) is IndexedCotangent:
            r.add_into(buffer)
        elif type(r) is IndexedSlices:
            add_rows(buffer, r.indices, r.values)
        else:
            buffer += r

    def dense(self, r: Any, a: Tensor) -> Any:
        """Return a gradient as one dense array."""
        if type(r) is list:
            r = _concatenated(r)
        if type(r) is IndexedCotangent:
            return r.dense()
        return r.to_dense() if type(r) is IndexedSlices else r

    def handed_out(self, found: list[Tensor]) -> Any:
        """Return a source's gradient as arrays of its own."""
        total: Any = None
        for leaf in found:
            r = self.grads.get(leaf)
            if r is None:
                continue
            mine = leaf in self.owned
            self.owned.discard(leaf)  # a source that is asked for twice gets a copy the second time
            if type(r) is list:
                r, mine = _concatenated(r), True
            if type(r) is IndexedCotangent:
                r, mine = r.dense(), True
            if total is None:
                total, owned = r, mine
            elif type(total) is IndexedSlices and type(r) is IndexedSlices:
                total, owned = _concatenated([r, total]), True
            else:
                total, owned = self.dense(total, leaf) + self.dense(r, leaf), True
        if total is None:
            return None
        return total if self.taped else _own(total, owned and len(found) == 1)


def _own(r: Any, owned: bool) -> Any:
    if type(r) is IndexedSlices:
        values = r.values if owned else r.values.copy()
        return IndexedSlices(values, r.indices, r.dense_shape)
    if not isinstance(r, np.ndarray):
        return np.array(unwrap(r))
    return r if owned else r.copy(order="C")


def _concatenated(parts: list[IndexedSlices]) -> IndexedSlices:
    parts = parts[::-1]  # in the order in which the rows were read
    values = np.concatenate([part.values for part in parts])
    indices = np.concatenate([part.indices for part in parts])
    return IndexedSlices(values, indices, parts[0].dense_shape)
