"""Decompositions of matrices, and what is solved by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import apply, conjugated, unwrap
from ...ops.registry import Primitive, also_complex
from ..graph import shape_inference
from ..graph.build import REAL, call, convert, dtype_of, shape_of
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from .cast_ops import cast
from .complex_ops import real
from .linalg_ops import at_least, in_floats, invertible, solution, square, turned
from .named_results import LogMatrixDeterminant
from .norm_ops import norm
from .reduce_ops import reduce_sum
from .sparse_ops import convert_to_tensor

__all__ = [
    "adjoint",
    "cholesky",
    "cholesky_slope",
    "cholesky_solve",
    "eigvalsh",
    "log_matrix_determinant",
    "logdet",
    "matrix_exponential",
    "matrix_logarithm",
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


def cholesky_slope(g: Any, y: Any, x: Any = None) -> Any:
    """Return the gradient by a matrix whose factor is y: symmetric, as in TensorFlow, of complex numbers Hermitian.

    See `ops.vjps.decompositions` for the formula.
    """
    middle = np.tril(turned(y) @ conjugated(g))
    middle = middle - middle * (np.eye(y.shape[-1], dtype=y.dtype) / 2)
    inverse = np.linalg.inv(y)
    s = turned(inverse) @ middle @ inverse
    return conjugated((s + turned(s)) / 2)


_CHOLESKY = Primitive(np.linalg.cholesky, (cholesky_slope,), name="cholesky")
also_complex(_CHOLESKY)
_NOT_DEFINITE = "Cholesky decomposition was not successful. The input might not be valid."


def cholesky(input: Any, name: str | None = None) -> Any:
    """Return the lower triangular L with ``L @ L.T = input``.

    Raises InvalidArgumentError, when a session runs, for a matrix that is not positive definite.
    """
    factored = invertible(lambda x: apply(_CHOLESKY, (x,)), _NOT_DEFINITE)
    return call("Cholesky", factored, (input,), name=name, shape=square)


def matrix_triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Any:
    """Return the x for which ``matrix @ x = rhs``; of the matrix one triangle is read."""

    def solved(a: Any, b: Any) -> Any:
        triangle = np.tril(a) if lower else np.triu(a)
        return np.linalg.solve(turned(triangle) if adjoint else triangle, b)

    function = invertible(solved, "Input matrix is not invertible.")
    return call("MatrixTriangularSolve", function, (matrix, rhs), name=name, shape=lambda a, b: solution(square(a), b))


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Any:
    """Return the x for which ``chol @ chol.T @ x = rhs``, for a `cholesky` factor."""
    return matrix_triangular_solve(chol, matrix_triangular_solve(chol, rhs), adjoint=True, name=name)


def matrix_solve_ls(
    matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True, name: str | None = None
) -> Any:
    """Return the x that makes ``|matrix @ x - rhs|^2 + l2_regularizer * |x|^2`` smallest.

    With fewer rows than columns, the smallest x of those that solve it. Where ``fast`` is ``False`` the columns may
    depend on each other: the smallest x of the best ones, without ``l2_regularizer``.
    """
    if not fast:
        return call("MatrixSolveLs", lambda a, b: np.linalg.pinv(a) @ b, (matrix, rhs), name=name, shape=solution)
    number = l2_regularizer
    inputs: tuple[Any, ...] = (matrix, rhs)
    if not isinstance(l2_regularizer, (int, float, np.number)):
        matrix = convert_to_tensor(matrix)
        inputs = (matrix, rhs, cast(l2_regularizer, dtype_of(matrix)))

    def solved(a: Any, b: Any, weight: Any = number) -> Any:
        rows, columns = np.shape(a)[-2:]
        adjoint = turned(a)
        eye = np.eye(min(rows, columns), dtype=a.dtype) * (a.dtype.type(weight) if weight is number else weight)
        if rows >= columns:
            return np.linalg.solve(adjoint @ a + eye, adjoint @ b)
        return adjoint @ np.linalg.solve(a @ adjoint + eye, b)

    function = invertible(solved, _NOT_DEFINITE)
    return call("MatrixSolveLs", function, inputs, name=name, shape=lambda a, b, *_: solution(a, b))


def _root(x: Any) -> Any:
    if not np.isfinite(unwrap(x)).all():
        return np.full_like(unwrap(x), np.nan)
    values, vectors = np.linalg.eig(unwrap(x))
    roots = (vectors * np.sqrt(values.astype(complex))[..., None, :]) @ np.linalg.inv(vectors)
    return roots.astype(x.dtype) if x.dtype.kind == "c" else roots.real.astype(x.dtype)


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
    """Return the principal square root."""
    return call("MatrixSquareRoot", lambda x: apply(_ROOT, (x,)), (input,), name=name, shape=square)


def adjoint(matrix: Any, name: str | None = None) -> Any:
    """Return the matrices with rows and columns exchanged, of complex numbers the conjugates."""
    return call("Transpose", turned, (matrix,), name=name)


def logdet(matrix: Any, name: str | None = None) -> Any:
    """Return the logarithm of the determinant of a positive definite matrix."""
    diagonal = call("MatrixDiagPart", lambda x: np.diagonal(x, axis1=-2, axis2=-1), (cholesky(matrix),))
    if dtype_of(diagonal).is_complex:
        diagonal = real(diagonal)
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
    return call(op_type, in_floats(function), (x,), name=name, shape=known, dtype=kinds, outputs=len(known))


def _least(a: Any, b: Any) -> Any:
    return None if a is None or b is None else min(a, b)


def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Return singular values, largest first, and u and v with ``tensor = u @ diag(s) @ v.T``.

    Only the singular values without ``compute_uv``. The signs of the vectors are LAPACK's.
    """
    if not compute_uv:

        def shape_fn(s: Any) -> Any:
            return None if at_least(2, s) is None else (*s[:-2], _least(s[-2], s[-1]))

        values = in_floats(lambda x: np.linalg.svd(x, compute_uv=False))
        return call("Svd", values, (tensor,), name=name, shape=shape_fn, dtype=REAL)

    def parts(x: Any) -> Any:
        u, s, v = np.linalg.svd(x, full_matrices)
        return s, u, turned(v)

    def shapes(s: Any) -> Any:
        if at_least(2, s) is None:
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
        if at_least(2, s) is None:
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
        in_floats(lambda x: np.linalg.eigvalsh(x).astype(x.dtype)),
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

    found = _several("LogMatrixDeterminant", parts, input, lambda s: [None if s is None else square(s)[:-2]] * 2, name)
    return LogMatrixDeterminant(*found)


log_matrix_determinant = slogdet


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


_DEGREE = 7


def matrix_logarithm(input: Any, name: str | None = None) -> Any:
    """Return the principal logarithm of complex square matrices that have a basis of eigenvectors, without gradient."""

    def logarithm(x: Any) -> Any:
        values, vectors = np.linalg.eig(unwrap(x))
        return ((vectors * np.log(values)[..., None, :]) @ np.linalg.inv(vectors)).astype(x.dtype)

    return call("MatrixLogarithm", logarithm, (input,), name=name, shape=square, differentiable=False)


def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> Any:
    """Return the tensor divided by its norm, and the norm, both of the tensor's type."""
    with name_scope(name, "normalize"):
        tensor = convert_to_tensor(tensor)
        size = cast(norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / size, size
