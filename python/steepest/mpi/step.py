"""One step of all ranks: they agree, add their gradients, and update, all of them or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import must
from ..base.typing import Array
from ..ops.indexed_slices import IndexedSlices
from ..optim.hooks.cow_clip import CountedSlices
from ..variables.variable import Variable
from .exchange import Exchange
from .gradients import Rows, Values, add_values, values_in
from .layout import Layout
from .meeting import Meeting
from .parts import Parts, leaves_rows_waiting
from .roster import Roster
from .shards import Shards
from .spread import spread, spread_rows
from .tree import Node, Nodes

__all__ = ["JointStep"]

_WHO = "apply_gradients"
_NONE, _DENSE = -1, -2


class JointStep:
    """The steps of an optimizer on all ranks.

    Args:
        parts: what there is of optimizers inside.
        meeting: of the ranks.
        roster: the parameters.
        blocks: for each rank the first one of its micro-batches, and how many it has.
        average: divide sums by the number of micro-batches.
        compression: None, or the half type that micro-batches are rounded to.
        sparse_as_dense: how rows travel: True, False or "auto".
        shards: True, False or "auto".
        bucket_bytes: how much is exchanged at once.
    """

    def __init__(
        self,
        parts: Parts,
        meeting: Meeting,
        roster: Roster,
        blocks: Sequence[tuple[int, int]],
        average: bool,
        compression: str | None,
        sparse_as_dense: bool | str,
        shards: bool | str,
        bucket_bytes: int,
    ) -> None:
        self.parts, self.meeting, self.roster, self.wire = parts, meeting, roster, meeting.wire
        self.average, self.sparse_as_dense, self._wants_shards = average, sparse_as_dense, shards
        self.layout = Layout(self.wire.size, bucket_bytes)
        self.exchange = Exchange(self.wire, self.layout, blocks, compression)
        self.shards: Shards | None = None
        self.steps = 0  # taken, or held back by a hook

    def agree(self, nodes: Sequence[Values], present: int) -> tuple[Array, Array]:
        """Return what each rank has: micro-batches; of each node and parameter nothing, all, or so many rows.

        Parameters that are new are shared out.

        Raises:
            RankError: where another rank cannot go on.
            ValueError: where nobody has a gradient; where ranks train different parameters, or by other numbers.
        """
        roster, most = self.roster, max(map(len, self.exchange.nodes))
        codes = np.full((most, len(roster.specs)), _NONE, np.int64)
        for k, values in enumerate(nodes):
            codes[k] = [_code(value) for value in values]
        numbers = [self.steps, present, *codes.reshape(-1).tolist()]
        with self.meeting.told():
            key, about = roster.of_step(self.parts.optimizer) if self.wire.size > 1 else (roster.key, roster.about)
        table = self.meeting.meet(key, numbers, about, waits=True)
        if (table[:, 0] != table[0, 0]).any():
            remedy = "restore a checkpoint on all of them"
            raise RuntimeError(must("steepest.mpi", "ranks", "have taken the same steps", str(table[:, 0]), remedy))
        if not table[:, 1].any():
            rule, remedy = "hold at least one gradient that is not None", "No gradients provided for any variable."
            raise ValueError(must(_WHO, "grads_and_vars", rule, "none on any rank", remedy))
        kinds = table[:, 2:].reshape(self.wire.size, most, len(roster.specs))
        if self.wire.size > 1 and len(roster.specs) > len(self.layout.specs):
            roster.check_values(self.meeting, len(self.layout.specs))
        self._share_out(kinds)
        return table[:, 1], kinds

    def adopt(self, targets: Sequence[Any]) -> None:
        """Share out parameters whose state is about to be restored; all ranks must, and in the same order."""
        try:
            with self.meeting.told():
                self.roster.meet(targets, in_step=False)
            self.meeting.meet(self.roster.key, (), self.roster.about)
            self._share_out(np.full((1, 1, len(self.roster.specs)), _NONE))
        except BaseException:
            self.roster.forget()
            raise

    def _share_out(self, kinds: Array) -> None:
        known = len(self.layout.specs)
        new = self.roster.specs[known:]
        sharded = any(spec.sharded for spec in self.roster.specs)
        if sharded:
            self.parts.check_shards(self.roster.specs)
        if known == 0 and self._in_shards(sharded):
            self.shards = Shards(self.parts, self.roster, self.layout, self.meeting)
        if sharded and self.shards is None:
            rule, remedy = "have shards where one of its tables has", "shards=True"
            raise TypeError(must("DistributedOptimizer", "optimizer", rule, "shards=False", remedy))
        if self.shards is not None:
            replicas = [(p, spec) for p, spec in enumerate(self.roster.specs) if not spec.sharded]
            rows = [
                spec.name
                for p, spec in replicas
                if (kinds[:, :, p] >= 0).any() and leaves_rows_waiting(self.parts.of(spec))
            ]
            if rows:
                rule = "be a ShardedVariable for rows that wait for their update on shards"
                raise TypeError(must("DistributedOptimizer", f"variable {rows[0]!r}", rule, "another", "shards=False"))
        if new:
            self.layout.add(new, [self.shards is not None and self.parts.needs_whole(spec) for spec in new])
            if self.shards is not None:
                self.shards.add(self.roster.targets[known:])
        self.roster.agree()

    def _in_shards(self, sharded: bool) -> bool:
        if self._wants_shards != "auto":
            return bool(self._wants_shards) and (self.wire.size > 1 or sharded)
        if sharded:
            return True
        able = self.parts.why_not_shards() is None and not any(map(leaves_rows_waiting, self.parts.every))
        return able and self.wire.size > 1

    # What is agreed ------------------------------------------------------------------------------

    def take(self, nodes: Sequence[Values], counts: Array, kinds: Array, step: Variable | None) -> None:
        """Add what all ranks have, and update."""
        self.steps += 1
        some = [p for p in self.roster.order if (kinds[:, :, p] != _NONE).any()]
        dense = [p for p in some if (kinds[:, :, p] == _DENSE).any()]
        rows = [p for p in some if p not in dense]
        with self.meeting.inseparable():
            sums = self._whole_here(nodes, some) if self.wire.size == 1 else self._sums(nodes, dense, rows, kinds)
            count = int(counts.sum()) if self.average else 1
            sums = {p: _divided(sums[p], count) for p in some}
            if self.shards is None and self.wire.size > 1:
                sums = self._gathered(sums)
        if self.shards is None:
            self._apply_everywhere(sums, step)
        else:
            self.shards.apply(sums, step)

    def _whole_here(self, nodes: Sequence[Values], some: Sequence[int]) -> dict[int, Array | Rows]:
        specs = self.roster.specs
        joined: Nodes[Values] = Nodes(lambda left, right: add_values(left, right, specs))
        for (level, start), values in zip(self.exchange.nodes[0], nodes, strict=True):
            joined.push(Node(level, start, values))
        found = joined.total()
        assert found is not None
        sums = {p: found[p] for p in some}
        return {
            p: value.reshape(specs[p].rows, specs[p].width)
            if isinstance(value, np.ndarray)
            else value._replace(values=value.values.reshape(-1, specs[p].width))
            for p, value in sums.items()
            if value is not None
        }

    def _sums(
        self, nodes: Sequence[Values], dense: Sequence[int], rows: Sequence[int], kinds: Array
    ) -> dict[int, Array | Rows]:
        densely = [p for p in rows if self._travels_densely(p, kinds[:, :, p])]
        plainly = [p for p in rows if p not in densely]
        matrices = self.exchange.dense(nodes, sorted([*dense, *densely]))
        ids = self.exchange.masks(nodes, densely)
        sums: dict[int, Array | Rows] = {**matrices, **self.exchange.rows(nodes, plainly)}
        for p in densely:
            begin = self.layout.owned(p, self.wire.rank)[0]
            sums[p] = Rows(ids[p], matrices[p][ids[p] - begin])
        return sums

    def _travels_densely(self, p: int, counts: Array) -> bool:
        """Tell whether a table's rows cost more bytes as ids and rows than the whole of it, for all ranks together."""
        if self.exchange.counted:
            return False
        spec = self.roster.specs[p]
        if spec.sharded or self.sparse_as_dense != "auto":
            return bool(self.sparse_as_dense) and not spec.sharded
        row = spec.width * spec.real.itemsize
        nodes = sum(map(len, self.exchange.nodes))
        as_rows = int(np.maximum(counts, 0).sum()) * (8 + row)
        return as_rows > nodes * spec.rows * row + self.wire.size * spec.rows // 8

    def _gathered(self, sums: dict[int, Array | Rows]) -> dict[int, Array | Rows]:
        """Return the owners' sums as those of whole parameters, on every rank."""
        specs, rank = self.roster.specs, self.wire.rank
        wholes: dict[int, Array] = {}
        for p, value in sums.items():
            if not isinstance(value, Rows):
                begin, end = self.layout.owned(p, rank)
                wholes[p] = np.empty((specs[p].rows, specs[p].width), value.dtype)
                wholes[p][begin:end] = value
        spread(self.wire, self.layout, wholes)
        parts: dict[int, tuple[Array, ...]] = {
            p: tuple(array for array in value if array is not None)
            for p, value in sums.items()
            if isinstance(value, Rows)
        }
        rows = spread_rows(self.wire, parts)
        return {p: Rows(*rows[p]) if p in rows else wholes[p] for p in sums}

    def _apply_everywhere(self, gradients: dict[int, Array | Rows], step: Variable | None) -> None:
        pairs: list[Any] = []
        for p in self.roster.order:
            value, spec, target = gradients.get(p), self.roster.specs[p], self.roster.targets[p]
            if isinstance(value, Rows):
                matrix = value.values.reshape(-1, *spec.shape[1:])
                rows = IndexedSlices(matrix, value.ids, spec.shape)
                pairs.append((rows if value.counts is None else CountedSlices(rows, value.counts), target))
            else:
                pairs.append((None if value is None else value.reshape(spec.shape), target))
        try:
            self.parts.optimizer.apply_gradients(pairs, step)
        except BaseException:
            self.steps -= 1  # where it is this rank's alone, the next step is refused by all
            raise


def _code(value: Any) -> int:
    if value is None:
        return _NONE
    return value.ids.size if isinstance(value, Rows) else _DENSE


def _divided(value: Array | Rows, count: int) -> Array | Rows:
    """Divide a sum in place; one of a single micro-batch may be the caller's own array, and is left as it is."""
    values = values_in(value)
    if count != 1:
        np.divide(values, values.dtype.type(count), out=values)
    return value
