"""``tf.random.Generator``: TensorFlow's own numbers, whose state moves on in eager mode, functions and sessions."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.checkpoint import checkpoint
from steepest.v1.python.eager import context, def_function
from steepest.v1.python.framework import test_util
from steepest.v1.python.ops import gen_stateful_random_ops, random_ops_util, stateful_random_ops, variables

import steepest.v1 as tf

Generator = tf.random.Generator
# tf.random.Generator.from_seed(1234) of TensorFlow 2.21, one after the other.
NORMAL = [[0.9356609, 1.0854305, -0.9378837], [-0.5061547, 1.3169702, 0.7137579]]
UNIFORM = [0.953784, 1.7887716, 0.5262016]
INT32, INT64 = [27, 14, 7, 63], [746179896676, 55377772683, 415782573661]
FULL = [10434985011165393978, 5830123041989737674]
TRUNCATED = [-0.08083531, 0.35065955, -1.60926425, 0.48547202, -0.83478689]
TRUNCATED64 = [2.008159016706328, -2.0537844411993147, 0.8688467275672861]
NORMAL64 = [1.6191115888668364, 0.7769032795685561, -0.01861724262767602]
UNIFORM16 = [0.5771484375, 0.3349609375, 0.2314453125, 0.80859375]


def test_the_numbers_are_those_of_tensorflow():
    with context.eager_mode():
        g = Generator.from_seed(1234)
        np.testing.assert_allclose(g.normal([2, 3]), NORMAL, rtol=1e-6)
        np.testing.assert_allclose(g.uniform([3], -1, 2), UNIFORM, rtol=1e-6)
        assert g.uniform([4], -5, 100, tf.int32).numpy().tolist() == INT32
        assert g.uniform([3], -5, 10**12, tf.int64).numpy().tolist() == INT64
        assert g.uniform_full_int([2], tf.uint64).numpy().tolist() == FULL
        assert g.uniform([2], None, None, tf.int32).numpy().tolist() == [-69199931, -401206638]
        np.testing.assert_allclose(g.truncated_normal([5]), TRUNCATED, rtol=1e-5)
        assert g.truncated_normal([3], 1.0, 2.0, tf.float64).numpy().tolist() == TRUNCATED64
        assert g.normal([3], dtype=tf.float64).numpy().tolist() == NORMAL64
        assert g.uniform([4], dtype=tf.float16).numpy().tolist() == UNIFORM16
        assert g.make_seeds(2).numpy().tolist() == [[-5401690798989439519, -8256145029997321868], [0, 0]]
        np.testing.assert_allclose(g.split(2)[1].normal([2]), [0.6342288, 2.4553509], rtol=1e-6)
        assert g.state.numpy().tolist() == [11218, 0, 0]
        assert g.key.numpy() == 0


def test_counters_carry_and_seeds_become_states():
    with context.eager_mode():
        g = Generator.from_key_counter(7, [2**63 - 1, 3], "philox")
        np.testing.assert_allclose(g.normal([2]), [-0.06864014, 0.65770268], rtol=1e-6)
        assert g.skip(2**54).numpy().tolist() == [-9223372036854775297, 3, 7]
        assert g.state.numpy().tolist() == [-4611686018427387393, 3, 7]
        g.skip(2**55)
        assert g.state.numpy().tolist() == [4611686018427388415, 4, 7]
        state = tf.random.experimental.create_rng_state
        assert [state(seed, 1).numpy().tolist() for seed in ([1, 2, 3, 4], [5], -1)] == [
            [1, 2, 3],
            [0, 0, 5],
            [-1, -1, -1],
        ]
        assert state(2**64 - 2, "threefry").numpy().tolist() == [-2, 0]


def test_two_draws_of_one_run_are_not_the_same():
    with tf.Graph().as_default(), tf.Session() as session:
        g = Generator.from_seed(1234)
        session.run(g.state.initializer)
        draws = [g.normal([2, 3]), g.normal([2, 3])]
        first, second = session.run(draws)
        np.testing.assert_allclose(min(first, second, key=lambda x: -x[0, 0]), NORMAL, rtol=1e-6)
        assert not np.allclose(first, second)
        assert session.run(g.state).tolist() == [1234 + 2 * 6 * 256, 0, 0]


def test_functions_move_the_state_on_and_take_generators_as_arguments():
    with context.eager_mode():
        g, twin = Generator.from_seed(1), Generator.from_seed(1)
        drawn = def_function.function(lambda generator: generator.normal([2]))
        for _ in range(3):
            np.testing.assert_array_equal(drawn(g), twin.normal([2]))
        assert g.state.numpy().tolist() == twin.state.numpy().tolist()
        assert g.state is drawn.get_concrete_function(g).variables[0]


def test_generators_are_saved_copied_and_reset(tmp_path):
    with context.eager_mode():
        g = Generator.from_seed(3)
        saved = checkpoint.Checkpoint(g=g)
        path = saved.write(str(tmp_path / "state"))
        first = g.uniform([2]).numpy()
        saved.restore(path)
        copy = Generator(g)
        for each in (g, copy):
            np.testing.assert_array_equal(each.uniform([2]), first)
        g.reset_from_seed(3)
        np.testing.assert_array_equal(g.uniform([2]), first)
        g.reset([3, 0, 0])
        np.testing.assert_array_equal(g.uniform([2]), first)


def test_the_global_generator_is_made_when_it_is_asked_for_and_refused_without_a_seed():
    with context.eager_mode():
        try:
            with test_util.deterministic_ops():
                tf.random.set_global_generator(None)
                with pytest.raises(RuntimeError, match='"get_global_generator" cannot be called if determinism'):
                    tf.random.get_global_generator()
                with pytest.raises(RuntimeError, match='"from_non_deterministic_state" cannot be called'):
                    Generator.from_non_deterministic_state()
                tf.random.set_global_generator(Generator.from_seed(5))
                assert tf.random.get_global_generator().key.numpy() == 0
            tf.random.set_global_generator(None)
            assert tf.random.get_global_generator() is tf.random.get_global_generator()
        finally:
            tf.random.set_global_generator(None)


def test_what_is_no_state_no_algorithm_or_no_bound_is_refused():
    draw = gen_stateful_random_ops.stateful_standard_normal_v2
    with context.eager_mode():
        g = Generator.from_seed(1)
        wrong = tf.errors.InvalidArgumentError
        with pytest.raises(wrong, match=r"must have shape \[\], not"):
            gen_stateful_random_ops.rng_skip(g.state.handle, g.algorithm, [0, 0])
        for algorithm, words in ((123, "Unsupported algorithm id: 123"), ([0, 0], r"must have shape \[\], not")):
            with pytest.raises(wrong, match=words):
                draw(g.state.handle, algorithm, [2])
        for state, dtype, words in (
            ([0, 0], tf.int32, "must be int64, not int32"),
            ([[0]], tf.int64, "must have one and only one dimension, not 2"),
            ([0], tf.int64, "the size of state must be at least 3; got 1"),
        ):
            kept = variables.Variable(state, dtype=dtype)
            with pytest.raises(wrong, match=words):
                draw(kept.handle, 1, [2])
        with pytest.raises(ValueError, match="minval must be a scalar; got a tensor of shape"):
            g.uniform([2], [0, 1], 5, tf.int32)
        with pytest.raises(ValueError, match="must be both `None` or both non-`None`"):
            g.uniform([2], 0, None, tf.int32)
        with pytest.raises(ValueError, match=r"Argument `alg` got unsupported value 9\. Supported values are 1"):
            Generator.from_seed(1, 9)
        with pytest.raises(ValueError, match="Supported values are philox"):
            random_ops_util.convert_alg_to_int("mersenne")
        assert g.state.numpy().tolist() == [1, 0, 0]
        assert stateful_random_ops.Generator is Generator


def test_trials_come_true_as_often_as_their_probability_says():
    with context.eager_mode():
        g = Generator.from_seed(2)
        draws = g.binomial([1000, 2], [10.0, 10.0], [0.2, 0.9]).numpy()
        assert draws.dtype == np.int32
        np.testing.assert_allclose(draws.mean(axis=0), [2, 9], rtol=0.1)
