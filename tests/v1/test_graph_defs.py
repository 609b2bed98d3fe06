"""Graphs as messages: what comes back computes as before, beside nodes of the new graph, or with constants in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework import graph_util

import steepest.v1 as tf

X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)


@pytest.fixture(autouse=True)
def graph() -> Any:
    with tf.Graph().as_default() as made:
        yield made


def model() -> Any:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    kept = tf.placeholder_with_default(1.0, [], name="keep")
    hidden = tf.layers.dense(x * kept, 4, activation=tf.tanh, name="hidden")
    best = tf.cond(tf.reduce_sum(x) > -100.0, lambda: hidden * 2.0, lambda: hidden)
    prob = tf.nn.softmax(tf.layers.dense(best, 2, name="out"), name="prob")
    loss = tf.reduce_mean(tf.square(prob))
    return tf.train.AdamOptimizer(0.1).minimize(loss, name="train"), prob


def read_again(message: Any, path: Path) -> Any:
    path.write_bytes(message.SerializeToString())
    made = tf.GraphDef()
    assert made.ParseFromString(path.read_bytes()) == path.stat().st_size
    assert made == message
    return made


def test_variables_become_constants_and_the_graph_needs_no_initialisation(tmp_path: Path, graph: Any):
    train, prob = model()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train, {"x:0": X})
        expected = session.run(prob, {"x:0": X})
        frozen = graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["prob"])
        with pytest.raises(AssertionError, match="nothing is not in graph"):
            tf.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["nothing"])
    names = {node.name: node.op for node in frozen.node}
    assert names["hidden/kernel"] == names["out/bias"] == "Const"
    assert "train" not in names
    assert "VariableV2" not in names.values()
    with tf.Graph().as_default() as loaded, tf.Session() as session:
        assert tf.import_graph_def(read_again(frozen, tmp_path / "frozen.pb"), name="model") is None
        assert tf.global_variables() == []
        feeds = {loaded.get_tensor_by_name("model/x:0"): X}
        np.testing.assert_array_equal(session.run("model/prob:0", feeds), expected)
        again = tf.import_graph_def(frozen, name="model", return_elements=["prob:0", "x"])
        assert [each.name for each in again] == ["model_1/prob:0", "model_1/x"]


def test_nodes_of_the_new_graph_stand_for_those_of_the_message(graph: Any):
    a, b = tf.placeholder(tf.float32, name="a"), tf.placeholder(tf.float32, name="b")
    tf.subtract(a * 2.0, b, name="result")
    message = graph.as_graph_def()
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable(3.0)
        (result,) = tf.import_graph_def(message, {"a:0": w, "b": 4.0}, ["result:0"])
        assert result.name == "import/result:0"
        (slope,) = tf.gradients(result, w)
        session.run(w.initializer)
        assert session.run([result, slope]) == [2.0, 2.0]
        (whole,) = tf.import_graph_def(message, {"a": w}, ["result"], name="")
        assert session.run(whole.outputs[0], {"b:0": 1.0}) == 5.0
        with pytest.raises(ValueError, match="input_map must name tensors of the graph, got a:1"):
            tf.import_graph_def(message, {"a:1": w})
        with pytest.raises(ValueError, match="Requested return_element 'none:0' not found"):
            tf.import_graph_def(message, return_elements=["none:0"])
        with pytest.raises(ValueError, match="'a' in both"):
            tf.import_graph_def(message, name="")
    with pytest.raises(TypeError, match="graph_def must be a GraphDef"):
        tf.import_graph_def("a message")  # type: ignore[arg-type]


def test_what_no_file_can_hold_is_left_out_with_what_needs_it(graph: Any):
    x = tf.placeholder(tf.float32, [], name="x")
    mine = tf.py_func(lambda value: value + 1, [x], tf.float32, name="mine")
    tf.multiply(mine, 2.0, name="after")
    tf.group(tf.add(x, 1.0, name="other"), mine, name="both")
    message = graph.as_graph_def()
    with tf.Graph().as_default() as loaded, tf.Session() as session:
        tf.import_graph_def(message, name="")
        assert {op.name for op in loaded.get_operations()}.isdisjoint({"mine", "after", "both"})
        assert session.run("other:0", {"x:0": 2.0}) == 3.0
        with pytest.raises(ValueError, match="after:0, which cannot be in a file: it needs 'mine'"):
            tf.import_graph_def(message, return_elements=["after:0"])
    with tf.Session() as session, pytest.raises(ValueError, match="after must be an operation that can be in a file"):
        tf.graph_util.convert_variables_to_constants(session, message, ["after"])


def test_a_part_of_a_graph_has_what_its_operations_need(graph: Any):
    v = tf.Variable(2.0, name="v")
    total = tf.add(v, 1.0, name="total")
    tf.multiply(total, 3.0, name="more")
    part = tf.graph_util.extract_sub_graph(graph.as_graph_def(), ["total"])
    assert {"v", "v/Assign", "total"} <= {node.name for node in part.node}
    assert "more" not in {node.name for node in part.node}
    with tf.Session() as session:
        session.run(v.initializer)
        kept = tf.graph_util.convert_variables_to_constants(session, part, ["total"], variable_names_blacklist=["v"])
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(kept, name="")
        session.run("v/Assign")
        assert session.run("total:0") == 3.0
    with pytest.raises(TypeError, match="dest_nodes must be a list"):
        tf.graph_util.extract_sub_graph(part, "total")


def test_a_message_of_another_library_is_refused():
    other = tf.GraphDef([tf.NodeDef("x", "Placeholder", [])])
    assert tf.GraphDef.FromString(other.drawn()) == other
    with pytest.raises(ValueError, match="be a graph that steepest has written"):
        tf.import_graph_def(other)
    with pytest.raises(ValueError, match="serialized must be a whole message"):
        tf.GraphDef().ParseFromString(other.drawn()[:-1])
