"""Programs of sparse tensors and of texts at their edges: other ranks and shapes, places outside, what is kept."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from answers import graph, run, tried


def _sparse_ops(tf: Any) -> Any:
    """Return the module of operations of sparse tensors, of either library."""
    top = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    return import_module(f"{top}.python.ops.sparse_ops")


def _sparse(tf: Any, *shape: int, values: Any = (1.0, 2.0, 3.0)) -> Any:
    places = [[k % size for size in shape] for k in range(len(values))]
    return tf.SparseTensor(np.array(places, np.int64), tf.constant(list(values)), shape)


@graph
def joined_where_ranks_and_sizes_differ(tf: Any) -> Any:
    one, two, three = _sparse(tf, 3, 3), _sparse(tf, 3, 5), _sparse(tf, 4, 3)
    unknown = tf.sparse_placeholder(tf.float32)
    placed = tf.SparseTensor(tf.placeholder(tf.int64, [None, 2]), unknown.values, unknown.dense_shape)
    known = tf.sparse_concat(0, [unknown, placed])
    return [
        known.indices.shape.as_list(),
        *tried(
            lambda: run(tf, tf.sparse_concat(1, [one, three])),
            lambda: run(tf, tf.sparse_concat(0, [one, two])),
            lambda: tf.sparse_concat(1, [one, _sparse(tf, 2, 3, 4)]),
            lambda: tf.sparse_concat(1, [one, _sparse(tf, 2, 3, 4)], expand_nonconcat_dim=True),
            lambda: run(tf, tf.sparse_concat(-1, [one, three], expand_nonconcat_dim=True)),
            lambda: tf.sparse_split(3, 2, 1),
            lambda: tf.sparse_split(num_split=2, axis=1),
            lambda: tf.sparse_split(sp_input=one, axis=1),
            lambda: tf.sparse_split(sp_input=one, num_split=2),
        ),
    ]


@graph
def reshaped_into_what_does_not_fit(tf: Any) -> Any:
    sparse, fed = _sparse(tf, 5, 6), tf.sparse_placeholder(tf.float32)
    value = run(tf, sparse)
    later = [tf.sparse_reshape(fed, shape) for shape in ([4, 7], [4, -1], [2, -1, -1])]
    return [
        *tried(*(lambda each=each: run(tf, each, {fed: value}) for each in later)),
        *tried(*(lambda each=each: tf.sparse_reshape(sparse, each) for each in ([4, 7], [-1, 7], [-1, 2, -1]))),
    ]


@graph
def places_outside_of_the_shape(tf: Any) -> Any:
    outside = tf.SparseTensor([[1], [4]], [1.0, 2.0], [2])
    ids = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([7, 3], tf.int64), [2, 1])
    weights = tf.SparseTensor(ids.indices, [0.5, 0.25], ids.dense_shape)
    back = tf.SparseTensor([[4], [1], [0]], [1.0, 2.0, 3.0], [2])
    unlike = tf.SparseTensor(
        tf.placeholder_with_default(np.zeros([3, 2], np.int64), [None, 2]),
        tf.placeholder_with_default(np.ones(3, np.float32), [None]),
        tf.placeholder_with_default(np.array([2, 1], np.int64), [None]),
    )
    merged, fewer = tf.sparse_merge(ids, weights, 5), tf.sparse_merge(ids, unlike, 5)
    found = tried(lambda: run(tf, merged), lambda: run(tf, fewer))
    return [*run(tf, tf.sparse_add(outside, outside)), *found, *run(tf, tf.sparse_reorder(back))]


@graph
def sparse_tensors_as_bytes(tf: Any) -> Any:
    numbers, texts = _sparse(tf, 3, 4), _sparse(tf, 2, 3, values=("a", "bc"))
    strings = [tf.serialize_sparse(numbers), tf.serialize_sparse(texts), tf.serialize_many_sparse(numbers)]
    several = tf.stack([strings[0], tf.serialize_sparse(_sparse(tf, 5, 2))])
    other = tf.stack([strings[0], tf.serialize_sparse(_sparse(tf, 5, 2, 2))])
    return [
        [[text.hex() for text in array.reshape(-1).tolist()] for array in run(tf, strings)],
        run(tf, tf.deserialize_many_sparse(several, tf.float32)),
        run(tf, tf.deserialize_many_sparse(strings[2], tf.float32)),
        run(tf, _sparse_ops(tf).deserialize_sparse(tf.stack([strings[1], strings[1]]), tf.string)),
        *tried(
            lambda: run(tf, tf.deserialize_many_sparse(other, tf.float32)),
            lambda: run(tf, tf.deserialize_many_sparse(several, tf.int64)),
            lambda: run(tf, tf.deserialize_many_sparse([["a", "b", "c"]], tf.int64)),
        ),
    ]


@graph
def sparse_tensors_that_are_kept(tf: Any) -> Any:
    ops = _sparse_ops(tf)
    add, add_many = ops._add_sparse_to_tensors_map, ops._add_many_sparse_to_tensors_map
    take = ops._take_many_sparse_from_tensors_map
    one, two = add(_sparse(tf, 3, 4), shared_name="a"), add(_sparse(tf, 2, 6), shared_name="a")
    rows = add_many(_sparse(tf, 3, 4))
    asked = tf.placeholder(tf.int64)
    taken, of_rows = take(one.op, tf.stack([one, two])), take(rows.op, asked)
    with tf.Session() as session:
        found = [*session.run(taken), session.run(rows), *session.run(of_rows, {asked: [2, 0]})]
        found += [[one.shape.as_list(), rows.shape.as_list()]]
        return found + tried(
            lambda: session.run(of_rows, {asked: [2]}),
            lambda: take(asked.op, asked),
            lambda: take(asked, asked),
            lambda: session.run(add_many(_sparse(tf, 3))),
        )


@graph
def sparse_values_and_dense_ones(tf: Any) -> Any:
    value = tf.SparseTensorValue([[0, 1], [1, 0]], np.float32([2, 3]), (2, 2))
    dense = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    outside = [tf.SparseTensor([[1, place]], [1.0], [2, 2]) for place in (-1, 2)]
    found = [tf.sparse_tensor_dense_matmul(value, dense, adjoint_a=turned) for turned in (False, True)]
    return run(tf, found) + tried(*(lambda bad=bad: run(tf, tf.sparse_add(bad, dense)) for bad in outside))


@graph
def columns_at_their_edges(tf: Any) -> Any:
    def read(lines: Any, *defaults: Any, **options: Any) -> Any:
        return run(tf, tf.decode_csv(tf.constant(lines, tf.string), list(defaults), **options))

    return tried(
        lambda: read(["1", "2"], [0]),
        lambda: read("7", [0]),
        lambda: read([["1", ""]], [5]),
        lambda: read(["a,", ","], ["x"], ["y"]),
        lambda: read(['"a""b",c', '"",d', '"e\nf","g,h"'], ["x"], ["y"]),
        lambda: read(["a,b,c", "d,e,f"], ["x"], ["y"], select_cols=[0, 2]),
        lambda: read(['a,"b', 'c,"'], ["x"], select_cols=[0]),
        lambda: read(['a"b'], ["x"]),
        lambda: read(['a"b'], ["x"], use_quote_delim=False),
        lambda: read(["a\nb"], ["x"]),
        lambda: read(["\na"], ["x"]),
        lambda: read(['"a'], ["x"]),
        lambda: read(['"a"b'], ["x"]),
        lambda: read(['"a""'], ["x"]),
        lambda: read([""], ["x"]),
        lambda: read(["NA,1", "2,NA"], [0.5], [7], na_value="NA"),
        lambda: tf.decode_csv(["1"], [[[1]]]),
    )


@graph
def marks_of_split_texts(tf: Any) -> Any:
    marks = tf.placeholder(tf.string)
    parts = tf.string_split(["a|b c", "d"], delimiter=marks)
    return [
        *run(tf, parts, {marks: "| "}),
        *run(tf, parts, {marks: ""}),
        *run(tf, tf.strings.split(["a, b", "c"], sep=tf.constant(", "))),
        *tried(
            lambda: run(tf, parts, {marks: ["a"]}),
            lambda: tf.string_split(["a"], delimiter=["|", ""]),
            lambda: tf.string_split(["a"], delimiter=["a"]),
        ),
    ]


@graph
def numbers_as_texts_that_cannot_be(tf: Any) -> Any:
    return tried(
        lambda: run(tf, tf.as_string([1], scientific=True)),
        lambda: run(tf, tf.as_string([1], shortest=True)),
        lambda: run(tf, tf.as_string([True], precision=2)),
        lambda: run(tf, tf.as_string([1.5], precision=2, shortest=True)),
        lambda: run(tf, tf.decode_raw(["short", "longer"], tf.uint8)),
        lambda: run(tf, tf.reduce_join(tf.constant([["a"]]), axis=[1, -1])),
    )
