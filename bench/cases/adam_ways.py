"""Adam on rows of a table, other rows in every step: at once, later, or never for the rows that a batch leaves out."""

from __future__ import annotations

import functools

import numpy as np

from .. import data
from ..case import STEPS_CHECKED, Case, Job, Work, case, contender

BATCHES = 8  # that come round and round
COLUMN = 3  # is compared


def works(quick: bool) -> list[Work]:
    rows, batch = (100_000, 8192) if quick else (1_000_000, 65_536)
    return [
        Work(
            "adam ways",
            f"{name}, {rows:,} x 64, {batch:,} Zipf 1.1 ids",
            1,
            {"rows": rows, "width": 64, "batch": batch, "law": "zipf", "read": read},
        )
        for name, read in (("update", False), ("gather and update", True))
    ]


@functools.cache
def batches(rows: int, batch: int) -> list[np.ndarray]:
    """Return other ids of the same law for every step: the popular rows stay popular."""
    every = data.ids(rows, BATCHES * batch, "zipf")
    return [np.ascontiguousarray(every[k * batch : (k + 1) * batch]) for k in range(BATCHES)]


def compared(work: Work) -> np.ndarray:
    seen = np.unique(np.concatenate(batches(work.rows, work.batch)[:STEPS_CHECKED]))
    return np.union1d(seen[:: max(1, len(seen) // 3000)], np.arange(0, work.rows, work.rows // 100))


def expected(work: Work) -> np.ndarray:
    """Return the full update's moves: every row moves in every step, by what is left of m."""
    rows = compared(work)
    w, m, v = np.full(len(rows), data.START), np.zeros(len(rows)), np.zeros(len(rows))
    values = np.abs(data.tile())[(np.arange(work.batch) * work.width + COLUMN) % data.PERIOD].astype(np.float64)
    for step in range(1, STEPS_CHECKED + 1):
        g = np.bincount(batches(work.rows, work.batch)[step - 1], values, work.rows)[rows]
        m += (g - m) * (1 - data.BETA1)
        v += (g * g - v) * (1 - data.BETA2)
        alpha = data.RATE * np.sqrt(1 - data.BETA2**step) / (1 - data.BETA1**step)
        w -= alpha * m / (np.sqrt(v) + data.EPSILON)
    return w - data.START


def job(work: Work, way: str) -> Job:
    import steepest as st

    adam = (data.RATE, data.BETA1, data.BETA2, data.EPSILON)
    opt = st.LazyAdamOptimizer(*adam) if way == "lazy" else st.AdamOptimizer(*adam, sparse_update=way)
    w = st.Variable(np.full((work.rows, work.width), data.START, np.float32))
    g, taken = data.row_gradient(work.batch, work.width), 0
    turns = [(ids, [(st.IndexedSlices(g, ids, w.shape), w)]) for ids in batches(work.rows, work.batch)]

    def step() -> None:
        nonlocal taken
        ids, pairs = turns[taken % BATCHES]
        taken += 1
        if work.read:
            st.gather(w, ids)
        opt.apply_gradients(pairs)

    if way == "lazy":
        return Job(step)  # another result; the table of sparse rows has compared it
    return Job(step, lambda: w.value[compared(work), COLUMN] - data.START)


for name, way in (("steepest", "deferred"), ("steepest lazy", "lazy"), ("steepest full", "full")):
    contender(name, "adam ways", runtime="steepest")(lambda work, way=way: job(work, way))


@contender("TF full", "adam ways", runtime="tensorflow")
def tensorflow_full(work: Work) -> Job:
    from ..rivals.tensorflow_apply import optimizer, tensorflow

    tf, taken = tensorflow(), 0
    w = tf.Variable(np.full((work.rows, work.width), data.START, np.float32))
    g, opt = tf.constant(data.row_gradient(work.batch, work.width)), optimizer("adam")
    turns = [tf.constant(ids) for ids in batches(work.rows, work.batch)]
    shape = tf.constant([work.rows, work.width], "int64")

    def step() -> None:
        nonlocal taken
        ids = turns[taken % BATCHES]
        taken += 1
        if work.read:
            tf.gather(w, ids)
        opt.apply_gradients([(tf.IndexedSlices(g, ids, shape), w)])

    return Job(step, lambda: w.numpy()[compared(work), COLUMN] - data.START)


case(
    Case(
        name="adam ways",
        title="Adam's sparse updates",
        works=works,
        unit="ms per step",
        figure=lambda work, seconds: 1e3 * seconds,
        expected=expected,
        memory=lambda work: 12.0 * work.rows * work.width,
        order=34,
        seconds=0.3,
        note='float32, another batch in every step. *steepest* is `sparse_update="deferred"`: the result of the full '
        "update. *lazy* has another result.",
    )
)
