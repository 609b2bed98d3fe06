"""TensorFlow's ``numpy_compat``: NumPy's functions as its second version has them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["np_array", "np_asarray", "np_reshape"]


def np_array(
    values: Any, dtype: Any = None, copy: bool | None = True, order: Any = "K"
) -> np.ndarray[Any, np.dtype[Any]]:
    """Return a new array of values; with ``copy=None`` the values themselves, where they are an array of that type."""
    return np.array(values, dtype=dtype, copy=copy, order=order)


def np_asarray(
    values: Any, dtype: Any = None, order: Any = None, copy: bool | None = None
) -> np.ndarray[Any, np.dtype[Any]]:
    """Return an array of values: the values themselves, where they are one of that type, unless ``copy`` is True."""
    return np.asarray(values, dtype=dtype, order=order, copy=copy)


def np_reshape(
    a: Any, /, shape: Any = None, *, newshape: Any = None, order: Any = "C", copy: bool | None = None
) -> Any:
    """Return an array in another shape, which has either name."""
    del copy
    return np.reshape(a, newshape if shape is None else shape, order=order)
