"""What the functions of operations are given in a run: arrays, numbers, variables, and tensors that a tape records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from .shapes import bracketed

__all__ = ["array_of", "flat_rows", "stacked"]


def array_of(value: Any) -> Any:
    """Return a value as an array that no tape records, for what has no gradient: positions, sizes, conditions."""
    return value if type(value) is np.ndarray else np.asarray(unwrap(value))


def flat_rows(values: Any, rows: Any) -> tuple[Any, Any]:
    """Return values and their row numbers with one axis of rows, where the numbers have none or several."""
    if rows.ndim == 1:
        return values, rows
    return np.reshape(values, (rows.size, *values.shape[rows.ndim :])), rows.ravel()


def stacked(arrays: Sequence[Any], axis: int) -> Any:
    """Return arrays beside each other along a new axis. Raises ValueError with the shapes of two that differ."""
    try:
        return np.stack(arrays, axis=axis)
    except ValueError:
        first = np.shape(arrays[0])
        for k, array in enumerate(arrays):
            if np.shape(array) != first:
                shapes = f"values[0].shape = {bracketed(first)} != values[{k}].shape = {bracketed(np.shape(array))}"
                raise ValueError(f"Shapes of all inputs must match: {shapes}") from None
        raise
