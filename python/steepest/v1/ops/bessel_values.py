"""Values of Bessel functions of orders 0 and 1 in float64: of both kinds, and modified of the second kind.

Near 0 they are power series. Up to ``x = 25``, where such sums cancel, the first kind comes from its recurrence over
the orders run downwards (Miller's algorithm), and Neumann's series of all of them give the second kind (Abramowitz and
Stegun 9.1.88); beyond, Hankel's asymptotic series (9.2.5). The modified ones are integrals (9.6.24), for which the
trapezoidal rule is exact to the last digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["first_kind", "modified_second_kind", "second_kind"]

_FAR = 25.0
_HIGHEST = 80  # an order of which the functions are 0 where x <= _FAR
_LARGEST, _LEAST = np.finfo(np.float64).max, np.finfo(np.float64).tiny


def first_kind(order: int, value: Any) -> Any:
    """Return ``J(x)`` of order 0 or 1."""
    x = np.abs(value)
    near, (_, middle, far) = np.where(x <= 1, x, 0.0), _parts(x)
    result = np.where(x <= 1, (near / 2) ** order * _powers(order, near, -1)[0], _by_recurrence(middle)[order])
    result = np.where(x > _FAR, _asymptotic(order, far)[0], result)
    result = np.where(np.isinf(x), 0.0, np.where(np.isnan(x), x, result))
    return np.copysign(1, value) * result if order else result


def second_kind(order: int, x: Any) -> Any:
    """Return ``Y(x)`` of order 0 or 1; minus infinity below 0."""
    near, middle, far = _parts(x)
    powers = _with_logarithm(order, near, -1)
    result = np.where(x <= 1, 2 / np.pi * (powers - 1 / near if order else powers), _neumann(order, middle))
    result = np.where(x > _FAR, _asymptotic(order, far)[1], result)
    result = np.where(np.isinf(x), 0.0, np.where(np.isnan(x), x, result))
    return np.where(x <= 0, -np.inf, result)


def modified_second_kind(order: int, x: Any) -> Any:
    """Return ``K(x) * exp(x)`` of order 0 or 1; infinity below 0.

    It is the integral of ``exp(x - x cosh(t)) cosh(order t)`` over ``t > 0``.
    """
    near, far = _within(x, _LEAST, 1.0), np.where(x > 1, np.minimum(x, _LARGEST), 1.0)
    step = np.minimum(0.2, 0.7 / np.sqrt(far))  # far out the integrand is a narrow bell
    total = np.full_like(far, 0.5)
    for k in range(1, 26):
        t = k * step
        total = total + np.exp(-2 * far * np.sinh(t / 2) ** 2) * (np.cosh(t) if order else 1.0)
    powers = _with_logarithm(order, near, 1)
    result = np.where(x > 1, total * step, (1 / near + powers if order else -powers) * np.exp(near))
    result = np.where(np.isinf(x), 0.0, np.where(np.isnan(x), x, result))
    return np.where(x <= 0, np.inf, result)


def _parts(x: Any) -> tuple[Any, Any, Any]:
    """Return x where it is small, between, and large; elsewhere a number for which nothing is wrong."""
    return _within(x, _LEAST, 1.0), _within(x, 1.0, _FAR), _within(x, _FAR, _LARGEST)


def _within(x: Any, least: float, most: float) -> Any:
    return np.where((x >= least) & (x <= most), x, least)


def _powers(order: int, x: Any, sign: int) -> tuple[Any, Any]:
    """Return the sums of ``t = (sign x**2 / 4)**k / k! (k + order)!`` and of ``t * psi``, where ``x <= 1``.

    ``psi`` is the mean of the digamma function at ``k + 1`` and ``k + order + 1``.
    """
    plain, weighed = np.zeros_like(x), np.zeros_like(x)
    term, psi = np.ones_like(x), -np.euler_gamma
    for k in range(12):
        plain = plain + term
        weighed = weighed + term * (psi + order / (2 * (k + 1)))
        term = term * (sign * x * x / 4) / ((k + 1) * (k + 1 + order))
        psi += 1 / (k + 1)
    return plain, weighed


def _with_logarithm(order: int, x: Any, sign: int) -> Any:
    """Return what the second kinds have in common near 0 (Abramowitz and Stegun 9.1.11 and 9.6.11)."""
    plain, weighed = _powers(order, x, sign)
    return (x / 2) ** order * (np.log(x / 2) * plain - weighed)


def _by_recurrence(x: Any) -> tuple[Any, Any, Any, Any]:
    """Return J of orders 0 and 1, and Neumann's sums for Y of these orders, where ``1 <= x <= 25``."""
    above, value = np.zeros_like(x), np.full_like(x, 1e-280)
    first: list[Any] = [0.0, 0.0]
    norm, sums = np.zeros_like(x), [np.zeros_like(x), np.zeros_like(x)]
    for n in range(_HIGHEST, -1, -1):
        order, k = n % 2, n // 2
        if not order:
            norm = norm + (2 if n else 1) * value
        if n < 2:
            first[n] = value
        else:
            sums[order] = sums[order] + (-1) ** k * n / (k * (k + order)) * value
        above, value = value, 2 * n / x * value - above
        scale = np.where(np.abs(value) > 1e100, 1e-100, 1.0)
        above, value, norm, *sums = (each * scale for each in (above, value, norm, *sums))
        first = [each * scale for each in first]
    return first[0] / norm, first[1] / norm, sums[0] / norm, sums[1] / norm


def _neumann(order: int, x: Any) -> Any:
    """Return Y where ``1 <= x <= 25``."""
    zeroth, first, *sums = _by_recurrence(x)
    logarithm = np.log(x / 2) + np.euler_gamma
    if order:
        return 2 / np.pi * ((logarithm - 1) * first - zeroth / x - sums[1])
    return 2 / np.pi * (logarithm * zeroth - sums[0])


def _asymptotic(order: int, x: Any) -> tuple[Any, Any]:
    """Return J and Y where ``x >= 25``."""
    even, odd, term = np.ones_like(x), np.zeros_like(x), np.ones_like(x)
    for k in range(1, 31):
        term = term * (4 * order - (2 * k - 1) ** 2) / (8 * k * x)
        if k % 2:
            odd = odd + (-1) ** (k // 2) * term
        else:
            even = even + (-1) ** (k // 2) * term
    sine, cosine = np.sin(x), np.cos(x)  # of x itself: its difference to (2 order + 1) pi / 4 would be rounded
    along, across = (sine - cosine, -cosine - sine) if order else (cosine + sine, sine - cosine)
    width = np.sqrt(np.pi) * np.sqrt(x)
    return (along * even - across * odd) / width, (along * odd + across * even) / width
