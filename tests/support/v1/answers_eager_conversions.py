"""Programs of eager mode: numbers of Python's and NumPy's as tensors, beside tensors, and as first values."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, tried


@eager
def integers_of_numpy_beside_eager_integers(tf: Any) -> Any:
    one, pair, v = tf.constant(1), np.array([3, 4]), tf.Variable(2)
    with_tensors = [one + np.int64(2), np.int64(2) - one, one + pair, pair // tf.constant(2), v * np.int64(3), pair * v]
    functions = [
        tf.add(one, pair),
        tf.maximum(pair, one),
        tf.where(tf.constant([True, False]), tf.constant([1, 2]), pair),
        tf.concat([tf.constant([1]), pair], 0),
        tf.stack([one, np.int64(2)]),
        tf.pow(tf.constant(2), np.int64(3)),
    ]
    narrow = [tf.constant(7, tf.uint8) + np.int64(2), tf.constant(1, tf.int64) * np.array([1, 2], np.int32)]
    return with_tensors, functions, narrow, one < pair, tf.equal(one, np.int64(1))


@eager
def lists_that_begin_with_numpys_double(tf: Any) -> Any:
    double = np.float64(1.5)
    lists: list[Any] = [
        [double],
        [double, 2.0],
        [2.0, double],
        [[double]],
        [np.array([1.0]), [2.0]],
        [np.float32(1), 2.0],
    ]
    return (
        [tf.constant(each) for each in lists],
        tf.reduce_mean([double, 2.0]),
        tf.square([double]),
        tf.constant(double),
    )


@eager
def values_that_no_eager_tensor_has(tf: Any) -> Any:
    pair = tf.constant([1, 2])
    constants = tried(
        lambda: tf.constant([1, 2], shape=[3]),
        lambda: tf.constant([1, 2, 3], shape=[2]),
        lambda: tf.constant([1, 2, 3, 4], shape=[2, 2]),
        lambda: tf.constant(5, shape=[2, 0]),
        lambda: tf.convert_to_tensor([pair[0], 2.5]),
        lambda: tf.convert_to_tensor([pair[0], 2]),
    )
    variables = tried(
        lambda: tf.Variable(1.5, dtype=tf.int32),
        lambda: tf.Variable(tf.constant(1.0), dtype=tf.int32),
        lambda: tf.Variable(lambda: tf.constant(1.0), dtype=tf.float64),
        lambda: tf.Variable(lambda: 1, dtype=tf.float32),
        lambda: tf.Variable([tf.constant(1.0), 2.0]),
        lambda: tf.Variable(np.array([[1, 2], [3, 4]]).T),
    )
    return constants, variables


@eager
def integers_divided_by_zero_in_eager_mode(tf: Any) -> Any:
    three, zero = tf.constant([3, 4]), tf.constant([1, 0])
    divided = tried(
        lambda: three // zero, lambda: three % zero, lambda: three // 0, lambda: 5 % zero, lambda: 5 // zero
    )
    return divided, zero // three, 5 // three, tf.constant(3.0) // 0.0, tf.constant([3.0]) % 2.0


@eager
def products_of_what_is_no_matrix_in_eager_mode(tf: Any) -> Any:
    row, flat = tf.constant([[1.0, 2.0]]), tf.constant([1.0, 2.0])
    return tried(
        lambda: tf.matmul(row, flat),
        lambda: tf.matmul(flat, flat),
        lambda: row @ flat,
        lambda: [1.0, 2.0] @ row,
        lambda: tf.matmul(row, row),
        lambda: tf.matmul(row, row, transpose_b=True),
        lambda: tf.matmul(row, row, transpose_a=True),
        lambda: row @ tf.constant([[1.0], [2.0]]),
        lambda: tf.matmul(tf.Variable(1.0), 2.0),
    )


@eager
def parts_of_slices_from_a_tape_are_tensors(tf: Any) -> Any:
    table, x = tf.Variable(np.arange(6.0, dtype=np.float32).reshape(3, 2)), tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.embedding_lookup(table, [2, 0, 2]) * x)
    slices = tape.gradient(loss, table)
    tf.train.GradientDescentOptimizer(0.5).apply_gradients([(slices, table)])
    return slices.values.numpy(), slices.indices.numpy(), slices.indices + 1, tf.convert_to_tensor(slices), table


@eager
def collections_do_not_know_eager_variables(tf: Any) -> Any:
    kept = [tf.Variable(1.0, name="uncollected"), tf.get_variable("uncollected", [2])]
    kept.append(tf.Variable(1.0, collections=["mine"]))
    known = [*tf.trainable_variables(), *tf.global_variables(), *tf.get_collection("mine")]
    return [any(each is variable for each in known) for variable in kept]


@eager
def texts_of_tensors_and_failed_assertions(tf: Any) -> Any:
    number, row = tf.constant(2.5), tf.constant([1, 2])
    texts = [f"{number}", f"{number:.2f}", f"{tf.constant(3)}", f"{row}", f"{tf.constant('a')}", f"{tf.constant(True)}"]
    failed = tried(
        lambda: tf.Assert(False, ["x", row, tf.range(10.0)]),
        lambda: tf.Assert(tf.constant(True), [row]),
        lambda: tf.constant(number, dtype=tf.int32),
        lambda: tf.constant(number, dtype=tf.float32),
        number.eval,
    )
    return texts, failed, tf.report_uninitialized_variables(), tf.Variable(1.0).is_initialized()


@eager
def slopes_of_roots_that_a_mask_leaves_out(tf: Any) -> Any:
    x = tf.constant([0.0, 4.0, -1.0])
    functions = [
        lambda x: tf.where(x > 0, tf.sqrt(x), x),
        lambda x: tf.where(x > 0, tf.rsqrt(x), x),
        lambda x: tf.where(x > 0, tf.norm(x[:, tf.newaxis], axis=1), x),
        lambda x: tf.sqrt(x) * 0.0,
        lambda x: tf.sqrt(x[1:2]) + tf.rsqrt(x[1:2]),
        lambda x: tf.nn.weighted_cross_entropy_with_logits(tf.constant([1.0, 0.0, 1.0]), x, 2.0),
    ]
    found = []
    for function in functions:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(x)
            slope = inner.gradient(y, x)
        found.append([y, slope, outer.gradient(slope, x[:1]) is None])
    return found
