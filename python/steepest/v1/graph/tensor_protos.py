"""``tf.make_tensor_proto`` and ``make_ndarray``: arrays and shapes with the fields of TensorFlow's messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from .array_protos import TensorProto
from .constants import constant_array
from .dimension import Dimension
from .dtypes import as_dtype
from .shape_protos import TensorShapeProto
from .shapes import as_shape

__all__ = ["ShapeEquals", "TensorProto", "TensorShapeProto", "make_ndarray", "make_tensor_proto"]


def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False, allow_broadcast: bool = False
) -> TensorProto:
    """Return a value as a message; of fewer elements than ``shape`` has the last is repeated.

    Raises ValueError for too many elements and for None, TypeError for values of another type, for another shape where
    ``verify_shape``, and for fewer elements than the shape has, but for one, where ``allow_broadcast``.

    Source: ``tf.make_tensor_proto``.
    """
    if allow_broadcast and verify_shape:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")
    if isinstance(values, TensorProto):
        return values
    if dtype is None and isinstance(values, (list, tuple)) and any(isinstance(each, Dimension) for each in values):
        raise TypeError(f"Failed to convert elements of {values!r:.80} to Tensor. Consider casting elements.")
    array = np.array(constant_array(values, None if dtype is None else as_dtype(dtype)))
    if shape is None:
        return TensorProto.of(array)
    sizes = tuple(int(size or 0) for size in as_shape(shape) or ())
    count = int(np.prod(sizes))
    another = array.size != count and array.shape not in ((), (1,)) if allow_broadcast else array.shape != sizes
    if another and (verify_shape or allow_broadcast):
        raise TypeError(f"Expected Tensor's shape: {sizes}, got {array.shape}.")
    if array.size > count or (array.size == 0 and count):
        raise ValueError(must("make_tensor_proto", "values", f"have at most {count} elements", array.size))
    flat = array.reshape(-1)
    whole = np.concatenate([flat, np.repeat(flat[-1:], count - array.size)]).reshape(sizes)
    return TensorProto.of(whole, None if array.size == count else flat)


def make_ndarray(tensor: Any) -> Any:
    """Return the array of a message, also of one of protobuf's own. Source: ``tf.make_ndarray``."""
    if not isinstance(tensor, TensorProto) and hasattr(tensor, "tensor_shape"):
        tensor = TensorProto.FromString(tensor.SerializeToString())
    if not isinstance(tensor, TensorProto):
        raise TypeError(must("make_ndarray", "tensor", "be what make_tensor_proto returns", tensor))
    return np.array(tensor.array)


MakeNdarray = make_ndarray


def ShapeEquals(tensor_proto: TensorProto, shape: Any) -> bool:
    """Tell whether the array of a message has a shape."""
    given = list(shape) if isinstance(shape, (list, tuple)) else list(as_shape(shape) or ())
    return list(tensor_proto.tensor_shape) == given
