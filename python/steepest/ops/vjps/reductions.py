"""Derivatives of NumPy's reductions. Elements that tie for a maximum or minimum share the gradient equally."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from ..dispatch import apply, conjugated, unwrap
from ..registry import PRIMITIVES, defvjp

# The arguments are at NumPy's places; ``out`` is always None.
defvjp(
    np.sum, lambda g, y, x, axis=None, dtype=None, out=None, keepdims=False: _spread(g, x, axis, keepdims), linear=True
)
defvjp(
    np.mean,
    lambda g, y, x, axis=None, dtype=None, out=None, keepdims=False: _spread(g / count_of(x, axis), x, axis, keepdims),
    linear=True,
)
defvjp(
    np.prod,
    lambda g, y, x, axis=None, dtype=None, out=None, keepdims=False: _spread(g, x, axis, keepdims) * _others(x, axis),
)
_EXTREME = lambda g, y, x, axis=None, out=None, keepdims=False: _shared(g, y, x, axis, keepdims)  # noqa: E731
defvjp(np.max, _EXTREME)
defvjp(np.min, _EXTREME)
defvjp(np.amax, _EXTREME)
defvjp(np.amin, _EXTREME)
defvjp(
    np.var,
    lambda g, y, x, axis=None, dtype=None, out=None, ddof=0, keepdims=False: (
        _spread(g * (2 / (count_of(x, axis) - ddof)), x, axis, keepdims) * conjugated(_centred(x, axis))
    ),
)
defvjp(
    np.std,
    lambda g, y, x, axis=None, dtype=None, out=None, ddof=0, keepdims=False: (
        _spread(g / ((count_of(x, axis) - ddof) * _nonzero(y)), x, axis, keepdims) * conjugated(_centred(x, axis))
    ),
)
defvjp(np.cumsum, lambda g, y, x, axis=None, dtype=None, out=None: _cumsum_back(g, x, axis), linear=True)


_SMALL = 4096  # elements up to which filling an array takes less time than making a broadcast view


def axes_of(x: Any, axis: Any) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(x.ndim))
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return tuple(int(a) % x.ndim if x.ndim else 0 for a in axes) if x.ndim else ()


def count_of(x: Any, axis: Any) -> int:
    if axis is None:
        return x.size  # type: ignore[no-any-return]
    count = 1
    for a in axes_of(x, axis):
        count *= x.shape[a]
    return count


def _with_axes(value: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    """Give a reduction's result the reduced axes back, with length 1."""
    if x.ndim == 0 or (keepdims and keepdims is not np._NoValue):
        return value
    if axis is None:
        return value.reshape((1,) * x.ndim)
    sizes = list(x.shape)
    for a in [axis] if type(axis) is int else axes_of(x, axis):
        sizes[a] = 1
    return value.reshape(sizes)


def _spread(value: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    """Repeat a reduction's result over the axes that were reduced."""
    narrow = value if axis is None else _with_axes(value, x, axis, keepdims)
    if x.size > _SMALL or not isinstance(narrow, (np.ndarray, np.generic)):
        return np.broadcast_to(narrow, x.shape)
    filled = np.empty(x.shape, narrow.dtype)
    filled[...] = narrow
    return filled


def _shared(g: Any, y: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    """Return the gradient of a maximum or minimum: the elements that tie for it share ``g`` equally."""
    shares = _core.share_extremes(g, y, x, axis)
    if shares is not None:
        return shares
    values, extremes = unwrap(x), unwrap(y)
    hit = np.equal(values, _with_axes(extremes, values, axis, keepdims))
    if np.count_nonzero(hit) == extremes.size == np.count_nonzero(np.equal(extremes, extremes)):
        return _with_axes(g, values, axis, keepdims) * hit  # no tie, and no NaN that would have none
    count = np.add.reduce(hit, axis=axes_of(values, axis), dtype=values.dtype, keepdims=True)
    return _with_axes(g, values, axis, keepdims) / count * hit


def _centred(x: Any, axis: Any) -> Any:
    return x - np.mean(x, axis=axes_of(x, axis), keepdims=True) if x.ndim else x - x


def _nonzero(y: Any) -> Any:
    """Put 1 for 0: the slope of a standard deviation of 0 is taken to be 0."""
    return np.where(np.equal(unwrap(y), 0), 1, y)


def _cumsum_back(g: Any, x: Any, axis: Any) -> Any:
    if axis is None:
        return np.reshape(np.flip(np.cumsum(np.flip(g))), x.shape)
    return np.flip(np.cumsum(np.flip(g, axis), axis=axis), axis)


def _as_rows(x: Any, axis: Any) -> tuple[Any, tuple[int, ...], tuple[int, ...]]:
    """Bring the reduced axes to the end and flatten them."""
    axes = axes_of(x, axis)
    order = tuple(i for i in range(x.ndim) if i not in axes) + axes
    moved = np.transpose(x, order)
    return np.reshape(moved, (*moved.shape[: x.ndim - len(axes)], count_of(x, axis))), order, moved.shape


def _back(rows: Any, order: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    return np.transpose(np.reshape(rows, shape), tuple(int(i) for i in np.argsort(order)))


def _others(x: Any, axis: Any) -> Any:
    """Return for each element the product of the others that it is multiplied with, right also beside zeros."""
    if x.ndim == 0:
        return np.ones_like(unwrap(x))
    rows, order, shape = _as_rows(x, axis)
    return _back(_others_of_rows(rows), order, shape)


def _others_of_rows(rows: Any) -> Any:
    return apply(_OTHERS, (rows,))


def exclusive_product(x: Any) -> Any:
    """Return the products of all other elements along the last axis: from the left times from the right."""
    one = np.ones((*x.shape[:-1], 1), x.dtype)
    left = np.cumprod(np.concatenate([one, x[..., :-1]], axis=-1), axis=-1)
    right = np.cumprod(np.concatenate([one, x[..., :0:-1]], axis=-1), axis=-1)
    return left * right[..., ::-1] if x.shape[-1] else x.copy()


def _exclusive_back(g: Any, y: Any, x: Any) -> Any:
    # d y_i / d x_j is the product of all but i and j: row i of the matrix has x_i replaced by 1.
    n = x.shape[-1]
    diagonal = np.eye(n, dtype=bool)
    without = np.where(diagonal, 1, np.expand_dims(x, -2))
    pairs = np.where(diagonal, 0, _others_of_rows(without))
    return np.sum(np.expand_dims(g, -1) * pairs, axis=-2)


_OTHERS = defvjp(exclusive_product, _exclusive_back)


def _by_method(name: str) -> Callable[..., Any]:
    def reduce(x: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(x, name)(*args, **kwargs)

    return reduce


def _added(x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    return np.add.reduce(x, axis, dtype, out, keepdims=keepdims)


def _extreme(reduce: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, axis=None, out=None, keepdims=False: reduce(x, axis, None, out, keepdims)


def _mean(x: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """Return ``np.mean``: the same sum and the same division, without the layers of Python around them."""
    plainly = dtype is out is None and type(x) is np.ndarray and type(keepdims) is bool
    if plainly and x.dtype in _EXACT_MEANS and 0 < x.size < 2**24:
        total = np.add.reduce(x, axis=axis, keepdims=keepdims)
        return total / total.dtype.type(x.size // total.size)
    return x.mean(axis, dtype, out, keepdims)


_EXACT_MEANS = (np.dtype(np.float32), np.dtype(np.float64))

# These take the same arguments and give the same bits as the functions, in half the time.
for _function in (np.prod, np.var, np.std):
    PRIMITIVES[_function].fun = _by_method(_function.__name__)
PRIMITIVES[np.mean].fun, PRIMITIVES[np.sum].fun = _mean, _added
PRIMITIVES[np.max].fun = PRIMITIVES[np.amax].fun = _extreme(np.maximum.reduce)
PRIMITIVES[np.min].fun = PRIMITIVES[np.amin].fun = _extreme(np.minimum.reduce)
