"""A table that owes moves, for the tests of deferred updates."""

from __future__ import annotations

import numpy as np

import steepest as st

SHAPE = (8, 3)


def trained(way: str, steps: int = 30) -> tuple[st.Variable, st.AdamOptimizer]:
    """A table of which rows 1 and 5 had a gradient once and owe moves since."""
    w = st.Variable(np.random.default_rng(0).normal(size=SHAPE), name="w")
    opt = st.AdamOptimizer(0.05, sparse_update=way)
    opt.apply_gradients([(slices([1, 5, 5]), w)])
    for _ in range(steps):
        opt.apply_gradients([(slices([2]), w)])
    return w, opt


def slices(ids: list[int], value: float = 1.0) -> st.IndexedSlices:
    return st.IndexedSlices(np.full((len(ids), 3), value), np.array(ids, np.int64))
