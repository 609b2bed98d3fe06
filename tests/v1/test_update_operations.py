"""Update operations (``training_ops``) where numbers are outside a rule's range: an error, and nothing is written."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.training import training_ops

import steepest.v1 as tf


@pytest.mark.parametrize(("beta1", "lr"), [(1.0, 0.1), (np.nan, 0.1), (-0.5, 0.1), (0.9, np.nan)])
def test_numbers_outside_a_rules_range_are_an_error_and_nothing_is_written(beta1: float, lr: float):
    with tf.Graph().as_default(), tf.Session() as session:
        var, m, v = (tf.Variable([1.0, 2.0], name=name) for name in ("var", "m", "v"))
        beta, rate = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        update = training_ops.apply_adam(var, m, v, 0.9, 0.99, rate, beta, 0.99, 1e-8, tf.constant([1.0, 1.0]))
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"ApplyAdam: (beta1|learning_rate) must be"):
            session.run(update, {beta: beta1, rate: lr})
        np.testing.assert_array_equal(session.run([var, m, v]), [[1, 2]] * 3)
        session.run(update, {beta: 0.9, rate: 0.1})
        assert not np.array_equal(session.run(var), [1, 2])


def test_a_step_and_a_value_made_of_the_variable_are_both_kept_in_one_run():
    start = np.array([2.0, -0.5, -4.0], np.float32)
    for order in (1, -1):
        with tf.Graph().as_default(), tf.Session() as session:
            w = tf.Variable(start)
            x = tf.placeholder(tf.float32, [3])
            train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(w * x))
            clip = w.assign(tf.clip_by_value(w, -1.0, 1.0))
            more, less = w.assign_add([1.0, 1.0, 1.0]), w.assign(w * 0.5)
            with tf.control_dependencies([train]):
                after = w.assign(tf.clip_by_value(w.read_value(), -1.0, 1.0))
            session.run(w.initializer)
            session.run([train, clip][::order], {x: [1.0, 2.0, 3.0]})
            np.testing.assert_allclose(session.run(w), [0.5, -1.5, -2.5])
            session.run([more, less][::order])
            np.testing.assert_allclose(session.run(w), [1.25, 0.25, -0.25])
            session.run([train, after][::order], {x: [1.0, 2.0, 3.0]})
            np.testing.assert_allclose(session.run(w), [0.75, -0.75, -1.0])
