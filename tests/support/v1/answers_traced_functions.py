"""Programs of eager mode whose functions are made once for arguments of one kind, and what Python notices of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, tried


@eager
def bodies_are_made_once_for_arguments_of_a_kind(tf: Any) -> Any:
    seen: list[Any] = []

    @tf.function
    def noted(x: Any, factor: Any = 2.0, **more: Any) -> Any:
        seen.append((x.shape.as_list(), str(x.dtype.name), tf.executing_eagerly()))
        return x * factor + sum(more.values())

    one, row = tf.constant(1.0), tf.constant([1.0, 2.0])
    results = [noted(one), noted(one + 1.0), noted(row), noted(np.float32([3.0, 4.0])), noted(x=one, factor=3.0)]
    results += [noted(one, k=one), noted(one, k=one * 5.0), noted(row)]
    return results, [[shape, dtype, eagerly] for shape, dtype, eagerly in seen], noted.experimental_get_tracing_count()


@eager
def functions_use_what_is_outside_as_it_is_at_each_call(tf: Any) -> Any:
    v, held = tf.Variable([1.0, 2.0], name="held"), {"factor": 2.0}

    @tf.function
    def step(x: Any) -> Any:
        before = v.read_value()
        v.assign_add(x * held["factor"])
        return before, v * 1.0

    first = step(tf.constant([1.0, 1.0]))
    v.assign([10.0, 20.0])
    held["factor"] = 100.0  # of no effect any more
    return first, step(tf.constant([1.0, 2.0])), v.numpy()


@eager
def shapes_of_signatures_are_those_in_the_body(tf: Any) -> Any:
    shapes: list[Any] = []

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32), [tf.TensorSpec(None, tf.int32)]])
    def total(x: Any, ks: Any) -> Any:
        shapes.append((x.shape.as_list(), ks[0].shape.ndims is None))
        return tf.reduce_sum(x) * tf.cast(ks[0], tf.float32)

    results = [total([[1.0, 2.0]], [2]), total(np.ones((3, 2), np.float32), [[1, 2]])]
    relaxed: list[Any] = []

    @tf.function(reduce_retracing=True)
    def grown(x: Any) -> Any:
        relaxed.append(x.shape.as_list())
        return tf.shape(x)

    results += [grown(tf.zeros([k])) for k in range(1, 5)]
    return results, [[shape, unknown] for shape, unknown in shapes], relaxed, tried(lambda: total([[1.0]], [2]))


@eager
def gradients_pass_through_functions_that_ask_for_gradients(tf: Any) -> Any:
    v, x, outside = tf.Variable(3.0, name="passed"), tf.constant(2.0), tf.constant([1.0, 4.0])

    @tf.function
    def slope(x: Any) -> Any:
        return tf.gradients(x**4 * v + tf.reduce_sum(outside**2 * x), [x, outside])

    @tf.function
    def taped(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**3 * v
        return tape.gradient(y, x)

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        by_gradients, by_tape = slope(x), taped(x)
    return by_gradients, by_tape, tape.gradient(by_gradients[0], [x, v]), tape.gradient(by_tape, [x, v])


@eager
def objects_and_nests_tell_calls_apart(tf: Any) -> Any:
    class Scale:
        def __init__(self, by: float) -> None:
            self.by = by

        @tf.function
        def method(self, x: Any) -> Any:
            return x * self.by

    made: list[int] = []

    @tf.function
    def scaled(x: Any, scale: Any, nest: Any) -> Any:
        made.append(1)
        return x * scale.by + nest["a"][0]

    one, two = Scale(1.0), Scale(2.0)
    x, nest = tf.constant(1.0), {"a": [tf.constant(10.0)]}
    results = [scaled(x, one, nest), scaled(x, two, nest), scaled(x, one, {"a": [tf.constant(20.0)]})]
    results += [one.method(x), two.method(x), one.method(x)]
    results += [scaled(x, Scale(float(k)), nest) for k in range(3)]
    return results, len(made), tried(lambda: tf.function(lambda s: 1.0)({1}))


@eager
def values_of_several_tensors_are_arguments(tf: Any) -> Any:
    made: list[int] = []

    @tf.function
    def dense(value: Any, factor: Any) -> Any:
        made.append(1)
        return tf.sparse.to_dense(value) * factor

    def sparse(value: float) -> Any:
        return tf.sparse.SparseTensor([[0, 1]], [value], [2, 2])

    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([2]))
    back = tf.function(lambda s: s)(slices)
    return (
        dense(sparse(1.0), 2.0),
        dense(sparse(5.0), 2.0),
        len(made),
        back.values,
        back.indices,
        back.dense_shape is None,
    )


@eager
def variables_that_bodies_make_are_made_once(tf: Any) -> Any:
    held: list[Any] = []

    @tf.function
    def once(x: Any) -> Any:
        if not held:
            held.append(tf.Variable(tf.ones([2]) * 3.0, name="once"))
        return held[0].assign_add([x, x]) * 1.0

    found = [once(tf.constant(1.0)), once(tf.constant(2.0))]
    return found, len(held), held[0].name, held[0].numpy()


@eager
def what_python_decides_by_values_is_as_with_values(tf: Any) -> Any:
    @tf.function
    def sign(x: Any) -> Any:
        return x if x > 0.0 else -x

    @tf.function
    def doubled(x: Any) -> Any:
        while x < 10.0:
            x = x * 2.0
        return x

    return [sign(tf.constant(value)) for value in (2.0, -3.0)], [doubled(tf.constant(v)) for v in (3.0, 1.0, 20.0)]


@eager
def initial_scopes_of_functions_compute_at_once(tf: Any) -> Any:
    noted: list[Any] = []

    @tf.function
    def body(x: Any) -> Any:
        with tf.init_scope():
            c = tf.constant(2.0)
            noted.append([tf.executing_eagerly(), c.numpy()])
        noted.append([tf.executing_eagerly(), tf.executing_eagerly_outside_functions()])
        return x * c

    return body(tf.constant(3.0)), noted
