"""Derivatives of SciPy's special functions, declared once a program that differentiates one has imported SciPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dispatch import apply, unwrap
from ..registry import LATE_RULES, also_complex, def_nondifferentiable, defvjp

_ERF_SLOPE = 2 / math.sqrt(math.pi)
_NORMAL = 1 / math.sqrt(2 * math.pi)


def _declare() -> None:
    """Declare the rules of ``scipy.special``'s ufuncs; its Python functions, such as softmax, take arrays only."""
    import scipy.special as sc

    def polygamma(n: int, x: Any) -> Any:
        return sc.polygamma(n, x)

    polygamma_of = defvjp(polygamma, None, lambda g, y, n, x: g * slope_of_digamma(n + 1, x))

    def slope_of_digamma(n: int, x: Any) -> Any:
        return apply(polygamma_of, (n, x))

    def digamma_difference(a: Any, b: Any) -> Any:
        return sc.digamma(a) - sc.digamma(a + b)

    # The logistic function
    defvjp(sc.expit, lambda g, y, x: g * y * (1 - y))
    defvjp(sc.logit, lambda g, y, x: g / (x * (1 - x)))
    defvjp(sc.log_expit, lambda g, y, x: g * sc.expit(-x))

    # The error function and the normal distribution
    defvjp(sc.erf, lambda g, y, x: g * _ERF_SLOPE * np.exp(-x * x))
    defvjp(sc.erfc, lambda g, y, x: -g * _ERF_SLOPE * np.exp(-x * x))
    defvjp(sc.erfcx, lambda g, y, x: g * (2 * x * y - _ERF_SLOPE))
    defvjp(sc.erfinv, lambda g, y, x: g * np.exp(y * y) / _ERF_SLOPE)
    defvjp(sc.erfcinv, lambda g, y, x: -g * np.exp(y * y) / _ERF_SLOPE)
    defvjp(sc.ndtr, lambda g, y, x: g * _NORMAL * np.exp(-x * x / 2))
    defvjp(sc.log_ndtr, lambda g, y, x: g * _NORMAL * np.exp(-x * x / 2 - y))
    defvjp(sc.ndtri, lambda g, y, x: g * np.exp(y * y / 2) / _NORMAL)

    # The gamma function
    defvjp(sc.gamma, lambda g, y, x: g * y * sc.digamma(x))
    defvjp(sc.gammaln, lambda g, y, x: g * sc.digamma(x))
    defvjp(sc.rgamma, lambda g, y, x: -g * y * sc.digamma(x))
    defvjp(sc.digamma, lambda g, y, x: g * slope_of_digamma(1, x))
    defvjp(
        sc.beta,
        lambda g, y, a, b: g * y * digamma_difference(a, b),
        lambda g, y, a, b: g * y * digamma_difference(b, a),
    )
    defvjp(sc.betaln, lambda g, y, a, b: g * digamma_difference(a, b), lambda g, y, a, b: g * digamma_difference(b, a))

    # Products with a logarithm: 0 where the first factor is 0, and so is their slope
    defvjp(sc.xlogy, lambda g, y, a, b: g * sc.xlogy(_present(a), b), lambda g, y, a, b: g * _quotient(a, b))
    defvjp(sc.xlog1py, lambda g, y, a, b: g * sc.xlog1py(_present(a), b), lambda g, y, a, b: g * _quotient(a, 1 + b))
    defvjp(sc.entr, lambda g, y, x: -g * (np.log(x) + 1))
    defvjp(sc.rel_entr, lambda g, y, a, b: g * (np.log(a / b) + 1), lambda g, y, a, b: -g * _quotient(a, b))
    defvjp(sc.kl_div, lambda g, y, a, b: g * np.log(a / b), lambda g, y, a, b: g * (1 - _quotient(a, b)))

    # Bessel's functions; of jv and iv with respect to the argument, not to the order
    defvjp(sc.j0, lambda g, y, x: -g * sc.j1(x))
    defvjp(sc.j1, lambda g, y, x: g * (sc.j0(x) - sc.jv(2, x)) / 2)
    defvjp(sc.jv, None, lambda g, y, v, x: g * (sc.jv(v - 1, x) - sc.jv(v + 1, x)) / 2)
    defvjp(sc.i0, lambda g, y, x: g * sc.i1(x))
    defvjp(sc.i1, lambda g, y, x: g * (sc.i0(x) + sc.iv(2, x)) / 2)
    defvjp(sc.iv, None, lambda g, y, v, x: g * (sc.iv(v - 1, x) + sc.iv(v + 1, x)) / 2)
    def_nondifferentiable(sc.round)
    also_complex(sc.erf, sc.erfc, sc.erfcx, sc.ndtr, sc.log_ndtr, sc.xlogy, sc.xlog1py, sc.jv, sc.iv)


def _present(a: Any) -> Any:
    """Return 1 where the factor is not 0, in its type."""
    values = np.asarray(unwrap(a))
    return np.not_equal(values, 0).astype(values.dtype)


def _quotient(a: Any, b: Any) -> Any:
    """Return ``a / b``, 0 for a = 0."""
    zero = np.equal(unwrap(a), 0)
    return np.where(zero, 0, a / np.where(zero, 1, b))


LATE_RULES["scipy.special"] = _declare
