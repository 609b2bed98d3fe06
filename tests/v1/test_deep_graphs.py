"""Long unrolled programs: building, static shapes and gradients take neither Python's stack nor ever more time."""

from __future__ import annotations

import numpy as np

import steepest.v1 as tf


def test_nodes_used_many_times_are_looked_at_once():
    w, state = tf.Variable(tf.eye(4)), tf.zeros([2, 4])
    total, count = tf.constant([1]), tf.Variable([1])
    for _ in range(60):  # 2 ** 60 paths lead from the last node to the first
        gate = tf.sigmoid(state @ w)
        state = gate * state + (1 - gate) * tf.tanh(state @ w + 1)
        total, count = total * 1 + total * 0, count * 1 + count * 0
    assert tf.expand_dims(state, 1).shape.as_list() == [2, 1, 4]
    assert tf.zeros(count).shape.as_list() == [None]
    assert tf.zeros(total).shape.ndims == 1
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(tf.gradients(state, w)[0]).shape == (4, 4)
        assert session.run(count).tolist() == [1]


def test_a_chain_may_be_longer_than_the_stack():
    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(3000):
        y = y + tf.constant(0.001)
    (slope,) = tf.gradients(y * y, x)
    with tf.Session() as session:
        value, gradient = session.run([y, slope], {x: 1.0})
    np.testing.assert_allclose([value, gradient], [4.0, 8.0], rtol=1e-4)


def test_a_chain_of_constants_may_be_longer_than_the_stack():
    size = tf.constant(1)
    for _ in range(3000):
        size = size + 1
    assert tf.zeros([size]).shape.as_list() in ([None], [3001])
    with tf.Session() as session:
        assert session.run(tf.shape(tf.zeros([size]))).tolist() == [3001]
