"""Programs whose axes, shapes, sizes and counts are known only when a session runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def fed(tf: Any, value: Any, shape: Any = ()) -> tuple[Any, dict[Any, Any]]:
    """Return a placeholder of integers, and what to feed it."""
    node = tf.placeholder(tf.int32, shape)
    return node, {node: value}


@graph
def a_constant_shape_that_is_fed(tf: Any) -> Any:
    n = tf.constant([2, 2])
    made = [tf.reshape(tf.ones([4]), n), tf.zeros(n), tf.fill(n, 7), tf.broadcast_to(tf.ones([1, 1]), n)]
    static = [node.get_shape().as_list() for node in made]
    return static, run(tf, made, {n: [4, 1]}), run(tf, made)


@graph
def a_packed_shape_of_a_fed_constant(tf: Any) -> Any:
    k = tf.constant(2)
    made = [tf.reshape(tf.ones([4]), [k, -1]), tf.zeros([k, 3])]
    return run(tf, made, {k: 4}), run(tf, made)


@graph
def reductions_along_fed_axes(tf: Any) -> Any:
    x, (axis, feed) = tf.constant(CUBE), fed(tf, 1)
    made = [tf.reduce_sum(x, axis), tf.reduce_mean(x, axis, True), tf.reduce_max(x, axis), tf.argmax(x, axis)]
    made += [tf.reduce_logsumexp(x, axis), tf.cumsum(x, axis), tf.reduce_all(x > 3, axis), tf.reduce_prod(x, axis)]
    return run(tf, made, feed), [node.get_shape().ndims for node in made[:2]]


@graph
def a_reduction_along_fed_axes_of_unknown_number(tf: Any) -> Any:
    x, axes = tf.placeholder(tf.float32), tf.placeholder(tf.int32, [None])
    return [run(tf, tf.reduce_sum(x, axes), {x: CUBE, axes: given}) for given in ([0], [0, 2], [], [-1])]


@graph
def gradients_along_fed_axes(tf: Any) -> Any:
    x, (axis, feed) = tf.constant(CUBE), fed(tf, 1)
    made = [tf.reduce_sum(x, axis), tf.reduce_max(x, axis), tf.concat([x, x], axis), tf.gather(x, [0, 1, 1], axis=axis)]
    return run(tf, [tf.gradients(node * node, x)[0] for node in made], feed)


@graph
def an_axis_that_is_not_there(tf: Any) -> Any:
    x, (axis, feed) = tf.constant(CUBE), fed(tf, 5)
    made = [tf.reduce_sum(x, axis), tf.concat([x, x], axis), tf.gather(x, [0], axis=axis), tf.expand_dims(x, axis)]
    return tried(*(lambda node=node: run(tf, node, feed) for node in made))


@graph
def arrays_joined_and_cut_as_fed(tf: Any) -> Any:
    x, (axis, feed) = tf.constant(CUBE), fed(tf, 2)
    sizes = tf.placeholder(tf.int32, [2])
    made = [tf.concat([x, x], axis), tf.expand_dims(x, axis), *tf.split(x, sizes, 2)]
    return run(tf, made, {**feed, sizes: [1, 3]}), [node.get_shape().ndims for node in made]


@graph
def arrays_turned_as_fed(tf: Any) -> Any:
    x, order = tf.constant(CUBE), tf.placeholder(tf.int32, [3])
    axes, shift = tf.placeholder(tf.int32, [1]), tf.placeholder(tf.int32, [])
    made = [tf.transpose(x, order), tf.reverse(x, axes), tf.roll(x, shift, 1)]
    return run(tf, made, {order: [2, 0, 1], axes: [1], shift: 1}), [node.get_shape().as_list() for node in made]


@graph
def arrays_enlarged_as_fed(tf: Any) -> Any:
    x, widths = tf.constant(CUBE), tf.placeholder(tf.int32, [3, 2])
    counts = tf.placeholder(tf.int32, [3])
    made = [tf.pad(x, widths), tf.pad(x, widths, constant_values=7), tf.pad(x, widths, "REFLECT"), tf.tile(x, counts)]
    feed = {widths: [[0, 1], [1, 0], [1, 2]], counts: [1, 2, 1]}
    return run(tf, made, feed), [node.get_shape().as_list() for node in made]


@graph
def a_pad_of_fed_widths_and_unknown_rank(tf: Any) -> Any:
    x, widths = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    node = tf.pad(x, widths)
    return node.get_shape().ndims, run(tf, [node, tf.gradients(node, x)[0]], {x: [1, 2], widths: [[1, 1]]})


@graph
def the_k_largest_of_a_fed_k(tf: Any) -> Any:
    x, (k, feed) = tf.constant(CUBE), fed(tf, 2)
    found = tf.nn.top_k(x, k)
    hits = tf.nn.in_top_k(x[0], tf.constant([3, 0, 2]), k)
    return run(tf, [found.values, found.indices, hits], feed), found.values.get_shape().as_list()


@graph
def ranks_that_are_checked_in_a_run(tf: Any) -> Any:
    p, rank = tf.placeholder(tf.float32), tf.placeholder(tf.int32, [])
    checks = [tf.assert_rank(p, 1), tf.assert_rank_at_least(p, 2), tf.assert_rank(p, rank)]

    def checked(values: Any) -> Any:
        return tried(*(lambda c=c, v=v: run(tf, c, {p: v, rank: 1}) for c, v in zip(checks, values, strict=True)))

    return checked(([1], [[1]], [1])), checked(([[1]], [1], 1))


@graph
def ranks_that_are_wrong_when_built(tf: Any) -> Any:
    x = tf.constant(CUBE)
    return tried(
        lambda: tf.assert_rank(x, 2),
        lambda: tf.assert_rank_at_least(x, 4),
        lambda: tf.assert_rank(x, tf.constant(2)),
        lambda: tf.assert_rank(x, 1.5),
        lambda: tf.assert_rank(x, [1]),
    )


@graph
def a_scatter_into_a_fed_shape(tf: Any) -> Any:
    sizes = tf.placeholder(tf.int32, [1])
    node = tf.scatter_nd([[1], [3]], [5.0, 6.0], sizes)
    return run(tf, node, {sizes: [6]}), node.get_shape().as_list()


@graph
def a_gather_with_batch_dims(tf: Any) -> Any:
    p = tf.constant(CUBE)
    made = [
        tf.gather(p, [[0, 2], [1, 0]], batch_dims=1),
        tf.gather(p, [[0, 2], [1, 0]], batch_dims=1, axis=2),
        tf.gather(p, np.zeros([2, 3, 1], np.int32), batch_dims=2),
        tf.gather(p, [[0, 2], [1, 0]], batch_dims=-1),
    ]
    static = [node.get_shape().as_list() for node in made]
    return static, run(tf, made), run(tf, [tf.gradients(node * node, p)[0] for node in made])


@graph
def ranges_of_common_types(tf: Any) -> Any:
    made = [tf.range(0, 2, 0.5), tf.range(3.5), tf.range(3), tf.range(tf.constant(2.0)), tf.range(0.0, 3, 1)]
    made += [
        tf.range(tf.constant(3, tf.int64)),
        tf.range(0, tf.constant(4, tf.int64), 2),
        tf.range(3, dtype=tf.float64),
    ]
    return run(tf, made), [node.dtype.name for node in made], [node.get_shape().as_list() for node in made]


@graph
def linspaces_of_float64(tf: Any) -> Any:
    made = [tf.linspace(np.float64(0), 0.1, 12), tf.linspace(tf.constant(0.0, tf.float64), 0.1, 12)]
    made += [tf.linspace(0.0, 0.1, 12), tf.linspace(0.0, 1.0, 1)]
    return run(tf, made), tried(lambda: run(tf, tf.linspace(0, 10, 3)), lambda: run(tf, tf.linspace(0.0, 1.0, 0)))


@graph
def a_linspace_of_a_fed_count(tf: Any) -> Any:
    n, feed = fed(tf, 5)
    node = tf.linspace(0.0, 1.0, n)
    return run(tf, node, feed), node.get_shape().as_list()


@graph
def counts_that_are_fed(tf: Any) -> Any:
    n, feed = fed(tf, 4)
    made = [tf.one_hot([1, 3], n), tf.sequence_mask([1, 2], n), tf.confusion_matrix([0, 1], [1, 1], n), tf.eye(n)]
    return run(tf, made, feed)


@graph
def subscripts_of_constants_that_are_fed(tf: Any) -> Any:
    x, k = tf.constant(CUBE), tf.constant(1)
    return run(tf, [x[k], x[0, k:], tf.slice(x, [0, k, 0], [1, 1, 2])], {k: 0}) + run(tf, [x[0, k]])


@graph
def strided_slices_as_fed(tf: Any) -> Any:
    x, begin = tf.constant(CUBE[0]), tf.placeholder(tf.int32, [2])
    node = tf.strided_slice(x, begin, [3, 4])
    return run(tf, node, {begin: [1, 2]})


@graph
def shapes_that_are_numpy_arrays(tf: Any) -> Any:
    v = tf.get_variable("v", np.array([2, 3]), initializer=tf.zeros_initializer())
    made = [tf.placeholder(tf.float32, shape=np.array([2, 3])), tf.zeros(np.array([2, 3])), v]
    return [node.get_shape().as_list() for node in made], tf.TensorShape(np.array([4])).as_list()


@graph
def a_constant_of_a_shape_with_a_zero(tf: Any) -> Any:
    made = [tf.constant(1.0, shape=[0, 3]), tf.constant(2, shape=[2, 0], dtype=tf.int64)]
    return run(tf, made), tried(
        lambda: run(tf, tf.constant([1.0, 2.0], shape=[0, 3])), lambda: tf.constant([1.0, 2.0], shape=[1])
    )


@graph
def sorted_sequences_in_rows(tf: Any) -> Any:
    rows, wanted = [[1.0, 3.0, 5.0], [2.0, 4.0, 9.0]], [[2.0, 3.0], [9.0, 0.0]]
    made = [tf.searchsorted(rows, wanted), tf.searchsorted(rows, wanted, side="right", out_type=tf.int64)]
    return run(tf, [*made, tf.searchsorted([rows], [wanted])])


@graph
def subscripts_by_arrays_and_masks(tf: Any) -> Any:
    p = tf.reshape(tf.range(4), [2, 2])
    return run(
        tf,
        [
            p[np.array(1)],
            p[tf.constant([True, False])],
            p[np.array([True, False])],
            p[tf.constant([[True, False]] * 2)],
        ],
    )


@graph
def a_pad_of_a_scalar(tf: Any) -> Any:
    return run(tf, [tf.pad(tf.constant(1.0), np.zeros([0, 2], int)), tf.pad([1], [[1, 0]])])


@graph
def axes_that_are_constants(tf: Any) -> Any:
    x, one = tf.constant(CUBE), tf.constant(1)
    made = [tf.reduce_sum(x, one), tf.concat([x, x], one), tf.expand_dims(x, one), tf.squeeze(x[:, :1], 1)]
    made += [tf.gather(x, [0], axis=one), tf.argmax(x, one), tf.reduce_sum(x, [one, one + 1]), tf.cumsum(x, one)]
    return [node.get_shape().as_list() for node in made], run(tf, made)


@graph
def arguments_by_their_names(tf: Any) -> Any:
    angle = tf.atan2(y=[1.0, 0.0], x=[0.0, -1.0])
    images = tf.reshape(tf.range(32.0), [2, 4, 4, 1])
    blocks = tf.space_to_batch(images, [[0, 0], [0, 0]], block_shape=2)
    whole = tf.batch_to_space(blocks, crops=[[0, 0], [0, 0]], block_size=2)
    turned = [tf.to_float([1]), tf.to_double([1]), tf.to_int32([1.5]), tf.to_int64([1.5]), tf.to_complex64([1.0])]
    with tf.variable_scope("a") as scope:
        scope.set_use_resource(use_resource=False)
        scope.set_partitioner(partitioner=None)
        scope.set_caching_device(caching_device=None)
        scope.set_custom_getter(custom_getter=None)
    x = tf.constant([1.0, 2.0])
    second = tf.hessians(x * x * x, [x], "second", False, False, None)
    types = [tf.as_dtype(type_value="float32"), tf.conj(x=x).dtype, *(each.dtype for each in turned)]
    names = [each.op.name for each in turned]
    return [each.name for each in types], names, run(tf, [angle, blocks, whole, second])
