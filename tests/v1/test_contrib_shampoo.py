"""``tf.contrib.opt.ShampooOptimizer``, and the roots of matrices it takes."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.optim.matrix_functions import matrix_inverse_pth_root, matrix_square_root

opt = tf.contrib.opt


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def power(matrix, exponent):
    values, vectors = np.linalg.eigh(matrix)
    return vectors * values**exponent @ vectors.T


def matrices(gradient, totals):
    """Add to the matrix of each axis."""
    for axis, size in enumerate(gradient.shape):
        others = [other for other in range(gradient.ndim) if other != axis]
        totals[axis] = totals[axis] + np.tensordot(gradient, gradient, (others, others)) / size


def along_axes(gradient, factors):
    for factor in factors:
        gradient = np.tensordot(gradient, factor, ([0], [0]))
    return gradient


def steps(gradients, shape, **options):
    """Return a variable that began at 0 after each gradient."""
    number, w = tf.train.create_global_step(), tf.Variable(tf.zeros(shape))
    optimizer = opt.ShampooOptimizer(number, **options)
    train = [optimizer.apply_gradients([(tf.constant(g, tf.float32), w)], global_step=number) for g in gradients]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [(session.run(each), session.run(w))[1] for each in train]


@pytest.mark.parametrize("use_iterative_root", [False, True])
@pytest.mark.parametrize("shape", [(6,), (5, 4), (4, 1, 3)])
def test_each_axis_has_a_matrix(shape, use_iterative_root):
    rng = np.random.default_rng(0)
    given = [rng.random(shape) for _ in range(2)]
    w, totals = np.zeros(shape), [0.0] * len(shape)
    for found, gradient in zip(steps(given, shape, use_iterative_root=use_iterative_root), given, strict=True):
        matrices(gradient, totals)
        factors = [power(total + 1e-4 * np.eye(len(total)), -0.5 / len(shape)) for total in totals]
        w = w - along_axes(gradient, factors)
        np.testing.assert_allclose(found, w, rtol=2e-3, atol=2e-3)


def test_averages_and_intervals():
    rng = np.random.default_rng(1)
    given = [rng.random((3, 2)) for _ in range(4)]
    found = steps(
        given,
        (3, 2),
        gbar_decay=lambda number: 0.5,
        gbar_weight=lambda number: 1.0 / number,
        learning_rate=lambda number: 0.1 * number,
        mat_gbar_decay=0.5,
        mat_gbar_weight=2.0,
        svd_interval=lambda number: 3.0,
        precond_update_interval=2,
    )
    w, mean, totals, factors = np.zeros((3, 2)), 0.0, [0.0, 0.0], [np.eye(3), np.eye(2)]
    for number, (gradient, value) in enumerate(zip(given, found, strict=True), 1):
        mean = 0.5 * mean + gradient / number
        if number % 2 == 0:
            added = [0.0, 0.0]
            matrices(gradient, added)
            totals = [0.5 * total + 2 * 2.0 * more for total, more in zip(totals, added, strict=True)]
        if number % 3 == 0:
            factors = [power(total + 1e-4 * np.eye(len(total)), -0.25) for total in totals]
        w = w - 0.1 * number * along_axes(mean, factors)
        np.testing.assert_allclose(value, w, rtol=1e-3, atol=1e-3)


def test_a_long_axis_has_a_vector():
    gradient = np.arange(12.0).reshape(6, 2) / 6
    (found,) = steps([gradient], (6, 2), max_matrix_size=4)
    squares = (gradient**2).sum(1, keepdims=True) / 6
    right = power(gradient.T @ gradient / 2 + 1e-4 * np.eye(2), -0.25)
    np.testing.assert_allclose(found, -(gradient * squares**-0.25) @ right, rtol=1e-3, atol=1e-3)
    (found,) = steps_of_a_vector(np.array([0.0, 2.0, -4.0]))
    np.testing.assert_allclose(found, [0, -1, 1], rtol=1e-6)


def steps_of_a_vector(gradient):
    with tf.Graph().as_default():
        return steps([gradient], gradient.shape, max_matrix_size=2)


@pytest.mark.parametrize("longest", [4, 6])
def test_rows_alone_move_where_the_axis_is_long(longest):
    rows, gradient = np.array([4, 1]), np.array([[1.0, 2.0], [3.0, 1.0]])
    w = tf.Variable(tf.zeros([6, 2]))
    sparse = tf.IndexedSlices(tf.constant(gradient, tf.float32), tf.constant(rows), tf.constant([6, 2]))
    train = opt.ShampooOptimizer(max_matrix_size=longest).apply_gradients([(sparse, w)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        found = session.run(w)
    whole = np.zeros((6, 2))
    whole[rows] = gradient
    right = power(gradient.T @ gradient / 2 + 1e-4 * np.eye(2), -0.25)
    if longest == 4:
        whole[rows] = gradient * (gradient**2).sum(1, keepdims=True) ** -0.25
    else:
        whole = power(whole @ whole.T / 6 + 1e-4 * np.eye(6), -0.25) @ whole
    np.testing.assert_allclose(found, -whole @ right, rtol=1e-3, atol=1e-3)
    with pytest.raises(ValueError, match="mat_gbar_decay must be 1"):
        opt.ShampooOptimizer(max_matrix_size=4, mat_gbar_decay=0.5).apply_gradients([(sparse, w)])


def test_roots_of_matrices():
    half = np.random.default_rng(2).random((5, 5))
    matrix = half @ half.T + 0.1 * np.eye(5)
    with tf.Session() as session:
        root, inverse, single = session.run(
            [
                matrix_square_root(matrix, 5),
                matrix_inverse_pth_root(matrix, 5, -0.125),
                matrix_inverse_pth_root(np.array([[16.0]]), 1, -0.5, ridge_epsilon=0.0),
            ]
        )
    np.testing.assert_allclose(root, power(matrix, 0.5), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(inverse, power(matrix, -0.125), rtol=1e-3, atol=1e-3)
    assert single.item() == 0.25
