"""Shares of the standard normal and the Laplace distribution below a place, and the way back."""

from __future__ import annotations

import math
from typing import Any

from ..graph.scopes import name_scope
from ..ops import special_math_ops as _special
from ..ops.gather_ops import where
from ..ops.math_ops import abs as _abs
from ..ops.math_ops import erfc, exp, less, log1p, negative
from ..ops.sparse_ops import convert_to_tensor
from .normal_tails import log_normal_cdf

__all__ = ["log_cdf_laplace", "log_ndtr", "ndtr", "ndtri"]


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
    """Return the place below which the share p of the standard normal distribution is."""
    with name_scope(name):
        return _special.ndtri(_real(p))


def log_cdf_laplace(x: Any, name: str = "log_cdf_laplace") -> Any:
    """Return the logarithm of the share of the standard Laplace distribution below x."""
    with name_scope(name):
        x = convert_to_tensor(x)
        small = exp(negative(_abs(x)))
        return where(less(x, 0.0), x - math.log(2), log1p(-0.5 * small))
