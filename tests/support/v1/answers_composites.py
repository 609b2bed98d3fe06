"""Programs with IndexedSlices and SparseTensors where a tensor may stand, and with strings."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


def slices(tf: Any) -> Any:
    return tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 3]))


def sparse(tf: Any, values: Any = (1.0, -2.0)) -> Any:
    return tf.SparseTensor([[0], [3]], list(values), [10])


@graph
def slices_without_a_dense_shape(tf: Any) -> Any:
    v = slices(tf)
    made = [tf.cond(tf.constant(False), lambda: v, lambda: v), tf.scalar_mul(2.0, v), tf.tuple([v])[0]]
    return [type(item).__name__ for item in made], run(tf, [[item.values, item.indices] for item in made])


@graph
def a_cond_of_slices_and_a_tensor(tf: Any) -> Any:
    v = tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 3]), tf.constant([5]))
    made = tf.cond(tf.constant(True), lambda: [v, tf.constant(1)], lambda: [v, tf.constant(2)])
    return type(made[0]).__name__, run(tf, [made[0].values, made[1]])


@graph
def a_sparse_tensor_through_cond(tf: Any) -> Any:
    one, two = sparse(tf), sparse(tf, (3.0, 4.0))
    flag = tf.placeholder(tf.bool, [])
    made = tf.cond(flag, lambda: one, lambda: two)
    return type(made).__name__, [list(run(tf, made, {flag: f})) for f in (True, False)]


@graph
def functions_of_a_sparse_tensor(tf: Any) -> Any:
    sp = sparse(tf)
    made = [tf.cast(sp, tf.float64), tf.abs(sp), tf.negative(sp), tf.square(sp), tf.sign(sp), tf.tanh(sp)]
    names = [type(item).__name__ for item in made]
    return names, [list(value) for value in run(tf, made)]


@graph
def the_shape_of_a_sparse_tensor(tf: Any) -> Any:
    sp = sparse(tf)
    made = [tf.shape(sp), tf.size(sp), tf.rank(sp), tf.shape(sp, out_type=tf.int64)]
    return run(tf, made), [node.dtype.name for node in made]


@graph
def slices_that_are_fed(tf: Any) -> Any:
    i = tf.IndexedSlices(tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int64, [2]))
    full = tf.IndexedSlices(
        tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int64, [2]), tf.placeholder(tf.int64, [1])
    )
    values, ids = np.float32([1, 2]), np.int64([0, 1])
    return [
        run(tf, i.values * 2, {i: (values, ids)}),
        run(tf, full.values * 2, {full: (values, ids, np.int64([5]))}),
    ]


@graph
def slices_as_gradients_in_a_tuple(tf: Any) -> Any:
    table = tf.Variable(np.ones([4, 2], np.float32))
    gradient = tf.gradients(tf.nn.embedding_lookup(table, [1, 1, 3]), table)[0]
    held = tf.tuple([gradient, tf.constant(1.0), None])
    return type(held[0]).__name__, run(tf, [tf.convert_to_tensor(held[0]), held[1]]), held[2] is None


@graph
def strings_that_end_with_nul(tf: Any) -> Any:
    made = [tf.constant([b"a\0", b"b"]), tf.constant(b"c\0\0"), tf.constant(["d\0", "ee"]), tf.constant([[b"\0"]])]
    p = tf.placeholder(tf.string, [None])
    return [value.tolist() if value is not None and hasattr(value, "tolist") else value for value in run(tf, made)] == [
        [b"a\0", b"b"],
        b"c\0\0",
        [b"d\0", b"ee"],
        [[b"\0"]],
    ], run(tf, tf.identity(p), {p: [b"a\0", b"b"]}).tolist() == [b"a\0", b"b"]


@graph
def a_variable_of_strings(tf: Any) -> Any:
    v = tf.get_variable("s", [], tf.string)
    w = tf.get_variable("t", [2], tf.string)
    return run(tf, [v, w])


@graph
def edit_distances(tf: Any) -> Any:
    words = [["bear", "", "x"], ["beers", "y", ""]]
    hypothesis, truth = ([list(word) for word in row] for row in words)
    made = []
    for rows in (hypothesis, truth):
        places = [[0, i, k] for i, row in enumerate(rows) for k in range(len(row))]
        made.append(tf.SparseTensor(places, [letter for row in rows for letter in row], [1, 3, 5]))
    fed = tf.sparse_placeholder(tf.int32)
    one = tf.SparseTensor([[0, 0], [0, 1]], [3, 4], [1, 2])
    nodes = [tf.edit_distance(*made), tf.edit_distance(*made, normalize=False), tf.edit_distance(made[1], made[0])]
    value = tf.SparseTensorValue(np.array([[0, 0], [1, 0]]), np.array([4, 5], np.int32), np.array([2, 1]))
    shapes = [node.shape.as_list() for node in nodes]
    told = [tried(lambda: tf.edit_distance(tf.constant(1), one)), tried(lambda: tf.edit_distance(one, [1]))]
    return run(tf, nodes), run(tf, tf.edit_distance(fed, one), {fed: value}), shapes, told
