"""What functions of eager mode tell of their arguments, functions of graphs, and errors of bodies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import steepest.v1 as tf
from steepest.v1.functions.concrete_functions import ConcreteFunction
from steepest.v1.functions.function_graphs import FuncGraph
from steepest.v1.graph.mode import eager_execution_set
from steepest.v1.variables.variable_spec import VariableSpec


@pytest.fixture(autouse=True)
def _eager() -> Iterator[None]:
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        yield


def test_variables_among_arguments_are_told_by_specs():
    v, w = tf.Variable(1.0), tf.Variable(2.0, trainable=False)
    concrete = tf.function(lambda a, b, c: a * b * c).get_concrete_function(v, w, v)
    expected = VariableSpec([], alias_id=0), VariableSpec([], trainable=False, alias_id=1), VariableSpec([], alias_id=0)
    assert concrete.structured_input_signature == (expected, {})
    assert concrete.graph.structured_input_signature == (expected, {})
    assert [VariableSpec([]).is_compatible_with(each) for each in (v, w, tf.constant(1.0))] == [True, False, False]
    with pytest.raises(TypeError, match="input_signature doesn't support VariableSpec"):
        tf.function(lambda v: v, input_signature=[VariableSpec([])])


def test_a_concrete_function_is_made_of_a_graph_with_attributes():
    graph = FuncGraph("square")
    with graph.as_default():
        graph.inputs = [tf.placeholder(tf.float32, [], name="x")]
        graph.outputs = [graph.inputs[0] * graph.inputs[0]]
    concrete = ConcreteFunction.from_func_graph(graph, None, attrs={"speed": 2.5, "words": ["a", True]})
    assert [float(each) for each in concrete(tf.constant(3.0))] == [9.0]
    attributes = concrete.function_def.attr
    assert attributes["speed"].f == 2.5
    assert (list(attributes["words"].list.s), list(attributes["words"].list.b)) == ([b"a"], [True])
    case = tf.test.TestCase()
    case.assertProtoEquals("list { s: 'a' b: True }", attributes["words"])
    with pytest.raises(AssertionError):
        case.assertProtoEquals("list { s: 'a' b: f }", attributes["words"])
    with pytest.raises(ValueError, match="Attribute wrong must be bool, int, float, string, list"):
        ConcreteFunction.from_func_graph(graph, None, attrs={"wrong": None})


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (lambda x: tf.matmul(x, x), ValueError),
        (lambda x: tf.reshape(x, [7]), ValueError),
        (lambda x: tf.constant(1) + x, TypeError),
    ],
)
def test_what_fails_in_a_graph_fails_in_a_body_as_it_does_there(body, kind):
    with pytest.raises(kind):
        tf.function(body)(tf.ones([2, 3]))


def test_what_fails_in_a_run_of_a_body_that_needs_values_fails_as_it_does_there():
    @tf.function
    def f(x: object) -> object:
        if x > 0:
            tf.debugging.assert_negative(x)
        return x

    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(1.0))


def test_a_signature_tells_the_rank_of_what_has_none():
    with tf.Graph().as_default(), eager_execution_set(False):
        f = tf.function(lambda x: x * 2.0, input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        assert f(tf.placeholder(tf.float32)).shape.as_list() == [None, 2]
        assert f(tf.placeholder(tf.float32, [3, 2])).shape.as_list() == [3, 2]


def test_wrapped_functions_have_the_names_of_their_specs_and_take_lists_for_tensors():
    spec = tf.TensorSpec([None], tf.float32)
    total = tf.wrap_function(lambda x, y: x + y, [spec, tf.TensorSpec([], tf.float32, name="named")])
    assert [node.name for node in total.inputs] == ["Placeholder:0", "named:0"]
    assert total([1.0, 2.0], 1.0).numpy().tolist() == [2.0, 3.0]
    with pytest.raises(ValueError, match="Signature specifies 2 arguments, got: 1"):
        total(1.0)
