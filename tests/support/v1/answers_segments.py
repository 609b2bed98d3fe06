"""Programs of segments, dropout's arguments, static values and sparse shapes of TensorFlow's kernel tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

X = np.arange(12, dtype=np.float32).reshape(4, 3)


@graph
def segments_in_and_out_of_order(tf: Any) -> Any:
    def summed(ids: Any) -> Any:
        return tried(lambda: run(tf, tf.math.segment_sum(X, ids)))

    rows = [[0, 0, 0, 1], [1, 1, 2, 2], [-1, -1, 0, 0], [0, 1, 0, 1], [0, 1, 2, 0], [0, 0, 0, -2], [0, 1]]
    sparse = [([3, 0, 1], [0, 0, 2]), ([3, -1, 1], [0, 0, 2]), ([3, 4, 1], [0, 0, 2]), ([3, 0, 1], [1, 0, 2])]
    found = [tried(lambda w=w, s=s: run(tf, tf.sparse.segment_mean(X, w, s))) for w, s in sparse]
    unsorted = [[0, -1, 1, 0], [0, 2, 1, 0]]
    return [
        [summed(each) for each in rows],
        found,
        [tried(lambda e=e: run(tf, tf.math.unsorted_segment_sum(X, e, 2))) for e in unsorted],
    ]


@graph
def arguments_of_dropout(tf: Any) -> Any:
    x = tf.ones([4, 3])
    kept = tf.nn.dropout(x, rate=0.0) is x
    shared = run(tf, tf.nn.dropout(x, rate=0.5, noise_shape=[4, 1]))
    sizes = tf.placeholder(tf.int32)
    of_node = tf.nn.dropout(x, rate=0.5, noise_shape=sizes)
    refused = [tried(lambda r=r: tf.nn.dropout(x, rate=r))[0] for r in (-1.0, 1.1)]
    shapes = [tried(lambda s=s: tf.nn.dropout(x, rate=0.5, noise_shape=s).shape.as_list()) for s in ([4, 1], [1, 1])]
    wrong = tried(lambda: tf.nn.dropout(x, rate=0.5, noise_shape=[4, 4]))[0]
    return [
        kept,
        bool(np.all(shared == shared[:, :1])),
        of_node.shape.as_list(),
        refused,
        shapes,
        wrong,
        tried(lambda: tf.nn.dropout(tf.constant([1, 2]), rate=0.5))[0],
    ]


@graph
def static_values(tf: Any) -> Any:
    unknown = tf.placeholder(tf.int32, [])
    x = tf.placeholder(tf.float32, [None, 4])
    tensors = [
        tf.shape(tf.ones([3, 4])),
        tf.size(tf.ones([3, 4])),
        tf.rank(x),
        tf.range(0, 5),
        tf.fill([2], 3),
        tf.cast(tf.constant([1, 2]), tf.int64),
        tf.concat([[1], [2]], 0),
        tf.stack([4, 16]),
        tf.zeros([2]),
        tf.shape(x),
        tf.stack([4, unknown]),
        x,
        tf.equal([1, 2], [1, 3]),
    ]
    return [None if (known := tf.get_static_value(each)) is None else np.asarray(known) for each in tensors]


@graph
def sparse_shapes(tf: Any) -> Any:
    sparse = tf.SparseTensor([[0, 0], [2, 1]], [1.0, 2.0], [4, 3])
    wider = [tried(lambda s=s: run(tf, tf.sparse.reset_shape(sparse, s))) for s in ([5, 3], [3, 3], [4])]
    filled, empty = tf.sparse.fill_empty_rows(sparse, tf.constant(-1.0))
    words = tf.SparseTensor([[0, 0]], ["a"], [2, 1])
    return [
        wider[0],
        wider[1][0],
        wider[2][0],
        run(tf, [tf.sparse.reset_shape(sparse), filled, empty, tf.sparse.fill_empty_rows(words, "z")[0]]),
        tried(lambda: tf.sparse.retain(sparse, [True]))[0],
    ]


@graph
def first_and_true(tf: Any) -> Any:
    k = tf.placeholder(tf.int32, [])
    with tf.Session() as session:
        first = tried(lambda: session.run(tf.nn.top_k([1.0, 2.0], k), {k: -7}))
    return [
        first[0],
        tried(lambda: tf.truediv(tf.constant(1.0), tf.constant(1)))[0],
    ]


@graph
def variables_cut_into_parts(tf: Any) -> Any:
    whole = np.arange(20.0, dtype=np.float32).reshape(5, 4)
    rows = tf.create_partitioned_variables([5, 4], [2, 1], whole)
    columns = tf.create_partitioned_variables([5, 4], [1, 3], tf.constant(whole), name="columns", trainable=False)
    filled = tf.create_partitioned_variables([3], [3], tf.ones_initializer(), dtype=tf.float64)
    shared = tf.create_partitioned_variables([5, 4], [1, 3], tf.constant(whole), name="columns", reuse=True)
    wrong = [([5], [1, 1]), ([], []), ([5, 4], [2, 2]), ([5], [0])]
    return [
        [v.name for v in (*rows, *columns, *filled)],
        [a is b for a, b in zip(columns, shared, strict=True)],
        run(tf, [rows, columns, filled]),
        [v.name for v in tf.trainable_variables()],
        [tried(lambda a=a, b=b: tf.create_partitioned_variables(a, b, tf.zeros_initializer())) for a, b in wrong],
    ]


@graph
def extremes_of_segments_that_are_not_finite(tf: Any) -> Any:
    inf, nan = np.inf, np.nan
    x = tf.constant([[1.0, -inf], [inf, -inf], [nan, 2.0], [3.0, inf]])
    extremes = [function(x, [0, 0, 1, 2]) for function in (tf.segment_max, tf.segment_min)]
    extremes += [tf.unsorted_segment_max(x, [0, 0, 1, 2], 4)]
    whole = tf.constant([1, 2, 4])
    means = [tf.math.unsorted_segment_mean(whole, [0, 0, 2], 3), tf.segment_mean(whole, [0, 0, 1])]
    refused = tried(
        lambda: tf.segment_sum([True, False], [0, 1]),
        lambda: tf.unsorted_segment_prod([True, False], [0, 1], 2),
        lambda: tf.math.unsorted_segment_sqrt_n(whole, [0, 0, 1], 2),
    )
    finite = tf.gather(x, [0, 1, 3])  # what the slope at a NaN is stays open
    slopes = tf.gradients([tf.segment_max(finite, [0, 0, 1]), tf.segment_min(finite, [0, 0, 1])], finite)
    return run(tf, extremes), run(tf, slopes), run(tf, means), refused


@graph
def norms_and_shifts_of_integers(tf: Any) -> Any:
    x = tf.constant([[3, -4], [1, 2]])
    norms = [tf.norm(x, ord=1), tf.norm(x, ord=np.inf), tf.norm(x, ord=1, axis=[0, 1]), tf.norm(x, ord=np.inf, axis=1)]
    places = tf.constant([-3, 0, 1, 40], tf.int32)
    moved = [tf.bitwise.left_shift(tf.constant([5, -6, 7, -8]), places)]
    moved += [tf.bitwise.right_shift(tf.constant([5, -6, 7, -8]), places)]
    unknown, vector = tf.placeholder(tf.float32), tf.constant([1.0, 2.0])
    refused = tried(lambda: tf.norm(x), lambda: tf.norm(x, ord=3), lambda: tf.matmul(unknown, vector))
    return run(tf, norms), run(tf, moved), refused
