"""Reductions over some of the elements: ``where=`` and ``initial=``, and the functions that leave NaNs out."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dispatch import unwrap
from ..registry import composite, with_options
from .elementwise import squared_size
from .reductions import count_of


def kept(x: Any, where: Any, filling: Any) -> Any:
    """Return ``x`` where ``where`` holds, and the filling elsewhere."""
    return x if where is True else np.where(unwrap(where), x, filling)


def chosen(x: Any, where: Any, axis: Any, keepdims: bool) -> Any:
    """Count the elements that are reduced, those of ``where``."""
    if where is True:
        return count_of(x, axis)
    return np.sum(np.broadcast_to(unwrap(where), np.shape(x)), axis=axis, keepdims=keepdims)


@with_options(np.sum)
def _sum(
    x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, initial: Any = 0, where: Any = True
) -> Any:
    return np.sum(kept(x, where, 0), axis=axis, dtype=dtype, keepdims=keepdims) + initial


@with_options(np.prod)
def _prod(
    x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, initial: Any = 1, where: Any = True
) -> Any:
    return np.prod(kept(x, where, 1), axis=axis, dtype=dtype, keepdims=keepdims) * initial


def _extreme(reduction: Any, choose: Any) -> Any:
    def reduce(x: Any, axis: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
        if initial is None:  # NumPy has words for what it cannot do
            return reduction(x, axis=axis, keepdims=keepdims) if where is True else reduction(unwrap(x), where=where)
        if not np.size(x):
            x = np.zeros(np.shape(x))  # which NumPy reduces with an initial value alone
            return reduction(x, axis=axis, keepdims=keepdims, initial=unwrap(initial)) * 0 + initial
        return choose(reduction(kept(x, where, unwrap(initial)), axis=axis, keepdims=keepdims), initial)

    return reduce


for _reduction, _choose in ((np.max, np.maximum), (np.min, np.minimum)):
    with_options(_reduction)(_extreme(_reduction, _choose))
with_options(np.amax)(_extreme(np.max, np.maximum))
with_options(np.amin)(_extreme(np.min, np.minimum))


@with_options(np.mean)
def _mean(x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, where: Any = True) -> Any:
    total = np.sum(kept(x, where, 0), axis=axis, dtype=dtype, keepdims=keepdims)
    return total / chosen(x, where, axis, keepdims)


@with_options(np.var)
def _var(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    if mean is None:
        mean = _mean(x, axis, dtype, True, where)
    deviation = kept(kept(x, where, 0) - mean, where, 0)  # what is left out may be a NaN
    total = np.sum(squared_size(deviation), axis=axis, dtype=dtype, keepdims=keepdims)
    freedom = chosen(x, where, axis, keepdims) - (ddof if correction is None else correction)
    return total / np.maximum(freedom, 0)


@with_options(np.std)
def _std(x: Any, **options: Any) -> Any:
    return root(_var(x, **options))


def root(total: Any) -> Any:
    """Return the square root, whose slope at 0 is taken to be 0."""
    zero = np.equal(unwrap(total), 0)
    return np.where(zero, 0, np.sqrt(np.where(zero, 1, total)))


# What leaves NaNs out


def _numbers(x: Any) -> Any:
    return ~np.isnan(unwrap(x))


@composite(np.nansum)
def _nansum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    return np.sum(kept(a, _numbers(a), 0), axis=axis, dtype=dtype, keepdims=keepdims)


@composite(np.nanprod)
def _nanprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    return np.prod(kept(a, _numbers(a), 1), axis=axis, dtype=dtype, keepdims=keepdims)


@composite(np.nanmean)
def _nanmean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    return _mean(a, axis, dtype, keepdims, _numbers(a))


@composite(np.nanvar)
def _nanvar(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False, **more: Any
) -> Any:
    return _var(a, axis, dtype, ddof, keepdims, _numbers(a), **more)


@composite(np.nanstd)
def _nanstd(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False, **more: Any
) -> Any:
    return root(_nanvar(a, axis, dtype, None, ddof, keepdims, **more))


def _nan_extreme(reduction: Any, filling: float) -> Any:
    def reduce(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
        numbers = _numbers(a)
        extreme = reduction(np.where(numbers, a, filling), axis=axis, keepdims=keepdims)
        return np.where(np.any(numbers, axis=axis, keepdims=keepdims), extreme, np.nan)

    return reduce


composite(np.nanmax)(_nan_extreme(np.max, -np.inf))
composite(np.nanmin)(_nan_extreme(np.min, np.inf))


@composite(np.nancumsum)
def _nancumsum(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return np.cumsum(kept(a, _numbers(a), 0), axis=axis, dtype=dtype)


@composite(np.nancumprod)
def _nancumprod(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    return np.cumprod(kept(a, _numbers(a), 1), axis=axis, dtype=dtype)


# The methods of ufuncs that reduce. They take axis 0 where the functions take all.


def _reducing(function: Any) -> Any:
    def reduce(array: Any, axis: Any = 0, dtype: Any = None, keepdims: Any = False, **options: Any) -> Any:
        if dtype is not None:
            options["dtype"] = dtype
        return function(array, axis=axis, keepdims=keepdims, **options)

    return reduce


composite(np.add.reduce)(_reducing(np.sum))
composite(np.multiply.reduce)(_reducing(np.prod))
composite(np.maximum.reduce)(_reducing(np.max))
composite(np.minimum.reduce)(_reducing(np.min))


@composite(np.logaddexp.reduce)
def _logaddexp_reduce(array: Any, axis: Any = 0, dtype: Any = None, keepdims: Any = False) -> Any:
    top = np.max(unwrap(array), axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    total = np.log(np.sum(np.exp(array - top), axis=axis, dtype=dtype, keepdims=True)) + top
    return total if keepdims else np.squeeze(total, axis=axis)
