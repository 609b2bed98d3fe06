"""Rules with a slip that is easily made; comparisons with the right ones must fail."""

from __future__ import annotations

import numpy as np
import reference
from reference import Hyper, Slots, powers

Array = np.ndarray


def sgd_ascends(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    w += g * w.dtype.type(h["learning_rate"])


def momentum_with_rate_inside(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    a = slots["momentum"]
    a[...] = a * a.dtype.type(h["momentum"]) + g * a.dtype.type(h["learning_rate"])
    w -= a


def momentum_plain(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.momentum({**h, "use_nesterov": not h["use_nesterov"]}, t, w, g, slots)


def adagrad_with_epsilon(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    a = slots["accumulator"]
    a += g * g
    w -= g * w.dtype.type(h["learning_rate"]) / (np.sqrt(a) + w.dtype.type(1e-7))


def adagrad_before_the_gradient(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    w -= g * w.dtype.type(h["learning_rate"]) / np.sqrt(slots["accumulator"])
    slots["accumulator"] += g * g


def decay_one_step_late(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.adagrad_decay(h, t - 1, w, g, slots)


def decay_without_floor(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.adagrad_decay({**h, "initial_accumulator_value": 0.0}, t, w, g, slots)


def decay_every_period_at_once(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    for _ in range(2):
        reference.adagrad_decay({**h, "learning_rate": 0.0}, t, w, g * 0, slots)
    reference.adagrad_decay({**h, "accumulator_decay_step": 10**9}, t, w, g, slots)
    slots["accumulator"] *= slots["accumulator"].dtype.type(1.0001)


def rowwise_with_epsilon_inside(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    a, epsilon = slots["accumulator"], w.dtype.type(h["epsilon"])
    reference.rowwise_adagrad({**h, "learning_rate": 0.0}, t, w, g, slots)
    w -= g * (w.dtype.type(h["learning_rate"]) / np.sqrt(a + epsilon**2))


def rowwise_divided_last(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.rowwise_adagrad({**h, "learning_rate": 0.0}, t, w, g, slots)
    w -= g * w.dtype.type(h["learning_rate"]) / (np.sqrt(slots["accumulator"]) + w.dtype.type(h["epsilon"]))


def adam_without_epsilon(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.adam({**h, "epsilon": 0.0}, t, w, g, slots)


def adam_with_swapped_betas(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.adam({**h, "beta1": h["beta2"], "beta2": h["beta1"]}, t, w, g, slots)


def adam_one_step_ahead(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.adam(h, t + 1, w, g, slots)


def adam_with_epsilon_inside(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    alpha = w.dtype.type(h["learning_rate"] * np.sqrt(1 - powers(h["beta2"], t)) / (1 - powers(h["beta1"], t)))
    m, v = slots["m"], slots["v"]
    m += (g - m) * m.dtype.type(1 - h["beta1"])
    v += (g * g - v) * v.dtype.type(1 - h["beta2"])
    w -= m * alpha / np.sqrt(v + w.dtype.type(h["epsilon"]) ** 2)


def adam_in_another_order(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    alpha = w.dtype.type(h["learning_rate"] * np.sqrt(1 - powers(h["beta2"], t)) / (1 - powers(h["beta1"], t)))
    m, v = slots["m"], slots["v"]
    m[...] = m * m.dtype.type(h["beta1"]) + g * m.dtype.type(1 - h["beta1"])
    v[...] = v * v.dtype.type(h["beta2"]) + g * g * v.dtype.type(1 - h["beta2"])
    w -= m * alpha / (np.sqrt(v) + w.dtype.type(h["epsilon"]))


def ada_max_with_epsilon_in_the_maximum(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.ada_max({**h, "learning_rate": 0.0}, t, w, g, slots)
    slots["v"] += w.dtype.type(h["epsilon"])
    w -= slots["m"] * w.dtype.type(h["learning_rate"] / (1 - powers(h["beta1"], t))) / slots["v"]


def adam_plain(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.adam(h, t, w, g, slots)


def nadam_with_the_momentum_of_before(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    before, m = w.copy(), slots["m"].copy()
    reference.nadam(h, t, w, g, slots)
    w[...] = before
    reference.nadam(h, t, w, g, {"m": m, "v": slots["v"].copy()})


def amsgrad_after_the_bias_correction(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    slots["vhat"] /= w.dtype.type(1 - powers(h["beta2"], t))
    reference.amsgrad(h, t, w, g, slots)


def add_sign_of_the_momentum_alone(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.add_sign(h, t, w, np.abs(g) * np.sign(slots["m"] + g), slots)


def power_sign_without_decay(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.power_sign({**h, "base": h["base"] ** (1 / reference.SIGN_DECAY)}, t, w, g, slots)


def lars_without_epsilon(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.lars({**h, "epsilon": 0.0}, t, w, g, slots)


def lars_that_decays(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.lars(h, t, w, g + w * w.dtype.type(h["weight_decay"]), slots)


def lion_with_swapped_betas(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.lion({**h, "beta1": h["beta2"], "beta2": h["beta1"]}, t, w, g, slots)


def lion_after_its_momentum(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    before = w.copy()
    reference.lion(h, t, w, g, slots)
    w[...] = before
    reference.lion(h, t, w, g, {"m": slots["m"].copy()})


def lion_with_decay_of_its_own(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    w -= w * w.dtype.type(h["weight_decay"])
    reference.lion({**h, "weight_decay": 0.0}, t, w, g, slots)


def radam_never_rectified(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    before, m = w.copy(), slots["m"]
    reference.radam(h, t, w, g, slots)
    w[...] = before - m * w.dtype.type(h["learning_rate"] / (1 - reference.squared_power(h["beta1"], t + 1)))


def adan_from_zero(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    slots["previous_gradient"][...] = np.nan_to_num(slots["previous_gradient"])
    reference.adan(h, t, w, g, slots)


def adan_with_betas_as_in_the_paper(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.adan({**h, "beta2": 1 - h["beta2"]}, t, w, g, slots)


def adan_without_decay(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.adan({**h, "weight_decay": 0.0}, t, w, g, slots)


def lamb_without_bias_correction(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.lamb(h, 10**6, w, g, slots)


def lamb_with_decay_outside(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    w -= w * w.dtype.type(h["weight_decay"] * h["learning_rate"])
    reference.lamb({**h, "weight_decay": 0.0}, t, w, g, slots)


def ftrl_with_l2_once(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.ftrl({**h, "l2_regularization_strength": h["l2_regularization_strength"] / 2}, t, w, g, slots)


def ftrl_with_shrinkage_in_the_accumulator(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    shrunk = g + w * w.dtype.type(2 * h["l2_shrinkage_regularization_strength"])
    reference.ftrl({**h, "l2_shrinkage_regularization_strength": 0.0}, t, w, shrunk, slots)


def ftrl_without_beta(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.ftrl({**h, "beta": 0.0}, t, w, g, slots)


def ftrl_with_the_usual_root(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.ftrl({**h, "learning_rate_power": -0.5}, t, w, g, slots)


def ftrl_proximal_with_l2_twice(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.ftrl_proximal({**h, "l2_regularization_strength": 2 * h["l2_regularization_strength"]}, t, w, g, slots)


def group_ftrl_without_the_elements_lasso(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.group_ftrl({**h, "l1_regularization_strength": 0.0}, t, w, g, slots)


def group_ftrl_without_the_rows_lasso(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.group_ftrl({**h, "l21_regularization_strength": 0.0}, t, w, g, slots)


def group_adam_without_epsilon(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.group_adam({**h, "epsilon": 0.0}, t, w, g, slots)


def group_adam_without_the_rows_lasso(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.group_adam({**h, "l21_regularization_strength": 0.0}, t, w, g, slots)


def rowwise_adam_with_epsilon_outside(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.rowwise_adam({**h, "epsilon": h["epsilon"] / np.sqrt(1 - powers(h["beta2"], t))}, t, w, g, slots)


def rowwise_rmsprop_with_epsilon_outside(h: Hyper, t: int, w: Array, g: Array, slots: Slots) -> None:
    reference.rowwise_rmsprop({**h, "learning_rate": 0.0}, t, w, g, slots)
    w -= g * (w.dtype.type(h["learning_rate"]) / (np.sqrt(slots["rms"]) + w.dtype.type(h["epsilon"])))


# Slips that are easily made in one rule; twins_of adds those that can be made in any.
WRONG = {
    "sgd": [sgd_ascends],
    "momentum": [momentum_with_rate_inside, momentum_plain],
    "nesterov": [momentum_plain],
    "adagrad": [adagrad_with_epsilon, adagrad_before_the_gradient],
    "adagrad_decay": [decay_one_step_late, decay_without_floor, decay_every_period_at_once],
    "rowwise_adagrad": [rowwise_with_epsilon_inside, rowwise_divided_last],
    "adam": [
        adam_without_epsilon,
        adam_with_swapped_betas,
        adam_one_step_ahead,
        adam_with_epsilon_inside,
        adam_in_another_order,
    ],
    "lazy_adam": [adam_without_epsilon],
    "ada_max": [ada_max_with_epsilon_in_the_maximum],
    "nadam": [adam_plain, nadam_with_the_momentum_of_before],
    "amsgrad": [adam_plain, amsgrad_after_the_bias_correction],
    "add_sign": [add_sign_of_the_momentum_alone],
    "power_sign": [power_sign_without_decay],
    "lars": [lars_without_epsilon, lars_that_decays],
    "lion": [lion_with_swapped_betas, lion_after_its_momentum, lion_with_decay_of_its_own],
    "radam": [adam_plain, radam_never_rectified],
    "adan": [adan_from_zero, adan_with_betas_as_in_the_paper, adan_without_decay],
    "lamb": [lamb_without_bias_correction, lamb_with_decay_outside],
    "adam_async": [adam_one_step_ahead],
    "ftrl": [ftrl_with_l2_once, ftrl_with_shrinkage_in_the_accumulator, ftrl_without_beta, ftrl_with_the_usual_root],
    "ftrl_power": [ftrl_with_the_usual_root],
    "ftrl_proximal": [ftrl_proximal_with_l2_twice],
    "group_ftrl": [group_ftrl_without_the_elements_lasso, group_ftrl_without_the_rows_lasso],
    "group_adam": [group_adam_without_epsilon, group_adam_without_the_rows_lasso],
    "rowwise_adam": [rowwise_adam_with_epsilon_outside],
    "rowwise_rmsprop": [rowwise_rmsprop_with_epsilon_outside],
}
