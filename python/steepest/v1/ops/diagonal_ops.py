"""Diagonals of matrices, one or a band of them: made into matrices, read, and set.

A band is an array ``[diagonals, length]``: the uppermost diagonal comes first, and a shorter one begins at the left, as
in TensorFlow 1.15. ``align`` says otherwise: ``"RIGHT_LEFT"``, that those above the main one end at the right.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.arguments import as_axes, as_axis, call_with
from ..graph.build import convert
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.shape_inference import apply_shape_fn
from ..graph.shapes import bracketed, compatible, text
from .linalg_ops import at_least
from .operator_arguments import is_operator, told_by

__all__ = ["matrix_diag", "matrix_diag_part", "matrix_set_diag"]


def _band(k: Any) -> tuple[int, int]:
    """Return the lowest and the uppermost diagonal. Raises ValueError for more than two, or in the other order."""
    several = k if isinstance(k, tuple) else (k,)
    if len(several) not in (1, 2):
        raise ValueError(f"diag_index must have only one or two elements, received {len(several)} elements.")
    lower, upper = several[0], several[-1]
    if lower > upper:
        raise ValueError(f"lower_diag_index is greater than upper_diag_index: {lower} > {upper}")
    return lower, upper


def _length(rows: Any, columns: Any, lower: int, upper: int) -> Any:
    """Return how long the longest diagonal of a band is, None where that is not known.

    Raises ValueError for diagonals that are outside of the matrix.
    """
    if None in (rows, columns):
        return None
    for name, k in (("lower", lower), ("upper", upper)):
        if k and not -rows < k < columns:
            raise ValueError(f"{name}_diag_index is out of bound: {k}. It must be between {-rows} and {columns}")
    return min(rows + min(upper, 0), columns - max(lower, 0))


def _sizes(length: int, lower: int, upper: int, rows: int, columns: int) -> tuple[int, int]:
    """Return how many rows and columns a matrix of diagonals has; -1 stands for what is not asked for."""
    least = length - min(upper, 0), length + max(lower, 0)
    for name, size, need in (("num_rows", rows, least[0]), ("num_cols", columns, least[1])):
        if size != -1 and size < need:
            raise ValueError(f"{name} is too small: {size}")
    if rows == columns == -1:
        return max(least), max(least)
    made = (least[0] if rows == -1 else rows, least[1] if columns == -1 else columns)
    if made[0] != least[0] and made[1] != least[1]:
        raise ValueError(
            "num_rows and num_cols are not consistent with lower_diag_index, upper_diag_index, and the length of the "
            "given diagonals."
        )
    return made


def _offsets(align: str | None, length: int, rows: int, columns: int, lower: int, upper: int) -> Any:
    """Return where the diagonals of a band begin in its rows. Raises ValueError for an alignment that is not there."""
    if align not in (None, "LEFT_LEFT", "LEFT_RIGHT", "RIGHT_LEFT", "RIGHT_RIGHT"):
        raise ValueError(f"align must be LEFT_RIGHT, RIGHT_LEFT, LEFT_LEFT or RIGHT_RIGHT, got {align!r}")
    above, below = (align or "LEFT_LEFT").split("_")
    places = []
    for k in range(upper, lower - 1, -1):
        at_left = (k >= 0 and above == "LEFT") or (k <= 0 and below == "LEFT")
        places.append(0 if at_left else length - min(rows + min(k, 0), columns - max(k, 0)))
    return np.array(places)


def _spread(v: Any, rows: int, columns: int, lower: int, upper: int, beside: Any, align: str | None) -> Any:
    """Return matrices with a band ``[..., diagonals, length]`` on theirs, and ``beside`` on the others."""
    if not v.shape[-1]:
        return np.broadcast_to(beside, (*v.shape[:-2], rows, columns))
    row, column = np.arange(rows)[:, None], np.arange(columns)
    distance = column - row
    which = np.clip(upper - distance, 0, upper - lower)
    offsets = _offsets(align, v.shape[-1], rows, columns, lower, upper)
    place = np.minimum(np.minimum(row, column) + offsets[which], v.shape[-1] - 1)
    return np.where((distance >= lower) & (distance <= upper), v[..., which, place], beside)


def matrix_diag(
    diagonal: Any,
    name: str | None = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str | None = None,
) -> Any:
    """Return matrices with vectors on their diagonals.

    Args:
        diagonal: vectors along the last axis; for a band ``[..., diagonals, length]``.
        k: the number of the diagonal, above 0 over the main one; or the lowest and the uppermost of a band.
        num_rows, num_cols: the size, the least square by default.
        padding_value: what is beside the diagonals.
        align: at which side the diagonals of a band that are shorter begin, of those above the main one and below it.

    Source: ``tf.matrix_diag``.
    """

    def compute(k: Any, rows: int, columns: int, v: Any) -> Any:
        lower, upper = _band(k)
        if v.ndim < 1 + (lower < upper):
            raise ValueError(f"input must be at least {1 + (lower < upper)}-dim, received shape: {bracketed(v.shape)}")
        sizes = _sizes(v.shape[-1], lower, upper, rows, columns)
        band = v if lower < upper else np.expand_dims(v, -2)
        if band.shape[-2] != upper - lower + 1:
            raise ValueError(_COUNT)
        return _spread(band, *sizes, lower, upper, np.asarray(padding_value).astype(v.dtype), align)

    def shape_fn(k: Any, rows: Any, columns: Any, shape: Any) -> Any:
        if at_least(1, shape) is None or isinstance(k, Tensor):
            return None
        lower, upper = _band(k)
        before = at_least(1 + (lower < upper), shape)[: -2 if lower < upper else -1]
        if lower < upper and shape[-2] not in (None, upper - lower + 1):
            raise ValueError(_COUNT)
        if shape[-1] is None or isinstance(rows, Tensor) or isinstance(columns, Tensor):
            return (*before, None, None)
        return (*before, *_sizes(shape[-1], lower, upper, rows, columns))

    arguments = [(k, as_axes), (num_rows, as_axis), (num_cols, as_axis)]
    return call_with("MatrixDiag", arguments, compute, (diagonal,), name=name, shape=shape_fn)


_COUNT = "The number of rows of `diagonal` doesn't match the number of diagonals implied from `d_lower` and `d_upper`."


def matrix_diag_part(
    input: Any, name: str | None = "diag_part", k: Any = 0, padding_value: Any = 0, align: str | None = None
) -> Any:
    """Return the diagonals of matrices: vectors, or the band from ``k[0]`` to ``k[1]`` filled with a value.

    See `matrix_diag`. Source: ``tf.matrix_diag_part``.
    """
    if is_operator(input):
        return told_by(input, "diag_part", name)
    if not executing_eagerly():
        input = convert(input)
        apply_shape_fn("diag_part", "MatrixDiagPart", lambda s: at_least(2, s), [input])

    def compute(k: Any, x: Any) -> Any:
        if x.ndim < 2:
            raise ValueError(f"input must be at least 2-dim, received shape: {bracketed(x.shape)}")
        lower, upper = _band(k)
        rows, columns = x.shape[-2:]
        length = _length(rows, columns, lower, upper)
        if lower == upper:
            return np.diagonal(x, lower, axis1=-2, axis2=-1)
        distance = np.arange(upper, lower - 1, -1)[:, None]
        place = np.arange(length) - _offsets(align, length, rows, columns, lower, upper)[:, None]
        row, column = place + np.maximum(-distance, 0), place + np.maximum(distance, 0)
        found = x[..., np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)]
        return np.where(
            (place >= 0) & (row < rows) & (column < columns), found, np.asarray(padding_value).astype(x.dtype)
        )

    def shape_fn(k: Any, shape: Any) -> Any:
        if at_least(2, shape) is None or isinstance(k, Tensor):
            return None
        lower, upper = _band(k)
        length = _length(shape[-2], shape[-1], lower, upper)
        return (*shape[:-2], *([upper - lower + 1] if lower < upper else []), length)

    return call_with("MatrixDiagPart", [(k, as_axes)], compute, (input,), name=name, shape=shape_fn)


def matrix_set_diag(
    input: Any, diagonal: Any, name: str | None = "set_diag", k: Any = 0, align: str | None = None
) -> Any:
    """Return the matrices with other diagonals ``k``; see `matrix_diag`. Source: ``tf.matrix_set_diag``."""

    def compute(k: Any, x: Any, v: Any) -> Any:
        if x.ndim < 2:
            raise ValueError(f"input must be at least 2-dim, received shape: {bracketed(x.shape)}")
        lower, upper = _band(k)
        rows, columns = x.shape[-2:]
        length = _length(rows, columns, lower, upper)
        shape = (*x.shape[:-2], *([upper - lower + 1] if lower < upper else []), length)
        if v.shape != shape:
            wanted = f"diagonal's shape must be {bracketed(shape)}"
            raise ValueError(f"{wanted} beside input's {bracketed(x.shape)}, received shape: {bracketed(v.shape)}")
        return _spread(v if lower < upper else np.expand_dims(v, -2), rows, columns, lower, upper, x, align)

    def shape_fn(k: Any, x: Any, v: Any) -> Any:
        if at_least(1, v) and at_least(2, x) and not isinstance(k, Tensor):
            lower, upper = _band(k)
            before = at_least(1 + (lower < upper), v)[: -2 if lower < upper else -1]
            if not compatible(before, x[:-2]):
                raise ValueError(
                    f"Shapes {text(before)} and {text(x[:-2])} of matrices and diagonals are not compatible"
                )
        return at_least(2, x)

    return call_with("MatrixSetDiag", [(k, as_axes)], compute, (input, diagonal), name=name, shape=shape_fn)
