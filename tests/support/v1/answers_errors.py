"""Programs with wrong arguments: each is refused, by the error that TensorFlow's has."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def a_dropout_by_a_list(tf: Any) -> Any:
    return tried(
        lambda: tf.nn.dropout(tf.ones([2]), [0.0, 1.0]),
        lambda: tf.nn.dropout(tf.ones([2]), np.array([0.5, 1.0])),
        lambda: tf.nn.dropout(tf.ones([2]), 1.5),
        lambda: tf.nn.dropout(tf.ones([2]), "a"),
    )


@graph
def a_reduction_along_a_matrix_of_axes(tf: Any) -> Any:
    return tried(lambda: run(tf, tf.reduce_sum(tf.ones([2]), [[0]])), lambda: tf.reduce_sum(tf.ones([2]), 0.5))


@graph
def initializers_of_wrong_types(tf: Any) -> Any:
    return tried(
        lambda: tf.random_normal_initializer(dtype=tf.string),
        lambda: tf.truncated_normal_initializer(dtype=tf.int32),
        lambda: tf.variance_scaling_initializer(dtype=tf.string),
        lambda: tf.orthogonal_initializer(dtype=tf.int32),
        lambda: tf.glorot_uniform_initializer(dtype=tf.bool),
        lambda: tf.random_uniform_initializer(dtype=tf.int32) is not None,
        lambda: tf.constant_initializer(tf.ones([2])),
        lambda: tf.constant_initializer("a") is not None,
    )


@graph
def clips_by_norms_that_do_not_fit(tf: Any) -> Any:
    return tried(
        lambda: tf.clip_by_norm(tf.ones([2, 3, 1]), [1.0, 2.0]),
        lambda: run(tf, tf.clip_by_norm(tf.ones([2, 3]), [[1.0], [2.0]], axes=[1])),
        lambda: run(tf, tf.clip_by_norm(tf.ones([2, 3]), [1.0, 2.0, 3.0], axes=[0])),
    )


@graph
def piecewise_constants_of_other_types(tf: Any) -> Any:
    return tried(
        lambda: tf.train.piecewise_constant(tf.Variable(0), [-1.0, 1.0], [1, 2, 3]),
        lambda: tf.train.piecewise_constant(tf.Variable(0), [-1, 1], [1, 2.0, 3]),
        lambda: run(tf, tf.train.piecewise_constant(tf.Variable(np.int64(0)), [-1, 1], [1.0, 2.0, 3.0])),
        lambda: run(tf, tf.train.piecewise_constant(tf.Variable(0.5), [-1.0, 1.0], [1.0, 2.0, 3.0])),
        lambda: tf.train.piecewise_constant(tf.Variable(0.5), [-1, 1], [1.0, 2.0, 3.0]),
    )


@graph
def a_confusion_matrix_of_negative_classes(tf: Any) -> Any:
    p = tf.placeholder(tf.int32, [2])
    return tried(
        lambda: run(tf, tf.confusion_matrix([-1, 0], [0, 1])),
        lambda: run(tf, tf.confusion_matrix([0, 1], p), {p: [0, -1]}),
        lambda: run(tf, tf.confusion_matrix([0, 3], [0, 1], num_classes=2)),
    )


@graph
def segments_of_negative_ids(tf: Any) -> Any:
    return tried(
        lambda: run(tf, tf.segment_sum([1.0, 2.0], [-1, 0])),
        lambda: run(tf, tf.segment_max([1.0, 2.0], [-1, 0])),
        lambda: run(tf, tf.segment_mean([1.0, 2.0], [-1, 0])),
        lambda: run(tf, tf.unsorted_segment_sum([1.0, 2.0], [-1, 0], 2)),
    )


@graph
def scatters_that_do_not_fit(tf: Any) -> Any:
    return tried(
        lambda: tf.scatter_nd([[0]], [1.0, 2.0], [3]),
        lambda: tf.scatter_nd([[0, 1]], [1.0], [3]),
        lambda: run(tf, tf.scatter_nd([[5]], [1.0], [3])),
        lambda: run(tf, tf.scatter_nd([[0], [0]], [1.0, 2.0], [3])),
    )


@graph
def a_split_into_another_number(tf: Any) -> Any:
    sizes = tf.placeholder(tf.int32)
    return tried(
        lambda: tf.split(tf.ones([4]), [1, 3], num=3),
        lambda: tf.split(tf.ones([4]), sizes),
        lambda: run(tf, tf.split(tf.ones([4]), sizes, num=2), {sizes: [1, 3]}),
        lambda: run(tf, tf.split(tf.ones([4]), sizes, num=2), {sizes: [1, 2]}),
    )


@graph
def a_mask_of_unknown_rank(tf: Any) -> Any:
    return tried(lambda: tf.boolean_mask(tf.ones([2, 2]), tf.placeholder(tf.bool)))


@graph
def sums_of_other_shapes(tf: Any) -> Any:
    return tried(
        lambda: tf.accumulate_n([tf.ones([2]), tf.ones([3])]),
        lambda: tf.accumulate_n([]),
        lambda: tf.accumulate_n([tf.ones([2]), tf.ones([2], tf.int32)]),
        lambda: run(tf, tf.accumulate_n([tf.ones([2]), tf.ones([2])])),
    )


@graph
def gathers_with_wrong_batch_dims(tf: Any) -> Any:
    p = tf.ones([2, 3])
    return tried(
        lambda: tf.gather(p, [[0], [1]], batch_dims=2),
        lambda: tf.gather(p, [0, 1], batch_dims=2),
        lambda: run(tf, tf.gather(p, [[0], [1], [1]], batch_dims=1)),
    )


@graph
def what_a_run_refuses_first(tf: Any) -> Any:
    x, y = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32)
    with tf.Session() as session:
        return tried(
            lambda: session.run([x, None], {x: [1.0]}),
            lambda: session.run([x, None], {x: [1.0, 2.0]}),
            lambda: session.run(tf.matmul(y, tf.ones([2, 3])), {y: [1.0, 2.0]}),
        )
