"""Programs of eager mode: functions that ask for gradients in their bodies, or are made of graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, tried


@eager
def gradients_inside_functions_of_eager_mode(tf: Any) -> Any:
    v, x = tf.Variable(3.0, name="inside"), tf.constant(2.0)

    @tf.function
    def derivative(x: Any, order: int) -> Any:
        y = tf.function(lambda: x**4 * v)()
        for _ in range(order):
            (y,) = tf.gradients(y, [x])
        return y

    def helper(y: Any, xs: Any, **options: Any) -> Any:
        return tf.gradients(y, xs, **options)

    @tf.function
    def options(x: Any) -> Any:
        y = x * v
        z = x * y + tf.exp(y)
        weight, unused = tf.constant([2.0, 3.0]), tf.constant([1.0, 1.0])
        whole = helper([z, y], [x, y, v], grad_ys=[tf.constant(2.0), None])
        stopped = helper(z, [x, y], stop_gradients=[y])
        zeros = helper(tf.reduce_sum(weight * x), [weight, unused], unconnected_gradients="zero")
        return whole, stopped, zeros, helper(z, unused)[0] is None

    @tf.function
    def rows(table: Any) -> Any:
        picked = tf.gather(table, [1, 1])
        (slices,) = tf.gradients(picked * picked, table)
        return slices.values, slices.indices, tf.hessians(tf.reduce_sum(table[0] ** 3), table)[0]

    table = tf.constant(np.arange(4.0, dtype=np.float32).reshape(2, 2))
    *found, missing = options(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        slope = derivative(x, 1)
    return [derivative(x, order) for order in range(3)], found, bool(missing), rows(table), tape.gradient(slope, [x, v])


@eager
def functions_of_graphs_take_in_what_is_outside(tf: Any) -> Any:
    v, c = tf.Variable(2.0, name="outside"), tf.constant([3.0, 1.0])
    scalar = tf.TensorSpec([], tf.float32)

    def taken(x: Any) -> Any:
        parts = [v * x, x * v + c, v.read_value() + tf.gather(c, 0), tf.identity(v), tf.stack([v, x]), v + v, -v]
        v.assign(100.0)  # nothing that is returned depends on it
        return parts

    def counted(x: Any) -> Any:
        inner = tf.get_variable("inner", [], initializer=tf.zeros_initializer(), trainable=False)
        with tf.control_dependencies([inner.assign_add(x), v.assign_sub(1.0)]):
            return tf.identity(inner), v.read_value()

    def powers(x: Any) -> Any:
        inner = tf.get_variable("inner", [], initializer=tf.constant_initializer(5.0))
        y = tf.cond(x > 0.0, lambda: x * v, lambda: x)
        return y**2 * inner + tf.while_loop(lambda k, a: k < 3, lambda k, a: (k + 1, a * v), [0, x])[1]

    take, count = tf.wrap_function(taken, [scalar]), tf.wrap_function(counted, [scalar])
    found = [take(3.0)]
    v.assign(7.0)
    found += [take(tf.constant(3.0)), count(1.0), count(2.0), v.numpy()]
    power, x = tf.wrap_function(powers, [scalar]), tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = power(x)
    tf.wrap_function(lambda: v.assign_add(1.0), [])()
    return found, y, tape.gradient(y, [x, v]), v.numpy()


@eager
def values_of_eager_mode_are_refused_in_graphs(tf: Any) -> Any:
    v, c = tf.Variable(2.0, name="refused"), tf.constant(1.0)
    with tf.Graph().as_default():
        x = tf.constant(1.0)
        return tried(
            lambda: v * x, lambda: x * v, lambda: c * x, lambda: v.assign(3.0), lambda: v + 1.0, lambda: v[...]
        )
