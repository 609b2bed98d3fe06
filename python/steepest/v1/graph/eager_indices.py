"""What stands between brackets behind an eager tensor: a list means something else there than behind an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import Operand, unwrap

__all__ = ["as_index"]


_TYPES = (np.dtype(np.int32), np.dtype(np.int64))


def as_index(key: Any) -> Any:
    """Return an index for NumPy: a list is one index for each axis, as a tuple is, and not rows to be gathered.

    Arrays, which TensorFlow refuses, gather rows. Raises TypeError for lists and tensors with axes in the place of one
    index, and for tensors of other types than int32 and int64; ValueError for a truth value as the only index.
    """
    if isinstance(key, (bool, np.bool_)):
        raise ValueError("mask cannot be scalar.")
    if isinstance(key, (list, tuple)):
        return tuple(map(_part, key))
    return key if isinstance(key, Operand) and unwrap(key).dtype == bool else _part(key)


def _part(part: Any) -> Any:
    if isinstance(part, bool):
        return int(part)
    if isinstance(part, (list, tuple)) or (isinstance(part, Operand) and not _is_place(unwrap(part))):
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors "
            f"are valid indices, got {part!r}"
        )
    return part


def _is_place(array: Any) -> bool:
    return array.dtype in _TYPES and not array.ndim
