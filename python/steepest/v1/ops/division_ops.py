"""Division of integers, which must not divide by zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap

__all__ = ["floor_divided", "remainder"]


def floor_divided(x: Any, y: Any) -> Any:
    """Return the floor of ``x / y``; ZeroDivisionError for integers divided by zero."""
    return np.floor_divide(unwrap(x), _not_zero(y))


def remainder(x: Any, y: Any) -> Any:
    """Return the remainder with the sign of y; ZeroDivisionError for integers divided by zero."""
    return np.remainder(x, _not_zero(y) if y.dtype.kind in "iu" else y)


def _not_zero(y: Any) -> Any:
    y = unwrap(y)
    if y.dtype.kind in "iu" and not np.all(y):
        raise ZeroDivisionError("Integer division by zero")
    return y
