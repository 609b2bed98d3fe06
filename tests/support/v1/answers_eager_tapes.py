"""Programs of eager mode: tapes, Jacobians, gradients of functions, functions that have gradients of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, tried


@eager
def a_tape_and_its_sources(tf: Any) -> Any:
    v, c = tf.Variable(1.0, name="sources"), tf.constant([1.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(c)
        y = c * c * v
    return tried(
        lambda: t.gradient(v, v),
        lambda: t.gradient(y, {"c": c, "v": v}),
        lambda: t.gradient(tf.constant(1.0), c, unconnected_gradients="zero"),
        lambda: t.gradient(y, v, unconnected_gradients="zero"),
        lambda: t.gradient(tf.constant(1.0), c),
        lambda: t.gradient(y, [c, v], output_gradients=tf.constant([2.0])),
    )


@eager
def jacobians(tf: Any) -> Any:
    x, w = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([[1.0, 0.5], [2.0, -1.0]], name="jacobians")
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x * x
        z = tf.matmul(x, w)
        total = tf.reduce_sum(y)
    return tried(
        lambda: t.jacobian(y, x),
        lambda: t.jacobian(z, [x, w]),
        lambda: t.jacobian(total, x),
        lambda: t.batch_jacobian(y, x),
        lambda: t.batch_jacobian(z, x),
        lambda: t.jacobian(y, w),
        lambda: t.jacobian(y, w, unconnected_gradients="zero"),
    )


@eager
def gradients_of_functions_by_optimizers(tf: Any) -> Any:
    x, v = tf.convert_to_tensor(1.0), tf.Variable(3.0, name="functions_by")
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    pairs = optimizer.compute_gradients(lambda: x * x, [x])
    listed = optimizer.compute_gradients(lambda: v * v, [v])
    viewed = optimizer.compute_gradients(lambda: v * v, {"v": v}.values())
    return [g for g, _ in [*pairs, *listed, *viewed]], listed[0][1] is v


@eager
def jacobians_of_a_tape_used_once(tf: Any) -> Any:
    with tf.GradientTape() as tape:
        x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
        tape.watch([x, y])
        z = x * x * y
    both = tape.jacobian(z, [x, y])
    with tf.GradientTape() as tape:
        rows = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        tape.watch(rows)
        squares = rows * rows
    return both, tape.batch_jacobian(squares, rows), tried(lambda: tape.gradient(squares, rows))


@eager
def texts_have_no_gradient(tf: Any) -> Any:
    text = tf.constant("a")
    with tf.GradientTape() as tape:
        tape.watch(text)
    return tape.gradient(text, text) is None


@eager
def custom_gradients_of_several_values(tf: Any) -> Any:
    w = tf.Variable(2.0, name="factor_of_both")

    @tf.custom_gradient
    def both(a: Any, b: Any) -> Any:
        def slopes(product: Any, total: Any, places: Any = None, variables: Any = None) -> Any:
            return (2.0 * product * b, 3.0 * total * a), [tf.constant(7.0) for _ in variables]

        return [a * b * w, tf.reduce_sum(a + b), tf.constant([1, 2])], slopes

    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        product, total, places = both(x, y)
        z = tf.reduce_sum(product) * total
    return product, total, places, tape.gradient(z, [x, y, w])


@eager
def functions_with_custom_gradients_return_tensors_without_a_tape(tf: Any) -> Any:
    @tf.custom_gradient
    def tripled(x: Any) -> Any:
        return x * 3.0, lambda dy: dy * 5.0

    @tf.custom_gradient
    def both(x: Any) -> Any:
        return [x, x + 1.0], lambda dy, dz: dy + dz

    passed = tf.grad_pass_through(tf.floor)(tf.constant(1.5))
    return [each.numpy() for each in (tripled(tf.constant(1.0)), tripled(2.0), *both(tf.constant([1.0])), passed)]


@eager
def gradients_of_rows_are_dense_where_tensorflow_has_them_so(tf: Any) -> Any:
    matrix = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 2.0], [2, 3])
    functions: list[Any] = [
        lambda x: tf.boolean_mask(x, [True, False, True]),
        lambda x: tf.boolean_mask(x, [True, False], axis=1),
        lambda x: tf.pad(x, [[1, 1], [0, 1]], "REFLECT"),
        lambda x: tf.pad(x, [[2, 1], [0, 0]], "SYMMETRIC"),
        lambda x: tf.gather(x, [[0, 2], [2, 2]], axis=-2),
        lambda x: tf.sparse_tensor_dense_matmul(matrix, x),
    ]
    found = []
    for k, function in enumerate(functions):
        v = tf.Variable(np.arange(6.0, dtype=np.float32).reshape(3, 2), name=f"of_rows_{k}")
        optimizer = tf.train.MomentumOptimizer(0.5, 0.5)
        optimizer.minimize(lambda v=v: tf.reduce_sum(v))
        optimizer.minimize(lambda v=v, f=function: tf.reduce_sum(f(v) ** 2))
        with tf.GradientTape() as tape:
            y = function(v) ** 2
        found.append((tape.gradient(y, v).numpy(), v.numpy()))
    return found


@eager
def tapes_know_variables_that_are_assigned_to(tf: Any) -> Any:
    variables = [tf.Variable(1.0, trainable=k != 1, name=f"assigned_to_{k}") for k in range(4)]
    with tf.GradientTape() as tape:
        variables[2].assign_add(1.0)
        variables[1].assign(2.0)
        variables[0].assign(variables[0] * 3.0)
    with tf.GradientTape(persistent=True) as second:
        variables[3].assign_sub(1.0)
    names = [[each.name for each in t.watched_variables()] for t in (tape, second)]
    return names, [each.numpy() for each in variables]


@eager
def gradients_flow_through_parts_of_variables(tf: Any) -> Any:
    v = tf.Variable(np.arange(8.0, dtype=np.float32).reshape(4, 2), name="parts_of")
    ways = (
        lambda: v[1:3] * v[1:3],
        lambda: v[0],
        lambda: tf.reshape(v, [8])[2] * 3.0,
        lambda: tf.transpose(v),
        lambda: tf.unstack(v)[1],
        lambda: tf.split(v, 2)[1],
        lambda: tf.expand_dims(v, 0),
        lambda: tf.broadcast_to(v, [3, 4, 2]),
        lambda: tf.reverse(v, [0])[0],
        lambda: tf.linalg.diag_part(v),
        lambda: tf.dynamic_stitch([[0, 1], [1, 2]], [v[:2], v[2:]]),
    )
    found = []
    for way in ways:
        with tf.GradientTape() as tape:
            y = way()
        found.append(tape.gradient(y, v))
    with tf.GradientTape() as tape:
        kept = tf.reshape(v, [8])
        total = tf.reduce_sum(kept * kept)
        v.assign(v * 2.0)
    return found, kept, tape.gradient(total, v)
