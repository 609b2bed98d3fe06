"""``constant_op.constant``, which is stricter about shapes than ``tf.constant`` of TensorFlow 1."""

from __future__ import annotations

from typing import Any

from ..graph.constants import constant as constant_v1
from ..graph.constants import constant_array
from ..graph.dtypes import as_dtype
from ..graph.shapes import TensorShape

__all__ = ["constant", "constant_v1"]


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Any:
    """Return a constant; ``shape`` reshapes it, or is filled by one element. TypeError for another number of elements.

    Source: ``tf.constant`` of TensorFlow 2.
    """
    if shape is not None:
        given = constant_array(value, None if dtype is None else as_dtype(dtype))
        if given.size not in (1, TensorShape(shape).num_elements()):
            raise TypeError(f"Expected Tensor's shape: {TensorShape(shape)}, got {TensorShape(given.shape)}.")
    return constant_v1(value, dtype, shape, name)
