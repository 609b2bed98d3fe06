"""Combined lookups of one table: by the native call, whose gradient reaches the update without a row for each id."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.ops.bag_slices import BagSlices

TABLE = np.random.default_rng(5).normal(size=(7, 3)).astype(np.float32)
WHERE = [[0, 0], [0, 1], [2, 0], [2, 1], [2, 2]]
IDS, WEIGHTS = [6, 1, 1, 4, 1], [0.5, 2.0, 1.0, 0.25, 3.0]


def lookup(tables: Any, order: list[int], combiner: str, weighted: bool, dtype: Any = np.int64) -> Any:
    places = [WHERE[k] for k in order]
    ids = tf.SparseTensor(places, np.array([IDS[k] for k in order], dtype), [4, 3])
    weights = tf.SparseTensor(places, [WEIGHTS[k] for k in order], [4, 3]) if weighted else None
    return tf.nn.embedding_lookup_sparse(tables, ids, weights, combiner=combiner)


def expected(combiner: str, weighted: bool) -> Any:
    out = np.zeros((3, 3))
    for row in (0, 2):
        at = [k for k, (i, _) in enumerate(WHERE) if i == row]
        w = np.array([WEIGHTS[k] if weighted else 1.0 for k in at])
        share = {"sum": 1.0, "mean": w.sum(), "sqrtn": np.sqrt((w * w).sum())}[combiner]
        out[row] = (w[:, None] * TABLE[[IDS[k] for k in at]]).sum(0) / share
    return out


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [3, 0, 4, 1, 2]])
def test_rows_are_combined_in_any_order_of_places(order: list[int], combiner: str, weighted: bool):
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(lookup(tf.constant(TABLE), order, combiner, weighted))
    np.testing.assert_allclose(found, expected(combiner, weighted), rtol=1e-5)


@pytest.mark.parametrize("weighted", [False, True])
def test_steps_are_those_of_the_same_table_in_two_parts(weighted: bool):
    results = []
    for cut in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            parts = [tf.Variable(TABLE[k::2]) for k in (0, 1)] if cut else [tf.Variable(TABLE)]
            loss = tf.reduce_sum(tf.square(lookup(parts if cut else parts[0], [0, 1, 2, 3, 4], "mean", weighted)))
            step = tf.train.AdagradOptimizer(0.1).minimize(loss)
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                session.run(step)
            values = session.run(parts)
        whole = np.empty_like(TABLE)
        for k, value in enumerate(values):
            whole[k :: len(values)] = value
        results.append(whole)
    np.testing.assert_allclose(*results, rtol=1e-5)
    assert not np.allclose(results[0], TABLE)


def test_a_step_makes_no_row_for_each_id(monkeypatch: pytest.MonkeyPatch):
    made = []
    getter = BagSlices.values.fget
    assert getter is not None
    monkeypatch.setattr(BagSlices, "values", property(lambda self: (made.append(1), getter(self))[1]))
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.Variable(TABLE)
        loss = tf.reduce_sum(tf.square(lookup(table, [0, 1, 2, 3, 4], "mean", False)))
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        (gradient,) = tf.gradients(loss, table)
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert not made
        values, indices = session.run([gradient.values, gradient.indices])
        assert made  # who asks for the values has them, each row once
        assert indices.tolist() == list(dict.fromkeys(IDS))
        assert values.shape == (len(indices), 3)


def test_a_fetched_gradient_beside_the_step_is_whole():
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.Variable(TABLE)
        loss = tf.reduce_sum(lookup(table, [0, 1, 2, 3, 4], "sum", False))
        opt = tf.train.GradientDescentOptimizer(1.0)
        pairs = opt.compute_gradients(loss)
        step = opt.apply_gradients(pairs)
        session.run(tf.global_variables_initializer())
        _, slices = session.run([step, pairs[0][0]])
        different = list(dict.fromkeys(IDS))
        assert slices.indices.tolist() == different
        counts = np.float32([IDS.count(each) for each in different])
        np.testing.assert_array_equal(slices.values, np.repeat(counts[:, np.newaxis], 3, axis=1))
        after = TABLE.copy()
        np.subtract.at(after, IDS, 1)
        np.testing.assert_allclose(session.run(table), after, rtol=1e-6)


def test_an_id_that_is_not_there_is_named():
    with tf.Graph().as_default(), tf.Session() as session:
        ids = tf.SparseTensor([[0, 0]], [7], [1, 1])
        found = tf.nn.embedding_lookup_sparse(tf.constant(TABLE), ids, None)
        with pytest.raises(tf.errors.InvalidArgumentError, match="7"):
            session.run(found)
