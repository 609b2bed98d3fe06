"""Messages of functions: graphs and functions that are made of them, and operations made again in other graphs."""

from __future__ import annotations

import pytest
from steepest.v1.python.eager import lift_to_graph as lifting
from steepest.v1.python.framework import func_graph, function, function_def_to_graph, graph_to_function_def

import steepest.v1 as tf
from steepest.v1.graph.graph_def import FunctionDef, FunctionDefLibrary, GradientDef
from steepest.v1.graph.mode import eager_execution_set


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default() as graph:
        yield graph


def _message() -> FunctionDef:
    with tf.Graph().as_default() as graph:
        x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="y")
        total = tf.add_n([tf.pow(x, 2.0), tf.pow(y, 2.0)], name="total")
    message = graph_to_function_def.graph_to_function_def(graph, graph.get_operations(), [x, y], [total, x])
    message.signature.name = "f"
    return message


def test_a_graph_is_made_of_the_message_of_a_function():
    message = _message()
    assert [node.name for node in message.node_def if node.op == "Placeholder"] == []
    graph = function_def_to_graph.function_def_to_graph(FunctionDef.FromString(message.SerializeToString()))
    assert (graph.name, [node.name for node in graph.inputs]) == ("f", ["x:0", "y:0"])
    with tf.Session(graph=graph) as session:
        assert session.run(graph.outputs, {"x:0": 2.0, "y:0": 3.0}) == [13.0, 2.0]
    assert graph.outputs[0].shape.dims is None
    graph = function_def_to_graph.function_def_to_graph(message, [None, tf.TensorShape([5, 7])])
    assert graph.outputs[0].shape.as_list() == [5, 7]
    with pytest.raises(ValueError, match="Length of `input_shapes` must match"):
        function_def_to_graph.function_def_to_graph(message, [None])


def test_names_in_the_message_of_a_function_become_those_of_a_graph():
    graph_def, names = function_def_to_graph.function_def_to_graph_def(_message(), [[], None])
    assert [node.name for node in graph_def.node][:2] == ["x", "y"]
    assert (names["x"], names["^x"], names["^total"]) == ("x:0", "^x", "^total")
    assert [graph_def.node[0].attr["shape"].shape.dim[:], "shape" in graph_def.node[1].attr] == [[], False]


def test_functions_of_a_library_have_their_gradients():
    @function.Defun(tf.float32, tf.float32)
    def gradient(x, dy):
        return x * dy * 10.0

    @function.Defun(tf.float32, grad_func=gradient)
    def f(x):
        return tf.exp(x)

    x = tf.constant(0.5)
    tf.gradients(f(x), x)
    library = FunctionDefLibrary.FromString(tf.get_default_graph().as_graph_def().library.SerializeToString())
    assert [(each.function_name, each.gradient_func) for each in library.gradient] == [("f", "gradient")]
    again = {each.name: each for each in function.from_library(library)}
    assert (again["f"].grad_func_name, again["gradient"].grad_func_name) == ("gradient", None)
    assert again["f"].declared_input_types == f.declared_input_types
    with tf.Graph().as_default():
        x = tf.constant(0.5)
        y = again["f"](x)
        with tf.Session() as session:
            assert session.run([y, *tf.gradients(y, x)]) == pytest.approx([1.6487212, 5.0])


def test_libraries_that_lack_functions_or_go_around_are_refused():
    f, g = (function.Defun(tf.float32, func_name=name)(lambda x: tf.exp(x)).definition for name in "fg")
    library = FunctionDefLibrary([f], [GradientDef(function_name="f", gradient_func="g")])
    with pytest.raises(ValueError, match="FunctionDefLibrary missing 'g' FunctionDef"):
        function.from_library(library)
    around = [GradientDef(function_name=one, gradient_func=other) for one, other in ("fg", "gf")]
    with pytest.raises(ValueError, match="contains cyclic gradient functions"):
        function.from_library(FunctionDefLibrary([f, g], around))
    assert function.from_library(FunctionDefLibrary()) == []


def test_operations_are_lifted_into_other_graphs():
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.square(tf.constant(3.0, name="three"), name="y")
    graph = tf.Graph()
    found = lifting.lift_to_graph([y], graph)
    assert sorted(op.name for op in graph.get_operations()) == ["three", "y"]
    with tf.Session(graph=graph) as session:
        assert session.run(found[y]) == 9.0
    with pytest.raises(lifting.UnliftableError, match=r"transitively.* Mul .* x|depends transitively on placeholder"):
        lifting.lift_to_graph([x * y], tf.Graph())
    found = lifting.lift_to_graph([x * y], graph, add_sources=True, op_map=found)
    assert found[x].op.type == "Placeholder"


def test_what_a_function_takes_from_outside_is_lifted_with_it():
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        v, w = tf.Variable(2.0), tf.constant(3.0)
        body = tf.function(lambda: v * w).get_concrete_function().graph
        graph = func_graph.FuncGraph("lifted")
        lifting.lift_to_graph(body.outputs, graph, add_sources=True, handle_captures=True)
        assert graph.external_captures == body.external_captures
        assert [node.name for node in graph.internal_captures] == [node.name for node in body.internal_captures]


def test_a_body_that_waits_for_something_outside_is_refused():
    x = tf.constant(1.0)

    @function.Defun(tf.float32)
    def f(y):
        with tf.control_dependencies([x]):
            return tf.identity(y)

    with pytest.raises(ValueError, match="is not an element of this graph"):
        f(x)
