"""Derivatives of running sums, products and extremes along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dispatch import unwrap
from ..registry import composite, defvjp, present
from .indexing import picked

defvjp(np.cumprod, lambda g, y, x, axis=None, dtype=None, out=None: _cumprod_back(g, y, x, axis))


def _cumprod_back(g: Any, y: Any, x: Any, axis: Any) -> Any:
    if axis is None:
        return np.reshape(_cumprod_back(g, y, np.ravel(x), 0), np.shape(x))
    if np.all(unwrap(x)):
        return np.flip(np.cumsum(np.flip(g * y, axis), axis=axis), axis) / x
    # Beside a zero every product is made again without the element: row i of the matrix has x_i replaced by 1.
    rows = np.moveaxis(x, axis, -1)
    n = rows.shape[-1]
    without = np.cumprod(np.where(np.eye(n, dtype=bool), 1, np.expand_dims(rows, -2)), axis=-1)
    later = np.triu(np.ones((n, n), dtype=bool))
    back = np.sum(np.expand_dims(np.moveaxis(g, axis, -1), -2) * np.where(later, without, 0), axis=-1)
    return np.moveaxis(back, -1, axis)


def _cumulative(running: Any, first: float) -> Any:
    def run(x: Any, axis: Any = None, dtype: Any = None, include_initial: bool = False) -> Any:
        if axis is None:
            axis = 0 if np.ndim(x) < 2 else None  # NumPy has words for what needs an axis
        if axis is None:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        result = running(x, axis=axis, dtype=dtype)
        if not include_initial:
            return result
        shape = [1 if i == axis % result.ndim else size for i, size in enumerate(result.shape)]
        return np.concatenate([np.full(shape, first, result.dtype), result], axis=axis)

    return run


composite(*present("cumulative_sum"))(_cumulative(np.cumsum, 0))
composite(*present("cumulative_prod"))(_cumulative(np.cumprod, 1))
composite(np.add.accumulate)(lambda array, axis=0, dtype=None: np.cumsum(array, axis=axis, dtype=dtype))
composite(np.multiply.accumulate)(lambda array, axis=0, dtype=None: np.cumprod(array, axis=axis, dtype=dtype))


def _running_extreme(accumulate: Any) -> Any:
    def run(array: Any, axis: int = 0, dtype: Any = None) -> Any:
        values = unwrap(array)
        place = np.arange(values.shape[axis]).reshape(
            [-1 if i == axis % values.ndim else 1 for i in range(values.ndim)]
        )
        # The element that is the extreme so far: the last one to be so.
        last = np.maximum.accumulate(np.where(values == accumulate(values, axis=axis), place, 0), axis=axis)
        return np.take_along_axis(array, last, axis)

    return run


for _accumulate in (np.maximum.accumulate, np.minimum.accumulate):
    composite(_accumulate)(_running_extreme(_accumulate))


@composite(np.diff)
def _diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    ends = [end for end in (prepend, a, append) if end is not None and end is not np._NoValue]
    if n and len(ends) > 1:
        axis = axis % np.ndim(a)
        one = tuple(1 if i == axis else size for i, size in enumerate(np.shape(a)))
        a = np.concatenate([np.broadcast_to(end, one) if np.ndim(end) == 0 else end for end in ends], axis=axis)
    for _ in range(n):
        a = picked(a, slice(1, None), axis) - picked(a, slice(None, -1), axis)
    return a


@composite(np.ediff1d)
def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    steps = np.diff(np.ravel(ary))
    parts = [np.ravel(part) for part in (to_begin, steps, to_end) if part is not None]
    return np.concatenate(parts) if len(parts) > 1 else steps
