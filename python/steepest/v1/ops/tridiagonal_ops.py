"""Equations whose matrices have numbers on three diagonals alone."""

from __future__ import annotations

from typing import Any

from ..graph.build import shape_of
from ..graph.scopes import name_scope
from .array_ops import expand_dims, matrix_transpose, squeeze
from .complex_ops import conj
from .concat_ops import concat
from .creation_ops import zeros_like
from .diagonal_ops import matrix_diag
from .linalg_ops import matrix_band_part, matrix_solve
from .matmul_ops import matmul
from .sparse_ops import convert_to_tensor

__all__ = ["tridiagonal_matmul", "tridiagonal_solve"]

_FORMATS = ("compact", "sequence", "matrix")


def _known(value: Any, least: int) -> tuple[int | None, ...]:
    sizes = shape_of(value)
    if sizes is None or len(sizes) < least:
        raise ValueError(f"tensors of diagonals must be known to have at least {least} axes, got {sizes}")
    return sizes


def _fits(found: int | None, wanted: int | None, what: str) -> None:
    if None not in (found, wanted) and found != wanted:
        raise ValueError(f"tridiagonal matrices: {what} must be {wanted}, got {found}")


def _in_full(above: Any, middle: Any, below: Any) -> Any:
    """Return the matrices with these diagonals; the last number above and the first below are not read."""
    return matrix_diag(middle) + matrix_diag(above[..., :-1], k=1) + matrix_diag(below[..., 1:], k=-1)


def _padded(part: Any, length: int | None, at_end: bool) -> Any:
    """Return an outer diagonal with as many numbers as the middle one, where it comes without the one not read."""
    own = _known(part, 1)[-1]
    if length is None or own != length - 1:
        _fits(own, length, "the length of an outer diagonal")
        return part
    zero = zeros_like(part[..., :1]) if own else zeros_like(part)
    return concat([part, zero] if at_end else [zero, part], -1)


def _matrix(diagonals: Any, diagonals_format: str, dtype: Any) -> Any:
    """Return the matrices of three diagonals that are given in one of the formats."""
    if diagonals_format not in _FORMATS:
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    if diagonals_format == "matrix":
        matrix = matrix_band_part(convert_to_tensor(diagonals), 1, 1)
        _fits(_known(matrix, 2)[-2], _known(matrix, 2)[-1], "the number of a matrix's rows")
        return matrix
    if diagonals_format == "compact":
        packed = convert_to_tensor(diagonals, dtype=dtype)
        _fits(_known(packed, 2)[-2], 3, "the number of diagonals")
        return _in_full(packed[..., 0, :], packed[..., 1, :], packed[..., 2, :])
    if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    above, middle, below = (convert_to_tensor(each) for each in diagonals)
    length = _known(middle, 1)[-1]
    return _in_full(_padded(above, length, True), middle, _padded(below, length, False))


def tridiagonal_matmul(diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None) -> Any:
    """Return ``matrix @ rhs``, where the matrix has three diagonals, given as `tridiagonal_solve` takes them.

    Raises ValueError for shapes that do not fit. Source: ``tf.linalg.tridiagonal_matmul``.
    """
    with name_scope(name, "tridiagonal_matmul"):
        right = convert_to_tensor(rhs)
        matrix = _matrix(diagonals, diagonals_format, right.dtype)
        _fits(_known(right, 2)[-2], _known(matrix, 2)[-1], "the number of right sides' rows")
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

    Raises ValueError for shapes that do not fit; InvalidArgumentError, when a session runs, where there is no x.
    Source: ``tf.linalg.tridiagonal_solve``.
    """
    del partial_pivoting
    with name_scope(name, "tridiagonal_solve"):
        right = convert_to_tensor(rhs)
        matrix = _matrix(diagonals, diagonals_format, right.dtype)
        vector = len(_known(right, 1)) == len(_known(matrix, 2)) - 1
        if not vector and len(_known(right, 1)) != len(_known(matrix, 2)):
            raise ValueError("Expected the rank of rhs to be that of the matrices, or one less")
        if vector:
            right = expand_dims(right, -1)
        elif transpose_rhs:
            right = matrix_transpose(right)
        _fits(_known(right, 2)[-2], _known(matrix, 2)[-1], "the number of right sides' rows")
        found = matrix_solve(matrix, conj(right) if conjugate_rhs else right)
        return squeeze(found, [-1]) if vector else found
