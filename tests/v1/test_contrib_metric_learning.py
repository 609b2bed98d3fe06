"""``tf.contrib.losses.metric_learning`` by loops in NumPy, and gradients where rows are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

learning = tf.contrib.losses.metric_learning
LABELS = np.array([0, 1, 0, 2, 1, 0])
ROWS = np.random.default_rng(5).normal(size=(6, 3)).astype(np.float32)
OTHERS = np.random.default_rng(6).normal(size=(6, 3)).astype(np.float32)


def run(node: Any) -> Any:
    with tf.Session() as session:
        return session.run(node)


def distances(rows: Any) -> Any:
    return np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(-1))


def pairs() -> list[tuple[int, int]]:
    return [(a, p) for a in range(6) for p in range(6) if a != p and LABELS[a] == LABELS[p]]


def test_distances_and_their_gradient_at_the_same_place():
    np.testing.assert_allclose(run(learning.pairwise_distance(ROWS)), distances(ROWS), rtol=1e-4, atol=1e-5)
    squares = run(learning.pairwise_distance(ROWS, squared=True))
    np.testing.assert_allclose(squares, distances(ROWS) ** 2, rtol=1e-4, atol=1e-5)
    x = tf.constant(np.ones((3, 2), np.float32))
    np.testing.assert_array_equal(run(tf.gradients(learning.pairwise_distance(x), x)[0]), np.zeros((3, 2)))


def test_contrastive():
    same, apart = np.array([1, 0, 1, 0, 0, 1]), np.sqrt(((ROWS - OTHERS) ** 2).sum(1))
    want = (same * apart**2 + (1 - same) * np.maximum(2 - apart, 0) ** 2).mean()
    assert run(learning.contrastive_loss(same, ROWS, OTHERS, margin=2.0)) == pytest.approx(want, rel=1e-5)


def test_semi_hard_triplets():
    squares = distances(ROWS) ** 2
    total = 0.0
    for a, p in pairs():
        others = squares[a][LABELS[a] != LABELS]
        beyond = others[others > squares[a, p]]
        total += max(1.5 + squares[a, p] - (beyond.min() if len(beyond) else others.max()), 0)
    loss = learning.triplet_semihard_loss(LABELS, ROWS, margin=1.5)
    assert run(loss) == pytest.approx(total / len(pairs()), rel=1e-4)
    with pytest.raises(ValueError, match="labels must be a vector"):
        learning.triplet_semihard_loss(LABELS[None], ROWS)


def test_n_pairs_of_one_label_and_of_several():
    def loss(same: Any) -> Any:
        products = ROWS @ OTHERS.T
        shares = products - np.log(np.exp(products).sum(1, keepdims=True))
        lengths = (ROWS**2).sum(1).mean() + (OTHERS**2).sum(1).mean()
        return -(same / same.sum(1, keepdims=True) * shares).sum(1).mean() + 0.25 * 0.1 * lengths

    same = (LABELS[:, None] == LABELS[None]).astype(float)
    assert run(learning.npairs_loss(LABELS, ROWS, OTHERS, reg_lambda=0.1)) == pytest.approx(loss(same), rel=1e-5)
    sets = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 1, 1]])
    sparse = [tf.SparseTensor(np.argwhere(row), row[row > 0], [3]) for row in sets]
    made = learning.npairs_loss_multilabel(sparse, ROWS, OTHERS, reg_lambda=0.1)
    assert run(made) == pytest.approx(loss(sets @ sets.T), rel=1e-5)
    with pytest.raises(TypeError, match="sparse_labels must be a list of SparseTensors"):
        learning.npairs_loss_multilabel(list(LABELS), ROWS, OTHERS)


def test_lifted_structure():
    apart = distances(ROWS)
    total = 0.0
    for i, j in pairs():
        near = sum(np.exp(1.2 - apart[k][LABELS[k] != LABELS]).sum() for k in (i, j))
        total += max(np.log(near) + apart[i, j], 0) ** 2
    want = 0.25 * total / (len(pairs()) / 2)
    assert run(learning.lifted_struct_loss(LABELS, ROWS, margin=1.2)) == pytest.approx(want, rel=1e-4)
    x = tf.constant(ROWS)
    assert np.isfinite(run(tf.gradients(learning.lifted_struct_loss(LABELS, x), x)[0])).all()
