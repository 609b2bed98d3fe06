"""Products of the rows of segments, whose slopes of any order hold where elements are zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive, also_complex

__all__ = ["product_of_rows"]


def product_of_rows(x: Any, where: Any, size: int) -> Any:
    """Return for each of ``size`` segments the product of its rows; ``where`` says to which one each row belongs."""
    return apply(_PRODUCTS, (x, where, size))


def _multiplied(x: Any, where: Any, size: int) -> Any:
    out = np.ones((size, *x.shape[1:]), x.dtype)
    np.multiply.at(out, where, x)
    return out


def _product_of_others(x: Any, where: Any, size: int) -> Any:
    """Return for each row the product of its segment's other rows, also where elements are zero."""
    is_zero = np.equal(unwrap(x), 0)
    zeros = np.zeros((size, *is_zero.shape[1:]), np.int64)
    np.add.at(zeros, where, is_zero)
    others_are_not_zero = np.equal(zeros[where], is_zero)
    without_zeros = np.where(is_zero, np.ones((), x.dtype), x)
    products = product_of_rows(without_zeros, where, size)[where] / without_zeros
    known = np.where(others_are_not_zero, products, np.zeros((), x.dtype))
    if unwrap(x) is x or not is_zero.any():
        return known
    # A slope of this by an element that is zero goes through the products of which it makes zeros.
    return _by_rounds(x, where, zeros.reshape(size, -1).any(axis=1), known)


def _by_rounds(x: Any, where: Any, chosen: Any, known: Any) -> Any:
    """Return the products of others for the rows of chosen segments, each as what comes before it times what follows.

    Other rows have what is ``known``.
    """
    rows = np.flatnonzero(chosen[where])
    segments = np.cumsum(chosen)[where[rows]] - 1
    order = np.argsort(segments, kind="stable")
    begins = np.searchsorted(segments[order], segments, side="left")
    places = np.empty_like(order)
    places[order] = np.arange(len(rows))
    places -= begins
    table = np.full((places.max() + 1, int(chosen.sum())), len(x))  # of the rows; behind the last one is a row of ones
    table[places, segments] = rows
    padded = np.concatenate([x, np.ones((1, *x.shape[1:]), x.dtype)])
    columns = [padded[each] for each in table]
    one = np.ones(columns[0].shape, x.dtype)
    before, after = [one], [one]
    for column, last in zip(columns[:-1], columns[:0:-1], strict=True):
        before.append(before[-1] * column)
        after.append(last * after[-1])
    others = np.stack([one * other for one, other in zip(before, reversed(after), strict=True)])
    within = np.zeros(len(where), bool)
    within[rows] = True
    place, segment = np.zeros((2, len(where)), np.int64)
    place[rows], segment[rows] = places, segments
    return np.where(within.reshape(-1, *[1] * (x.ndim - 1)), others[place, segment], known)


_PRODUCTS = Primitive(_multiplied, (lambda g, y, x, where, size: g[where] * _product_of_others(x, where, size),))
also_complex(_PRODUCTS)
