"""The gamma function's relatives, inverse error functions, polynomials, and products that leave NaNs out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ..graph import shape_inference
from ..graph.arguments import as_axis, call_with
from ..graph.bound_names import name_functions
from ..graph.build import call, dtype_of
from ..graph.run_values import array_of
from .math_ops import div_no_nan, elementwise, elementwise_of_two, erf_value, erfc_value
from .reduce_ops import reduce_sum

__all__ = [
    "cumulative_logsumexp",
    "digamma",
    "divide_no_nan",
    "erfcinv",
    "erfinv",
    "is_non_decreasing",
    "is_strictly_increasing",
    "lbeta",
    "lgamma",
    "multiply_no_nan",
    "ndtri",
    "nextafter",
    "polyval",
    "reciprocal_no_nan",
    "xlog1py",
]

divide_no_nan = div_no_nan

# The gamma function. The sums are asymptotic series (Abramowitz and Stegun 6.3.18, 6.4.12), taken where x >= 10;
# smaller x are moved there by the recurrence, negative ones by the reflection.
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
_TRIGAMMA = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
_FAR = 10


def _moved(x: Any, term: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Return x moved to where the series hold, and the sum of the terms on the way."""
    total = np.zeros_like(x)
    for _ in range(_FAR):
        near = x < _FAR
        total = total + np.where(near, term(np.where(near, x, 1)), 0)
        x = np.where(near, x + 1, x)
    return x, total


def digamma_value(value: Any) -> Any:
    x = np.asarray(value, np.float64)
    pole = (x <= 0) & (x == np.floor(x))
    mirrored = x < 0
    y, passed = _moved(np.where(mirrored, 1 - x, np.where(pole, 1, x)), np.reciprocal)
    power, series = 1 / (y * y), np.zeros_like(y)
    for k, factor in enumerate(_DIGAMMA):
        series = series + factor * power ** (k + 1)
    result = np.log(y) - 0.5 / y - series - passed
    result = np.where(mirrored, result - np.pi / np.tan(np.pi * np.where(pole, 0.5, x)), result)
    return np.where(pole, np.nan, result).astype(value.dtype)


def _trigamma_value(value: Any) -> Any:
    x = np.asarray(value, np.float64)
    mirrored = x < 0
    y, passed = _moved(np.where(mirrored, 1 - x, x), lambda part: 1 / (part * part))
    power, series = 1 / (y * y), np.zeros_like(y)
    for k, factor in enumerate(_TRIGAMMA):
        series = series + factor * power ** (k + 1)
    result = passed + 1 / y + 0.5 * power + series / y
    turned = np.where(mirrored, x, 0.5)
    sine = np.where(turned == np.floor(turned), 0, np.sin(np.pi * turned))  # exactly 0 at a pole
    return np.where(mirrored, (np.pi / sine) ** 2 - result, result).astype(value.dtype)


def _lgamma_at(x: float) -> float:
    try:
        return math.lgamma(x)
    except ValueError:  # a pole
        return math.inf


lgamma_value = np.vectorize(_lgamma_at, otypes=[np.float64])
trigamma_of = Primitive(_trigamma_value, name="trigamma")  # whose derivative is polygamma's
digamma_of = Primitive(digamma_value, (lambda g, y, x: g * apply(trigamma_of, (x,)),), name="digamma")
lgamma_of = Primitive(
    lambda x: lgamma_value(x).astype(x.dtype), (lambda g, y, x: g * apply(digamma_of, (x,)),), name="lgamma"
)


# The inverse error function: Giles' approximation (2010), then Newton's steps in float64.
def _erfinv_value(value: Any) -> Any:
    x = np.asarray(value, np.float64)
    inside = np.abs(x) < 1
    safe = np.where(inside, x, 0)
    # Winitzki's formula is within 2e-3.
    half, a = np.log1p(-safe * safe) / 2, 0.147
    first = 2 / (np.pi * a) + half
    y = np.sign(safe) * np.sqrt(np.sqrt(first * first - 2 * half / a) - first)
    for _ in range(4):
        tail = np.where(safe > 0, 1 - safe, 1 + safe)
        wrong = np.where(np.abs(y) > 0.5, -np.sign(y) * (erfc_value(np.abs(y)) - tail), erf_value(y) - safe)
        slope = wrong * (math.sqrt(math.pi) / 2) * np.exp(y * y)
        y = y - slope / (1 + y * slope)
    outside = np.where(np.abs(x) == 1, np.copysign(np.inf, x), np.nan)
    return np.where(inside, y, outside).astype(value.dtype)


_erfinv_of = Primitive(
    _erfinv_value, (lambda g, y, x: g * (math.sqrt(math.pi) / 2) * np.exp(np.square(y)),), name="erfinv"
)


def _erfcinv_value(value: Any) -> Any:
    x = np.asarray(value, np.float64)
    small = (x > 0) & (x < 0.5)
    tail = np.where(small, x, 0.25)
    # Abramowitz and Stegun 26.2.23 is within 5e-4, then Newton's steps for the logarithm.
    t = np.sqrt(-2 * np.log(tail / 2))
    above = 2.515517 + t * (0.802853 + t * 0.010328)
    y = (t - above / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) / math.sqrt(2)
    for _ in range(4):
        area = np.maximum(erfc_value(y), np.finfo(np.float64).tiny)
        y = y + np.log(area / tail) * area * (math.sqrt(math.pi) / 2) * np.exp(y * y)
    return np.where(small, y, np.where(x < 0, np.nan, _erfinv_value(1 - x))).astype(value.dtype)


_erfcinv_of = Primitive(
    _erfcinv_value, (lambda g, y, x: -g * (math.sqrt(math.pi) / 2) * np.exp(np.square(y)),), name="erfcinv"
)


def _erfinv(x: Any) -> Any:
    return apply(_erfinv_of, (x,))


def _erfcinv(x: Any) -> Any:
    return apply(_erfcinv_of, (x,))


def _number(x: Any, value: float) -> Any:
    return x.dtype.type(value)


lgamma = elementwise("Lgamma", lambda x: apply(lgamma_of, (x,)), "Return ``log(|gamma(x)|)``.")
digamma = elementwise("Digamma", lambda x: apply(digamma_of, (x,)), "Return the derivative of `lgamma`.")
erfinv = elementwise("Erfinv", _erfinv, "Return the inverse of the error function, for x in (-1, 1).")
erfcinv = elementwise("Erfcinv", _erfcinv, "Return the inverse of ``erfc``.")
ndtri = elementwise(
    "Ndtri",
    lambda x: -_number(x, math.sqrt(2)) * _erfcinv(_number(x, 2) * x),
    "Return the quantile of the normal distribution.",
)


def _safe_reciprocal(x: Any) -> Any:
    zero = unwrap(x) == 0
    return np.where(zero, _number(x, 0), 1 / np.where(zero, _number(x, 1), x))


def _product_without_nan(x: Any, y: Any) -> Any:
    return apply(_PRODUCT, (x, y))


def _without_nan(x: Any, y: Any) -> Any:
    zero = np.equal(unwrap(y), 0)
    return np.where(zero, _number(y, 0), np.where(zero, _number(y, 0), x) * y)


_PRODUCT = Primitive(
    _without_nan,
    (lambda g, z, x, y: _product_without_nan(g, y), lambda g, z, x, y: _product_without_nan(x, g)),
    name="multiply_no_nan",
)


def _xlog1py(x: Any, y: Any) -> Any:
    zero = unwrap(x) == 0
    return np.where(zero, _number(x, 0), x * np.log1p(np.where(zero, _number(y, 0), y)))


reciprocal_no_nan = elementwise("ReciprocalNoNan", _safe_reciprocal, "Return ``1 / x``, 0 where x is 0.")
multiply_no_nan = elementwise_of_two("MulNoNan", _product_without_nan, "Return ``x * y``, 0 where y is 0.")
xlog1py = elementwise_of_two("Xlog1py", _xlog1py, "Return ``x * log(1 + y)``, 0 where x is 0.")
_nextafter = elementwise_of_two("NextAfter", np.nextafter, "")


def nextafter(x1: Any, x2: Any, name: str | None = None) -> Any:
    """Return the next float after x1, towards x2."""
    return _nextafter(x1, x2, name)


def lbeta(x: Any, name: str | None = None) -> Any:
    """Return the logarithm of the beta function of the last axis, ``sum(lgamma(x)) - lgamma(sum(x))``."""
    return reduce_sum(lgamma(x), -1) - lgamma(reduce_sum(x, -1), name)


def polyval(coeffs: Any, x: Any, name: str | None = None) -> Any:
    """Return the polynomial ``coeffs[0] * x ** n + ... + coeffs[n]``, 0 for no coefficient.

    Raises ValueError for coefficients that are not a list.
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")

    def horner(value: Any, *factors: Any) -> Any:
        if not factors:
            return np.zeros(value.shape, value.dtype)
        total = np.broadcast_to(factors[0], np.broadcast_shapes(np.shape(factors[0]), value.shape))
        for factor in factors[1:]:
            total = factor + total * value
        return total

    return call("Polyval", horner, (x, *coeffs), name=name, shape=lambda *shapes: shape_inference.broadcast(*shapes))


def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    """Return ``log(cumsum(exp(x)))`` along an axis, without overflow."""
    dtype = dtype_of(x)

    def running(axis: int, value: Any) -> Any:
        moved = np.moveaxis(value, axis, -1)
        moved = np.flip(moved, -1) if reverse else moved
        largest = np.maximum.accumulate(array_of(moved), axis=-1)
        size = moved.shape[-1]
        seen = np.tri(size, size, -1 if exclusive else 0, dtype=bool)
        top = np.where(np.isfinite(largest), largest, 0)[..., None]
        terms = np.exp(np.where(seen, np.expand_dims(moved, -2) - top, -np.inf))
        totals = np.sum(terms, axis=-1)
        none = unwrap(totals) == 0  # a sum of nothing but minus infinities has no slope
        sums = np.where(none, -np.inf, np.log(np.where(none, _number(value, 1), totals)) + top[..., 0])
        return np.moveaxis(np.flip(sums, -1) if reverse else sums, -1, axis).astype(dtype.dtype)

    return call_with("CumulativeLogsumexp", [(axis, as_axis)], running, (x,), name=name, shape=lambda _, s: s)


def _ordered(op_type: str, compare: Any, text: str) -> Callable[..., Any]:
    def tell(x: Any, name: str | None = None) -> Any:
        def steps(value: Any) -> Any:
            flat = array_of(value).reshape(-1)
            return np.all(compare(flat[1:], flat[:-1]))

        if dtype_of(x).name == "string":
            raise TypeError(f"{op_type}: x must hold numbers, got strings")
        return call(op_type, steps, (x,), name=name, shape=(), dtype="bool", differentiable=False)

    tell.__doc__ = text
    return tell


is_strictly_increasing = _ordered(
    "is_strictly_increasing", np.greater, "Tell whether each element is larger than the one before it."
)
is_non_decreasing = _ordered(
    "is_non_decreasing", np.greater_equal, "Tell whether no element is smaller than the one before it."
)

name_functions(__name__)
