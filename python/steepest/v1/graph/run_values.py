"""What the functions of operations are given in a run: arrays, numbers, variables, and tensors that a tape records."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap

__all__ = ["array_of"]


def array_of(value: Any) -> Any:
    """Return a value as an array that no tape records, for what has no gradient: positions, sizes, conditions."""
    return value if type(value) is np.ndarray else np.asarray(unwrap(value))
