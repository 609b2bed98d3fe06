"""A function reads the variables of eager mode that its body uses each time that it runs, wherever they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import def_function

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set

X = np.arange(12.0, dtype=np.float32)
M = X.reshape(3, 4)

OF_LISTS: dict[str, Callable[[Any], Any]] = {
    "stack": lambda v: tf.stack([v, v * 2.0]),
    "a list as an operand": lambda v: tf.multiply([v, 3.0], 2.0),
    "a nest of lists": lambda v: tf.convert_to_tensor([[v, 1.0], [2.0, v]]),
    "a tuple": lambda v: tf.reduce_sum((v, v)),
    "the second of a list": lambda v: tf.identity([1.0, v]),
    "a limit": lambda v: tf.clip_by_norm(X, v),
    "a value of a list": lambda v: tf.where([True, False], [v, v], [0.0, 0.0]),
}

OF_INTEGERS: dict[str, Callable[[Any], Any]] = {
    "a shape": lambda n: tf.reshape(X, [n, -1]),
    "sizes": lambda n: tf.zeros([2, n]),
    "one size": lambda n: tf.fill([n], 1.0),
    "an axis": lambda n: tf.reduce_sum(M, axis=n - 2),
    "an axis in a list": lambda n: tf.reduce_sum(M, axis=[n - 2]),
    "where to join": lambda n: tf.concat([M, M], n - 2),
    "an index": lambda n: tf.constant(X)[n],
    "a bound": lambda n: tf.constant(X)[:n],
    "a bound of a list": lambda n: tf.slice(X, [n], [2]),
    "a number of repeats": lambda n: tf.tile([1, 2], [n]),
    "how many are largest": lambda n: tf.nn.top_k(X, n).values,
    "how far": lambda n: tf.roll(X, n, 0),
    "a broadcast": lambda n: tf.broadcast_to([1, 2], [n, 2]),
    "a width": lambda n: tf.pad([1, 2], [[n, 0]]),
    "a value of ones": lambda n: tf.one_hot([0], 2, on_value=n, off_value=0),
}


@pytest.fixture(autouse=True)
def eagerly():
    with eager_execution_set(True):
        yield


def check(body: Callable[[Any], Any], first: Any, then: Any) -> None:
    variable = tf.Variable(first)
    function = def_function.function(lambda: body(variable))
    for value in (first, then):
        variable.assign(value)
        np.testing.assert_array_equal(function().numpy(), body(variable).numpy())


@pytest.mark.parametrize("what", OF_LISTS)
def test_lists_have_the_values_of_now(what: str):
    check(OF_LISTS[what], 1.5, 4.0)


@pytest.mark.parametrize("what", OF_INTEGERS)
def test_shapes_axes_and_counts_are_the_values_of_now(what: str):
    check(OF_INTEGERS[what], 2, 3)


def test_an_order_of_axes_is_the_value_of_now():
    check(lambda order: tf.transpose(M, order), [0, 1], [1, 0])


def test_gradients_reach_what_is_in_a_list():
    variable, tensor = tf.Variable(2.0), tf.constant(3.0)
    function = def_function.function(lambda: tf.reduce_sum(tf.multiply([variable, tensor, variable], [1.0, 2.0, 3.0])))
    with tf.GradientTape() as tape:
        tape.watch(tensor)
        result = function()
    of_variable, of_tensor = tape.gradient(result, [variable, tensor])
    assert (float(of_variable), float(of_tensor)) == (4.0, 2.0)


def test_a_list_of_two_types_is_refused():
    whole, real = tf.Variable(1), tf.Variable(1.0)
    with pytest.raises(TypeError, match="Cannot convert a list containing a tensor of dtype"):
        def_function.function(lambda: tf.identity([real, whole]))()
