"""``tf.contrib.mixed_precision``: losses that are scaled, and the scale that steps change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly

mp = tf.contrib.mixed_precision
GRADIENTS = [[1.0, 2.0], [np.nan, 1.0], [1.0, np.inf], [1.0, 1.0], [2.0, 2.0]]
SCALES = [8.0, 8.0, 6.0, 6.0, 12.0]
VALUES = [[9.0, 8.0], [9.0, 8.0], [9.0, 8.0], [8.0, 7.0], [6.0, 5.0]]


def manager() -> Any:
    return mp.ExponentialUpdateLossScaleManager(8, 2, 2, incr_ratio=2, decr_ratio=0.75)


def test_steps_of_a_graph_that_are_not_finite_are_left_out_and_change_the_scale():
    v, g = tf.Variable([10.0, 10.0]), tf.placeholder(tf.float32, [2])
    own = manager()
    step = tf.train.create_global_step()
    train = mp.LossScaleOptimizer(tf.train.MomentumOptimizer(1.0, 0.0), own).apply_gradients([(g, v)], step)
    scales, values = [], []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for gradient in GRADIENTS:
            session.run(train, {g: gradient})
            scales.append(session.run(own.get_loss_scale()))
            values.append(session.run(v).tolist())
        assert session.run(step) == 3
    assert scales == SCALES
    assert values == VALUES


def test_eager_steps_do_the_same():
    with eagerly():
        v, own = tf.Variable([10.0, 10.0]), manager()
        optimizer = mp.LossScaleOptimizer(tf.train.MomentumOptimizer(1.0, 0.0), own)
        scales, values = [], []
        for gradient in GRADIENTS:
            optimizer.apply_gradients([(tf.constant(gradient), v)])
            scales.append(own.get_loss_scale().numpy())
            values.append(v.numpy().tolist())
    assert scales == SCALES
    assert values == VALUES


def test_gradients_are_those_of_the_loss_though_half_types_would_lose_them():
    table = tf.Variable([[1.0], [2.0]])
    rows = tf.cast(tf.gather(table, [1]), tf.float16) * tf.constant(1e4, tf.float16)
    loss = tf.reduce_sum(rows * tf.constant(1e-4, tf.float16) * tf.constant(1e-4, tf.float16))
    plain = tf.train.GradientDescentOptimizer(1.0)
    scaled = mp.LossScaleOptimizer(plain, mp.FixedLossScaleManager(1e4))
    (lost, _), (kept, variable) = plain.compute_gradients(loss)[0], scaled.compute_gradients(loss)[0]
    assert variable is table
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([lost.values, kept.values])[0].tolist() == [[0]]
        np.testing.assert_allclose(session.run(kept.values), [[1e-4]], rtol=1e-2)
        session.run(scaled.apply_gradients([(kept, table)]))
        np.testing.assert_allclose(session.run(table), [[1], [1.9999]], rtol=1e-6)
    with pytest.raises(ValueError, match="at least 1"):
        mp.FixedLossScaleManager(0.5)


def test_the_rewriting_of_graphs_is_the_scaling_of_losses():
    wrap = tf.train.experimental.enable_mixed_precision_graph_rewrite
    optimizer = wrap(tf.train.GradientDescentOptimizer(1.0), 8.0)
    assert isinstance(optimizer, tf.train.experimental.MixedPrecisionLossScaleOptimizer)
    tf.train.experimental.disable_mixed_precision_graph_rewrite()
    with pytest.raises(ValueError, match="must not already be"):
        wrap(optimizer)
    with pytest.raises(ValueError, match="must be an instance of"):
        wrap(3)
