"""Programs that ask what kind a gradient is, dense, of rows or none at all, and of types that are refused or chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph, run, tried


def _kinds(tf: Any, gradients: list[Any]) -> list[str]:
    return ["none" if g is None else "rows" if isinstance(g, tf.IndexedSlices) else "dense" for g in gradients]


def _sparse(tf: Any, values: Any) -> Any:
    return tf.SparseTensor([[0, 0], [1, 2], [2, 1]], values, [3, 4])


@graph
def gradients_of_gradients_of_linear_functions(tf: Any) -> Any:
    v = tf.constant([0.5, -1.0, 2.0])
    image = tf.constant(np.arange(48, dtype=np.float32).reshape(1, 4, 4, 3))
    sparse = _sparse(tf, v)
    made = [
        (tf.sparse_tensor_to_dense(sparse), v),
        (tf.sparse_transpose(sparse).values, v),
        (tf.sparse_reduce_sum(sparse, 0), v),
        (tf.sparse_reshape(sparse, [-1]).values, v),
        (tf.repeat(v, 2), v),
        (tf.lin_space(v[0], v[1], 4), v),
        (tf.unsorted_segment_sqrt_n(v, [0, 0, 1], 2), v),
        (tf.real(tf.signal.rfft(v)), v),
        (tf.signal.frame(v, 2, 1), v),
        (tf.image.resize_bilinear(image, [2, 2]), image),
        (tf.image.rot90(image), image),
        (tf.tanh(v), v),
        (tf.nn.relu(v), v),
    ]
    first = [tf.gradients(y, x)[0] for y, x in made]
    seconds = [tf.gradients(tf.reduce_sum(g * g), x)[0] for g, (_, x) in zip(first, made)]  # noqa: B905  # of one length
    return _kinds(tf, first), _kinds(tf, seconds)


@graph
def gradients_of_grids_and_positions(tf: Any) -> Any:
    v, w = tf.constant([1.0, 2.0, 3.0]), tf.constant([1.0, 2.0])
    grids = tf.meshgrid(v, w)
    rows = tf.constant(np.ones((3, 2), np.float32))
    found = [tf.gradients(tf.gather_nd(rows, at), rows)[0] for at in ([[0]], [[[0]]], [0], [[0, 0]])]
    slices = [
        tf.IndexedSlices(tf.placeholder(tf.float32, [2, 3]), [0, 1], shape)
        for shape in ([5, 3], np.array([5, 3]), tf.constant([5, 3]), (5, 3))
    ]
    return (
        _kinds(tf, tf.gradients(grids[0], [v, w]) + tf.gradients(grids[1] ** 2, [v, w])),
        run(tf, tf.gradients(tf.meshgrid(v, v)[1] ** 2, v)),
        _kinds(tf, found),
        [tf.convert_to_tensor(each).shape.as_list() for each in slices],
    )


@graph
def axes_that_are_tensors(tf: Any) -> Any:
    x, fed = tf.constant([[3.0, 4.0], [0.6, 0.8]]), tf.placeholder(tf.int32, [])
    made = [
        tf.nn.l2_normalize(x, fed),
        tf.nn.l2_normalize(x, tf.constant([0, 1])),
        tf.clip_by_norm(x, 1.0, fed),
        tf.clip_by_norm(x, [[0.5], [2.0]], fed),
        tf.clip_by_norm(x, 1.0, tf.constant([0])),
    ]
    return run(tf, made, {fed: 1})


@graph
@eager
def types_that_are_refused(tf: Any) -> Any:
    whole, x = tf.constant([[1, 2], [3, 4]]), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    kinds = [tf.argmax(x, 1, output_type=kind).dtype.name for kind in (tf.int16, tf.uint16, tf.int32)]
    return kinds, [
        tried(make)
        for make in (
            lambda: tf.nn.l2_normalize(whole, 1),
            lambda: tf.argmax(x, 1, output_type=tf.float32),
            lambda: tf.argmax(x, 1, output_type=tf.uint8),
            lambda: tf.argmin(x, 1, output_type=tf.int16),
            lambda: tf.image.hsv_to_rgb(tf.constant(1.0)),
        )
    ]


@graph
def areas_by_few_thresholds(tf: Any) -> Any:
    labels, predictions = tf.constant([True, False, True]), tf.constant([0.1, 0.2, 0.7])
    updates = [tf.metrics.auc(labels, predictions, num_thresholds=number)[1] for number in (1, 2, 3)]
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        return session.run(updates)


@graph
@eager
def hues_of_colours_below_zero(tf: Any) -> Any:
    colours = np.array([[[1.2, -0.5, 0.3], [-1.0, -0.2, -0.4], [-0.5, -0.5, -0.5], [0.1, 0.2, 0.9]]], np.float32)
    made = [tf.image.adjust_hue(colours, share) for share in (0.1, -0.3, 1.0, 0.0)]
    return run(tf, made) if not tf.executing_eagerly() else [each.numpy() for each in made]


@eager
def second_derivatives_where_a_function_bends(tf: Any) -> Any:
    x = tf.constant([[0.5, -1.0, 2.0], [7.0, 0.1, -0.2]])
    seconds = []
    for bent in (tf.nn.relu, tf.nn.relu6, tf.nn.crelu, tf.nn.leaky_relu, tf.abs, lambda z: tf.maximum(z, 0.0)):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = bent(x)
            total = tf.reduce_sum(inner.gradient(y, x) ** 2)
        seconds.append(outer.gradient(total, x))
    return _kinds(tf, seconds), [second.numpy() for second in seconds if second is not None]


@eager
def gradients_of_values_of_sparse_tensors_and_of_frames(tf: Any) -> Any:
    v = tf.constant([0.5, -1.0, 2.0])
    gradients = []
    for change in (tf.sparse_reorder, tf.sparse_transpose, lambda s: tf.sparse_slice(s, [0, 0], [2, 2])):
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = change(_sparse(tf, v)).values
        gradients.append(tape.gradient(y, v))
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = tf.signal.frame(v, 2, 1)
    gradients.append(tape.gradient(y, v))
    return _kinds(tf, gradients), [gradient.numpy() for gradient in gradients]


@graph
def gradients_stopped_at_one_of_several_results(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    one, two = tf.split(tf.identity(x), 2)
    first, second = tf.unstack(x * 1.0)
    top = tf.nn.top_k(x * 1.0, 2)
    looped = tf.while_loop(lambda i, a, b: i < 2, lambda i, a, b: (i + 1, a * 2.0, b * 3.0), [0, x, x])
    chosen = tf.cond(x[0] > 0, lambda: (x * 1.0, x * 2.0), lambda: (x, x))
    found = [
        tf.gradients([one * two], [x, one], stop_gradients=[two]),
        tf.gradients([one * two], [x, one, two], stop_gradients=[one]),
        tf.gradients(first, [x, first], stop_gradients=[second]),
        tf.gradients(top[0], [x], stop_gradients=[top[1]]),
        tf.gradients(looped[1] + looped[2], [x], stop_gradients=[looped[1]]),
        tf.gradients(chosen[0] + chosen[1], [x], stop_gradients=[chosen[0]]),
    ]
    return [_kinds(tf, each) for each in found], [run(tf, [g for g in each if g is not None]) for each in found]


@graph
def arrays_beside_the_equality_of_nodes(tf: Any) -> Any:
    array = np.array([1.0, 2.0], np.float32)
    nodes = [
        tf.constant(array),
        tf.placeholder(tf.float32, [2]),
        tf.Variable(array),
        tf.Variable(array, use_resource=True),
    ]
    compared = [[node == array, node != array, array == node, array != node, node == node] for node in nodes]
    return compared, [tf.is_numeric_tensor(node) for node in nodes], nodes[0] in [array]


@graph
def images_that_have_their_size(tf: Any) -> Any:
    image = tf.placeholder(tf.int32, [1, 1, 3, 1])
    made = [tf.image.resize_images(image, [2, 3], 0, preserve_aspect_ratio=keep) for keep in (True, False)]
    return [each.dtype.name for each in (*made, tf.image.resize_images(image, [1, 3]))], run(
        tf, made, {image: [[[[1], [2], [3]]]]}
    )
