"""Draw deferred.png: a factorization under Adam's three sparse updates, by step and by time. Needs matplotlib.

python docs/deferred.py
"""

from __future__ import annotations

import time
from pathlib import Path

import matplotlib
import numpy as np

import steepest as st

matplotlib.use("Agg")
from matplotlib import pyplot as plt

PICTURE = Path(__file__).with_name("deferred.png")
ROWS, RANK, BATCH, STEPS, EVERY = 200_000, 16, 1024, 3000, 50
WAYS = {
    'AdamOptimizer(sparse_update="full")': lambda: st.AdamOptimizer(0.003),
    'AdamOptimizer(sparse_update="deferred")': lambda: st.AdamOptimizer(0.003, sparse_update="deferred"),
    "LazyAdamOptimizer()": lambda: st.LazyAdamOptimizer(0.003),
}


def zipf(rng: np.random.Generator, count: int) -> np.ndarray:
    """Row numbers of which the n-th is drawn about as often as 1 / n."""
    return np.minimum(np.exp(rng.random(count) * np.log(ROWS)), ROWS - 1).astype(np.int64)


def train(optimizer: st.Optimizer) -> np.ndarray:
    """Return (step, seconds, held-out loss) for every EVERY-th step; reading the loss is not timed."""
    st.reset_default_store()
    rng = np.random.default_rng(0)
    truth = [rng.normal(size=(ROWS, RANK)).astype(np.float32) / RANK**0.25 for _ in range(2)]
    tables = [st.Variable(rng.normal(size=(ROWS, RANK)).astype(np.float32) * 0.3) for _ in range(2)]

    def batch(size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        i, j = zipf(rng, size), zipf(rng, size)
        noise = rng.normal(size=size).astype(np.float32) * 0.5
        return i, j, np.sum(truth[0][i] * truth[1][j], axis=1) + noise

    def loss(i: np.ndarray, j: np.ndarray, y: np.ndarray) -> st.Tensor:
        return np.mean((np.sum(st.gather(tables[0], i) * st.gather(tables[1], j), axis=1) - y) ** 2)

    held_out, curve, spent = batch(20_000), [], 0.0
    for step in range(STEPS + 1):
        if step % EVERY == 0:
            curve.append((step, spent, float(loss(*held_out))))
        data = batch(BATCH)
        begin = time.perf_counter()
        optimizer.minimize(lambda data=data: loss(*data))
        spent += time.perf_counter() - begin
    return np.array(curve).T


def main() -> None:
    """Train under each, print the ends, draw."""
    _, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), sharey=True)
    for (name, make), style in zip(WAYS.items(), ["-", "--", "-"], strict=True):
        steps, seconds, losses = train(make())
        print(f"{name:42} {losses[-1]:.5f} after {seconds[-1]:.2f} s")
        left.plot(steps, losses, style, label=name, linewidth=2)
        right.plot(seconds, losses, style, linewidth=2)
    left.set(xlabel="step", ylabel="held-out loss")
    right.set(xlabel="seconds in training steps")
    left.legend(frameon=False)
    plt.tight_layout()
    plt.savefig(PICTURE, dpi=80)


if __name__ == "__main__":
    main()
