"""What loops refuse, when they stop, functions that are called as operations, and rows that are overwritten."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework import function
from steepest.v1.python.ops import (
    control_flow_ops,
    functional_ops,
    gen_functional_ops,
    gradient_checker_v2,
    inplace_ops,
)

import steepest.v1 as tf


def run(fetches: Any) -> Any:
    with tf.Session() as session:
        return session.run(fetches)


def test_what_a_loop_made_is_refused_outside():
    with tf.Graph().as_default():
        made: list[Any] = []

        def body(i: Any) -> Any:
            made.append(tf.constant(1))
            return i + made[0]

        tf.while_loop(lambda i: i < 3, body, [0])
        with pytest.raises(
            ValueError, match=r"Cannot use 'while/Const_1' as input to 'Add' because 'while/Const_1' is in"
        ):
            tf.add(1, made[0])
        with pytest.raises(ValueError, match="they are in different while loops"):
            tf.while_loop(lambda i: i < 3, lambda i: i + made[0], [0])


def test_inner_loops_and_branches_take_what_outer_ones_made():
    with tf.Graph().as_default():

        def body(i: Any, total: Any) -> Any:
            step = tf.cond(i > 1, lambda: tf.constant(2), lambda: tf.constant(3))
            _, more = tf.while_loop(lambda k, _: k < 2, lambda k, x: [k + 1, x + step], [0, 0])
            return [i + 1, total + more]

        assert run(tf.while_loop(lambda i, _: i < 4, body, [0, 0])[1]) == 6 + 6 + 4 + 4


def test_a_loop_without_an_end_stops_when_its_time_is_over():
    with tf.Graph().as_default():
        loop = tf.while_loop(lambda _: True, lambda x: x + 1, [0])
        with tf.Session() as session, pytest.raises(tf.errors.DeadlineExceededError):
            session.run(loop, options=tf.RunOptions(timeout_in_ms=20))


def test_functions_are_called_as_operations():
    with tf.Graph().as_default():

        @function.Defun(tf.float32, tf.float32)
        def product(x: Any, y: Any) -> Any:
            return x * y

        @function.Defun(tf.float32)
        def square(x: Any) -> Any:
            return x * x

        @function.Defun(tf.float32)
        def negative(x: Any) -> Any:
            return -x

        three, four = tf.constant(3.0), tf.constant(4.0)
        (here,) = functional_ops.partitioned_call([three, four], product)
        (there,) = functional_ops.remote_call("/cpu:0", [three, four], [tf.float32], product)
        (slope,) = functional_ops.Gradient([three, 1.0], square)
        chosen = [
            gen_functional_ops.case(tf.constant(k), [three], [tf.float32], [square, negative])[0] for k in (0, 1, 5)
        ]
        assert run([here, there, slope, *chosen]) == [12.0, 12.0, 6.0, 9.0, -3.0, -3.0]


def test_tensors_are_true_where_they_have_elements():
    with tf.Graph().as_default():

        @function.Defun(tf.float32)
        def one(x: Any) -> Any:
            return x

        @function.Defun(tf.float32)
        def other(x: Any) -> Any:
            return -x

        conditions = [2, 0, "a", "", [0, 0], np.zeros([0])]
        found = [functional_ops.If(tf.constant(each), [1.0], one, other)[0] for each in conditions]
        assert run(found) == [1.0, -1.0, 1.0, -1.0, 1.0, -1.0]


def test_counted_loops_refuse_bounds_that_steps_do_not_lead_to():
    with tf.Graph().as_default():

        @function.Defun(tf.int32, tf.float32)
        def body(i: Any, x: Any) -> Any:
            return x + tf.cast(i, tf.float32)

        assert run(functional_ops.For(3, 0, -1, [0.0], body)[0]) == 6.0
        for start, limit, delta, words in (([0], 3, 1, "must be a scalar"), (0, 3, -1, "Invalid start/limit/delta")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                functional_ops.For(start, limit, delta, [0.0], body)


def test_rows_are_overwritten_and_added_to():
    with tf.Graph().as_default():
        x = tf.zeros([3, 2])
        found = [
            inplace_ops.inplace_update(x, [-1], [[1.0, 2.0]]),
            inplace_ops.inplace_add(x, 0, [3.0, 4.0]),
            inplace_ops.inplace_sub(x, None, tf.ones([3, 2])),
            inplace_ops.empty_like(x),
        ]
        values = run(found)
        assert [value.tolist() for value in values[:2]] == [[[0, 0], [0, 0], [1, 2]], [[3, 4], [0, 0], [0, 0]]]
        assert values[2].tolist() == [[-1, -1]] * 3
        assert values[3].shape == (3, 2)
        for rows, part in (([[0]], [[1.0, 2.0]]), ([0, 1], [[1.0, 2.0]]), ([0], [[1.0]])):
            with pytest.raises(tf.errors.InvalidArgumentError):
                run(inplace_ops.inplace_update(x, rows, part))


def test_values_are_taken_whole():
    with tf.Graph().as_default(), tf.Session():
        slices = tf.IndexedSlices(tf.ones([2, 2]), tf.constant([0, 2]), tf.constant([3, 2]))
        same = control_flow_ops._Identity(slices)
        assert isinstance(same, tf.IndexedSlices)
        dense = gradient_checker_v2._to_numpy(tf.get_default_session().run(same))
        assert dense.tolist() == [[1, 1], [0, 0], [1, 1]]
        assert gradient_checker_v2._to_numpy(tf.constant([1, 2])).tolist() == [1, 2]
        sparse = control_flow_ops._Identity(tf.SparseTensor([[0, 5]], ["x"], [10, 10]))
        assert sparse.values.eval().tolist() == [b"x"]
        held = control_flow_ops.with_dependencies([tf.no_op()], slices)
        assert isinstance(held, tf.IndexedSlices)
        assert held.indices is slices.indices


def test_what_waits_stands_near_to_what_it_hands_on():
    with tf.Graph().as_default():
        with tf.device("/job:ps"):
            far = tf.Variable([0.0])
        assert "/job:ps" in control_flow_ops.with_dependencies([far.initializer], far).device
        near = tf.Variable([0.0], name="near")
        with tf.device("/job:worker"):
            held = control_flow_ops.with_dependencies([near.initializer], near)
        assert held.op.colocation_groups() == [b"loc:@near"]
        assert not held.device


@pytest.mark.parametrize("most", [-2, 0, "constant", "fed"])
def test_a_loop_of_less_than_no_rounds_has_none(most: Any):
    with tf.Graph().as_default(), tf.Session() as session:
        fed = tf.placeholder(tf.int32, [])
        limit = {"constant": tf.constant(-1), "fed": fed}.get(most, most)
        i, y = tf.while_loop(lambda i, v: i < 5, lambda i, v: (i + 1, v * 3.0), [0, 2.0], maximum_iterations=limit)
        assert session.run([i, y, tf.gradients(y, y)[0]], {fed: -7}) == [0, 2.0, 1.0]
