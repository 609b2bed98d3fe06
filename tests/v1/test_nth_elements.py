"""``nn_ops.nth_element``, which has no public name: its gradient among equal elements, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.python.private_functions import nth_element

ROWS = [[2.0, -1.0, 1000.0, 3.0, 1000.0], [1.0, 5.0, 2.0, 4.0, 3.0], [2.0, 2.0, 2.0, 2.0, 2.0]]


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_equal_elements_share_the_gradient():
    x = tf.placeholder(tf.float32, [3, 5])
    found = nth_element(x, 3)
    slopes = tf.gradients(found, x, grad_ys=[[-1.0, 2.0, 5.0]])
    with tf.Session() as session:
        values, (grad,) = session.run([found, slopes], {x: ROWS})
    np.testing.assert_allclose(values, [1000.0, 4.0, 2.0])
    np.testing.assert_allclose(grad, [[0, 0, -0.5, 0, -0.5], [0, 0, 0, 2, 0], [1, 1, 1, 1, 1]], atol=1e-6)


@pytest.mark.parametrize("reverse", [False, True])
def test_it_counts_from_either_end(reverse):
    x = np.random.default_rng(1).normal(size=(4, 6)).astype(np.float32)
    n = tf.placeholder(tf.int32)
    with tf.Session() as session:
        for k in range(6):
            want = np.sort(x, axis=-1)[:, 5 - k if reverse else k]
            np.testing.assert_array_equal(session.run(nth_element(x, n, reverse), {n: k}), want)
            np.testing.assert_array_equal(session.run(nth_element(x, k, reverse)), want)


def test_what_the_graph_knows_is_refused_at_once():
    with pytest.raises(ValueError, match="non-negative but is -1"):
        nth_element([5], -1)
    with pytest.raises(ValueError, match="scalar but has rank 1"):
        nth_element([5, 6, 3], [1])
    with pytest.raises(ValueError, match="must have last dimension > n = 2"):
        nth_element([[0.1, 0.2], [0.3, 0.4]], 2)


def test_what_a_run_is_fed_is_refused_there():
    n, x = tf.placeholder(tf.int32), tf.placeholder(tf.float32)
    picked = nth_element([[0.1, 0.2], [0.3, 0.4]], n)
    with tf.Session() as session:
        for value, message in ((-7, "Need n >= 0, got -7"), (2, r"Input must have at least n\+1 columns")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=message):
                session.run(picked, {n: value})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Input must be >= 1-D"):
            session.run(nth_element(x, 0), {x: 5.0})
