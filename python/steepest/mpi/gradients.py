"""What one micro-batch, or the sum of some, gives for each parameter: nothing, a dense gradient, or rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from .. import _core
from ..base.allocation import empty
from ..base.dtypes import code_of
from ..base.typing import Array
from .layout import Spec

__all__ = [
    "Leaf",
    "Rows",
    "Values",
    "add_rows",
    "add_values",
    "dense_rows",
    "no_rows",
    "opened",
    "packed",
    "padded",
    "rounded",
    "summed",
    "values_in",
    "with_values",
]

_WHO = "apply_gradients"
_AT_ONCE = 1 << 15  # elements: what is converted at once stays in the cache


class Rows(NamedTuple):
    """Some rows of a gradient: unique ascending ids, a row of values for each, and perhaps how often it came."""

    ids: Array
    values: Array
    counts: Array | None = None  # int32


Leaf: TypeAlias = "Array | Rows | None"
"""What there is of one parameter."""

Values: TypeAlias = "list[Leaf]"
"""What there is of each parameter."""


def rounded(values: Array, compression: str | None) -> Array:
    """Return float32 values that are numbers of a half type, as they would come out of a wire of such."""
    if compression is None or values.dtype != np.float32:
        return values
    with np.errstate(over="ignore"):
        return opened(packed(values, compression), compression)


def packed(values: Array, compression: str) -> Array:
    """Return float32 values as 16 bits each, rounded to the nearest, ties to even."""
    if compression == "float16":
        half: Array = values.astype(np.float16).view(np.uint16)
        return half
    flat, out = values.reshape(-1), empty(values.size, np.uint16)
    for first in range(0, flat.size, _AT_ONCE):
        _round_off(flat[first : first + _AT_ONCE], out[first : first + _AT_ONCE])
    return out.reshape(values.shape)


def _round_off(values: Array, out: Array) -> None:
    bits = values.view(np.uint32)
    high = bits >> 16
    sums = high & 1
    sums += 0x7FFF
    sums += bits
    sums >>= 16
    out[...] = sums
    nans = np.isnan(values)
    if nans.any():  # rounding may carry a NaN over into an infinity
        out[nans] = high[nans] | 0x40


def opened(bits: Array, compression: str) -> Array:
    """Return what `packed` has packed, as float32."""
    if compression == "float16":
        return bits.view(np.float16).astype(np.float32)
    flat, out = bits.reshape(-1), empty(bits.size, np.uint32)
    for first in range(0, flat.size, _AT_ONCE):
        wide = out[first : first + _AT_ONCE]
        wide[...] = flat[first : first + _AT_ONCE]
        wide <<= 16
    values: Array = out.view(np.float32).reshape(bits.shape)
    return values


def add_values(left: Values, right: Values, specs: Sequence[Spec]) -> Values:
    """Return the sums, parameter by parameter, as new arrays; lists may end before the last parameter."""
    longest = max(len(left), len(right))
    lists = (padded(values, longest) for values in (left, right))
    return [_sum(a, b, spec) for a, b, spec in zip(*lists, specs, strict=False)]


def padded(values: Values | None, count: int) -> Values:
    """Return a list of so many entries; there is nothing of those that were missing."""
    some = values or []
    return [*some, *[None] * (count - len(some))]


def _sum(left: Leaf, right: Leaf, spec: Spec) -> Leaf:
    if left is None or right is None:
        return right if left is None else left
    if isinstance(left, Rows) and isinstance(right, Rows):
        return add_rows(left, right)
    return np.asarray(whole(left, spec) + whole(right, spec))


def no_rows(spec: Spec, counted: bool = False) -> Rows:
    """Return no rows of a parameter."""
    counts = np.empty(0, np.int32) if counted else None
    return Rows(np.empty(0, np.int64), np.empty((0, spec.width), spec.real), counts)


def add_rows(left: Rows, right: Rows) -> Rows:
    """Return the sum of two lots of rows; a row that only one of them has stays as it is."""
    if not (left.ids.size and right.ids.size):
        return left if left.ids.size else right
    joined = np.concatenate([left.values, right.values])
    ids, sums = summed(joined, np.concatenate([left.ids, right.ids]), int(max(left.ids[-1], right.ids[-1])) + 1)
    return Rows(ids, sums, _added(ids, left, right))


def _added(ids: Array, left: Rows, right: Rows) -> Array | None:
    if left.counts is None or right.counts is None:
        return None
    counts = np.zeros(ids.size, np.int32)
    for some, often in ((left.ids, left.counts), (right.ids, right.counts)):
        counts[np.searchsorted(ids, some)] += often
    return counts


def values_in(gradient: Array | Rows) -> Array:
    """Return the values of rows, or the dense gradient itself."""
    return gradient.values if isinstance(gradient, Rows) else gradient


def with_values(gradient: Array | Rows, values: Array) -> Array | Rows:
    """Return other values in the form of a gradient."""
    return gradient._replace(values=values) if isinstance(gradient, Rows) else values


def summed(values: Array, ids: Array, rows: int) -> tuple[Array, Array]:
    """Return the unique ids, ascending, and the sums of their values in the order in which they come."""
    code = code_of(values.dtype)
    assert code is not None
    unique, sums = _core.sum_duplicates(_WHO, code, values, np.ascontiguousarray(ids), rows)
    return unique.astype(np.int64, copy=False), sums


def whole(leaf: Array | Rows, spec: Spec) -> Array:
    """Return a dense gradient; rows that are not there get -0.0, which changes nothing that it is added to."""
    return dense_rows(leaf, spec, 0, spec.rows).reshape(spec.shape)


def dense_rows(leaf: Leaf, spec: Spec, begin: int, end: int) -> Array:
    """Return rows ``begin`` to ``end`` as a dense matrix; what is not there is -0.0."""
    if isinstance(leaf, np.ndarray):
        part: Array = leaf.reshape(spec.rows, spec.width)[begin:end]
        return part
    out = np.full((end - begin, spec.width), -0.0, spec.real)
    if leaf is not None:
        first, last = np.searchsorted(leaf.ids, [begin, end])
        out[leaf.ids[first:last] - begin] = leaf.values[first:last].reshape(last - first, spec.width)
    return out
