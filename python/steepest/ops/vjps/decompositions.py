"""Derivatives of the decompositions of matrices.

Where NumPy reads one triangle of a matrix (`cholesky`, `eigh`), the gradient is in that triangle. What comes as several
arrays is recorded as one, packed, and taken apart again, so that each decomposition has one rule. Sources: Giles
(2008); Murray, "Differentiation of the Cholesky decomposition" (2016); Townsend, "Differentiating the singular value
decomposition" (2016); Roberts and Roberts, "QR and LQ decomposition matrix backpropagation algorithms" (2020).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import apply, unwrap
from ..registry import composite, defvjp, present


def _swap(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


def _scaled(x: Any, by: Any) -> Any:
    """Multiply the columns by the elements of ``by``."""
    return x * np.expand_dims(by, -2)


def _packed(*parts: Any) -> Any:
    """Put stacks of arrays, of any shapes behind the stack's, into one array; the first part has one axis too few."""
    stack = parts[-1].shape[:-2]
    return np.concatenate([np.reshape(part, (*stack, -1)) for part in parts], axis=-1)


def _unpacked(flat: Any, *shapes: tuple[int, ...]) -> list[Any]:
    edges = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
    return [
        np.reshape(flat[..., int(a) : int(b)], (*flat.shape[:-1], *shape))
        for a, b, shape in zip(edges[:-1], edges[1:], shapes, strict=True)
    ]


def _named(function: Any, *parts: Any) -> Any:
    """Return the parts as NumPy does, with their names."""
    return type(function(np.eye(1)))(*parts)


# Cholesky

defvjp(np.linalg.cholesky, lambda g, y, a, **options: _cholesky_back(g, y, **options))


def _cholesky_back(g: Any, y: Any, upper: bool = False) -> Any:
    if upper:
        return _swap(_cholesky_back(_swap(g), _swap(y)))
    middle = np.tril(_swap(y) @ g)
    middle = middle - middle * (0.5 * np.eye(y.shape[-1]))
    inverse = np.linalg.inv(y)
    s = _swap(inverse) @ middle @ inverse
    return _in_triangle(s, "L")


def _in_triangle(s: Any, which: str) -> Any:
    """Return the gradient of a symmetric matrix where NumPy reads it."""
    n = s.shape[-1]
    weights = np.tril(np.ones((n, n), s.dtype)) - 0.5 * np.eye(n, dtype=s.dtype)
    return (s + _swap(s)) * (weights if which.upper() == "L" else weights.T)


# Determinants


def logdet(a: Any) -> Any:
    """Return the logarithm of the absolute value of the determinant."""
    return np.linalg.slogdet(a)[1]


_LOGDET = defvjp(logdet, lambda g, y, a: np.expand_dims(g, (-1, -2)) * _swap(np.linalg.inv(a)))


@composite(np.linalg.slogdet)
def _slogdet(a: Any) -> Any:
    return _named(np.linalg.slogdet, np.linalg.slogdet(unwrap(a))[0], apply(_LOGDET, (a,)))


# Eigenvalues


def packed_eigh(a: Any, UPLO: Any) -> Any:
    """Return eigenvalues and eigenvectors in one array."""
    return _packed(*np.linalg.eigh(a, UPLO))


_EIGH = defvjp(packed_eigh, lambda g, y, a, UPLO: _eigh_back(g, y, a.shape[-1], UPLO))


def _eigh_back(g: Any, y: Any, n: int, UPLO: Any) -> Any:
    w, v = _unpacked(y, (n,), (n, n))
    gw, gv = _unpacked(g, (n,), (n, n))
    inner = _gaps(w) * (_swap(v) @ gv) + np.expand_dims(gw, -1) * np.eye(n)
    return _in_triangle(v @ inner @ _swap(v), UPLO)


def _gaps(w: Any) -> Any:
    """Return ``1 / (w_j - w_i)``, and 0 where the two are equal."""
    gaps = np.expand_dims(w, -2) - np.expand_dims(w, -1)
    equal = np.equal(unwrap(gaps), 0)
    return np.where(equal, 0, 1 / np.where(equal, 1, gaps))


@composite(np.linalg.eigh)
def _eigh(a: Any, UPLO: Any = "L") -> Any:
    n = a.shape[-1]
    return _named(np.linalg.eigh, *_unpacked(apply(_EIGH, (a, UPLO)), (n,), (n, n)))


@composite(np.linalg.eigvalsh)
def _eigvalsh(a: Any, UPLO: Any = "L") -> Any:
    return _eigh(a, UPLO)[0]


# Singular values


def packed_svd(a: Any, hermitian: bool) -> Any:
    """Return singular values, left and right vectors in one array."""
    u, s, vh = np.linalg.svd(a, full_matrices=False, hermitian=hermitian)
    return _packed(s, u, vh)


_SVD = defvjp(packed_svd, lambda g, y, a, hermitian: _svd_back(g, y, *a.shape[-2:]))


def _svd_back(g: Any, y: Any, m: int, n: int) -> Any:
    k = min(m, n)
    s, u, vh = _unpacked(y, (k,), (m, k), (k, n))
    gs, gu, gvh = _unpacked(g, (k,), (m, k), (k, n))
    v, gv = _swap(vh), _swap(gvh)
    gaps = _gaps(s * s)
    left, right = gaps * (_swap(u) @ gu), gaps * (_swap(v) @ gv)
    inner = _scaled(left + _swap(left), s) + np.expand_dims(s, -1) * (right + _swap(right))
    inner = inner + np.expand_dims(gs, -1) * np.eye(k)
    back = u @ inner @ vh
    zero = np.equal(unwrap(s), 0)
    inverse = np.where(zero, 0, 1 / np.where(zero, 1, s))
    if m > k:
        back = back + _scaled(gu - u @ (_swap(u) @ gu), inverse) @ vh
    if n > k:
        back = back + _scaled(u, inverse) @ _swap(gv - v @ (_swap(v) @ gv))
    return back


@composite(np.linalg.svd)
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    m, n = a.shape[-2:]
    k = min(m, n)
    if compute_uv and full_matrices and m != n:
        remedy = "the further vectors are any that complete a basis"
        raise TypeError(must("linalg.svd", "full_matrices", "be False for recorded values", f"{m} x {n}", remedy))
    s, u, vh = _unpacked(apply(_SVD, (a, hermitian)), (k,), (m, k), (k, n))
    return _named(np.linalg.svd, u, s, vh) if compute_uv else s


@composite(*present("linalg.svdvals"))
def _svdvals(x: Any, /) -> Any:
    return _svd(x, compute_uv=False)


# QR


def packed_qr(a: Any) -> Any:
    """Return both factors in one array."""
    return _packed(*np.linalg.qr(a))


_QR = defvjp(packed_qr, lambda g, y, a: _qr_back(g, y, a, *a.shape[-2:]))


def _qr_back(g: Any, y: Any, a: Any, m: int, n: int) -> Any:
    k = min(m, n)
    q, r = _unpacked(y, (m, k), (k, n))
    gq, gr = _unpacked(g, (m, k), (k, n))
    if m >= n:
        return _tall_qr_back(gq, gr, q, r)
    # The columns beyond the square are q times those of r.
    gq = gq + a[..., m:] @ _swap(gr[..., m:])
    return np.concatenate([_tall_qr_back(gq, gr[..., :m], q, r[..., :m]), q @ gr[..., m:]], axis=-1)


def _tall_qr_back(gq: Any, gr: Any, q: Any, r: Any) -> Any:
    both = r @ _swap(gr) - _swap(gq) @ q
    lower = np.tril(both, -1)
    symmetric = np.tril(both) + _swap(lower)
    return _swap(np.linalg.solve(r, _swap(gq + q @ symmetric)))


@composite(np.linalg.qr)
def _qr(a: Any, mode: str = "reduced") -> Any:
    m, n = a.shape[-2:]
    k = min(m, n)
    if mode not in ("reduced", "r") and not (mode == "complete" and m <= n):
        raise TypeError(must("linalg.qr", "mode", "be 'reduced' or 'r' for recorded values", mode))
    q, r = _unpacked(apply(_QR, (a,)), (m, k), (k, n))
    return r if mode == "r" else _named(np.linalg.qr, q, r)


# Least squares, at constant rank

defvjp(np.linalg.pinv, lambda g, y, a, *args, **options: _pinv_back(g, y, a))


def _pinv_back(g: Any, y: Any, a: Any) -> Any:
    p, gt = _swap(y), _swap(g)
    back = -(p @ g @ p)
    back = back + (gt @ y @ p - a @ (y @ (gt @ y @ p)))
    return back + (p @ y @ gt - (p @ (y @ (gt @ y))) @ a)


def least_squares(a: Any, b: Any, rcond: Any) -> Any:
    """Return the shortest of the nearest solutions."""
    return np.linalg.lstsq(a, b, rcond)[0]


_LEAST_SQUARES = defvjp(
    least_squares,
    lambda g, y, a, b, rcond: _pinv_back(_columns(g) @ _swap(_columns(b)), np.linalg.pinv(a), a),
    lambda g, y, a, b, rcond: _swap(np.linalg.pinv(a)) @ g,
)


def _columns(x: Any) -> Any:
    return np.expand_dims(x, -1) if np.ndim(x) == 1 else x


@composite(np.linalg.lstsq)
def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    _, residuals, rank, _ = np.linalg.lstsq(unwrap(a), unwrap(b), rcond)
    x = apply(_LEAST_SQUARES, (a, b, rcond))
    if residuals.size:
        residuals = np.sum(np.square(_columns(b) - a @ _columns(x)), axis=0)
    return x, residuals, rank, np.linalg.svd(a, compute_uv=False)
