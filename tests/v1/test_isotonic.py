"""Isotonic regression, dropout by numbers of a seed or of the program's own, and sparse gradients of sums of rows."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.ops import gradient_checker, nn_ops

import steepest.v1 as tf

X = [[0.0, 6.0, 2.0, 8.0, 4.0], [5.0, 1.0, 7.0, 3.0, 9.0]]


def run(values):
    with tf.Session() as session:
        return session.run(values)


def test_values_do_not_grow_and_are_means_of_segments():
    y, segments = run(nn_ops.isotonic_regression(X))
    assert y.tolist() == [[4.0] * 5, [5.0] * 5]
    assert segments.tolist() == [[0, 0, 0, 0, 1], [0, 1, 1, 1, 1]]
    y, segments = run(nn_ops.isotonic_regression(X, axis=0, decreasing=False))
    assert y.tolist() == [[0, 3.5, 2, 5.5, 4], [5, 3.5, 7, 5.5, 9]]
    assert segments.tolist() == [[0] * 5, [1, 0, 1, 0, 1]]
    assert [each.dtype.name for each in nn_ops.isotonic_regression(np.int32([3, 1]))] == ["float64", "int32"]
    assert run(nn_ops.isotonic_regression(np.zeros((2, 0), np.float32)))[1].shape == (2, 0)
    with pytest.raises(ValueError, match=r"axis must be one of the inputs', of shape \(2,\), got 1"):
        nn_ops.isotonic_regression([1.0, 2.0], axis=1)


def test_their_gradient_is_the_mean_over_each_segment():
    first = np.random.default_rng(0).normal(size=(3, 7))
    with tf.Session():
        x = tf.placeholder("float64", first.shape)
        y, _ = nn_ops.isotonic_regression(x)
        assert gradient_checker.compute_gradient_error(x, first.shape, y, first.shape, first) < 1e-9


def test_dropout_by_a_seed_and_by_own_numbers():
    x = tf.ones([200, 3])
    one, same, other = run([nn_ops.stateless_dropout(x, 0.25, seed) for seed in ((1, 2), (1, 2), (2, 1))])
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
    assert set(one.ravel().tolist()) == {0.0, np.float32(1 / 0.75)}
    rows = run(nn_ops.stateless_dropout(x, 0.5, (3, 4), noise_shape=[None, 1]))
    assert set(map(tuple, rows.tolist())) == {(0.0,) * 3, (2.0,) * 3}
    half = nn_ops.general_dropout(x, 0.5, lambda shape, dtype: tf.reshape(tf.linspace(0.0, 1.0, 600), shape))
    assert run(half).ravel().tolist() == [0.0] * 300 + [2.0] * 300
    assert nn_ops.general_dropout(x, 0.0, None) is x
    for bad in ({"rate": 1.0}, {"rate": [0.0, 0.5]}, {"rate": 0.5, "noise_shape": [4]}):
        with pytest.raises(ValueError, match=r"rate must|`rate` must|Dimensions must be equal"):
            nn_ops.stateless_dropout(x, seed=(1, 2), **bad)
    with pytest.raises(ValueError, match="floating point"):
        nn_ops.stateless_dropout([1, 2], 0.5, (1, 2))
    with pytest.raises(ValueError, match="rng_alg must be"):
        nn_ops.stateless_dropout(x, 0.5, (1, 2), rng_alg="dice")


@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
def test_a_program_sees_each_row_of_the_gradient_of_sums_of_rows_once(combiner):
    table = tf.get_variable("table", initializer=np.arange(12, dtype=np.float32).reshape(6, 2))
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0], [2, 0], [2, 1]], np.int64([3, 1, 3, 1, 0]), [3, 2])
    found = tf.nn.embedding_lookup_sparse(table, ids, None, combiner=combiner, allow_fast_lookup=True)
    (gradient,) = tf.gradients(tf.reduce_sum(found * found), table)
    clipped = tf.IndexedSlices(tf.clip_by_value(gradient.values, -9.0, 9.0), gradient.indices, gradient.dense_shape)
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    whole, part = optimizer.apply_gradients([(gradient, table)]), optimizer.apply_gradients([(clipped, table)])
    with tf.Session() as session:
        for train, limit in ((whole, np.inf), (part, 9.0)):
            session.run(tf.global_variables_initializer())
            dense = session.run(tf.convert_to_tensor(gradient))
            assert session.run(gradient.indices).tolist() == [3, 1, 0]
            before = session.run(table)
            session.run(train)
            np.testing.assert_allclose(session.run(table), before - np.clip(dense, -limit, limit), rtol=1e-6)
