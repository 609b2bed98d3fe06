"""Equations whose matrices have numbers on three diagonals alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph import shape_inference
from ..graph.build import call, shape_of
from ..graph.scopes import name_scope
from .array_ops import expand_dims, matrix_transpose, squeeze
from .complex_ops import conj
from .concat_ops import concat
from .creation_ops import zeros_like
from .diagonal_ops import matrix_diag
from .linalg_ops import at_least, in_floats, matrix_band_part, solution
from .matmul_ops import matmul
from .sparse_ops import convert_to_tensor

__all__ = ["tridiagonal_mat_mul", "tridiagonal_matmul", "tridiagonal_solve"]

_FORMATS = ("compact", "sequence", "matrix")


def _size(value: Any, axis: int) -> int | None:
    """Return the size of an axis, counted from behind, where it is known. Raises ValueError where there is none."""
    sizes = at_least(-axis, shape_of(value))
    return None if sizes is None else sizes[axis]


_SIDES = "number of left-hand sided and right-hand sides to be equal, got {wanted} and"


def _fits(found: int | None, wanted: int | None, what: str) -> None:
    if None not in (found, wanted) and found != wanted:
        raise ValueError(f"Expected {what.format(wanted=wanted)} {found}")


def _in_full(above: Any, middle: Any, below: Any) -> Any:
    """Return the matrices with these diagonals; the last number above and the first below are not read."""
    return matrix_diag(middle) + matrix_diag(above[..., :-1], k=1) + matrix_diag(below[..., 1:], k=-1)


def _padded(part: Any, length: int | None, at_end: bool) -> Any:
    """Return an outer diagonal with as many numbers as the middle one, where it comes without the one not read."""
    own = _size(part, -1)
    if length is None or own is None or own != length - 1:
        _fits(own, length, "an outer diagonal of the length {wanted}, got")
        return part
    zero = zeros_like(part[..., :1]) if own else zeros_like(part)
    return concat([part, zero] if at_end else [zero, part], -1)


def _matrix(diagonals: Any, diagonals_format: str, dtype: Any) -> Any:
    """Return the matrices of three diagonals that are given in one of the formats."""
    if diagonals_format not in _FORMATS:
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    if diagonals_format == "matrix":
        matrix = matrix_band_part(convert_to_tensor(diagonals), 1, 1)
        _fits(_size(matrix, -2), _size(matrix, -1), "a matrix of {wanted} rows, got")
        return matrix
    if diagonals_format == "compact":
        packed = convert_to_tensor(diagonals, dtype=dtype)
        if _size(packed, -2) not in (None, 3):
            raise ValueError(f"Expected 3 diagonals got {_size(packed, -2)}")
        return _in_full(packed[..., 0, :], packed[..., 1, :], packed[..., 2, :])
    if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    above, middle, below = (convert_to_tensor(each) for each in diagonals)
    length = _size(middle, -1)
    return _in_full(_padded(above, length, True), middle, _padded(below, length, False))


def _solved(a: Any, b: Any) -> Any:
    """Return the solutions, NaNs for matrices that have no inverse."""
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        if a.ndim == 2:
            return np.full_like(unwrap(b), np.nan)
        return np.stack([_solved(one, right) for one, right in zip(a, b, strict=True)])


def tridiagonal_mat_mul(superdiag: Any, maindiag: Any, subdiag: Any, rhs: Any, name: str | None = None) -> Any:
    """Return ``matrix @ rhs`` for diagonals of the shape ``[..., 1, M]``, as TensorFlow's operation takes them.

    The last number above and the first below are not read. Raises ValueError for shapes that do not fit.
    """

    def product(above: Any, middle: Any, below: Any, right: Any) -> Any:
        above, middle, below = (np.swapaxes(each, -1, -2) for each in (above, middle, below))
        zero = np.zeros_like(unwrap(right)[..., :1, :])
        after = np.concatenate([right[..., 1:, :], zero], -2)
        before = np.concatenate([zero, right[..., :-1, :]], -2)
        return above * after + middle * right + below * before

    def shape_fn(above: Any, middle: Any, below: Any, right: Any) -> Any:
        if at_least(2, right) is None:
            return None
        for diagonal in (above, middle, below):
            shape_inference.merged(at_least(2, diagonal), (*right[:-2], 1, right[-2]))
        return right

    sides = superdiag, maindiag, subdiag, rhs
    return call("TridiagonalMatMul", in_floats(product), sides, name=name, shape=shape_fn)


def tridiagonal_matmul(diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None) -> Any:
    """Return ``matrix @ rhs``, where the matrix has three diagonals, given as `tridiagonal_solve` takes them.

    Raises ValueError for shapes that do not fit. Source: ``tf.linalg.tridiagonal_matmul``.
    """
    with name_scope(name, "tridiagonal_matmul"):
        right = convert_to_tensor(rhs)
        matrix = _matrix(diagonals, diagonals_format, right.dtype)
        _fits(_size(right, -2), _size(matrix, -1), _SIDES)
        return matmul(matrix, right)


def tridiagonal_solve(
    diagonals: Any,
    rhs: Any,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
) -> Any:
    """Return the x for which ``matrix @ x = rhs``, where the matrix has three diagonals.

    Args:
        diagonals: "compact": one tensor ``[..., 3, M]``, the diagonal above the middle, the middle, and that below;
            "sequence": these three; "matrix": ``[..., M, M]``, of which three diagonals are read.
        rhs: ``[..., M]``, or ``[..., M, K]``.
        diagonals_format, transpose_rhs, conjugate_rhs: how the arguments are given.
        partial_pivoting: rows are always exchanged where that is more exact.

    Where there is no x, or more than one, it is NaN. Raises ValueError for shapes that do not fit.
    Source: ``tf.linalg.tridiagonal_solve``.
    """
    del partial_pivoting
    with name_scope(name, "tridiagonal_solve"):
        right = convert_to_tensor(rhs)
        matrix = _matrix(diagonals, diagonals_format, right.dtype)
        ranks = right.shape.ndims, matrix.shape.ndims
        vector = None not in ranks and ranks[0] == ranks[1] - 1
        if not vector and None not in ranks and ranks[0] != ranks[1]:
            raise ValueError("Expected the rank of rhs to be that of the matrices, or one less")
        if vector:
            right = expand_dims(right, -1)
        elif transpose_rhs:
            right = matrix_transpose(right)
        _fits(_size(right, -2), _size(matrix, -1), _SIDES)
        sides = matrix, conj(right) if conjugate_rhs else right
        found = call("TridiagonalSolve", in_floats(_solved), sides, shape=solution)
        return squeeze(found, [-1]) if vector else found
