"""``==`` of tensors and variables: whether both are the same one, or as in TensorFlow 2 their elements compared."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly

_PROGRAM = """
import numpy as np
import steepest.v1 as tf
tf.enable_v2_behavior()
from steepest.v1 import as_tensorflow
as_tensorflow.install()
from tensorflow.python.framework import tensor as tensor_lib
v = tf.Variable([1, 2])

@tf.function
def compared(x, i):
    assert isinstance(x == 1, tf.Tensor) and isinstance(1 != x, tf.Tensor)
    assert not x == None and x != None
    return x == 1, v != 1, tf.constant([1, 3]) == x, x[..., i], x[i, ...]

same, differs, constant, last, first = compared(tf.constant([1, 2]), tf.constant(1))
assert same.numpy().tolist() == [True, False]
assert differs.numpy().tolist() == [False, True]
assert constant.numpy().tolist() == [True, False]
assert (int(last), int(first)) == (2, 2)

@tf.function(input_signature=[tf.TensorSpec([None])])
def of_any_length(x):
    made = x == [1.0, 2.0]
    assert (made.shape.ndims, (x == 1.0).shape.ndims) == (None, 1)
    return made

assert of_any_length(tf.constant([1.0, 3.0])).numpy().tolist() == [True, False]
assert not of_any_length(tf.constant([1.0, 2.0, 3.0])).numpy()

assert (v == [1, 3]).numpy().tolist() == [True, False]
assert (v != 1).numpy().tolist() == [False, True]
assert v.handle is v.handle and v.handle.dtype == tf.resource
one = tf.constant([1, 2])
assert not one == None and one != None
assert not (one == [1, 2, 3]).numpy()
assert tensor_lib.Tensor._USE_EQUALITY

@tf.function
def loop_gradient(x):
    _, y = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * y), [0, x])
    return tf.gradients(tf.cond(x > 0.0, lambda: y, lambda: x), [x])[0]

assert loop_gradient(tf.constant(2.0)).numpy() == 32.0

with tf.Graph().as_default():
    node = tf.constant(1)
    assert (node == node) is True and (node == 1) is False and (node != 1) is True

tf.disable_tensor_equality()
assert (one == one) is True and (one == [1, 2]) is False and (v == v) is True
assert not tensor_lib.Tensor._USE_EQUALITY
"""


def test_a_program_of_tensorflow_2_compares_elements_in_functions_and_outside():
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_otherwise_nodes_values_and_variables_are_themselves():
    with tf.Graph().as_default():
        node = tf.constant(1)
        assert (node == node) is True
        assert (node == 1) is False
        assert {node: 2}[node] == 2
    with eagerly():
        value, variable = tf.constant([1, 2]), tf.Variable([1, 2])
        assert (value == value) is True
        assert (value != tf.constant([1, 2])) is True
        assert (variable == variable) is True
        assert (variable == [1, 2]) is False
        assert {variable: 3}[variable] == 3


def test_complex_numbers_of_eager_mode_give_their_real_part():
    with eagerly():
        number = tf.constant(1.5 + 1j)
        for function in (int, float):
            with pytest.warns(np.exceptions.ComplexWarning):
                assert function(number) == function(1.5)
        assert complex(tf.Variable(1.5 + 1j)) == 1.5 + 1j


def test_what_is_no_number_is_no_array_and_shows_its_value():
    with eagerly():
        lists = tf.raw_ops.TensorListReserve(element_shape=[1], num_elements=1, element_dtype=tf.float32)
        assert repr(lists) == "<tf.Tensor: shape=(), dtype=variant, value=<TensorList>>"
        assert f"{lists}" == "<TensorList>"
        for shown in (lists.numpy, lists._numpy, tf.Variable(1).handle.numpy, tf.Variable(1).handle._numpy):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot convert a Tensor of dtype"):
                shown()
        assert repr(tf.constant(1)) == "<tf.Tensor: shape=(), dtype=int32, numpy=1>"
