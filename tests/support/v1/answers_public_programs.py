"""Programs with what public programs do around models: buffers that grow, samples repeated as often as is fed."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import numpy as np
from answers import graph, tried


@graph
def a_buffer_grows_in_the_run_that_reads_it(tf: Any) -> Any:
    first = tf.placeholder_with_default(tf.zeros([2, 3]), shape=None)
    buffer = tf.Variable(first, trainable=False, use_resource=True)
    count, room = tf.Variable(0, trainable=False), tf.Variable(2, trainable=False)

    def append(row: Any) -> Any:
        def grow() -> Any:
            longer = tf.concat([buffer, tf.zeros_like(buffer)], 0)
            return tf.assign(buffer, longer, validate_shape=False), tf.assign(room, room * 2)

        grown = tf.cond(tf.equal(count, room), grow, lambda: (buffer, room))
        after = tf.control_dependencies
        with after(grown), after([tf.shape(buffer)]), after([tf.assign(buffer[count, :], row)]):
            return tf.assign_add(count, 1)

    with ExitStack() as stack:
        for row in ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]):
            stack.enter_context(tf.control_dependencies([append(row)]))
        rows = tf.slice(buffer, [0, 0], tf.stack([count, -1]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run([rows, room]), session.run(buffer)


@graph
def samples_are_repeated_as_often_as_is_fed(tf: Any) -> Any:
    x, count = tf.constant(np.ones((5, 2), np.float32)), tf.placeholder(tf.int32)
    tiled = tf.tile(tf.expand_dims(x, 0), [count, 1, 1])
    joined = tf.tile(x, tf.concat([[2], tf.reshape(count, [1])], 0))
    return str(tiled.shape), str(joined.shape), tf.layers.dense(tiled, 3).shape.as_list()[1:]


@graph
def a_gradient_that_calls_its_function(tf: Any) -> Any:
    @tf.custom_gradient
    def power(order: Any, z: Any) -> Any:
        return z**order, lambda dy: (None, dy * order * power(order - 1.0, z))

    z = tf.constant([1.0, 2.0])
    (first,) = tf.gradients(power(tf.constant(3.0), z), z)
    (second,) = tf.gradients(first, z)
    with tf.Session() as session:
        return session.run([first, second])


@graph
def nothing_is_fed(tf: Any) -> Any:
    training, x = tf.placeholder(tf.bool), tf.placeholder(tf.float32)
    with tf.Session() as session:
        return session.run([tf.cond(training, lambda: 1, lambda: 2), tf.is_nan(x)], {training: None, x: None})


@graph
def zeros_of_no_type(tf: Any) -> Any:
    return tf.zeros_like(tf.constant([1.5, 2.5]), False).dtype.name


@graph
def shapes_that_do_not_join(tf: Any) -> Any:
    x, y, z = (tf.placeholder(tf.float32, shape) for shape in ((5, None, 5), (5, 5, 4), (5, 4)))
    return tried(lambda: tf.concat([x, y], 1)), tried(lambda: tf.stack([x, y])), tried(lambda: tf.concat([x, z], 0))


@graph
def devices_that_functions_name(tf: Any) -> Any:
    def chosen(op: Any) -> str:
        return "/gpu:1" if op.type == "Const" else "/cpu:0"

    with tf.device(chosen):
        one = tf.constant(1.0)
        with tf.device("/job:ps"):
            two = tf.identity(one)
    with tf.device("/job:ps"), tf.device(chosen):
        three = tf.constant(1.0)
    return one.device, two.device, three.device
