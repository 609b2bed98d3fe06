"""Matrix factorization with Zipf ids: a few items are everywhere, most are rare, as in any shop.

AdagradDecay touches only the rows of the batch, and lets the popular rows go on learning where
Adagrad's ever-growing sums would have stopped them.

Run: python examples/factorization.py
"""

from functools import partial

import numpy as np

import steepest as st

USERS, ITEMS, RANK = 20_000, 200_000, 8


def zipf(rng, count, size):
    """Draw ids below ``count`` with probability proportional to 1 / (id + 1)."""
    chances = np.cumsum(1.0 / np.arange(1, count + 1))
    return np.searchsorted(chances, rng.random(size) * chances[-1], side="right")


def main():
    rng = np.random.default_rng(0)
    true_users = rng.normal(0, 0.7, (USERS, RANK)).astype(np.float32)
    true_items = rng.normal(0, 0.7, (ITEMS, RANK)).astype(np.float32)

    def ratings(size):
        users, items = zipf(rng, USERS, size), zipf(rng, ITEMS, size)
        noise = rng.normal(0, 0.1, size)
        return users, items, (np.sum(true_users[users] * true_items[items], axis=1) + noise).astype(np.float32)

    users = st.Variable(rng.normal(0, 0.1, (USERS, RANK)).astype(np.float32), name="users")
    items = st.Variable(rng.normal(0, 0.1, (ITEMS, RANK)).astype(np.float32), name="items")

    def predict(u, i):
        return np.sum(st.nn.embedding_lookup(users, u) * st.nn.embedding_lookup(items, i), axis=1)

    def loss(u, i, rating):
        # Summed, not averaged: each row gets the full gradient of its own few ratings.
        return 0.5 * np.sum((predict(u, i) - rating) ** 2)

    test = ratings(20_000)
    spread = np.std(test[2])
    step = st.get_or_create_global_step()
    opt = st.AdagradDecayOptimizer(0.3, global_step=step, accumulator_decay_step=50, accumulator_decay_rate=0.9)
    for number in range(1, 1001):
        opt.minimize(partial(loss, *ratings(4096)), global_step=step)
        if number % 250 == 0:
            error = np.sqrt(np.mean((predict(*test[:2]) - test[2]) ** 2))
            print(f"step {int(step.numpy())}: test error {error:.3f} (without a model: {spread:.3f})")
    untouched = np.mean(np.all(opt.get_slot(items, "accumulator").numpy() == np.float32(0.1), axis=1))
    print(f"items never seen, and never touched: {100 * untouched:.0f} %")


if __name__ == "__main__":
    main()
