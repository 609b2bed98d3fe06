"""Shares of the standard normal and the Laplace distribution below a place, and the way back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.scopes import name_scope
from ..ops import special_math_ops as _special
from ..ops.array_ops import stop_gradient
from ..ops.creation_ops import ones_like
from ..ops.gather_ops import where
from ..ops.math_ops import abs as _abs
from ..ops.math_ops import erfc, exp, greater, less, log1p, logical_and, negative
from ..ops.sparse_ops import convert_to_tensor
from .normal_tails import log_normal_cdf

__all__ = [
    "LOGNDTR_FLOAT32_LOWER",
    "LOGNDTR_FLOAT32_UPPER",
    "LOGNDTR_FLOAT64_LOWER",
    "LOGNDTR_FLOAT64_UPPER",
    "erfinv",
    "log_cdf_laplace",
    "log_ndtr",
    "ndtr",
    "ndtri",
]

# Between which places TensorFlow takes the logarithm of the share itself; programs choose their own places by them.
LOGNDTR_FLOAT64_LOWER, LOGNDTR_FLOAT32_LOWER = np.array(-20, np.float64), np.array(-10, np.float32)
LOGNDTR_FLOAT64_UPPER, LOGNDTR_FLOAT32_UPPER = np.array(8, np.float64), np.array(5, np.float32)


def _real(value: Any) -> Any:
    x = convert_to_tensor(value)
    if x.dtype.base_dtype.name not in ("float32", "float64"):
        raise TypeError(f"x.dtype={x.dtype} is not handled, see docstring for supported types.")
    return x


def ndtr(x: Any, name: str = "ndtr") -> Any:
    """Return the share of the standard normal distribution below x, of float32 or float64."""
    with name_scope(name):
        return 0.5 * erfc(_real(x) * -math.sqrt(0.5))


def log_ndtr(x: Any, series_order: int = 3, name: str = "log_ndtr") -> Any:
    """Return the logarithm of `ndtr`, with all digits in both tails; no ``series_order`` changes that."""
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if not 0 <= series_order <= 30:
        raise ValueError(f"series_order must be from 0 to 30, got {series_order}")
    with name_scope(name):
        return log_normal_cdf(_real(x))


def ndtri(p: Any, name: str = "ndtri") -> Any:
    """Return the place below which the share p of the standard normal distribution is.

    No gradient flows to shares of 0 and 1, whose places are infinite.
    """
    with name_scope(name):
        share = _real(p)
        inside = logical_and(greater(share, 0.0), less(share, 1.0))
        places = _special.ndtri(where(inside, share, 0.5 * ones_like(share)))
        return where(inside, places, _special.ndtri(stop_gradient(share)))


def erfinv(x: Any, name: str = "erfinv") -> Any:
    """Return the inverse of the error function. Raises TypeError for other types than float32 and float64."""
    with name_scope(name):
        return ndtri((_real(x) + 1.0) / 2.0) * math.sqrt(0.5)


def log_cdf_laplace(x: Any, name: str = "log_cdf_laplace") -> Any:
    """Return the logarithm of the share of the standard Laplace distribution below x."""
    with name_scope(name):
        x = convert_to_tensor(x)
        small = exp(negative(_abs(x)))
        return where(less(x, 0.0), x - math.log(2), log1p(-0.5 * small))
