"""Programs of operations with several results, gradients at fed results, sums of sparse tensors, and old names."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

X = np.arange(12, dtype=np.float32).reshape(4, 3)


@graph
def results_of_one_operation(tf: Any) -> Any:
    x, sizes, unknown = tf.constant(X), tf.placeholder(tf.int32, [2]), tf.placeholder(tf.float32)
    equal, pieces = tf.split(x, 2), tf.split(x, [1, 3], name="pieces")
    fed, rows = tf.split(x, sizes), tf.unstack(x)
    single, top = tf.split(x, 1), tf.nn.top_k(x, 2)
    known = tf.reshape(x, tf.unstack(tf.shape(x))[::-1])
    named = [*equal, *pieces, *fed, *rows, *single, *top, *tf.unique([1, 2, 2]), *tf.meshgrid([1, 2], [3, 4, 5])]
    with tf.Session() as session:
        values = session.run([equal, pieces, fed, rows, single, top, known], {sizes: [3, 1]})
        alone = session.run(equal[1], {equal[0]: X[:2] * 0})
        wrong = tried(lambda: session.run(tf.unstack(unknown, 2), {unknown: X}))
    gradients = run(tf, tf.gradients([equal[1] * 2.0, rows[0], top.values], x))
    return [
        [each.name for each in named],
        [each.shape.as_list() for each in (*equal, *pieces, *fed, *rows, known)],
        len(equal[0].op.outputs),
        equal[0].op is equal[1].op,
        values,
        alone,
        wrong[0],
        gradients,
        tried(lambda: tf.nn.top_k([1.0, 2.0], -7)),
        run(tf, tf.stack([tf.IndexedSlices(x[:1], tf.constant([1]), tf.constant([2, 3]))] * 2)),
        tried(lambda: tf.unique([[1, 2], [2, 3]])),
    ]


@graph
def gradients_that_nothing_defines(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0, 1.0])
    results = [tf.unique(x)[0], tf.setdiff1d(x, [2.0])[0], tf.unique_with_counts(x)[0]]
    beside = tf.reduce_sum(x) + tf.reduce_sum(tf.stop_gradient(tf.unique(x)[0]))
    return [
        [tried(lambda y=y: tf.gradients(y, x))[0] for y in results],
        run(tf, tf.gradients(beside, x)),
        tf.gradients(tf.cast(tf.unique(x)[1], tf.float32), x),
    ]


@graph
def gradients_at_fed_results(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [2])
    functions = [
        tf.tanh,
        tf.sigmoid,
        tf.exp,
        tf.sqrt,
        tf.rsqrt,
        tf.reciprocal,
        tf.nn.relu,
        tf.nn.relu6,
        tf.nn.elu,
        tf.nn.selu,
        tf.nn.softmax,
        tf.nn.log_softmax,
        tf.square,
        tf.nn.softplus,
    ]
    found = []
    for function in functions:
        y = function(x)
        slopes = tf.gradients(y * tf.constant([1.0, 3.0]), [x, y])
        with tf.Session() as session:
            feeds = ([0.5, 0.75], [-0.25, 7.0])
            found.append([session.run(slopes, {x: [0.5, 1.5], y: fed}) for fed in feeds])
    return found


@graph
def sums_of_sparse_tensors_that_stay_sparse(tf: Any) -> Any:
    sparse = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1.0, -1.0, -2.0], [3, 3])
    empty = tf.SparseTensor(np.zeros([0, 2], np.int64), np.zeros(0, np.float32), [3, 3])
    sums = [tf.sparse_reduce_sum_sparse(s, *axes) for s in (sparse, empty) for axes in ((), (1,), (0,), (1, True))]
    largest = [tf.sparse_reduce_max_sparse(s, *axes) for s in (sparse,) for axes in ((), (1,), (0,), (1, True))]
    return run(tf, [sums, largest])


@graph
def gradients_of_linspace_and_saturate_cast(tf: Any) -> Any:
    a, b = tf.constant(1.0), tf.constant(3.0, tf.float64)
    spaced = tf.linspace(a, 2.0, 5) * tf.range(5.0)
    x = tf.constant([1.0, 1e6, -1e6, 3.0])
    half = tf.saturate_cast(x, tf.float16)
    slices = tf.IndexedSlices(tf.constant([[3.0]]), tf.constant([1]))
    y = tf.placeholder(tf.float32)
    (passed,) = tf.gradients(tf.identity(y), y, grad_ys=slices)
    return [
        run(tf, tf.gradients(spaced, a)),
        run(tf, tf.gradients(tf.linspace(b, b * b, 4), b)),
        run(tf, tf.gradients(tf.linspace(a, 2.0, 1), a)),
        run(tf, tf.gradients(half, x)),
        tf.gradients(tf.saturate_cast(x, tf.int32), x),
        run(tf, [passed.values, passed.indices]),
    ]


@graph
def sizes_are_not_divided(tf: Any) -> Any:
    six = tf.Dimension(6)
    quotients = tried(lambda: six / 2), tried(lambda: six / six), tried(lambda: 2 / six)
    return [*quotients, (six // 4).value, (13 // six).value]


@graph
def what_two_shapes_have_in_common(tf: Any) -> Any:
    shapes = [tf.TensorShape(s) for s in ([2, 3], [2, None], [5, 3], [2], None)]
    common = [a.most_specific_compatible_shape(b) for a in shapes for b in shapes]
    return [None if each.ndims is None else each.as_list() for each in common]
