"""Programs with what public scripts print or ask for by name: lookups, cases, stacked arrays, scalars, tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph, run


@graph
def lookups_are_found_by_name(tf: Any) -> Any:
    table = tf.get_variable("table", initializer=np.arange(6.0, dtype=np.float32).reshape(3, 2))
    rows, named = tf.nn.embedding_lookup(table, [2, 0]), tf.nn.embedding_lookup(table, [1], name="word")
    sampled = tf.nn.embedding_lookup(table, tf.placeholder(tf.int32, [None]))
    again = tf.get_default_graph().get_tensor_by_name("word:0")
    (slope,) = tf.gradients(tf.reduce_sum(rows * rows), table)
    return rows.name, named.name, sampled.name, run(tf, [rows, again, slope.values, slope.indices])


@graph
def chosen_values_are_named_by_their_cases(tf: Any) -> Any:
    x, y = tf.placeholder_with_default(1.0, []), tf.placeholder_with_default(2.0, [])
    pairs = [(x < y, lambda: x + y), (x > y, lambda: x - y)]
    first, named = tf.case(pairs, lambda: tf.constant(0.0)), tf.case(pairs, lambda: x * 7.0, exclusive=True, name="of")
    return first.name, named.name, run(tf, [first, named]), run(tf, [first, named], {x: 2.0})


@graph
def stacked_arrays_are_named(tf: Any) -> Any:
    array = tf.TensorArray(tf.float32, 2).unstack([[1.0], [2.0]])
    return array.stack().name, array.stack(name="all").name, array.gather([0]).name, run(tf, array.stack())


@graph
def letters_are_added_up(tf: Any) -> Any:
    letters = np.array(["s", "u", "m"])
    pairs = tf.map_fn(lambda letter: tf.string_join([letter, letter]), tf.constant(letters))
    return run(tf, [tf.scan(lambda joined, letter: joined + letter, letters), pairs])


@graph
def sparse_tensors_are_printed_with_their_parts(tf: Any) -> Any:
    return str(tf.SparseTensor([[0, 1]], [2.0], [3, 4]))


@graph
def tables_may_have_a_constant_as_default(tf: Any) -> Any:
    entries = tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([1, 2]))
    table = tf.lookup.StaticHashTable(entries, tf.constant(-7))
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return session.run(table.lookup(tf.constant(["b", "z"])))


@eager
def numbers_of_scalars(tf: Any) -> Any:
    scalars = tf.constant(2.5), tf.constant([1, 2])[1], tf.Variable(0.5, name="v_of_scalars"), tf.constant(3, tf.int64)
    changed = scalars[2].numpy()
    scalars[2].assign(7.0)
    kinds = [type(value.numpy()).__name__ for value in (*scalars, tf.constant("x"), tf.constant([3.0]))]
    return kinds, float(changed), f"{scalars[0].numpy():.2f}", {scalars[1].numpy(): "two"}[2]


@eager
def variables_of_rows_are_printed_below(tf: Any) -> Any:
    rows, row = np.eye(2, dtype=np.float32), np.ones(2, np.float32)
    return repr(tf.Variable(rows, name="rows_shown")), repr(tf.Variable(row, name="row_shown"))


@graph
def layers_decide_by_constants_before_anything_runs(tf: Any) -> Any:
    x = tf.ones([4, 2])
    kinds = tf.constant(False), tf.convert_to_tensor(True), tf.placeholder_with_default(False, [])
    dropped = [tf.layers.dropout(x, training=kind) for kind in kinds]
    normed = [tf.layers.batch_normalization(x, training=kind, name=f"n{k}") for k, kind in enumerate(kinds)]
    updates = [sum(op.name.startswith(f"n{k}/") for op in tf.get_collection("update_ops")) for k in range(3)]
    branches = ["Merge" in t.op.type or "cond" in t.name for t in (*dropped, *normed[:2])]
    values = run(tf, [dropped[0], dropped[2], normed[0], normed[1]])
    return updates, branches[:2], branches[3:], values


@graph
def affine_layers_are_named(tf: Any) -> Any:
    x, w, b = tf.ones([2, 3]), tf.fill([3, 2], -0.5), tf.constant([1.0, 2.0])
    scores, named = tf.nn.xw_plus_b(x, w, b), tf.nn.xw_plus_b(x, w, b, name="scores")
    positive = tf.nn.relu_layer(x, w, b), tf.nn.relu_layer(x, w, b, name="hidden")
    names = [each.name for each in (scores, named, *positive)]
    products = [op.name for op in tf.get_default_graph().get_operations() if op.type == "MatMul"]
    return names, products, run(tf, [scores, positive[1]])


@eager
def shapes_in_lists_are_printed_as_shapes(tf: Any) -> Any:
    shapes = [tf.zeros(sizes).shape for sizes in ([2, 3], [4], [])]
    return repr(shapes), [str(shape) for shape in shapes], f"{shapes[0]} {shapes[1]!r}", str(tf.zeros([1, 2]))
