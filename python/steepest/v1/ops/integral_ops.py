"""Integrals that are functions of their own: Dawson's, Fresnel's, the exponential integral, the dilogarithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ..graph.bound_names import name_functions
from .integral_values import dawson, dilogarithm, exponential_integral, fresnel
from .math_ops import elementwise

__all__ = ["dawsn", "expint", "fresnel_cos", "fresnel_sin", "spence"]


def in_doubles(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function of float64 for every floating type: the result is rounded once."""
    return lambda x: function(np.asarray(x, np.float64)).astype(x.dtype)


def _slope_of_dilogarithm(g: Any, y: Any, x: Any) -> Any:
    """Return ``g * log(x) / (1 - x)``; at 1 of its tangent."""
    one = unwrap(x) == 1
    there = np.where(one, x.dtype.type(2), x)
    return g * np.where(one, (x - 3) / 2, np.log(there) / (1 - there))


_HALF_PI = np.pi / 2
_dawsn = Primitive(in_doubles(dawson), (lambda g, y, x: g * (1 - 2 * x * y),), name="dawsn")
_expint = Primitive(in_doubles(exponential_integral), (lambda g, y, x: g * np.exp(x) / x,), name="expint")
_fresnel_sin = Primitive(
    in_doubles(lambda x: fresnel(x)[0]), (lambda g, y, x: g * np.sin(_HALF_PI * np.square(x)),), name="fresnel_sin"
)
_fresnel_cos = Primitive(
    in_doubles(lambda x: fresnel(x)[1]), (lambda g, y, x: g * np.cos(_HALF_PI * np.square(x)),), name="fresnel_cos"
)
_spence = Primitive(in_doubles(dilogarithm), (_slope_of_dilogarithm,), name="spence")


dawsn = elementwise(
    "Dawsn",
    lambda x: apply(_dawsn, (x,)),
    "Return ``exp(-x**2)`` times the integral of ``exp(t**2)`` from 0 to x. Source: ``tf.math.special.dawsn``.",
    scope="dawsn",
)
expint = elementwise(
    "Expint",
    lambda x: apply(_expint, (x,)),
    "Return the integral of ``exp(t) / t`` from minus infinity to x; NaN below 0. Source: ``tf.math.special.expint``.",
    scope="expint",
)
fresnel_cos = elementwise(
    "FresnelCos",
    lambda x: apply(_fresnel_cos, (x,)),
    "Return the integral of ``cos(pi t**2 / 2)`` from 0 to x. Source: ``tf.math.special.fresnel_cos``.",
    scope="fresnel_cos",
)
fresnel_sin = elementwise(
    "FresnelSin",
    lambda x: apply(_fresnel_sin, (x,)),
    "Return the integral of ``sin(pi t**2 / 2)`` from 0 to x. Source: ``tf.math.special.fresnel_sin``.",
    scope="fresnel_sin",
)
spence = elementwise(
    "Spence",
    lambda x: apply(_spence, (x,)),
    "Return the integral of ``log(t) / (1 - t)`` from 1 to x; NaN below 0. Source: ``tf.math.special.spence``.",
    scope="spence",
)

name_functions(__name__)
