"""Arrays made of what users give, with an error that names the argument where NumPy's would not."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .. import _core
from .errors import describe, must
from .typing import Array

__all__ = ["copy_into", "is_masked", "to_array", "to_dtype", "to_flag", "with_packed_rows"]

_LARGE = 1 << 22


def to_array(who: str, argument: str, value: Any, dtype: Any = None) -> Array:
    """Return ``np.asarray(value, dtype)``.

    Raises:
        TypeError: for what does not convert to the type.
        ValueError: for lists of different lengths.
    """
    try:
        return np.asarray(value, dtype)
    except ValueError as error:
        rule = "be a number or an array, its rows of one length" if dtype is None else f"convert to {np.dtype(dtype)}"
        raise ValueError(must(who, argument, rule, describe(value))) from error
    except TypeError as error:
        if dtype is None:  # an array that refuses to be one has words of its own
            raise
        raise TypeError(must(who, argument, f"convert to {np.dtype(dtype)}", describe(value))) from error


def copy_into(out: Array, source: Any) -> None:
    """Do ``np.copyto(out, source)``; large arrays that are alike are copied by all threads."""
    alike = isinstance(source, np.ndarray) and source.dtype == out.dtype and source.shape == out.shape
    alike = alike and not np.may_share_memory(out, source)
    if alike and out.nbytes >= _LARGE and out.flags.c_contiguous and source.flags.c_contiguous and out.flags.writeable:
        _core.copy_bytes(*(np.asarray(array).reshape(-1).view(np.uint8) for array in (source, out)))
    else:
        np.copyto(out, source)


def with_packed_rows(array: Array) -> Array:
    """Return the array as kernels read it, copied only where its rows are not packed, or not aligned.

    Rows may lie apart: a slice of columns, every other row, or rows backwards are read in place.
    """
    flags = array.flags
    if flags.c_contiguous and flags.aligned:
        return array
    if flags.aligned and array.strides[0] % array.itemsize == 0 and array[:1].flags.c_contiguous:
        return array
    packed: Array = array.copy(order="C")
    return packed


def is_masked(array: Any) -> bool:
    """Tell whether an array has a mask.

    Without ``numpy.ma`` there is none; to name it would import it, at a program's first step.
    """
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", None)
    return masked is not None and isinstance(array, masked)


def to_flag(who: str, argument: str, value: Any) -> bool:
    """Return ``bool(value)``; TypeError for what has none, as an array of several elements."""
    if value is False or value is True:
        return value
    try:
        return bool(value)
    except (TypeError, ValueError) as error:
        raise TypeError(must(who, argument, "be True or False", describe(value))) from error


def to_dtype(who: str, dtype: Any) -> np.dtype[Any]:
    """Return ``np.dtype(dtype)``; TypeError for what is no type."""
    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(must(who, "dtype", "be a type of NumPy's", describe(dtype))) from error
    return found
