"""Tensors and plain arrays made of what users give."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.allocation import empty
from ..base.dtypes import is_real
from ..base.errors import describe, must
from ..base.typing import Array, ArrayLike, DTypeLike
from .dispatch import is_recorded, unwrap
from .indexed_slices import IndexedSlices
from .tensor import Tensor

__all__ = ["as_array", "constant", "convert_to_tensor"]


def as_array(who: str, value: Any, dtype: Any = None) -> Array:
    """Return a new array of real numbers, placed well; Python floats become float32 and ints int32, as in TensorFlow.

    Raises TypeError for what is not an array of floats, integers or booleans.
    """
    value = unwrap(value)
    try:
        if dtype is None and not isinstance(value, (np.ndarray, np.generic)) and not _has_numpy(value):
            plain = np.asarray(value)
            if plain.dtype == np.float64:
                dtype = np.float32
            elif plain.dtype == np.int64 and (not plain.size or -(2**31) <= plain.min() <= plain.max() < 2**31):
                dtype = np.int32
        source = value if isinstance(value, np.ndarray) else np.asarray(value, dtype)
        target = source.dtype if dtype is None else np.dtype(dtype)
        array = empty(source.shape, target) if is_real(target) else None
        if array is not None:
            array[...] = source
    except (TypeError, ValueError) as error:
        raise TypeError(must(who, "value", f"convert to {dtype or 'an array'}", describe(value))) from error
    if array is None:
        raise TypeError(must(who, "value", "be floats, integers or booleans", f"dtype {target}"))
    return array


def _has_numpy(value: Any) -> bool:
    """Whether a nest of lists has NumPy values in it, which keep their type."""
    if isinstance(value, (list, tuple)):
        return any(_has_numpy(item) for item in value)
    return isinstance(value, (np.ndarray, np.generic))


def constant(value: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a Tensor with a copy of ``value``, for ``tape.watch`` and for functions of tensors.

    Python floats and ints (and lists of them) become float32 and int32, as in TensorFlow; arrays keep their type.

    Raises:
        TypeError: for what is not an array of floats, integers or booleans.

    Example:
        >>> st.constant([1.0, 2.0]).dtype.name
        'float32'
    """
    return Tensor(as_array("constant", value, dtype))


def convert_to_tensor(value: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return ``value`` itself where it is a Tensor (of that dtype), else as `constant` does; a Variable is read.

    IndexedSlices become the whole array.
    """
    if isinstance(value, IndexedSlices):
        value = value.to_dense()
    tensor: Any = value._operand() if is_recorded(value) else value  # type: ignore[union-attr]
    if not isinstance(tensor, Tensor):
        return constant(value, dtype)
    return tensor if dtype is None or tensor.dtype == np.dtype(dtype) else tensor.astype(dtype)
