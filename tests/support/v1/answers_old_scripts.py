"""Programs with what public scripts of one file rely on: NumPy's numbers as sizes, parts of variables overwritten."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph, run, tried

ROWS = np.arange(6, dtype=np.float32).reshape(2, 3)


def sizes_in_floats(tf: Any, x: Any) -> list[Any]:
    """Return calls whose axes, sizes and counts are NumPy's floats."""
    one, two = np.float64(1.0), np.array([2.0, 3.0])
    return [
        lambda: tf.reshape(x, two[::-1]),
        lambda: tf.tile(x, two),
        lambda: tf.fill(two, 7),
        lambda: tf.zeros(two + 0.9),
        lambda: tf.transpose(x, np.array([1.0, 0.0])),
        lambda: tf.expand_dims(x, one),
        lambda: tf.concat([x, x], one),
        lambda: tf.pad(x, np.array([[1.0, 0.0], [0.0, 1.0]])),
        lambda: tf.squeeze(x[:1], np.float64(0)),
        lambda: tf.cumsum(x, one),
        lambda: tf.reverse(x, np.array([1.0])),
        lambda: tf.broadcast_to(x[0], two),
        lambda: tf.nn.top_k(x, np.float64(2)).values,
        *(lambda f=f: f(x, one) for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod)),
        lambda: tf.reduce_any(x > 4.0, one),
        lambda: tf.one_hot(np.array([[1.0], [2.9]], np.float32), 3),
        lambda: tf.one_hot(np.array([True, False]), 2),
        lambda: tf.linspace(0.0, 1.0, np.float64(3)),
    ]


def sizes_in_python_floats(tf: Any, x: Any) -> list[Any]:
    """Return calls that raise: only NumPy's floats are cast."""
    return [
        lambda: tf.reshape(x, [3.0, 2.0]),
        lambda: tf.expand_dims(x, 1.0),
        lambda: tf.reduce_sum(x, 1.0),
        lambda: tf.concat([x, x], 1.0),
        lambda: tf.transpose(x, [1.0, 0.0]),
        lambda: tf.one_hot([1.0, 2.0], 3),
    ]


@graph
def floats_where_integers_are_meant(tf: Any) -> Any:
    x = tf.constant(ROWS)
    made = [call() for call in sizes_in_floats(tf, x)]
    by_python = [tf.zeros([4 / 2, 3]), tf.ones([2.5, 1]), tf.constant(0.1, shape=[6 / 3, 2])]
    counted = [tf.bincount(np.array([1.0, 2.0])), tf.confusion_matrix(np.array([1.0, 0.0]), tf.constant([1.0, 1.0]))]
    shapes = [node.get_shape().as_list() for node in (*made, *by_python)]
    return shapes, run(tf, made + by_python + counted), tried(*sizes_in_python_floats(tf, x))


@eager
def floats_where_integers_are_meant_eagerly(tf: Any) -> Any:
    x = tf.constant(ROWS)
    return [np.asarray(call()) for call in sizes_in_floats(tf, x)]


@graph
def parts_of_variables_by_tf_assign(tf: Any) -> Any:
    v = tf.Variable(ROWS)
    at = tf.placeholder(tf.int32, [])
    row, entry = tf.assign(v[at], [7.0, 8.0, 9.0]), tf.assign(v[1, at], v[0, 0] + 1.0, name="entry")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = [session.run(each, {at: number}) for each, number in ((row, 1), (entry, 2), (row, 0))]
        return values, session.run(v), entry.op.name, tried(lambda: tf.assign(tf.identity(v), ROWS))


@graph
def maps_of_any_type(tf: Any) -> Any:
    x = tf.constant(ROWS)
    made = [
        tf.vectorized_map(lambda row: tf.reduce_sum(row) > 4.0, x),
        tf.vectorized_map(lambda both: {"a": both[0] * 2.0, "b": both[1] + 1}, (x, tf.constant([5, 6]))),
        tf.vectorized_map(lambda row: 3.0, x),
        tf.vectorized_map(lambda row: x - row, x),
    ]
    slope = tf.gradients(tf.vectorized_map(lambda row: tf.reduce_sum(row * row), x), x)
    return [made[0].get_shape().as_list(), made[3].get_shape().as_list()], run(tf, [made, slope])


@eager
def maps_of_any_type_eagerly(tf: Any) -> Any:
    found = tf.vectorized_map(lambda row: (tf.reduce_sum(row) > 4.0, row * 2.0), tf.constant(ROWS))
    return [part.numpy() for part in found]


def truth_as_numbers(tf: Any) -> Any:
    truth = np.array([True, False])
    made = [tf.constant(value, dtype) for value in (True, [True, False], truth) for dtype in ("float32", "int32")]
    made += [tf.zeros([2]) + truth, tf.ones([2], tf.int32) * truth, tf.zeros([2]) + True]
    return [*made, tf.convert_to_tensor(np.True_, tf.float64), tf.cast(True, tf.float32)]


@graph
def truth_values_where_numbers_are_meant(tf: Any) -> Any:
    fed = tf.placeholder(tf.float32)
    with tf.Session() as session:
        values = [session.run(fed, {fed: value}) for value in (True, np.array([True, False]))]
    return values, run(tf, truth_as_numbers(tf)), tried(lambda: tf.constant(True, tf.string))


@eager
def truth_values_where_numbers_are_meant_eagerly(tf: Any) -> Any:
    return [each.numpy() for each in truth_as_numbers(tf)]


@graph
def bytes_for_texts(tf: Any) -> Any:
    return run(
        tf,
        [
            tf.string_join([b"a", "c"], b"-"),
            tf.string_split([b"a b,c"], b" ,").values,
            tf.strings.regex_replace(b"abc", b"b", b"x"),
            tf.reduce_join([b"a", "b"], separator=b"+"),
        ],
    )


@graph
def layers_whose_getter_gives_tensors(tf: Any) -> Any:
    def doubled(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        return tf.identity(getter(name, *args, **kwargs)) * 2.0

    with tf.variable_scope("a", custom_getter=doubled):
        layer = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer(), bias_initializer=tf.ones_initializer())
        made = layer(tf.constant(ROWS))
    names = [variable.name for variable in tf.trainable_variables()]
    return names, len(layer.trainable_weights), len(layer.non_trainable_weights), run(tf, made)


@graph
def arrays_of_numbers_as_truth_values(tf: Any) -> Any:
    given = np.array([1, 0]), np.array([1.5, 0.0]), np.int32(1), np.float32(0.0)
    refused = tried(lambda: tf.constant([1, 0], tf.bool), lambda: tf.constant(1, tf.bool))
    return run(tf, [tf.constant(value, tf.bool) for value in given]), refused
