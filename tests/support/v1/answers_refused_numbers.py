"""Programs of mathematics that is refused, in which words, and of slopes and windows at infinities and zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph


def _said(tf: Any, made: Any, words: str) -> Any:
    """Return the class of what is raised, whether when built or when run, and whether it says the words."""
    when = "built"
    try:
        node = made()
        when = "run"
        with tf.Session() as session:
            return session.run(node).tolist()
    except Exception as error:
        return [when, type(error).__name__, words in str(error)]


@graph
def sums_of_einstein_that_are_none(tf):
    x, y = tf.ones([2, 3]), tf.ones([3, 2])
    twice = "Output subscripts contain a label appearing more than once"
    return [
        _said(tf, lambda: tf.einsum("ij,jk->ik", x, y), ""),
        _said(tf, lambda: tf.einsum("i j, j k -> i k", x, y), ""),
        _said(tf, lambda: tf.einsum("...j,jk->...k", x, y), ""),
        _said(tf, lambda: tf.einsum("ij,jk->il", x, y), "not present in the input subscripts"),
        _said(tf, lambda: tf.einsum("ij,jk", x), "inputs for equation"),
        _said(tf, lambda: tf.einsum("ij>jk", x), "Subscripts have incorrect format"),
        _said(tf, lambda: tf.einsum("i.j->ij", x), "Subscripts have incorrect format"),
        _said(tf, lambda: tf.einsum("ij0->ij", x), "Subscripts have incorrect format"),
        _said(tf, lambda: tf.einsum("ij->ii", x), twice)[:2],
        _said(tf, lambda: tf.einsum("ijk->ij", x), "Shape must be rank 3 but is rank 2")[:2],
        _said(tf, lambda: tf.einsum("ij,jk->ik", x, tf.cast(y, tf.float64)), "that don't all match"),
    ]


@graph
def products_of_axes_that_do_not_fit(tf):
    x, y = tf.ones([2, 2]), tf.ones([2, 2])
    hidden = [tf.placeholder_with_default(np.ones(s, np.float32), None) for s in ((2, 2), (3, 2))]
    axes = tf.placeholder_with_default([[1], [0]], None)
    return [
        _said(tf, lambda: tf.tensordot(x, y, -1), "`axes` must be at least 0. Received: -1."),
        _said(tf, lambda: tf.tensordot(x, y, 3), "`axes` must not be larger than the number of dimensions of tensor"),
        _said(tf, lambda: tf.tensordot(x, y, [1]), "`axes` must be an integer or have length 2. Received [1]."),
        _said(
            tf, lambda: tf.tensordot(x, y, [[1], [0, 1]]), "Different number of contraction axes `a` and `b`, 1 != 2"
        ),
        _said(tf, lambda: tf.tensordot(x, y, [[0], [7]]), "list index out of range"),
        _said(tf, lambda: tf.tensordot(*hidden, axes), "Matrix size-incompatible: In[0]: [2,2], In[1]: [3,2]"),
        _said(tf, lambda: tf.tensordot(x, y, axes), ""),
    ]


@graph
def axes_said_twice_and_parts_of_texts(tf):
    x = tf.ones([2, 3])
    twice = "Invalid reduction arguments: Axes contains duplicate dimension: "
    numeric = "must be a numeric tensor, but got tensor with dtype <dtype: 'string'>"
    found = [
        _said(tf, lambda: tf.reduce_sum(x, [0, 0]), twice + "0"),
        _said(tf, lambda: tf.reduce_max(x, [1, -1]), twice + "1"),
        _said(tf, lambda: tf.reduce_mean(x, [0, 1, -2]), twice + "0"),
        _said(tf, lambda: tf.reduce_sum(x, [0, -1]), ""),
        _said(tf, lambda: tf.real("a"), numeric),
        [tf.imag(tf.constant("a")).dtype.name, tf.imag(1.0).dtype.name],
        _said(tf, lambda: tf.angle(tf.constant("a")), numeric)[:2],
        _said(tf, lambda: tf.conj("a"), "Expected numeric or variant tensor, got dtype <dtype: 'string'>."),
    ]
    x = tf.constant([np.inf, 0.0, 1.0])
    total = tf.reduce_logsumexp(x)
    with tf.Session() as session:
        return [found, *session.run([total, tf.gradients(total, x)[0]])]


@graph
def frames_and_transforms_that_are_none(tf):
    signal, x = tf.signal, tf.ones([2, 5])
    in_a_row = signal.overlap_and_add(x, 5).name
    windows = signal.inverse_stft_window_fn(2, lambda n, dtype: tf.constant([1.0, 0.0, 2.0, 0.0], dtype))(4, tf.float32)
    with tf.Session() as session:
        window = session.run(windows)
    return [
        _said(tf, lambda: signal.frame(tf.constant(1.0), 2, 1), "must have rank at least 1"),
        _said(tf, lambda: signal.frame(tf.ones([5]), 2, 0), "")[:1],
        _said(tf, lambda: signal.overlap_and_add(tf.ones([5]), 1), "must have rank at least 2"),
        _said(tf, lambda: signal.overlap_and_add(x, 1.0), "frame_step must be an integer. Got <dtype: 'float32'>"),
        _said(tf, lambda: signal.overlap_and_add(x, 5), ""),
        in_a_row,
        _said(tf, lambda: signal.rfft(x, [-1]), "fft_length[0] must >= 0, but got: -1"),
        _said(tf, lambda: signal.rfft2d(x, [2, -3]), "fft_length[1] must >= 0, but got: -3"),
        _said(tf, lambda: signal.rfft(tf.ones([4], tf.int32)), "RFFT requires tf.float32 or tf.float64 inputs, got: "),
        window,
    ]


@graph
def matrices_and_counts_that_are_none(tf):
    linalg, band = tf.linalg, tf.constant([[1.0, 1.0, 0.0], [2.0, 2.0, 2.0], [0.0, 1.0, 1.0]])
    x = tf.ones([2, 2])
    norms = "'ord' must be a supported matrix norm in ['euclidean', 'fro', 1, 2, inf], got 0.5"
    pair = "'axis' must be None, an integer, or a tuple of 2 unique integers, got "
    sides = "Expected number of left-hand sided and right-hand sides to be equal, got 3 and 4"
    return [
        _said(tf, lambda: linalg.norm(x, 0.5, [0, 1]), norms),
        _said(tf, lambda: linalg.norm(x, axis=[0, 0]), pair + "(0, 0)"),
        _said(tf, lambda: linalg.norm(x, axis=1.5), pair + "1.5"),
        _said(tf, lambda: linalg.tridiagonal_solve(band, tf.ones([4])), sides),
        _said(tf, lambda: linalg.tridiagonal_solve(band[:2], tf.ones([3])), "Expected 3 diagonals got 2"),
        _said(tf, lambda: linalg.pinv(tf.constant([[1]])), "Input `a` must have `float`-like `dtype` (saw int32)."),
        _said(tf, lambda: linalg.pinv(tf.ones([2])), "Input `a` must have at least 2 dimensions (saw: 1)."),
        _said(tf, lambda: tf.scalar_mul([2.0], x), "The input scalar must be a 0-D value. Received shape (1,)."),
        _said(tf, lambda: tf.confusion_matrix([1, 2], [2, 2], weights=[0.5]), "Shapes (2,) and (1,) are incompatible"),
        _said(tf, lambda: tf.confusion_matrix([1, 1], [0, 1], weights=[2, 3]), ""),
    ]
