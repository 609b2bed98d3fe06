"""Derivatives of the products that are made of others: of vectors, of matrices, and along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import apply, conjugated, unwrap
from ..registry import composite, defvjp, present
from .indexing import picked


@composite(np.kron)
def _kron(a: Any, b: Any) -> Any:
    ndim = max(np.ndim(a), np.ndim(b))
    first = (1,) * (ndim - np.ndim(a)) + np.shape(a)
    second = (1,) * (ndim - np.ndim(b)) + np.shape(b)
    left = np.reshape(a, [size for n in first for size in (n, 1)])
    right = np.reshape(b, [size for n in second for size in (1, n)])
    return np.reshape(left * right, [m * n for m, n in zip(first, second, strict=True)])


@composite(np.cross, *present("linalg.cross"))
def _cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    sizes = a.shape[-1], b.shape[-1]
    if not {2, 3} >= set(sizes):
        raise ValueError(must("cross", "vectors", "have 2 or 3 elements", f"{sizes[0]} and {sizes[1]}"))
    (a0, a1, *a2), (b0, b1, *b2) = ([v[..., i] for i in range(v.shape[-1])] for v in (a, b))
    last = a0 * b1 - a1 * b0
    if not a2 and not b2:
        return last
    x, y = a2[0] if a2 else 0.0, b2[0] if b2 else 0.0
    parts = np.broadcast_arrays(a1 * y - x * b1, x * b0 - a0 * y, last)
    return np.moveaxis(np.stack(parts, axis=-1), -1, axisc)


@composite(*present("vecdot", "linalg.vecdot"))
def _vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    if axis == -1:
        return np.sum(conjugated(x1) * x2, axis=-1)
    return np.sum(conjugated(np.moveaxis(x1, axis, -1)) * np.moveaxis(x2, axis, -1), axis=-1)


@composite(*present("matvec"))
def _matvec(x1: Any, x2: Any) -> Any:
    return np.sum(x1 * np.expand_dims(x2, -2), axis=-1)


@composite(*present("vecmat"))
def _vecmat(x1: Any, x2: Any) -> Any:
    return np.sum(np.expand_dims(conjugated(x1), -1) * x2, axis=-2)


composite(*present("linalg.matmul"))(np.matmul)
composite(*present("linalg.outer"))(np.outer)
composite(*present("linalg.tensordot"))(np.tensordot)
composite(*present("linalg.diagonal"))(lambda x, /, *, offset=0: np.diagonal(x, offset, -2, -1))
composite(*present("linalg.trace"))(
    lambda x, /, *, offset=0, dtype=None: np.sum(np.diagonal(x, offset, -2, -1), axis=-1, dtype=dtype)
)


@composite(np.linalg.multi_dot)
def _multi_dot(arrays: Any, *, out: Any = None) -> Any:
    product = arrays[0]
    for array in arrays[1:]:
        product = np.matmul(product, array)
    return product


@composite(np.linalg.matrix_power)
def _matrix_power(a: Any, n: int) -> Any:
    if n < 0:
        a, n = np.linalg.inv(a), -n
    if n == 0:
        return np.linalg.matrix_power(unwrap(a), 0)
    power = None
    while n:  # by squares
        if n % 2:
            power = a if power is None else power @ a
        n //= 2
        a = a @ a if n else a
    return np.copy(power) if power is a else power


@composite(np.linalg.tensorinv)
def _tensorinv(a: Any, ind: int = 2) -> Any:
    shape = a.shape[ind:] + a.shape[:ind]
    rows = int(np.prod(shape[: a.ndim - ind], dtype=np.intp))
    return np.reshape(np.linalg.inv(np.reshape(a, (-1, rows))), shape)


@composite(np.linalg.tensorsolve)
def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    order = list(range(np.ndim(a)))
    for axis in axes or ():
        order.remove(axis)
        order.append(axis)
    a = np.transpose(a, order)
    shape = a.shape[np.ndim(b) :]
    solved = np.linalg.solve(np.reshape(a, (np.size(b), -1)), np.reshape(b, (-1, 1)))
    return np.reshape(solved, shape)


# Convolution: the whole of it has the derivative, the modes are parts.


def convolved(a: Any, v: Any) -> Any:
    """Return the full convolution of two vectors."""
    return np.convolve(a, v)


_CONVOLVED = defvjp(
    convolved,
    lambda g, y, a, v: picked(_full(g, np.flip(v)), slice(len(v) - 1, len(v) - 1 + len(a)), 0),
    lambda g, y, a, v: picked(_full(g, np.flip(a)), slice(len(a) - 1, len(a) - 1 + len(v)), 0),
)


def _full(a: Any, v: Any) -> Any:
    return apply(_CONVOLVED, (a, v))


@composite(np.convolve)
def _convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    a, v = (np.atleast_1d(x if hasattr(x, "ndim") else np.asarray(x)) for x in (a, v))
    return _part_of(_full(a, v), len(a), len(v), mode, 0)


@composite(np.correlate)
def _correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    a, v = (np.atleast_1d(x if hasattr(x, "ndim") else np.asarray(x)) for x in (a, v))
    # NumPy correlates the longer with the shorter, and turns the result round: its middle is the other one.
    return _part_of(_full(a, conjugated(np.flip(v))), len(a), len(v), mode, int(len(v) > len(a)))


def _part_of(full: Any, m: int, n: int, mode: Any, late: int) -> Any:
    long, short = max(m, n), min(m, n)
    if mode in ("full", 2):
        return full
    if mode in ("same", 1):
        start = (short - 1 + late * (1 - short % 2)) // 2 if late else (short - 1) // 2
        start = (short - 1) - (short - 1) // 2 if late else start
        return picked(full, slice(start, start + long), 0)
    if mode in ("valid", 0):
        return picked(full, slice(short - 1, long), 0)
    raise ValueError(must("convolve", "mode", "be 'full', 'same' or 'valid'", mode))
