"""Whole training steps as people write them: batch to loss, derivatives, update; every loss is compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import data
from ..case import Case, Work, case

CHECKED = 5  # steps whose losses are compared; later ones differ by a unit of relu that one rounding turns on
BATCHES = 12  # that take turns
SHOWN = 200  # elements of each dense parameter, and rows of a table, that are compared
RULES = {"recommender": "adagrad", "machine": "adagrad", "perceptron": "adam"}

Arrays = list[np.ndarray]


def recommender(threads: int, tables: int = 26, rows: int = 200_000, batch: int = 2048) -> Work:
    values = {"kind": "recommender", "tables": tables, "rows": rows, "width": 16, "numbers": 13, "batch": batch}
    layers = [tables * 16 + 13, 256, 64, 1]
    label = f"recommender, {tables} tables of {rows:,} x 16, batch {batch:,}, {'-'.join(map(str, layers))}, Adagrad"
    return Work("steps", label, threads, {**values, "layers": layers})


def machine(threads: int, rows: int = 1_000_000, batch: int = 2048) -> Work:
    values = {"kind": "machine", "rows": rows, "width": 16, "fields": 39, "batch": batch, "layers": []}
    label = f"factorization machine, {rows:,} x 16, batch {batch:,} of 39 ids, Adagrad"
    return Work("steps", label, threads, values)


def perceptron(threads: int, batch: int) -> Work:
    values = {"kind": "perceptron", "layers": [784, 128, 10], "batch": batch}
    return Work("steps", f"perceptron 784-128-10, batch {batch:,}, Adam", threads, values)


def works(quick: bool) -> list[Work]:
    if quick:
        return [recommender(1, 4, 10_000, 256), machine(1, 10_000, 256), perceptron(1, 64)]
    return [
        work
        for threads in (1, 2)
        for work in (recommender(threads), machine(threads), perceptron(threads, 64), perceptron(threads, 1024))
    ]


def batches(work: Work) -> list[Arrays]:
    """Return the batches: ids, numbers and labels; of the machine ids and labels, of the perceptron x and labels."""
    rng = np.random.default_rng(0)
    if work.kind == "perceptron":
        x = rng.normal(size=(BATCHES, work.batch, work.layers[0])).astype(np.float32)
        return [[each, rng.integers(0, work.layers[-1], work.batch)] for each in x]
    columns = work.tables if work.kind == "recommender" else work.fields
    ids = data.ids(work.rows, BATCHES * work.batch * columns, "zipf").reshape(BATCHES, work.batch, columns)
    labels = rng.integers(0, 2, (BATCHES, work.batch)).astype(np.float32)
    if work.kind == "machine":
        return [[*each] for each in zip(ids, labels, strict=True)]
    numbers = rng.normal(size=(BATCHES, work.batch, work.numbers)).astype(np.float32)
    return [[*each] for each in zip(ids, numbers, labels, strict=True)]


def tables_of(work: Work) -> int:
    return {"recommender": work.values.get("tables", 0), "machine": 2, "perceptron": 0}[work.kind]


def first_table(work: Work, k: int) -> np.ndarray:
    """Return a table as everybody begins with it: the machine's are factors and weights."""
    width = 1 if work.kind == "machine" and k == 1 else work.width
    return np.resize(data.tile(k), work.rows * width).reshape(work.rows, width)


def first_tables(work: Work) -> Arrays:
    return [first_table(work, k) for k in range(tables_of(work))]


def first_dense(work: Work) -> Arrays:
    """Return the other parameters: W1, b1, W2, b2, ... of the layers; of the machine the bias."""
    if work.kind == "machine":
        return [np.full(1, 0.1, np.float32)]
    rng = np.random.default_rng(1)
    sizes = zip(work.layers[:-1], work.layers[1:], strict=True)
    pairs = [(rng.normal(size=(m, n)) * (2 / m) ** 0.5, np.full(n, 0.01)) for m, n in sizes]
    return [p.astype(np.float32) for pair in pairs for p in pair]


def answer(work: Work, losses: Sequence[float], tables: Sequence[Any], dense: Sequence[Any]) -> np.ndarray:
    """Return what is compared: losses, and how far dense parameters and rows of the first and last table have moved."""
    moved = [(p, first, slice(-SHOWN, None)) for p, first in zip(dense, first_dense(work), strict=True)]
    if tables:
        rows = np.unique(batches(work)[0][0][:, 0])[:SHOWN]
        moved += [(tables[k], first_table(work, k), rows) for k in (0, len(tables) - 1)]
    parts = [np.asarray(p)[part].astype(np.float64) - first[part] for p, first, part in moved]
    return np.concatenate([losses[:CHECKED], *(part.ravel()[-SHOWN:] for part in parts)])


# The same by hand, in float64


def by_layers(parameters: Arrays, x: np.ndarray, slope: Callable[[np.ndarray], tuple[float, np.ndarray]]) -> Any:
    """Return the loss, the gradient of the input, and those of the parameters of a perceptron."""
    inputs = [x]
    for w, b in zip(parameters[:-2:2], parameters[1:-2:2], strict=True):
        inputs.append(np.maximum(inputs[-1] @ w + b, 0))
    loss, g = slope(inputs[-1] @ parameters[-2] + parameters[-1])
    gradients: Arrays = []
    for k in range(len(inputs) - 1, -1, -1):
        gradients = [inputs[k].T @ g, g.sum(axis=0), *gradients]
        g = g @ parameters[2 * k].T
        if k:
            g = g * (inputs[k] > 0)
    return loss, g, gradients


def of_classes(labels: np.ndarray) -> Callable[[np.ndarray], tuple[float, np.ndarray]]:
    """Return the summed cross-entropy of logits, and its gradient."""
    rows = np.arange(len(labels))

    def slope(z: np.ndarray) -> tuple[float, np.ndarray]:
        z = z - z.max(axis=1, keepdims=True)
        total = np.exp(z).sum(axis=1, keepdims=True)
        g = np.exp(z) / total
        g[rows, labels] -= 1
        return float(np.sum(np.log(total[:, 0]) - z[rows, labels])), g

    return slope


def of_clicks(labels: np.ndarray) -> Callable[[np.ndarray], tuple[float, np.ndarray]]:
    """Return the summed logistic loss of logits, and its gradient."""

    def slope(z: np.ndarray) -> tuple[float, np.ndarray]:
        y = labels.reshape(z.shape)
        return float(np.sum(np.logaddexp(0, z) - y * z)), 1 / (1 + np.exp(-z)) - y

    return slope


def slopes(work: Work, tables: Arrays, dense: Arrays, batch: Arrays) -> tuple[float, Arrays]:
    """Return the loss and the gradients of tables, as whole tables, and of the other parameters."""
    if work.kind == "perceptron":
        loss, _, gradients = by_layers(dense, batch[0].astype(np.float64), of_classes(batch[1]))
        return loss, gradients
    ids, rows = batch[0], [np.zeros_like(each) for each in tables]
    if work.kind == "recommender":
        x = np.concatenate([each[ids[:, k]] for k, each in enumerate(tables)] + [batch[1]], axis=1)
        loss, g, gradients = by_layers(dense, x, of_clicks(batch[2]))
        for k, each in enumerate(rows):
            np.add.at(each, ids[:, k], g[:, k * work.width : (k + 1) * work.width])
        return loss, [*rows, *gradients]
    v, total = tables[0][ids], tables[0][ids].sum(axis=1)
    logits = dense[0] + tables[1][ids][..., 0].sum(axis=1) + (total**2 - (v**2).sum(axis=1)).sum(axis=1) / 2
    loss, g = of_clicks(batch[1])(logits)
    np.add.at(rows[0], ids, g[:, None, None] * (total[:, None] - v))
    np.add.at(rows[1], ids, g[:, None, None])
    return loss, [*rows, g.sum(keepdims=True)]


def expected(work: Work) -> np.ndarray:
    """Take the steps in float64, with the rows of tables that are met."""
    given = batches(work)[:CHECKED]
    tables, known = first_tables(work), []
    if tables:
        ids = np.stack([batch[0] for batch in given])
        known = [np.unique(ids[..., k] if work.kind == "recommender" else ids) for k in range(len(tables))]
        columns = known if work.kind == "recommender" else known[:1] * work.fields
        places = np.stack([np.searchsorted(rows, ids[..., k]) for k, rows in enumerate(columns)], axis=-1)
        given = [[place, *batch[1:]] for place, batch in zip(places, given, strict=True)]
    parameters = [
        p.astype(np.float64) for p in [t[rows] for t, rows in zip(tables, known, strict=True)] + first_dense(work)
    ]
    slots = [data.first_slots(p) for p in parameters]
    losses = []
    for number, batch in enumerate(given, 1):
        loss, gradients = slopes(work, parameters[: len(tables)], parameters[len(tables) :], batch)
        losses.append(loss)
        for p, state, g in zip(parameters, slots, gradients, strict=True):
            data.take_step(RULES[work.kind], number, p, state, g)
    ends = [t.astype(np.float64) for t in tables]
    for end, rows, p in zip(ends, known, parameters, strict=False):
        end[rows] = p
    return answer(work, losses, ends, parameters[len(tables) :])


case(
    Case(
        name="steps",
        title="Whole training steps",
        works=works,
        unit="ms per step",
        figure=lambda work, seconds: 1e3 * seconds,
        expected=expected,
        tolerance=lambda work: (2e-3, 3e-3 if work.kind == "perceptron" else 1e-5),
        strays=0.005,
        checked=CHECKED,
        memory=lambda work: 0.0 if work.kind == "perceptron" else 20.0 * work.rows * work.width * tables_of(work),
        order=31,
        seconds=1.0,
        note="float32, Zipf 1.1 ids, another batch in every step: lookups, the loss, summed over the batch, its "
        f"derivatives, the update. The losses of the first {CHECKED} steps are within 0.2 % of the same program's in "
        "float64, by hand; so is how far parameters and rows have moved, or within 1e-5, with Adam 3e-3 (its moves are "
        "of one size, however small the gradient); one element in 200 may be further off, by a unit of relu that a "
        "rounding turns on. *products* is the time of the matrix products alone, in NumPy and "
        "in torch. torch is eager, with `Embedding(sparse=True)`; jax is jit with optax, whose gradients and updates "
        "of tables are dense; FBGEMM is its table-batched embedding with the update in the backward pass, the rest by "
        "torch.",
    )
)
