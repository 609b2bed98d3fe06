"""Derivatives of averages, quantiles, covariances and counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import any_recorded, apply, conjugated, has_complex, needs_real, unwrap
from ..registry import composite, defvjp
from .reductions import axes_of


@composite(np.average)
def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False) -> Any:
    keepdims = keepdims is not np._NoValue and keepdims
    if weights is None:
        mean = np.mean(a, axis=axis, keepdims=keepdims)
        total: Any = np.asarray(np.size(a) / max(np.size(mean), 1), mean.dtype)
    else:
        weights = weights if hasattr(weights, "ndim") else np.asarray(weights)
        if weights.shape != np.shape(a):
            weights = _along(weights, np.shape(a), axis)
        total = np.sum(weights, axis=axis, keepdims=keepdims)
        if not np.all(unwrap(total)):
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        mean = np.sum(a * weights, axis=axis, keepdims=keepdims) / total
    return (mean, np.broadcast_to(total, mean.shape)) if returned else mean


def _along(weights: Any, shape: tuple[int, ...], axis: Any) -> Any:
    """Give weights of the reduced axes the axes of the whole array."""
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = [a % len(shape) for a in (axis if isinstance(axis, tuple) else (axis,))]
    if weights.shape != tuple(shape[a] for a in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    weights = np.transpose(weights, [int(i) for i in np.argsort(axes)])
    return np.broadcast_to(np.reshape(weights, [n if i in axes else 1 for i, n in enumerate(shape)]), shape)


@composite(np.ptp)
def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


# Quantiles: each is a sum of two elements, in the order of size. Which two, and how much of each, is the quantile of
# 0, 1, 2, ..., n - 1, for any method.


def _quantiles(who: str, a: Any, q: Any, axis: Any, method: Any, keepdims: Any, skip_nan: bool, weights: Any) -> Any:
    if weights is not None or any_recorded(q):
        what, remedy = ("weights", "np.average has them") if weights is not None else ("q", "use stop_gradient(q)")
        raise TypeError(must(who, what, "not be given with, or be, a recorded value", "one", remedy))
    levels = np.asarray(unwrap(q), np.float64)
    axes = axes_of(a, axis)
    free = [i for i in range(np.ndim(a)) if i not in axes]
    rows = np.reshape(np.transpose(a, (*free, *axes)), (*(a.shape[i] for i in free), -1))
    values = unwrap(rows)
    lost = np.isnan(values)
    counts = np.sum(~lost, axis=-1) if skip_nan else np.full(values.shape[:-1], values.shape[-1])
    place = np.zeros((*levels.shape, *counts.shape))
    for n in np.unique(counts[counts > 0]):
        at = np.quantile(np.arange(float(n)), levels, method=method)
        place[..., counts == n] = np.reshape(at, (*levels.shape, 1))
    order = np.argsort(values, axis=-1, kind="stable")
    low = np.floor(place).astype(np.intp)
    high = np.minimum(low + 1, np.maximum(counts - 1, 0))
    flat = (-1, *counts.shape)
    ends = [np.moveaxis(_ranked(rows, order, np.moveaxis(end.reshape(flat), 0, -1)), -1, 0) for end in (low, high)]
    share = (place - low).reshape(flat)
    result = ends[0] + (ends[1] - ends[0]) * share.astype(values.dtype)
    nothing = counts == 0 if skip_nan else np.any(lost, axis=-1)
    if np.any(nothing):
        result = np.where(nothing, np.nan, result)
    inner = [1 if i in axes else n for i, n in enumerate(np.shape(a))] if keepdims is True else list(counts.shape)
    return np.reshape(result, (*levels.shape, *inner))


def _ranked(rows: Any, order: Any, ranks: Any) -> Any:
    return np.take_along_axis(rows, np.take_along_axis(order, ranks, -1), -1)


def _declare_quantiles(nan: str) -> None:
    """Declare the median, percentile and quantile, or those that leave NaNs out."""

    @composite(getattr(np, nan + "quantile"))
    def _quantile(
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: Any = "linear",
        keepdims: Any = False,
        *,
        weights: Any = None,
    ) -> Any:
        return _quantiles(nan + "quantile", a, q, axis, method, keepdims, bool(nan), weights)

    @composite(getattr(np, nan + "percentile"))
    def _percentile(a: Any, q: Any, *args: Any, **kwargs: Any) -> Any:
        return _quantile(a, np.true_divide(q, 100), *args, **kwargs)

    @composite(getattr(np, nan + "median"))
    def _median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False) -> Any:
        return _quantile(a, 0.5, axis, keepdims=keepdims)


_declare_quantiles("")
_declare_quantiles("nan")


@composite(np.cov)
def _cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    x = _variables(m, rowvar)
    if y is not None:
        x = np.concatenate([x, _variables(y, rowvar)], axis=0)
    x = x if dtype is None else x.astype(dtype)
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights = 1 if fweights is None else np.asarray(unwrap(fweights), float)
    if aweights is not None:
        if has_complex(aweights):
            raise needs_real("cov", "complex weights")
        weights = weights * (aweights if hasattr(aweights, "ndim") else np.asarray(aweights))
    mean, total = _average(x, 1, np.broadcast_to(weights, x.shape[1:]), True)
    total = total[0]
    lost = ddof if aweights is None else ddof * np.sum(weights * aweights) / total
    centred = x - np.expand_dims(mean, 1)
    return np.squeeze((centred @ conjugated(np.transpose(centred * weights))) / (total - lost if ddof else total))


def _variables(m: Any, rowvar: bool) -> Any:
    m = m if hasattr(m, "ndim") else np.asarray(m)
    x = np.atleast_2d(m)
    return np.transpose(x) if not rowvar and m.ndim != 1 else x


@composite(np.corrcoef)
def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, *unused: Any, dtype: Any = None, **deprecated: Any) -> Any:
    c = _cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviation = np.sqrt(np.diagonal(c))
    return np.clip(c / np.expand_dims(deviation, 1) / deviation, -1, 1)


# Counts: the derivative is that of the weights.


def binned(weights: Any, ids: Any, minlength: int) -> Any:
    """Return ``np.bincount(ids, weights, minlength)``, a function of the weights."""
    return np.bincount(ids, weights, minlength)


_BINNED = defvjp(binned, lambda g, y, weights, ids, minlength: g[ids], linear=True)


@composite(np.bincount)
def _bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    ids = np.asarray(unwrap(x))
    return np.bincount(ids, None, minlength) if weights is None else apply(_BINNED, (weights, ids, minlength))


@composite(np.histogram)
def _histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    if any_recorded(bins, range) or (any_recorded(a) and np.ndim(bins) == 0 and range is None):
        remedy = "give the edges or range=, or use stop_gradient(x)"
        raise TypeError(must("histogram", "bins", "not depend on recorded values", "edges taken from them", remedy))
    counts, edges = np.histogram(unwrap(a), bins, range)
    if weights is not None:
        data = np.ravel(unwrap(a))
        # As NumPy's bins: closed on the left, the last one on both sides.
        ids = np.searchsorted(edges, data, side="right") - 1
        ids = np.where(data == edges[-1], len(edges) - 2, ids)
        inside = (data >= edges[0]) & (data <= edges[-1])
        counts = np.bincount(ids[inside], np.ravel(weights)[inside], len(edges) - 1)
    return (counts / np.diff(edges) / np.sum(counts) if density else counts), edges
