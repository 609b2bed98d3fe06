"""Embedding tables of a recommender: lookups, their gradient and the update, bags of ids."""

import numpy as np

from .. import data
from ..case import Case, Work, case

LAWS = {"uniform": "uniform", "zipf": "Zipf 1.1"}
MOST_IDS = 12_000_000  # of one step
ROWS, WIDTH = 100_000, 32
SHOWN = 50  # bags, and rows, that are compared


def bags_work(tables: int, batch: int, length: int, law: str, threads: int) -> Work:
    label = f"{tables} tables, {batch:,} bags of {length}, {LAWS[law]}"
    rows = ROWS if tables <= 26 else ROWS // 4
    values = {"tables": tables, "batch": batch, "length": length, "law": law, "rows": rows, "width": WIDTH}
    return Work("bags", label, threads, values)


def works(quick: bool) -> list[Work]:
    if quick:
        return [bags_work(26, 512, length, "zipf", 1) for length in (1, 10)]
    return [
        bags_work(tables, batch, length, law, threads)
        for threads in (1, 2)
        for tables in (26, 100)
        for length in (1, 10, 50)
        for batch in (512, 2048, 8192)
        for law in LAWS
        if tables * batch * length <= MOST_IDS
    ]


def ids(work: Work) -> np.ndarray:
    """Return the ids, [tables, batch, length]."""
    every = data.ids(work.rows, work.tables * work.batch * work.length, work.law)
    return every.reshape(work.tables, work.batch, work.length)


def gradient(work: Work) -> np.ndarray:
    """Return the gradient of the result, [batch, tables * width]."""
    return data.row_gradient(work.batch, work.tables * work.width)


def answer(work: Work, table: np.ndarray, bags: np.ndarray) -> np.ndarray:
    """Return how far rows of the first table, and the sums of its first bags, have moved."""
    rows = touched(work)
    of_bags = np.asarray(bags, np.float64)[:SHOWN, : work.width] - work.length * data.START
    return np.concatenate([np.asarray(table, np.float64)[rows] - data.START, of_bags])


def touched(work: Work) -> np.ndarray:
    return np.unique(ids(work)[0])[:SHOWN]


def expected(work: Work) -> np.ndarray:
    chosen, g = ids(work)[0], gradient(work)[:, : work.width].astype(np.float64)
    total = np.zeros((work.rows, work.width))
    np.add.at(total, chosen.reshape(-1), np.repeat(g, work.length, axis=0))
    rows = np.unique(np.concatenate([touched(work), chosen[:SHOWN].reshape(-1)]))
    table = np.full((work.rows, work.width), data.START)
    table[rows] = data.formula("adagrad", total[rows])
    return answer(work, table, table[chosen[:SHOWN]].sum(axis=1))


def ns_per_id(work: Work, seconds: float) -> float:
    return 1e9 * seconds / (work.tables * work.batch * work.length)


case(
    Case(
        name="bags",
        title="Bags of many tables: forward, backward, update",
        works=works,
        unit="ns per id",
        figure=ns_per_id,
        expected=expected,
        memory=lambda work: 16.0 * work.tables * work.rows * work.width,
        order=32,
        seconds=0.5,
        note="float32, 32 columns, Adagrad: what a training step does with its tables. The loss is the sum of the "
        "concatenated results with fixed weights. FBGEMM is its table-batched embedding with the update in the "
        "backward pass; torch is a list of `EmbeddingBag(sparse=True)`.",
    )
)
