"""Who is timed: steepest, NumPy written with care, and torch where it is installed. All do the same work."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import steepest as st

RATE, BETA1, BETA2, EPSILON = 1e-3, 0.9, 0.999, 1e-8


@dataclass
class Contender:
    """One way to take a step: `step()` updates `parameter` in place."""

    name: str
    step: Callable[[], Any]
    parameter: Callable[[], np.ndarray]


def gradient(shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    """Either sign, never near zero: there epsilon decides, and torch's is not TensorFlow's."""
    rng = np.random.default_rng(0)
    return (rng.uniform(0.05, 0.15, shape) * rng.choice([-1.0, 1.0], shape)).astype(dtype)


def zipf_ids(rows: int, batch: int, exponent: float | None) -> np.ndarray:
    """Uniform ids, or Zipf ids (exponent 1.1 and the like) spread over the table."""
    rng = np.random.default_rng(1)
    if exponent is None:
        return rng.integers(0, rows, batch)
    weights = 1.0 / np.arange(1, rows + 1) ** exponent
    ranks = np.searchsorted(np.cumsum(weights) / weights.sum(), rng.random(batch))
    return rng.permutation(rows)[np.minimum(ranks, rows - 1)]


def steepest_dense(rule: str, n: int, dtype: Any = np.float32) -> Contender:
    w, g = np.ones(n, dtype), gradient((n,), dtype)
    opt = optimizer(rule)
    pairs = [(g, w)]
    return Contender("steepest", lambda: opt.apply_gradients(pairs), lambda: w)


def optimizer(rule: str) -> st.Optimizer:
    return {
        "sgd": lambda: st.GradientDescentOptimizer(RATE),
        "momentum": lambda: st.MomentumOptimizer(RATE, 0.9),
        "adagrad": lambda: st.AdagradOptimizer(RATE),
        "adam": lambda: st.AdamOptimizer(RATE, BETA1, BETA2, EPSILON),
        "lazy_adam": lambda: st.LazyAdamOptimizer(RATE, BETA1, BETA2, EPSILON),
    }[rule]()


def numpy_dense(rule: str, n: int) -> Contender:
    """In-place NumPy with one scratch array, as an expert would write it."""
    w, g = np.ones(n, np.float32), gradient((n,))
    a, m, v, t, u = (np.zeros(n, np.float32) for _ in range(5))
    a += np.float32(0.1)
    powers = [BETA1, BETA2]

    def sgd() -> None:
        np.multiply(g, np.float32(RATE), out=t)
        np.subtract(w, t, out=w)

    def momentum() -> None:
        np.multiply(m, np.float32(0.9), out=m)
        np.add(m, g, out=m)
        np.multiply(m, np.float32(RATE), out=t)
        np.subtract(w, t, out=w)

    def adagrad() -> None:
        np.multiply(g, g, out=t)
        np.add(a, t, out=a)
        np.sqrt(a, out=t)
        np.multiply(g, np.float32(RATE), out=u)
        np.divide(u, t, out=u)
        np.subtract(w, u, out=w)

    def adam() -> None:
        alpha = RATE * np.sqrt(1 - powers[1]) / (1 - powers[0])
        np.subtract(g, m, out=t)
        np.multiply(t, np.float32(1 - BETA1), out=t)
        np.add(m, t, out=m)
        np.multiply(g, g, out=t)
        np.subtract(t, v, out=t)
        np.multiply(t, np.float32(1 - BETA2), out=t)
        np.add(v, t, out=v)
        np.sqrt(v, out=t)
        np.add(t, np.float32(EPSILON), out=t)
        np.multiply(m, np.float32(alpha), out=u)
        np.divide(u, t, out=u)
        np.subtract(w, u, out=w)
        powers[0] *= BETA1
        powers[1] *= BETA2

    return Contender("numpy", {"sgd": sgd, "momentum": momentum, "adagrad": adagrad, "adam": adam}[rule], lambda: w)


def torch_dense(rule: str, n: int) -> Contender:
    import torch

    w = torch.ones(n, requires_grad=True)
    w.grad = torch.from_numpy(gradient((n,)))
    opt = {
        "sgd": lambda: torch.optim.SGD([w], RATE, fused=True),
        "momentum": lambda: torch.optim.SGD([w], RATE, momentum=0.9, fused=True),
        "adagrad": lambda: torch.optim.Adagrad([w], RATE, initial_accumulator_value=0.1, eps=0.0, fused=True),
        "adam": lambda: torch.optim.Adam([w], RATE, (BETA1, BETA2), EPSILON, fused=True),
    }[rule]()
    return Contender("torch fused", opt.step, lambda: w.detach().numpy())


def steepest_sparse(rule: str, rows: int, width: int, ids: np.ndarray) -> Contender:
    w = np.ones((rows, width), np.float32)
    opt = optimizer(rule)
    pairs = [(st.IndexedSlices(gradient((len(ids), width)), ids), w)]
    return Contender("steepest", lambda: opt.apply_gradients(pairs), lambda: w)


def numpy_sparse(rule: str, rows: int, width: int, ids: np.ndarray) -> Contender:
    """np.unique and a sorted segment sum, then the dense formula on the gathered rows."""
    w, g = np.ones((rows, width), np.float32), gradient((len(ids), width))
    a = np.full((rows, width), np.float32(0.1))

    def adagrad() -> None:
        order = np.argsort(ids, kind="stable")
        ordered = ids[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        unique, summed = ordered[starts], np.add.reduceat(g[order], starts, axis=0)
        part = a[unique] + summed * summed
        a[unique] = part
        w[unique] -= np.float32(RATE) * summed / np.sqrt(part)

    return Contender("numpy", {"adagrad": adagrad}[rule], lambda: w)


def torch_sparse(rule: str, rows: int, width: int, ids: np.ndarray) -> Contender:
    import torch

    w = torch.ones(rows, width, requires_grad=True)
    values, index = torch.from_numpy(gradient((len(ids), width))), torch.from_numpy(ids)[None]
    opt = torch.optim.Adagrad([w], RATE, initial_accumulator_value=0.1, eps=0.0)

    def step() -> None:
        w.grad = torch.sparse_coo_tensor(index, values, (rows, width), check_invariants=False)
        opt.step()

    return Contender("torch", step, lambda: w.detach().numpy())


def has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None
