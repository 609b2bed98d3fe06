"""Bessel functions of orders 0 and 1: of the first and second kind, and modified of the second kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ..graph.bound_names import name_functions
from .bessel_values import first_kind, modified_second_kind, second_kind
from .integral_ops import in_doubles
from .math_ops import elementwise

__all__ = [
    "bessel_j0",
    "bessel_j1",
    "bessel_k0",
    "bessel_k0e",
    "bessel_k1",
    "bessel_k1e",
    "bessel_y0",
    "bessel_y1",
]


def _slope_of_first(g: Any, y: Any, x: Any) -> Any:
    """Return ``g * (J0(x) - J1(x) / x)``; at 0, where it is 1/2, ``g / 2``."""
    zero = unwrap(x) == 0
    there = np.where(zero, x.dtype.type(1), x)
    return g * np.where(zero, x.dtype.type(0.5), apply(_J0, (x,)) - y / there)


def _unscaled(order: int) -> Any:
    return in_doubles(lambda x: modified_second_kind(order, x) * np.exp(-x))


_J0: Primitive = Primitive(
    in_doubles(lambda x: first_kind(0, x)), (lambda g, y, x: -g * apply(_J1, (x,)),), name="bessel_j0"
)
_J1: Primitive = Primitive(in_doubles(lambda x: first_kind(1, x)), (_slope_of_first,), name="bessel_j1")
_Y0: Primitive = Primitive(
    in_doubles(lambda x: second_kind(0, x)), (lambda g, y, x: -g * apply(_Y1, (x,)),), name="bessel_y0"
)
_Y1: Primitive = Primitive(
    in_doubles(lambda x: second_kind(1, x)), (lambda g, y, x: g * (apply(_Y0, (x,)) - y / x),), name="bessel_y1"
)
_K0: Primitive = Primitive(_unscaled(0), (lambda g, y, x: -g * apply(_K1, (x,)),), name="bessel_k0")
_K1: Primitive = Primitive(_unscaled(1), (lambda g, y, x: -g * (apply(_K0, (x,)) + y / x),), name="bessel_k1")
_K0E: Primitive = Primitive(
    in_doubles(lambda x: modified_second_kind(0, x)), (lambda g, y, x: g * (y - apply(_K1E, (x,))),), name="bessel_k0e"
)
_K1E: Primitive = Primitive(
    in_doubles(lambda x: modified_second_kind(1, x)),
    (lambda g, y, x: g * (y * (1 - 1 / x) - apply(_K0E, (x,))),),
    name="bessel_k1e",
)


bessel_j0 = elementwise(
    "BesselJ0",
    lambda x: apply(_J0, (x,)),
    "Return the Bessel function of the first kind of order 0. Source: ``tf.math.special.bessel_j0``.",
    scope="bessel_j0",
)
bessel_j1 = elementwise(
    "BesselJ1",
    lambda x: apply(_J1, (x,)),
    "Return the Bessel function of the first kind of order 1. Source: ``tf.math.special.bessel_j1``.",
    scope="bessel_j1",
)
bessel_y0 = elementwise(
    "BesselY0",
    lambda x: apply(_Y0, (x,)),
    "Return the Bessel function of the second kind of order 0. Source: ``tf.math.special.bessel_y0``.",
    scope="bessel_y0",
)
bessel_y1 = elementwise(
    "BesselY1",
    lambda x: apply(_Y1, (x,)),
    "Return the Bessel function of the second kind of order 1. Source: ``tf.math.special.bessel_y1``.",
    scope="bessel_y1",
)
bessel_k0 = elementwise(
    "BesselK0",
    lambda x: apply(_K0, (x,)),
    "Return the modified Bessel function of the second kind of order 0. Source: ``tf.math.special.bessel_k0``.",
    scope="bessel_k0",
)
bessel_k1 = elementwise(
    "BesselK1",
    lambda x: apply(_K1, (x,)),
    "Return the modified Bessel function of the second kind of order 1. Source: ``tf.math.special.bessel_k1``.",
    scope="bessel_k1",
)
bessel_k0e = elementwise(
    "BesselK0e",
    lambda x: apply(_K0E, (x,)),
    "Return ``exp(x)`` times the modified Bessel function K0. Source: ``tf.math.special.bessel_k0e``.",
    scope="bessel_k0e",
)
bessel_k1e = elementwise(
    "BesselK1e",
    lambda x: apply(_K1E, (x,)),
    "Return ``exp(x)`` times the modified Bessel function K1. Source: ``tf.math.special.bessel_k1e``.",
    scope="bessel_k1e",
)

name_functions(__name__)
