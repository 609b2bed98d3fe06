"""Derivatives of interpolation, of numeric integrals and derivatives, and of polynomials."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import apply, has_complex, needs_real, unwrap
from ..registry import composite, defvjp, present
from .indexing import picked

defvjp(np.sinc, lambda g, y, x: g * _sinc_slope(x, y))


def _sinc_slope(x: Any, y: Any) -> Any:
    """Return the derivative of ``sin(pi x) / (pi x)``; near 0 by its series, which is right to every order."""
    near = np.abs(unwrap(x)) < 0.15
    z = np.where(near, x, 0) * math.pi
    series = sum((-1) ** k * 2 * k / math.factorial(2 * k + 1) * z ** (2 * k - 1) for k in range(1, 8)) * math.pi
    far = np.where(near, 1, x)
    return np.where(near, series, (np.cos(math.pi * far) - y) / far)


@composite(*present("trapezoid", "trapz"))
def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = y if hasattr(y, "ndim") else np.asarray(y)
    if x is not None:
        x = x if hasattr(x, "ndim") else np.asarray(x)
        dx = np.diff(x) if x.ndim == 1 else np.diff(x, axis=axis)
        if x.ndim == 1:
            dx = np.reshape(dx, [-1 if i == axis % y.ndim else 1 for i in range(y.ndim)])
    return np.sum(dx * (picked(y, slice(1, None), axis) + picked(y, slice(None, -1), axis)) / 2, axis=axis)


@composite(np.interp)
def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    if has_complex(x, xp):
        raise needs_real("interp", "complex places")
    x, xp, fp = (a if hasattr(a, "ndim") else np.asarray(a, complex if has_complex(a) else float) for a in (x, xp, fp))
    if period is not None:
        x, xp = np.mod(x, period), np.mod(xp, period)
        order = np.argsort(unwrap(xp))
        xp, fp = picked(xp, order, 0), picked(fp, order, 0)
        xp = np.concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = np.concatenate([fp[-1:], fp, fp[:1]])
        left = right = None
    places, points = unwrap(xp), unwrap(x)
    i = np.clip(np.searchsorted(places, points, side="right") - 1, 0, max(len(places) - 2, 0))
    j = np.minimum(i + 1, len(places) - 1)
    below, above = points < places[0], points > places[-1]
    width = np.where(i == j, 1, picked(xp, j, 0) - picked(xp, i, 0))
    inside = picked(fp, i, 0) + (x - picked(xp, i, 0)) * (picked(fp, j, 0) - picked(fp, i, 0)) / width
    value = np.where(points == places[-1], fp[-1], inside)
    value = np.where(below, fp[0] if left is None else left, value)
    value = np.where(above, fp[-1] if right is None else right, value)
    return np.where(np.isnan(points), x, value)


@composite(np.gradient)
def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    f = f if hasattr(f, "ndim") else np.asarray(f)
    axes = [a % f.ndim for a in (range(f.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,))]
    np.gradient(unwrap(f), *unwrap(varargs), axis=axis, edge_order=edge_order)  # NumPy has words for what it cannot do
    spacings = varargs * len(axes) if len(varargs) == 1 and np.ndim(varargs[0]) == 0 else varargs or (1.0,) * len(axes)
    slopes = [_slope(f, a, spacing, edge_order) for a, spacing in zip(axes, spacings, strict=True)]
    return slopes[0] if len(slopes) == 1 else tuple(slopes)


def _slope(f: Any, axis: int, spacing: Any, edge_order: int) -> Any:
    """Return the differences within one axis, and those of first or second order at its ends."""
    n = f.shape[axis]
    steps = np.broadcast_to(spacing, (n - 1,)) if np.ndim(spacing) == 0 else np.diff(spacing)
    steps = np.reshape(steps, [-1 if i == axis else 1 for i in range(f.ndim)])
    rises = np.diff(f, axis=axis) / steps
    before, after = picked(steps, slice(None, -1), axis), picked(steps, slice(1, None), axis)
    first, last = picked(rises, slice(None, -1), axis), picked(rises, slice(1, None), axis)
    inner = (first * after + last * before) / (before + after)
    ends = [picked(rises, slice(0, 1), axis), picked(rises, slice(-1, None), axis)]
    if edge_order == 2:
        bends = (last - first) / (before + after)
        ends[0] = ends[0] - picked(bends * before, slice(0, 1), axis)
        ends[1] = ends[1] + picked(bends * after, slice(-1, None), axis)
    return np.concatenate([ends[0], inner, ends[1]], axis=axis)


@composite(np.unwrap)
def _unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 2 * math.pi) -> Any:
    values = unwrap(p)
    return p + (np.unwrap(values, discont, axis, period=period) - values)


# Grids


@composite(np.linspace)
def _linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    **options: Any,
) -> Any:
    parts = max(num - 1 if endpoint else num, 1)
    at = np.reshape(np.arange(num) / parts, (-1,) + (1,) * max(np.ndim(start), np.ndim(stop)))
    grid = start + at * (stop - start)
    if endpoint and num > 1:  # exactly
        grid = np.where(at == 1, stop, grid)
    grid = np.moveaxis(grid, 0, axis)
    grid = grid if dtype is None else grid.astype(dtype)
    return (grid, (stop - start) / parts) if retstep else grid


@composite(np.logspace)
def _logspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, **options: Any) -> Any:
    dtype = options.pop("dtype", None)
    grid = np.power(base, np.linspace(start, stop, num, endpoint, **options))
    return grid if dtype is None else grid.astype(dtype)


@composite(np.geomspace)
def _geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, **options: Any) -> Any:
    dtype = options.pop("dtype", None)
    signs = np.sign(unwrap(start))
    grid = np.exp(np.linspace(np.log(start * signs), np.log(stop * signs), num, endpoint, **options)) * signs
    return grid if dtype is None else grid.astype(dtype)


# Polynomials


@composite(np.polyval)
def _polyval(p: Any, x: Any) -> Any:
    x = x if hasattr(x, "ndim") else np.asarray(x)
    value = np.zeros_like(unwrap(x))
    for coefficient in p:
        value = value * x + coefficient
    return value


@composite(np.vander)
def _vander(x: Any, N: Any = None, increasing: bool = False) -> Any:
    powers = np.arange(len(x) if N is None else N)
    columns = [np.ones_like(unwrap(x))]
    for _ in powers[1:]:
        columns.append(columns[-1] * x)
    matrix = np.stack(columns[: len(powers)], axis=1)
    return matrix if increasing else np.flip(matrix, 1)


@composite(np.polyfit)
def _polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False) -> Any:
    if full or cov:
        raise TypeError(must("polyfit", "full and cov", "be False for recorded values", "one that is not"))
    x, y = (a if hasattr(a, "ndim") else np.asarray(a, float) for a in (x, y))
    powers = np.vander(x, int(deg) + 1)
    if w is not None:
        w = w if hasattr(w, "ndim") else np.asarray(w)
        powers = powers * np.expand_dims(w, -1)
        y = y * (w if y.ndim == 1 else np.expand_dims(w, -1))
    scale = np.sqrt(np.sum(powers * powers, axis=0))
    rcond = len(x) * np.finfo(x.dtype).eps if rcond is None else rcond
    fitted = np.linalg.lstsq(powers / scale, y, rcond)[0]
    return fitted / (scale if y.ndim == 1 else np.expand_dims(scale, -1))


def roots(p: Any) -> Any:
    """Return the roots of a polynomial."""
    return np.roots(p)


# Of the equation p(root) = 0; where roots coincide the derivative is not finite.
_ROOTS = defvjp(roots, lambda g, y, p: -(g / np.polyval(np.polyder(p), y)) @ np.vander(y, len(p)))


@composite(np.roots)
def _roots(p: Any) -> Any:
    return apply(_ROOTS, (p,))


@composite(np.poly)
def _poly(seq_of_zeros: Any) -> Any:
    zeros = np.linalg.eigvals(seq_of_zeros) if seq_of_zeros.ndim == 2 else seq_of_zeros
    product = np.ones(1, zeros.dtype)
    for zero in zeros:
        product = np.convolve(product, np.stack([1, -zero]))
    own = np.poly(unwrap(seq_of_zeros))  # NumPy takes the real part where the zeros come in conjugate pairs
    return product if own.dtype.kind == "c" or product.dtype.kind != "c" else np.real(product)


@composite(np.polymul)
def _polymul(a1: Any, a2: Any) -> Any:
    return np.convolve(a1, a2)


@composite(np.polyadd)
def _polyadd(a1: Any, a2: Any) -> Any:
    length = max(len(a1), len(a2))
    return np.pad(a1, (length - len(a1), 0)) + np.pad(a2, (length - len(a2), 0))


@composite(np.polysub)
def _polysub(a1: Any, a2: Any) -> Any:
    return _polyadd(a1, np.negative(a2))


@composite(np.polyder)
def _polyder(p: Any, m: int = 1) -> Any:
    for _ in range(m):
        p = p[:-1] * np.arange(len(p) - 1, 0, -1)
    return p


@composite(np.polyint)
def _polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    constants = np.zeros(m) if k is None else np.broadcast_to(k, (m,))
    for i in range(m):
        p = np.concatenate([p / np.arange(len(p), 0, -1), constants[i : i + 1]])
    return p
