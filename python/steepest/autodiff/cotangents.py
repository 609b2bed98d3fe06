"""The gradients that a backward pass builds up, and who owns their arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.dispatch import unwrap
from ..ops.indexed_slices import IndexedSlices
from ..ops.scatter import IndexedCotangent, add_rows
from ..ops.tensor import Tensor

__all__ = ["Cotangents"]

ndarray = np.ndarray


class Cotangents:
    """For each tensor the gradient that has arrived so far, and whether its array is ours to write to.

    A gradient is an array (a tensor under an outer tape), an `IndexedCotangent`, `IndexedSlices`, or a list of
    IndexedSlices. A sum is made in place only where its array is *owned*: where nobody but this object holds it.
    Neither users nor variables ever see their arrays change, and what is handed out is nobody else's.

    Args:
        taped: whether an outer tape records, so that gradients are tensors.
        kept: the tensors whose gradients are to be handed out.
    """

    def __init__(self, taped: bool, kept: set[Tensor]) -> None:
        self._taped = taped
        self._kept = kept
        self._gradients: dict[Tensor, Any] = {}
        self._owned: set[Tensor] = set()

    def seed(self, root: Tensor, g: Any) -> None:
        """Let ``g`` arrive at a target. The array may be the user's."""
        self._sum(root, g, False)

    def pop(self, node: Tensor) -> Any:
        """Return the gradient of an operation's result, dense, and forget it unless it will be handed out."""
        g = self._gradients.pop(node, None)
        if type(g) is not ndarray and g is not None and not isinstance(g, Tensor):
            g = self._dense(g, node)
            if type(g) is ndarray:
                self._owned.add(node)
        if node in self._kept and g is not None:
            self._gradients[node] = g
        return g

    def add(self, node: Tensor, g: Any, pairs: list[tuple[Tensor, Any]]) -> None:
        """Add to the gradients of an operation's arguments what its rules made of ``g``.

        A rule's result is owned from the start, unless it is ``g``, a view, or comes from a user's rule. Where g was
        owned and one argument alone keeps it, that argument owns it from now on.
        """
        gradients, owned = self._gradients, self._owned
        trusted = not node.primitive.custom  # type: ignore[union-attr]
        heirs, lent = 0, False
        for a, r in pairs:
            if type(r) is not ndarray:
                self._sum(a, r, _is_fresh(r, g) or (not lent and _is_indexed(r) and self._is_private(node)))
                lent = True
                continue
            old = gradients.get(a)
            if old is None:
                gradients[a] = r
                if r is not g and r.base is None:
                    if trusted:
                        owned.add(a)
                elif r is g or r.base is g or r.base is g.base:
                    heirs += 1
                    heir = a
            elif a in owned and type(old) is ndarray:
                old += r
            else:
                self._sum(a, r, trusted and r is not g and r.base is None)
        if heirs == 1 and trusted and not lent and self._is_private(node) and gradients[heir].flags.writeable:
            owned.add(heir)

    def _is_private(self, node: Tensor) -> bool:
        """Tell whether the gradient that `pop` returned is nobody's but the caller's."""
        return node in self._owned and node not in self._kept

    def _sum(self, a: Tensor, r: Any, fresh: bool) -> None:
        """Add ``r`` to the gradient of ``a``; ``fresh`` says that nobody else holds r."""
        gradients, owned = self._gradients, self._owned
        old = gradients.get(a)
        if old is None:
            gradients[a] = r
            if fresh:
                owned.add(a)
        elif type(r) is ndarray and type(old) is ndarray:
            if a in owned:
                old += r
                return
            if fresh:
                r += old
            else:
                r = old + r
            gradients[a] = r
            owned.add(a)
        elif _is_indexed(r) or _is_indexed(old) or type(old) is list:
            self._add_indexed(a, old, r, fresh)
        else:
            gradients[a] = old + r
            owned.discard(a)

    def _add_indexed(self, a: Tensor, old: Any, r: Any, fresh: bool) -> None:
        gradients, owned = self._gradients, self._owned
        if type(r) is IndexedSlices and type(old) in (IndexedSlices, list):
            gradients[a] = [*old, r] if type(old) is list else [old, r]
            owned.discard(a)
            return
        if self._taped:
            gradients[a] = self._dense(old, a) + self._dense(r, a)
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
        gradients[a] = buffer
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

    def _dense(self, r: Any, a: Tensor) -> Any:
        """Return a gradient as one dense array."""
        if type(r) is list:
            r = _concatenated(r)
        if type(r) is IndexedCotangent:
            return r.dense()
        return r.to_dense() if type(r) is IndexedSlices else r

    def hand_out(self, ends: list[Tensor]) -> Any:
        """Return the sum of the gradients of the tensors that stand for a source, as arrays of its own; else None."""
        total: Any = None
        owned = False
        for leaf in ends:
            r = self._gradients.get(leaf)
            if r is None:
                continue
            mine = leaf in self._owned
            self._owned.discard(leaf)  # a source that is asked for twice gets a copy the second time
            if type(r) is list:
                r, mine = _concatenated(r), True
            if type(r) is IndexedCotangent:
                r, mine = r.dense(), True
            if total is None:
                total, owned = r, mine
            elif type(total) is IndexedSlices and type(r) is IndexedSlices:
                total, owned = _concatenated([r, total]), True
            else:
                total, owned = self._dense(total, leaf) + self._dense(r, leaf), True
        if total is None:
            return None
        return total if self._taped else _own(total, owned and len(ends) == 1)


def _is_indexed(r: Any) -> bool:
    return type(r) is IndexedSlices or type(r) is IndexedCotangent


def _is_fresh(r: Any, g: Any) -> bool:
    """Tell whether rows or parts are in an array of their own, not in ``g`` or a view of it."""
    return _is_indexed(r) and type(r.values) is ndarray and r.values is not g and r.values.base is None


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
