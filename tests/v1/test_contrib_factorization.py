"""``tf.contrib.factorization.KMeans``: Lloyd's steps and those of mini-batches, against their formulas in NumPy."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.contrib.factorization import KMeans

DRAWS = np.random.default_rng(5)
ROWS = np.concatenate([DRAWS.normal(size=(30, 2)) + at for at in ((0, 0), (6, 6), (-6, 5))]).astype("f")
ROWS = ROWS[DRAWS.permutation(len(ROWS))]


def unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def nearest(rows: Any, centers: Any) -> Any:
    return np.argmin(np.square(rows[:, None] - centers).sum(2), 1)


def steps(batches: list[Any], first: Any, **options: Any) -> tuple[list[Any], Any, Any]:
    """Return the centers after each batch, and the numbers and distances of all rows at the end."""
    x = tf.placeholder(tf.float32, [None, 2])
    _, numbers, distances, initialized, begin, step = KMeans(
        x, len(first), initial_clusters=first, **options
    ).training_graph()
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(begin, {x: ROWS})
        assert session.run(initialized)
        session.run(begin, {x: ROWS})  # has nothing to do
        for batch in batches:
            session.run(step, {x: batch})
            found.append(session.run(tf.global_variables()))
        return found, *session.run([numbers[0], distances[0]], {x: ROWS})


@pytest.mark.parametrize("metric", ["squared_euclidean", "cosine"])
def test_a_step_of_all_rows_moves_centers_to_the_means(metric: str):
    rows = unit(ROWS) if metric == "cosine" else ROWS
    centers = (unit(ROWS[:3]) if metric == "cosine" else ROWS[:3]).astype(float)
    found, numbers, distances = steps([ROWS] * 4, ROWS[:3], distance_metric=metric)
    for variables in found:
        to = nearest(rows, centers)
        centers = np.array([rows[to == k].sum(0) / ((to == k).sum() + 1e-6) for k in range(3)])
        centers = unit(centers) if metric == "cosine" else centers
        np.testing.assert_allclose(variables[0], centers, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(numbers, nearest(rows, centers))
    square = np.square(rows - centers[numbers]).sum(1)
    np.testing.assert_allclose(distances, square / 2 if metric == "cosine" else square, rtol=1e-3, atol=1e-5)


def test_a_step_of_some_rows_moves_centers_by_their_shares():
    batches = np.split(ROWS, 6)
    centers, counts = ROWS[:3].astype(float), np.ones(3)
    for variables, rows in zip(steps(batches, ROWS[:3], use_mini_batch=True)[0], batches, strict=True):
        to = nearest(rows, centers)
        sizes = np.bincount(to, minlength=3)
        sums = np.array([rows[to == k].sum(0) for k in range(3)])
        centers = centers + (sums - sizes[:, None] * centers) / (counts + sizes)[:, None]
        counts = counts + sizes
        np.testing.assert_allclose(variables[0], centers, rtol=1e-4)
        np.testing.assert_array_equal(variables[2], counts)


def test_centers_are_handed_over_after_as_many_steps():
    options = {"use_mini_batch": True, "mini_batch_steps_per_iteration": 2}
    found, *_ = steps(np.split(ROWS, 6), ROWS[:3], **options)
    for before, after in pairwise(found):
        handed = before[3] == 0  # no steps were left
        np.testing.assert_array_equal(after[0], before[2] if handed else before[0])
    assert [int(variables[3]) for variables in found] == [1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize("way", ["random", "kmeans_plus_plus", "kmc2"])
def test_first_centers_are_rows_and_all_of_them_are_found_in_the_end(way: str):
    x = tf.placeholder(tf.float32, [None, 2])
    _, _, _, initialized, begin, _ = KMeans(x, 5, initial_clusters=way, kmc2_chain_length=20).training_graph()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        runs = 0
        while not session.run(initialized):
            session.run(begin, {x: ROWS[runs * 7 : runs * 7 + 40]})
            runs += 1
        (centers, *_) = session.run(tf.global_variables())
    assert runs == (1 if way != "kmc2" else 3)
    assert all(any((row == center).all() for row in ROWS) for center in centers)
    if way == "kmeans_plus_plus":  # far ones are likelier: one of each heap at least
        assert len({int(k) for k in nearest(centers, np.array([[0, 0], [6, 6], [-6, 5]]))}) == 3


def test_bad_words_are_refused():
    with pytest.raises(ValueError, match="Unsupported initialization algorithm 'best'"):
        KMeans(ROWS, 3, initial_clusters="best")
    with pytest.raises(ValueError, match="Unsupported distance metric 'far'"):
        KMeans(ROWS, 3, distance_metric="far")
