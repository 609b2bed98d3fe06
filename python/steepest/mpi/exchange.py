"""Sums over all micro-batches of a step, each made by the rank that owns the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base.allocation import empty
from ..base.typing import Array
from .gradients import Leaf, Rows, Values, add_rows, dense_rows, no_rows, opened, packed
from .layout import Layout, Piece
from .tree import Node, nodes_of, total
from .wire import Transfer, Wire, raw

__all__ = ["Exchange", "slices"]

_ALIGNED = 8  # bytes: each part of a message begins at such an address


class _Bucket(NamedTuple):
    """What this rank gets of a bucket that is under way."""

    pieces: Sequence[Piece]
    size: int  # elements
    lengths: Sequence[int]  # bytes of each node, by source
    transfer: Transfer


class Exchange:
    """The exchanges of gradients.

    Args:
        wire: to the other ranks.
        layout: who owns what.
        blocks: for each rank the first one of its micro-batches, and how many it has.
        compression: how a micro-batch's float32 gradients travel: None, "bfloat16" or "float16".
    """

    def __init__(
        self, wire: Wire, layout: Layout, blocks: Sequence[tuple[int, int]], compression: str | None = None
    ) -> None:
        self.wire, self.layout, self.compression = wire, layout, compression
        self.nodes = [nodes_of(first, count) for first, count in blocks]
        self.counted = False  # whether rows travel with how often they came

    # Dense ---------------------------------------------------------------------------------------

    def dense(self, mine: Sequence[Values], parameters: Sequence[int]) -> dict[int, Array]:
        """Return the sums of the rows that this rank owns: of each parameter a matrix.

        ``mine``: the values of this rank's nodes.
        """
        specs = self.layout.specs
        out = {p: empty((e - b, specs[p].width), specs[p].real) for p in parameters for b, e in [self._own(p)]}
        for real in (np.dtype(np.float32), np.dtype(np.float64)):
            members = [p for p in parameters if specs[p].real == real]
            before: _Bucket | None = None
            for pieces in self.layout.buckets(members, [real] * len(members)):
                bucket = self._sent(mine, pieces, real)
                if before is not None:  # it is added up while the next one is under way
                    self._sum(before, real, out)
                before = bucket
            if before is not None:
                self._sum(before, real, out)
        return out

    def _own(self, parameter: int) -> tuple[int, int]:
        return self.layout.owned(parameter, self.wire.rank)

    def _sent(self, mine: Sequence[Values], pieces: list[list[Piece]], real: np.dtype[Any]) -> _Bucket:
        """Pack a bucket and send it off."""
        rank = self.wire.rank
        sizes = [self.layout.size(part) for part in pieces]
        lengths = [
            [[self._length(size, real, level) for level, _ in nodes] for size in sizes] for nodes in self.nodes
        ]  # in bytes: by source, owner and node
        message = empty(sum(map(sum, lengths[rank])), np.uint8)
        places = slices(length for by_node in lengths[rank] for length in by_node)
        for part, size in zip(pieces, sizes, strict=True):
            for (level, _), values in zip(self.nodes[rank], mine, strict=True):
                self._pack(message[next(places)], part, values, size, real, level)
        sending, coming = [sum(by_node) for by_node in lengths[rank]], [sum(owners[rank]) for owners in lengths]
        transfer = self.wire.begin_exchange(message, sending, coming)
        return _Bucket(pieces[rank], sizes[rank], [length for owners in lengths for length in owners[rank]], transfer)

    def _sum(self, bucket: _Bucket, real: np.dtype[Any], out: dict[int, Array]) -> None:
        """Add up what comes of a bucket."""
        incoming, places = bucket.transfer.arrived(), slices(bucket.lengths)
        nodes = [
            Node(level, start, self._unpacked(incoming[next(places)], bucket.size, real, level))
            for source in self.nodes
            for level, start in source
        ]
        flat = total(nodes, lambda left, right: np.add(left, right, out=left))
        assert flat is not None
        at = 0
        for p, begin, end in bucket.pieces:
            first, count = self._own(p)[0], (end - begin) * self.layout.specs[p].width
            out[p][begin - first : end - first] = flat[at : at + count].reshape(end - begin, -1)
            at += count

    def _length(self, size: int, real: np.dtype[Any], level: int) -> int:
        """Return the bytes in a message of so many elements of a node."""
        return _aligned(size * (2 if self._packs(real, level) else real.itemsize))

    def _packs(self, real: np.dtype[Any], level: int) -> bool:
        return self.compression is not None and real == np.float32 and level == 0

    def _pack(
        self, out: Array, part: Sequence[Piece], values: Values, size: int, real: np.dtype[Any], level: int
    ) -> None:
        packs = self._packs(real, level)
        flat = empty(size, real) if packs else out[: size * real.itemsize].view(real)
        at = 0
        for p, begin, end in part:
            spec = self.layout.specs[p]
            count = (end - begin) * spec.width
            flat[at : at + count] = dense_rows(values[p], spec, begin, end).reshape(-1)
            at += count
        if packs:
            out[: 2 * size].view(np.uint16)[:] = packed(flat, str(self.compression))

    def _unpacked(self, message: Array, size: int, real: np.dtype[Any], level: int) -> Array:
        if self._packs(real, level):
            return opened(message[: 2 * size].view(np.uint16), str(self.compression))
        return message[: size * real.itemsize].view(real)

    # Rows ----------------------------------------------------------------------------------------

    def rows(self, mine: Sequence[Values], parameters: Sequence[int]) -> dict[int, Rows]:
        """Return the sums of the rows that this rank owns and that some micro-batch has."""
        if not parameters:
            return {}
        specs, ranks = self.layout.specs, range(self.wire.size)
        lots = [[[self._lot(values[p], p, owner) for p in parameters] for values in mine] for owner in ranks]
        counts = np.zeros((len(ranks), max(map(len, self.nodes)), len(parameters)), np.int64)
        for owner, by_node in enumerate(lots):
            for k, by_parameter in enumerate(by_node):
                counts[owner, k] = [lot.ids.size for lot in by_parameter]
        coming = self.wire.exchange_rows(counts)
        every = [lot for by_node in lots for by_parameter in by_node for lot in by_parameter]
        totals = [table.sum(axis=(1, 2)).tolist() for table in (counts, coming)]
        ids = self.wire.exchange(np.concatenate([np.empty(0, np.int64), *(lot.ids for lot in every)]), *totals)
        often = None
        if self.counted:
            parts = [lot.counts for lot in every if lot.counts is not None]
            often = self.wire.exchange(np.concatenate([np.empty(0, np.int32), *parts]), *totals)
        values = self._exchange_values(lots, coming, parameters)
        found: dict[int, list[Node[Rows]]] = {p: [] for p in parameters}
        at = 0
        for source, nodes in enumerate(self.nodes):
            for k, (level, start) in enumerate(nodes):
                for n, p in enumerate(parameters):
                    count = int(coming[source, k, n])
                    matrix = next(values).reshape(count, specs[p].width)
                    place = slice(at, at + count)
                    come = Rows(ids[place], matrix, None if often is None else often[place])
                    found[p].append(Node(level, start, come if count else None))
                    at += count
        return {p: total(nodes, add_rows) or no_rows(specs[p], self.counted) for p, nodes in found.items()}

    def _lot(self, leaf: Leaf, parameter: int, owner: int) -> Rows:
        spec = self.layout.specs[parameter]
        if leaf is None:
            return no_rows(spec)
        assert isinstance(leaf, Rows)
        first, last = np.searchsorted(leaf.ids, self.layout.owned(parameter, owner))
        counts = None if leaf.counts is None else leaf.counts[first:last]
        return Rows(leaf.ids[first:last], leaf.values[first:last].reshape(last - first, spec.width), counts)

    def _exchange_values(
        self, lots: list[list[list[Rows]]], coming: Array, parameters: Sequence[int]
    ) -> Iterator[Array]:
        """Yield the values that come, by source, node and parameter."""
        specs, rank = self.layout.specs, self.wire.rank
        parts: list[Array] = []
        outgoing: list[int] = []
        for by_node in lots:
            mine = [
                self._bytes_of(lot.values, specs[p].real, level)
                for (level, _), by_parameter in zip(self.nodes[rank], by_node, strict=True)
                for lot, p in zip(by_parameter, parameters, strict=True)
            ]
            parts += mine
            outgoing.append(sum(part.size for part in mine))
        expected = [
            [
                self._length(int(coming[source, k, n]) * specs[p].width, specs[p].real, level)
                for k, (level, _) in enumerate(nodes)
                for n, p in enumerate(parameters)
            ]
            for source, nodes in enumerate(self.nodes)
        ]
        incoming = self.wire.exchange(
            np.concatenate([np.empty(0, np.uint8), *parts]), outgoing, list(map(sum, expected))
        )
        places = slices(length for lengths in expected for length in lengths)
        for source, nodes in enumerate(self.nodes):
            for k, (level, _) in enumerate(nodes):
                for n, p in enumerate(parameters):
                    size = int(coming[source, k, n]) * specs[p].width
                    yield self._unpacked(incoming[next(places)], size, specs[p].real, level)

    def _bytes_of(self, values: Array, real: np.dtype[Any], level: int) -> Array:
        plain = raw(packed(values, str(self.compression)) if self._packs(real, level) else values)
        out = np.zeros(_aligned(plain.size), np.uint8)
        out[: plain.size] = plain
        return out

    # Rows that travel densely --------------------------------------------------------------------

    def masks(self, mine: Sequence[Values], parameters: Sequence[int]) -> dict[int, Array]:
        """Return which of the rows that this rank owns some micro-batch has: ids."""
        if not parameters:
            return {}
        specs, rank, ranks = self.layout.specs, self.wire.rank, range(self.wire.size)
        flags = {p: np.zeros(specs[p].rows, bool) for p in parameters}
        for values in mine:
            for p in parameters:
                leaf = values[p]
                if isinstance(leaf, Rows):
                    flags[p][leaf.ids] = True
        bounds = [[self.layout.owned(p, owner) for p in parameters] for owner in ranks]
        parts = [[np.packbits(flags[p][b:e]) for p, (b, e) in zip(parameters, of, strict=True)] for of in bounds]
        lengths = [sum(part.size for part in of_owner) for of_owner in parts]
        message = np.concatenate([part for of_owner in parts for part in of_owner])
        come = self.wire.exchange(message, lengths, [lengths[rank]] * len(ranks)).reshape(len(ranks), -1)
        joined = np.bitwise_or.reduce(come, axis=0)
        places = slices(part.size for part in parts[rank])
        return {
            p: begin + np.flatnonzero(np.unpackbits(joined[next(places)], count=end - begin))
            for p, (begin, end) in zip(parameters, bounds[rank], strict=True)
        }


def slices(lengths: Any) -> Iterator[slice]:
    """Yield the place of each part in a message of parts of these lengths."""
    at = 0
    for length in lengths:
        yield slice(at, at + length)
        at += length


def _aligned(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED
