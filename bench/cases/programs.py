"""Programs written out in NumPy's primitives, the same text for every library: loss and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..case import Case, Work, case
from . import tape

SHOWN = 12  # elements of each gradient that are compared
STEP = 1e-5  # of the differences that they are compared with


def works(quick: bool) -> list[Work]:
    found = [
        Work("programs", "MLP 784-128-10, batch 1", 1, {"kind": "mlp", "batch": 1}),
        Work("programs", "MLP 784-128-10, batch 64", 1, {"kind": "mlp", "batch": 64}),
        Work("programs", "factorization machine, 64 x 10 ids, 8 wide", 1, {"kind": "machine"}),
        Work("programs", "attention, 4 x 16 x 32", 1, {"kind": "attention"}),
        Work("programs", "30 springs, float64", 1, {"kind": "springs"}),
    ]
    return found[:1] if quick else found


# Each program takes `xp`, a namespace with NumPy's names, its parameters and its data.


def mlp(xp: Any, parameters: Any, x: Any, labels: Any, rows: Any) -> Any:
    """Mean cross-entropy of a perceptron."""
    w1, b1, w2, b2 = parameters
    z = xp.maximum(x @ w1 + b1, 0) @ w2 + b2
    z = z - xp.max(z, axis=1, keepdims=True)
    return xp.mean(xp.log(xp.sum(xp.exp(z), axis=1)) - z[rows, labels])


def machine(xp: Any, parameters: Any, ids: Any, signs: Any) -> Any:
    """Logistic loss of a factorization machine (Rendle, 2010) whose features are ids."""
    bias, weights, factors = parameters
    v = factors[ids]
    total = xp.sum(v, axis=1)
    pairs = xp.sum(total * total - xp.sum(v * v, axis=1), axis=1) / 2
    logits = bias + xp.sum(weights[ids], axis=1) + pairs
    return xp.mean(xp.log(1 + xp.exp(-signs * logits)))


def attention(xp: Any, parameters: Any, x: Any, target: Any) -> Any:
    """Squared error of softmax(q k^T) v."""
    wq, wk, wv = parameters
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = xp.einsum("bid,bjd->bij", q, k) / x.shape[-1] ** 0.5
    e = xp.exp(scores - xp.max(scores, axis=2, keepdims=True))
    shares = e / xp.sum(e, axis=2, keepdims=True)
    return xp.mean((xp.einsum("bij,bjd->bid", shares, v) - target) ** 2)


def springs(xp: Any, parameters: Any, links: Any, force: Any, seen: Any, measured: Any) -> Any:
    """Squared error of displacements at some places of a chain of springs whose stiffnesses are fitted."""
    (logarithms,) = parameters
    stiffness = links.T @ (xp.reshape(xp.exp(logarithms), (-1, 1)) * links)
    return xp.mean((xp.linalg.solve(stiffness, force)[seen] - measured) ** 2)


PROGRAMS: dict[str, Callable[..., Any]] = {
    "mlp": mlp,
    "machine": machine,
    "attention": attention,
    "springs": springs,
}


def values(work: Work) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return a program's parameters and its data."""
    rng = np.random.default_rng(0)

    def floats(*arrays: Any) -> list[np.ndarray]:
        return [np.asarray(array, np.float32) for array in arrays]

    if work.kind == "mlp":
        x, labels, parameters = tape.mlp_data(work.batch)
        return parameters, [x, labels, np.arange(work.batch)]
    if work.kind == "machine":
        parameters = floats(0.1, rng.normal(size=1000) * 0.1, rng.normal(size=(1000, 8)) * 0.1)
        return parameters, [rng.integers(0, 1000, (64, 10)), *floats(rng.choice([-1.0, 1.0], 64))]
    if work.kind == "attention":
        parameters = floats(*(rng.normal(size=(32, 32)) * 0.2 for _ in range(3)))
        return parameters, floats(rng.normal(size=(4, 16, 32)), rng.normal(size=(4, 16, 32)))
    links = np.eye(30) - np.eye(30, k=-1)
    seen = np.arange(1, 30, 3)
    return [rng.normal(size=30) * 0.1], [links, np.full(30, 0.1), seen, rng.normal(size=len(seen))]


def shown(gradients: list[Any]) -> np.ndarray:
    """Return a contender's answer: the last of each gradient."""
    return np.concatenate([np.asarray(g).ravel()[-SHOWN:] for g in gradients])


def expected(work: Work) -> np.ndarray:
    """Return central differences in float64."""
    parameters, given = values(work)
    wide = [p.astype(np.float64) for p in parameters]
    given = [a.astype(np.float64) if a.dtype == np.float32 else a for a in given]
    slopes = []
    for p in wide:
        flat = p.reshape(-1)
        for i in range(max(0, p.size - SHOWN), p.size):
            losses = []
            for sign in (1, -1):
                kept, flat[i] = flat[i], flat[i] + sign * STEP
                losses.append(PROGRAMS[work.kind](np, wide, *given))
                flat[i] = kept
            slopes.append((losses[0] - losses[1]) / (2 * STEP))
    return np.array(slopes)


case(
    Case(
        name="programs",
        title="Derivatives of programs",
        works=works,
        unit="us per step",
        figure=lambda work, seconds: 1e6 * seconds,
        expected=expected,
        tolerance=lambda work: (2e-3, 1e-5),
        order=45,
        seconds=0.25,
        note="Forwards and backwards, written out in NumPy's functions, the same text for each library but for names. "
        "*NumPy* is the perceptron's gradient written by hand, its softmax and cross-entropy as one.",
    )
)
