"""Quotients and remainders: integers must not be divided by zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap

__all__ = ["divided_safely", "floor_divided", "remainder", "truncated", "truncated_remainder"]


def floor_divided(x: Any, y: Any) -> Any:
    """Return the floor of ``x / y``; ZeroDivisionError for integers divided by zero.

    The quotient of floats is rounded before its floor is taken, as in TensorFlow: ``3. // .3`` is 10 in float32, where
    NumPy's is 9.
    """
    x, y = unwrap(x), _not_zero(y)
    return np.floor_divide(x, y) if np.result_type(x, y).kind in "iu" else np.floor(np.true_divide(x, y))


def remainder(x: Any, y: Any) -> Any:
    """Return the remainder with the sign of y; ZeroDivisionError for integers divided by zero."""
    return np.remainder(x, _not_zero(y) if y.dtype.kind in "iu" else y)


def truncated(x: Any, y: Any) -> Any:
    """Return ``x / y`` rounded towards zero; ZeroDivisionError for integers divided by zero."""
    x, y = unwrap(x), _not_zero(y)
    if x.dtype.kind in "iu":
        floor = np.floor_divide(x, y)  # without absolute values: that of the least integer is no integer of its type
        return (floor + ((floor * y != x) & ((x < 0) != (y < 0)))).astype(x.dtype)
    return np.trunc(np.true_divide(x, y))


def truncated_remainder(x: Any, y: Any) -> Any:
    """Return the remainder with the sign of x; ZeroDivisionError for integers divided by zero."""
    return np.fmod(unwrap(x), _not_zero(y))


def divided_exactly(x: Any, y: Any) -> Any:
    """Return ``x / y``; integers stay of their type, without the fraction."""
    return truncated(x, y) if x.dtype.kind in "iu" else np.true_divide(x, y)


def integers_in_floats(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return the division for integers, too: of 8 and 16 bits in float32, of more in float64, as TensorFlow."""

    def divided(x: Any, y: Any) -> Any:
        if x.dtype.kind in "iu":
            wide = np.float64 if x.dtype.itemsize > 2 else np.float32
            x, y = x.astype(wide), y.astype(wide)
        return function(x, y)

    return divided


def divided_safely(x: Any, y: Any) -> Any:
    """Return ``x / y``, 0 where y is 0."""
    zero = unwrap(y) == 0
    return np.where(zero, np.zeros((), x.dtype), x / np.where(zero, np.ones((), x.dtype), y))


def _not_zero(y: Any) -> Any:
    y = unwrap(y)
    if y.dtype.kind in "iu" and not np.all(y):
        raise ZeroDivisionError("Integer division by zero")
    return y
