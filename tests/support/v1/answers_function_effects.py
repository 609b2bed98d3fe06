"""Programs of functions that are made of graphs: the order of what they change, print and check."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


def resource(tf: Any, value: Any) -> Any:
    return tf.Variable(value, use_resource=True)


@graph
def reads_and_writes_of_a_function_keep_their_order(tf: Any) -> Any:
    v = resource(tf, 1.0)

    @tf.function
    def f(x: Any) -> Any:
        a = v * 1.0
        v.assign(x)
        b = v * 2.0
        v.assign_add(10.0)
        return a, b, v * 3.0, v

    return run(tf, f(tf.constant(5.0)))


@graph
def a_result_waits_for_effects_that_it_does_not_need(tf: Any) -> Any:
    v, seen = resource(tf, 1.0), []

    def note(x: Any) -> Any:
        seen.append(float(x))
        return x

    @tf.function
    def inner(x: Any) -> None:
        v.assign_add(x)

    @tf.function
    def outer(x: Any) -> Any:
        inner(x)
        tf.py_func(note, [v.read_value()], tf.float32)
        inner(x * 10.0)
        tf.py_func(note, [v.read_value()], tf.float32)
        return tf.constant(0.0)

    result = outer(2.0)
    with tf.Session() as session:
        session.run(v.initializer)
        first = session.run(result)
        return first, session.run(v), seen


@graph
def an_assertion_that_no_result_of_a_function_needs(tf: Any) -> Any:
    v = resource(tf, 1.0)

    @tf.function
    def f(x: Any) -> Any:
        tf.debugging.assert_positive(x)
        v.assign_add(x)
        return x

    x = tf.placeholder(tf.float32, [])
    result = f(x)
    with tf.Session() as session:
        session.run(v.initializer)
        return tried(lambda: session.run(result, {x: -1.0}), lambda: session.run(result, {x: 2.0}))


@graph
def effects_in_branches_and_loops_of_a_function(tf: Any) -> Any:
    v = resource(tf, 1.0)

    @tf.function
    def f(p: Any) -> Any:
        def yes() -> Any:
            v.assign_add(5.0)
            return tf.constant(1.0)

        def body(i: Any) -> Any:
            v.assign(v * 2.0)
            return i + 1

        chosen = tf.cond(p, yes, lambda: tf.constant(2.0))
        between = v.read_value()
        rounds = tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])
        return chosen, between, rounds, v.read_value()

    p = tf.placeholder(tf.bool, [])
    result = f(p)
    return run(tf, result, {p: True}), run(tf, result, {p: False})


@graph
def training_steps_in_a_function(tf: Any) -> Any:
    v = resource(tf, [3.0, 1.0])
    plain, momentum = tf.train.GradientDescentOptimizer(0.1), tf.train.MomentumOptimizer(0.1, 0.9)

    @tf.function
    def step() -> Any:
        before = tf.reduce_sum(v * v)
        plain.minimize(before, var_list=[v])
        middle = v.read_value()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v * v)
        momentum.apply_gradients([(tape.gradient(loss, v), v)])
        return before, middle, v.read_value()

    result = step()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(result), session.run(result), [x.name for x in tf.global_variables()]


@graph
def gradients_of_values_read_before_and_after_a_write(tf: Any) -> Any:
    v = resource(tf, 2.0)

    @tf.function
    def f(x: Any) -> Any:
        first = v * x
        v.assign_add(1.0)
        second = v * v * x
        return first, second, tf.gradients(first, v)[0], tf.gradients(second, x)[0]

    return run(tf, f(tf.constant(5.0)))


@graph
def gradients_across_a_write_in_a_function(tf: Any) -> Any:
    v = resource(tf, 2.0)

    @tf.function
    def inside() -> Any:
        a = v * 3.0
        v.assign(5.0)
        b = v * v
        return a * b, tf.gradients(a * b, v)[0]

    @tf.function
    def outside() -> Any:
        a = v * 3.0
        v.assign(7.0)
        return a * v * v

    y = outside()
    return run(tf, inside()), run(tf, [y, tf.gradients(y, v)[0]])


@graph
def a_known_result_still_has_the_effects(tf: Any) -> Any:
    v = resource(tf, 0.0)

    @tf.function
    def sizes() -> Any:
        v.assign_add(1.0)
        return tf.constant([2, 3])

    with tf.Session() as session:
        session.run(v.initializer)
        return session.run(tf.reshape(tf.range(6), sizes())), session.run(v)


@graph
def parts_of_variables_written_in_a_function(tf: Any) -> Any:
    v = resource(tf, np.zeros(3, np.float32))

    @tf.function
    def f() -> Any:
        v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([1])))
        between = v * 1.0
        v[0].assign(7.0)
        with tf.control_dependencies([v.assign_add([0.0, 0.0, 2.0])]):
            return between, v * 1.0, v

    return run(tf, f())


@graph
def bodies_of_functions_have_collections_of_their_own(tf: Any) -> Any:
    noted: list[Any] = []
    tf.add_to_collection("outside", 1)

    @tf.function
    def inner() -> Any:
        tf.add_to_collection("outside", 5)
        with tf.init_scope():
            noted.append(tf.get_collection("outside"))
            tf.add_to_collection("outside", 6)
        noted.append([len(tf.get_collection("outside")), tf.get_collection("inside")])
        return tf.constant(1.0)

    @tf.function
    def outer() -> Any:
        tf.add_to_collection("inside", 2)
        tf.add_to_collection("outside", 3)
        tf.add_to_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "shared")
        noted.append([tf.get_collection("outside"), tf.get_collection("inside")])
        return inner() * 2.0

    outer()
    names = "outside", "inside", tf.GraphKeys.TRAINABLE_VARIABLES
    return noted, [tf.get_collection(name) for name in names]
