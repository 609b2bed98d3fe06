"""References of tf.train's rules and of averages, and what all references share; see `reference.py`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Hyper = dict[str, float]
Slots = dict[str, Array]


def sgd(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    w -= g * w.dtype.type(h["learning_rate"])


def momentum(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    lr, mu = w.dtype.type(h["learning_rate"]), w.dtype.type(h["momentum"])
    a = slots["momentum"]
    a[...] = a * mu + g
    w -= g * lr + a * mu * lr if h["use_nesterov"] else a * lr


def adagrad(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    a = slots["accumulator"]
    a += g * g
    w -= g * w.dtype.type(h["learning_rate"]) / np.sqrt(a)


def adagrad_decay(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    a, decays = slots["accumulator"], slots["accumulator_decay_power"]
    rows = a.reshape((decays.size, -1)) if decays.size else a  # one counter for each row
    due = (t + 1) // int(h["accumulator_decay_step"]) > decays.reshape(-1)
    floor, rate = a.dtype.type(h["initial_accumulator_value"]), a.dtype.type(h["accumulator_decay_rate"])
    rows[due] = np.maximum(rows[due] * rate, floor)
    decays.reshape(-1)[due] += 1
    adagrad(h, t, w, g, slots)


def rowwise_adagrad(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    a, rate, epsilon = slots["accumulator"], w.dtype.type(h["learning_rate"]), w.dtype.type(h["epsilon"])
    if g.size:
        a += mean_of_squares(g.reshape((a.size, -1))).astype(a.dtype).reshape(a.shape)
        w -= g * (rate / (np.sqrt(a) + epsilon)).reshape(a.shape + (1,) * (g.ndim - a.ndim))


def mean_of_squares(rows: Array) -> Array:
    """The mean of each row's squares: column c goes to lane c % 8; lanes in ascending order, then a tree over them."""
    columns = rows.astype(np.result_type(rows, np.float64)).T ** 2
    lanes = [sum(columns[k::8], np.zeros(len(rows))) for k in range(8)]
    return (((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))) / len(
        columns
    )


def adam(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    power1, power2 = powers(h["beta1"], t), powers(h["beta2"], t)
    alpha = w.dtype.type(h["learning_rate"] * math.sqrt(1 - power2) / (1 - power1))
    m, v = slots["m"], slots["v"]
    m += (g - m) * m.dtype.type(1 - h["beta1"])
    v += (g * g - v) * v.dtype.type(1 - h["beta2"])
    w -= m * alpha / (np.sqrt(v) + w.dtype.type(h["epsilon"]))


def powers(beta: float, t: int) -> float:
    """beta to the power t + 1, by the multiplications that the optimizer makes."""
    power = beta
    for _ in range(t):
        power *= beta
    return power


CHUNK = 256  # occurrences of a row that are summed before they are added to the rest


def summed(values: Array, ids: Array) -> tuple[Array, Array]:
    """Unique rows, ascending, and their sums in batch order, in chunks: the rule that the README states."""
    rows = np.unique(ids)
    sums = np.empty((len(rows), *values.shape[1:]), values.dtype)
    for k, row in enumerate(rows):
        occurrences = values[ids == row]
        chunks = []
        for begin in range(0, len(occurrences), CHUNK):
            total = occurrences[begin].copy()
            for value in occurrences[begin + 1 : begin + CHUNK]:
                total += value
            chunks.append(total)
        total = chunks[0]
        for chunk in chunks[1:]:
            total = total + chunk
        sums[k] = total
    return rows, sums


def rmsprop(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    rms, rate = slots["rms"], w.dtype.type(1 - h["decay"])
    rms += (g * g - rms) * rate
    divided_by_root(h, w, g, slots, rms)


def centered_rmsprop(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    rms, mg, rate = slots["rms"], slots["mg"], w.dtype.type(1 - h["decay"])
    rms += (g * g - rms) * rate
    mg += (g - mg) * rate
    divided_by_root(h, w, g, slots, rms - mg * mg)


def divided_by_root(h: Hyper, w: Array, g: Array, slots: Slots, squares: Array) -> None:
    real, m = w.dtype.type, slots["momentum"]
    m[...] = m * real(h["momentum"]) + g * real(h["learning_rate"]) / np.sqrt(squares + real(h["epsilon"]))
    w -= m


def adadelta(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, a, d = w.dtype.type, slots["accum"], slots["accum_update"]
    rho, rate, epsilon = real(h["rho"]), real(1 - h["rho"]), real(h["epsilon"])
    a[...] = a * rho + g * g * rate
    u = g * (np.sqrt(d + epsilon) / np.sqrt(a + epsilon))
    d[...] = d * rho + u * u * rate
    w -= u * real(h["learning_rate"])


def shrink(u: Array, threshold: Any) -> Array:
    return u - np.clip(u, -threshold, threshold)


def proximal_gradient_descent(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, rate = w.dtype.type, h["learning_rate"]
    l1, l2 = h["l1_regularization_strength"], h["l2_regularization_strength"]
    w[...] = shrink(w - g * real(rate), real(rate * l1)) / real(1 + rate * l2)


def proximal_adagrad(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, a = w.dtype.type, slots["accumulator"]
    l1, l2 = real(h["l1_regularization_strength"]), real(h["l2_regularization_strength"])
    a += g * g
    rate = real(h["learning_rate"]) / np.sqrt(a)
    w[...] = shrink(w - g * rate, rate * l1) / (rate * l2 + real(1))


def adagrad_da(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, total, squares = w.dtype.type, slots["gradient_accumulator"], slots["gradient_squared_accumulator"]
    l1, l2, rate = h["l1_regularization_strength"], h["l2_regularization_strength"], h["learning_rate"]
    total += g
    squares += g * g
    divisor = np.sqrt(squares) + real(l2 * (t + 1) * rate)
    w[...] = shrink(total, real(l1 * (t + 1))) * real(-rate) / divisor


def moving_average(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    w += (g - w) * w.dtype.type(h["learning_rate"])


def schedule_free(h: Hyper, t: int, beta: float, w: Array, u: Array, z: Array) -> None:
    real, weight, weights = w.dtype.type, h["learning_rate"] * h["learning_rate"], 0.0
    for _ in range(t):
        weights += weight
    c = weight / (weights + weight)
    w += (z - w) * real(c) + u * real(h["learning_rate"] * (beta * (1 - c) - 1))
    z -= u * real(h["learning_rate"])


def schedule_free_sgd(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    schedule_free(h, t, h["beta"], w, g + w * w.dtype.type(h["weight_decay"]), slots["z"])


def schedule_free_adamw(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, v = w.dtype.type, slots["v"]
    v += (g * g - v) * real(1 - h["beta2"])
    u = g / (np.sqrt(v / real(1 - powers(h["beta2"], t))) + real(h["epsilon"])) + w * real(h["weight_decay"])
    schedule_free(h, t, h["beta1"], w, u, slots["z"])
