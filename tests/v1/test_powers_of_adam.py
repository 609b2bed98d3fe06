"""The powers of Adam's rates as variables of a program: their names, types and kinds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import steepest.v1 as tf

MAKERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adagrad_decay": lambda: tf.train.AdagradDecayOptimizer(0.1, accumulator_decay_step=2),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "lazy_adam": lambda: tf.contrib.opt.LazyAdamOptimizer(0.1),
}
every = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def test_powers_look_like_the_type_of_the_variables_and_are_exact_inside(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([1.0, 2.0], name="v")
        train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(tf.square(v)))
        assert [each.dtype.base_dtype for each in tf.global_variables()] == [tf.float32] * 5
        side_by_side = tf.concat([tf.reshape(each, [-1]) for each in tf.global_variables()], 0)
        session.run(tf.global_variables_initializer())
        session.run(train)
        values = session.run(side_by_side)
        assert values.dtype == np.float32
        np.testing.assert_allclose(values[2:4], [0.81, 0.998001], rtol=1e-7)
        assert session._read(tf.global_variables()[1].op)._array == 0.9 * 0.9
        saver = tf.train.Saver()
        saver.save(session, str(tmp_path / "model"))
        expected = [session.run(train) or session.run(v) for _ in range(3)]
        saver.restore(session, str(tmp_path / "model"))
        np.testing.assert_array_equal([session.run(train) or session.run(v) for _ in range(3)], expected)
        session.run(tf.global_variables()[1].assign(0.5))
        assert session.run("beta1_power:0") == np.float32(0.5)
    with tf.Graph().as_default(), tf.Session() as session:
        saver = tf.train.import_meta_graph(str(tmp_path / "model.meta"))
        saver.restore(session, str(tmp_path / "model"))
        assert session.run("beta1_power:0").dtype == np.float32
        assert session._read(tf.global_variables()[1].op)._array == 0.9 * 0.9
    with tf.Graph().as_default():
        tf.train.AdamOptimizer(0.1).minimize(tf.square(tf.Variable(1.0, dtype=tf.float64)))
        assert [each.dtype.base_dtype for each in tf.global_variables()] == [tf.float64] + [tf.float32] * 2 + [
            tf.float64
        ] * 2


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_powers_are_float32_and_of_the_kind_of_the_variable_whose_name_is_the_first(dtype):
    with tf.Graph().as_default():
        z = tf.Variable(1.0, dtype=dtype, name="z")
        a = tf.Variable(2.0, dtype=dtype, name="a", use_resource=True)
        for given, name in ((0.9, "float32"), (np.float32(0.9), "float32"), (np.float64(0.9), "float64")):
            optimizer = tf.train.AdamOptimizer(0.1, beta1=given)
            optimizer.minimize(z * a, var_list=[z, a])
            first, second = optimizer._get_beta_accumulators()
            assert (first.dtype.name, second.dtype.name) == (name, "float32")
