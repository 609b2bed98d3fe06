"""Which array types are parameters, and which type their arithmetic has."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .typing import Array as Array

__all__ = ["code_of", "compute_dtype", "is_bfloat16", "is_real"]

_BFLOAT16 = _core.DTYPES.index("bfloat16")
_CODES = {np.dtype(name): code for code, name in enumerate(_core.DTYPES) if code != _BFLOAT16}


def is_bfloat16(dtype: np.dtype[Any]) -> bool:
    """Tell bfloat16 by its name: NumPy has none, and importing ml_dtypes only to ask is not worth it."""
    return dtype.name == "bfloat16" and dtype.itemsize == 2


def code_of(dtype: np.dtype[Any]) -> int | None:
    """Return the native core's code of a parameter type, or None for one that it does not update."""
    code = _CODES.get(dtype)
    if code is None and is_bfloat16(dtype):
        return _BFLOAT16
    return code if dtype.isnative else None


def compute_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of the arithmetic and of the slots: float32 for half types, else the type itself."""
    return np.dtype(np.float32) if dtype.itemsize == 2 else dtype


def is_real(dtype: np.dtype[Any]) -> bool:
    """Tell whether values of this type convert to a float under NumPy's ``same_kind`` rule."""
    return dtype.kind in "fiub" or is_bfloat16(dtype)
