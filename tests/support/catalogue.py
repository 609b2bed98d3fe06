"""One row for each rule. A rule that is missing here, in C++, in Python or in reference.py fails test_catalogue.py."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from ml_dtypes import bfloat16
from reference import SIGN_DECAY

import steepest as st
from steepest.optim.hyperparameters import SCHEMA
from steepest.optim.moving_average import MovingAverage

DTYPES = [np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.float16), np.dtype(bfloat16)]


@dataclass
class Row:
    """A rule, its class, hyper-parameters that are not the defaults, and what its slots start at."""

    rule: str
    optimizer: type[st.Optimizer]
    hyper: dict[str, float]
    slots: dict[str, float] = field(default_factory=dict)
    row_slots: dict[str, float] = field(default_factory=dict)
    row_counters: tuple[str, ...] = ()
    parameter_slots: tuple[str, ...] = ()  # of one number for each parameter, which the formula does without
    every_row: bool = False
    options: dict[str, Any] = field(default_factory=dict)  # what chooses the rule, where a class has several
    cancels: float = 1.0  # how much larger than the parameter is what a step adds to it and takes away again
    moves_left_out: bool = True  # whether a rule that visits every row also moves those that a batch leaves out
    whole: bool = False  # whether an element's step depends on the whole parameter, by its norm
    sparse_rule: str = ""  # the reference of sparse updates, where it is another
    from_parameter: tuple[str, ...] = ()  # slots that start at the parameter's own values instead
    id: str = ""

    @property
    def needs_rows(self) -> bool:
        """Whether a scalar is refused."""
        return bool(SCHEMA[self.rule].get("needs_rows"))

    def make(self, **more: Any) -> st.Optimizer:
        return self.optimizer(**self.hyper, **self.options, **more)

    def new_slots(self, w: np.ndarray, dtype: Any) -> dict[str, np.ndarray]:
        """Fresh slots for the reference."""
        out = {name: np.full(w.shape, value, dtype) for name, value in self.slots.items()}
        out.update({name: w.astype(dtype) for name in self.from_parameter})
        out.update({name: np.full(w.shape[:1], value, dtype) for name, value in self.row_slots.items()})
        out.update({name: np.zeros(w.shape[:1], np.int64) for name in self.row_counters})
        return out


_ADAM = {"learning_rate": 0.05, "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-3}
_MOMENTUM = {"learning_rate": 0.1, "momentum": 0.7}
_DECAY = {
    "learning_rate": 0.2,
    "initial_accumulator_value": 0.3,
    "accumulator_decay_step": 2,
    "accumulator_decay_rate": 0.6,
}

_RMSPROP = {"learning_rate": 0.05, "decay": 0.7, "momentum": 0.4, "epsilon": 1e-2}
_L1L2 = {"l1_regularization_strength": 0.15, "l2_regularization_strength": 0.2}
_FTRL = {"learning_rate": 0.3, "learning_rate_power": -0.75, "initial_accumulator_value": 0.3, **_L1L2}
_SHRINKAGE = {"l2_shrinkage_regularization_strength": 0.1, "beta": 0.4}
_ACCUM_LINEAR = {"accum": 0.3, "linear": 0.0}

_LARS = {"learning_rate": 0.7, "momentum": 0.6, "weight_decay": 0.2, "eeta": 0.3, "epsilon": 0.05}


def sign_decay(global_step: Any) -> float:
    return SIGN_DECAY


ROWS = [
    Row("sgd", st.GradientDescentOptimizer, {"learning_rate": 0.3}),
    Row("momentum", st.MomentumOptimizer, {**_MOMENTUM, "use_nesterov": False}, {"momentum": 0.0}),
    Row("momentum", st.MomentumOptimizer, {**_MOMENTUM, "use_nesterov": True}, {"momentum": 0.0}, id="nesterov"),
    Row(
        "adagrad",
        st.AdagradOptimizer,
        {"learning_rate": 0.2, "initial_accumulator_value": 0.3},
        {"accumulator": 0.3},
    ),
    Row(
        "adagrad_decay",
        st.AdagradDecayOptimizer,
        {**_DECAY, "catch_up": False},
        {"accumulator": 0.3},
        row_counters=("accumulator_decay_power",),
    ),
    Row(
        "rowwise_adagrad",
        st.RowWiseAdagradOptimizer,
        {"learning_rate": 0.2, "initial_accumulator_value": 0.3, "epsilon": 1e-3},
        row_slots={"accumulator": 0.3},
    ),
    Row("adam", st.AdamOptimizer, _ADAM, {"m": 0.0, "v": 0.0}, every_row=True),
    Row("lazy_adam", st.LazyAdamOptimizer, _ADAM, {"m": 0.0, "v": 0.0}),
    Row(
        "lazy_adam",
        st.AdamAsyncOptimizer,
        _ADAM,
        {"m": 0.0, "v": 0.0},
        parameter_slots=("beta1_power", "beta2_power"),
        id="adam_async",
    ),
    Row("rmsprop", st.RMSPropOptimizer, _RMSPROP, {"rms": 1.0, "momentum": 0.0}),
    Row(
        "centered_rmsprop",
        st.RMSPropOptimizer,
        _RMSPROP,
        {"rms": 1.0, "mg": 0.0, "momentum": 0.0},
        options={"centered": True},
    ),
    Row(
        "adadelta",
        st.AdadeltaOptimizer,
        {"learning_rate": 0.7, "rho": 0.8, "epsilon": 1e-2},
        {"accum": 0.0, "accum_update": 0.0},
    ),
    Row("proximal_gradient_descent", st.ProximalGradientDescentOptimizer, {"learning_rate": 0.3, **_L1L2}),
    Row(
        "proximal_adagrad",
        st.ProximalAdagradOptimizer,
        {"learning_rate": 0.3, "initial_accumulator_value": 0.3, **_L1L2},
        {"accumulator": 0.3},
        cancels=2.0,
    ),
    Row(
        "adagrad_da",
        st.AdagradDAOptimizer,
        {"learning_rate": 0.3, "initial_gradient_squared_accumulator_value": 0.3, **_L1L2},
        {"gradient_accumulator": 0.0, "gradient_squared_accumulator": 0.3},
    ),
    Row("moving_average", MovingAverage, {"learning_rate": 0.3}),
    Row(
        "schedule_free_sgd",
        st.ScheduleFreeSGD,
        {"learning_rate": 0.2, "beta": 0.8, "weight_decay": 0.1},
        {"z": 0.0},
        from_parameter=("z",),
        every_row=True,
    ),
    Row(
        "schedule_free_adamw",
        st.ScheduleFreeAdamW,
        {"learning_rate": 0.05, "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-3, "weight_decay": 0.1},
        {"z": 0.0, "v": 0.0},
        from_parameter=("z",),
        every_row=True,
    ),
    Row("ada_max", st.AdaMaxOptimizer, _ADAM, {"m": 0.0, "v": 0.0}),
    Row("nadam", st.NadamOptimizer, _ADAM, {"m": 0.0, "v": 0.0}, every_row=True, moves_left_out=False),
    Row(
        "nadam",
        st.AdamOptimizer,
        _ADAM,
        {"m": 0.0, "v": 0.0},
        every_row=True,
        moves_left_out=False,
        options={"use_nesterov": True},
        id="nesterov_adam",
    ),
    Row(
        "amsgrad",
        st.AdamOptimizer,
        _ADAM,
        {"m": 0.0, "v": 0.0, "vhat": 0.0},
        every_row=True,
        options={"amsgrad": True},
    ),
    Row(
        "add_sign",
        st.AddSignOptimizer,
        {"learning_rate": 0.2, "alpha": 0.6, "beta": 0.7},
        {"m": 0.0},
        every_row=True,
        moves_left_out=False,
        options={"sign_decay_fn": sign_decay},
    ),
    Row(
        "power_sign",
        st.PowerSignOptimizer,
        {"learning_rate": 0.2, "base": 3.0, "beta": 0.7},
        {"m": 0.0},
        every_row=True,
        moves_left_out=False,
        options={"sign_decay_fn": sign_decay},
    ),
    Row(
        "lars",
        st.LARSOptimizer,
        {**_LARS, "use_nesterov": False},
        {"momentum": 0.0},
        whole=True,
        sparse_rule="momentum",
    ),
    Row(
        "lars",
        st.LARSOptimizer,
        {**_LARS, "use_nesterov": True},
        {"momentum": 0.0},
        whole=True,
        sparse_rule="momentum",
        id="nesterov_lars",
    ),
    Row("lion", st.LionOptimizer, {"learning_rate": 0.05, "beta1": 0.8, "beta2": 0.7, "weight_decay": 0.1}, {"m": 0.0}),
    Row("radam", st.RAdamOptimizer, {**_ADAM, "beta2": 0.97}, {"m": 0.0, "v": 0.0}),
    Row(
        "adan",
        st.AdanOptimizer,
        {"learning_rate": 0.05, "beta1": 0.8, "beta2": 0.7, "beta3": 0.9, "epsilon": 1e-3, "weight_decay": 0.1},
        {"m": 0.0, "v": 0.0, "n": 0.0, "previous_gradient": np.nan},
    ),
    Row("lamb", st.LAMBOptimizer, {**_ADAM, "weight_decay": 0.1}, {"m": 0.0, "v": 0.0}, whole=True),
    Row("ftrl", st.FtrlOptimizer, {**_FTRL, **_SHRINKAGE}, _ACCUM_LINEAR),
    Row(
        "ftrl",
        st.FtrlOptimizer,
        {**_FTRL, **_SHRINKAGE, "learning_rate_power": -0.7},
        _ACCUM_LINEAR,
        cancels=2.0,
        id="ftrl_power",
    ),
    Row(
        "ftrl_proximal",
        st.FtrlProximalOptimizer,
        {"learning_rate": 0.3, "beta": 0.7, **_L1L2},
        {"accum": 0.0, "linear": 0.0},
    ),
    Row("group_ftrl", st.GroupFtrlOptimizer, {**_FTRL, "l21_regularization_strength": 0.4}, _ACCUM_LINEAR, cancels=2.0),
    Row(
        "group_adam",
        st.GroupAdamOptimizer,
        {**_ADAM, **_L1L2, "l21_regularization_strength": 0.4},
        {"m": 0.0, "v": 0.0, "linear": 0.0, "curvature": 0.0},
        cancels=2.0,
    ),
    Row("rowwise_adam", st.RowWiseAdamOptimizer, _ADAM, {"m": 0.0}, {"v": 0.0}),
    Row(
        "rowwise_rmsprop",
        st.RowWiseRMSPropOptimizer,
        {"learning_rate": 0.05, "decay": 0.7, "epsilon": 1e-2},
        row_slots={"rms": 1.0},
    ),
]
for _row in ROWS:
    _row.id = _row.id or _row.rule


def compute_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of slots and arithmetic."""
    return np.dtype(np.float32) if dtype.itemsize == 2 else dtype


def misaligned(values: np.ndarray, shift: int) -> np.ndarray:
    """A copy that starts `shift` elements into its memory."""
    memory = np.zeros(values.size + shift, values.dtype)
    view = memory[shift:].reshape(values.shape)
    view[...] = values
    return view
