"""Programs of eager mode: functions that ask for gradients in their bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager


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
