"""Gradients that a program gives, prevents or asks for by other names than the tape's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import backprop, context
from steepest.v1.python.ops import array_ops, math_ops

import steepest.v1 as tf


def test_a_given_gradient_of_what_reads_variables_in_eager_mode():
    with context.eager_mode():
        v = tf.Variable([2.0, 3.0])

        @tf.custom_gradient
        def product(x: Any) -> Any:
            def gradient(dy: Any, variables: Any = None) -> Any:
                assert [each is v for each in variables] == [True]
                return dy * 10, [dy * 100]

            return x * v, gradient

        x = tf.constant([1.0, 1.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = product(x)
        of_x, of_v = tape.gradient(y, [x, v])
        assert y.numpy().tolist() == [2.0, 3.0]
        assert of_x.numpy().tolist() == [10.0, 10.0]
        assert of_v.numpy().tolist() == [100.0, 100.0]

        @tf.custom_gradient
        def without(x: Any) -> Any:
            return x * v, lambda dy: dy

        with pytest.raises(TypeError, match="must accept a keyword argument 'variables'"):
            without(x)


def test_a_vector_jacobian_product():
    with context.eager_mode():
        value, vjp = backprop.make_vjp(lambda a, b: a * a * b, [0])(3.0, 2.0)
        assert [value.numpy(), vjp(2.0)[0].numpy(), vjp()[0].numpy()] == [18.0, 24.0, 12.0]


def test_no_second_derivative_through_a_branch_of_a_given_gradient():
    @tf.custom_gradient
    def squared(x: Any) -> Any:
        return x * x, lambda dy: tf.cond(dy > 0, lambda: 3 * dy, lambda: 4 * dy)

    x = tf.constant(2.0)
    (first,) = tf.gradients(squared(x), x)
    with tf.Session() as session:
        assert session.run(first) == 3.0


def test_a_tape_of_graph_mode_is_entered_once():
    with tf.GradientTape() as tape, pytest.raises(ValueError, match="already recording"):
        tape.__enter__()


def test_a_prevented_gradient_and_the_second_sum():
    with context.eager_mode(), tf.GradientTape() as tape:
        x = tf.constant([1.0, 2.0])
        tape.watch(x)
        y = math_ops.add_v2(array_ops.prevent_gradient(x, "not here"), 1.0)
        np.testing.assert_array_equal(y.numpy(), [2.0, 3.0])
        with pytest.raises(LookupError, match="explicitly disabled"):
            tape.gradient(y, x)


def test_a_python_number_under_a_given_gradient_is_of_single_precision_in_eager_mode() -> None:
    with context.eager_mode():
        constant = tf.custom_gradient(lambda x: (-1.5, lambda dy: dy * 2.0))
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = constant(x) * x
        assert y.dtype == tf.float32
        assert float(tape.gradient(y, x)) == 4.5


def test_rows_of_a_cast_that_changes_nothing_have_gradients_of_rows() -> None:
    with context.eager_mode():
        v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(tf.gather(tf.cast(v, tf.float32), [1]))
        assert isinstance(tape.gradient(total, v), tf.IndexedSlices)


def test_a_function_with_a_gradient_is_called_once_in_eager_mode() -> None:
    with context.eager_mode():
        calls, counter, w = [], tf.Variable(0, trainable=False), tf.Variable(3.0)

        @tf.custom_gradient
        def square(x):
            calls.append(x)
            counter.assign_add(1)
            return (x * x, x * w), lambda a, b, variables: (3.0 * a * x + b * w, [b * x for _ in variables])

        x = tf.constant(2.0)
        assert [float(each) for each in square(x)] == [4.0, 6.0]
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.add_n(square(x))
            first = tape.gradient(y, x)
        assert float(first) == 9.0
        assert float(second.gradient(first, x)) == 3.0
        assert (len(calls), int(counter.numpy())) == (2, 2)


def test_a_variable_is_itself_for_a_function_with_a_gradient() -> None:
    with context.eager_mode():
        moved = tf.custom_gradient(lambda v: (v.assign_add(3.0), lambda *dy: 2.0 * dy[0]))
        v = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            out = moved(v)
        assert float(tape.gradient(out, v)) == 2.0
        v.assign(100.0)
        assert float(out) == 5.0
