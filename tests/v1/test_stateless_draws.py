"""Random values that follow from a pair alone are those of operations whose seeds are the mixed pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.ops import stateless_random_ops as stateless

import steepest.v1 as tf

PAIR = [3, 5]
RATES = [[0.5, 1.0], [4.0, 9.0]]


def run(tensor: Any) -> Any:
    with tf.Session() as session:
        return session.run(tensor)


def seed_that_mixes_to(graph_seed: int, seed: int) -> np.ndarray:
    """Return the pair that TensorFlow's mixing makes these two seeds of: Philox, backwards."""
    words = [graph_seed, 0, seed, 0]
    keys, steps = (0x3EC8F720, 0x02461E29), (0x9E3779B9, 0xBB67AE85)
    for turn in reversed(range(10)):
        low, high = ((key + turn * step) % 2**32 for key, step in zip(keys, steps, strict=True))
        a, c = words[3] * 0x991A7CDB % 2**32, words[1] * 0x6D7CAE67 % 2**32
        b, d = words[0] ^ low ^ (c * 0xCD9E8D57 >> 32), words[2] ^ high ^ (a * 0xD2511F53 >> 32)
        words = [a, b, c, d]
    return np.array([words[0] | words[1] << 32, words[2] | words[3] << 32], np.uint64)


def test_they_are_the_first_values_of_operations_with_the_mixed_seeds() -> None:
    pair = seed_that_mixes_to(7, 17)
    rows = np.arange(12).reshape(6, 2)
    tf.set_random_seed(7)
    for ours, theirs in (
        (tf.random.stateless_uniform([4], pair, 2.2, 7.1), tf.random.uniform([4], 2.2, 7.1, seed=17)),
        (
            tf.random.stateless_uniform([4], pair, 2, 99, "int64"),
            tf.random.uniform([4], 2, 99, "int64", seed=17),
        ),
        (tf.random.stateless_normal([4], pair, 2, 3, "float16"), tf.random.normal([4], 2, 3, "float16", seed=17)),
        (tf.random.stateless_truncated_normal([], pair, 3, 4), tf.random.truncated_normal([], 3, 4, seed=17)),
        (tf.random.stateless_categorical([[0.1, 0.7]], 9, pair), tf.random.categorical([[0.1, 0.7]], 9, seed=17)),
        (stateless.stateless_random_gamma([3, 2, 2], pair, RATES), tf.random.gamma([3], RATES, seed=17)),
        (
            stateless.stateless_random_poisson([3, 2, 2], pair, RATES, "int64"),
            tf.random.poisson(RATES, [3], "int64", seed=17),
        ),
        (stateless.stateless_shuffle(rows, pair), tf.random.shuffle(rows, seed=17)),
    ):
        assert ours.dtype == theirs.dtype
        assert run(ours).tolist() == run(theirs).tolist()


def test_whole_types_are_drawn_without_bounds() -> None:
    found = run(stateless.stateless_random_uniform([1000], PAIR, None, None, "int32"))
    assert (found.dtype, found.min() < -(2**29), found.max() > 2**29) == (np.int32, True, True)
    with pytest.raises(ValueError, match="must be both None or both non-None"):
        stateless.stateless_random_uniform([2], PAIR, None, 3, "int32")
    for bounds in ([[0], 3], [0, [3]]):
        given = [tf.constant(bound) for bound in bounds]
        with pytest.raises(ValueError, match="must be a scalar; got a tensor of shape"):
            stateless.stateless_random_uniform([2], PAIR, *given, dtype="int32")


def test_seeds_are_made_of_seeds() -> None:
    parts = run(stateless.split(PAIR, 3))
    assert (parts.shape, parts.dtype, len({*map(tuple, parts.tolist())})) == ((3, 2), np.int32, 3)
    folded = stateless.fold_in(PAIR, tf.constant(4, tf.int64))
    assert (folded.dtype, run(folded)[1]) == (tf.int64, 4)
    assert run(folded)[0] != run(stateless.fold_in([3, 6], tf.constant(4, tf.int64)))[0]


def test_shapes_of_draws_end_with_those_of_parameters() -> None:
    found = run(stateless.stateless_random_binomial([500, 2], PAIR, [10, 40], [0.5, 0.25]))
    assert found.dtype == np.int32
    assert np.allclose(found.mean(0), [5, 10], atol=0.5)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must end with broadcasted shape"):
        run(stateless.stateless_random_poisson([2, 3], PAIR, [1.0, 2.0]))


def test_gradients_flow_to_gammas_and_eager_mode_draws_the_same() -> None:
    alpha = tf.constant([0.5, 2.0])
    draws = stateless.stateless_random_gamma([3, 2], PAIR, alpha, 2.0)
    values, slopes = run([draws, tf.gradients(draws, alpha)[0]])
    assert (slopes > 0).all()
    with context.eager_mode():
        again = stateless.stateless_random_gamma([3, 2], PAIR, [0.5, 2.0], 2.0)
        assert again.numpy().tolist() == values.tolist()


def test_draws_between_bounds_follow_from_a_pair() -> None:
    bounds = {"means": np.float64([0, 10]), "stddevs": 2.0, "minvals": [-1.0, 9.0], "maxvals": [1.0, np.inf]}
    draws = stateless.stateless_parameterized_truncated_normal([200, 2], PAIR, **bounds)
    values, again = run([draws, stateless.stateless_parameterized_truncated_normal([200, 2], PAIR, **bounds)])
    assert (draws.dtype, values.tolist()) == (tf.float64, again.tolist())
    assert (np.abs(values[:, 0]) <= 1).all()
    assert 9 <= values[:, 1].min() < 11 < values[:, 1].max()
