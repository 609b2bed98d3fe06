"""The logarithm of the share of a normal distribution below a place, with all digits in both tails."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive
from ..ops.math_ops import elementwise, erfc_value

__all__ = ["log_normal_cdf"]

_LOG_ROOT = 0.5 * math.log(2 * math.pi)
_FAR = -30.0  # below, erfc leaves float64


def _value(z: Any) -> Any:
    x = np.asarray(z, np.float64)
    near = np.maximum(x, _FAR)
    half = 0.5 * erfc_value(-np.abs(near) * -math.sqrt(0.5))  # the smaller of the two shares
    inside = np.where(near < 0, np.log(half), np.log1p(-half))
    far = np.minimum(x, _FAR)
    inverse = 1 / (far * far)
    tail = -0.5 * far * far - np.log(-far) - _LOG_ROOT + np.log1p(-inverse * (1 - inverse * (3 - 15 * inverse)))
    return np.where(x < _FAR, tail, inside).astype(z.dtype)


def _slope_value(z: Any) -> Any:
    x = np.asarray(z, np.float64)
    return np.exp(-0.5 * x * x - _value(x) - _LOG_ROOT).astype(z.dtype)


_SLOPE = Primitive(_slope_value, (lambda g, y, x: -g * y * (x + y),), name="log_normal_cdf_slope")
_LOG_CDF = Primitive(_value, (lambda g, y, x: g * apply(_SLOPE, (x,)),), name="log_normal_cdf")

log_normal_cdf = elementwise("LogNdtr", lambda x: apply(_LOG_CDF, (x,)), "Return the logarithm of the share below x.")
