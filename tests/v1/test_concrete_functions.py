"""Functions for arguments of given types: how they are called, what they take from outside, and what they tell."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.functions.body_exits import add_exit_callback_to_default_func_graph
from steepest.v1.graph.mode import eager_execution_set


@pytest.fixture(autouse=True)
def _eager() -> Iterator[None]:
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        yield


def test_arguments_are_those_of_the_function_or_its_tensors_one_after_another():
    f = tf.function(lambda x, y: x["a"] * 10 + x["b"] + y[0] * y[1])
    x, y = {"a": tf.constant(2), "b": tf.constant(3)}, (tf.constant(4), 5)
    concrete = f.get_concrete_function(x, y=y)
    calls = [concrete(x, y), concrete(y=y, x=x), concrete(*x.values(), y[0]), concrete({"a": 2, "b": 3}, (4, 5))]
    assert [int(each) for each in calls] == [43] * 4


def test_names_of_parameters_win_over_those_of_specs():
    f = tf.function(lambda x, y: x * 10 + y)
    concrete = f.get_concrete_function(tf.TensorSpec(None, tf.int32, "y"), tf.TensorSpec(None, tf.int32, "x"))
    assert int(concrete(x=tf.constant(5), y=tf.constant(6))) == 56


@pytest.mark.parametrize(
    ("made_for", "given", "named", "words"),
    [
        ((1, 2.0), (1,), {}, "missing a required argument: 'y'"),
        (((1, 2), 2.0), (3, 2.0), {}, "Can not cast 3 to tuple type"),
        (({"a": 1}, 2.0), (3, 2.0), {}, "Can not cast 3 to a Dict type"),
        (({"a": 1}, 2.0), ({"b": 1}, 2.0), {}, "has different keys"),
        (((1, 2), 2.0), ((1,), 2.0), {}, "to have length of 2"),
        ((5, 2.0), (8, 2.0), {}, r"Can not cast 8 to Literal\[5\]"),
        ((np.int32(5), 2.0), (np.int32(5), 2.0), {"z": 1}, "got an unexpected keyword argument 'z'"),
        ((np.int32(5), 2.0), (np.int32(5), 2.0, 1), {}, "too many positional arguments"),
    ],
)
def test_arguments_that_a_concrete_function_was_not_made_for_are_refused(made_for, given, named, words):
    concrete = tf.function(lambda x, y: tf.constant(1)).get_concrete_function(*made_for)
    with pytest.raises(TypeError, match=f"Binding inputs to tf.function failed due to `.*{words}"):
        concrete(*given, **named)


@pytest.mark.parametrize(
    ("count", "named", "words"),
    [
        (1, (), r"f\(x, y\) missing required arguments: y"),
        (1, ("x", "y"), r"f\(x, y\) got two values for 'x'"),
        (3, (), r"f\(x, y\) takes 2 positional arguments, got 3"),
        (2, ("c",), r"f\(x, y\) got unexpected keyword arguments: c"),
    ],
)
def test_tensors_that_are_not_the_ones_of_a_flat_signature_are_refused(count, named, words):
    @tf.function
    def f(x: object, y: object) -> object:
        return x

    one = tf.constant(1)
    concrete = f.get_concrete_function(one, one)
    with pytest.raises(TypeError, match=words):
        concrete._call_with_flat_signature([one] * count, dict.fromkeys(named, one))
    with pytest.raises(TypeError, match=r"expected argument #0\(zero-based\) to be a Tensor; got int"):
        concrete._call_with_flat_signature([5, one], {})


def test_the_type_of_a_concrete_function_is_told():
    outside = tf.constant(1.0)

    @tf.function
    def f(x: object, y: object = 7, *more: object, **named: object) -> object:
        return {"sum": x + outside}

    concrete = f.get_concrete_function(tf.constant(2.0), 7, [tf.constant(1)], z=None)
    kinds = {name: str(each.kind) for name, each in concrete.function_type.parameters.items()}
    assert kinds == dict.fromkeys(["x", "y", "more_0"], "POSITIONAL_ONLY") | {"z": "KEYWORD_ONLY"}
    assert concrete.function_type.parameters["x"].type_constraint == tf.TensorSpec([], tf.float32)
    assert concrete.function_type.captures == {id(outside): tf.TensorSpec([], tf.float32)}
    spec = "TensorSpec(shape=(), dtype=tf.float32, name=None)"
    assert concrete.pretty_printed_signature(verbose=False) == (
        f"(x: {spec}, y: Literal[7], more_0: List[TensorSpec(shape=(), dtype=tf.int32, name=None)], /, *, "
        f"z: Literal[None]) -> Dict[['sum', {spec}]]"
    )
    assert str(concrete).startswith(f"ConcreteFunction Input Parameters:\n  x (POSITIONAL_ONLY): {spec}\n")
    assert str(concrete).endswith(f"Captures:\n  {id(outside)}: {spec}")
    variable = tf.Variable([1.0, 2.0])
    read = tf.function(lambda: variable + 1.0).get_concrete_function()
    assert [str(each) for each in read.function_type.captures.values()] == [
        "TensorSpec(shape=(), dtype=tf.resource, name=None)"
    ]


def test_names_that_become_one_are_refused():
    with pytest.raises(ValueError, match="Name collision after sanitization"):
        tf.function(lambda **named: 1)(**{"a_b": 1, "a/b": 2})


def test_a_spec_without_a_name_means_the_function_that_was_asked_for_last():
    f = tf.function(lambda x: x)
    named = f.get_concrete_function(tf.TensorSpec(None, tf.float32, "y"))
    assert f.get_concrete_function(tf.TensorSpec(None, tf.float32)) is named
    other = f.get_concrete_function(tf.TensorSpec(None, tf.float32, "z"))
    assert [spec.name for spec in other.structured_input_signature[0]] == ["z"]
    assert f.get_concrete_function(tf.TensorSpec(None, tf.float32)) is other


def test_what_is_taken_from_outside_can_be_replaced():
    x, y, v = tf.constant(1.0), tf.constant(2.0), tf.Variable(4.0)
    concrete = tf.function(lambda: x * 10.0 + y + v).get_concrete_function()
    assert [each is own for each, own in zip(concrete.captured_inputs, [x, y, v.handle], strict=True)] == [True] * 3
    assert concrete.graph.external_captures == concrete.captured_inputs
    assert [node.op.type for node in concrete.graph.internal_captures] == ["Const", "Const", "Placeholder"]
    told = tf.constant(5.0)
    concrete.replace_capture_with_deferred_capture(y, lambda: told, tf.TensorSpec([], tf.float32))
    assert float(concrete()) == 19.0
    told = tf.constant(6.0)
    assert float(concrete()) == 20.0
    concrete.set_external_captures([tf.constant(2.0), tf.constant(3.0), v.handle])
    v.assign(5.0)
    assert float(concrete()) == 28.0
    with pytest.raises(ValueError, match="Attempting to substitute closure with spec"):
        concrete.replace_capture_with_deferred_capture(
            concrete._captured_inputs[0], lambda: told, tf.TensorSpec([], tf.int32)
        )
    with pytest.raises(ValueError, match="Did not find `tensor` argument"):
        concrete.replace_capture_with_deferred_capture(x, lambda: told, tf.TensorSpec([], tf.float32))


def test_values_are_asked_for_at_each_call():
    values = [1.0, 2.0]

    @tf.function
    def f(x: object) -> object:
        graph = tf.get_default_graph()
        first = graph.capture_call_time_value(lambda: values[0], tf.TensorSpec(None), key=0)
        second = graph.capture_call_time_value(lambda: values[1], tf.TensorSpec([]), key=1)
        return x + first * 10.0 + second + graph.capture_call_time_value(lambda: 1 / 0, tf.TensorSpec([]), key=0)

    assert float(f(tf.constant(100.0))) == 113.0
    values[:] = [3.0, 4.0]
    assert float(f(tf.constant(100.0))) == 137.0
    values[1] = tf.constant(4)
    with pytest.raises(TypeError, match="Can not cast TensorSpec"):
        f(tf.constant(100.0))


def test_numbers_of_small_tensors_from_outside_tell_shapes():
    size = tf.constant([2, 3])
    concrete = tf.function(lambda x: tf.reshape(x, size)).get_concrete_function(tf.TensorSpec(None, tf.float32))
    assert concrete.output_shapes.as_list() == [2, 3]
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda: x * x)()
    assert float(tape.gradient(y, x)) == 6.0


def test_callbacks_are_called_once_bodies_are_made():
    seen = []

    @tf.function
    def inner(x: object) -> object:
        add_exit_callback_to_default_func_graph(lambda: seen.append("inner"))
        seen.append("in inner")
        return x

    @tf.function
    def outer(x: object) -> object:
        add_exit_callback_to_default_func_graph(lambda: seen.append("outer"))
        return inner(x)

    outer(tf.constant(1.0))
    outer(tf.constant(2.0))
    assert seen == ["in inner", "inner", "outer"]
    with pytest.raises(RuntimeError, match="when not building a function"):
        add_exit_callback_to_default_func_graph(lambda: None)


def test_a_function_that_makes_variables_each_time_is_refused_at_its_first_call():
    @tf.function
    def f(x: object) -> object:
        return tf.Variable(1.0) + x

    with pytest.raises(ValueError, match="tried to create variables on non-first call"):
        f(1.0)


def test_resources_that_a_body_makes_are_not_counted():
    @tf.function
    def f() -> object:
        return tf.contrib.eager.Variable(lambda: tf.constant(2.0)).read_value()

    assert [float(f()), float(f())] == [2.0, 2.0]
    with pytest.raises(ValueError, match="could not be lifted out"):
        tf.function(lambda: tf.contrib.eager.Variable(tf.constant(2.0)))()


def _times_three(x: object) -> object:
    return x * 3.0


def test_functions_are_pickled_copied_and_decorated_before_their_first_call():
    f = tf.function(_times_three, input_signature=[tf.TensorSpec([])], reduce_retracing=True)
    again = pickle.loads(pickle.dumps(f))
    assert (float(again(2.0)), again.input_signature, again._reduce_retracing) == (6.0, f.input_signature, True)
    other = f._clone(lambda x: x * 4.0)
    assert (float(other(2.0)), other._autograph, f._autograph) == (8.0, True, True)
    f._decorate(lambda inner: lambda x: inner(x) + 1.0)
    assert float(f(2.0)) == 7.0
    with pytest.raises(ValueError, match="cannot be decorated after they have been traced"):
        f._decorate(lambda inner: inner)


def test_the_bodies_of_a_function_are_listed():
    f = tf.function(lambda x: x)
    f(tf.constant([1.0]))
    f(tf.constant([2]))
    f(tf.constant([3]))
    specs = [each.structured_input_signature[0][0] for each in f._list_all_concrete_functions_for_serialization()]
    assert specs == [tf.TensorSpec([1], tf.float32, "x"), tf.TensorSpec([1], tf.int32, "x")]


def test_bodies_that_are_made_again_and_again_are_warned_of(caplog):
    @tf.function
    def f(x: object) -> object:
        return x

    for _ in range(30):
        f(tf.constant(1.0))
    for k in range(3):
        f(k)
    assert not caplog.records
    for k in range(3, 20):
        f(k)
    told = [record.getMessage().partition(" to ")[0] for record in caplog.records]
    assert told == ["5 out of the last 34 calls", "6 out of the last 35 calls"]


def test_a_signature_without_a_type_for_a_parameter_is_told():
    f = tf.function(lambda a, b: a, input_signature=[tf.TensorSpec([], tf.int32)])
    with pytest.raises(TypeError, match="input_signature missing type constraint for b"):
        f(1, 2)


def test_a_tensor_of_another_function_is_out_of_scope():
    kept = []
    tf.function(kept.append)(tf.constant(1))
    with pytest.raises(TypeError, match=r"made by .* in .*out of scope"):
        tf.function(lambda b: b + kept[0])(tf.constant(2))


def test_functions_share_variables_by_name_where_scopes_say_so():
    def scaled(x: object) -> object:
        with tf.variable_scope("shared", reuse=tf.AUTO_REUSE):
            v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        return v.assign_add(1.0) * x

    f, g = tf.function(scaled), tf.function(scaled)
    assert [float(each) for each in (f(2.0), f(2.0), f(tf.constant(3.0)), g(2.0))] == [4.0, 6.0, 12.0, 10.0]


def test_indices_of_slices_are_tensors_where_they_were():
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]), [2])
    for each in (slices, tf.function(lambda given: given)(slices)):
        assert each.indices.numpy().tolist() == [1]
        assert each.to_dense().tolist() == [0.0, 1.0]
