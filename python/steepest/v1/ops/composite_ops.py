"""Small functions made of other functions, some of them names that TensorFlow keeps for older programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.indexed_slices import IndexedSlices
from ..graph.build import call, convert
from ..graph.composites import with_values
from ..graph.mode import executing_eagerly
from ..graph.shapes import Dimension
from .array_ops import each_identical, identical, identity, shape
from .math_ops import multiply
from .reduce_ops import argmax, argmin

__all__ = [
    "arg_max",
    "arg_min",
    "dimension_value",
    "identity_n",
    "scalar_mul",
    "shape_n",
]


def arg_max(input: Any, dimension: Any, output_type: Any = "int64", name: str | None = None) -> Any:
    """Return the position of the largest element along an axis."""
    return argmax(input, dimension, name, output_type=output_type)


def arg_min(input: Any, dimension: Any, output_type: Any = "int64", name: str | None = None) -> Any:
    """Return the position of the smallest element along an axis."""
    return argmin(input, dimension, name, output_type=output_type)


def _no_scalar(shape: Any) -> ValueError:
    told = "The input scalar must be a 0-D value. Received shape"
    return ValueError(f"Only scalar multiply works, got shape {shape}. {told} {shape}.")


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """Return ``scalar * x``. Raises ValueError where the first is no scalar."""
    if isinstance(x, IndexedSlices):
        return with_values(x, scalar_mul(scalar, x.values, name))
    if executing_eagerly():
        if np.ndim(scalar):
            raise _no_scalar(np.shape(scalar))
        return multiply(x, scalar)
    factor = convert(scalar, x.dtype.base_dtype if not hasattr(scalar, "dtype") else None)
    if factor._shape != ():
        raise _no_scalar(factor.shape)
    return multiply(factor, x, name)


def identity_n(input: Any, name: str | None = None) -> list[Any]:
    """Return the same values, all of them once all of them are there."""
    if executing_eagerly():
        return [identity(value) for value in input]
    values = [convert(value) for value in input]
    dtypes = [value.dtype.base_dtype for value in values]
    return list(
        call(
            "IdentityN",
            identical if len(values) == 1 else each_identical,
            values,
            name=name,
            shape=lambda *shapes: list(shapes),
            dtype=dtypes,
            outputs=len(values),
            same=False,
        )
    )


def shape_n(input: Any, out_type: Any = "int32", name: str | None = None) -> list[Any]:
    """Return the shapes of several tensors."""
    return [shape(value, name, out_type) for value in input]


def dimension_value(dimension: Any) -> int | None:
    """Return the size of a dimension as an integer, None where it is not known."""
    return dimension.value if isinstance(dimension, Dimension) else dimension
