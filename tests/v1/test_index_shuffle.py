"""Where an index comes to be when a range is shuffled, classes that are outside, trials without a probability."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.ops import gen_random_index_shuffle_ops, stateless_random_ops

import steepest.v1 as tf

# RandomIndexShuffle of TensorFlow 2.21 of 0 to 11: three integers, the last index, the rounds.
SHUFFLED = {
    ((74, 117, 42), 129, 4): [85, 61, 39, 27, 16, 104, 121, 117, 122, 67, 95, 60],
    ((74, 117, 42), 129, 8): [13, 75, 103, 16, 121, 119, 34, 6, 88, 73, 120, 91],
    ((1, 2**31, 3), 100000, 4): [9488, 41003, 75059, 603, 93445, 21291, 39176, 83109, 10140, 42137, 33971, 30750],
    ((5, 6, 7), 2**20, 10): [447443, 575945, 967472, 379555, 852382, 729511, 600653, 806528, 320328, 697507, 877357],
}


@pytest.mark.parametrize(("key", "last", "rounds"), SHUFFLED)
def test_places_are_those_of_tensorflow(key, last, rounds):
    with context.eager_mode():
        places = gen_random_index_shuffle_ops.random_index_shuffle(np.arange(12), np.array(key), last, rounds)
        assert places.numpy().tolist()[: len(found := SHUFFLED[key, last, rounds])] == found


def test_every_index_comes_to_be_at_one_place():
    with tf.Graph().as_default(), tf.Session() as session:
        index = tf.placeholder(tf.int32, [None])
        place = stateless_random_ops.index_shuffle(index, (1, 2), 2388)
        assert place.shape.as_list() == [None]
        assert sorted(session.run(place, {index: range(2389)})) == list(range(2389))
        small = session.run(stateless_random_ops.index_shuffle(tf.range(11), (1, 2), 10))
        assert small.tolist() == [5, 0, 1, 4, 3, 6, 9, 10, 7, 2, 8]
        for given, last, words in ((-1, 10, "index must be >= 0"), (0, -1, "max_index must be"), (5, 4, ">= index")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                session.run(stateless_random_ops.index_shuffle(given, (1, 2), last))


@pytest.mark.parametrize("classes", [[[0, 2]], [[0, -1]]])
def test_true_classes_that_are_not_in_the_range_are_refused(classes):
    with tf.Graph().as_default(), tf.Session() as session:
        drawn = tf.nn.log_uniform_candidate_sampler(np.array(classes, np.int64), 2, 5, False, 2)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"`true_candidate` out of range \[0, 2\)"):
            session.run(drawn)


def test_trials_with_probabilities_that_are_none():
    counts, chances = np.array([5, 5, 5, 0, 0, 0], np.float32), np.array([0, 1, np.nan, -10, 10, np.nan], np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        draws = stateless_random_ops.stateless_random_binomial([6], (1, 2), counts, chances, tf.float32)
        np.testing.assert_array_equal(session.run(draws), [0, 5, np.nan, 0, 0, 0])


def test_variables_whose_equality_compares_elements_have_handles_and_are_restored_again(tmp_path):
    program = (
        "import steepest.v1 as tf\n"
        "tf.enable_v2_behavior()\n"
        "v = tf.compat.v2.Variable([1.0, 2.0])\n"
        "assert v.handle is v.handle\n"
        "saved = tf.train.Checkpoint(v=v)\n"
        f"path = saved.save({str(tmp_path / 'x')!r})\n"
        "for value in ([3.0, 4.0], [5.0, 6.0]):\n"
        "    v.assign(value)\n"
        "    saved.restore(path)\n"
        "    assert v.numpy().tolist() == [1.0, 2.0]\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=env)


def test_layers_flatten_images_whose_channels_come_first():
    with tf.Graph().as_default(), tf.Session() as session:
        x = np.arange(24, dtype=np.float32).reshape(2, 2, 2, 3)
        rows = tf.layers.flatten(x, data_format="channels_first")
        np.testing.assert_array_equal(session.run(rows), np.moveaxis(x, 1, -1).reshape(2, -1))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda d: d.Beta(0.5, 2.0, allow_nan_stats=False).mode(), "Mode undefined for concentration1 <= 1."),
        (lambda d: d.Gamma(0.5, 2.0, allow_nan_stats=False).mode(), "mode not defined when any concentration <= 1"),
        (lambda d: d.Dirichlet([0.5, 2.0], allow_nan_stats=False).mode(), "Mode undefined when any concentration <= 1"),
        (lambda d: d.StudentT(0.5, 0.0, 1.0, allow_nan_stats=False).mean(), "mean not defined for components of df"),
    ],
)
def test_statistics_that_are_not_defined_say_so_in_words_of_tensorflow(make, words):
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as error:
            session.run(make(tf.distributions))
        assert words in str(error.value)
