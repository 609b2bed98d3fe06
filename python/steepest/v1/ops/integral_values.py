"""Values of integrals that are functions of their own, in float64: Dawson's, Fresnel's, exponential, dilogarithm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["dawson", "dilogarithm", "exponential_integral", "fresnel"]

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)


def dawson(x: Any) -> Any:
    """Return ``exp(-x**2)`` times the integral of ``exp(t**2)`` over ``0 < t < x``.

    It is a sum of bells beside each other, whose error is ``exp(-(pi / (2 step))**2)``. Source: Rybicki, "Dawson's
    integral and the sampling theorem", Computers in Physics 3, 1989.
    """
    step = 0.2
    held = np.where(np.abs(x) < 1e8, x, 0.0)
    middle = 2 * np.round(held / (2 * step))  # even: the sum is over odd distances from 0
    total = np.zeros_like(held)
    for n in range(-33, 34, 2):
        total = total + np.exp(-((held - (middle + n) * step) ** 2)) / (middle + n)
    small = np.where(np.abs(held) < 0.1, held, 0.0)  # the bells on both sides cancel
    square, power, near = small * small, small, small
    for k in range(1, 9):
        power = power * (-2 * square / (2 * k + 1))
        near = near + power
    result = np.where(np.abs(held) < 0.1, near, total / math.sqrt(math.pi))
    return np.where(np.abs(x) < 1e8, result, 0.5 / np.where(np.abs(x) < 1e8, 1.0, x))


def exponential_integral(x: Any) -> Any:
    """Return the integral of ``exp(t) / t`` over ``t < x``, its principal value; NaN below 0."""
    near, far = np.where((x > 0) & (x <= 40), x, 1.0), np.where(x > 40, x, 41.0)
    term, total = near, near
    for k in range(2, 160):
        term = term * near / k
        total = total + term / k
    part, series = np.ones_like(far), np.ones_like(far)
    for k in range(1, 41):
        part = part * k / far
        series = series + part
    with np.errstate(over="ignore", invalid="ignore"):
        outside = np.where(np.isinf(far), np.inf, np.exp(far) * (series / far))
    result = np.where(x <= 40, np.euler_gamma + np.log(near) + total, outside)
    return np.where((x < 0) | np.isnan(x), np.nan, np.where(x == 0, -np.inf, result))


def fresnel(value: Any) -> tuple[Any, Any]:
    """Return the integrals of ``sin(pi t**2 / 2)`` and ``cos(pi t**2 / 2)`` over ``0 < t < x``.

    Near 0 they are power series. Beyond, what they differ by from 1/2 has integrals that do not oscillate as amplitudes
    (Abramowitz and Stegun 7.3.5, 7.3.6, with ``u**2`` for t), for which the trapezoidal rule is exact to the last
    digits.
    """
    x = np.abs(value)
    near = np.where(x <= 1.5, x, 0.0)
    angle = np.pi / 2 * near * near
    sine, cosine, term = np.zeros_like(near), np.zeros_like(near), near
    for k in range(34):
        if k % 2:
            sine = sine + (-1) ** (k // 2) * term / (2 * k + 1)
        else:
            cosine = cosine + (-1) ** (k // 2) * term / (2 * k + 1)
        term = term * angle / (k + 1)
    far = np.where((x > 1.5) & (x < 1e150), x, 2.0)
    step = np.minimum(0.11, 0.4 / far)
    first, second = np.full_like(far, 0.5), np.zeros_like(far)
    for k in range(1, 34):
        square = (k * step) ** 2
        weight = np.exp(-np.pi / 2 * (far * k * step) ** 2) / (1 + square * square)
        first, second = first + weight, second + weight * square
    first, second = first * step * math.sqrt(2) / np.pi, second * step * math.sqrt(2) / np.pi
    turn = np.fmod(far * far, 4) * (np.pi / 2)
    sine = np.where(x > 1.5, 0.5 - first * np.cos(turn) - second * np.sin(turn), sine)
    cosine = np.where(x > 1.5, 0.5 + first * np.sin(turn) - second * np.cos(turn), cosine)
    both = [np.where(x >= 1e150, 0.5, np.where(np.isnan(x), x, each)) for each in (sine, cosine)]
    return np.copysign(both[0], value), np.copysign(both[1], value)


def dilogarithm(x: Any) -> Any:
    """Return the integral of ``log(t) / (1 - t)`` over ``1 < t < x``, Spence's function; NaN below 0.

    It is a series of Bernoulli's numbers in ``log(x)``, to which x is moved by its reflections (Abramowitz and Stegun
    27.7.3, 27.7.5).
    """
    held = np.where((x >= 0) & np.isfinite(x), x, 1.0)
    large = held > 2
    above = np.where(large, held, 1.0)
    inner = np.where(large, 1 / above, held)
    mirrored = inner < 0.5
    total = _of_logarithm(-np.log(np.where(mirrored, 1 - inner, inner)))
    within = np.where(mirrored & (inner > 0), inner, 1e-300)  # the product of both logarithms is 0 at 0
    total = np.where(mirrored, np.pi**2 / 6 - np.log(within) * np.log1p(-within) - total, total)
    total = np.where(large, -(np.log(above) ** 2) / 2 - total, total)
    return np.where((x < 0) | np.isnan(x), np.nan, np.where(np.isposinf(x), -np.inf, total))


def _of_logarithm(power: Any) -> Any:
    """Return the sum of ``B(n) u**(n + 1) / (n + 1)!``, where ``|u| <= log(2)``."""
    total, each = power - power * power / 4, power * power / 2
    for n, number in enumerate(_BERNOULLI, 1):
        each = each * power / (2 * n + 1)
        total = total + number * each
        each = each * power / (2 * n + 2)
    return total
