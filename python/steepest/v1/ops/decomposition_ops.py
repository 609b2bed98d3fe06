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
from .operator_arguments import is_operator, told_by
from .reduce_ops import reduce_sum
from .sparse_ops import convert_to_tensor

__all__ = [
    "adjoint",
    "cholesky",
    "cholesky_slope",
    "log_matrix_determinant",
    "logdet",
    "matrix_solve_ls",
    "normalize",
    "qr",
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


def _factor(x: Any) -> Any:
    """Return each matrix's factor; of one that is not positive definite a triangle of NaNs."""
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
            raise
        if x.ndim == 2:
            return np.tril(np.full_like(x, np.nan))
        return np.reshape([_factor(matrix) for matrix in np.reshape(x, (-1, *x.shape[-2:]))], x.shape)


_CHOLESKY = Primitive(_factor, (cholesky_slope,), name="cholesky")
also_complex(_CHOLESKY)


def cholesky(input: Any, name: str | None = None) -> Any:
    """Return the lower triangular L with ``L @ L.T = input``: NaNs for a matrix that is not positive definite."""
    factored = invertible(lambda x: apply(_CHOLESKY, (x,)), "Input matrix must be square.")
    try:
        return call("Cholesky", factored, (input,), name=name, shape=square)
    except TypeError:
        return told_by(input, "cholesky", name)


def matrix_solve_ls(
    matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True, name: str | None = None
) -> Any:
    """Return the x that makes ``|matrix @ x - rhs|^2 + l2_regularizer * |x|^2`` smallest.

    With fewer rows than columns, the smallest x of those that solve it. Where ``fast`` is ``False`` the columns may
    depend on each other: the smallest x of the best ones, without ``l2_regularizer``. Otherwise x is NaN there.
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
        factor = apply(_CHOLESKY, ((adjoint @ a if rows >= columns else a @ adjoint) + eye,))
        found = np.linalg.solve(turned(factor), np.linalg.solve(factor, adjoint @ b if rows >= columns else b))
        return found if rows >= columns else adjoint @ found

    return call("MatrixSolveLs", in_floats(solved), inputs, name=name, shape=lambda a, b, *_: solution(a, b))


def adjoint(matrix: Any, name: str | None = None) -> Any:
    """Return the matrices with rows and columns exchanged, of complex numbers the conjugates."""
    try:
        return call("Transpose", turned, (matrix,), name=name)
    except TypeError:
        return told_by(matrix, "adjoint", name)


def logdet(matrix: Any, name: str | None = None) -> Any:
    """Return the logarithm of the determinant of a positive definite matrix."""
    if is_operator(matrix):
        if matrix.is_positive_definite and matrix.is_self_adjoint:
            return told_by(matrix, "log_abs_determinant", name)
        raise ValueError("Expected matrix to be self-adjoint positive definite.")
    diagonal = call("MatrixDiagPart", lambda x: np.diagonal(x, axis1=-2, axis2=-1), (cholesky(matrix),))
    if dtype_of(diagonal).is_complex:
        diagonal = real(diagonal)
    logs = call("Log", np.log, (diagonal,), shape=shape_inference.same)
    return call("Mul", lambda x: x + x, (reduce_sum(logs, -1),), name=name, shape=shape_inference.same)


def several(op_type: str, function: Any, x: Any, shapes: Any, name: str | None, *dtypes: Any) -> Any:
    """Return the tensors that a function of one matrix gives; ``shapes`` makes theirs of its static shape.

    The first ones have other types where ``dtypes`` say so.
    """
    x = x if executing_eagerly() else convert(x)
    shape = shape_of(x)
    known = shapes(shape)
    kinds = [*dtypes] + [None] * (len(known) - len(dtypes))
    return call(op_type, in_floats(function), (x,), name=name, shape=known, dtype=kinds, outputs=len(known))


def _least(a: Any, b: Any) -> Any:
    return None if a is None or b is None else min(a, b)


def _without_nan(x: Any) -> tuple[Any, Any]:
    """Return zeros in place of matrices that are not finite, and what makes NaNs of their results by addition."""
    finite = np.isfinite(unwrap(x)).all((-1, -2), keepdims=True)
    nan = np.where(finite, 0, np.nan).astype(unwrap(x).real.dtype)
    return (x if finite.all() else np.where(finite, x, np.zeros((), x.dtype))), nan


def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Return singular values, largest first, and u and v with ``tensor = u @ diag(s) @ v.T``.

    Only the singular values without ``compute_uv``. The signs of the vectors are LAPACK's.
    """
    if not compute_uv:

        def shape_fn(s: Any) -> Any:
            return None if at_least(2, s) is None else (*s[:-2], _least(s[-2], s[-1]))

        def values(x: Any) -> Any:
            kept, nan = _without_nan(x)
            return np.linalg.svd(kept, compute_uv=False) + nan[..., 0]

        return call("Svd", in_floats(values), (tensor,), name=name, shape=shape_fn, dtype=REAL)

    def parts(x: Any) -> Any:
        kept, nan = _without_nan(x)
        u, s, v = np.linalg.svd(kept, full_matrices)
        return s + nan[..., 0], u + nan, turned(v) + nan

    def shapes(s: Any) -> Any:
        if at_least(2, s) is None:
            return [None, None, None]
        lead, m, n = s[:-2], s[-2], s[-1]
        least = _least(m, n)
        return [(*lead, least), (*lead, m, m if full_matrices else least), (*lead, n, n if full_matrices else least)]

    return several("Svd", parts, tensor, shapes, name, REAL)


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

    return several("Qr", parts, input, shapes, name)


def slogdet(input: Any, name: str | None = None) -> Any:
    """Return the sign of the determinant, and the logarithm of its absolute value."""

    def parts(x: Any) -> Any:
        found = np.linalg.slogdet(x)
        sign, size = found[0], found[1].astype(x.dtype)
        unknown = np.isnan(unwrap(size)) | np.isnan(unwrap(x)).any((-1, -2))
        if unknown.any():
            nan = x.dtype.type(np.nan)
            sign, size = np.where(unknown, nan, sign), np.where(unknown, nan, size)
        return sign, size

    found = several("LogMatrixDeterminant", parts, input, lambda s: [None if s is None else square(s)[:-2]] * 2, name)
    return LogMatrixDeterminant(*found)


log_matrix_determinant = slogdet


def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> Any:
    """Return the tensor divided by its norm, and the norm, both of the tensor's type."""
    with name_scope(name, "normalize"):
        tensor = convert_to_tensor(tensor)
        size = cast(norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / size, size
