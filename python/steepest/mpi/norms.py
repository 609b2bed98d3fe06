"""Norms of gradients whose rows several ranks have, with the bits of the native core's on the whole gradient.

The core sums squares in float64 by chunks of 4,096 elements of the parameter, each in eight lanes, and adds the chunks'
sums in order (``kernel/norms.hpp``, ``src/norm_parts.hpp``). Shares of ranks are whole chunks, so that each rank sums
its own and all ranks add the same numbers in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..base.typing import Array
from .exchange import slices
from .gradients import Rows
from .layout import CHUNK
from .wire import Wire

__all__ = ["combined", "norms", "roots"]

_LANES = 8
_AT_ONCE = 64  # chunks: what is widened to float64 at once stays in the cache
_TINY = 1e-200


def norms(wire: Wire, gradients: Sequence[Array | Rows]) -> list[float]:
    """Return the norm of each gradient, of which every rank has some rows: a matrix, or rows with the ids of the whole.

    A rank's first row of a matrix begins with a chunk.
    """

    def sums(scales: Sequence[float]) -> list[Array]:
        with np.errstate(over="ignore", invalid="ignore"):
            return [_chunk_sums(gradient, scale) for gradient, scale in zip(gradients, scales, strict=True)]

    return roots(wire, [_values(gradient).dtype == np.float64 for gradient in gradients], sums)


def roots(wire: Wire, wide: Sequence[bool], sums: Callable[[Sequence[float]], Sequence[Array]]) -> list[float]:
    """Return the norms of arrays of which every rank has some chunks.

    Args:
        wire: to the other ranks.
        wide: of each array whether it is float64, whose squares may vanish or overflow.
        sums: returns of each array the sums of squares of this rank's chunks, elements times a scale for each array.
    """
    scales = [1.0] * len(wide)
    totals = _totals(wire, sums(scales))
    for k, total in enumerate(totals):
        if wide[k] and not (total >= _TINY and math.isfinite(total)):
            scales[k] = math.ldexp(1.0, 600 if total < _TINY else -600)
    if any(scale != 1 for scale in scales):
        totals = _totals(wire, sums(scales))
    return [math.sqrt(total) / scale if total == total else total for total, scale in zip(totals, scales, strict=True)]


def combined(each: Sequence[float]) -> float:
    """Return the common norm of gradients with these norms, without overflow; NaN where one is."""
    if any(math.isnan(norm) for norm in each):
        return math.nan
    largest = max(each, default=0.0)
    if largest == 0 or math.isinf(largest):
        return largest
    scale = math.ldexp(1.0, math.frexp(largest)[1] - 1)
    squares = 0.0
    for norm in each:
        squares += (norm / scale) * (norm / scale)
    return math.sqrt(squares) * scale


def _totals(wire: Wire, parts: Sequence[Array]) -> list[float]:
    """Return the sums of all ranks' parts, each in the order of the chunks."""
    counts = wire.all_gather(np.array([part.size for part in parts], np.int64)).tolist()
    come = wire.all_gather_parts(np.concatenate([np.empty(0), *parts]), [sum(of) for of in counts])
    places = list(slices(count for of in counts for count in of))
    whole = [np.concatenate([come[place] for place in places[k :: len(parts)]]) for k in range(len(parts))]
    with np.errstate(over="ignore", invalid="ignore"):
        return [float(np.cumsum(sums)[-1]) if sums.size else 0.0 for sums in whole]  # cumsum adds in order


def _chunk_sums(gradient: Array | Rows, scale: float) -> Array:
    values = _values(gradient)
    if not isinstance(gradient, Rows):
        flat = values.reshape(-1)
        full = flat.size // CHUNK
        sums = [_add_lanes(_lanes(flat[:0], scale))]
        for first in range(0, full, _AT_ONCE):
            last = min(full, first + _AT_ONCE)
            sums.append(_add_lanes(_lanes(flat[first * CHUNK : last * CHUNK], scale)))
        if flat.size > full * CHUNK:
            rest = np.zeros(CHUNK, flat.dtype)
            rest[: flat.size - full * CHUNK] = flat[full * CHUNK :]
            sums.append(_add_lanes(_lanes(rest, scale)))
        return np.concatenate(sums)
    width = values.shape[1]
    elements = (gradient.ids[:, None] * width + np.arange(width)).reshape(-1)
    chunks, places = np.unique(elements // CHUNK, return_inverse=True)
    squares = _squares(values.reshape(-1), scale)
    lanes = np.bincount(places.reshape(-1) * _LANES + elements % _LANES, squares, chunks.size * _LANES)  # in order
    return _add_lanes(lanes.reshape(-1, _LANES))


def _squares(values: Array, scale: float) -> Array:
    wide = values.astype(np.float64)
    if scale != 1:
        wide *= scale
    wide *= wide
    return wide


def _lanes(flat: Array, scale: float) -> Array:
    """Return the sums of squares of whole chunks, eight for each."""
    lanes: Array = np.add.reduce(_squares(flat, scale).reshape(-1, CHUNK // _LANES, _LANES), axis=1)
    return lanes


def _add_lanes(lanes: Array) -> Array:
    pairs = lanes[:, 0::2] + lanes[:, 1::2]
    halves = pairs[:, 0::2] + pairs[:, 1::2]
    sums: Array = halves[:, 0] + halves[:, 1]
    return sums


def _values(gradient: Array | Rows) -> Array:
    return gradient.values if isinstance(gradient, Rows) else gradient
