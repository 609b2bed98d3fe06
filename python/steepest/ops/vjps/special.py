"""Derivatives of SciPy's special functions, declared once a program that differentiates one has imported SciPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dispatch import apply, unwrap
from ..registry import LATE_RULES, also_complex, def_nondifferentiable, defvjp

_ERF_SLOPE = 2 / math.sqrt(math.pi)
_NORMAL = 1 / math.sqrt(2 * math.pi)
_DEGREE = math.pi / 180


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

    def_nondifferentiable(sc.round, sc.gammasgn)
    also_complex(sc.erf, sc.erfc, sc.erfcx, sc.ndtr, sc.log_ndtr, sc.xlogy, sc.xlog1py)
    _declare_more(sc)
    _declare_integrals(sc)
    _declare_bessel(sc)


def _declare_more(sc: Any) -> None:
    """Declare the rules of losses, transformations, and NumPy's functions under SciPy's names."""
    # Accurate twins of NumPy's functions
    defvjp(sc.exp2, lambda g, y, x: g * y * math.log(2))
    defvjp(sc.exp10, lambda g, y, x: g * y * math.log(10))
    defvjp(sc.expm1, lambda g, y, x: g * np.exp(x))
    defvjp(sc.log1p, lambda g, y, x: g / (1 + x))
    defvjp(sc.cbrt, lambda g, y, x: g / (3 * y * y))
    defvjp(sc.cosm1, lambda g, y, x: -g * np.sin(x))
    defvjp(sc.sindg, lambda g, y, x: g * sc.cosdg(x) * _DEGREE)
    defvjp(sc.cosdg, lambda g, y, x: -g * sc.sindg(x) * _DEGREE)
    defvjp(sc.tandg, lambda g, y, x: g * (1 + y * y) * _DEGREE)
    defvjp(sc.powm1, lambda g, y, x, p: g * p * x ** (p - 1), lambda g, y, x, p: g * (y + 1) * np.log(x))

    # Losses and transformations of data
    defvjp(
        sc.huber,
        lambda g, y, d, r: g * np.maximum(np.abs(r) - d, 0),
        lambda g, y, d, r: g * np.clip(r, -d, d),
    )
    defvjp(
        sc.pseudo_huber,
        lambda g, y, d, r: g * (2 * d * (np.hypot(1, r / d) - 1) - r * r / (d * np.hypot(1, r / d))),
        lambda g, y, d, r: g * r / np.hypot(1, r / d),
    )
    defvjp(sc.boxcox, lambda g, y, x, p: g * x ** (p - 1))
    defvjp(sc.boxcox1p, lambda g, y, x, p: g * (1 + x) ** (p - 1))
    defvjp(sc.inv_boxcox, lambda g, y, x, p: g * y ** (1 - p))
    defvjp(sc.inv_boxcox1p, lambda g, y, x, p: g * (1 + y) ** (1 - p))

    # Relatives of the gamma function
    defvjp(sc.loggamma, lambda g, y, x: g * sc.digamma(x))
    defvjp(
        sc.poch,
        lambda g, y, a, m: g * y * (sc.digamma(a + m) - sc.digamma(a)),
        lambda g, y, a, m: g * y * sc.digamma(a + m),
    )
    defvjp(
        sc.binom,
        lambda g, y, n, k: g * y * (sc.digamma(n + 1) - sc.digamma(n - k + 1)),
        lambda g, y, n, k: g * y * (sc.digamma(n - k + 1) - sc.digamma(k + 1)),
    )


def _declare_integrals(sc: Any) -> None:
    """Declare the rules of functions that are integrals, with respect to where they end."""

    def gamma_density(a: Any, x: Any) -> Any:
        return np.exp(sc.xlogy(a - 1, x) - x - sc.gammaln(a))

    def beta_density(a: Any, b: Any, x: Any) -> Any:
        return np.exp(sc.xlogy(a - 1, x) + sc.xlog1py(b - 1, -x) - sc.betaln(a, b))

    def student_density(n: Any, t: Any) -> Any:
        return np.exp(-(n + 1) / 2 * np.log1p(t * t / n) - sc.betaln(n / 2, 0.5)) / np.sqrt(n)

    defvjp(sc.gammainc, None, lambda g, y, a, x: g * gamma_density(a, x))
    defvjp(sc.gammaincc, None, lambda g, y, a, x: -g * gamma_density(a, x))
    defvjp(sc.gammaincinv, None, lambda g, y, a, p: g / gamma_density(a, y))
    defvjp(sc.gammainccinv, None, lambda g, y, a, p: -g / gamma_density(a, y))
    defvjp(sc.betainc, None, None, lambda g, y, a, b, x: g * beta_density(a, b, x))
    defvjp(sc.betaincinv, None, None, lambda g, y, a, b, p: g / beta_density(a, b, y))
    defvjp(sc.chdtr, None, lambda g, y, v, x: g * gamma_density(v / 2, x / 2) / 2)
    defvjp(sc.chdtrc, None, lambda g, y, v, x: -g * gamma_density(v / 2, x / 2) / 2)
    defvjp(
        sc.gdtr,
        lambda g, y, a, b, x: g * x * gamma_density(b, a * x),
        None,
        lambda g, y, a, b, x: g * a * gamma_density(b, a * x),
    )
    defvjp(sc.pdtr, None, lambda g, y, k, m: -g * gamma_density(np.floor(unwrap(k)) + 1, m))
    defvjp(sc.pdtrc, None, lambda g, y, k, m: g * gamma_density(np.floor(unwrap(k)) + 1, m))
    defvjp(sc.stdtr, None, lambda g, y, n, t: g * student_density(n, t))
    defvjp(sc.stdtrit, None, lambda g, y, n, p: g / student_density(n, y))
    defvjp(sc.ndtri_exp, lambda g, y, x: g * np.exp(x + y * y / 2) / _NORMAL)

    defvjp(sc.erfi, lambda g, y, x: g * _ERF_SLOPE * np.exp(x * x))
    defvjp(sc.dawsn, lambda g, y, x: g * (1 - 2 * x * y))
    defvjp(sc.exp1, lambda g, y, x: -g * np.exp(-x) / x)
    defvjp(sc.expi, lambda g, y, x: g * np.exp(x) / x)
    defvjp(sc.expn, None, lambda g, y, n, x: -g * sc.expn(unwrap(n) - 1, x))
    defvjp(sc.spence, lambda g, y, x: g * np.log(x) / (1 - x))
    defvjp(sc.ellipk, lambda g, y, m: g * (sc.ellipe(m) / (1 - m) - y) / (2 * m))
    defvjp(sc.ellipe, lambda g, y, m: g * (y - sc.ellipk(m)) / (2 * m))
    defvjp(sc.hyp0f1, None, lambda g, y, a, x: g / a * sc.hyp0f1(a + 1, x))
    defvjp(sc.hyp1f1, None, None, lambda g, y, a, b, x: g * a / b * sc.hyp1f1(a + 1, b + 1, x))
    defvjp(sc.hyp2f1, None, None, None, lambda g, y, a, b, c, x: g * a * b / c * sc.hyp2f1(a + 1, b + 1, c + 1, x))
    defvjp(sc.wrightomega, lambda g, y, x: g * y / (1 + y))


def _declare_bessel(sc: Any) -> None:
    """Declare the rules of Bessel's functions, with respect to the argument, not to the order."""
    defvjp(sc.j0, lambda g, y, x: -g * sc.j1(x))
    defvjp(sc.j1, lambda g, y, x: g * (sc.j0(x) - sc.jv(2, x)) / 2)
    defvjp(sc.jv, None, lambda g, y, v, x: g * (sc.jv(v - 1, x) - sc.jv(v + 1, x)) / 2)
    defvjp(sc.y0, lambda g, y, x: -g * sc.y1(x))
    defvjp(sc.y1, lambda g, y, x: g * (sc.y0(x) - sc.yv(2, x)) / 2)
    defvjp(sc.yn, None, lambda g, y, n, x: g * (sc.yv(n - 1, x) - sc.yv(n + 1, x)) / 2)
    defvjp(sc.yv, None, lambda g, y, v, x: g * (sc.yv(v - 1, x) - sc.yv(v + 1, x)) / 2)
    defvjp(sc.i0, lambda g, y, x: g * sc.i1(x))
    defvjp(sc.i1, lambda g, y, x: g * (sc.i0(x) + sc.iv(2, x)) / 2)
    defvjp(sc.iv, None, lambda g, y, v, x: g * (sc.iv(v - 1, x) + sc.iv(v + 1, x)) / 2)
    defvjp(sc.k0, lambda g, y, x: -g * sc.k1(x))
    defvjp(sc.k1, lambda g, y, x: -g * (sc.k0(x) + sc.kv(2, x)) / 2)
    defvjp(sc.kn, None, lambda g, y, n, x: -g * (sc.kv(n - 1, x) + sc.kv(n + 1, x)) / 2)
    defvjp(sc.kv, None, lambda g, y, v, x: -g * (sc.kv(v - 1, x) + sc.kv(v + 1, x)) / 2)
    # Times exp(-|x|), or exp(x)
    defvjp(sc.i0e, lambda g, y, x: g * (sc.i1e(x) - np.sign(x) * y))
    defvjp(sc.i1e, lambda g, y, x: g * ((sc.i0e(x) + sc.ive(2, x)) / 2 - np.sign(x) * y))
    defvjp(sc.ive, None, lambda g, y, v, x: g * ((sc.ive(v - 1, x) + sc.ive(v + 1, x)) / 2 - np.sign(x) * y))
    defvjp(sc.k0e, lambda g, y, x: g * (y - sc.k1e(x)))
    defvjp(sc.k1e, lambda g, y, x: g * (y - (sc.k0e(x) + sc.kve(2, x)) / 2))
    defvjp(sc.kve, None, lambda g, y, v, x: g * (y - (sc.kve(v - 1, x) + sc.kve(v + 1, x)) / 2))
    also_complex(sc.jv, sc.iv, sc.kv, sc.yv)


def _present(a: Any) -> Any:
    """Return 1 where the factor is not 0, in its type."""
    values = np.asarray(unwrap(a))
    return np.not_equal(values, 0).astype(values.dtype)


def _quotient(a: Any, b: Any) -> Any:
    """Return ``a / b``, 0 for a = 0."""
    zero = np.equal(unwrap(a), 0)
    return np.where(zero, 0, a / np.where(zero, 1, b))


LATE_RULES["scipy.special"] = _declare
