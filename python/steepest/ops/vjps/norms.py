"""Derivatives of norms of vectors and matrices, of every order. At a norm of 0 the derivative is taken to be 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import unwrap
from ..registry import composite, present
from .elementwise import squared_size
from .masked import root


@composite(np.linalg.norm)
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is None and (ord is None or (ord == 2 and x.ndim == 1) or (ord in ("f", "fro") and x.ndim == 2)):
        return root(np.sum(squared_size(x), keepdims=keepdims))
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(axes) == 1:
        return _vector(x, ord, axes, keepdims)
    if len(axes) == 2:
        return _matrix(x, ord, axes, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


@composite(*present("linalg.vector_norm"))
def _vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return _vector(x, ord, axes, keepdims)


@composite(*present("linalg.matrix_norm"))
def _matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    return _matrix(x, ord, (-2, -1), keepdims)


def _vector(x: Any, p: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    if p is None or p == 2:
        return root(np.sum(squared_size(x), axis=axis, keepdims=keepdims))
    if p in (np.inf, -np.inf):
        return (np.max if p > 0 else np.min)(np.abs(x), axis=axis, keepdims=keepdims)
    if p == 0:
        return np.sum(unwrap(x) != 0, axis=axis, keepdims=keepdims).astype(x.dtype)
    if isinstance(p, str):
        raise ValueError(f"Invalid norm order '{p}' for vectors")
    if p == 1:
        return np.sum(np.abs(x), axis=axis, keepdims=keepdims)
    total = np.sum(np.abs(x) ** p, axis=axis, keepdims=keepdims)
    zero = np.equal(unwrap(total), 0)
    return np.where(zero, 0, np.where(zero, 1, total) ** (1 / p))


def _matrix(x: Any, p: Any, axes: tuple[int, int], keepdims: bool) -> Any:
    rows, columns = (axis % x.ndim for axis in axes)
    if p in (None, "fro", "f"):
        return root(np.sum(squared_size(x), axis=(rows, columns), keepdims=keepdims))
    if p in (1, -1, np.inf, -np.inf):
        inner, outer = (rows, columns) if abs(p) == 1 else (columns, rows)
        extreme = np.max if p > 0 else np.min
        return extreme(np.sum(np.abs(x), axis=inner, keepdims=True), axis=(inner, outer), keepdims=keepdims)
    if p not in (2, -2, "nuc"):
        raise ValueError(must("linalg.norm", "ord", "be a norm of matrices", p))
    s = np.linalg.svd(np.moveaxis(x, (rows, columns), (-2, -1)), compute_uv=False)
    norm = np.sum(s, axis=-1) if p == "nuc" else s[..., 0 if p > 0 else -1]
    return np.expand_dims(norm, (rows, columns)) if keepdims else norm


@composite(np.linalg.cond)
def _cond(x: Any, p: Any = None) -> Any:
    if p in (None, 2, -2):
        s = np.linalg.svd(x, compute_uv=False)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return _matrix(x, p, (-2, -1), False) * _matrix(np.linalg.inv(x), p, (-2, -1), False)
