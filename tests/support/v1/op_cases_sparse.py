"""Sparse tensors made of sparse tensors, their sums, products and reductions."""

from __future__ import annotations

from typing import Any

import numpy as np
from op_cases import case, draw, each

VALUES, OTHERS, DENSE = draw(81, 4), draw(82, 3), draw(83, 3, 5)
WHERE, ELSEWHERE = [[0, 1], [2, 0], [0, 4], [2, 3]], [[0, 1], [1, 2], [2, 3]]


def first(tf: Any, x: Any) -> Any:
    return tf.SparseTensor(WHERE, x, [3, 5])


def second(tf: Any, x: Any) -> Any:
    return tf.SparseTensor(ELSEWHERE, x, [3, 5])


def parts(*tensors: Any) -> list[Any]:
    return [part for sp in tensors for part in (sp.indices, sp.values, sp.dense_shape)]


def sorted_first(tf: Any, x: Any) -> Any:
    return tf.sparse_reorder(first(tf, x))


each(
    {
        "sparse_reorder": lambda tf, x: parts(sorted_first(tf, x)),
        "sparse_reshape": lambda tf, x: parts(tf.sparse_reshape(sorted_first(tf, x), [5, -1])),
        "sparse_retain": lambda tf, x: parts(tf.sparse_retain(first(tf, x), [True, False, False, True])),
        "sparse_transpose": lambda tf, x: parts(tf.sparse_transpose(sorted_first(tf, x))),
        "sparse_transpose by an order": lambda tf, x: parts(tf.sparse_transpose(sorted_first(tf, x), [0, 1])),
        "sparse_slice": lambda tf, x: parts(tf.sparse_slice(sorted_first(tf, x), [0, 1], [3, 3])),
        "sparse_concat by itself": lambda tf, x: parts(tf.sparse_concat(1, [sorted_first(tf, x)] * 2)),
        "sparse_concat of rows": lambda tf, x: parts(tf.sparse_concat(0, [sorted_first(tf, x)] * 2)),
        "sparse_softmax": lambda tf, x: parts(tf.sparse_softmax(sorted_first(tf, x))),
        "sparse sums along an axis": lambda tf, x: tf.sparse_reduce_sum(sorted_first(tf, x), 1),
        "sparse sums along the last": lambda tf, x: tf.sparse_reduce_sum(sorted_first(tf, x), -1, keepdims=True),
        "sparse sum of all": lambda tf, x: tf.sparse_reduce_sum(sorted_first(tf, x)),
    },
    VALUES,
    feed=False,
)
each(
    {
        "sparse times a number": lambda tf, x: parts(first(tf, x) * 2.0),
        "sparse_split": lambda tf, x: parts(*tf.sparse_split(sp_input=sorted_first(tf, x), num_split=2, axis=1)),
        "sparse largest": lambda tf, x: tf.sparse_reduce_max(sorted_first(tf, x), 0),
        "sparse largest kept": lambda tf, x: tf.sparse_reduce_max(sorted_first(tf, x), [1], keepdims=True),
        "sparse_reset_shape": lambda tf, x: parts(tf.sparse_reset_shape(first(tf, x))),
        "sparse_reset_shape larger": lambda tf, x: parts(tf.sparse_reset_shape(first(tf, x), [4, 6])),
        "sparse_fill_empty_rows": lambda tf, x: (lambda sp, empty: [*parts(sp), empty])(
            *tf.sparse_fill_empty_rows(sorted_first(tf, x), -1.0)
        ),
        "sparse from_dense": lambda tf, x: parts(tf.sparse.from_dense(tf.floor(tf.reshape(x, [2, 2])))),
        "sparse through its value": lambda tf, x: parts(
            tf.sparse_reorder(tf.SparseTensorValue(WHERE, [1, 2, 3, 4], [3, 5]))
        ),
    },
    VALUES,
    feed=False,
    grad=False,
)


@case(VALUES, OTHERS, feed=False)
def sparse_add_of_two(tf, x, y):
    return parts(tf.sparse_add(sorted_first(tf, x), second(tf, y)))


@case(VALUES, OTHERS, feed=False, grad=False)
def sparse_extremes_and_thresholds(tf, x, y):
    a, b = sorted_first(tf, x), second(tf, y)
    return parts(tf.sparse_maximum(a, b), tf.sparse_minimum(a, b), tf.sparse_add(a, b, 0.9))


@case(VALUES, DENSE, feed=False)
def sparse_with_a_dense_one(tf, x, y):
    sp = first(tf, x)
    return [tf.sparse_add(sp, y), *parts(sp * y, sp / (tf.square(y) + 1.0))]


@case(feed=False, grad=False)
def sparse_ids_as_indicators(tf):
    ids = tf.SparseTensor(ELSEWHERE, np.array([4, 0, 2], np.int64), [3, 5])
    merged = tf.sparse_merge(ids, second(tf, [1.0, 2.0, 3.0]), 6)
    return [tf.sparse_to_indicator(ids, 6), *parts(merged), *parts(tf.sparse.eye(2, 3))]


@case(draw(84, 3, 2), feed=False, grad=False)
def a_mask_of_slices(tf, x):
    masked = tf.sparse_mask(tf.IndexedSlices(x, [4, 7, 9], [12, 2]), [7])
    return [masked.values, masked.indices]
