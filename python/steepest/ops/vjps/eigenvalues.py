"""Derivatives of eigenvalues and eigenvectors.

Of a symmetric matrix NumPy reads one triangle, and the gradient is in it. Source: Giles (2008); Boeddeker et al., "On
the computation of complex-valued gradients" (2017).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dispatch import apply, conjugated, has_complex
from ..registry import composite, defvjp
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
    unpacked,
)

# Of a symmetric or Hermitian matrix


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


# Of any square matrix


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
