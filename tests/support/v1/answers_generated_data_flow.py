"""Programs that call queues, arrays of tensors, bands and sets by the generated modules, and lists of tensors cast."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from answers import eager, graph, run, tried
from answers_generated import _module

X = np.arange(9, dtype=np.float32).reshape(3, 3)


@graph
def queues_by_generated_functions(tf: Any) -> Any:
    g = _module(tf, "data_flow")
    q = g.fifo_queue_v2([tf.float32], [[]], 10, shared_name="kept")
    entered = [g.queue_enqueue_v2(q, [1.0]), g.queue_enqueue_many_v2(q, [[2.0, 3.0, 4.0]])]
    left = [*g.queue_dequeue_v2(q, [tf.float32]), *g.queue_dequeue_many_v2(q, 2, [tf.float32])]
    left += g.queue_dequeue_up_to_v2(q, 5, [tf.float32])
    closed = g.queue_close_v2(q)
    kinds = [each.type for each in entered] + [each.op.type for each in (q, *left)]
    shapes = [str(each.shape) for each in left]
    found = []
    with tf.Session() as session:
        for op in (*entered, closed):
            session.run(op)
        found = [session.run(each) for each in left]
        found += session.run([g.queue_size_v2(q), g.queue_is_closed_v2(q)])
    return kinds, shapes, found


@graph
def other_queues_by_generated_functions(tf: Any) -> Any:
    g = _module(tf, "data_flow")
    found = []
    with tf.Session() as session:
        for q in (
            g.random_shuffle_queue_v2([tf.int32], [[]], seed=3),
            g.padding_fifo_queue_v2([tf.int32], [[]]),
        ):
            session.run(g.queue_enqueue_v2(q, [7]))
            found.append((q.op.type, session.run(g.queue_dequeue_up_to_v2(q, 1, [tf.int32]))))
        q = g.priority_queue_v2([[]], [tf.int32])
        session.run(g.queue_enqueue_many_v2(q, [np.array([2, 1], np.int64), [7, 8]]))
        least = g.queue_dequeue_v2(q, [tf.int64, tf.int32])
        found.append((q.op.type, [str(each.shape) for each in least], session.run(least)))
    return found


@graph
def tensor_arrays_by_generated_functions(tf: Any) -> Any:
    g = _module(tf, "data_flow")
    handle, flow = g.tensor_array_v3(size=3, dtype=tf.float32, element_shape=[2], clear_after_read=False)
    flow = g.tensor_array_write_v3(handle=handle, index=0, value=[1.0, 2.0], flow_in=flow)
    flow = g.tensor_array_scatter_v3(handle=handle, indices=[1, 2], value=[[3.0, 4.0], [5.0, 6.0]], flow_in=flow)
    read = g.tensor_array_read_v3(handle=handle, index=1, flow_in=flow, dtype=tf.float32)
    gathered = g.tensor_array_gather_v3(handle, [0, 2], flow, tf.float32, element_shape=[2])
    joined = g.tensor_array_concat_v3(handle, flow, tf.float32)
    grads, of_grads = g.tensor_array_grad_v3(handle, flow, source="g")
    of_grads = g.tensor_array_write_v3(grads, 0, [1.0, 1.0], of_grads)
    summed = g.tensor_array_read_v3(grads, 0, of_grads, tf.float32)
    wrong = g.tensor_array_read_v3(handle, 1, flow, tf.float64)
    pieces, split = g.tensor_array_v3(size=2, dtype=tf.float32)
    split = g.tensor_array_split_v3(pieces, [1.0, 2.0, 3.0], np.array([2, 1], np.int64), split)
    piece = g.tensor_array_read_v3(pieces, 0, split, tf.float32)
    told = [gathered.shape.as_list(), joined._fields, [handle.op.get_attr(key) for key in ("dynamic_size", "dtype")]]
    values = run(tf, [read, gathered, *joined, summed, piece, g.tensor_array_size_v3(handle, flow)])
    return told, values, tried(lambda: run(tf, wrong))[0]


@graph
def elements_of_an_array_have_the_shape_of_what_was_unstacked(tf: Any) -> Any:
    array = tf.TensorArray(tf.float32, size=0, dynamic_size=False, infer_shape=True)
    array.unstack(tf.zeros([0, 3, 5])).mark_used()
    stacked, joined = run(tf, [array.stack(), array.concat()])
    return stacked.shape, joined.shape, array.element_shape.as_list()


@eager
def an_array_is_read_again_after_it_was_unstacked_again(tf: Any) -> Any:
    array = tf.TensorArray(tf.float32, size=2, infer_shape=False)
    first = array.unstack([1.0, 2.0])
    found = [float(first.read(0)), tried(lambda: first.read(0))[0]]
    return found, float(array.unstack([3.0, 4.0]).read(0))


@graph
def bands_by_generated_arguments(tf: Any) -> Any:
    g = _module(tf, "array")
    band = X[:2]
    made = [g.matrix_diag_v2(band, 0, -1, -1, 0.0), g.matrix_diag_v3(band, [-1, 0], -1, -1, 0.0)]
    made += [g.matrix_diag_v3(band, [-1, 0], -1, -1, 0.0, align="LEFT_RIGHT"), g.matrix_diag_part_v2(X, [-1, 1], 0.0)]
    made += [g.matrix_diag_part_v3(X, [-1, 1], 0.0), g.matrix_diag_part_v3(X, [-1, 1], 0.0, align="LEFT_RIGHT")]
    made += [g.matrix_set_diag_v2(X, [1.0, 2.0, 3.0], 0), g.matrix_set_diag_v3(X, band + 1, [0, 1])]
    return run(tf, made)


@graph
def sets_by_a_word(tf: Any) -> Any:
    g = _module(tf, "set")
    one, other = [[1, 2], [3, 4]], [[1, 3], [3, 5]]
    sparse = ([[0, 0], [1, 0]], [1, 3], [2, 2])
    made = [g.dense_to_dense_set_operation(one, other, word) for word in ("a-b", "b-a", "intersection", "union")]
    made += [g.dense_to_sparse_set_operation(one, *sparse, set_operation="union")]
    made += [g.sparse_to_sparse_set_operation(*sparse, [[0, 0], [1, 0]], [1, 4], [2, 2], "b-a")]
    return [list(each._fields) for each in made], run(tf, [list(each) for each in made])


@eager
def lists_of_tensors_are_cast(tf: Any) -> Any:
    ids = tf.range(3)
    made = [tf.convert_to_tensor([ids, ids], dtype=tf.float32), tf.add(tf.ones([2, 3]), [ids, ids])]
    made += [tf.concat([[tf.constant(1)], tf.ones([2])], 0), tf.maximum([tf.constant(1), 2], tf.constant([0.5, 3.5]))]
    made += [tf.tensor_scatter_nd_update(tf.zeros([3, 3]), [[0], [2]], [ids, ids])]
    with tf.GradientTape() as tape:
        x = tf.constant(2.0)
        tape.watch(x)
        y = tf.convert_to_tensor([x, x * x], dtype=tf.float64)
    return [(each.dtype.name, each.numpy()) for each in made], tape.gradient(y, x).numpy()


@graph
def blocks_of_pixels_in_other_layouts(tf: Any) -> Any:
    padded = tf.required_space_to_batch_paddings([4, 5], [3, 2], [[0, 0], [0, 1]])
    paddings = run(tf, list(padded))  # TensorFlow runs nothing of a graph in which one node has no kernel
    pixels = np.zeros([1, 4, 2, 2], np.float32)
    made = [f(pixels, 2, data_format="NCHW") for f in (tf.space_to_depth, tf.depth_to_space)]
    found = tried(*(lambda x=x: run(tf, x) for x in made), lambda: tf.depth_to_space(pixels, 2, None, "X"))
    why = ["No OpKernel was registered to support Op 'SpaceToDepth'", "No OpKernel was registered", "not in: "]
    told = [word in str(each.error) for word, each in zip(why, found, strict=True)]
    huge = tf.constant(1879048192, shape=[2], dtype=tf.int64)
    wrong = tried(
        lambda: tf.space_to_batch_nd(tf.zeros([10, 19, 22]), huge, tf.zeros([2, 2], tf.int32)),
        lambda: tf.roll([[1, 2], [3, 4]], [1], [0, 1]),
        lambda: tf.roll([[1, 2], [3, 4]], 1, [0, 1]),
    )
    names = [(each.name, each.op.type) for each in padded]
    errors = [(type(each.error).__name__, str(each.error).split(" for ")[0]) for each in wrong]
    return [each.shape.as_list() for each in made], told, names, paddings, errors


@eager
def what_does_not_fit_is_told_by_sizes(tf: Any) -> Any:
    x = tf.constant(X)
    sets = _module(tf, "set")
    found = tried(
        lambda: tf.reduce_sum(x, 3),
        lambda: tf.reduce_max(x, [0, -4]),
        lambda: tf.expand_dims(x, 5),
        lambda: tf.matmul(x, tf.ones([2, 3])),
        lambda: x[7],
        lambda: x[0, 0, 0],
        lambda: tf.gather_nd(x, [[0, 1, 2]]),
        lambda: tf.fill([-1], 1),
        lambda: tf.broadcast_to(x, [2, 3]),
        lambda: tf.math.invert_permutation([2, 0, 0]),
        lambda: tf.math.invert_permutation([2, 0, 3]),
        lambda: tf.nn.top_k(tf.constant(1.0)),
        lambda: sets.set_size(1, [1, 1], 1),
    )
    words = ["Invalid reduction dimension", "Invalid reduction dimension", "Tried to expand dim index 5 for tensor"]
    words += ["Matrix size-incompatible: In[0]: [3,3], In[1]: [2,3]", "slice index 7 of dimension 0 out of bounds."]
    words += [
        "Index out of range using input dim 2; input has only 2 dims",
        "saw: 3 vs. 2",
        "Dimension -1 must be >= 0",
    ]
    words += ["Incompatible shapes: [3,3] vs. [2,3]", "0 is duplicated in the input.", "3 is not between 0 and 3"]
    words += ["input must be >= 1-D, got shape []", "Shape must be a 1D tensor"]
    pairs = zip(words, found, strict=True)
    return [(type(each.error).__name__, word in str(each.error)) for word, each in pairs]


@graph
def modules_have_what_their_generated_modules_have(tf: Any) -> Any:
    package = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    names = ("array_ops", "math_ops", "data_flow_ops", "list_ops", "tensor_array_ops")
    arrays, maths, flows, lists, tensor_arrays = (import_module(f"{package}.python.ops.{name}") for name in names)
    made = [arrays.BroadcastTo(input=[1, 2], shape=[2, 2]), maths.AddV2(x=1, y=2)]
    queue = flows.FIFOQueueV2(component_types=[tf.int32], shapes=[[]])
    with tf.control_dependencies([flows.QueueEnqueueV2(handle=queue, components=[3])]):
        made += flows.QueueDequeueV2(handle=queue, component_types=[tf.int32])
    held = lists.tensor_list_from_tensor([[1.0], [2.0]], [1])
    made.append(lists.tensor_list_concat_v2(held, [1], tf.constant([1, 1], tf.int64), tf.float32).tensor)
    old = tf.TensorArray(tf.float32, 2)
    made.append(tensor_arrays.build_ta_with_new_flow(old, old.write(0, 5.0).flow).read(0))
    return [hasattr(module, "NoSuchOperation") for module in (arrays, flows)], run(tf, made)


def _shared_slopes(tf: Any, gradient_of: Any) -> Any:
    x, new = tf.constant([1.0, 5.0, 2.0, 3.0]), tf.constant([2.0, 0.5, 3.0, 3.0])
    at = [[1], [2], [3], [3]]
    rows, parts = tf.constant([[1.0, 4.0], [2.0, 2.0]]), tf.constant([[3.0, 4.0], [0.0, 9.0]])
    found = []
    for function in (tf.tensor_scatter_nd_max, tf.tensor_scatter_nd_min):
        found += gradient_of(lambda a, b, f=function: f(a, at, b) * [1.0, 2.0, 3.0, 4.0], x, new)
        found += gradient_of(lambda a, b, f=function: f(a, [[0], [0]], b), rows, parts)
    return found


@graph
def elements_and_updates_that_are_equal_share_a_gradient(tf: Any) -> Any:
    return run(tf, _shared_slopes(tf, lambda f, a, b: [f(a, b), *tf.gradients(f(a, b), [a, b])]))


@eager
def elements_and_updates_share_a_gradient_at_once(tf: Any) -> Any:
    def gradient_of(function: Any, a: Any, b: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y = function(a, b)
        return [each.numpy() for each in (y, *tape.gradient(y, [a, b]))]

    return _shared_slopes(tf, gradient_of)
