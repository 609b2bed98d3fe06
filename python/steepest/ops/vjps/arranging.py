"""Derivatives of the functions that arrange the elements of arrays anew: in grids, blocks and turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dispatch import Operand, unwrap
from ..registry import composite, present
from .indexing import rearranged


@composite(np.meshgrid)
def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    count = len(xi)
    axes = list(range(count))
    if indexing == "xy" and count > 1:
        axes[:2] = 1, 0
    grids = [np.reshape(x, [-1 if i == axis else 1 for i in range(count)]) for x, axis in zip(xi, axes, strict=True)]
    if not sparse:
        shape = np.broadcast_shapes(*(np.shape(grid) for grid in grids))
        grids = [np.broadcast_to(grid, shape) for grid in grids]
    kind: Any = type(np.meshgrid(0.0))  # a list, a tuple from NumPy 2 on
    return kind(grids)


@composite(np.block)
def _block(arrays: Any) -> Any:
    depth = _depth(arrays)
    ndim = max(depth, _widest(arrays))
    return _joined(arrays, depth, ndim)


def _depth(arrays: Any) -> int:
    return 1 + max(_depth(part) for part in arrays) if isinstance(arrays, list) else 0


def _widest(arrays: Any) -> int:
    return max(_widest(part) for part in arrays) if isinstance(arrays, list) else np.ndim(arrays)


def _joined(arrays: Any, depth: int, ndim: int) -> Any:
    if isinstance(arrays, list):
        return np.concatenate([_joined(part, depth - 1, ndim) for part in arrays], axis=-depth)
    return np.reshape(arrays, (1,) * (ndim - np.ndim(arrays)) + np.shape(arrays))


@composite(np.dsplit)
def _dsplit(ary: Any, indices_or_sections: Any) -> Any:
    return np.split(ary, indices_or_sections, 2)


@composite(*present("unstack"))
def _unstack(x: Any, *, axis: int = 0) -> Any:
    return tuple(np.moveaxis(x, axis, 0))


@composite(*present("matrix_transpose", "linalg.matrix_transpose"))
def _matrix_transpose(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


@composite(np.rollaxis)
def _rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    axis, start = axis % a.ndim, start + a.ndim if start < 0 else start
    return np.moveaxis(a, axis, start - 1 if axis < start else start)


@composite(np.rot90)
def _rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    first, second = axes
    k %= 4
    if k in (0, 2):
        return np.flip(np.flip(m, first), second) if k else np.copy(m)
    turned = np.flip(m, second) if k == 1 else m
    turned = np.swapaxes(turned, first, second)
    return turned if k == 1 else np.flip(turned, second)


@composite(np.resize)
def _resize(a: Any, new_shape: Any) -> Any:
    return rearranged(lambda places: np.resize(places, new_shape), a)


@composite(np.apply_along_axis)
def _apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    moved = np.moveaxis(arr, axis, -1)
    outer = moved.shape[:-1]
    rows = np.reshape(moved, (-1, moved.shape[-1]))
    results = np.stack([func1d(row, *args, **kwargs) for row in rows])
    inner = results.shape[1:]
    axis = axis % arr.ndim
    results = np.reshape(results, (*outer, *inner))
    return np.moveaxis(results, list(range(len(outer), results.ndim)), list(range(axis, axis + len(inner))))


@composite(np.apply_over_axes)
def _apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    for axis in np.ravel(axes).tolist():
        reduced = func(a, axis)
        a = reduced if reduced.ndim == a.ndim else np.expand_dims(reduced, axis)
    return a


@composite(np.lib.stride_tricks.sliding_window_view)
def _sliding_window_view(x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, **view: Any) -> Any:
    return rearranged(lambda places: np.lib.stride_tricks.sliding_window_view(places, window_shape, axis), x)


@composite(*present("astype"))
def _astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    return x.astype(dtype, copy=copy)


@composite(np.full_like)
def _full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None
) -> Any:
    like = np.zeros_like(unwrap(a), dtype=dtype, order=order, subok=subok, shape=shape)
    if not isinstance(fill_value, Operand):
        return np.full_like(like, fill_value)
    filling: Any = fill_value
    return np.broadcast_to(filling, like.shape).astype(like.dtype)
