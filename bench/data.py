"""What all contenders start from, and the formulas whose answers they must reach, in float64."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .case import STEPS_CHECKED, Work

RATE, MOMENTUM, BETA1, BETA2, EPSILON = 0.01, 0.9, 0.9, 0.999, 1e-8
START, ACCUMULATOR = 0.5, 0.1
PERIOD = 4099  # gradients repeat after so many elements: answers are cheap to know, and nothing falls on even places
LIMIT, NORM_LIMIT = 0.1, 10.0  # what clipping clips to
DECAY_STEP = 1000

# Arrays of the parameter's shape that an update reads and writes besides the parameter.
STATES = {"sgd": 0, "momentum": 1, "adagrad": 1, "adagrad_decay": 1, "adam": 2, "lazy_adam": 2, "rowwise_adagrad": 0}
# What a row has of its own, a counter or an accumulator, read and written.
ROW_BYTES = {"adagrad_decay": 16, "rowwise_adagrad": 8}
STORED = {"float32": 4, "float64": 8, "float16": 2, "bfloat16": 2}


def slot_bytes(dtype: str) -> int:
    """Return the size of a slot's element: half types keep float32 slots."""
    return max(4, STORED[dtype])


def bytes_per_element(rule: str, dtype: str) -> int:
    """Return what a dense update has to move: the gradient read, parameter and states read and written."""
    return 3 * STORED[dtype] + 2 * STATES[rule] * slot_bytes(dtype)


def numpy_type(name: str) -> Any:
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


@functools.cache
def tile(seed: int = 0) -> np.ndarray:
    """One period of every gradient. Of either sign, never near zero: there epsilon decides, and libraries differ."""
    rng = np.random.default_rng(seed)
    return np.asarray(rng.uniform(0.05, 0.15, PERIOD) * rng.choice([-1.0, 1.0], PERIOD), np.float32)


def gradient(count: int, dtype: str = "float32") -> np.ndarray:
    return np.resize(tile().astype(numpy_type(dtype)), count)


def row_gradient(batch: int, width: int) -> np.ndarray:
    """Return a sparse gradient's values: all positive, so that the sum of duplicates is known to its last digits."""
    return np.resize(np.abs(tile()), batch * width).reshape(batch, width)


def parameter(count: int, dtype: str = "float32") -> np.ndarray:
    return np.full(count, START, numpy_type(dtype))


def places(count: int) -> np.ndarray:
    """Return the elements of a parameter that are compared: both ends, and some from all over."""
    ends = min(count, 300)
    return np.unique(np.r_[np.arange(ends), np.arange(count - ends, count), np.arange(0, count, max(1, count // 997))])


def first_slots(w: np.ndarray) -> list[np.ndarray]:
    """Return the accumulator, and both moments, that a parameter begins with."""
    return [np.full(w.shape, ACCUMULATOR), np.zeros(w.shape), np.zeros(w.shape)]


def take_step(rule: str, step: int, w: np.ndarray, slots: list[np.ndarray], g: np.ndarray) -> None:
    """Take the step of that number, from 1 on, in place."""
    a, m, v = slots
    if rule == "sgd":
        w -= RATE * g
    elif rule == "momentum":
        m[...] = MOMENTUM * m + g
        w -= RATE * m
    elif rule in ("adagrad", "adagrad_decay"):
        a += g * g
        w -= RATE * g / np.sqrt(a)
    elif rule == "rowwise_adagrad":
        a += np.mean(g * g, axis=-1, keepdims=True)
        w -= RATE * g / (np.sqrt(a) + EPSILON)
    else:
        alpha = RATE * np.sqrt(1 - BETA2**step) / (1 - BETA1**step)
        m += (g - m) * (1 - BETA1)
        v += (g * g - v) * (1 - BETA2)
        w -= alpha * m / (np.sqrt(v) + EPSILON)


def formula(rule: str, g: np.ndarray, steps: int = STEPS_CHECKED) -> np.ndarray:
    """Return a parameter after so many steps with the same gradient."""
    g = np.asarray(g, np.float64)
    w = np.full(g.shape, START)
    slots = first_slots(w)
    for step in range(1, steps + 1):
        take_step(rule, step, w, slots, g)
    return w


def moved_by_formula(work: Work) -> np.ndarray:
    """Return what dense works must answer: how far the compared elements have moved."""
    g = gradient(PERIOD, work.dtype)[places(work.n) % PERIOD]
    return formula(work.rule, g) - START


def moved(w: Any, n: int) -> np.ndarray:
    """Return a contender's answer for a dense parameter."""
    return np.asarray(w).reshape(-1)[places(n)].astype(np.float64) - START


def precision(dtype: str) -> tuple[float, float]:
    """Return the tolerance for how far an element has moved: as many roundings of START as there are steps."""
    unit = {"float32": 6e-8, "float64": 1e-16, "float16": 5e-4, "bfloat16": 4e-3}[dtype]
    return 2e-4 if dtype in ("float32", "float64") else 1e-2, 2 * STEPS_CHECKED * unit


@functools.cache
def ids(rows: int, batch: int, law: str) -> np.ndarray:
    """Return row numbers: uniform, or by Zipf's law with exponent 1.1 and spread over the table."""
    rng = np.random.default_rng(1)
    if law == "uniform":
        return rng.integers(0, rows, batch)
    if law == "ascending":  # no row twice
        return np.sort(rng.permutation(rows)[:batch])
    weights = 1.0 / np.arange(1, rows + 1) ** 1.1
    ranks = np.searchsorted(np.cumsum(weights) / weights.sum(), rng.random(batch))
    return rng.permutation(rows)[np.minimum(ranks, rows - 1)]
