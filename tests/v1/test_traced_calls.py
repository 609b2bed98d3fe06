"""Calls of functions in eager mode: which arguments share a body, however it is found, and what they are given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.ops import resource_variable_ops

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set


@pytest.fixture(autouse=True)
def eagerly() -> Iterator[None]:
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        yield


def _ones(shape: Any, dtype: Any = np.float32) -> Any:
    return tf.constant(np.ones(shape, dtype))


# Arguments for `_total`, each of another kind than all others: one more body is made for each.
KINDS: dict[str, Any] = {
    "vector": lambda: _ones(3),
    "another size": lambda: _ones(4),
    "another rank": lambda: _ones((3, 1)),
    "another type": lambda: _ones(3, np.float64),
    "int": lambda: 2,
    "another int": lambda: 3,
    "float": lambda: 2.0,
    "list": lambda: [_ones(3), _ones(3)],
    "tuple": lambda: (_ones(3), _ones(3)),
    "longer list": lambda: [_ones(3), _ones(3), _ones(3)],
    "list of a list": lambda: [[_ones(3), _ones(3)]],
    "dict": lambda: {"b": _ones(3), "a": _ones(3)},
    "dict of others": lambda: {"c": _ones(3), "a": _ones(3)},
    "dict of numbers": lambda: {"a": _ones(3), "b": 1.0},
    "dict by number": lambda: {1: _ones(3), 2: _ones(3)},
}


def _total(nest: Any) -> Any:
    return tf.add_n([tf.cast(tf.reduce_sum(leaf), tf.float64) for leaf in tf.contrib.framework.nest.flatten(nest)])


def test_arguments_of_one_kind_have_one_body_and_of_others_another():
    total = tf.function(_total)
    for count, (name, make) in enumerate(KINDS.items(), 1):
        for _ in range(3):
            wanted = sum(float(np.sum(np.asarray(leaf))) for leaf in tf.contrib.framework.nest.flatten(make()))
            assert (float(total(make())), total.experimental_get_tracing_count()) == (wanted, count), name


def test_arrays_share_the_body_of_tensors_and_each_call_has_its_own_values():
    weighed = tf.function(lambda x, nest: x * nest["b"] - nest["a"][0])
    for k in range(4):
        x, nest = np.float32([k, 1]), {"b": np.float32([2, k]), "a": [np.float32([1, 1])]}
        given = tf.contrib.framework.nest.map_structure(tf.constant, nest)
        for call in (weighed(x, nest), weighed(tf.constant(x), given), weighed(nest=given, x=x)):
            np.testing.assert_array_equal(call, [2 * k - 1, k - 1])
    assert weighed.experimental_get_tracing_count() == 1


def test_arrays_by_default_and_arguments_beside_them():
    scaled = tf.function(lambda x, by=np.float32([2, 3]): x * by)  # noqa: B008 - what is asked about
    for k in (1.0, 2.0):
        np.testing.assert_array_equal(scaled(tf.constant([k, k])), [2 * k, 3 * k])
        np.testing.assert_array_equal(scaled(tf.constant([k, k]), tf.constant([1.0, k])), [k, k * k])
        np.testing.assert_array_equal(scaled(tf.constant([k, k]), 3.0), [3 * k, 3 * k])


def test_variables_as_arguments_are_themselves():
    moved = tf.function(lambda v, by: v.assign_add(by))
    one, other = tf.Variable([1.0, 1.0]), tf.Variable([5.0, 5.0])
    for step in range(1, 4):
        moved(one, tf.constant([1.0, 2.0]))
        moved(other, tf.constant([0.0, 1.0]))
        np.testing.assert_array_equal(one, [1 + step, 1 + 2 * step])
        np.testing.assert_array_equal(other, [5, 5 + step])
    assert moved.experimental_get_tracing_count() == 2


def test_tapes_follow_arguments_of_a_body_that_was_made_before():
    square = tf.function(lambda x: x * x)
    square(tf.constant(2.0))
    for value in (2.0, 3.0):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = square(x)
        assert float(tape.gradient(y, x)) == 2 * value


def test_methods_of_objects_have_bodies_of_their_own():
    class Model:
        def __init__(self, rate: float) -> None:
            self.rate = rate

        @tf.function
        def scaled(self, x: Any) -> Any:
            return x * self.rate

    one, other = Model(2.0), Model(3.0)
    for _ in range(3):
        assert [float(model.scaled(tf.constant(1.0))) for model in (one, other)] == [2.0, 3.0]


def test_handles_of_variables_go_in_and_come_out():
    v = tf.Variable(4.0)
    handle = tf.function(lambda: v.handle)()
    assert handle.dtype == tf.resource
    with pytest.raises(ValueError, match="Cannot convert a Tensor of dtype resource"):
        handle.numpy()
    read = tf.function(lambda handle: resource_variable_ops.read_variable_op(handle, tf.float32))
    assert [float(read(handle)), float(read(v.handle))] == [4.0, 4.0]


def test_arguments_by_name_share_the_body_of_those_by_place():
    @tf.function
    def weighed(x: Any, by: Any = 2.0, *, plus: float = 0.0) -> Any:
        return x * by + plus

    x, by = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    for _ in range(2):
        for found in (weighed(x, by), weighed(x, by=by), weighed(by=by, x=x), weighed(x=x, by=by, plus=0.0)):
            np.testing.assert_array_equal(found, [3, 8])
        np.testing.assert_array_equal(weighed(x=x), [2, 4])
        np.testing.assert_array_equal(weighed(x, plus=1.0), [3, 5])
    assert weighed.experimental_get_tracing_count() == 3
    for wrong in ({"by": by}, {"x": x, "other": by}, {"x": x, "by": by, "z": 1}):
        with pytest.raises(TypeError, match=r"argument"):
            weighed(**wrong)
    with pytest.raises(TypeError, match="multiple values"):
        weighed(x, x=x)


def test_functions_may_be_called_as_python_each_time():
    seen: list[Any] = []

    def double(x: Any) -> Any:
        seen.append(x)
        return x * 2.0

    function, kept = tf.function(double), tf.contrib.eager.defun(double)
    function(_ones(2)), kept(_ones(2))
    tf.config.run_functions_eagerly(True)
    try:
        assert tf.config.functions_run_eagerly()
        assert function(3.0) == 6.0, "a number stays one"
        function(_ones(2)), kept(_ones(2))  # a `defun` has its body
    finally:
        tf.config.run_functions_eagerly(False)
    function(_ones(2))
    assert len(seen) == 4
    assert not tf.config.functions_run_eagerly()


READ = {
    "numpy": lambda x, v: x * v.numpy(),
    "an array": lambda x, v: x * np.asarray(v),
    "a sum of NumPy's": lambda x, v: x * np.sum([v, v]),
    "a number": lambda x, v: x * float(v[0]),
    "a snapshot": lambda x, v: x * v.read_value().numpy(),
}


@pytest.mark.parametrize("way", READ)
def test_a_variable_is_read_at_each_call_however_the_body_does(way: str):
    v = tf.Variable([1.0, 2.0])
    function = tf.function(lambda x: READ[way](x, v))
    for value in ([1.0, 2.0], [5.0, 6.0], [7.0, 8.0]):
        v.assign(value)
        np.testing.assert_array_equal(function(_ones(2)), READ[way](_ones(2), v))


def test_a_graph_does_not_know_the_value_of_an_eager_variable():
    v = tf.Variable([1.0, 2.0])
    with tf.Graph().as_default():
        for read in (v.numpy, lambda: np.asarray(v)):
            with pytest.raises(NotImplementedError, match="only available when eager execution is enabled"):
                read()


def test_a_first_value_may_be_that_of_another_variable():
    v, made = tf.Variable([1.0, 2.0]), []

    @tf.function
    def function(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(tf.reverse(v.read_value(), [0])))
        return made[0] * x

    assert function(_ones(2)).numpy().tolist() == [2.0, 1.0]
    v.assign([5.0, 6.0])
    assert function(_ones(2)).numpy().tolist() == [2.0, 1.0]
