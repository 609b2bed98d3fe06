"""Modified Bessel functions of the first kind, scaled by ``exp(-|x|)`` and as they are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ..graph.bound_names import name_functions
from .math_ops import elementwise

__all__ = ["bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e"]

_FAR = 40.0
_ANGLES = (np.arange(64) + 0.5) * (np.pi / 64)  # the sum over them is exact to the last digit where |x| <= _FAR
_SHIFTS = np.cos(_ANGLES) - 1


def _scaled(order: int, value: Any) -> Any:
    """Return ``I(x) * exp(-|x|)``: the mean of its integral over angles, far out the asymptotic series,
    and for order 1 near 0 the power series."""
    x = np.abs(np.asarray(value, np.float64))
    near = np.minimum(x, _FAR)
    weights = np.cos(_ANGLES) if order else np.ones(64)
    inside = np.exp(near[..., None] * _SHIFTS) @ weights / 64
    if order:  # near 0 the angles' terms cancel
        small = np.minimum(x, 1.0)
        terms = [(small / 2) ** (2 * k + 1) / (math.factorial(k) * math.factorial(k + 1)) for k in range(11)]
        inside = np.where(x <= 1, sum(terms) * np.exp(-small), inside)
    far = np.maximum(x, _FAR)
    term = series = np.ones_like(far)
    for k in range(1, 15):
        term = term * ((2 * k - 1) ** 2 - 4 * order) / (8 * k * far)
        series = series + term
    result = np.where(x <= _FAR, inside, series / np.sqrt(2 * np.pi * far))
    return (np.copysign(result, value) if order else result).astype(value.dtype)


def _slope_of_first(g: Any, y: Any, x: Any) -> Any:
    """Return ``g * (I0e(x) - I1e(x) * (sign(x) + 1 / x))``; at 0, where the last is 1/2, ``g / 2``."""
    zero = unwrap(x) == 0
    there = np.where(zero, x.dtype.type(1), x)
    return g * np.where(zero, x.dtype.type(0.5), apply(_I0E, (x,)) - y * (np.sign(unwrap(x)) + 1 / there))


_I0E: Primitive = Primitive(
    lambda x: _scaled(0, x), (lambda g, y, x: g * (apply(_I1E, (x,)) - np.sign(unwrap(x)) * y),), name="i0e"
)
_I1E: Primitive = Primitive(lambda x: _scaled(1, x), (_slope_of_first,), name="i1e")


bessel_i0e = elementwise("BesselI0e", lambda x: apply(_I0E, (x,)), "Return ``I0(x) * exp(-|x|)``.")
bessel_i1e = elementwise("BesselI1e", lambda x: apply(_I1E, (x,)), "Return ``I1(x) * exp(-|x|)``.")
bessel_i0 = elementwise(
    "BesselI0",
    lambda x: apply(_I0E, (x,)) * np.exp(np.absolute(x)),
    "Return the modified Bessel function of order 0.",
)
bessel_i1 = elementwise(
    "BesselI1",
    lambda x: apply(_I1E, (x,)) * np.exp(np.absolute(x)),
    "Return the modified Bessel function of order 1.",
)

name_functions(__name__)
