"""NumPy as an expert writes it: in place, with out=, one scratch array."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import data
from ..case import Job, Work, contender
from ..dense_cases import DENSE


class Update:
    """One tensor's update; scalars are Python's, so that they take the arrays' type."""

    def __init__(self, rule: str, w: np.ndarray, g: np.ndarray, scratch: list[np.ndarray]) -> None:
        self.w, self.g, (self.t, self.u) = w, g, scratch
        self.a = np.full_like(w, data.ACCUMULATOR) if rule == "adagrad" else np.zeros_like(w)
        self.v = np.zeros_like(w) if rule == "adam" else self.a
        self.steps = 0
        self.step = getattr(self, rule)

    def sgd(self) -> None:
        np.multiply(self.g, data.RATE, out=self.t)
        np.subtract(self.w, self.t, out=self.w)

    def momentum(self) -> None:
        np.multiply(self.a, data.MOMENTUM, out=self.a)
        np.add(self.a, self.g, out=self.a)
        np.multiply(self.a, data.RATE, out=self.t)
        np.subtract(self.w, self.t, out=self.w)

    def adagrad(self) -> None:
        np.multiply(self.g, self.g, out=self.t)
        np.add(self.a, self.t, out=self.a)
        np.sqrt(self.a, out=self.t)
        np.divide(self.g, self.t, out=self.t)
        np.multiply(self.t, data.RATE, out=self.t)
        np.subtract(self.w, self.t, out=self.w)

    def adam(self) -> None:
        self.steps += 1
        alpha = data.RATE * (1 - data.BETA2**self.steps) ** 0.5 / (1 - data.BETA1**self.steps)
        w, g, m, v, t, u = self.w, self.g, self.a, self.v, self.t, self.u
        np.multiply(m, data.BETA1, out=m)
        np.multiply(g, 1 - data.BETA1, out=t)
        np.add(m, t, out=m)
        np.multiply(v, data.BETA2, out=v)
        np.multiply(g, g, out=t)
        np.multiply(t, 1 - data.BETA2, out=t)
        np.add(v, t, out=v)
        np.sqrt(v, out=t)
        np.add(t, data.EPSILON, out=t)
        np.multiply(m, alpha, out=u)
        np.divide(u, t, out=u)
        np.subtract(w, u, out=w)


def updates(work: Work) -> list[Update]:
    scratch = [np.empty(work.n, work.dtype) for _ in range(2)]
    pairs = [(data.parameter(work.n, work.dtype), data.gradient(work.n, work.dtype)) for _ in range(work.count)]
    return [Update(work.rule, w, g, scratch) for w, g in pairs]


@contender("NumPy", *DENSE, runtime="numpy")
def dense(work: Work) -> Job | None:
    if work.rule == "adagrad_decay" or data.STORED[work.dtype] < 4 or work.n > 20_000_000 or work.threads > 1:
        return None
    entered = updates(work)
    calls = [one.step for one in entered]

    def step() -> None:
        for call in calls:
            call()

    return Job(step if work.count > 1 else calls[0], lambda: data.moved(entered[-1].w, work.n))


@contender("NumPy", "sparse", runtime="numpy")
def sparse(work: Work) -> Job | None:
    """A stable argsort and a sum of segments, then Adagrad on the gathered rows."""
    from ..sparse import moved

    if work.rule != "adagrad" or work.threads > 1 or work.batch > 100_000 or work.width != 64:
        return None
    chosen = data.ids(work.rows, work.batch, work.law)
    g = data.row_gradient(work.batch, work.width)
    w, accumulator = (np.full((work.rows, work.width), x, np.float32) for x in (data.START, data.ACCUMULATOR))

    def summed() -> tuple[np.ndarray, Any]:
        order = np.argsort(chosen, kind="stable")
        ordered = chosen[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        return ordered[starts], np.add.reduceat(g[order], starts, axis=0)

    def step() -> None:
        rows, s = summed()
        part = accumulator[rows] + s * s
        accumulator[rows] = part
        w[rows] -= data.RATE * s / np.sqrt(part)

    return Job(step, lambda: moved(w, work))


@contender("NumPy", "clip", runtime="numpy")
def clip(work: Work) -> Job | None:
    """In place; alone, on copies that are made anew where the answer would otherwise change."""
    if work.threads > 1:
        return None
    entered = updates(work)
    gradients = [one.g for one in entered]
    square = np.empty(work.n, np.float32)

    def factor(norm: float) -> np.float32:
        return np.float32(min(1.0, data.NORM_LIMIT / norm))

    def squares(g: np.ndarray) -> float:
        np.multiply(g, g, out=square)
        return float(np.sum(square, dtype=np.float64))

    outs = [np.empty_like(g) for g in gradients]

    def step() -> None:
        whole = factor(sum(squares(g) for g in gradients) ** 0.5) if work.kind == "global" else None
        for one, g, out in zip(entered, gradients, outs, strict=True):
            if work.kind == "value":
                np.clip(g, -data.LIMIT, data.LIMIT, out=out)
            else:
                np.multiply(g, factor(squares(g) ** 0.5) if whole is None else whole, out=out)
            if work.update:
                one.g = out
                one.step()

    def answer() -> np.ndarray:
        return data.moved(entered[-1].w, work.n) if work.update else outs[-1][data.places(work.n)]

    return Job(step, answer)
