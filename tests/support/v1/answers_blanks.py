"""Programs of what stands where nothing is given in sparse tensors, of bins, and of axes of sorted tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried
from answers_choices import kinds

WHERE = [[0, 0], [1, 2]]


@graph
def blanks_of_sparse_tensors(tf: Any) -> Any:
    def dense(values: Any, **kwargs: Any) -> Any:
        return run(tf, tf.sparse.to_dense(tf.SparseTensor(WHERE, values, [2, 3]), **kwargs))

    return dense(["a", "b"]), dense(["a", "b"], default_value="c"), dense([1.5, 2.5]), dense([1, 2], default_value=7)


@graph
def gradients_of_blanks(tf: Any) -> Any:
    values, blank = tf.constant([1.0, 2.0]), tf.constant(5.0)
    dense = tf.sparse_to_dense(WHERE, [2, 3], values, blank)
    other = tf.sparse.to_dense(tf.SparseTensor(WHERE, [1.0, 2.0], [2, 3]), blank)
    weights = np.arange(6, dtype=np.float32).reshape(2, 3)
    return run(tf, [dense, tf.gradients(dense * weights, [values, blank]), tf.gradients(other * weights, blank)])


@graph
def new_axes_of_sparse_tensors(tf: Any) -> Any:
    sparse = tf.SparseTensor(WHERE, [1.0, 2.0], [2, 3])
    axis = tf.placeholder_with_default(0, [])
    wide = tf.sparse.expand_dims(sparse, axis)
    with tf.Session() as session:
        found = [session.run(tf.sparse.to_dense(wide), {axis: k}) for k in (-3, -1, 0, 1, 2)]
    return found, run(tf, tf.sparse.expand_dims(sparse, tf.constant(1)).indices)


@graph
def axes_of_sorted_tensors(tf: Any) -> Any:
    x = tf.constant([3, 4, 5])
    unknown = tf.placeholder(tf.float32)
    found = kinds(tried(lambda: tf.sort(x, axis=-4), lambda: tf.argsort(x, axis=1), lambda: tf.sort(tf.constant(1.0))))
    return found, run(tf, tf.sort(unknown, axis=-2), {unknown: [[3.0, 1.0], [2.0, 5.0]]})


@graph
def bins_of_histograms(tf: Any) -> Any:
    values = [-1.0, 0.0, 1.5, 2.0, 5.0, 15]
    count = tf.placeholder_with_default(5, [])
    return (
        run(tf, tf.histogram_fixed_width_bins(values, [0.0, 5.0], 5, dtype=tf.int64)),
        tf.histogram_fixed_width(values, [0.0, 5.0], count).shape.as_list(),
        kinds(
            tried(
                lambda: tf.histogram_fixed_width(values, 1.0),
                lambda: tf.histogram_fixed_width(values, [1.0, 2.0, 3.0]),
                lambda: tf.histogram_fixed_width(values, [1.0, 5.0], [1, 2]),
                lambda: tf.histogram_fixed_width(values, [1.0, 5.0], -5),
            )
        ),
    )


@graph
def labels_of_another_shape(tf: Any) -> Any:
    return kinds(
        tried(
            lambda: tf.nn.weighted_cross_entropy_with_logits(labels=[1, 2, 3], logits=[[2, 1]], pos_weight=2.0),
            lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=[1, 2, 3], logits=[[2, 1]]),
        )
    )
