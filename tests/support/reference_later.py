"""References of tf.contrib.opt's rules and of later ones; see `reference.py`."""

from __future__ import annotations

import math

import numpy as np
from reference_core import Array, Hyper, Slots, powers


def ada_max(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m, v = w.dtype.type, slots["m"], slots["v"]
    m += (g - m) * real(1 - h["beta1"])
    v[...] = np.maximum(v * real(h["beta2"]), np.abs(g))
    w -= m * real(h["learning_rate"] / (1 - powers(h["beta1"], t))) / (v + real(h["epsilon"]))


def nadam(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m, v = w.dtype.type, slots["m"], slots["v"]
    alpha = h["learning_rate"] * math.sqrt(1 - powers(h["beta2"], t)) / (1 - powers(h["beta1"], t))
    m += (g - m) * real(1 - h["beta1"])
    v += (g * g - v) * real(1 - h["beta2"])
    ahead = g * real(1 - h["beta1"]) + m * real(h["beta1"])
    w -= ahead * real(alpha) / (np.sqrt(v) + real(h["epsilon"]))


def amsgrad(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m, v, largest = w.dtype.type, slots["m"], slots["v"], slots["vhat"]
    alpha = h["learning_rate"] * math.sqrt(1 - powers(h["beta2"], t)) / (1 - powers(h["beta1"], t))
    m += (g - m) * real(1 - h["beta1"])
    v += (g * g - v) * real(1 - h["beta2"])
    largest[...] = np.maximum(largest, v)
    w -= m * real(alpha) / (np.sqrt(largest) + real(h["epsilon"]))


SIGN_DECAY = 0.75


def add_sign(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m = w.dtype.type, slots["m"]
    m[...] = m * real(h["beta"]) + g * real(1 - h["beta"])
    agrees = np.sign(g) * np.sign(m)
    w -= g * ((agrees * real(SIGN_DECAY) + real(h["alpha"])) * real(h["learning_rate"]))


def power_sign(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m, exponent = w.dtype.type, slots["m"], log_of(h["base"]) * SIGN_DECAY
    rate = h["learning_rate"]
    m[...] = m * real(h["beta"]) + g * real(1 - h["beta"])
    agrees = np.sign(g) * np.sign(m)
    against, along = real(rate * exp_of(-exponent)), real(rate * exp_of(exponent))
    w -= g * np.where(agrees > 0, along, np.where(agrees < 0, against, real(rate) + agrees))


def log_of(x: float) -> float:
    """The logarithm, in the order of the native operations."""
    m, exponent = math.frexp(x)
    if m < math.sqrt(2) / 2:
        m, exponent = m * 2, exponent - 1
    s = (m - 1) / (m + 1)
    series = 0.0
    for k in range(27, 0, -2):
        series = series * (s * s) + 1 / k
    return exponent * math.log(2) + 2 * s * series


def exp_of(x: float) -> float:
    """The exponential, in the order of the native operations."""
    n = math.floor(x / math.log(2) + 0.5)
    r = (x - n * float.fromhex("0x1.62e42feep-1")) - n * float.fromhex("0x1.a39ef35793c76p-33")
    series = 1.0
    for k in range(18, 0, -1):
        series = series * r / k + 1
    return math.ldexp(series, n)


def norm_of(x: Array) -> float:
    """The root of the sum of squares: chunks of 4096 elements in order, each in eight lanes and a tree over them."""
    flat = x.reshape(-1).astype(np.result_type(x, np.float64))
    total = flat.dtype.type(0)
    for begin in range(0, flat.size, 4096):
        chunk = flat[begin : begin + 4096]
        lanes = [np.add.accumulate(np.append(0, chunk[k::8] ** 2))[-1] for k in range(8)]
        total += ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
    return np.sqrt(total)


def lars(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, a, size, slope = w.dtype.type, slots["momentum"], norm_of(w), norm_of(g)
    ratio = h["eeta"] * size / (slope + h["weight_decay"] * size + h["epsilon"]) if size > 0 and slope > 0 else 1
    rate, mu = real(h["learning_rate"]) * real(ratio), real(h["momentum"])
    a[...] = a * mu + g
    w -= g * rate + a * mu * rate if h["use_nesterov"] else a * rate


def lion(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m = w.dtype.type, slots["m"]
    direction = np.sign(m * real(h["beta1"]) + g * real(1 - h["beta1"]))
    w -= (direction + w * real(h["weight_decay"])) * real(h["learning_rate"])
    m[...] = m * real(h["beta2"]) + g * real(1 - h["beta2"])


def radam(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m, v = w.dtype.type, slots["m"], slots["v"]
    power2, n = squared_power(h["beta2"], t + 1), 2 / (1 - h["beta2"]) - 1
    r = n - 2 * (t + 1) * power2 / (1 - power2)
    alpha = h["learning_rate"] / (1 - squared_power(h["beta1"], t + 1))
    m += (g - m) * real(1 - h["beta1"])
    v += (g * g - v) * real(1 - h["beta2"])
    if r > 5:
        alpha *= math.sqrt((1 - power2) * (r - 4) * (r - 2) * n / ((n - 4) * (n - 2) * r))
        w -= m * real(alpha) / (np.sqrt(v) + real(h["epsilon"]))
    else:
        w -= m * real(alpha)


def squared_power(beta: float, t: int) -> float:
    """beta to the power t by squaring."""
    result = 1.0
    while t:
        if t & 1:
            result *= beta
        beta, t = beta * beta, t >> 1
    return result


def adan(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m, v, n, previous = w.dtype.type, slots["m"], slots["v"], slots["n"], slots["previous_gradient"]
    corrected = [1 - squared_power(h[f"beta{k}"], t + 1) for k in (1, 2, 3)]
    d = g - np.where(np.isnan(previous), g, previous)
    u = g + d * real(h["beta2"])
    previous[...] = g
    m += (g - m) * real(1 - h["beta1"])
    v += (d - v) * real(1 - h["beta2"])
    n += (u * u - n) * real(1 - h["beta3"])
    rates = real(h["learning_rate"] / corrected[0]), real(h["learning_rate"] * h["beta2"] / corrected[1])
    step = (m * rates[0] + v * rates[1]) / (np.sqrt(n) * real(1 / math.sqrt(corrected[2])) + real(h["epsilon"]))
    w[...] = (w - step) * real(1 / (1 + h["learning_rate"] * h["weight_decay"]))


def lamb(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m, v = w.dtype.type, slots["m"], slots["v"]
    mean, root = 1 / (1 - squared_power(h["beta1"], t + 1)), 1 / math.sqrt(1 - squared_power(h["beta2"], t + 1))
    m += (g - m) * real(1 - h["beta1"])
    v += (g * g - v) * real(1 - h["beta2"])
    u = m * real(mean) / (np.sqrt(v) * real(root) + real(h["epsilon"])) + w * real(h["weight_decay"])
    ratio = norm_of(w) / norm_of(u) if norm_of(w) > 0 and norm_of(u) > 0 else 1
    w -= u * (real(h["learning_rate"]) * real(ratio))
