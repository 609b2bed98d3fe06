"""Finding what is not finite in an array, and saying where."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.typing import Array
from ..ops.dispatch import unwrap
from ..ops.indexed_slices import IndexedSlices
from ..ops.scatter import IndexedCotangent

__all__ = ["Index", "as_floats", "first_bad", "got", "shown"]

Index = tuple[int, ...]


def as_floats(value: Any) -> Array | None:
    """Return the numbers of an array, tensor, variable or gradient; None where it has no floats."""
    if isinstance(value, (IndexedSlices, IndexedCotangent)):
        value = value.values
    value = unwrap(value)
    if not isinstance(value, (np.ndarray, np.generic, float, complex)):
        return None
    array = np.asarray(value)
    return None if array.dtype.kind in "biuOSUMm" else array


def first_bad(value: Any) -> Index | None:
    """Return the index of the first NaN or infinity, None where everything is finite."""
    array = as_floats(value)
    if array is None:
        return None
    finite = np.isfinite(array)
    if finite.all():
        return None
    return tuple(int(i) for i in np.unravel_index(np.argmin(finite), finite.shape))


def shown(value: Any, index: Index) -> str:
    """Say which number is at an index: ``nan at (3, 7)``; of a scalar the number alone."""
    array = as_floats(value)
    assert array is not None
    number = (complex if array.dtype.kind == "c" else float)(array[index])
    return f"{number!r} at {index}" if index else repr(number)


def got(gradient: Any, index: Index) -> str:
    """Say which number is at an index of a gradient, of a sparse one with the row of the variable."""
    text = shown(gradient, index)
    if not isinstance(gradient, IndexedSlices):
        return text
    return f"{text} of its values, for row {int(np.asarray(unwrap(gradient.indices))[index[0]])}"
