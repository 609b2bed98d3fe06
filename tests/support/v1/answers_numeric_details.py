"""Programs of numeric operations at their edges: nothing in them, sizes that are fed, types that they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph, run, tried

X = np.linspace(-1, 1, 24, dtype=np.float32).reshape(2, 12) ** 3


@graph
def frames_of_fed_lengths(tf: Any) -> Any:
    length, step = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
    found = [
        tf.signal.frame(tf.constant(X), length, step),
        tf.signal.frame(tf.constant(X), 5, step, pad_end=True, pad_value=7.0),
        tf.signal.frame(tf.constant(X), length, 3, pad_end=True),
        tf.signal.overlap_and_add(tf.constant(X.reshape(2, 3, 4)), step),
    ]
    spectra = tf.placeholder(tf.complex64)
    back = tf.signal.inverse_stft(spectra, 7, 3, 4)
    with tf.Session() as session:
        values = session.run(found, {length: 4, step: 3})
        longer = session.run(back, {spectra: np.ones((2, 3, 3), np.complex64)})
    refused = tried(
        lambda: tf.signal.frame(X, [4], 3),
        lambda: tf.signal.frame(X, 4, [3]),
        lambda: tf.signal.frame(X, 4, 3, pad_end=True, pad_value=[1.0]),
    )
    return [values, longer, [each.shape.as_list() for each in found], refused]


@graph
def cosines_of_type_one(tf: Any) -> Any:
    x = tf.constant(X)
    found = [tf.signal.dct(x, 1), tf.signal.idct(x, 1), tf.signal.dct(x, 1, n=5), tf.signal.dct(x, 1, n=20)]
    slope = tf.gradients(tf.square(found[2]), x)[0]
    refused = tried(lambda: tf.signal.dct(x, 1, norm="ortho"), lambda: tf.signal.dct(x[:, :1], 1))
    bins = tf.placeholder_with_default(9, [])
    weights = tf.signal.linear_to_mel_weight_matrix(4, bins, 8000.0)
    return [run(tf, [*found, slope, weights]), refused, weights.shape.as_list()]


@graph
def products_with_three_diagonals(tf: Any) -> Any:
    parts = [np.array([1.0, 2, 0]), np.array([1.0, 2, 3]), np.array([0.0, 4, 5])]
    right = tf.constant(np.arange(6.0).reshape(3, 2))
    packed = tf.constant(np.stack(parts))
    full = tf.constant(np.diag(parts[1]) + np.diag(parts[0][:-1], 1) + np.diag(parts[2][1:], -1))
    multiply = tf.linalg.tridiagonal_matmul
    found = [
        multiply(packed, right),
        multiply([tf.constant(part) for part in parts], right, diagonals_format="sequence"),
        multiply(full, right, diagonals_format="matrix"),
    ]
    slopes = tf.gradients(tf.square(found[0]), [packed, right])
    return [run(tf, found), run(tf, slopes)]


@graph
def vectors_that_complete_a_basis(tf: Any) -> Any:
    answers: list[Any] = []
    for sizes in ((4, 3), (3, 4)):
        x = tf.constant(np.cos(np.arange(12.0) ** 1.5).reshape(sizes))
        _, u, v = tf.linalg.svd(x, full_matrices=True)
        last = (u if sizes[0] > sizes[1] else v)[:, -1]
        shared = last * tf.sign(last[0])  # the sign is any
        answers.append(run(tf, [shared, tf.gradients(shared * np.arange(4.0), x)[0]]))
    empty = tf.linalg.lu(tf.zeros([2, 0, 0]))
    return [answers, run(tf, list(empty))]


@graph
def lists_without_elements(tf: Any) -> Any:
    found = [
        tf.reduce_all([]),
        tf.reduce_any([], 0),
        tf.sparse.segment_sum(tf.zeros([0, 3]), [], [], num_segments=2),
    ]
    return [run(tf, found), tried(lambda: tf.math.segment_sum(tf.zeros([0, 3]), []))]


@graph
def numbers_that_are_refused(tf: Any) -> Any:
    x = tf.constant(np.arange(8.0).reshape(4, 2))
    return tried(
        lambda: run(tf, tf.sparse.segment_sum(x, [0, 1], [0, 3], num_segments=2)),
        lambda: run(tf, tf.sparse.segment_mean(x, [0, 1], [1, 0], num_segments=2)),
        lambda: tf.sparse.segment_sum(x, [0, 1], [0, 1], num_segments=-1),
        lambda: run(tf, tf.cast(tf.constant([1, 2]), tf.string)),
        lambda: tf.random.uniform([3], [1, 2], 5, tf.int32),
        lambda: tf.random.uniform([3], 0, [1, 2], tf.int64),
        lambda: run(tf, tf.random.uniform([3], 4, 4, tf.int32)),
        lambda: run(tf, tf.random.categorical(tf.zeros([2, 0]), 3)),
        lambda: tf.math.conj(tf.constant("a")),
        lambda: run(tf, tf.random.uniform([0], 4, 4, tf.int32)).shape,
    )


@eager
def second_slope_of_an_absolute_value(tf: Any) -> Any:
    x = tf.constant([2.0, -0.5])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.abs(tf.complex(tf.cos(x), tf.ones([2])))
        slope = inner.gradient(y, x)
    return [slope, outer.gradient(slope, x)]


@eager
def operators_that_tensorflow_refuses_by_their_values(tf: Any) -> Any:
    x, zero, vector = tf.constant([7, -7]), tf.constant([2, 0]), tf.constant([1.0, 2.0])
    refused = tried(
        lambda: x // zero,
        lambda: x % zero,
        lambda: 5 // zero,
        lambda: 5 % zero,
        lambda: tf.Variable([1, 2]) // 0,
        lambda: tf.matmul(vector, vector),
    )
    return refused, vector % 0.0, vector // 0.0, x // 2, x % -2, tf.norm(x, ord=1)


@graph
def axes_of_orders_are_constants(tf: Any) -> Any:
    x = tf.constant([[3.0, 1.0], [2.0, 4.0]])
    found = run(tf, [tf.sort(x, axis=tf.constant(0)), tf.argsort(x, axis=tf.constant(-1), direction="DESCENDING")])
    axes = (tf.placeholder(tf.int32, ()), [0])
    return found, tried(*(lambda axis=axis: tf.sort(x, axis=axis) for axis in axes))


@graph
def parts_of_a_normalization_may_be_lists(tf: Any) -> Any:
    x = tf.reshape(tf.constant([1.0, 2.0, 3.0, 4.0, -5.0, 6.0]), (1, 1, 2, 3))
    ones, both = [1.0, 1.0, 1.0], {"mean": [1.0, 2.0, 3.0], "variance": [2.0, 2.0, 4.0]}
    return run(tf, tf.nn.fused_batch_norm(x, ones, [0.0, 1.0, 2.0], is_training=False, **both)[0])


@graph
def bins_and_axes_that_do_not_fit(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0]])
    return tried(
        lambda: run(tf, tf.histogram_fixed_width_bins(x, [0.0, 5.0], nbins=-5)),
        lambda: tf.tensordot(x, x, [[0, 1], [0]]),
    )
