"""Optimizers of ``tf.contrib.opt`` that only TensorFlow 1 has: numbers of TensorFlow 1.15, and of what they compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.training import training_ops

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly

opt = tf.contrib.opt
START, ROWS = np.array([1.0, 2.0, -3.0, 4.0]), np.array([[1.0, 2.0], [3.0, 4.0], [-5.0, 6.0]])
IDS = np.array([0, 2, 0])


def gradients(step: int) -> tuple[Any, Any]:
    return np.array([0.1 * step, -0.2, 0.3, 0.0]), np.array([[0.1 * step, 0.2], [-0.3, 0.4], [0.5, 0.6]])


def steps_in_a_graph(make: Any, sparse: bool = True) -> list[Any]:
    step = tf.train.get_or_create_global_step()
    v, w = tf.Variable(START, name="v"), tf.Variable(ROWS, name="w")
    g, rows = tf.placeholder(tf.float64, [4]), tf.placeholder(tf.float64, [3, 2])
    pairs = [(g, v), (tf.IndexedSlices(rows, tf.constant(IDS)), w)][: 2 if sparse else 1]
    optimizer = make(step)
    train = optimizer.apply_gradients(pairs, global_step=step)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for number in range(1, 4):
            session.run(train, dict(zip((g, rows), gradients(number), strict=True)))
        return [
            *session.run([v, w]),
            *(session.run(optimizer.get_slot(v, name)) for name in optimizer.get_slot_names()),
        ]


def steps_at_once(make: Any, sparse: bool = True) -> list[Any]:
    with eagerly():
        step = tf.train.get_or_create_global_step()
        step.assign(0)
        v, w = tf.Variable(START, name="v"), tf.Variable(ROWS, name="w")
        optimizer = make(step)
        for number in range(1, 4):
            g, rows = map(tf.constant, gradients(number))
            pairs = [(g, v), (tf.IndexedSlices(rows, tf.constant(IDS)), w)][: 2 if sparse else 1]
            optimizer.apply_gradients(pairs, global_step=step)
        return [v.numpy(), w.numpy(), *(optimizer.get_slot(v, name).numpy() for name in optimizer.get_slot_names())]


both = pytest.mark.parametrize("steps", [steps_in_a_graph, steps_at_once], ids=["graph", "eager"])


@both
@pytest.mark.parametrize("lazy", [False, True], ids=["all_rows", "lazy"])
def test_adams_powers_are_those_of_the_global_step(steps: Any, lazy: bool):
    own, plain = (
        (opt.LazyAdamGSOptimizer, opt.LazyAdamOptimizer) if lazy else (opt.AdamGSOptimizer, tf.train.AdamOptimizer)
    )
    found = steps(lambda step: own(step, 0.1))
    tf.reset_default_graph()
    for got, want in zip(found, steps(lambda step: plain(0.1)), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4)  # the powers are float32 numbers


@both
def test_adam_begins_where_the_global_step_is(steps: Any):
    def far(step: Any) -> Any:
        return opt.AdamGSOptimizer(10_000, 0.1)  # decays to the powers of 10001 are nearly 0

    v, m, second = np.array(START), np.zeros(4), np.zeros(4)
    for number in range(1, 4):
        g, _ = gradients(number)
        m, second = 0.9 * m + 0.1 * g, 0.999 * second + 0.001 * g * g
        v -= 0.1 * np.sqrt(1 - 0.999**10_001) * m / (np.sqrt(second) + 1e-8)
    np.testing.assert_allclose(steps(far)[0], v, rtol=1e-4)


@both
def test_lars_sums_steps_that_have_their_parameters_rate(steps: Any):
    v, a = np.array(START), np.zeros(4)
    for number in range(1, 4):
        g, _ = gradients(number)
        length, slope = np.linalg.norm(v), np.linalg.norm(g)
        a = 0.9 * a + 0.1 * 0.5 * length / (slope + 0.01 * length) * (g + 0.01 * v)
        v -= a
    found = steps(lambda step: opt.LARSOptimizer(0.1, weight_decay=0.01, eeta=0.5), sparse=False)
    np.testing.assert_allclose(found[0], v)
    np.testing.assert_allclose(found[2], a)


@both
def test_lars_leaves_rates_of_rows_and_of_what_is_skipped(steps: Any):
    found = steps(lambda step: opt.LARSOptimizer(0.1, skip_list=["v"], use_nesterov=True))
    tf.reset_default_graph()
    plain = steps(lambda step: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True))
    for got, want in zip(found[:2], plain, strict=False):
        np.testing.assert_allclose(got, want, rtol=1e-6)


@both
def test_ggt_takes_tensorflows_steps(steps: Any):
    v, *_ = steps(lambda step: opt.GGTOptimizer(0.01, window=3), sparse=False)
    np.testing.assert_allclose(v, [0.98754, 2.011, -3.0165, 4.0], atol=1e-5)  # of TensorFlow 1.15


def test_ggt_keeps_a_window_of_averages_of_all_variables_by_name():
    b, a = tf.Variable([1.0, 1.0], name="b"), tf.Variable([[1.0]], name="a")
    ggt = opt.GGTOptimizer(0.01, beta1=0.5, window=2)
    train = ggt.apply_gradients([(tf.constant([2.0, 4.0]), b), (tf.constant([[8.0]]), a)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(train)
        found = session.run([ggt._get_flat_grad(), ggt._get_moment1(), ggt._get_grad_buffer(), ggt._get_global_step()])
    assert found[0].tolist() == [8, 2, 4]
    assert found[1].tolist() == [7, 1.75, 3.5]
    assert found[2].tolist() == [[7, 1.75, 3.5], [6, 1.5, 3]]
    assert found[3] == 3
    with pytest.raises(NotImplementedError, match="Sparse"):
        ggt.apply_gradients([(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), b)])


@pytest.mark.parametrize("eager", [False, True])
def test_update_operations_take_variables_that_are_one_number(eager: bool):
    def step() -> Any:
        v, m = tf.Variable(1.0, use_resource=True), tf.Variable(0.0, use_resource=True)
        return v, m, lambda: training_ops.resource_apply_momentum(v.handle, m.handle, 0.1, tf.constant(2.0), 0.9)

    if eager:
        with eagerly():
            v, m, update = step()
            update()
            assert (v.numpy(), m.numpy()) == (np.float32(0.8), 2)
        return
    v, m, update = step()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(update())
        assert session.run([v, m]) == [np.float32(0.8), 2]
