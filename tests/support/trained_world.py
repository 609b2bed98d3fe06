"""Optimizers that have taken a few steps, for tests of their state."""

from __future__ import annotations

import numpy as np
from catalogue import Row


def step(opt, *parameters):
    rng = np.random.default_rng(7)
    opt.apply_gradients([(rng.normal(size=parameter.shape), parameter) for parameter in parameters])


def trained(row: Row, kind=np.array):
    opt, parameters = row.make(), [kind(np.ones((4, 3))), kind(np.full((4, 3), 2.0)), kind(np.ones(5))]
    for _ in range(3):
        step(opt, *parameters)
    return opt, parameters


def values(parameters):
    return [np.array(getattr(p, "value", p)).tobytes() for p in parameters]
