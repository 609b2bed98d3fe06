"""A recommender whose tables lie on several processes: each has some rows of users and items, and all train one model.

Run: mpiexec -n 2 python examples/several_ranks.py   (any number, or without mpiexec: the same vectors)
"""

import hashlib

import numpy as np

import steepest as st
from steepest import mpi

USERS, ITEMS, WIDTH = 20_000, 10_000, 8
BATCH, MICRO_BATCHES, STEPS = 2048, 4, 100


def first_rows(seed):
    def rows(ids):  # of a block of ids, whichever rank has it
        return np.random.default_rng([seed, ids[0]]).normal(size=(len(ids), WIDTH)) * 0.3

    return rows


def examples(step, part):
    """One micro-batch: users, items, and ratings by the taste that is to be learned."""
    rng = np.random.default_rng([step, part])
    users, items = rng.integers(0, 500, BATCH), rng.integers(0, 300, BATCH) * 31 % ITEMS
    taste = np.sin(users[:, None] * [1.0, 2.0, 3.0]) * np.cos(items[:, None] * [2.0, 1.0, 3.0])
    return users * 37 % USERS, items, taste.sum(axis=1).astype(np.float32)


def main():
    users = mpi.ShardedVariable(USERS, WIDTH, first_rows(1), name="users")
    items = mpi.ShardedVariable(ITEMS, WIDTH, first_rows(2), name="items")
    bias = st.Variable(np.zeros(1, np.float32), name="bias")

    mine = mpi.share(MICRO_BATCHES)  # a step is four micro-batches, dealt out to the ranks
    inner = st.AdagradOptimizer(0.2, initial_accumulator_value=1e-6, hooks=[st.ClipByGlobalNorm(1.0)])
    opt = mpi.DistributedOptimizer(inner, micro_batches=len(mine))

    def loss(batch):
        ids_of_users, ids_of_items, ratings = batch
        guess = np.sum(users.lookup(ids_of_users) * items.lookup(ids_of_items), axis=1) + bias
        return np.mean((guess - ratings) ** 2)

    for step in range(STEPS + 1):
        batches = [examples(step, part) for part in mine]
        losses = [opt.minimize(lambda batch=batch: loss(batch)) for batch in batches]
        error = mpi.allreduce(losses)  # the mean over the micro-batches of all ranks
        if mpi.is_root() and step % 50 == 0:
            print(f"step {step}: mean squared error {float(error):.4f}")

    some = np.asarray(users.lookup(np.arange(500) * 37 % USERS))  # every rank must ask, and gets them
    held = [int(rows) for rows in mpi.allgather(users.end - users.begin)]
    if mpi.is_root():
        print(f"vectors: {hashlib.sha256(some.tobytes()).hexdigest()[:16]}")
        print(f"rows of users on each rank: {held}")


if __name__ == "__main__":
    main()
