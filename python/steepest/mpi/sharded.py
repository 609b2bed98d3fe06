"""A table of which every rank has some rows: no rank could hold the whole of it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtypes import code_of
from ..base.errors import describe, must
from ..base.typing import Array, ArrayLike, DTypeLike, Value
from ..ops.indexed_slices import check_rows
from ..ops.vjps.indexing import gather
from ..variables.sharded import Sharded
from ..variables.variable import Variable
from .layout import even_bounds
from .meeting import meeting_of
from .wire import raw

__all__ = ["Page", "ShardedVariable"]

_BLOCK = 1 << 14  # rows: an initializer is asked for so many at once


class Page(Variable):
    """The rows of a `ShardedVariable` that one lookup has fetched, each once: what a tape sees of the table."""

    __slots__ = ("ids", "table")

    table: ShardedVariable
    ids: Array


class ShardedVariable(Sharded):
    """A table [rows, width] of which each rank holds, and a `DistributedOptimizer` updates, a share of the rows.

    ``lookup`` fetches rows from their owners, and under a tape, as in ``minimize``, their gradients find the way back.
    All ranks must make a lookup together, a rank that needs nothing with no ids; a rank that waits in
    ``apply_gradients`` for the others' micro-batches takes part by itself. Slots lie beside the rows. Any optimizer
    that updates shards may train it, LAMB with the norms of the whole table and deferred Adam among them.

    Args:
        rows: how many rows; at least 1.
        width: elements in a row; at least 1.
        initializer: a number, or a function of ids [N] that returns their rows [N, width]; it is asked for ids from a
            multiple of 16,384 to the next one, so that a generator seeded by the first of them gives the same table on
            any number of ranks.
        dtype: float32, float64, float16 or bfloat16.
        name: the same on all ranks.
        comm: as for `DistributedOptimizer`, and the same.

    Raises:
        ImportError: without a communicator where mpi4py is not installed.
        TypeError: for another dtype, or an initializer whose rows do not convert.
        ValueError: for sizes that are not integers of at least 1, or rows of another shape.

    Example:
        >>> table = st.mpi.ShardedVariable(1000, 2, initializer=1.0, comm=comm)
        >>> opt = st.mpi.DistributedOptimizer(st.GradientDescentOptimizer(0.5), comm)
        >>> loss = opt.minimize(lambda: np.sum(table.lookup([7, 3, 7])))
        >>> table.lookup([3, 7, 8]).tolist()
        [[0.5, 0.5], [0.0, 0.0], [1.0, 1.0]]
    """

    trainable = True
    ndim = 2

    def __init__(
        self,
        rows: int,
        width: int,
        initializer: float | Callable[[Array], ArrayLike] = 0.0,
        dtype: DTypeLike = np.float32,
        name: str = "sharded",
        comm: Any = None,
    ) -> None:
        who = type(self).__name__
        self._meeting = meeting_of(who, comm)
        for argument, value in (("rows", rows), ("width", width)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(must(who, argument, "be an integer of at least 1", describe(value)))
        self.shape, self.dtype, self.name = (rows, width), np.dtype(dtype), str(name)
        if code_of(self.dtype) is None:
            raise TypeError(must(who, "dtype", "be float32, float64, float16 or bfloat16", describe(self.dtype)))
        wire = self._meeting.wire
        self.bounds = even_bounds(rows, width, wire.size)
        self.begin, self.end = self.bounds[wire.rank : wire.rank + 2]
        self.part = Variable._unlisted(self._first_values(initializer), True, self.name)
        itself = weakref.ref(self)

        def serve() -> None:
            table = itself()
            if table is None:
                raise RuntimeError(must(who, f"table {str(name)!r}", "be kept while others look it up", "none"))
            table._exchanged(np.empty(0, np.int64))

        self._key = self._meeting.offer(["lookup", self.name, self.shape, self.dtype.name], serve)

    def lookup(self, ids: ArrayLike) -> Value:
        """Return the rows ``ids``, of any shape S: an array of shape S + (width,), recorded where a tape records.

        Every rank must call it, in the same order where there are several tables, or wait in ``apply_gradients``.

        Args:
            ids: integers; of each rank its own.

        Raises:
            TypeError: for ids that are not integers.
            IndexError: for an id that is not a row.
            RankError: where another rank has raised or has ended.
        """
        try:
            wanted = self._checked(ids)
        except Exception as error:
            self._meeting.fail(error)
        distinct, places = np.unique(wanted, return_inverse=True)
        page = Page._unlisted(self._fetch(distinct), True, self.name)
        page.table, page.ids = self, distinct  # type: ignore[attr-defined]
        found: Value = gather(page, places.reshape(wanted.shape))
        return found

    def _checked(self, ids: ArrayLike) -> Array:
        wanted = np.asarray(ids)
        if not wanted.size:
            return np.empty(wanted.shape, np.int64)
        if wanted.dtype.kind not in "iu":
            raise TypeError(must(f"{self.name}.lookup", "ids", "be integers", describe(wanted.dtype)))
        wanted = wanted.astype(np.int64)
        check_rows(f"{self.name}.lookup", "ids", wanted, self.shape[0])
        return wanted

    def _fetch(self, distinct: Array) -> Array:
        """Return rows by their ascending ids, from their owners."""
        self._meeting.meet(self._key, (), [f"a lookup in {self.name!r} of shape {self.shape}"])
        if self._meeting.wire.size == 1:
            return self.part.rows(distinct)
        with self._meeting.inseparable():
            return self._exchanged(distinct)

    def _exchanged(self, distinct: Array) -> Array:
        wire = self._meeting.wire
        cuts = np.searchsorted(distinct, self.bounds)
        counts = np.diff(cuts).astype(np.int64)
        coming = wire.exchange_rows(counts.reshape(-1, 1)).reshape(-1)
        asked = wire.exchange(distinct, counts.tolist(), coming.tolist())
        size = self.shape[1] * self.dtype.itemsize
        rows = raw(self.part.rows(asked - self.begin))
        come = wire.exchange(rows, (coming * size).tolist(), (counts * size).tolist())
        found: Array = come.view(self.dtype).reshape(-1, self.shape[1])
        return found

    def _first_values(self, initializer: Any) -> Array:
        values = np.empty((self.end - self.begin, self.shape[1]), self.dtype)
        if not callable(initializer):
            values[...] = initializer
            return values
        for first in range(self.begin // _BLOCK * _BLOCK, self.end, _BLOCK):
            last = min(first + _BLOCK, self.shape[0])
            rows = np.asarray(initializer(np.arange(first, last)))
            if rows.shape != (last - first, self.shape[1]):
                rule = f"return rows of shape {(last - first, self.shape[1])}"
                raise ValueError(must(type(self).__name__, "initializer", rule, describe(rows)))
            begin, end = max(first, self.begin), min(last, self.end)
            values[begin - self.begin : end - self.begin] = rows[begin - first : end - first]
        return values

    def __repr__(self) -> str:
        return f"<ShardedVariable {self.name!r} shape={self.shape} dtype={self.dtype}, rows {self.begin} to {self.end}>"
