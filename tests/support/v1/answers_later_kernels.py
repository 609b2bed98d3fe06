"""Programs of kernels that TensorFlow got after 1.15, or that took more types and arguments since."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

ROWS = [[1, 2, 1], [0, 0, 3]]
DATA = [[-20.0, -5.0, 0.0, 3.0], [1.0, -2.0, -11.0, 9.0]]


@graph
def counts_of_raw_operations(tf: Any) -> Any:
    raw = tf.raw_ops
    dense = raw.DenseBincount(input=ROWS, size=3, weights=tf.constant([], tf.int64))
    weighted = raw.DenseBincount(input=[3, 0, 3], size=4, weights=[0.5, 1.0, 2.0])
    sparse = raw.SparseBincount(
        indices=[[1, 2], [1, 4], [2, 2], [2, 4]], values=[0, 1, 2, 2], dense_shape=[4, 5], size=3, weights=[1.0] * 4
    )
    flat = raw.SparseBincount(
        indices=[[7], [9], [3]], values=[2, 2, 0], dense_shape=[20], size=3, weights=tf.zeros([0]), binary_output=True
    )
    ragged = raw.RaggedBincount(splits=[0, 0, 3, 5], values=[3, 0, 1, 1, 1], size=4, weights=tf.zeros([0], tf.int32))
    found = run(tf, [dense, weighted, sparse, flat, ragged])
    return found, dense.shape.as_list(), sparse.shape.ndims


@graph
def positions_that_are_not_there_may_be_left_out(tf: Any) -> Any:
    x = tf.constant([[10.0, 1.0], [2.0, 3.0]])
    return run(
        tf,
        [
            tf.gather_nd(x, [[0], [7], [-1], [1]], bad_indices_policy="IGNORE"),
            tf.gather_nd(x, [[0, 1], [0, 7]], bad_indices_policy="IGNORE"),
            tf.scatter_nd([[0], [7], [1]], [1, 2, 3], [3], bad_indices_policy="IGNORE"),
            tf.gather(x, tf.constant([1], tf.int16)),
        ],
    )


@graph
def ranges_of_slices(tf: Any) -> Any:
    x = tf.constant(DATA)
    both = tf.quantization.quantize_and_dequantize, tf.quantization.quantize_and_dequantize_v2
    found = []
    for rounded in both:
        low, high = tf.constant(-10.0), tf.constant(2.0)
        y = rounded(x, low, high, range_given=True)
        found += [y, tf.gradients(y, x)[0], rounded(x, [0.0] * 2, [0.0] * 2, axis=0)]
        found.append(rounded(x, [0.0] * 4, [0.0] * 4, axis=-1, range_given=False, narrow_range=True))
    return run(tf, found)


@graph
def segments_of_two_bytes(tf: Any) -> Any:
    x = tf.cast([[1.0, -2.0], [3.0, 0.5], [0.25, 4.0]], tf.bfloat16)
    of = tf.math.unsorted_segment_min, tf.math.unsorted_segment_max, tf.math.unsorted_segment_sum
    return [np.asarray(each, np.float32) for each in run(tf, [f(x, [2, 0, 2], 4) for f in of])]


@graph
def segments_of_too_many_rows(tf: Any) -> Any:
    return tried(
        lambda: run(tf, tf.sparse.segment_sum(tf.ones([3, 2]), [2**62 - 1], [2**62 - 1])),
        lambda: run(tf, tf.math.unsorted_segment_sum(np.ones(3), 898042203, 8327099846119777499)),
        lambda: tf.sparse.segment_mean(1.0, [0], [3]),
    )


@graph
def flat_positions_that_cannot_be(tf: Any) -> Any:
    return tried(
        lambda: run(tf, tf.unravel_index([2, 5], [3, 0])),
        lambda: run(tf, tf.unravel_index(3, [2**30, 2**30])),
        lambda: tf.constant(3)[:],
        lambda: tf.strided_slice(tf.constant(3), [0], [1]),
        lambda: run(tf, tf.constant([1, 2, 3])[tf.Dimension(None) :]),
        lambda: tf.constant([1, 2])[tf.constant(1, tf.int8)],
        lambda: run(tf, tf.constant([1, 2])[tf.constant(1, tf.int16)]),
    )
