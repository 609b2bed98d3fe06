"""Bands of diagonals, whose shorter ones begin at the left as in TensorFlow 1.15: made, read, set, differentiated."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.eager import context

import steepest.v1 as tf

V = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
M = np.arange(1, 13, dtype=np.float32).reshape(3, 4)

MADE = [
    (V[0], {"k": 1, "num_cols": 4}, [[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3]]),
    (V[0], {"k": -1, "num_cols": 4, "padding_value": 9}, [[9, 9, 9, 9], [1, 9, 9, 9], [9, 2, 9, 9], [9, 9, 3, 9]]),
    (V[0], {"k": -1, "num_rows": 5}, [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3], [0, 0, 0]]),
    (V, {"k": (0, 1)}, [[4, 1, 0], [0, 5, 2], [0, 0, 6]]),
    (V, {"k": (-1, 0), "num_cols": 4, "padding_value": 7}, [[1, 7, 7, 7], [4, 2, 7, 7], [7, 5, 3, 7]]),
    (V[:1], {"k": (1, 1)}, [[[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3], [0, 0, 0, 0]]]),
    (np.zeros([2, 0]), {"k": (0, 1), "num_rows": 0, "num_cols": 2}, np.zeros([0, 2])),
]
READ = [
    ({"k": (-1, 2)}, [[3, 8, 0], [2, 7, 12], [1, 6, 11], [5, 10, 0]]),
    ({"k": (-2, -1), "padding_value": 5}, [[5, 10], [9, 5]]),
    ({"k": (1, 1), "padding_value": 5}, [2, 7, 12]),
    ({"k": -1}, [5, 10]),
]
SET = [
    (V, (0, 1), [[4, 1, 3, 4], [5, 5, 2, 8], [9, 10, 6, 3]]),
    (V, (-1, 0), [[1, 2, 3, 4], [4, 2, 7, 8], [9, 5, 3, 12]]),
    (V[0], (1, 1), [[1, 1, 3, 4], [5, 6, 2, 8], [9, 10, 11, 3]]),
]


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def same(make, expected):
    """Check a value in a graph, its static shape, and the value in eager mode."""
    with tf.Session() as session:
        node = make()
        found = session.run(node)
    assert found.tolist() == np.asarray(expected).tolist()
    assert node.shape.as_list() == list(found.shape)
    with context.eager_mode():
        assert make().numpy().tolist() == found.tolist()


@pytest.mark.parametrize(("vectors", "options", "expected"), MADE)
def test_matrices_are_made_of_diagonals(vectors, options, expected):
    same(lambda: tf.matrix_diag(vectors, **options), expected)


@pytest.mark.parametrize(("options", "expected"), READ)
def test_diagonals_are_read(options, expected):
    same(lambda: tf.matrix_diag_part(M, **options), expected)


@pytest.mark.parametrize(("vectors", "k", "expected"), SET)
def test_diagonals_are_set(vectors, k, expected):
    same(lambda: tf.matrix_set_diag(M, vectors, k=k), expected)


def test_gradients_of_bands():
    x, v = tf.constant(M), tf.constant(V)
    read, made, put = (
        tf.matrix_diag_part(x, k=(-1, 2)),
        tf.matrix_diag(v, k=(-1, 0)),
        tf.matrix_set_diag(x, v, k=(-1, 0)),
    )
    with tf.Session() as session:
        found = session.run([tf.gradients(y * y, z)[0] for y, z in ((read, x), (made, v), (put, x), (put, v))])
    assert found[0].tolist() == [[2, 4, 6, 0], [10, 12, 14, 16], [0, 20, 22, 24]]
    assert found[1].tolist() == found[3].tolist() == [[2, 4, 6], [8, 10, 0]]
    assert found[2].tolist() == [[0, 4, 6, 8], [0, 0, 14, 16], [18, 0, 0, 24]]


def test_bands_and_shapes_known_in_a_run():
    x, k = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.int32)
    shapes = [
        tf.matrix_diag_part(x, k=(-1, 1)),
        tf.matrix_diag(x, k=1),
        tf.matrix_diag(x, k=(0, 1)),
        tf.matrix_set_diag(x, V, k=(0, 1)),
    ]
    assert [node.shape.as_list() for node in shapes] == [[3, None], [None, 5, 5], [4, 4], [None, 4]]
    with tf.Session() as session:
        assert session.run(tf.matrix_diag_part(x, k=k), {x: M, k: [-2, -1]}).tolist() == [[5, 10], [9, 0]]
        with pytest.raises(tf.errors.InvalidArgumentError, match="out of bound"):
            session.run(tf.matrix_diag_part(x, k=k), {x: M, k: 4})
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"diagonal's shape must be \[4,3\]"):
            session.run(tf.matrix_set_diag(x, V, k=k), {x: M, k: [-2, 1]})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tf.matrix_diag(V[0], k=1, num_rows=4, num_cols=5), "not consistent"),
        (lambda: tf.matrix_diag(V[0], num_rows=2), "num_rows is too small"),
        (lambda: tf.matrix_diag(V[0], num_cols=2), "num_cols is too small"),
        (lambda: tf.matrix_diag(V, k=(1, 0)), "lower_diag_index is greater"),
        (lambda: tf.matrix_diag(V, k=(0, 1, 2)), "only one or two elements"),
        (lambda: tf.matrix_diag(V, k=(0, 2)), "doesn't match the number of diagonals"),
        (lambda: tf.matrix_diag(V[0], k=(0, 1)), "rank"),
        (lambda: tf.matrix_diag_part(M, k=(-4, 1)), "lower_diag_index is out of bound"),
        (lambda: tf.matrix_diag_part(M, k=(0, 4)), "upper_diag_index is out of bound"),
    ],
)
def test_bands_that_do_not_fit(make, message):
    with pytest.raises(ValueError, match=message):
        make()
