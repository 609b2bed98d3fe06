"""Equations whose matrices are triangular: full ones, those of a band, Cholesky's factors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph import shape_inference
from ..graph.build import call
from ..graph.errors import InvalidArgumentError
from .linalg_ops import at_least, in_floats, square, turned

__all__ = ["banded_triangular_solve", "cholesky_solve", "matrix_triangular_solve"]


def broadcast_solution(a: Any, b: Any) -> Any:
    """The shape of what solves equations where the batches of both sides fit each other. Raises ValueError if not."""
    if at_least(2, a) is None or at_least(2, b) is None:
        return None
    if None not in (a[-2], b[-2]) and a[-2] != b[-2]:
        raise ValueError(f"Dimensions must be equal, but are {a[-2]} and {b[-2]}")
    return (*(shape_inference.broadcast(a[:-2], b[:-2]) or ()), a[-1], b[-1])


def _row_by_row(triangle: Any, b: Any, lower: bool) -> Any:
    """Return the solution as it is computed by hand: what is divided by a 0 on the diagonal is infinite, or NaN."""
    order = range(triangle.shape[-1])
    found: dict[int, Any] = {}
    with np.errstate(all="ignore"):
        for i in order if lower else reversed(order):
            rest = b[..., i, :]
            for j, row in found.items():
                rest = rest - triangle[..., i, j, None] * row
            found[i] = rest / triangle[..., i, i, None]
    return np.stack([found[i] for i in order], -2)


def solve_triangle(triangle: Any, b: Any, lower: bool) -> Any:
    """Return the x for which ``triangle @ x = b``; batches may differ where one fits the other."""
    if (np.diagonal(unwrap(triangle), axis1=-2, axis2=-1) == 0).any():
        return _row_by_row(triangle, b, lower)
    if (missing := np.ndim(triangle) - np.ndim(b)) > 0:
        b = b[(None,) * missing]  # NumPy 1 would take a stack of matrices, one axis short, for vectors
    return np.linalg.solve(triangle, b)


def matrix_triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Any:
    """Return the x for which ``matrix @ x = rhs``; of the matrix one triangle is read.

    Where the diagonal has a 0, x has infinities or NaNs. The batches of matrices and of right sides may differ where
    they can be broadcast.
    """

    def solved(a: Any, b: Any) -> Any:
        triangle = np.tril(a) if lower else np.triu(a)
        return solve_triangle(turned(triangle) if adjoint else triangle, b, lower != adjoint)

    return call(
        "MatrixTriangularSolve",
        in_floats(solved),
        (matrix, rhs),
        name=name,
        shape=lambda a, b: broadcast_solution(square(a), b),
    )


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Any:
    """Return the x for which ``chol @ chol.T @ x = rhs``, for a `cholesky` factor."""
    return matrix_triangular_solve(chol, matrix_triangular_solve(chol, rhs), adjoint=True, name=name)


def banded_triangular_solve(
    bands: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Any:
    """Return the x for which ``matrix @ x = rhs``, where the triangular matrix has numbers near the diagonal alone.

    Args:
        bands: ``[..., K, M]``: the diagonal and those next to it. Of a lower triangle the first row is the diagonal,
            and each further one begins with a number less that is read; of an upper triangle the last row is the
            diagonal, and the others end with numbers that are not read.
        rhs: ``[..., M, N]``.
        lower, adjoint: which triangle it is, and whether its adjoint is meant.

    Raises ValueError for more bands than rows; InvalidArgumentError, when a session runs, for a 0 on the diagonal.
    Source: ``tf.linalg.banded_triangular_solve``.
    """

    def solved(a: Any, b: Any) -> Any:
        count, size = a.shape[-2:]
        if (unwrap(a)[..., 0 if lower else -1, :] == 0).any():
            raise InvalidArgumentError(None, None, "Input matrix is not invertible.")
        # Element (i, j) is in band i - j, or j - i above the diagonal, at its row's place or at its column's.
        apart = np.arange(size)[:, None] - np.arange(size)
        band = apart if lower else -apart
        inside = (band >= 0) & (band < count)
        place = np.clip(band if lower else count - 1 - band, 0, count - 1)
        triangle = np.where(inside, a[..., place, np.arange(size)[:, None]], np.zeros((), a.dtype))
        return solve_triangle(turned(triangle) if adjoint else triangle, b, lower != adjoint)

    def shape_fn(a: Any, b: Any) -> Any:
        if at_least(2, a) is None:
            return None
        if None not in a[-2:] and a[-2] > a[-1]:
            raise ValueError(f"The number of bands must be at most the number of rows {a[-1]}, got {a[-2]}")
        return broadcast_solution((*a[:-2], a[-1], a[-1]), b)

    return call("BandedTriangularSolve", in_floats(solved), (bands, rhs), name=name, shape=shape_fn)
