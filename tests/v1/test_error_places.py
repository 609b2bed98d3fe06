"""Where errors say that the program made the operation that failed."""

from __future__ import annotations

import re

import pytest
from steepest.v1.python.framework import convert_to_constants, error_interpolation
from steepest.v1.python.keras.optimizer_v2 import legacy_learning_rate_decay

import steepest.v1 as tf

_HERE = re.escape(__file__)


def _failing():
    return tf.check_numerics(tf.placeholder(tf.float32, name="x"), "bad", name="checked")


def test_the_error_of_a_run_names_the_line_that_made_the_operation():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        checked = _failing()
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(checked, {"x:0": float("nan")})
    made = graph.get_operation_by_name("checked").traceback[-1]
    assert made.name == "_failing"
    assert caught.value.message.endswith(f"[[node checked (type CheckNumerics) (defined at {__file__}:{made.lineno})]]")
    found = re.search(
        f"(?s)Original stack trace for 'checked':\n.*{_HERE}.*in test_the_error.*in _failing", str(caught.value)
    )
    assert found


def test_an_error_without_an_operation_is_its_message():
    assert str(tf.errors.InvalidArgumentError(None, None, "bad")) == "bad"


def test_tags_of_nodes_are_told_with_the_calls_that_made_them():
    with tf.Graph().as_default() as graph:
        tf.constant(1, name="one")
        tf.constant(2, name="two")
    message = "{{function_node f}}so {{node two}} and {{node three}}"
    told = error_interpolation.interpolate_graph(message, graph)
    assert re.search(f"(?s)Detected at node 'two' defined at .*{_HERE}.*Node: 'two'\nso {{{{node two}}}} and", told)
    assert "'one'" not in told
    assert "function_node" not in told
    line = graph.get_operation_by_name("two").traceback[-1].lineno
    first = error_interpolation.interpolate("{{node two}}: {{node three}}", graph)
    assert first == f"node two (defined at {__file__}:{line}) : node three"
    assert error_interpolation.parse_message(message)[1:] == (
        [("function_node", "f")],
        [("node", "two"), ("node", "three")],
    )
    library = error_interpolation._FRAMEWORK_PATH_PREFIXES[0]
    assert error_interpolation._is_framework_filename(f"{library}v1/graph.py")
    assert not error_interpolation._is_framework_filename(f"{library}v1/graph_test.py")


def test_the_decays_of_the_learning_rate_are_in_their_later_module_too():
    assert legacy_learning_rate_decay.exponential_decay is tf.train.exponential_decay


def test_graphs_have_constants_for_variables_under_the_later_name_too():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.multiply(tf.Variable(1.5, name="v"), 2.0, name="out")
        session.run(tf.global_variables_initializer())
        freeze = convert_to_constants.convert_variables_to_constants_from_session_graph
        frozen = freeze(session=session, graph_def=graph.as_graph_def(), output_node_names=["out"])
        assert {node.name: node.op for node in frozen.node}["v"] == "Const"
        kept = freeze(session, graph.as_graph_def(), ["out"], variable_names_denylist=["v"])
        assert {node.name: node.op for node in kept.node}["v"] == "VariableV2"
