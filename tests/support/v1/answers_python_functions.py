"""Programs of functions of Python's inside a graph: on arrays, and on eager tensors with gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def an_eager_function_in_a_graph_has_gradients(tf: Any) -> Any:
    def huber(x: Any, m: Any) -> Any:
        return x * x if abs(x) <= m else m * m * (1.0 - 2.0 * tf.log(m) + tf.log(x * x))

    x, m = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    y = tf.py_function(huber, [x, m], tf.float32)
    slope = tf.gradients(y, x)[0]
    return [run(tf, [y, slope], {x: value, m: 2.0}) for value in (1.0, 3.0)]


@graph
def what_an_eager_function_sees(tf: Any) -> Any:
    seen = []

    def f(x: Any) -> Any:
        seen.append([tf.executing_eagerly(), str(x.shape), x.dtype.name, x.numpy().sum()])
        with tf.Graph().as_default():
            seen.append(tf.executing_eagerly())
        return x.numpy() + 1.0

    y = run(tf, tf.py_function(f, [tf.constant([1.0, 2.0])], tf.float32))
    return y, seen, tf.executing_eagerly()


@graph
def a_tape_within_an_eager_function(tf: Any) -> Any:
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        return tape.gradient(y, x)

    x = tf.constant(2.0)
    y = tf.py_function(slope, [x], tf.float32)
    return run(tf, [y, tf.gradients(y, x)[0]])


@graph
def results_of_eager_functions(tf: Any) -> Any:
    x, y = tf.constant(3.0), tf.constant(2.0)
    two = tf.py_function(lambda a, b: (a * b, a / b), [x, y], [tf.float32, tf.float32])
    first = tf.py_function(lambda a: [a, a * 2.0], [x], tf.float32)
    count = tf.py_function(lambda: 3, [], tf.int32)
    joined = tf.py_function(lambda s: tf.strings.join([s, s]), [tf.constant(["a"])], tf.string)
    mapped = tf.map_fn(lambda e: tf.py_function(lambda q: q * q, [e], tf.float32), tf.constant([1.0, 2.0]))
    return run(tf, [two, tf.gradients(two, [x, y]), first, count, joined, mapped])


@graph
def an_eager_function_in_a_loss(tf: Any) -> Any:
    v = tf.Variable(np.float32([1.0, 2.0]))
    loss = tf.py_function(lambda x: tf.reduce_sum(x * x), [v], tf.float32)
    loss.set_shape([])
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(step)
        return session.run(v)


@graph
def errors_of_eager_functions(tf: Any) -> Any:
    def failing(error: type[Exception]) -> Any:
        def fail() -> Any:
            raise error("boom")

        return lambda: run(tf, tf.py_function(fail, [], tf.float32))

    return tried(
        *(failing(error) for error in (ValueError, StopIteration, NotImplementedError, KeyError)),
        lambda: run(tf, tf.py_function(lambda: tf.constant(1.5), [], tf.int32)),
        lambda: run(tf, tf.py_function(lambda: tf.Variable(1.0, use_resource=True), [], tf.float32)),
    )
