"""``parallel_for``: functions of each number, stacked; and what it gives jacobians in graphs."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from steepest.v1.python.framework import function
from steepest.v1.python.ops import functional_ops
from steepest.v1.python.ops.parallel_for import control_flow_ops as loops
from steepest.v1.python.ops.parallel_for import gradients as jacobians

import steepest.v1 as tf


def test_results_of_each_number_are_stacked_in_their_structure():
    x = tf.constant(np.arange(6.0).reshape(3, 2))
    found = loops.pfor(lambda i: {"row": tf.gather(x, i) * 2, "number": (i, None)}, 3)
    plain = loops.for_loop(lambda i: tf.gather(x, i) * 2, tf.float64, tf.constant(3))
    with tf.Session() as session:
        rows, numbers, same = session.run([found["row"], found["number"][0], plain])
    assert found["number"][1] is None
    np.testing.assert_array_equal(rows, np.arange(6.0).reshape(3, 2) * 2)
    np.testing.assert_array_equal(rows, same)
    assert numbers.tolist() == [0, 1, 2]


def test_operations_run_for_each_number():
    count = tf.Variable(0)
    runs = loops.pfor(lambda i: tf.assign_add(count, i).op, 4)
    with tf.Session() as session:
        session.run(count.initializer)
        assert session.run(runs) is None
        assert session.run(count) == 6
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(loops.pfor(lambda i: tf.Assert(i < 2, [i]), 3))


def test_sparse_results_get_one_more_axis():
    given = tf.constant([1, 3, 2], "int64")

    def f(i):
        size = tf.gather(given, i)
        indices = tf.expand_dims(tf.range(size), 1)
        return tf.SparseTensor(indices, tf.fill([size], i), tf.expand_dims(size, 0))

    with tf.Session() as session:
        found = session.run(loops.pfor(f, 3))
    assert found.indices.tolist() == [[0, 0], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1]]
    assert found.values.tolist() == [0, 1, 1, 1, 2, 2]
    assert found.dense_shape.tolist() == [3, 3]


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="positive integer, got 0"):
        loops.pfor(lambda i: i, 3, parallel_iterations=0)
    with pytest.raises(ValueError, match="Use for_loop instead"):
        loops.pfor(lambda i: i, 3, parallel_iterations=1)
    with pytest.raises(TypeError, match="positive integer, got 0"):
        loops.for_loop(lambda i: i, tf.int32, 3, parallel_iterations=0)
    with pytest.raises(ValueError, match="Number of expected outputs, 2"):
        loops.for_loop(lambda i: i, [tf.int32, tf.int32], 3)
    with pytest.raises(ValueError, match="parallel_iterations currently unsupported"):
        loops.pfor(lambda i, pfor_config: pfor_config.reduce_sum(i), 3, parallel_iterations=2)


def test_values_of_all_numbers_are_reduced_and_used():
    x = np.arange(6.0).reshape(3, 2)
    middle = x - x.mean(0)

    def scaled(i, pfor_config):
        row = tf.gather(x, i)
        apart = row - pfor_config.reduce_mean(row)
        return apart / pfor_config.reduce_sum(apart * apart), pfor_config.reduce_concat(i), i

    class Scaled:
        def __call__(self, i, pfor_config=None):
            return scaled(i, pfor_config)[0]

    with tf.Session() as session:
        rows, numbers, own = session.run(loops.pfor(scaled, 3))
        np.testing.assert_allclose(rows, middle / (middle**2).sum(0))
        assert (numbers == [0, 1, 2]).all()
        assert own.tolist() == [0, 1, 2]
        np.testing.assert_array_equal(session.run(loops.pfor(Scaled(), 3)), rows)
        given = functools.partial(lambda i, pfor_config: i + pfor_config, pfor_config=5)
        assert session.run(loops.pfor(given, 3)).tolist() == [5, 6, 7]


def test_slices_at_one_index_are_made_dense():
    def one(i):
        return tf.IndexedSlices(tf.reshape(i + 1, [1]), i, tf.constant([3, 1]))

    with tf.Session() as session:
        found = session.run([loops.pfor(one, 2), loops.for_loop(one, tf.int32, 2)])
    assert found[0].ravel().tolist() == found[1].ravel().tolist() == [1, 0, 0, 0, 2, 0]


def test_jacobians_have_the_shapes_of_both():
    x = tf.placeholder(tf.float32, [None, 2])
    y = x * x * [1.0, 3.0]
    with tf.Session() as session:
        feed = {x: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]}
        whole, none = session.run(jacobians.jacobian(y, [x])[0], feed), jacobians.jacobian(y, [tf.constant(1.0)])
        rows = session.run(jacobians.batch_jacobian(y, x), feed)
    assert none == [None]
    assert whole.shape == (3, 2, 3, 2)
    assert rows[2].tolist() == [[10.0, 0.0], [0.0, 36.0]]
    for row in range(3):
        np.testing.assert_array_equal(whole[row, :, row], rows[row])
    assert whole.sum() == rows.sum()
    with pytest.raises(ValueError, match="Need first dimension of output shape"):
        jacobians.batch_jacobian(tf.ones([2, 2]), tf.ones([3, 2]))
    rows = tf.placeholder(tf.float32)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
        session.run(jacobians.batch_jacobian(tf.concat([rows, rows], 0), rows), {rows: np.ones([2, 2])})


def test_functions_are_branches_and_loops():
    @function.Defun(tf.int32, tf.int32)
    def Cond(n, x):  # the names of operations that are something else here
        return n > 0

    @function.Defun(tf.int32, tf.int32)
    def While(n, x):
        return n - 1, x + n

    x = tf.constant(3)
    with tf.Session() as session:
        assert session.run(functional_ops.While([9, 0], Cond, While)) == [0, 45]
        assert session.run(functional_ops.If("", [x], lambda v: v, lambda v: -v)) == [-3]
        assert session.run(functional_ops.If(2, [x], lambda v: (v, v + 1), lambda v: (v, v))) == [3, 4]
        assert session.run(functional_ops.For(9, 0, -3, [x], lambda i, v: v + i)) == [3 + 9 + 6 + 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="got 2 tensors"):
        functional_ops.While([9, 0], lambda n, x: (n > 0, x), While)
    with pytest.raises(tf.errors.InvalidArgumentError, match="returned 1 arguments"):
        functional_ops.While([9, 0], Cond, lambda n, x: n)
