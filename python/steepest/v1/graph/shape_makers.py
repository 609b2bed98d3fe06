"""The functions of ``tensorflow.python.framework.tensor_shape``, which programs of TensorFlow 0.x and 1.x import."""

from __future__ import annotations

from typing import Any

from .dimension import Dimension
from .shapes import TensorShape

__all__ = ["as_dimension", "as_shape", "dimension_at_index", "matrix", "scalar", "unknown_shape", "vector"]


def as_shape(shape: Any) -> TensorShape:
    """Return the shape itself, or that of a list of sizes."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def as_dimension(value: Any) -> Dimension:
    """Return the size itself, or that of a number or None."""
    return value if isinstance(value, Dimension) else Dimension(value)


def dimension_at_index(shape: TensorShape, index: int) -> Dimension:
    """Return the size of an axis; that of a shape of unknown rank is not known."""
    return Dimension(None) if shape.ndims is None else as_dimension(shape[index])


def unknown_shape(rank: int | None = None, *, ndims: int | None = None) -> TensorShape:
    """Return a shape of which the number of axes is known, or nothing; TensorFlow 1.x calls the number ``ndims``."""
    rank = ndims if rank is None else rank
    return TensorShape(None if rank is None else [None] * rank)


def scalar() -> TensorShape:
    """Return the shape of a number."""
    return TensorShape([])


def vector(length: Any) -> TensorShape:
    """Return the shape of so many numbers."""
    return TensorShape([length])


def matrix(rows: Any, cols: Any) -> TensorShape:
    """Return the shape of so many rows and columns."""
    return TensorShape([rows, cols])
