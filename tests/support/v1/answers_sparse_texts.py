"""Programs of sparse tensors and strings that do not fit, and of what initializers give by themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried
from answers_edges import found

A = np.arange(6, dtype=np.float32).reshape(2, 3)


def sparse(tf: Any, places: Any = ((0, 0), (0, 2), (1, 1)), sizes: Any = (2, 3)) -> Any:
    return tf.SparseTensor(np.array(places, np.int64), np.float32([1.0, -2.0, 3.0]), list(sizes))


@graph
def sparse_tensors_out_of_order(tf: Any) -> Any:
    turned = sparse(tf, ((0, 2), (0, 0), (1, 1)))
    return found(
        tf,
        lambda: tf.sparse_tensor_to_dense(turned),
        lambda: tf.sparse_tensor_to_dense(turned, validate_indices=False),
        lambda: tf.sparse_to_dense([3, 1], [4], 1),
        lambda: tf.sparse_to_dense([3, 1], [4], 1, validate_indices=False),
        lambda: tf.sparse_to_dense([1, 1], [4], 1),
        lambda: tf.sparse_to_dense([[1, 1]], [2, 2], "a", ""),
        lambda: tf.sparse_split(sp_input=sparse(tf), num_split=4, axis=1),
        lambda: tf.sparse_split(sp_input=sparse(tf), num_split=2, axis=1),
        lambda: tf.sparse.expand_dims(sparse(tf), 0),
        lambda: tf.sparse.expand_dims(sparse(tf)),
        lambda: tf.sparse.expand_dims(sparse(tf), 4),
        lambda: tf.sparse.reduce_sum_sparse(sparse(tf), 0),
        lambda: tf.sparse.reduce_max_sparse(sparse(tf), 0),
        lambda: tf.sparse_tensor_to_dense(tf.sparse.reduce_sum_sparse(sparse(tf))),
    )


@graph
def sparse_tensors_of_which_a_fed_mask_keeps_some(tf: Any) -> Any:
    mask = tf.placeholder(tf.bool)
    kept = tf.sparse_retain(sparse(tf), mask)
    return run(tf, kept, {mask: [True, False, True]}), kept.values.shape.as_list()


@graph
def sparse_tensors_whose_parts_do_not_fit(tf: Any) -> Any:
    return [
        tried(lambda: tf.SparseTensor([[0]], [1.0, 2.0], [3])),
        tried(lambda: tf.SparseTensor([[0, 0]], [1.0], [3])),
        tried(lambda: tf.sparse_tensor_dense_matmul(sparse(tf), A)),
        tried(lambda: tf.sparse_tensor_dense_matmul(sparse(tf), A, adjoint_b=True).shape.as_list()),
    ]


@graph
def strings_at_the_edge(tf: Any) -> Any:
    square = [["a", "b"], ["c", "d"]]
    return found(
        tf,
        lambda: tf.string_join([["a"], ["b", "c"]]),
        lambda: tf.string_join([["a", "b"], "c"], "-"),
        lambda: tf.reduce_join(square, [0, 1]),
        lambda: tf.reduce_join(square, [1, 0]),
        lambda: tf.reduce_join(square, separator="."),
        lambda: tf.strings.regex_full_match(["ab", "b", "abc\n"], "a.*"),
        lambda: tf.strings.split(["a b  c", "", " d"]),
        lambda: tf.strings.split(["a,b,,c"], ","),
        lambda: tf.strings.split(["a,b,,c"], ",", maxsplit=1),
        lambda: tf.py_func(lambda: "a", [], tf.string),
        lambda: tf.py_func(lambda: ["a", b"b"], [], [tf.string, tf.string]),
    )


@graph
def what_initializers_give_by_themselves(tf: Any) -> Any:
    makers = [
        tf.constant_initializer(3),
        tf.constant_initializer([1, 2]),
        tf.constant_initializer(np.float64(0.1)),
        tf.constant_initializer(3, dtype=tf.int32),
        tf.zeros_initializer(),
        tf.ones_initializer(tf.int32),
    ]
    return run(tf, [make([2]) for make in makers]), run(tf, makers[0]([2], dtype=tf.float64))


@graph
def draws_at_the_edge(tf: Any) -> Any:
    drawn = tf.random.stateless_truncated_normal([1000], [1, 2], stddev=2.0)
    again = tf.random.stateless_truncated_normal([1000], [1, 2], stddev=2.0)
    return [
        tried(lambda: tf.multinomial([1.0, 2.0], 3)),
        run(tf, [tf.reduce_all(tf.equal(drawn, again)), tf.reduce_max(tf.abs(drawn)) < 4.0]),
        drawn.shape.as_list(),
        run(tf, tf.shape(tf.random.stateless_truncated_normal([], [1, 2]))),
    ]


@graph
def small_functions_of_other_namespaces(tf: Any) -> Any:
    return [
        run(tf, [tf.manip.roll([1, 2, 3], 1, 0), tf.math.scalar_mul(2.0, tf.constant(3.0)), *tf.tuple([1])]),
        tried(lambda: tf.Assert(False, "m")),
        tried(lambda: tf.is_non_decreasing(["a"])),
        tf.version.GRAPH_DEF_VERSION > 0,
        tf.test.is_built_with_rocm(),
        tf.test.mock.Mock(return_value=3)(),
    ]


@graph
def sparse_rows_shapes_and_quotients(tf: Any) -> Any:
    turned = tf.SparseTensor([[2, 3], [2, 2], [0, 1], [0, 4]], [1.0, 3.0, 2.0, 4.0], [3, 5])
    outside = tf.SparseTensor([[1, 2], [7, 1]], [1.0, 2.0], [2, 5])
    counts = tf.SparseTensor([[0, 1], [1, 2]], [3, 5], [2, 3])
    ids = [tf.SparseTensor([[0, 0], [0, 1]], [4, 2], [1, 2]), tf.SparseTensor([[0, 0], [0, 1]], [0, 6], [1, 2])]
    merged = tf.sparse_merge(ids, tf.SparseTensor([[0, 0], [0, 1]], [0.5, 0.25], [1, 2]), [5, 7])
    open_sizes = tf.sparse_placeholder(tf.float32, [None, 3])
    joined = tf.sparse_concat(1, [counts, counts])
    rough = tf.SparseTensor([[0, 1, 0]], [2.0], [1, 2, 2])
    known = [merged, joined, tf.sparse_transpose(open_sizes, [1, 0]), tf.sparse_concat(0, [open_sizes] * 2)]
    return [
        found(
            tf,
            lambda: tf.sparse_fill_empty_rows(turned, -1.0),
            lambda: tf.sparse_fill_empty_rows(outside, -1.0),
            lambda: counts / tf.constant([[2], [4]]),
            lambda: merged,
            lambda: rough * tf.ones([3, 2]),
            lambda: tf.sparse_maximum(counts, tf.SparseTensor([[0]], [1], [2])),
            lambda: tf.sparse_tensor_dense_matmul(outside, tf.ones([5, 1])),
            lambda: tf.sparse_to_dense([[0], [4]], [3], 1),
            lambda: tf.sparse_to_dense([0, 1], [3], [[1], [2]]),
            lambda: tf.sparse_to_dense([0, 1], [[3]], 1),
            lambda: tf.sparse_to_dense([0, 2], [3], [1, 2], tf.constant(7)),
        ),
        [str((counts / tf.constant(2)).values.dtype), *[each.get_shape().as_list() for each in known]],
    ]


@graph
def shapes_as_tensors(tf: Any) -> Any:
    sizes = [tf.TensorShape([]), tf.TensorShape([2, 3]), tf.TensorShape([2**31, 2])]
    return [
        run(tf, [tf.convert_to_tensor(size) for size in sizes]),
        run(tf, tf.convert_to_tensor(sizes[1], tf.int64)),
        run(tf, tf.reshape(tf.zeros([6]), sizes[1])),
        tried(lambda: tf.convert_to_tensor(sizes[1], tf.float32)),
        tried(lambda: tf.convert_to_tensor(sizes[2], tf.int32)),
        tried(lambda: tf.convert_to_tensor(tf.TensorShape([None, 2]))),
    ]
