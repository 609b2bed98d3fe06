"""Who owns what: each rank some rows of each parameter, of all parameters about as many bytes as the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

__all__ = ["CHUNK", "Bounds", "Layout", "Piece", "Spec", "even_bounds"]

CHUNK = 4096
"""Elements in one sum of a norm (kNormChunk of the native core): shares begin at such a number of elements."""

Bounds = tuple[int, ...]
"""Where the rows of each rank begin, and the number of rows: rank r has rows ``bounds[r]`` to ``bounds[r + 1]``."""


class Spec(NamedTuple):
    """What ranks must agree on of a parameter."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    sharded: bool = False  # no rank has the whole of it
    part: int | None = None  # which of several optimizers updates it

    @property
    def rows(self) -> int:
        """The length of the first axis; 1 for a scalar."""
        return self.shape[0] if self.shape else 1

    @property
    def width(self) -> int:
        """Elements in a row."""
        return math.prod(self.shape[1:])

    @property
    def real(self) -> np.dtype[Any]:
        """The type of the arithmetic, in which gradients are summed."""
        return np.dtype(np.float64 if self.dtype == "float64" else np.float32)

    def __str__(self) -> str:
        sharded = ", sharded" if self.sharded else ""
        group = "" if self.part is None else f", in groups[{self.part}]"
        return f"{self.name!r} of shape {self.shape} and {self.dtype}{sharded}{group}"


class Piece(NamedTuple):
    """Some rows of a parameter."""

    parameter: int
    begin: int
    end: int


def even_bounds(rows: int, width: int, ranks: int) -> Bounds:
    """Return the bounds of a table of which each rank has about as many rows as the others."""
    unit = _unit(width)
    return (*(min(rows, round(rows * rank / ranks / unit) * unit) for rank in range(ranks)), rows)


def _unit(width: int) -> int:
    """Return the rows between two places where a share may begin."""
    return CHUNK // math.gcd(CHUNK, max(1, width))


class Layout:
    """The rows of each rank, for a list of parameters that may grow; what is owned stays with its owner.

    Args:
        ranks: how many there are.
        bucket_bytes: how many bytes of gradient are exchanged at once, more or less: a message has half of them, and is
            under way while the one before is added up.
    """

    def __init__(self, ranks: int, bucket_bytes: int) -> None:
        self.ranks = ranks
        self.bucket_bytes = bucket_bytes
        self.specs: list[Spec] = []
        self.bounds: list[Bounds] = []
        self._loads = [0] * ranks

    def add(self, specs: Sequence[Spec], uncut: Sequence[bool] = ()) -> None:
        """Share out more parameters; what must not be cut, or is too small, goes to one rank as a whole."""
        sizes = [spec.rows * spec.width * spec.real.itemsize for spec in specs]
        bounds = {k: even_bounds(s.rows, s.width, self.ranks) for k, s in enumerate(specs) if s.sharded}
        large = [k for k, s in enumerate(specs) if not s.sharded and s.rows > _unit(s.width)]
        shared = [k for k in large if not (uncut and uncut[k])]
        alone = [k for k, s in enumerate(specs) if not s.sharded and k not in shared]
        for k in sorted(alone, key=lambda k: (-sizes[k], k)):
            owner = min(range(self.ranks), key=lambda rank: (self._loads[rank], rank))
            self._loads[owner] += sizes[k]
            bounds[k] = tuple(0 if rank <= owner else specs[k].rows for rank in range(self.ranks + 1))
        bounds |= self._split([(k, specs[k], sizes[k]) for k in shared])
        self.specs += specs
        self.bounds += [bounds[k] for k in range(len(specs))]

    def _split(self, tables: list[tuple[int, Spec, int]]) -> dict[int, Bounds]:
        """Cut tables, one after the other, where each rank has as much as the others."""
        level = _water_level(self._loads, sum(size for _, _, size in tables))
        ends = np.cumsum([0.0, *(max(0.0, level - load) for load in self._loads)]).tolist()
        bounds: dict[int, Bounds] = {}
        start = 0
        for key, spec, size in tables:
            unit, rows = _unit(spec.width), spec.rows
            cuts = [min(rows, round(max(0.0, end - start) / size * rows / unit) * unit) for end in ends[1:-1]]
            bounds[key] = (0, *cuts, rows)
            for rank in range(self.ranks):
                self._loads[rank] += (bounds[key][rank + 1] - bounds[key][rank]) * (size // rows)
            start += size
        return bounds

    def owned(self, parameter: int, rank: int) -> tuple[int, int]:
        """Return the first row of a rank, and the row after its last one."""
        return self.bounds[parameter][rank], self.bounds[parameter][rank + 1]

    def owners(self, parameter: int) -> list[int]:
        """Return the ranks that have rows of a parameter."""
        bounds = self.bounds[parameter]
        return [rank for rank in range(self.ranks) if bounds[rank] < bounds[rank + 1]]

    def buckets(self, parameters: Sequence[int], dtypes: Sequence[np.dtype[Any]]) -> list[list[list[Piece]]]:
        """Return what one message has, bucket by bucket: for each rank the pieces that it owns.

        ``dtypes``: of the parameters' elements.
        """
        limit = max(1, self.bucket_bytes // 2 // self.ranks)
        sizes = [self.specs[p].width * dtype.itemsize for p, dtype in zip(parameters, dtypes, strict=True)]
        by_rank = [
            _cut([(p, *self.owned(p, rank), size) for p, size in zip(parameters, sizes, strict=True)], limit)
            for rank in range(self.ranks)
        ]
        count = max(map(len, by_rank), default=0)
        return [[pieces[k] if k < len(pieces) else [] for pieces in by_rank] for k in range(count)]

    def size(self, pieces: Sequence[Piece]) -> int:
        """Return the number of elements in some pieces."""
        return sum((piece.end - piece.begin) * self.specs[piece.parameter].width for piece in pieces)


def _cut(owned: list[tuple[int, int, int, int]], limit: int) -> list[list[Piece]]:
    """Cut (parameter, begin, end, bytes in a row) into lists of pieces of at most ``limit`` bytes, or of one row."""
    lists: list[list[Piece]] = [[]]
    room = limit
    for parameter, begin, end, width in owned:
        while begin < end:
            rows = min(end - begin, max(room // max(1, width), 0 if lists[-1] else 1))
            if rows == 0:
                lists.append([])
                room = limit
                continue
            lists[-1].append(Piece(parameter, begin, begin + rows))
            room -= rows * width
            begin += rows
    return lists


def _water_level(loads: Sequence[int], todo: int) -> float:
    """Return the load of each rank once ``todo`` has been given to those that have least."""
    ordered = sorted(loads)
    levels = ((sum(ordered[:k]) + todo) / k for k in range(1, len(ordered) + 1))
    return next(level for level, above in zip(levels, [*ordered[1:], float("inf")], strict=True) if level <= above)
