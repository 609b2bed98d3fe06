"""Linear algebra on the last two axes: inverses, solutions, triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import conjugated, unwrap
from ..graph import shape_inference
from ..graph.build import call
from ..graph.errors import InvalidArgumentError
from .operator_arguments import is_operator, told_by

__all__ = [
    "cross",
    "matrix_band_part",
    "matrix_determinant",
    "matrix_inverse",
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


def in_floats(function: Any) -> Any:
    """Return a function of matrices that computes in float32 what is of 16 bits: NumPy's takes no such types."""

    def computed(*arrays: Any) -> Any:
        dtype = arrays[0].dtype
        if dtype.kind not in "fV" or dtype.itemsize != 2:
            return function(*arrays)
        found = function(*[array.astype(np.float32) for array in arrays])
        return tuple(part.astype(dtype) for part in found) if isinstance(found, tuple) else found.astype(dtype)

    return computed


def invertible(function: Any, words: str) -> Any:
    """Return a function of matrices whose error for one that has no result is in TensorFlow's words."""
    function = in_floats(function)

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

    try:
        return call("MatrixInverse", invertible(inverse, "Input is not invertible."), (input,), name=name, shape=square)
    except TypeError:
        found = told_by(input, "inverse", name)
        return found.adjoint() if adjoint else found


def matrix_solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """Return the x for which ``matrix @ x = rhs``."""

    def solved(a: Any, b: Any) -> Any:
        return np.linalg.solve(turned(a) if adjoint else a, b)

    function = invertible(solved, "Input matrix is not invertible.")
    try:
        return call("MatrixSolve", function, (matrix, rhs), name=name, shape=lambda a, b: solution(square(a), b))
    except TypeError:
        if is_operator(rhs) and not is_operator(matrix):
            words = "Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported."
            raise ValueError(words) from None
        return told_by(matrix, "solve", name, rhs, adjoint=adjoint)


def matrix_determinant(input: Any, name: str | None = None) -> Any:
    """Return the determinant."""

    def determinants(x: Any) -> Any:
        found, unknown = np.linalg.det(x), np.isnan(unwrap(x)).any((-1, -2))
        return np.where(unknown, x.dtype.type(np.nan), found) if unknown.any() else found  # NumPy may say 0 there

    try:
        return call("MatrixDeterminant", determinants, (input,), name=name, shape=_of_each)
    except TypeError:
        return told_by(input, "determinant", name)


def _of_each(shape: Any) -> Any:
    return None if shape is None else square(shape)[:-2]


def matrix_band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Any:
    """Return the matrices with zeros outside a band; a negative number keeps the whole triangle."""

    def compute(x: Any, lower: Any, upper: Any) -> Any:
        if np.ndim(x) < 2:
            raise ValueError(f"input must be at least 2-dim, received shape: {list(np.shape(x))}")
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

    of_both = in_floats(product)  # NumPy has no products of bfloat16

    def shape_fn(x: Any, y: Any) -> Any:
        if x is None or y is None:
            return None
        inner = x[-2] if swapped else x[-1]
        if None not in (inner, y[-1]) and inner != y[-1]:
            raise ValueError(f"Dimensions must be equal, but are {inner} and {y[-1]}")
        return (*(shape_inference.broadcast(x[:-2], y[:-1]) or ()), x[-1] if swapped else x[-2])

    return call("MatVec", of_both, (a, b), name=name, shape=shape_fn)


def cross(a: Any, b: Any, name: str | None = None) -> Any:
    """Return the cross products of vectors of three."""

    def product(x: Any, y: Any) -> Any:
        after, before = np.array([1, 2, 0]), np.array([2, 0, 1])
        return x[..., after] * y[..., before] - x[..., before] * y[..., after]

    def shape_fn(x: Any, y: Any) -> Any:
        for shape in (x, y):
            if shape is not None and (not shape or shape[-1] not in (3, None)):
                raise ValueError(f"the last axis must be of size 3, got the shape {shape}")
        return shape_inference.merged(x, y)

    return call("Cross", product, (a, b), name=name, shape=shape_fn)
