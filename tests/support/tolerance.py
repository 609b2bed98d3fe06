"""How far results may be from a computation in wider type, in one table."""

from __future__ import annotations

import numpy as np

# Units in the last place of the parameter's type, per step, against the larger of the values before and after it.
ULP = {"float32": 4, "float64": 4, "float16": 2, "bfloat16": 2}
_BITS = {"float32": 24, "float64": 53, "float16": 11, "bfloat16": 8}


def ulps(before: np.ndarray, got: np.ndarray, wide: np.ndarray) -> float:
    """Return the largest error in ULP against max(|before|, |wide|)."""
    if got.size == 0:
        return 0.0
    scale = np.maximum(np.abs(before.astype(np.longdouble)), np.abs(wide.astype(np.longdouble)))
    smallest = np.longdouble(2.0) ** -14 if got.dtype.name == "float16" else np.longdouble(2.0) ** -126
    unit = np.maximum(scale, smallest) * np.longdouble(2.0) ** (1 - _BITS[got.dtype.name])
    return float(np.max(np.abs(got.astype(np.longdouble) - wide.astype(np.longdouble)) / unit))
