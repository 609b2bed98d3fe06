"""Adding rows and elements into arrays, with repeats, without a Python loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..base.typing import Array
from .dispatch import apply
from .registry import defvjp

__all__ = ["IndexedCotangent", "add_rows", "scattered"]


def add_rows(target: Array, indices: Array, values: Array) -> Array:
    """Add ``values[k]`` to ``target[indices[k]]`` for every k in order, in place; return ``target``."""
    if not indices.size or not target.size or _core.add_elements_at(target, (indices,), values):
        return target
    width = target.size // target.shape[0]
    flat = target.reshape(-1)
    if width > 1:
        # One-dimensional `add.at` has a fast loop of its own; with rows it is some thirty times slower.
        indices = (indices.astype(np.intp)[:, None] * width + np.arange(width)).ravel()
    np.add.at(flat, indices, values.reshape(-1).astype(flat.dtype, copy=False))
    return target


def scatter_rows(values: Any, indices: Array, shape: tuple[int, ...]) -> Any:
    return add_rows(np.zeros(shape, values.dtype), indices, values)


_SCATTER = defvjp(scatter_rows, lambda g, y, values, indices, shape: g[indices], linear=True)


def scattered(values: Any, indices: Array, shape: tuple[int, ...]) -> Any:
    """Return zeros of ``shape`` with the rows added in; differentiable with respect to ``values``."""
    return apply(_SCATTER, (values, indices, shape))


def is_basic(index: Any) -> bool:
    """Whether an index selects every element at most once without looking at arrays of positions."""
    parts = index if type(index) is tuple else (index,)
    for part in parts:
        if part is None or part is Ellipsis or isinstance(part, (slice, int, np.integer, np.bool_)):
            continue
        if isinstance(part, np.ndarray) and part.dtype == bool and len(parts) == 1:
            continue
        return False
    return True


_FEW = 512  # elements up to which NumPy's general way takes less time than making positions for its fast one


def _add_at(target: Array, index: Any, values: Any) -> Array:
    if is_basic(index):
        target[index] += values
        return target
    if _core.add_elements_at(target, index if type(index) is tuple else (index,), values):
        return target
    if np.size(values) <= _FEW:
        np.add.at(target, index, values)
        return target
    positions = np.arange(target.size).reshape(target.shape)[index]
    values = np.asarray(values).astype(target.dtype, copy=False)
    np.add.at(target.reshape(-1), positions.ravel(), np.broadcast_to(values, positions.shape).ravel())
    return target


def place(values: Any, index: Any, shape: tuple[int, ...]) -> Any:
    return _add_at(np.zeros(shape, values.dtype), index, values)


_PLACE = defvjp(place, lambda g, y, values, index, shape: g[index], linear=True)


class IndexedCotangent:
    """The gradient of indexing: zeros, but for ``values`` at ``index``. Added in place where that is possible."""

    __slots__ = ("index", "shape", "values")

    def __init__(self, values: Any, index: Any, shape: tuple[int, ...]) -> None:
        self.values = values
        self.index = index
        self.shape = shape

    def dense(self) -> Any:
        """Return the whole array, differentiable with respect to the values."""
        return apply(_PLACE, (self.values, self.index, self.shape))

    def add_into(self, target: Array) -> None:
        """Add to a C-contiguous array in place."""
        _add_at(target, self.index, self.values)
