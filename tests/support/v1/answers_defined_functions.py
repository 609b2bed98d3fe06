"""Programs of ``Defun``: functions with declared types, and gradients that the program says."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from answers import graph, run, tried


def defun_of(tf: Any) -> Any:
    """Return ``Defun`` of TensorFlow or of this library."""
    top = "tensorflow" if "tensorflow" in tf.__name__ else tf.__name__
    return import_module(f"{top}.python.framework.function").Defun


@graph
def a_defined_function_of_two_results(tf: Any) -> Any:
    @defun_of(tf)(tf.float32, tf.float32, func_name="Both")
    def both(x: Any, y: Any) -> Any:
        return x + y, x * y

    first = both(1.0, 2.0)
    second = both(3.0, 4.0, name="named")
    with tf.name_scope("outer"):
        third = both(tf.constant(5.0), 6.0)
    names = [t.name for pair in (first, second, third) for t in pair]
    return names, first[0].op.type, both.name, run(tf, [first, second, third])


@graph
def calls_of_defined_functions_that_do_not_fit(tf: Any) -> Any:
    defun = defun_of(tf)

    @defun(tf.float32, tf.float32, func_name="Total")
    def total(x: Any, y: Any) -> Any:
        return x + y

    def pair(x: Any, y: Any) -> Any:
        return x + y

    def lacking(x: Any) -> Any:
        return x, None

    def mapped(x: Any) -> Any:
        return {"a": x}

    def single(x: Any) -> Any:
        return x

    def default(x: Any, y: int = 1) -> Any:
        return x

    return tried(
        lambda: total(1.0),
        lambda: total(1.0, 2.0, 3.0),
        lambda: total(1, 2.0),
        lambda: total(tf.constant(1.0, tf.float64), 2.0),
        lambda: total(1.0, 2.0, unknown=1),
        lambda: defun(tf.float32)(pair),
        lambda: defun(tf.float32, tf.float32)(single),
        lambda: defun(tf.float32)(default),
        lambda: defun(tf.float32)(3),
        lambda: defun(tf.float32)(lacking)(1.0),
        lambda: defun(tf.float32)(mapped)(1.0),
        lambda: defun(tf.float32, grad_func=total, python_grad_func=lambda op, g: g)(single)(1.0),
        lambda: defun(tf.float32, out_names=["a", "b"])(single)(1.0),
    )


@graph
def a_defined_function_without_types(tf: Any) -> Any:
    @defun_of(tf)()
    def twice(x: Any) -> Any:
        return x * 2

    @defun_of(tf)()
    def three() -> Any:
        return tf.constant(3.0)

    return run(tf, [twice(2.0), twice(3), twice([1.5, 2.5]), three()])


@graph
def a_gradient_by_a_defined_function(tf: Any) -> Any:
    @defun_of(tf)(tf.float32, tf.float32, tf.float32, tf.float32)
    def gradient(x: Any, y: Any, dx: Any, dy: Any) -> Any:
        return dx * 10.0 + x, dy * 100.0 * y

    @defun_of(tf)(tf.float32, tf.float32, grad_func=gradient)
    def squares(x: Any, y: Any) -> Any:
        return x * x, y * y

    x, y = tf.constant(3.0), tf.constant(2.0)
    a, b = squares(x, y)
    return run(tf, [a, b, tf.gradients(a * 2, [x, y]), tf.gradients([a, b], [x, y])])


@graph
def a_gradient_in_python_of_a_defined_function(tf: Any) -> Any:
    seen: list[Any] = []

    def gradient(op: Any, dy: Any) -> Any:
        seen.append((op.type, op.name, len(op.inputs), len(op.outputs)))
        return [dy * 100.0 * op.inputs[0], dy * 7.0]

    @defun_of(tf)(tf.float32, python_grad_func=gradient, func_name="Cube")
    def cube(x: Any) -> Any:
        w = tf.get_variable("w", shape=[], initializer=tf.constant_initializer(5.0))
        return x * x * w

    x = tf.constant(3.0)
    with tf.variable_scope("a"):
        y = cube(x)
    with tf.variable_scope("b"):
        again = cube(x)
    slopes = tf.gradients(y * 2, [x, tf.trainable_variables()[0]])
    return run(tf, [y, again, slopes]), [v.name for v in tf.global_variables()], seen[0]


@graph
def a_sparse_gradient_made_dense_by_a_defined_function(tf: Any) -> Any:
    @defun_of(tf)(
        python_grad_func=lambda op, dy: tf.convert_to_tensor(dy), shape_func=lambda op: [op.inputs[0].get_shape()]
    )
    def dense_gradient(x: Any) -> Any:
        return x

    table = tf.get_variable("table", initializer=np.ones((4, 2), np.float32))
    rows = tf.gather(dense_gradient(table), [1, 2, 1])
    (slope,) = tf.gradients(tf.reduce_sum(rows * rows), table)
    step = tf.train.AdamOptimizer(0.1).apply_gradients([(slope, table)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        return isinstance(slope, tf.Tensor), rows.shape.as_list(), session.run([table])


@graph
def a_gradient_that_computes_the_results_again(tf: Any) -> Any:
    w = tf.get_variable("w", initializer=3.0)

    def layer(x: Any) -> Any:
        return tf.tanh(x * w) * x

    def again(x: Any) -> Any:
        outputs = layer(x)

        def gradient(op: Any, *dy: Any) -> Any:
            fed, weight, _ = op.inputs
            with tf.control_dependencies(dy):
                made = layer(tf.identity(fed))
            slopes = tf.gradients(tf.tanh(fed * weight) * fed, [fed, weight], dy)
            return [*slopes, tf.zeros_like(made)]

        @defun_of(tf)(*[tf.float32] * 3, python_grad_func=gradient, shape_func=lambda op: [outputs.get_shape()])
        def same(*args: Any) -> Any:
            return tuple(tf.identity(each) for each in args[2:])

        return same(x, w, tf.stop_gradient(outputs))

    x = tf.constant(0.5)
    y = again(x)
    return run(tf, [y, tf.gradients(y * 2.0, [x, w]), tf.gradients(layer(x) * 2.0, [x, w])])


@graph
def integers_and_floats_of_a_defined_function(tf: Any) -> Any:
    def gradient(op: Any, dy: Any, dk: Any) -> Any:
        return [dy * 10.0, None]

    @defun_of(tf)(tf.float32, tf.int32, python_grad_func=gradient)
    def shifted(x: Any, k: Any) -> Any:
        return x * tf.cast(k, tf.float32), k + 1

    x = tf.constant([1.0, 2.0])
    y, k = shifted(x, 3)
    return run(tf, [y, k, tf.gradients(y, x)])


@graph
def gradients_through_what_a_body_captures(tf: Any) -> Any:
    w, c = tf.get_variable("w", initializer=5.0, use_resource=True), tf.constant(4.0)

    @defun_of(tf)(tf.float32)
    def product(x: Any) -> Any:
        return x * x * w * c

    x = tf.constant(3.0)
    y = product(x)
    return run(tf, [y, tf.gradients(y, [x, w, c])]), len(product.captured_inputs)


@graph
def a_gradient_inside_a_defined_function(tf: Any) -> Any:
    @defun_of(tf)(tf.float32)
    def slope(x: Any) -> Any:
        return tf.gradients(x * x * x, x)[0]

    return run(tf, slope(2.0))
