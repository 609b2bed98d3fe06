"""Decompositions of matrices, and what is solved by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ..graph import shape_inference
from ..graph.build import REAL, call, convert, shape_of
from ..graph.mode import executing_eagerly
from .linalg_ops import square, turned
from .norm_ops import norm
from .reduce_ops import reduce_sum

__all__ = [
    "adjoint",
    "cholesky",
    "cholesky_solve",
    "eigvalsh",
    "logdet",
    "matrix_solve_ls",
    "matrix_square_root",
    "matrix_triangular_solve",
    "normalize",
    "qr",
    "self_adjoint_eig",
    "self_adjoint_eigvals",
    "slogdet",
    "svd",
]


def _cholesky_back(g: Any, y: Any, x: Any) -> Any:
    """The gradient is symmetric, as in TensorFlow, of complex numbers Hermitian; see `ops.vjps.decompositions` for the formula."""
    middle = np.tril(turned(y) @ g)
    middle = middle - middle * (np.eye(y.shape[-1], dtype=y.dtype) / 2)
    inverse = np.linalg.inv(y)
    s = turned(inverse) @ middle @ inverse
    return (s + turned(s)) / 2


_CHOLESKY = Primitive(np.linalg.cholesky, (_cholesky_back,), name="cholesky")


def cholesky(input: Any, name: str | None = None) -> Any:
    """Return the lower triangular L with ``L @ L.T = input``.

    Raises InvalidArgumentError, when a session runs, for a matrix that is not positive definite.
    """
    return call("Cholesky", lambda x: apply(_CHOLESKY, (x,)), (input,), name=name, shape=square)


def _solution(a: Any, b: Any) -> Any:
    rows = None if a is None else a[-1]
    return None if b is None else (*b[:-2], b[-2] if rows is None else rows, b[-1])


def matrix_triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Any:
    """Return the x for which ``matrix @ x = rhs``; of the matrix one triangle is read."""

    def solved(a: Any, b: Any) -> Any:
        triangle = np.tril(a) if lower else np.triu(a)
        return np.linalg.solve(turned(triangle) if adjoint else triangle, b)

    return call("MatrixTriangularSolve", solved, (matrix, rhs), name=name, shape=_solution)


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Any:
    """Return the x for which ``chol @ chol.T @ x = rhs``, for a `cholesky` factor."""
    return matrix_triangular_solve(chol, matrix_triangular_solve(chol, rhs), adjoint=True, name=name)


def matrix_solve_ls(
    matrix: Any, rhs: Any, l2_regularizer: float = 0.0, fast: bool = True, name: str | None = None
) -> Any:
    """Return the x that makes ``|matrix @ x - rhs|^2 + l2_regularizer * |x|^2`` smallest.

    With fewer rows than columns, the smallest x of those that solve it.
    """
    del fast

    def solved(a: Any, b: Any) -> Any:
        rows, columns = np.shape(a)[-2:]
        adjoint = turned(a)
        eye = np.eye(min(rows, columns), dtype=a.dtype) * a.dtype.type(l2_regularizer)
        if rows >= columns:
            return np.linalg.solve(adjoint @ a + eye, adjoint @ b)
        return adjoint @ np.linalg.solve(a @ adjoint + eye, b)

    return call("MatrixSolveLs", solved, (matrix, rhs), name=name, shape=_solution)


def matrix_square_root(input: Any, name: str | None = None) -> Any:
    """Return the principal square root, without gradient."""

    def root(x: Any) -> Any:
        values, vectors = np.linalg.eig(unwrap(x))
        roots = (vectors * np.sqrt(values.astype(complex))[..., None, :]) @ np.linalg.inv(vectors)
        return roots.astype(x.dtype) if x.dtype.kind == "c" else roots.real.astype(x.dtype)

    return call("MatrixSquareRoot", root, (input,), name=name, shape=square, differentiable=False)


def adjoint(matrix: Any, name: str | None = None) -> Any:
    """Return the matrices with rows and columns exchanged, of complex numbers the conjugates."""
    return call("Transpose", turned, (matrix,), name=name)


def logdet(matrix: Any, name: str | None = None) -> Any:
    """Return the logarithm of the determinant of a positive definite matrix."""
    diagonal = call("MatrixDiagPart", lambda x: np.diagonal(x, axis1=-2, axis2=-1), (cholesky(matrix),))
    logs = call("Log", np.log, (diagonal,), shape=shape_inference.same)
    return call("Mul", lambda x: 2 * x, (reduce_sum(logs, -1),), name=name, shape=shape_inference.same)


def _several(op_type: str, function: Any, x: Any, shapes: Any, name: str | None, first: Any = None) -> Any:
    """Return the tensors that a function of one matrix gives; ``shapes`` makes theirs of its static shape.

    The first has another type where ``first`` says so.
    """
    x = x if executing_eagerly() else convert(x)
    shape = shape_of(x)
    known = shapes(shape)
    kinds = [first] + [None] * (len(known) - 1)
    return call(op_type, function, (x,), name=name, shape=known, dtype=kinds, outputs=len(known))


def _least(a: Any, b: Any) -> Any:
    return None if a is None or b is None else min(a, b)


def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Return singular values, largest first, and u and v with ``tensor = u @ diag(s) @ v.T``.

    Only the singular values without ``compute_uv``. The signs of the vectors are LAPACK's.
    """
    if not compute_uv:

        def shape_fn(s: Any) -> Any:
            return None if s is None else (*s[:-2], _least(s[-2], s[-1]))

        return call("Svd", lambda x: np.linalg.svd(x, compute_uv=False), (tensor,), name=name, shape=shape_fn, dtype=REAL)

    def parts(x: Any) -> Any:
        u, s, v = np.linalg.svd(x, full_matrices)
        return s, u, turned(v)

    def shapes(s: Any) -> Any:
        if s is None:
            return [None, None, None]
        lead, m, n = s[:-2], s[-2], s[-1]
        least = _least(m, n)
        return [(*lead, least), (*lead, m, m if full_matrices else least), (*lead, n, n if full_matrices else least)]

    return _several("Svd", parts, tensor, shapes, name, REAL)


def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Any:
    """Return q of orthogonal columns and upper triangular r with ``q @ r = input``; the signs are LAPACK's."""

    def parts(x: Any) -> Any:
        found = np.linalg.qr(x, "complete" if full_matrices else "reduced")
        return found[0], found[1]

    def shapes(s: Any) -> Any:
        if s is None:
            return [None, None]
        inner = s[-2] if full_matrices else _least(s[-2], s[-1])
        return [(*s[:-2], s[-2], inner), (*s[:-2], inner, s[-1])]

    return _several("Qr", parts, input, shapes, name)


def self_adjoint_eig(tensor: Any, name: str | None = None) -> Any:
    """Return eigenvalues, smallest first, and eigenvectors in columns, of a symmetric matrix."""

    def parts(x: Any) -> Any:
        found = np.linalg.eigh(x)
        return found[0].astype(x.dtype), found[1]

    def shapes(s: Any) -> Any:
        return [None, None] if s is None else [square(s)[:-1], square(s)]

    return _several("SelfAdjointEigV2", parts, tensor, shapes, name)


def self_adjoint_eigvals(tensor: Any, name: str | None = None) -> Any:
    """Return the eigenvalues of a symmetric matrix, smallest first."""
    return call(
        "SelfAdjointEigV2",
        lambda x: np.linalg.eigvalsh(x).astype(x.dtype),
        (tensor,),
        name=name,
        shape=lambda s: None if s is None else square(s)[:-1],
    )


eigvalsh = self_adjoint_eigvals


def slogdet(input: Any, name: str | None = None) -> Any:
    """Return the sign of the determinant, and the logarithm of its absolute value."""

    def parts(x: Any) -> Any:
        found = np.linalg.slogdet(x)
        return found[0], found[1].astype(x.dtype)

    return _several("LogMatrixDeterminant", parts, input, lambda s: [None if s is None else s[:-2]] * 2, name)


def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> Any:
    """Return the tensor divided by its norm, and the norm."""
    size = norm(tensor, ord, axis, keepdims=True)
    return call("RealDiv", np.true_divide, (tensor, size), name=name, shape=shape_inference.broadcast), size
