"""Reverse mode: a chain of small operations, a perceptron, an embedding's training step."""

from __future__ import annotations

import numpy as np

from .. import data
from ..case import STEPS_CHECKED, Case, Work, case

LINKS = 100  # of the chain: y = y * a + a; with the sum at the end 201 operations


def works(quick: bool) -> list[Work]:
    found = [
        Work("tape", f"chain of {2 * LINKS + 1} operations on 10 elements", 1, {"kind": "chain"}),
        Work("tape", "MLP 784-128-10, batch 1", 1, {"kind": "mlp", "batch": 1}),
        Work("tape", "MLP 784-128-10, batch 64", 1, {"kind": "mlp", "batch": 64}),
        Work("tape", "embedding 100,000 x 32, 4,096 ids: step of Adagrad", 1, {"kind": "embedding", **EMBEDDING}),
    ]
    return found[:1] if quick else found


EMBEDDING = {"rows": 100_000, "width": 32, "batch": 4096, "law": "zipf", "rule": "adagrad"}
CHAIN_START = np.full(10, 1.01, np.float32)
CHAIN_FACTOR = CHAIN_START / 2
SHOWN = 500  # elements of a gradient that are compared


def mlp_data(batch: int) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Return inputs, labels, and the parameters W1, b1, W2, b2."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(batch, 784)), rng.integers(0, 10, batch)
    parameters = [rng.normal(size=(784, 128)) * 0.05, np.zeros(128), rng.normal(size=(128, 10)) * 0.1, np.zeros(10)]
    return x.astype(np.float32), y, [p.astype(np.float32) for p in parameters]


def mlp_by_hand(x: np.ndarray, y: np.ndarray, parameters: list[np.ndarray]) -> tuple[float, list[np.ndarray]]:
    """Return mean cross-entropy and its gradients, as one writes them in NumPy."""
    w1, b1, w2, b2 = parameters
    rows = np.arange(len(y))
    h = np.maximum(x @ w1 + b1, 0)
    z = h @ w2 + b2
    z -= z.max(axis=1, keepdims=True)
    e = np.exp(z)
    s = e.sum(axis=1, keepdims=True)
    loss = float(np.mean(np.log(s[:, 0]) - z[rows, y]))
    d = e / s
    d[rows, y] -= 1
    d /= len(y)
    dh = (d @ w2.T) * (h > 0)
    return loss, [x.T @ dh, dh.sum(axis=0), h.T @ d, d.sum(axis=0)]


def embedding_target(work: Work) -> np.ndarray:
    return data.START - data.row_gradient(work.batch, work.width)


def shown(gradients: list[np.ndarray]) -> np.ndarray:
    """Return a contender's answer: the last of each gradient."""
    return np.concatenate([np.asarray(g).ravel()[-SHOWN:] for g in gradients])


def expected(work: Work) -> np.ndarray:
    if work.kind == "mlp":
        x, y, parameters = mlp_data(work.batch)
        wide = [p.astype(np.float64) for p in parameters]
        return shown(mlp_by_hand(x.astype(np.float64), y, wide)[1])
    if work.kind == "chain":
        a = CHAIN_FACTOR.astype(np.float64)
        t, d = CHAIN_START.astype(np.float64), np.zeros(10)
        for _ in range(LINKS):  # the derivative forwards
            t, d = t * a + a, d * a + t + 1
        return d
    # Adagrad on sum((w[ids] - target)**2) / 2, of which the first rows of the table are compared
    chosen, target = data.ids(work.rows, work.batch, work.law), embedding_target(work).astype(np.float64)
    rows = np.unique(chosen)
    place = np.searchsorted(rows, chosen)
    w, a = np.full((len(rows), work.width), data.START), np.full((len(rows), work.width), data.ACCUMULATOR)
    for _ in range(STEPS_CHECKED):
        g = np.zeros_like(w)
        np.add.at(g, place, w[place] - target)
        a += g * g
        w -= data.RATE * g / np.sqrt(a)
    return w.ravel() - data.START


def embedding_answer(table: np.ndarray, work: Work) -> np.ndarray:
    return np.asarray(table)[np.unique(data.ids(work.rows, work.batch, work.law))].ravel() - data.START


case(
    Case(
        name="tape",
        title="Derivatives",
        works=works,
        unit="us per step",
        figure=lambda work, seconds: 1e6 * seconds,
        expected=expected,
        tolerance=lambda work: (2e-3, 1e-6),
        order=44,
        seconds=0.25,
        note="float32, forwards and backwards. *NumPy* is the gradient written by hand.",
    )
)
