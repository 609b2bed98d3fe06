"""Several eager values as one, which is what the core differentiates: their numbers one after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap

__all__ = ["packed", "unpacked"]


def packed(values: Sequence[Any]) -> Any:
    """Return the numbers of all values that have gradients as one vector, of the type that holds them all.

    Raises TypeError for real and complex numbers beside each other.
    """
    flat = [np.ravel(unwrap(value)) for value in values if _has_gradients(value)]
    if len({part.dtype.kind == "c" for part in flat}) > 1:
        kinds = sorted({part.dtype.name for part in flat})
        raise TypeError(f"tf.custom_gradient: values must all be real or all be complex, got {', '.join(kinds)}")
    return np.concatenate(flat) if flat else np.zeros(0, np.float32)


def unpacked(vector: Any, values: Sequence[Any]) -> list[Any]:
    """Return the parts of a vector, or of its gradient, as the values are; those without gradients are these."""
    parts, begin = [], 0
    for value in values:
        if not _has_gradients(value):
            parts.append(value)
            continue
        array = np.asarray(unwrap(value))
        end = begin + array.size
        part = np.reshape(vector[begin:end], array.shape)
        parts.append(part if part.dtype == array.dtype else part.astype(array.dtype))
        begin = end
    return parts


def _has_gradients(value: Any) -> bool:
    return np.asarray(unwrap(value)).dtype.kind in "fcV"
