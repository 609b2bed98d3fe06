"""Tables of every width, for tests of lookups and of bags."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

DTYPES = [np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)]
WIDTHS = (1, 2, 3, 7, 16, 64, 70, 200)


def tables_of(dtype: Any, widths: tuple[int, ...] = WIDTHS, rows: int = 30) -> list[np.ndarray]:
    """Return tables of these widths, each of one row more than the one before."""
    rng = np.random.default_rng(0)
    return [rng.normal(size=(rows + k, width)).astype(dtype) for k, width in enumerate(widths)]


def state_of(optimizer: Any, *parameters: Any) -> list[bytes]:
    """Return the bits of parameters, of their slots and of what the optimizer counts, in an order without names."""
    names = optimizer.get_slot_names()
    slots = [optimizer.get_slot(parameter, name) for parameter in parameters for name in names]
    counts = [variable for variable in optimizer.variables() if not variable.shape]
    return [
        np.array(value).tobytes() for value in (*parameters, *(slot for slot in slots if slot is not None), *counts)
    ]
