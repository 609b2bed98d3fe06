"""Derivatives of ``reduce``, ``accumulate`` and ``reduceat`` of the ufuncs of two arguments, made of calls of them."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import unwrap
from ..registry import COMPOSITES
from . import cumulative as cumulative  # and masked: the methods that have a faster form
from . import masked as masked
from .indexing import picked


def _reduce(ufunc: np.ufunc, array: Any, axis: Any = 0, keepdims: bool = False) -> Any:
    if axis is None or isinstance(axis, tuple):  # of several axes NumPy says which ufuncs have them
        ufunc.reduce(unwrap(array), axis=axis)
        axes = sorted(range(array.ndim) if axis is None else (a % array.ndim for a in axis), reverse=True)
        for one in axes:
            array = _reduce(ufunc, array, one, True)
        return array if keepdims else np.squeeze(array, tuple(axes))
    result = functools.reduce(ufunc, [picked(array, i, axis) for i in range(array.shape[axis])])
    return np.expand_dims(result, axis) if keepdims else result


def _accumulate(ufunc: np.ufunc, array: Any, axis: int = 0) -> Any:
    parts = [picked(array, i, axis) for i in range(array.shape[axis])]
    return np.stack(list(itertools.accumulate(parts, ufunc)), axis=axis)


def _reduceat(ufunc: np.ufunc, array: Any, indices: Any, axis: int = 0) -> Any:
    ufunc.reduceat(unwrap(array), unwrap(indices), axis)  # NumPy has words for an index that there is not
    starts = np.asarray(unwrap(indices)).tolist()
    size = array.shape[axis]
    parts = []
    for start, end in itertools.zip_longest(starts, starts[1:], fillvalue=size):
        # A segment that does not end after its start is its first element.
        part = picked(array, slice(start, max(end, start + 1)), axis)
        parts.append(ufunc.reduce(part, axis=axis))
    return np.stack(parts, axis=axis)


_UFUNCS = (
    *(np.add, np.subtract, np.multiply, np.true_divide, np.maximum, np.minimum, np.fmax, np.fmin, np.hypot),
    *(np.logaddexp, np.logaddexp2),
)


def _method(made: Any, ufunc: np.ufunc) -> Any:
    def method(array: Any, *args: Any, **options: Any) -> Any:
        for option in options.keys() - {"axis", "keepdims", "indices"}:
            rule = "be absent for recorded values"
            raise TypeError(must(ufunc.__name__, option, rule, options[option], "write it with np.where and astype"))
        return made(ufunc, array, *args, **options)

    return method


for _ufunc in _UFUNCS:
    for _name, _made in (("reduce", _reduce), ("accumulate", _accumulate), ("reduceat", _reduceat)):
        COMPOSITES.setdefault(getattr(_ufunc, _name), _method(_made, _ufunc))
