"""Derivatives of the decompositions of matrices.

Where NumPy reads one triangle of a matrix (`cholesky`, `eigh`), the gradient is in that triangle. Sources: Giles
(2008); Boeddeker et al., "On the computation of complex-valued gradients" (2017), for `eig`; Murray, "Differentiation
of the Cholesky decomposition" (2016); Townsend, "Differentiating the singular value decomposition" (2016); Wan and
Zhang, "Automatic differentiation for complex valued SVD" (2019); Roberts and Roberts, "QR and LQ decomposition matrix
backpropagation algorithms" (2020).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import apply, conjugated, has_complex, unwrap
from ..registry import composite, defvjp, present
from .elementwise import squared_size
from .matrices import (
    adjoint,
    by_adjoints,
    check_phases,
    gaps_of,
    in_triangle,
    named,
    packed,
    real_of,
    scaled,
    swapped,
    unpacked,
)

# Cholesky

defvjp(np.linalg.cholesky, by_adjoints(lambda g, y, a, **options: _cholesky_back(g, y, **options)))


def _cholesky_back(g: Any, y: Any, upper: bool = False) -> Any:
    if upper:
        return adjoint(_cholesky_back(adjoint(g), adjoint(y)))
    middle = np.tril(adjoint(y) @ g)
    middle = middle - middle * (0.5 * np.eye(y.shape[-1]))
    inverse = np.linalg.inv(y)
    s = adjoint(inverse) @ middle @ inverse
    return in_triangle(s, "L")


# Determinants


def logdet(a: Any) -> Any:
    """Return the logarithm of the absolute value of the determinant."""
    return np.linalg.slogdet(a)[1]


_LOGDET = defvjp(logdet, lambda g, y, a: np.expand_dims(g, (-1, -2)) * swapped(np.linalg.inv(a)))


def sign_of_det(a: Any) -> Any:
    """Return the direction of the determinant, a complex number of size 1."""
    return np.linalg.slogdet(a)[0]


_SIGN = defvjp(sign_of_det, lambda g, y, a: np.expand_dims(np.imag(g * y), (-1, -2)) * 1j * swapped(np.linalg.inv(a)))


@composite(np.linalg.slogdet)
def _slogdet(a: Any) -> Any:
    sign = apply(_SIGN, (a,)) if has_complex(a) else np.linalg.slogdet(unwrap(a))[0]
    return named(np.linalg.slogdet, sign, apply(_LOGDET, (a,)))


# Eigenvalues of a symmetric or Hermitian matrix


def packed_eigh(a: Any, UPLO: Any) -> Any:
    """Return eigenvalues and eigenvectors in one array."""
    return packed(*np.linalg.eigh(a, UPLO))


_EIGH = defvjp(packed_eigh, by_adjoints(lambda g, y, a, UPLO: _eigh_back(g, y, a.shape[-1], UPLO)))


def _eigh_back(g: Any, y: Any, n: int, UPLO: Any) -> Any:
    w, v = unpacked(y, (n,), (n, n))
    gw, gv = unpacked(g, (n,), (n, n))
    turned = adjoint(v) @ gv
    if has_complex(v):
        check_phases("linalg.eigh", turned, turned)
    inner = gaps_of(real_of(w)) * turned + np.expand_dims(gw, -1) * np.eye(n)
    return in_triangle(v @ inner @ adjoint(v), UPLO)


@composite(np.linalg.eigh)
def _eigh(a: Any, UPLO: Any = "L") -> Any:
    n = a.shape[-1]
    w, v = unpacked(apply(_EIGH, (a, UPLO)), (n,), (n, n))
    return named(np.linalg.eigh, real_of(w), v)


@composite(np.linalg.eigvalsh)
def _eigvalsh(a: Any, UPLO: Any = "L") -> Any:
    return _eigh(a, UPLO)[0]


# Eigenvalues of any square matrix


def packed_eig(a: Any) -> Any:
    """Return eigenvalues and eigenvectors in one array."""
    return packed(*np.linalg.eig(a))


_EIG = defvjp(packed_eig, by_adjoints(lambda g, y, a: _eig_back(g, y, a.shape[-1])))


def _eig_back(g: Any, y: Any, n: int) -> Any:
    w, v = unpacked(y, (n,), (n, n))
    gw, gv = unpacked(g, (n,), (n, n))
    turned = adjoint(v) @ gv
    if has_complex(v):
        check_phases("linalg.eig", turned, turned)
    # The vectors keep their length.
    stretched = real_of(np.sum(turned * np.eye(n), axis=-1))
    inner = conjugated(gaps_of(w)) * (turned - scaled(adjoint(v) @ v, stretched))
    inner = inner + np.expand_dims(gw, -1) * np.eye(n)
    return np.linalg.solve(adjoint(v), inner @ adjoint(v))


@composite(np.linalg.eig)
def _eig(a: Any) -> Any:
    n = a.shape[-1]
    return named(np.linalg.eig, *unpacked(apply(_EIG, (a,)), (n,), (n, n)))


@composite(np.linalg.eigvals)
def _eigvals(a: Any) -> Any:
    return _eig(a)[0]


# Singular values


def packed_svd(a: Any, hermitian: bool) -> Any:
    """Return singular values, left and right vectors in one array."""
    u, s, vh = np.linalg.svd(a, full_matrices=False, hermitian=hermitian)
    return packed(s, u, vh)


_SVD = defvjp(packed_svd, by_adjoints(lambda g, y, a, hermitian: _svd_back(g, y, *a.shape[-2:])))


def _svd_back(g: Any, y: Any, m: int, n: int) -> Any:
    k = min(m, n)
    s, u, vh = unpacked(y, (k,), (m, k), (k, n))
    gs, gu, gvh = unpacked(g, (k,), (m, k), (k, n))
    s, v, gv = real_of(s), adjoint(vh), adjoint(gvh)
    zero = np.equal(unwrap(s), 0)
    inverse = np.where(zero, 0, 1 / np.where(zero, 1, s))
    gaps = gaps_of(s * s)
    of_u, of_v = adjoint(u) @ gu, adjoint(v) @ gv
    left, right = gaps * of_u, gaps * of_v
    inner = scaled(left + adjoint(left), s) + np.expand_dims(s, -1) * (right + adjoint(right))
    inner = inner + np.expand_dims(gs, -1) * np.eye(k)
    if has_complex(u):
        check_phases("linalg.svd", of_u + of_v, np.stack([unwrap(of_u), unwrap(of_v)]))
        inner = inner + scaled(np.imag(of_u) * np.eye(k), inverse) * 1j
    back = u @ inner @ vh
    if m > k:
        back = back + scaled(gu - u @ of_u, inverse) @ vh
    if n > k:
        back = back + scaled(u, inverse) @ adjoint(gv - v @ of_v)
    return back


def _last_vector(vectors: Any) -> Any:
    """Return the one vector that completes a basis: it stays orthogonal to the others, whose sign it has not."""
    return np.linalg.svd(vectors, full_matrices=True)[0][..., -1:]


_LAST_VECTOR = defvjp(_last_vector, by_adjoints(lambda g, w, vectors: -w @ (adjoint(g) @ vectors)))


@composite(np.linalg.svd)
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    m, n = a.shape[-2:]
    k = min(m, n)
    if compute_uv and full_matrices and abs(m - n) > 1:
        remedy = "the further vectors are any that complete a basis"
        raise TypeError(must("linalg.svd", "full_matrices", "be False for recorded values", f"{m} x {n}", remedy))
    if compute_uv and full_matrices and m != n and has_complex(a):
        remedy = "the further vector has any phase"
        raise ValueError(must("linalg.svd", "full_matrices", "be False for complex values", f"{m} x {n}", remedy))
    s, u, vh = unpacked(apply(_SVD, (a, hermitian)), (k,), (m, k), (k, n))
    if compute_uv and full_matrices and m > n:
        u = np.concatenate([u, apply(_LAST_VECTOR, (u,))], axis=-1)
    elif compute_uv and full_matrices and m < n:
        vh = np.concatenate([vh, adjoint(apply(_LAST_VECTOR, (adjoint(vh),)))], axis=-2)
    return named(np.linalg.svd, u, real_of(s), vh) if compute_uv else real_of(s)


@composite(*present("linalg.svdvals"))
def _svdvals(x: Any, /) -> Any:
    return _svd(x, compute_uv=False)


# QR


def packed_qr(a: Any) -> Any:
    """Return both factors in one array."""
    return packed(*np.linalg.qr(a))


_QR = defvjp(packed_qr, by_adjoints(lambda g, y, a: _qr_back(g, y, a, *a.shape[-2:])))


def _qr_back(g: Any, y: Any, a: Any, m: int, n: int) -> Any:
    k = min(m, n)
    q, r = unpacked(y, (m, k), (k, n))
    gq, gr = unpacked(g, (m, k), (k, n))
    if m >= n:
        return _tall_qr_back(gq, gr, q, r)
    # The columns beyond the square are q times those of r.
    gq = gq + a[..., m:] @ adjoint(gr[..., m:])
    return np.concatenate([_tall_qr_back(gq, gr[..., :m], q, r[..., :m]), q @ gr[..., m:]], axis=-1)


def _tall_qr_back(gq: Any, gr: Any, q: Any, r: Any) -> Any:
    both = r @ adjoint(gr) - adjoint(gq) @ q
    lower = np.tril(both, -1)
    # The diagonal of r is real.
    symmetric = lower + adjoint(lower) + (both + conjugated(both)) * (0.5 * np.eye(both.shape[-1], dtype=both.dtype))
    return adjoint(np.linalg.solve(r, adjoint(gq + q @ symmetric)))


@composite(np.linalg.qr)
def _qr(a: Any, mode: str = "reduced") -> Any:
    m, n = a.shape[-2:]
    k = min(m, n)
    if mode not in ("reduced", "r") and not (mode == "complete" and m <= n):
        raise TypeError(must("linalg.qr", "mode", "be 'reduced' or 'r' for recorded values", mode))
    q, r = unpacked(apply(_QR, (a,)), (m, k), (k, n))
    return r if mode == "r" else named(np.linalg.qr, q, r)


# Least squares, at constant rank

defvjp(np.linalg.pinv, by_adjoints(lambda g, y, a, *args, **options: _pinv_back(g, y, a)))


def _pinv_back(g: Any, y: Any, a: Any) -> Any:
    p, gt = adjoint(y), adjoint(g)
    back = -(p @ g @ p)
    back = back + (gt @ y @ p - a @ (y @ (gt @ y @ p)))
    return back + (p @ y @ gt - (p @ (y @ (gt @ y))) @ a)


def least_squares(a: Any, b: Any, rcond: Any) -> Any:
    """Return the shortest of the nearest solutions."""
    return np.linalg.lstsq(a, b, rcond)[0]


_LEAST_SQUARES = defvjp(
    least_squares,
    by_adjoints(lambda g, y, a, b, rcond: _pinv_back(_columns(g) @ adjoint(_columns(b)), np.linalg.pinv(a), a)),
    by_adjoints(lambda g, y, a, b, rcond: adjoint(np.linalg.pinv(a)) @ g),
)


def _columns(x: Any) -> Any:
    return np.expand_dims(x, -1) if np.ndim(x) == 1 else x


@composite(np.linalg.lstsq)
def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    _, residuals, rank, _ = np.linalg.lstsq(unwrap(a), unwrap(b), rcond)
    x = apply(_LEAST_SQUARES, (a, b, rcond))
    if residuals.size:
        residuals = np.sum(squared_size(_columns(b) - a @ _columns(x)), axis=0)
    return x, residuals, rank, np.linalg.svd(a, compute_uv=False)
