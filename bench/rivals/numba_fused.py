"""numba: the loops one would write in Python, compiled; parallel over one tensor's elements with threads."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .. import data
from ..case import Job, Work, contender
from ..dense_cases import DENSE

ORDER = {"sgd": 0, "momentum": 1, "adagrad": 2, "adam": 3, "lazy_adam": 3}


@functools.cache
def compiled(rule: str, dtype: str, parallel: bool, fastmath: bool) -> Any:
    """Return f(w, g, a, b, alpha). With fastmath LLVM takes approximate roots and reciprocals."""
    import numba

    real = np.dtype(dtype).type
    rate, keep, rate1, rate2 = (real(x) for x in (data.RATE, data.MOMENTUM, 1 - data.BETA1, 1 - data.BETA2))
    epsilon, span = real(data.EPSILON), numba.prange if parallel else range
    jit = numba.njit(fastmath=fastmath, parallel=parallel, error_model="numpy")

    @jit
    def sgd(w, g, a, b, alpha):
        for i in span(w.size):
            w[i] -= rate * g[i]

    @jit
    def momentum(w, g, a, b, alpha):
        for i in span(w.size):
            x = a[i] * keep + g[i]
            a[i] = x
            w[i] -= rate * x

    @jit
    def adagrad(w, g, a, b, alpha):
        for i in span(w.size):
            s = a[i] + g[i] * g[i]
            a[i] = s
            w[i] -= rate * g[i] / np.sqrt(s)

    @jit
    def adam(w, g, a, b, alpha):
        for i in span(w.size):
            x = a[i] + (g[i] - a[i]) * rate1
            y = b[i] + (g[i] * g[i] - b[i]) * rate2
            a[i] = x
            b[i] = y
            w[i] -= alpha * x / (np.sqrt(y) + epsilon)

    return {"sgd": sgd, "momentum": momentum, "adagrad": adagrad, "adam": adam}[rule]


def states(rule: str, shape: Any, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    initial = data.ACCUMULATOR if rule == "adagrad" else 0
    first = np.full(shape if data.STATES[rule] else 1, initial, dtype)
    return first, np.zeros(shape if data.STATES[rule] > 1 else 1, dtype)


class Alpha:
    """Adam's rate of the next step."""

    def __init__(self, dtype: str) -> None:
        self.steps, self.real = 0, np.dtype(dtype).type

    def __call__(self) -> Any:
        self.steps += 1
        return self.real(data.RATE * (1 - data.BETA2**self.steps) ** 0.5 / (1 - data.BETA1**self.steps))


@contender("numba", *DENSE, runtime="numba")
def exact(work: Work) -> Job | None:
    return dense(work, fastmath=False)


@contender("numba fastmath", "dense", "cache", runtime="numba")
def approximate(work: Work) -> Job | None:
    return dense(work, fastmath=True)


def dense(work: Work, fastmath: bool) -> Job | None:
    if work.rule not in ORDER or data.STORED[work.dtype] < 4:
        return None
    import numba

    update, alpha = compiled(work.rule, work.dtype, work.threads > 1, fastmath), Alpha(work.dtype)
    tensors = [
        (data.parameter(work.n, work.dtype), data.gradient(work.n, work.dtype), *states(work.rule, work.n, work.dtype))
        for _ in range(work.count)
    ]
    last = tensors[-1]
    if work.count == 1:
        return Job(lambda: update(*last, alpha()), lambda: data.moved(last[0], work.n))

    @numba.njit
    def loop(ws, gs, xs, ys, rate):
        for k in range(len(ws)):
            update(ws[k], gs[k], xs[k], ys[k], rate)

    lists = [numba.typed.List(x) for x in zip(*tensors, strict=True)]
    return Job(lambda: loop(*lists, alpha()), lambda: data.moved(last[0], work.n))


@functools.cache
def compiled_rows(rule: str) -> Any:
    """Return f(w, g, a, b, alpha, ids, order, starts, parts): runs of equal ids, shared out among parts."""
    import numba

    real, code = np.float32, ORDER[rule]
    rate, rate1, rate2 = real(data.RATE), real(1 - data.BETA1), real(1 - data.BETA2)
    epsilon = real(data.EPSILON)

    @numba.njit(fastmath=True, parallel=True, error_model="numpy")
    def update(w, g, a, b, alpha, ids, order, starts, parts):
        runs, width = starts.size - 1, w.shape[1]
        for part in numba.prange(parts):
            s = np.empty(width, np.float32)
            for run in range(runs * part // parts, runs * (part + 1) // parts):
                row = ids[order[starts[run]]]
                s[:] = g[order[starts[run]]]
                for k in range(starts[run] + 1, starts[run + 1]):
                    p = order[k]
                    for j in range(width):
                        s[j] += g[p, j]
                for j in range(width):
                    if code == 0:
                        w[row, j] -= rate * s[j]
                    elif code == 2:
                        x = a[row, j] + s[j] * s[j]
                        a[row, j] = x
                        w[row, j] -= rate * s[j] / np.sqrt(x)
                    else:
                        x = a[row, j] + (s[j] - a[row, j]) * rate1
                        y = b[row, j] + (s[j] * s[j] - b[row, j]) * rate2
                        a[row, j] = x
                        b[row, j] = y
                        w[row, j] -= alpha * x / (np.sqrt(y) + epsilon)

    return update


@contender("numba argsort", "sparse", "widths", runtime="numba")
def sparse(work: Work) -> Job | None:
    if work.rule not in ORDER:
        return None
    from ..sparse import moved

    update, alpha = compiled_rows(work.rule), Alpha("float32")
    chosen = data.ids(work.rows, work.batch, work.law)
    w, g = np.full((work.rows, work.width), data.START, np.float32), data.row_gradient(work.batch, work.width)
    a, b = (x if x.ndim == 2 else x.reshape(1, 1) for x in states(work.rule, w.shape, "float32"))

    def step() -> None:
        order = np.argsort(chosen, kind="stable")
        ordered = chosen[order]
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1], [True])))
        update(w, g, a, b, alpha(), chosen, order, starts, work.threads)

    return Job(step, lambda: moved(w, work))
