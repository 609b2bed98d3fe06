"""Clicks predicted from 26 ids and 13 numbers, as in a shop: embedding tables, and a perceptron on their rows.

One lookup reads a row of each table and writes them side by side; the update reads their gradients where the
perceptron's derivative has left them. Of a table only the rows of the batch are read and written.

Run: python examples/recommender.py
"""

from functools import partial
from itertools import pairwise

import numpy as np

import steepest as st

TABLES, ROWS, WIDTH, NUMBERS, BATCH = 26, 50_000, 16, 13, 1024
LAYERS = [TABLES * WIDTH + NUMBERS, 64, 16, 1]


class Visits:
    """Visits drawn at random: ids by Zipf's law, and clicks that follow hidden tastes."""

    def __init__(self, rng):
        self.rng = rng
        chances = np.cumsum(1.0 / np.arange(1, ROWS + 1))
        self.chances = chances / chances[-1]
        self.taste = rng.normal(0, 0.5, (TABLES, ROWS))
        self.slope = rng.normal(0, 0.3, NUMBERS)

    def draw(self, size):
        ids = np.searchsorted(self.chances, self.rng.random((size, TABLES)), side="right")
        numbers = self.rng.normal(size=(size, NUMBERS)).astype(np.float32)
        logits = self.taste[np.arange(TABLES), ids].sum(axis=1) + numbers @ self.slope
        return ids, numbers, (self.rng.random(size) < 1 / (1 + np.exp(-logits))).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    visits = Visits(rng)

    tables = [st.Variable(rng.normal(0, 0.1, (ROWS, WIDTH)).astype(np.float32)) for _ in range(TABLES)]
    sizes = list(pairwise(LAYERS))
    weights = [st.Variable(rng.normal(0, (2 / m) ** 0.5, (m, n)).astype(np.float32)) for m, n in sizes]
    biases = [st.Variable(np.zeros(n, np.float32)) for _, n in sizes]

    def logits(ids, numbers):
        x = np.concatenate([st.nn.embedding_lookup(tables, ids), numbers], axis=1)  # [B, 26 * 16 + 13]
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            x = st.nn.relu(x @ w + b)
        return (x @ weights[-1] + biases[-1])[:, 0]

    def loss(ids, numbers, clicks):
        # Summed, not averaged: each row gets the full gradient of its own few visits.
        return np.sum(st.nn.sigmoid_cross_entropy_with_logits(labels=clicks, logits=logits(ids, numbers)))

    unseen = visits.draw(20_000)
    opt = st.AdagradOptimizer(0.02)
    for number in range(1, 301):
        opt.minimize(partial(loss, *visits.draw(BATCH)))
        if number % 75 == 0:
            ids, numbers, clicks = unseen
            right = np.mean((logits(ids, numbers) > 0) == (clicks > 0.5))
            print(f"step {number}: {100 * right:.1f} % of unseen visits told right")
    print(f"always the same answer: {100 * max(clicks.mean(), 1 - clicks.mean()):.1f} %")
    slots = [opt.get_slot(table, "accumulator").numpy() for table in tables]
    untouched = np.mean([np.all(slot == np.float32(0.1), axis=1).mean() for slot in slots])
    print(f"rows never seen, and never touched: {100 * untouched:.0f} %")


if __name__ == "__main__":
    main()
