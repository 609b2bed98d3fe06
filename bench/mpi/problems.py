"""The three models that ranks train: values that everybody begins with, and batches, cut into two micro-batches.

Everything comes from seeds, so that every interpreter has the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

__all__ = ["ACCUMULATOR", "PROBLEMS", "RATE", "Batch", "Problem", "joined"]

PARTS = 2  # micro-batches of a step: one for each of two ranks
BATCHES = 8
RATE, ACCUMULATOR = 0.05, 0.1

Array = np.ndarray
Batch = tuple[Array, ...]


@dataclass(frozen=True)
class Problem:
    """A model: what it is called, what it begins with, and its batches, each a list of micro-batches."""

    name: str
    title: str
    initial: Callable[[], dict[str, Array]]
    batches: Callable[[], list[list[Batch]]]
    rule: str = "adagrad"
    tables: tuple[str, ...] = ()  # the parameters whose gradients are rows


def joined(parts: list[Batch]) -> Batch:
    """Return the micro-batches of a step as one batch."""
    return tuple(np.concatenate(columns) for columns in zip(*parts, strict=True))


def _normal(seed: int, shape: tuple[int, ...], scale: float) -> Array:
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


# Skip-gram with negative sampling ----------------------------------------------------------------

WORDS, WIDTH, NEGATIVES, PAIRS = 50_000, 64, 5, 2048


def _words_initial() -> dict[str, Array]:
    return {"inputs": _normal(1, (WORDS, WIDTH), 0.1), "outputs": _normal(2, (WORDS, WIDTH), 0.1)}


@functools.cache
def _words_batches() -> list[list[Batch]]:
    """A micro-batch: words as often as in a text (Zipf's law), and for each a neighbour before drawn words."""
    rng = np.random.default_rng(0)
    often = 1 / np.arange(1, WORDS + 1)
    ends = np.cumsum(often / often.sum())

    def words(*shape: int) -> Array:
        return np.minimum(np.searchsorted(ends, rng.random(shape)), WORDS - 1).astype(np.int64)

    return [[(words(PAIRS), words(PAIRS, 1 + NEGATIVES)) for _ in range(PARTS)] for _ in range(BATCHES)]


# A multilayer perceptron -------------------------------------------------------------------------

SIZES, EXAMPLES = (256, 1024, 1024, 10), 128


def _mlp_initial() -> dict[str, Array]:
    found: dict[str, Array] = {}
    for k, (rows, columns) in enumerate(pairwise(SIZES)):
        found[f"w{k}"] = _normal(10 + k, (rows, columns), (2 / rows) ** 0.5)
        found[f"b{k}"] = np.zeros(columns, np.float32)
    return found


@functools.cache
def _mlp_batches() -> list[list[Batch]]:
    """A micro-batch: features and labels, which a random linear map decides."""
    truth = _normal(3, (SIZES[0], SIZES[-1]), 1.0)
    rng = np.random.default_rng(4)

    def part() -> Batch:
        x = rng.standard_normal((EXAMPLES, SIZES[0])).astype(np.float32)
        return x, np.argmax(x @ truth, axis=1)

    return [[part() for _ in range(PARTS)] for _ in range(BATCHES)]


# A recommender -----------------------------------------------------------------------------------

USERS, ITEMS, FACTORS, HIDDEN, RATINGS = 200_000, 50_000, 32, 64, 2048


def _recommender_initial() -> dict[str, Array]:
    return {
        "users": _normal(5, (USERS, FACTORS), 0.1),
        "items": _normal(6, (ITEMS, FACTORS), 0.1),
        "w0": _normal(7, (2 * FACTORS, HIDDEN), (1 / FACTORS) ** 0.5),
        "b0": np.zeros(HIDDEN, np.float32),
        "w1": _normal(8, (HIDDEN, 1), (2 / HIDDEN) ** 0.5),
    }


@functools.cache
def _recommender_batches() -> list[list[Batch]]:
    """A micro-batch: users, items, few of which come often, and whether they met."""
    rng = np.random.default_rng(9)

    def ids(count: int) -> Array:
        return np.minimum(rng.zipf(1.2, RATINGS) - 1, count - 1) * 7919 % count

    def part() -> Batch:
        users, items = ids(USERS), ids(ITEMS)
        return users, items, ((users + items) % 3 == 0).astype(np.float32)

    return [[part() for _ in range(PARTS)] for _ in range(BATCHES)]


PROBLEMS = {
    problem.name: problem
    for problem in (
        Problem(
            "words",
            f"skip-gram, {WORDS:,} words of {WIDTH}, {PARTS * PAIRS:,} pairs, {NEGATIVES} drawn for each, Adagrad",
            _words_initial,
            _words_batches,
            tables=("inputs", "outputs"),
        ),
        Problem(
            "mlp",
            f"perceptron {'-'.join(map(str, SIZES))}, {PARTS * EXAMPLES} examples, Adam",
            _mlp_initial,
            _mlp_batches,
            "adam",
        ),
        Problem(
            "recommender",
            f"{USERS:,} users, {ITEMS:,} items of {FACTORS}, {HIDDEN} units, {PARTS * RATINGS:,} examples, Adagrad",
            _recommender_initial,
            _recommender_batches,
            tables=("users", "items"),
        ),
    )
}
