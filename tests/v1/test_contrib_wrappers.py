"""``tf.contrib.opt``: the optimizers that wrap another, in a session and in eager mode."""

from __future__ import annotations

import numpy as np
import pytest
from test_contrib_opt import run

import steepest as st
import steepest.v1 as tf

opt = tf.contrib.opt


def test_moving_averages_follow_in_a_session_and_are_swapped_when_saved(tmp_path):
    w = tf.Variable(np.array([8.0]), name="w")
    averaged = opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(1.0), average_decay=0.5)
    with pytest.raises(RuntimeError, match="Must call apply_gradients or minimize"):
        averaged.swapping_saver()
    train = averaged.minimize(tf.reduce_sum(w))
    session = run(train, times=2)  # 7, 6; the average 7.5, 6.75
    assert session.run(w).item() == 6
    assert session.run(averaged.average(w)).item() == 6.75
    path = averaged.swapping_saver().save(session, str(tmp_path / "model"))
    tf.train.Saver([w]).restore(session, path)
    assert session.run(w).item() == 6.75
    averaged.swapping_saver().restore(session, path)
    assert session.run(w).item() == 6
    with pytest.raises(ValueError, match="Variable to swap w/ExponentialMovingAverage is not part of variables to"):
        averaged.swapping_saver([w])


def test_averages_of_parts_of_a_variable_are_swapped_part_by_part(tmp_path):
    w = tf.get_variable("w", initializer=tf.constant([8.0, 1.0]), partitioner=tf.fixed_size_partitioner(2))
    averaged = opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(1.0), average_decay=0.5)
    session = run(averaged.minimize(tf.reduce_sum(w)), times=2)
    path = averaged.swapping_saver().save(session, str(tmp_path / "model"))
    tf.train.Saver([w]).restore(session, path)
    np.testing.assert_array_equal(session.run(tf.convert_to_tensor(w)), [6.75, -0.25])
    averaged.swapping_saver().restore(session, path)
    np.testing.assert_array_equal(session.run(tf.convert_to_tensor(w)), [6, -1])
    tf.test.TestCase().assertNear(7, np.array([6.5]), 0.5)  # an array of one number will do


def test_moving_averages_follow_in_eager_mode():
    w, steps = st.Variable(np.array([8.0]), name="w"), st.Variable(np.int64(0), trainable=False)
    averaged = opt.MovingAverageOptimizer(st.GradientDescentOptimizer(1.0), 0.5)
    limited = opt.MovingAverageOptimizer(st.GradientDescentOptimizer(0.0), 0.5, num_updates=steps)
    for _ in range(2):
        averaged.minimize(lambda: np.sum(w))
    assert (w.value.item(), averaged.average(w).value.item()) == (6, 6.75)
    limited.apply_gradients([(np.ones(1), w)])
    w.assign(np.array([16.0]))
    limited.apply_gradients([(np.ones(1), w)])  # the decay is 1 / 10
    np.testing.assert_allclose(limited.average(w).value, 6 + 0.9 * 10)
    with pytest.raises(TypeError, match="opt must be an optimizer"):
        opt.MovingAverageOptimizer("adam")
    with pytest.raises(ValueError, match=r"average_decay must be in \[0, 1\]"):
        opt.MovingAverageOptimizer(st.GradientDescentOptimizer(1.0), 2.0)


@pytest.mark.parametrize("wrapped", ["average", "clipping"])
def test_a_wrapper_in_eager_mode_is_saved_with_what_it_wraps(wrapped: str, tmp_path):
    def world():
        w, adam = st.Variable(np.array([8.0]), name="w"), st.AdamOptimizer(0.5)
        if wrapped == "average":
            return w, opt.MovingAverageOptimizer(adam, 0.5)
        return w, opt.VariableClippingOptimizer(adam, {w: [0]}, 7.75)

    def steps(w, wrapper) -> None:
        for _ in range(2):
            wrapper.apply_gradients([(np.ones(1), w)])

    w, wrapper = world()
    steps(w, wrapper)
    st.save(tmp_path / "state.safetensors", w=w, opt=wrapper)
    v, other = world()
    st.restore(tmp_path / "state.safetensors", w=v, opt=other)
    for each in ((w, wrapper), (v, other)):
        steps(*each)
    assert v.value.item() == w.value.item()
    if wrapped == "average":
        assert other.average(v).value.item() == wrapper.average(w).value.item()


@pytest.mark.parametrize("axes", [[1], [0], [0, 1], [-1]], ids=str)
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("graph", [False, True], ids=["eager", "graph"])
def test_variables_are_clipped_after_the_step(axes: list[int], sparse: bool, graph: bool):
    rng = np.random.default_rng(0)
    start, ids = rng.normal(size=(5, 4)) * 3, np.array([3, 0, 3])
    expected = start.copy()
    if sparse:
        np.subtract.at(expected, ids, 1.0)
    else:
        expected -= 1
    rows = np.unique(ids) if sparse and 0 not in np.mod(axes, 2) else slice(None)
    part = expected[rows]
    norm = np.sqrt(np.sum(part**2, axis=tuple(axes), keepdims=True))
    expected[rows] = part * np.minimum(1, 2.0 / norm)
    if graph:
        w = tf.Variable(start)
        clipping = opt.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(1.0), {w: axes}, 2.0)
        session = run(clipping.minimize(tf.reduce_sum(tf.gather(w, ids) if sparse else w)))
        result = session.run(w)
    else:
        v = st.Variable(start)
        clipping = opt.VariableClippingOptimizer(st.GradientDescentOptimizer(1.0), {v: axes}, 2.0)
        clipping.minimize(lambda: np.sum(st.gather(v, ids) if sparse else v))
        result = v.value
    np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_bad_bounds_are_refused():
    v = st.Variable(np.ones((2, 3)))
    sgd = st.GradientDescentOptimizer(1.0)
    for axes, limit in (({v: [2]}, 1.0), ({v: 1}, 1.0), ({v: [0]}, -1.0), ({v: [0]}, np.nan)):
        with pytest.raises(ValueError, match="must"):
            opt.VariableClippingOptimizer(sgd, axes, limit)
    with pytest.raises(TypeError, match="vars_to_clip_dims must be a dict"):
        opt.VariableClippingOptimizer(sgd, [v], 1.0)


@pytest.mark.parametrize("graph", [False, True], ids=["eager", "graph"])
def test_a_gradient_of_zeros_leaves_momentum_alone(graph: bool):
    masks = [(1.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
    if graph:
        w, b, mask = tf.Variable(np.ones(2)), tf.Variable(np.ones(2)), tf.placeholder(tf.float64, [2])
        wrapped = opt.MultitaskOptimizerWrapper(tf.train.MomentumOptimizer(1.0, 0.5))
        train = wrapped.minimize(tf.reduce_sum(w) * mask[0] + tf.reduce_sum(b) * mask[1])
        session = tf.Session()
        session.run(tf.global_variables_initializer())
        for values in masks:
            session.run(train, {mask: values})
        results = session.run([w, b])
    else:
        v, c = st.Variable(np.ones(2)), st.Variable(np.ones(2))
        wrapped = opt.MultitaskOptimizerWrapper(st.MomentumOptimizer(1.0, 0.5))
        for a, z in masks:
            wrapped.minimize(lambda a=a, z=z: np.sum(v) * a + np.sum(c) * z)
        results = [v.value, c.value]
    np.testing.assert_array_equal(results[0], 1 - (1 + 1.5 + 1.75))
    np.testing.assert_array_equal(results[1], 1 - (1 + 1.5))


def test_zeros_throughout_count_the_step_and_nothing_else():
    w, step = st.Variable(np.ones(2)), st.Variable(np.int64(0), trainable=False)
    wrapped = opt.MultitaskOptimizerWrapper(st.AdamOptimizer())
    wrapped.apply_gradients([(np.zeros(2), w)], step)
    assert int(step.value) == 1
    np.testing.assert_array_equal(w.value, 1)
    assert wrapped.get_slot(w, "m") is None
    with pytest.raises(TypeError, match="opt must be an optimizer"):
        opt.MultitaskOptimizerWrapper(3)


def test_clipping_pairs_by_their_global_norm():
    w, b = np.zeros(2), np.zeros(1)
    pairs, norm = opt.clip_gradients_by_global_norm([(np.array([3.0, 4.0]), w), (None, b)], 2.5)
    assert float(norm) == 5
    np.testing.assert_array_equal(pairs[0][0], [1.5, 2])
    assert pairs[1][0] is None
    assert pairs[0][1] is w
