"""The values of a gradient, whether it is dense or some rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.arrays import is_masked, with_packed_rows
from ..base.dtypes import code_of, is_real
from ..base.errors import describe, must
from ..base.typing import Array
from ..ops.indexed_slices import IndexedSlices
from .updates import array_of

__all__ = ["as_values", "real_array", "values_of", "with_values"]


def values_of(gradient: Any) -> Any:
    """Return the values of `IndexedSlices`, or the dense gradient itself."""
    return gradient.values if isinstance(gradient, IndexedSlices) else gradient


def with_values(gradient: Any, values: Any) -> Any:
    """Return ``values`` in the form of ``gradient``: slices stay slices, with the same indices and dense shape."""
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(values, gradient.indices, gradient.dense_shape)
    return values


def real_array(who: str, argument: str, value: Any) -> Array:
    """Return the array behind a value; TypeError for a masked one, or one that is not of real numbers."""
    array = array_of(value)
    if is_masked(array):
        remedy = "write gradient.filled(0) where what is masked has no gradient"
        raise TypeError(must(who, argument, "be without a mask", f"masked {describe(array)}", remedy))
    if not is_real(array.dtype):
        raise TypeError(must(who, argument, "be real numbers", f"dtype {array.dtype}"))
    return array


def as_values(who: str, value: Any) -> Array:
    """Return a gradient's values as a float array with packed rows; integers become float64."""
    array = real_array(who, "gradient", value)
    if code_of(array.dtype) is None:
        array = array.astype(np.float64)
    return with_packed_rows(array)
