"""``tf.contrib.layers``: blocks whose inputs follow from their outputs, and functions that need no second run."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf

layers = tf.contrib.layers


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def run(*wanted):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(list(wanted))


def weighted(number: float):
    return lambda x: x * tf.get_variable("w", [], initializer=tf.constant_initializer(number))


def test_a_block_is_undone():
    block = layers.RevBlock([weighted(2.0), weighted(3.0)], weighted(10.0), num_layers=2)
    x1, x2 = tf.constant([1.0]), tf.constant([1.0])
    y1, y2 = block.forward(x1, x2)
    names = [variable.op.name for variable in block.trainable_variables]
    assert names == [f"revblock/revlayer_{number}/{what}/w" for number in (0, 1) for what in "fg"]
    got = run(y1, y2, *block.backward(y1, y2))
    # 1 + 2 * 1 = 3, 1 + 10 * 3 = 31; 3 + 3 * 31 = 96, 31 + 10 * 96 = 991
    np.testing.assert_array_equal(got, [[96], [991], [1], [1]])
    assert len(block.trainable_variables) == 4
    with pytest.raises(ValueError, match="f must be one function or one for each of 2 layers"):
        layers.RevBlock([abs], abs, num_layers=2)


def test_gradients_of_a_block_and_of_its_other_inputs():
    x1, x2, side = tf.constant([1.0]), tf.constant([1.0]), tf.constant([5.0])
    with tf.variable_scope("scope"):
        y1, y2 = layers.rev_block(x1, x2, lambda x, sides: x * sides[0], weighted(10.0), f_side_input=[side])
    with tf.variable_scope("scope", reuse=True):
        again, _ = layers.rev_block(x1, x2, lambda x, sides: x * sides[0], weighted(10.0), f_side_input=[side])
    (w,) = tf.global_variables()
    assert w.op.name == "scope/revblock/revlayer_0/g/w"
    # y1 = x1 + s x2 = 6; y2 = x2 + w y1 = 61
    values = run(y1, y2, again, *tf.gradients(y2, [x1, x2, side, w]))
    assert [np.asarray(value).item() for value in values] == [6, 61, 6, 10, 51, 10, 6]


def test_functions_to_be_run_twice_are_checked_and_run_once():
    given: list[bool] = []

    @layers.recompute_grad
    def square(x, is_recomputing=False):
        given.append(is_recomputing)
        return x * x

    @layers.recompute_grad(use_data_dep=True, tupleize_grads=True)
    def double(x):
        return 2 * x

    x = tf.constant(3.0)
    assert run(square(x), tf.gradients(double(square(x)), x)[0]) == [9.0, 12.0]
    assert given == [False, False]
    with pytest.raises(ValueError, match="All inputs to function must be Tensors"):
        square(3.0)
    with pytest.raises(ValueError, match="closes over Tensor Const:0"):
        layers.recompute_grad(lambda y: x * y)
