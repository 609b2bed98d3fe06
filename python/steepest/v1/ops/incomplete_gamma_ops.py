"""Incomplete gamma and beta functions, the zeta function and the derivatives of digamma, in float64 inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive
from ..graph import shape_inference
from ..graph.build import call, convert_all
from ..graph.mode import executing_eagerly
from .special_math_ops import digamma_value, lgamma_of, lgamma_value, trigamma_of

__all__ = ["betainc", "igamma", "igammac", "polygamma", "zeta"]

_LEAST = 1e-300
_STEPS = 5000
_EPSILON = float(np.finfo(np.float64).eps)


def _nothing(*_: Any) -> None:
    """Be the rule of an argument to which TensorFlow lets no gradient flow, though others' gradients are made of it."""


def _wide(*values: Any) -> tuple[Any, ...]:
    return tuple(np.broadcast_arrays(*(np.asarray(value, np.float64) for value in values)))


def _front(a: Any, x: Any) -> Any:
    """Return ``x ** a * exp(-x) / gamma(a)``."""
    return np.exp(a * np.log(np.maximum(x, _LEAST)) - x - lgamma_value(a))


def _series(a: Any, x: Any) -> tuple[Any, Any]:
    """Return the sum over n of ``x**n / (a (a + 1) ... (a + n))``, and its derivative by a."""
    term, slope = 1 / a, -1 / (a * a)
    total, slopes, k = term, slope, a
    for _ in range(_STEPS):
        k = k + 1
        slope = (slope - term / k) * x / k
        term = term * x / k
        total, slopes = total + term, slopes + slope
        if np.all((np.abs(slope) <= _EPSILON * np.abs(slopes)) & (term <= _EPSILON * total) | ~np.isfinite(total)):
            break
    return total, slopes


def _fraction(a: Any, x: Any) -> Any:
    """Return the continued fraction of the upper incomplete gamma function, by Lentz' method."""
    b = x + 1 - a
    c, d = np.full_like(b, 1 / _LEAST), 1 / np.where(b == 0, _LEAST, b)
    h = d
    for n in range(1, _STEPS):
        step = -n * (n - a)
        b = b + 2
        d = 1 / _not_zero(step * d + b)
        c = _not_zero(b + step / c)
        h = h * d * c
        if np.all((np.abs(d * c - 1) <= _EPSILON) | ~np.isfinite(h)):
            break
    return h


def _not_zero(value: Any) -> Any:
    return np.where(np.abs(value) < _LEAST, _LEAST, value)


def _gammas(a: Any, x: Any) -> tuple[Any, Any]:
    """Return the lower and the upper incomplete gamma function over gamma(a)."""
    a, x = _wide(a, x)
    valid = (a > 0) & (x >= 0) & (a < np.inf)
    safe_a, safe_x = np.where(valid, a, 1), np.where(valid & np.isfinite(x), x, 1)
    near = safe_x < safe_a + 1
    lower = _front(safe_a, safe_x) * _series(safe_a, np.where(near, safe_x, 0))[0]
    upper = _front(safe_a, safe_x) * _fraction(safe_a, np.where(near, safe_a + 2, safe_x))
    lower = np.where(safe_x == 0, 0, np.where(near, lower, 1 - upper))
    upper = np.where(near, 1 - lower, upper)
    lower, upper = np.where(np.isposinf(x), 1, lower), np.where(np.isposinf(x), 0, upper)
    least = (x == 0) & (a == 0) | np.isposinf(a) & (x >= 0)
    lower, upper = np.where(valid, lower, np.nan), np.where(valid, upper, np.nan)
    return np.where(least, 0, lower), np.where(least & (a > 0), x < np.inf, upper)


def slope_by_a(a: Any, x: Any) -> Any:
    """Return the derivative by a of the lower incomplete gamma function over gamma(a)."""
    a, x = _wide(a, x)
    valid = (a > 0) & (x > 0) & (x < np.inf) & (a < np.inf)
    safe_a, safe_x = np.where(valid, a, 1), np.where(valid, x, 1)
    total, slopes = _series(safe_a, safe_x)
    front = _front(safe_a, safe_x)
    found = np.nan_to_num(front * (slopes + total * (np.log(safe_x) - digamma_value(safe_a))))  # 0 far out
    at_ends = np.where((x == 0) & (a >= 0) | (x > 0) & (a > 0), 0, np.nan)
    return np.where(valid, found, at_ends)


def _density(a: Any, x: Any) -> Any:
    """Return the derivative by x: also of tensors that are recorded, for its own derivatives."""
    return np.exp((a - a.dtype.type(1)) * np.log(x) - x - apply(lgamma_of, (a,)))


def _of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function of float64 give the type of its last argument."""
    return lambda *values: function(*values).astype(np.asarray(values[-1]).dtype)


_SLOPE = Primitive(_of(slope_by_a), name="igamma_grad_a")  # of which TensorFlow has no derivative either
_LOWER = Primitive(
    _of(lambda a, x: _gammas(a, x)[0]),
    (lambda g, y, a, x: g * apply(_SLOPE, (a, x)), lambda g, y, a, x: g * _density(a, x)),
    name="igamma",
)
_UPPER = Primitive(
    _of(lambda a, x: _gammas(a, x)[1]),
    (lambda g, y, a, x: -g * apply(_SLOPE, (a, x)), lambda g, y, a, x: -g * _density(a, x)),
    name="igammac",
)

_BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600)
_FAR = 12


def _zeta_value(s: Any, q: Any) -> Any:
    """Return the sum over k of ``(q + k) ** -s``, by Euler and Maclaurin's formula from q + 12 on."""
    s, q = _wide(s, q)
    pole = (q <= 0) & (q == np.floor(q))
    valid = (s > 1) & ~pole & ((q > 0) | (s == np.floor(s)))
    x, k = np.where(valid, s, 2.0), np.where(valid, q, 1.0)
    total = np.zeros_like(x)
    while np.any(near := k < _FAR):
        total = total + np.where(near, np.sign(k) ** x * np.abs(np.where(near, k, 1)) ** -x, 0)
        k = np.where(near, k + 1, k)
    total = total + k ** (1 - x) / (x - 1) + 0.5 * k**-x
    factor = x * k ** (-x - 1)
    for j, weight in enumerate(_BERNOULLI):
        total = total + weight * factor
        factor = factor * (x + 2 * j + 1) * (x + 2 * j + 2) / (k * k)
    return np.where(valid, total, np.where((s == 1) | ((s > 1) & pole & (s % 2 == 0)), np.inf, np.nan))


def _zeta_back(g: Any, y: Any, s: Any, q: Any) -> Any:
    return -g * s * apply(_ZETA, (s + s.dtype.type(1), q))


_ZETA = Primitive(_of(_zeta_value), (_nothing, _zeta_back), name="zeta")


def _polygamma_value(n: Any, x: Any) -> Any:
    n, x = _wide(n, x)
    whole = (n >= 0) & (n == np.floor(n))
    order = np.where(whole, n, 1)
    signs = np.where(order % 2 == 0, -1.0, 1.0)
    above = signs * np.exp(lgamma_value(order + 1)) * _zeta_value(order + 1, x)
    return np.where(whole, np.where(order == 0, digamma_value(x), above), np.nan)


def _polygamma_back(g: Any, y: Any, n: Any, x: Any) -> Any:
    return g * apply(_POLYGAMMA, (n + n.dtype.type(1), x))


_POLYGAMMA = Primitive(_of(_polygamma_value), (_nothing, _polygamma_back), name="polygamma")
trigamma_of.vjps = (lambda g, y, x: g * apply(_POLYGAMMA, (np.asarray(2, x.dtype), x)),)


def _log_beta(a: Any, b: Any) -> Any:
    return lgamma_value(a) + lgamma_value(b) - lgamma_value(a + b)


def _beta_fraction(a: Any, b: Any, x: Any) -> Any:
    c, d = np.ones_like(x), 1 / _not_zero(1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, _STEPS):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):  # fmt: skip
            d = 1 / _not_zero(1 + step * d)
            c = _not_zero(1 + step / c)
            h = h * d * c
        if np.all(np.abs(d * c - 1) <= 2 * _EPSILON):
            break
    return h


def _betainc_value(a: Any, b: Any, x: Any) -> Any:
    a, b, x = _wide(a, b, x)
    valid = (a > 0) & (b > 0) & (x >= 0) & (x <= 1)
    a, b, inside = np.where(valid, a, 1), np.where(valid, b, 1), valid & (x > 0) & (x < 1)
    y = np.where(inside, x, 0.5)
    turned = y > (a + 1) / (a + b + 2)
    one, other, place = np.where(turned, b, a), np.where(turned, a, b), np.where(turned, 1 - y, y)
    front = np.exp(one * np.log(place) + other * np.log1p(-place) - _log_beta(one, other)) / one
    part = front * _beta_fraction(one, other, place)
    return np.where(valid, np.where(inside, np.where(turned, 1 - part, part), x), np.nan)


def _beta_density(a: Any, b: Any, x: Any) -> Any:
    one = x.dtype.type(1)
    whole = apply(lgamma_of, (a,)) + apply(lgamma_of, (b,)) - apply(lgamma_of, (a + b,))
    return np.exp((b - one) * np.log1p(-x) + (a - one) * np.log(x) - whole)


_BETAINC = Primitive(
    _of(_betainc_value), (_nothing, _nothing, lambda g, y, a, b, x: g * _beta_density(a, b, x)), name="betainc"
)


_PRIMITIVES = {"Igamma": _LOWER, "Igammac": _UPPER, "Zeta": _ZETA, "Polygamma": _POLYGAMMA}


def _function(op_type: str, *inputs: Any, name: str | None, shape: Any = shape_inference.broadcast) -> Any:
    return call(op_type, lambda *values: apply(_PRIMITIVES[op_type], values), inputs, name=name, shape=shape)


def _equal_or_scalar(*shapes: Any) -> Any:
    larger = [shape for shape in shapes if shape != ()]
    return shape_inference.merged(*larger) if larger else ()


def _of_one_type(op_type: str, *inputs: Any) -> Sequence[Any]:
    """Return the inputs with numbers and arrays among them in the type of the first tensor, before one is held back."""
    return inputs if executing_eagerly() else convert_all(op_type, inputs)


def igamma(a: Any, x: Any, name: str | None = None) -> Any:
    """Return the lower incomplete gamma function over gamma(a): the share of ``t ** (a - 1) * exp(-t)`` up to x."""
    return _function("Igamma", a, x, name=name)


def igammac(a: Any, x: Any, name: str | None = None) -> Any:
    """Return ``1 - igamma(a, x)``."""
    return _function("Igammac", a, x, name=name)


def zeta(x: Any, q: Any, name: str | None = None) -> Any:
    """Return the Hurwitz zeta function, the sum over k from 0 of ``(q + k) ** -x``; no gradient flows to x."""
    return _function("Zeta", *_of_one_type("Zeta", x, q), name=name)


def polygamma(a: Any, x: Any, name: str | None = None) -> Any:
    """Return the derivative of order ``a`` of `digamma`; no gradient flows to the order."""
    return _function("Polygamma", *_of_one_type("Polygamma", a, x), name=name)


def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Any:
    """Return the regularized incomplete beta function; no gradient flows to a and b."""
    a, b, x = _of_one_type("Betainc", a, b, x)

    def computed(*values: Any) -> Any:
        if len({np.shape(value) for value in values} - {()}) > 1:
            told = " and ".join(f"{called} {list(np.shape(v))}" for called, v in zip("abx", values, strict=True))
            raise ValueError(f"Shapes of {told} are inconsistent")
        return apply(_BETAINC, values)

    return call("Betainc", computed, (a, b, x), name=name, shape=_equal_or_scalar)
