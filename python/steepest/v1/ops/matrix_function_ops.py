"""Functions of square matrices: the exponential, the square root, the logarithm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive, also_complex
from ..graph.build import call
from .linalg_ops import in_floats, square, turned

__all__ = ["matrix_exponential", "matrix_logarithm", "matrix_square_root"]

_DEGREE = 7


def _triangular(matrix: Any) -> tuple[Any, Any]:
    """Return q, unitary, and t, upper triangular, with ``matrix = q @ t @ q^H``: Schur's form, by shifted QR steps.

    It is there for matrices that have no basis of eigenvectors, too.
    """
    t = matrix.astype(complex)
    q, last, steps = np.eye(len(t), dtype=complex), len(t), 0
    scale = np.finfo(float).eps * np.linalg.norm(t)
    while last > 1:
        below = np.abs(np.tril(t[:last, :last], -1)[-1]).sum()
        if below <= scale or steps > 100:
            last, steps = last - 1, 0
            continue
        (a, b), (c, d) = t[last - 2 : last, last - 2 : last]
        middle, turn = (a + d) / 2, np.sqrt(((a - d) / 2) ** 2 + b * c)
        shift = min(middle + turn, middle - turn, key=lambda value: abs(value - d))
        shift += abs(c) * (steps % 10 == 9)  # a step that is out of the way ends a circle
        shifted = t[:last, :last] - shift * np.eye(last)
        step = np.linalg.qr(shifted)[0]
        t[:last] = turned(step) @ t[:last]
        t[:, :last] = t[:, :last] @ step
        q[:, :last] = q[:, :last] @ step
        steps += 1
    return q, np.triu(t)


def _root_of_triangle(t: Any) -> Any:
    """Return the upper triangular square root, diagonal by diagonal."""
    root = np.diag(np.sqrt(np.diag(t)))
    for apart in range(1, len(t)):
        for i in range(len(t) - apart):
            j = i + apart
            rest = t[i, j] - root[i, i + 1 : j] @ root[i + 1 : j, j]
            root[i, j] = rest / (root[i, i] + root[j, j]) if rest != 0 else 0
    return root


def _logarithm_of_triangle(t: Any) -> Any:
    """Return the logarithm: that of a root near to the identity, as many times as roots were taken.

    ``log(I + X)`` is the integral of ``X (I + uX)^-1`` for u from 0 to 1, by Gauss's nodes.
    """
    eye, halvings = np.eye(len(t)), 0
    while np.linalg.norm(t - eye, 1) > 0.25 and halvings < 100:
        t, halvings = _root_of_triangle(t), halvings + 1
    nodes, weights = np.polynomial.legendre.leggauss(8)
    x = t - eye
    terms = [w / 2 * np.linalg.solve(eye + (u + 1) / 2 * x, x) for u, w in zip(nodes, weights, strict=True)]
    return 2.0**halvings * sum(terms)


def _function(x: Any, of_values: Any, of_triangle: Any) -> Any:
    """Return a function of each matrix: by its eigenvectors where these are a good basis, else by Schur's form."""
    matrices = np.reshape(x, (math.prod(x.shape[:-2]), *x.shape[-2:]))
    found = np.full(matrices.shape, np.nan, dtype=complex)
    with np.errstate(all="ignore"):
        for k, matrix in enumerate(matrices):
            if not matrix.size or not np.isfinite(matrix).all():
                continue
            values, vectors = np.linalg.eig(matrix.astype(complex))
            if np.linalg.cond(vectors) < 100:
                found[k] = (vectors * of_values(values)) @ np.linalg.inv(vectors)
            else:
                q, t = _triangular(matrix)
                found[k] = q @ of_triangle(t) @ turned(q)
    found[~np.isfinite(found).all((-1, -2))] = complex(np.nan, np.nan)
    return np.reshape(found, x.shape)


def _root(x: Any) -> Any:
    x = unwrap(x)
    found = _function(x, np.sqrt, _root_of_triangle)
    if x.dtype.kind == "c":
        return found.astype(x.dtype)
    # The root of a real matrix with a negative eigenvalue is not real.
    sizes = np.abs(found).max((-1, -2), keepdims=True, initial=0)
    real = np.abs(found.imag).max((-1, -2), keepdims=True, initial=0) <= np.sqrt(np.finfo(x.dtype).eps) * sizes
    return np.where(real, found.real, np.nan).astype(x.dtype)


def _root_back(g: Any, y: Any, x: Any) -> Any:
    """Solve ``y.T @ s + s @ y.T = g``: a root's change d and its matrix's are ``y @ d + d @ y``."""
    size = y.shape[-1]
    eye = np.eye(size, dtype=y.dtype)
    left = np.swapaxes(y, -1, -2)[..., :, None, :, None] * eye[None, :, None, :]
    right = eye[:, None, :, None] * y[..., None, :, None, :]
    whole = np.reshape(left + right, (*y.shape[:-2], size * size, size * size))
    return np.reshape(np.linalg.solve(whole, np.reshape(g, (*y.shape[:-2], size * size, 1))), y.shape)


_ROOT = Primitive(_root, (_root_back,), name="matrix_square_root")
also_complex(_ROOT)


def matrix_square_root(input: Any, name: str | None = None) -> Any:
    """Return the principal square root; NaN where there is none, or none that is real for real matrices."""
    return call("MatrixSquareRoot", lambda x: apply(_ROOT, (x,)), (input,), name=name, shape=square)


def matrix_exponential(input: Any, name: str | None = None) -> Any:
    """Return ``I + A + A @ A / 2 + ...`` of square matrices A."""

    def exponential(x: Any) -> Any:
        eye = np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape)
        if not np.isfinite(unwrap(x)).all():
            return np.full_like(unwrap(x), np.nan)
        sizes = np.abs(unwrap(x)).sum(-2).max(-1, initial=0)
        halvings = max(int(np.ceil(np.log2(max(float(np.max(sizes, initial=0)), 1e-30)))) + 2, 0)
        a = x / x.dtype.type(2**halvings)
        # The quotient of two polynomials (Padé) is exact to the last bits where the sums of columns are below 1/4.
        term, above, below = eye, eye, eye
        for k in range(1, _DEGREE + 1):
            term = (term @ a) * x.dtype.type((_DEGREE - k + 1) / (k * (2 * _DEGREE - k + 1)))
            above, below = above + term, below + (term if k % 2 == 0 else -term)
        result = np.linalg.solve(below, above)
        for _ in range(halvings):
            result = result @ result
        return result

    return call("MatrixExponential", exponential, (input,), name=name, shape=square)


def matrix_logarithm(input: Any, name: str | None = None) -> Any:
    """Return the principal logarithm of complex square matrices, NaN where there is none. No gradient flows."""

    def logarithm(x: Any) -> Any:
        x = unwrap(x)
        return _function(x, np.log, _logarithm_of_triangle).astype(x.dtype)

    return call("MatrixLogarithm", in_floats(logarithm), (input,), name=name, shape=square, differentiable=False)
