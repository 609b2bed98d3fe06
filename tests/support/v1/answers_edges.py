"""Programs of arguments at the edge of what is allowed: axes, shapes, types, empty arrays, values that do not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from answers import graph, run, tried

A = np.arange(6, dtype=np.float32).reshape(2, 3)
I = np.arange(6, dtype=np.int32).reshape(2, 3)  # noqa: E741  # integers
B = A / 3 - 1
LABELS = np.float32([[0, 1, 1], [1, 0, 0]])


def found(tf: Any, *makers: Callable[[], Any]) -> list[Any]:
    """Return the value of what each makes, or that it raised."""
    return [tried(lambda make=make: run(tf, make())) for make in makers]


def fed(tf: Any, make: Callable[[Any], Any], value: Any) -> Any:
    """Return the value of what is made of a placeholder that is fed."""
    value = np.asarray(value)
    place = tf.placeholder(value.dtype, None)
    return tried(lambda: run(tf, make(place), {place: value}))


@graph
def joined_and_cut_at_the_edge(tf: Any) -> Any:
    return [
        found(
            tf,
            lambda: tf.concat(1, 4.2),
            lambda: tf.concat(tf.constant(1), tf.constant(0, shape=[1])),
            lambda: tf.split(A, 3, tf.constant(1)),
            lambda: tf.split(A, 0),
            lambda: tf.split(A, [0, 2]),
            lambda: tf.stack([]),
            lambda: tf.stack([1, 2.5]),
            lambda: tf.stack(1),
            lambda: tf.strided_slice(A, [0, 1], [1, 3], new_axis_mask=1),
            lambda: tf.strided_slice(A, [0, 1], [1, 3], ellipsis_mask=1),
            lambda: tf.gather_nd(A, np.zeros([2, 0], np.int32)),
            lambda: tf.gather_nd(A, 1),
            lambda: tf.transpose(A, [-1, 0]),
            lambda: tf.reshape(A[:0], [-1, 0]),
            lambda: tf.reshape(A[:0], [0, -1]),
            lambda: tf.reshape(A, [[2, 3]]),
            lambda: tf.reshape(A, 6),
            lambda: tf.reshape(A, tf.TensorShape([None, 2])),
            lambda: tf.squeeze(A[None], axis=[0], squeeze_dims=[0]),
            lambda: tf.expand_dims(A, 0, dim=0),
        ),
        fed(tf, lambda axis: tf.split(A, 1, axis), np.int32(0)),
        tf.concat([A], 0, name="alone").name,
    ]


@graph
def one_hot_at_the_edge(tf: Any) -> Any:
    return [
        *found(
            tf,
            lambda: tf.one_hot([0], 3, axis=-2),
            lambda: tf.one_hot([0], 2, "a", "b"),
            lambda: tf.one_hot([0], 2, on_value=1.0, off_value=0, dtype=tf.float64),
            lambda: tf.one_hot([0], 2, on_value=1.0, off_value=0),
            lambda: tf.one_hot([0], 2, on_value="x"),
            lambda: tf.one_hot([0], 2, on_value=1.5, dtype=tf.int32),
            lambda: tf.one_hot([0, -1], 2, on_value=tf.constant(5.0), off_value=tf.constant(1.0)),
            lambda: tf.one_hot([[0, 2]], 3, axis=1),
            lambda: tf.one_hot([0], -1),
            lambda: tf.one_hot([0], [3]),
        ),
        fed(tf, lambda value: tf.one_hot([0], 2, on_value=value), np.float32(3)),
        tf.one_hot(tf.placeholder(tf.int32, [None, 2]), 3, axis=0).shape.as_list(),
    ]


@graph
def reductions_at_the_edge(tf: Any) -> Any:
    fed_axis = tf.argmax(A, tf.placeholder(tf.int32)).shape.as_list()
    x = tf.constant([0.0, 2.0, 3.0])
    return [
        found(
            tf,
            lambda: tf.reduce_sum(A, keepdims=True, keep_dims=True),
            lambda: tf.reduce_mean(np.uint8([200, 100])),
            lambda: tf.reduce_mean(np.int8([100, 100, -3])),
            lambda: tf.math.reduce_euclidean_norm([3, 4]),
            lambda: tf.argmax(1.0),
            lambda: tf.argmax(A, 0, dimension=1),
            lambda: tf.argmax(A, [0]),
            lambda: tf.cumsum(1.0).shape,
            lambda: tf.truncatediv(A, 2.0),
            lambda: tf.truncatediv(-7.0, 2.0),
            lambda: tf.fill(3, 1),
            lambda: tf.ones([2], tf.string),
            lambda: tf.ones_like(["a"]),
            lambda: tf.range(5, 1),
            lambda: tf.range(-1),
            lambda: tf.eye(-1),
        ),
        fed_axis,
        run(tf, tf.gradients(tf.cumprod(x), x)),
        tf.gradients(tf.truncatediv(x, 2.0), x),
        tried(lambda: tf.gradients(tf.truncatemod(x, 2.0), x)),
    ]


@graph
def arrays_at_the_edge(tf: Any) -> Any:
    names = [tf.matrix_diag(A).name, tf.matrix_diag_part(A).name, tf.matrix_set_diag(A, [9.0, 9.0]).name]
    return [
        found(
            tf,
            lambda: tf.pad(["a"], [[1, 1]]),
            lambda: tf.pad([True], [[1, 1]]),
            lambda: tf.unique([np.nan, 1.0, np.nan]),
            lambda: tf.setdiff1d([[1]], [1]),
            lambda: tf.reverse_sequence(A, [2], seq_axis=1, batch_axis=0),
            lambda: tf.reverse_sequence(A, [2, 3], seq_axis=2, batch_axis=0),
            lambda: tf.invert_permutation([0.0]),
            lambda: tf.diag(A),
            lambda: tf.diag_part(A),
            lambda: tf.diag_part(np.zeros([3])),
            lambda: tf.diag_part(tf.diag(A)),
            lambda: tf.matrix_diag(1.0),
            lambda: tf.matrix_band_part(A, 3, 0),
            lambda: tf.roll(1.0, 1, 0),
            lambda: tf.space_to_batch(np.arange(8.0).reshape(1, 2, 4, 1), [[0, 0], [0, 0]], 2),
            lambda: tf.batch_to_space(np.arange(8.0).reshape(4, 1, 2, 1), [[0, 0], [0, 0]], 2),
            lambda: tf.required_space_to_batch_paddings([3, 4], [2, 3]),
            lambda: tf.required_space_to_batch_paddings([3, 4], [2, 3], [[1, 0], [0, 1]]),
        ),
        fed(tf, lambda pairs: tf.pad(A, pairs, "REFLECT"), np.int32([[2, 0], [0, 0]])),
        tf.tile(A, [-1, 1]).shape.as_list(),
        names,
    ]


@graph
def types_of_lists_with_numbers_of_numpy(tf: Any) -> Any:
    lists = [
        [np.float64(2)],
        [np.float32(2), 1.0],
        [np.int64(2)],
        [np.int32(2), 1],
        [[np.float64(1)], [2.0]],
        [np.float16(1), 2.0],
        [np.float16(1)],
        [np.uint8(1), 300],
        [np.int64(1), 2.5],
        [np.int64(2**40)],
        [1, np.float32(2)],
        [np.int8(1)],
    ]
    return [[tf.constant(each).dtype.name for each in lists], [tf.add(each, 0).dtype.name for each in lists]]


@graph
def activations_at_their_corners(tf: Any) -> Any:
    x = tf.constant([-1.0, 0.0, 2.0, 6.0, 7.0])
    functions = [tf.nn.relu, tf.nn.relu6, tf.nn.elu, tf.nn.selu, tf.nn.leaky_relu, tf.nn.softsign]
    return [
        [run(tf, tf.gradients(function(x), x)) for function in functions],
        found(
            tf,
            lambda: tf.nn.crelu(I),
            lambda: tf.nn.softmax(B, axis=0, dim=0),
            lambda: tf.nn.bias_add(B, [1.0, 2.0, 3.0], data_format="foo"),
            lambda: tf.nn.bias_add([1.0], [1.0]),
            lambda: tf.nn.log_poisson_loss([1.0], [[0.1]]),
            lambda: tf.nn.in_top_k(B, [2, 3], 1),
            lambda: tf.nn.in_top_k(np.float32([[np.nan, 1.0]]), [1], 1),
            lambda: tf.nn.in_top_k(np.float32([[np.inf, 1.0]]), [1], 2),
            lambda: tf.nn.in_top_k(np.float32([[-np.inf, 1.0]]), [1], 2),
            lambda: tf.nn.in_top_k(B, [2], 1),
            lambda: tf.nn.in_top_k(B[0], [2], 1),
        ),
    ]


@graph
def weights_of_losses_at_the_edge(tf: Any) -> Any:
    pairs = tf.losses.mean_pairwise_squared_error
    rows = ([[1.0, 2.0, 4.0], [3.0, 5.0, 1.0]], [[1.0, 0.0, 2.0], [2.0, 2.0, 2.0]])
    return found(
        tf,
        lambda: pairs(*rows),
        lambda: pairs(*rows, weights=[1.0, 0.0]),
        lambda: pairs(*rows, weights=[[1.0], [0.0]]),
        lambda: pairs(*rows, weights=np.ones([2, 3])),
        lambda: pairs(*rows, weights=[[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]]),
        lambda: pairs(*rows, weights=0.0),
        lambda: pairs(*rows, weights=None),
        lambda: tf.losses.compute_weighted_loss(I, weights=2.5),
        lambda: tf.losses.Reduction.validate("x"),
        lambda: tf.losses.huber_loss(LABELS, A, weights=[[1.0], [0.0]]),
    )


@graph
def norms_of_matrices(tf: Any) -> Any:
    x = tf.constant(B)
    cases = [(order, axes) for axes in ([0, 1], [-1, 0]) for order in ("fro", "euclidean", 1, 2, np.inf)]
    wrong = [("fro", None), ("foo", None), (2, [0, 1, 2]), (3, [0, 1]), (-1, None), (2, [0, 0]), (0, None)]
    batch = tf.constant(np.stack([B, A]))
    return [
        [run(tf, [y := tf.norm(x, order, axes), tf.gradients(y, x)[0]]) for order, axes in cases],
        run(tf, [tf.norm(batch, order, [1, 2], keepdims=keep) for order in (1, 2, np.inf) for keep in (False, True)]),
        [tried(lambda o=o, a=a: tf.norm(x, o, a)) for o, a in wrong],
        tried(lambda: tf.norm([1, 2])),
    ]


@graph
def segments_and_places_that_do_not_fit(tf: Any) -> Any:
    x = tf.constant([3.0])
    stitched = tf.dynamic_stitch([[0], [0]], [x, x * 2.0])
    return [
        found(
            tf,
            lambda: tf.segment_mean(I, [0, 0]),
            lambda: tf.segment_sum(A, [0.0, 1.0]),
            lambda: tf.segment_sum(1.0, [0]),
            lambda: tf.unsorted_segment_sum(A, [0], 2),
            lambda: tf.unsorted_segment_max(A, [0, 1], -1),
            lambda: tf.sparse_segment_sum(A, [0, 1], [0]),
            lambda: tf.scatter_nd([[-1]], [2.0], [3]),
            lambda: tf.scatter_nd([[3]], [2.0], [3]),
            lambda: tf.scatter_nd([[0]], ["a"], [2]),
            lambda: tf.cross([1.0, 0.0], [0.0, 1.0]),
            lambda: tf.einsum("ij->k", A),
        ),
        run(tf, [stitched, tf.gradients(stitched, x)[0]]),
    ]


@graph
def types_that_functions_do_not_take(tf: Any) -> Any:
    functions = [tf.lgamma, tf.digamma, tf.floor, tf.ceil, tf.rint, tf.is_nan, tf.is_inf, tf.is_finite, tf.round]
    return [
        [tried(lambda f=f, v=v: f(v).dtype.name)[0] for f in functions for v in ([1], ["a"], [True], [1.5])],
        run(tf, [tf.digamma([0.0, -1.0, 1.0]), tf.argmax([False, True])]),
        tried(lambda: tf.math.reduce_std([1, 2])),
    ]
