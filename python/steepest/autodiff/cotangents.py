"""The gradients that a backward pass builds up, and who owns their arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.typing import Array
from ..ops.dispatch import unwrap
from ..ops.indexed_slices import IndexedSlices
from ..ops.scatter import IndexedCotangent, add_rows
from ..ops.tensor import Tensor

__all__ = ["Cotangents", "is_indexed"]

ndarray = np.ndarray


class Cotangents:
    """For each tensor the gradient that has arrived so far.

    A gradient is an array (a tensor under an outer tape), an `IndexedCotangent`, `IndexedSlices`, or a list of
    IndexedSlices.

    Arrays are *owned* where nobody but this object holds them. Only they are added to in place: neither users nor
    variables ever see their arrays change, and what is handed out is nobody else's. What a rule returns is owned,
    unless it is a view, or the gradient that the rule was given. That one is passed on: where it was owned, and one
    argument alone keeps it or a view of it, it is owned again.

    Args:
        taped: whether an outer tape records, so that gradients are tensors.
        kept: the operations whose results' gradients are to be handed out.
    """

    def __init__(self, taped: bool, kept: set[Tensor]) -> None:
        self._taped = taped
        self._kept = kept
        self.owned: dict[Tensor, Array] = {}
        self._others: dict[Tensor, Any] = {}
        # Of the operation whose turn it is: the gradient of its result, whether that was owned, and who keeps it now.
        self._g: Any = None
        self._was_owned = False
        self._heir: Tensor | None = None
        self._handed_out: set[Tensor] = set()

    def pop(self, node: Tensor) -> Any:
        """Begin an operation's turn: return the gradient of its result, dense, and forget it unless it is kept."""
        owned = self.owned
        heir = self._heir
        if heir is not None:  # end the turn before
            self._heir = None
            if self._was_owned and type(self._others.get(heir)) is ndarray:
                owned[heir] = self._others.pop(heir)
        g = owned.pop(node, None)
        if g is not None:
            self._was_owned = True
        else:
            g = self._others.pop(node, None)
            self._was_owned = False
            if g is None:
                return None
            if type(g) is not ndarray and not isinstance(g, Tensor):
                g = _dense(g)
                self._was_owned = type(g) is ndarray
        if self._kept and node in self._kept:
            (owned if self._was_owned else self._others)[node] = g
            self._was_owned = False
        self._g = g
        return g

    def add(self, a: Tensor, r: Any) -> None:
        """Add what a rule has returned to the gradient of an operation's argument.

        An array that is to be added to an owned one the caller adds itself: to ``owned[a]``, in place.
        """
        if type(r) is not ndarray:
            self._merge(a, self._unshared(r), False)
            return
        g = self._g
        fresh = r is not g and r.base is None
        if a in self._others:
            self._merge(a, r, fresh)
        elif fresh:
            self.owned[a] = r
        else:
            self._others[a] = r
            if r is g or r.base is g or r.base is g.base:
                if self._heir is None and (r is g or r.flags.writeable):
                    self._heir = a
                else:
                    self._was_owned = False  # two keep it, or one that cannot write to it

    def add_foreign(self, a: Tensor, r: Any) -> None:
        """Add what somebody else may hold: a user's output gradient, or what a user's rule has returned."""
        self._merge(a, r if type(r) is ndarray else self._unshared(r), False)

    def hand_out(self, ends: list[Tensor]) -> Any:
        """Return the sum of the gradients of the tensors that stand for a source, as arrays of its own; else None."""
        if len(ends) == 1 and ends[0] in self.owned:
            # A source that is asked for twice gets a copy the second time.
            array = self._others[ends[0]] = self.owned.pop(ends[0])
            return array
        total: Any = None
        owned = False
        for leaf in ends:
            r = self.owned.get(leaf, self._others.get(leaf))
            if r is None:
                continue
            mine = type(r) is IndexedSlices and leaf not in self._handed_out
            self._handed_out.add(leaf)
            if type(r) is list:
                r, mine = _concatenated(r), True
            if type(r) is IndexedCotangent:
                r, mine = r.dense(), True
            if total is None:
                total, owned = r, mine
            elif type(total) is IndexedSlices and type(r) is IndexedSlices:
                total, owned = _concatenated([r, total]), True
            else:
                total, owned = _dense(total) + _dense(r), True
        if total is None:
            return None
        return total if self._taped else _own(total, owned and len(ends) == 1)

    def _unshared(self, r: Any) -> Any:
        """Return rows in an array that nobody else holds; they may keep the gradient that was passed on."""
        if is_indexed(r):
            values = r.values
            fresh = type(values) is ndarray and values is not self._g and values.base is None
            if type(r) is IndexedSlices and not (fresh or self._was_owned or self._taped):
                r = IndexedSlices(values.copy(), r.indices, r.dense_shape)
        self._was_owned = False
        return r

    def _merge(self, a: Tensor, r: Any, fresh: bool) -> None:
        """Add ``r`` in the general case; ``fresh`` says that it is an array that nobody else holds."""
        old = self.owned.pop(a, None)
        owned = old is not None
        if old is None:
            old = self._others.pop(a, None)
        if old is None:
            total = r
        elif type(r) is ndarray and type(old) is ndarray:
            if owned:
                old += r
                total, fresh = old, True
            elif fresh:
                r += old
                total = r
            else:
                total, fresh = old + r, True
        elif type(r) is IndexedSlices and type(old) in (IndexedSlices, list):
            total = [*old, r] if type(old) is list else [old, r]
        elif is_indexed(r) or is_indexed(old) or type(old) is list:
            if self._taped:
                total = _dense(old) + _dense(r)
            elif fresh:
                total = _with_rows(a, r, True, old)
            else:
                total, fresh = _with_rows(a, old, owned, r), True
        else:
            total = old + r
        if fresh and type(total) is ndarray:
            self.owned[a] = total
        else:
            self._others[a] = total


def is_indexed(r: Any) -> bool:
    """Tell whether a gradient is some rows, or some elements, of an array."""
    return type(r) is IndexedSlices or type(r) is IndexedCotangent


def _dense(r: Any) -> Any:
    """Return a gradient as one dense array."""
    if type(r) is list:
        r = _concatenated(r)
    if type(r) is IndexedCotangent:
        return r.dense()
    return r.to_dense() if type(r) is IndexedSlices else r


def _with_rows(a: Tensor, total: Any, owned: bool, r: Any) -> Array:
    """Return the sum of two gradients of which one or both are rows or parts; in place where the first is owned."""
    if not isinstance(total, np.ndarray):
        buffer = np.zeros(a.shape, a.dtype)
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
    elif type(r) is IndexedSlices:
        add_rows(buffer, r.indices, r.values)
    else:
        buffer += r


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
