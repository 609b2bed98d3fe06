"""References of the rules that follow the regularized leader, and of those of rows; see `reference.py`."""

from __future__ import annotations

import math

import numpy as np
from power import positive_power
from reference_core import Array, Hyper, Slots, mean_of_squares, powers, shrink


def ftrl(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    l2 = 2 * h["l2_regularization_strength"] + h["beta"] / h["learning_rate"]
    q = followed(h, -h["learning_rate_power"], w, g, slots, 2 * h["l2_shrinkage_regularization_strength"])
    w[...] = leader(shrink(slots["linear"], w.dtype.type(h["l1_regularization_strength"])), q, l2)


def ftrl_proximal(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    l2 = h["l2_regularization_strength"] + h["beta"] / h["learning_rate"]
    q = followed(h, 0.5, w, g, slots)
    w[...] = leader(shrink(slots["linear"], w.dtype.type(h["l1_regularization_strength"])), q, l2)


def group_ftrl(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    q = followed(h, -h["learning_rate_power"], w, g, slots)
    u = shrink(slots["linear"], w.dtype.type(h["l1_regularization_strength"]))
    w[...] = leader(u * kept(u, h), q, 2 * h["l2_regularization_strength"])


def followed(h: Hyper, p: float, w: Array, g: Array, slots: Slots, shrinkage: float = 0.0) -> Array:
    real, n, z = w.dtype.type, slots["accum"], slots["linear"]
    inverse = real(1 / h["learning_rate"])
    before = roots(n, p)
    n += g * g
    after = roots(n, p)
    z += (g + w * real(shrinkage)) - (after - before) * inverse * w
    return after * inverse


def roots(n: Array, p: float) -> Array:
    if p == 0 or p == 1:
        return n**p
    root = np.sqrt(n)
    return (
        {0.25: np.sqrt(root), 0.5: root, 0.75: root * np.sqrt(root)}[p] if p * 4 in (1, 2, 3) else positive_power(n, p)
    )


def leader(u: Array, q: Array, l2: float) -> Array:
    return (0 - u) / np.maximum(q + u.dtype.type(l2), np.finfo(u.dtype).tiny)


def kept(u: Array, h: Hyper) -> Array:
    real, rows = u.dtype.type, u.reshape((u.shape[0] if u.ndim else 1, -1)) if u.size else u.reshape((0, 1))
    size, l21 = np.sqrt(mean_of_squares(rows)).astype(u.dtype), real(h["l21_regularization_strength"])
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(size <= l21, real(0), real(1) - l21 / size)
    return factor.reshape(u.shape[:1] + (1,) * (u.ndim - 1)) if u.size else np.ones_like(u)


def group_adam(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, power1, power2 = w.dtype.type, powers(h["beta1"], t), powers(h["beta2"], t)
    scale = 1 / (math.sqrt(1 - power2) * h["learning_rate"])
    m, v, z, curvature = (slots[name] for name in ("m", "v", "linear", "curvature"))
    m += (g - m) * real(1 - h["beta1"])
    v += (g * g - v) * real(1 - h["beta2"])
    q = np.sqrt(v) * real(scale) + real(h["epsilon"] * scale)
    z += m * real(1 / (1 - power1)) - (q - curvature) * w
    curvature[...] = q
    u = shrink(z, real(h["l1_regularization_strength"]))
    w[...] = leader(u * kept(u, h), q, 2 * h["l2_regularization_strength"])


def rowwise_adam(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, m, v = w.dtype.type, slots["m"], slots["v"]
    m += (g - m) * real(1 - h["beta1"])
    if g.size:
        squares = mean_of_squares(g.reshape((v.size, -1))).astype(v.dtype).reshape(v.shape)
        v += (squares - v) * real(1 - h["beta2"])
        rate = real(h["learning_rate"] / (1 - powers(h["beta1"], t)))
        rates = rate / (np.sqrt(v * real(1 / (1 - powers(h["beta2"], t)))) + real(h["epsilon"]))
        w -= m * rates.reshape(v.shape + (1,) * (g.ndim - v.ndim))


def rowwise_rmsprop(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    real, rms = w.dtype.type, slots["rms"]
    if g.size:
        squares = mean_of_squares(g.reshape((rms.size, -1))).astype(rms.dtype).reshape(rms.shape)
        rms += (squares - rms) * real(1 - h["decay"])
        rates = real(h["learning_rate"]) / np.sqrt(rms + real(h["epsilon"]))
        w -= g * rates.reshape(rms.shape + (1,) * (g.ndim - rms.ndim))
