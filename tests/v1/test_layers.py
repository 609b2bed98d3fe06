"""``tf.layers`` and ``tf.contrib.layers``: variables, values and updates, against the formulas."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 4)).astype(np.float32)


def started() -> tf.Session:
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return session


def names() -> list[str]:
    return [v.name for v in tf.global_variables()]


def test_a_dense_object_shares_its_variables():
    layer = tf.layers.Dense(3, activation=tf.nn.relu, name="d")
    a, b = layer(tf.constant(X)), layer(tf.constant(2 * X))
    assert names() == ["d/kernel:0", "d/bias:0"]
    assert [v.name for v in layer.trainable_variables] == names()
    assert layer.count_params() == 15
    with started() as session:
        first, second, kernel = session.run([a, b, layer.kernel])
    np.testing.assert_allclose(first, np.maximum(X @ kernel, 0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(second, np.maximum(2 * X @ kernel, 0), rtol=1e-5, atol=1e-6)


def test_functions_name_layers_one_after_the_other():
    out = tf.layers.dense(tf.layers.dense(tf.constant(X), 3), 2, use_bias=False)
    tf.layers.dense(tf.constant(X), 3, name="mine")
    tf.layers.dense(tf.constant(X), 3, name="mine", reuse=True)
    expected = ["dense/kernel:0", "dense/bias:0", "dense_1/kernel:0", "mine/kernel:0", "mine/bias:0"]
    assert names() == expected
    assert out.shape.as_list() == [6, 2]
    assert tf.layers.flatten(tf.zeros([5, 2, 3])).shape.as_list() == [5, 6]
    assert tf.layers.Flatten()(tf.placeholder(tf.float32, [None, 2, 3])).shape.as_list() == [None, 6]


@pytest.mark.parametrize("fed", [False, True], ids=["python bool", "placeholder"])
@pytest.mark.parametrize("shape", [(6, 4), (2, 3, 2, 4)], ids=str)
def test_batch_normalization_uses_the_batch_in_training_and_averages_else(fed: bool, shape: Any):
    x = RNG.normal(3, 2, size=shape).astype(np.float32)
    switch = tf.placeholder(tf.bool, []) if fed else True
    out = tf.layers.batch_normalization(tf.constant(x), momentum=0.75, training=switch, name="bn")
    test = tf.layers.batch_normalization(tf.constant(x), momentum=0.75, training=False, name="bn", reuse=True)
    assert names() == ["bn/gamma:0", "bn/beta:0", "bn/moving_mean:0", "bn/moving_variance:0"]
    assert [v.name for v in tf.trainable_variables()] == ["bn/gamma:0", "bn/beta:0"]
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    assert len(updates) == 2
    flat = x.reshape(-1, 4).astype(float)
    mean, variance = flat.mean(0), flat.var(0)
    with started() as session:
        feed = {switch: True} if fed else {}
        value, _ = session.run([out, updates], feed)
        np.testing.assert_allclose(value.reshape(-1, 4), (flat - mean) / np.sqrt(variance + 1e-3), rtol=1e-4, atol=1e-5)
        moved = session.run(tf.global_variables()[2:])
        unbiased = variance * (len(flat) / (len(flat) - 1) if len(shape) == 4 else 1)
        np.testing.assert_allclose(moved[0], 0.25 * mean, rtol=1e-4)
        np.testing.assert_allclose(moved[1], 0.75 + 0.25 * unbiased, rtol=1e-4)
        expected = (flat - moved[0]) / np.sqrt(moved[1] + 1e-3)
        np.testing.assert_allclose(session.run(test).reshape(-1, 4), expected, rtol=1e-4, atol=1e-5)
        if fed:
            value, _ = session.run([out, updates], {switch: False})
            np.testing.assert_allclose(value.reshape(-1, 4), expected, rtol=1e-4, atol=1e-5)
            assert [a.tolist() for a in session.run(tf.global_variables()[2:])] == [a.tolist() for a in moved]


def test_normalized_layers_train():
    x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None])
    hidden = tf.layers.batch_normalization(tf.layers.dense(x, 8), training=True)
    loss = tf.reduce_mean(tf.square(tf.layers.dense(tf.nn.relu(hidden), 1)[:, 0] - y))
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.AdamOptimizer(0.05).minimize(loss)
    data = RNG.normal(size=(64, 4))
    with started() as session:
        losses = [session.run([loss, train], {x: data, y: data[:, 0]})[0] for _ in range(60)]
    assert losses[-1] < 0.1 * losses[0]


@pytest.mark.parametrize("in_place", [False, True], ids=["collected", "in place"])
@pytest.mark.parametrize("debias", [False, True])
def test_contrib_batch_norm(in_place: bool, debias: bool):
    kwargs: dict[str, Any] = {"updates_collections": None} if in_place else {}
    out = tf.contrib.layers.batch_norm(tf.constant(X), decay=0.75, scale=True, zero_debias_moving_mean=debias, **kwargs)
    assert {"BatchNorm/beta:0", "BatchNorm/gamma:0", "BatchNorm/moving_mean:0"} <= set(names())
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    assert len(updates) == (0 if in_place else 2)
    mean, variance = X.astype(float).mean(0), X.astype(float).var(0)
    with started() as session:
        value, _ = session.run([out, updates])
        np.testing.assert_allclose(value, (X - mean) / np.sqrt(variance + 1e-3), rtol=1e-4, atol=1e-5)
        by_name = {v.name: session.run(v) for v in tf.global_variables()}
    share = 1.0 if debias else 0.25
    np.testing.assert_allclose(by_name["BatchNorm/moving_mean:0"], share * mean, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(
        by_name["BatchNorm/moving_variance:0"], 0.75 + 0.25 * X.astype(float).var(0, ddof=1), rtol=1e-4
    )


def test_other_contrib_layers():
    layers = tf.contrib.layers
    ids = tf.constant([[0, 2], [1, 1]])
    embedded = layers.embed_sequence(ids, vocab_size=3, embed_dim=5)
    normal = layers.layer_norm(tf.constant(X))
    stacked = layers.stack(tf.constant(X), layers.fully_connected, [3, 2], scope="s")
    one_hot, unit = layers.one_hot_encoding([0, 2], 3), layers.unit_norm(tf.constant(X), 1)
    kept = layers.dropout(tf.constant(X), 0.5, is_training=tf.constant(False))
    penalty = layers.l1_l2_regularizer(0.5, 0.25)(tf.constant([3.0, -4.0]))
    flat, linear = layers.flatten(tf.zeros([2, 3, 4])), layers.linear(tf.constant(X), 2)
    assert {"EmbedSequence/embeddings:0", "LayerNorm/beta:0", "s/s_2/weights:0"} <= set(names())
    with started() as session:
        table = session.run(tf.global_variables()[0])
        np.testing.assert_array_equal(session.run(embedded), table[[[0, 2], [1, 1]]])
        expected = (X - X.mean(1, keepdims=True)) / X.std(1, keepdims=True)
        np.testing.assert_allclose(session.run(normal), expected, rtol=1e-4, atol=1e-5)
        assert session.run(stacked).shape == (6, 2)
        assert session.run(one_hot).tolist() == [[1, 0, 0], [0, 0, 1]]
        np.testing.assert_allclose(np.linalg.norm(session.run(unit), axis=1), 1, rtol=1e-5)
        np.testing.assert_array_equal(session.run(kept), X)
        assert session.run(penalty) == 0.5 * 7 + 0.25 * 12.5
        assert session.run(flat).shape == (2, 12)
        assert session.run(linear).min() < 0


def test_moving_averages_of_values_are_debiased_as_tensorflows():
    average = tf.Variable(np.float32(0), trainable=False, name="a")
    move = tf.train.assign_moving_average(average, 8.0, 0.75)
    plain = tf.Variable(np.float32(0), trainable=False, name="p")
    other = tf.train.assign_moving_average(plain, 8.0, 0.75, zero_debias=False)
    assert names() == ["a:0", "a/biased:0", "a/local_step:0", "p:0"] or set(names()) >= {"a/biased:0", "a/local_step:0"}
    with started() as session:
        assert [session.run([move, other]) for _ in range(2)] == [[8, 2], [8, 3.5]]


EAGER = """
import numpy as np
import steepest.v1 as tf
tf.enable_eager_execution()
x = np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32)
layer, norm = tf.layers.Dense(3), tf.layers.BatchNormalization(momentum=0.5)
out = norm(layer(x), training=True)
hidden = x @ layer.kernel.numpy()
np.testing.assert_allclose(out, (hidden - hidden.mean(0)) / np.sqrt(hidden.var(0) + 1e-3), rtol=1e-3, atol=1e-4)
np.testing.assert_allclose(norm.variables[2].numpy(), hidden.mean(0) / 2, rtol=1e-4, atol=1e-6)
assert tf.layers.flatten(tf.zeros([2, 3, 4])).shape.as_list() == [2, 12]
assert tf.layers.Dense(2)(tf.zeros([2, 3, 4])).shape.as_list() == [2, 3, 2]
assert tf.layers.dropout(tf.ones([2]), training=False).numpy().tolist() == [1, 1]
"""


def test_layers_work_in_eager_mode():
    done = subprocess.run([sys.executable, "-c", EAGER], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_batch_normalization_over_several_axes():
    x = np.random.default_rng(5).normal(3.0, 2.0, (4, 3, 5, 2)).astype("f")
    layer = tf.layers.BatchNormalization(axis=[1, 3], momentum=0.5, fused=False)
    out = layer.apply(tf.constant(x), training=True)
    assert layer.gamma.get_shape().as_list() == [1, 3, 1, 2]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        got = session.run([out, *layer.updates])[0]
        mean, variance = x.mean((0, 2), keepdims=True), x.var((0, 2), keepdims=True)
        np.testing.assert_allclose(got, (x - mean) / np.sqrt(variance + 1e-3), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(session.run(layer.moving_mean), mean / 2, rtol=1e-5)
        still = session.run(layer.apply(tf.constant(x), training=False))
    np.testing.assert_allclose(still, (x - mean / 2) / np.sqrt((variance + 1) / 2 + 1e-3), rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="Invalid axis"):
        tf.layers.batch_normalization(tf.constant(x), axis=[1, 4])
