"""What the owners of rows have, sent to every rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.allocation import empty
from ..base.typing import Array
from .exchange import slices
from .layout import Layout, Piece
from .wire import Transfer, Wire, raw

__all__ = ["spread", "spread_rows"]


def spread(wire: Wire, layout: Layout, wholes: dict[int, Array]) -> None:
    """Write the rows of every owner into the others' copies of parameters; an owner's own are in its copy already.

    Args:
        wire: to the other ranks.
        layout: who owns what.
        wholes: by position arrays of the parameters' shapes, of any type.
    """
    flat = {p: whole.reshape(layout.specs[p].rows, layout.specs[p].width) for p, whole in wholes.items()}
    before: tuple[list[list[Piece]], Transfer] | None = None
    for pieces in layout.buckets(list(wholes), [whole.dtype for whole in wholes.values()]):
        message = _joined([raw(flat[p][begin:end]) for p, begin, end in pieces[wire.rank]])
        counts = [sum(flat[p][b:e].nbytes for p, b, e in part) for part in pieces]
        transfer = wire.begin_gather(message, counts)
        if before is not None:  # it is unpacked while the next bucket is under way
            _unpack(*before, flat, wire.rank)
        before = pieces, transfer
    if before is not None:
        _unpack(*before, flat, wire.rank)


def _unpack(pieces: list[list[Piece]], transfer: Transfer, flat: dict[int, Array], rank: int) -> None:
    come, at = transfer.arrived(), 0
    for owner, part in enumerate(pieces):
        for p, begin, end in part:
            rows = flat[p][begin:end]
            if owner != rank:
                rows[...] = come[at : at + rows.nbytes].view(rows.dtype).reshape(rows.shape)
            at += rows.nbytes


def _joined(parts: Sequence[Array]) -> Array:
    """Return bytes one after the other; those of a single part where they are."""
    if len(parts) == 1:
        return parts[0]
    out = empty(sum(part.size for part in parts), np.uint8)
    for place, part in zip(slices(part.size for part in parts), parts, strict=True):
        out[place] = part
    return out


def spread_rows(wire: Wire, parts: dict[int, tuple[Array, ...]]) -> dict[int, tuple[Array, ...]]:
    """Return the (ids, values), or what else there is for each id, of all owners, one after the other, by parameter."""
    if not parts:
        return {}
    counts = wire.all_gather(np.array([arrays[0].size for arrays in parts.values()], np.int64))
    columns = [_spread_arrays(wire, column, counts) for column in zip(*parts.values(), strict=True)]
    return dict(zip(parts, zip(*columns, strict=True), strict=True))


def _spread_arrays(wire: Wire, arrays: Sequence[Array], counts: Array) -> list[Array]:
    """``counts``: rows by rank and array."""
    sizes = [array.itemsize * int(np.prod(array.shape[1:], dtype=np.int64)) for array in arrays]
    lengths = (counts * np.array(sizes, np.int64)).tolist()
    come = wire.all_gather_parts(_joined([raw(array) for array in arrays]), [sum(of) for of in lengths])
    places = list(slices(length for of in lengths for length in of))
    return [
        np.concatenate([come[place] for place in places[k :: len(arrays)]])
        .view(array.dtype)
        .reshape(-1, *array.shape[1:])
        for k, array in enumerate(arrays)
    ]
