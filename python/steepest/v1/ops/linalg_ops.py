"""Linear algebra on the last two axes: inverses, solutions, diagonals, triangles."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...ops.dispatch import conjugated, unwrap
from ..graph import shape_inference
from ..graph.build import call, convert
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.shape_inference import apply_shape_fn
from ..graph.shapes import bracketed, compatible, text

__all__ = [
    "cross",
    "matrix_band_part",
    "matrix_determinant",
    "matrix_diag",
    "matrix_diag_part",
    "matrix_inverse",
    "matrix_set_diag",
    "matrix_solve",
    "matvec",
]


def at_least(ndim: int, shape: Any) -> Any:
    """The shape itself. Raises ValueError for one of fewer axes."""
    if shape is not None and len(shape) < ndim:
        raise ValueError(f"Shape must be at least rank {ndim} but is rank {len(shape)}")
    return shape


def square(shape: Any) -> Any:
    """The shape of matrices that have as many rows as columns. Raises ValueError for others."""
    if at_least(2, shape) is None:
        return None
    rows, columns = shape[-2:]
    if None not in (rows, columns) and rows != columns:
        raise ValueError(f"Dimensions must be equal, but are {rows} and {columns}")
    size = columns if rows is None else rows
    return (*shape[:-2], size, size)


def solution(a: Any, b: Any) -> Any:
    """The shape of what solves equations with the matrices a. Raises ValueError where the numbers of rows differ."""
    if at_least(2, a) is None or at_least(2, b) is None:
        return None if b is None else (*b[:-2], b[-2], b[-1])
    if None not in (a[-2], b[-2]) and a[-2] != b[-2]:
        raise ValueError(f"Dimensions must be equal, but are {a[-2]} and {b[-2]}")
    return (*(shape_inference.merged(a[:-2], b[:-2]) or ()), a[-1], b[-1])


def invertible(function: Any, words: str) -> Any:
    """Return a function of matrices whose error for one that has no result is in TensorFlow's words."""

    def checked(*arrays: Any) -> Any:
        try:
            return function(*arrays)
        except np.linalg.LinAlgError as error:
            raise InvalidArgumentError(None, None, words) from error

    return checked


def turned(x: Any) -> Any:
    """Return the matrices with rows and columns exchanged, conjugated where they are complex."""
    return conjugated(np.swapaxes(x, -1, -2))


def matrix_inverse(input: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """Return the inverse. Raises InvalidArgumentError, when a session runs, for a matrix that has none."""

    def inverse(x: Any) -> Any:
        return np.linalg.inv(turned(x) if adjoint else x)

    return call("MatrixInverse", invertible(inverse, "Input is not invertible."), (input,), name=name, shape=square)


def matrix_solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """Return the x for which ``matrix @ x = rhs``."""

    def solved(a: Any, b: Any) -> Any:
        return np.linalg.solve(turned(a) if adjoint else a, b)

    function = invertible(solved, "Input matrix is not invertible.")
    return call("MatrixSolve", function, (matrix, rhs), name=name, shape=lambda a, b: solution(square(a), b))


def matrix_determinant(input: Any, name: str | None = None) -> Any:
    """Return the determinant."""
    return call("MatrixDeterminant", np.linalg.det, (input,), name=name, shape=_of_each)


def _of_each(shape: Any) -> Any:
    return None if shape is None else square(shape)[:-2]


def _by_row(diagonal: Any, rows: int, k: int) -> Any:
    """Return the elements of diagonals ``k``, each in its row, as columns."""
    before = max(-k, 0)
    after = max(rows - before - diagonal.shape[-1], 0)
    if before or after:
        diagonal = np.pad(diagonal, [(0, 0)] * (diagonal.ndim - 1) + [(before, after)])
    return np.expand_dims(diagonal, -1)


def matrix_diag(diagonal: Any, name: str | None = "diag", k: int = 0) -> Any:
    """Return matrices with the vectors of the last axis on their diagonals ``k``."""

    def compute(v: Any) -> Any:
        if not v.ndim:
            raise ValueError("input must be at least 1-dim, received shape: []")
        size = np.shape(v)[-1] + builtins.abs(k)
        return np.where(np.eye(size, k=k, dtype=bool), _by_row(v, size, k), np.zeros((), v.dtype))

    def shape_fn(s: Any) -> Any:
        if s == ():
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        size = None if s is None or s[-1] is None else s[-1] + builtins.abs(k)
        return None if s is None else (*s[:-1], size, size)

    return call("MatrixDiag", compute, (diagonal,), name=name, shape=shape_fn)


def matrix_diag_part(input: Any, name: str | None = "diag_part", k: int = 0) -> Any:
    """Return the diagonals ``k``."""
    if not executing_eagerly():
        input = convert(input)
        apply_shape_fn("diag_part", "MatrixDiagPart", lambda s: at_least(2, s), [input])

    def compute(x: Any) -> Any:
        if x.ndim < 2:
            raise ValueError(f"input must be at least 2-dim, received shape: {bracketed(x.shape)}")
        return np.diagonal(x, k, axis1=-2, axis2=-1)

    return call("MatrixDiagPart", compute, (input,), name=name)


def matrix_set_diag(input: Any, diagonal: Any, name: str | None = "set_diag", k: int = 0) -> Any:
    """Return the matrices with other diagonals ``k``."""

    def compute(x: Any, v: Any) -> Any:
        if x.ndim < 2:
            raise ValueError(f"input must be at least 2-dim, received shape: {bracketed(x.shape)}")
        shape = np.shape(x)[-2:]
        on = np.eye(shape[0], shape[1], k=k, dtype=bool)
        length = min(shape[0] + min(k, 0), shape[1] - max(k, 0))
        if v.shape != (*x.shape[:-2], length):
            wanted = f"diagonal's shape must be {bracketed((*x.shape[:-2], length))}"
            raise ValueError(f"{wanted} beside input's {bracketed(x.shape)}, received shape: {bracketed(v.shape)}")
        return np.where(on, _by_row(v, shape[0], k), x) if length else x

    def shape_fn(x: Any, v: Any) -> Any:
        if at_least(1, v) and at_least(2, x) and not compatible(v[:-1], x[:-2]):
            raise ValueError(f"Shapes {text(v[:-1])} and {text(x[:-2])} of matrices and diagonals are not compatible")
        return at_least(2, x)

    return call("MatrixSetDiag", compute, (input, diagonal), name=name, shape=shape_fn)


def matrix_band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Any:
    """Return the matrices with zeros outside a band; a negative number keeps the whole triangle."""

    def compute(x: Any, lower: Any, upper: Any) -> Any:
        rows, columns = np.shape(x)[-2:]
        low, high = int(unwrap(lower)), int(unwrap(upper))
        for which, count, size in (("lower", low, rows), ("upper", high, columns)):
            if count > size:
                axis = "rows" if which == "lower" else "columns"
                raise ValueError(
                    f"num_{which} must be negative or less or equal to number of {axis} ({size}) got: {count}"
                )
        distance = np.arange(rows)[:, None] - np.arange(columns)
        inside = ((low < 0) | (distance <= low)) & ((high < 0) | (-distance <= high))
        return np.where(inside, x, np.zeros((), x.dtype))

    return call(
        "MatrixBandPart", compute, (input, num_lower, num_upper), name=name, shape=shape_inference.same, same=False
    )


def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """Return the products of matrices, turned over where asked for, and vectors."""
    del a_is_sparse, b_is_sparse
    swapped = transpose_a or adjoint_a

    def matrices(x: Any) -> Any:
        return turned(x) if adjoint_a else np.swapaxes(x, -1, -2) if swapped else x

    def product(x: Any, y: Any) -> Any:
        return np.squeeze(np.matmul(matrices(x), np.expand_dims(y, -1)), -1)

    def shape_fn(x: Any, y: Any) -> Any:
        if x is None or y is None:
            return None
        return (*(shape_inference.broadcast(x[:-2], y[:-1]) or ()), x[-1] if swapped else x[-2])

    return call("MatVec", product, (a, b), name=name, shape=shape_fn)


def cross(a: Any, b: Any, name: str | None = None) -> Any:
    """Return the cross products of vectors of three."""

    def product(x: Any, y: Any) -> Any:
        after, before = [1, 2, 0], [2, 0, 1]
        return x[..., after] * y[..., before] - x[..., before] * y[..., after]

    def shape_fn(x: Any, y: Any) -> Any:
        for shape in (x, y):
            if shape is not None and (not shape or shape[-1] not in (3, None)):
                raise ValueError(f"the last axis must be of size 3, got the shape {shape}")
        return shape_inference.merged(x, y)

    return call("Cross", product, (a, b), name=name, shape=shape_fn)
