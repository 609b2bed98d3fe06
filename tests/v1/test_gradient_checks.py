"""Gradient checkers: complex functions have rows for both parts, and gradients of no numbers must have x's shape."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.autodiff import gradient_checker_v2
from steepest.v1.python.private_functions import _compute_fans
from steepest.v1.python.sparse_names import sparse_fill_empty_rows_grad
from steepest.v1.testing.test_modes import eager_mode

CASES = {
    "conjugate": (lambda x: tf.math.conj(x), [[1, 0], [0, -1]]),
    "product": (lambda x: tf.constant(5 + 7j, tf.complex64) * x, [[5, -7], [7, 5]]),
    "real part": (lambda x: tf.math.real(x), [[1, 0]]),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("eager", [False, True])
def test_complex_functions_have_a_row_for_each_part(case, eager):
    function, want = CASES[case]
    with eager_mode() if eager else tf.Graph().as_default():
        exact, measured = gradient_checker_v2.compute_gradient(function, [np.complex64(11 - 13j)])
    np.testing.assert_allclose(exact[0], want, atol=1e-6)
    np.testing.assert_allclose(measured[0], want, rtol=1e-3, atol=1e-3)


def test_a_gradient_of_no_numbers_has_the_shape_of_x():
    @tf.RegisterGradient("TurnedAround")
    def _turned(op, grad):
        return tf.transpose(grad)

    with tf.Graph().as_default() as graph, tf.Session():
        x = tf.placeholder(tf.float32)
        with graph.gradient_override_map({"Identity": "TurnedAround"}):
            y = tf.identity(x)
        with pytest.raises(ValueError, match=r"Empty gradient has wrong shape: expected \(0, 3\), got \(3, 0\)"):
            tf.test.compute_gradient(x, (0, 3), y, (0, 3))
        assert tf.test.compute_gradient_error(x, (0, 3), tf.identity(x), (0, 3)) == 0


def test_gradients_of_rows_that_were_filled():
    with tf.Graph().as_default(), tf.Session() as session:
        parts = sparse_fill_empty_rows_grad([2, 1], [0.0, 1.0, 2.0, 3.0])
        values, blank = session.run([parts.d_values, parts.d_default_value])
        np.testing.assert_array_equal(values, [2, 1])
        assert blank == 3
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Elements in reverse index must be in \[0, 4\)"):
            session.run(sparse_fill_empty_rows_grad([2, -1], [0.0, 1.0, 2.0, 3.0]).d_values)
        with pytest.raises(ValueError, match="Shape must be rank 1 but is rank 2"):
            sparse_fill_empty_rows_grad([0, 1], [[0, 1], [2, 3]])


def test_fans_of_a_shape():
    assert _compute_fans(tf.TensorShape([5, 6, 4, 2])) == (120, 60)


@pytest.mark.parametrize("eager", [False, True])
def test_arguments_may_be_in_a_tuple(eager):
    with eager_mode() if eager else tf.Graph().as_default():
        exact, measured = gradient_checker_v2.compute_gradient(lambda x, y: x * y, (np.float64(3.0), np.float64(5.0)))
    np.testing.assert_allclose(exact, [[[5.0]], [[3.0]]])
    np.testing.assert_allclose(measured, [[[5.0]], [[3.0]]])
    with pytest.raises(ValueError, match="`x` must be a list; got"):
        gradient_checker_v2.compute_gradient(lambda x: x, np.float64(3.0))


def test_watchers_tell_the_variables_of_their_blocks():
    from steepest.v1.python.eager.record import VariableWatcher

    with eager_mode():
        first, second, fixed = tf.Variable(0.0), tf.Variable(1.0), tf.Variable(2.0, trainable=False)
        with VariableWatcher() as outer:
            first.assign_add(1.0)
            with VariableWatcher() as inner:
                second.assign(second + fixed)
    assert list(map(id, outer.watched_variables())) == [id(first), id(second)]
    assert list(map(id, inner.watched_variables())) == [id(second)]


def test_slices_and_tensors_are_added():
    from steepest.v1.python.eager.backprop_util import AggregateIndexedSlicesGradients

    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([2, 2]))
    with tf.Session() as session:
        both = session.run(AggregateIndexedSlicesGradients([slices, None, slices]))
        dense = session.run(AggregateIndexedSlicesGradients([slices, tf.ones((2, 2))]))
    np.testing.assert_array_equal(both.indices, [1, 1])
    np.testing.assert_array_equal(dense, [[1.0, 1.0], [2.0, 3.0]])
    assert AggregateIndexedSlicesGradients([]) is None
