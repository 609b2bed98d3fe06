"""Graphs as messages: what comes back computes as before, beside nodes of the new graph, or with constants in it."""

from __future__ import annotations

import re
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
        (whole,) = tf.import_graph_def(message, {"a": tf.identity(w)}, ["result"], name="")
        assert session.run(whole.outputs[0], {"b:0": 1.0}) == 5.0
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
        with pytest.raises(ValueError, match="after:0 cannot be in a file: it needs 'mine'"):
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


def test_a_message_says_all_that_its_nodes_need():
    other = tf.GraphDef([tf.NodeDef("x", "Placeholder", [])])
    assert tf.GraphDef.FromString(other.drawn()) == other
    with pytest.raises(ValueError, match=r"Node 'x' \(type Placeholder\): NodeDef missing attr 'dtype'"):
        tf.import_graph_def(other)
    with pytest.raises(ValueError, match="serialized must be a whole message"):
        tf.GraphDef().ParseFromString(other.drawn()[:-1])


def test_what_cannot_be_imported_is_told_in_the_words_of_tensorflow(graph: Any):
    tf.add(tf.placeholder(tf.float32, [], name="a"), 1.0, name="b")
    message = graph.as_graph_def()
    cases: list[tuple[dict[str, Any], str]] = [
        ({"input_map": [1.0]}, "input_map must be a dictionary mapping strings to Tensor objects"),
        ({"input_map": {"a:1": 1.0, "c": 1.0}}, "inputs that were not found in graph_def: [a:1, c]"),
        ({"input_map": {"a:x": 1.0}}, "Cannot convert 'a:x' to a tensor name."),
        (
            {"input_map": {"a": tf.constant(1, name="one")}},
            "b was passed int32 from one:0 incompatible with expected float.",
        ),
        (
            {"input_map": {"a": 1.0}, "name": ""},
            "requires a non-empty `name` if `input_map` contains non-Tensor values",
        ),
        ({"return_elements": [7]}, "return_elements must be a list of strings."),
        ({"return_elements": ["c"]}, "Requested return node 'c' not found in graph def"),
        ({"return_elements": ["c:0"]}, "Requested return tensor 'c:0' not found in graph def"),
        ({"return_elements": ["b:3"]}, "Invalid return output 3 of node 'b', which has 1 output(s)"),
    ]
    before = len(graph.get_operations())
    for arguments, words in cases:
        with pytest.raises((TypeError, ValueError), match=re.escape(words)):
            tf.import_graph_def(message, **arguments)
    made = [op.name for op in graph.get_operations()[before:]]
    assert all(name == "one" or "_inputs" in name for name in made), made


def test_names_of_a_file_that_are_taken_get_a_number(tmp_path: Path, graph: Any):
    tf.constant(1.0, name="a")
    tf.train.export_meta_graph(str(tmp_path / "graph"))
    tf.train.import_meta_graph(str(tmp_path / "graph"))
    assert [op.name for op in graph.get_operations()] == ["a", "a_1"]


def test_a_loop_that_is_imported_into_branches_and_loops(graph: Any):
    x = tf.placeholder(tf.float32, [], name="x")
    tf.identity(tf.while_loop(lambda i: i < 20.0, lambda i: i * 2.0 + x, [x]), name="y")
    message = graph.as_graph_def()

    def imported(given: Any) -> Any:
        return tf.import_graph_def(message, {"x:0": given}, ["y:0"])[0]  # type: ignore[index]

    with tf.Graph().as_default(), tf.Session() as session:
        a, p = tf.constant(3.0), tf.placeholder(tf.bool, [])
        chosen = tf.cond(p, lambda: imported(a), lambda: imported(a + 1.0) * 10.0)
        looped = tf.while_loop(lambda i: i < 60.0, lambda i: imported(i) + i, [a])
        assert session.run([chosen, looped], {p: True}) == [21.0, 96.0]
        assert session.run([chosen, looped], {p: False}) == [280.0, 96.0]


@pytest.mark.parametrize("read", [False, True])
def test_nodes_of_a_message_are_taken_out_and_put_elsewhere(graph: Any, read: bool):
    a = tf.placeholder(tf.float32, [], name="a")
    with tf.device("/job:w"):
        tf.multiply(a, 2.0, name="b")
    tf.identity(a, name="c")

    def message() -> tf.GraphDef:
        made = graph.as_graph_def()
        return tf.GraphDef.FromString(made.SerializeToString()) if read else made

    changed = message()
    for node in list(changed.node):
        node.device = "/job:v" if node.name == "a" else ""
        if node.name == "c":
            changed.node.remove(node)
    with tf.Graph().as_default() as new:
        (b,) = tf.import_graph_def(changed, name="", return_elements=["b:0"])  # type: ignore[misc]
        assert [(op.name, op.device) for op in new.get_operations()] == [("a", "/job:v"), ("b/y", ""), ("b", "")]
        with tf.Session() as session:
            assert session.run(b, {"a:0": 4.0}) == 8.0
    for change in ({"op": "Add"}, {"op": "Sub", "input": ["a", "a"]}):
        changed = message()
        (node,) = [node for node in changed.node if node.name == "b"]
        for field, value in change.items():
            setattr(node, field, value)
        with pytest.raises(ValueError, match=r"have nodes as they were made, got node 'b'"):
            tf.import_graph_def(changed)
        # Its bytes are of nodes that were made by hand. Those of a message that was read say nothing of attributes.
        again = tf.GraphDef.FromString(changed.SerializeToString())
        if read:
            with pytest.raises(ValueError, match="missing attr 'dtype'"):
                tf.import_graph_def(again)
        else:
            (made,) = tf.import_graph_def(again, return_elements=[node.name])  # type: ignore[misc]
            assert (made.type, [each.op.name.partition("/")[2] for each in made.inputs]) == (node.op, node.input)


def test_a_message_of_chosen_nodes_of_a_graph(graph: Any):
    tf.identity(tf.placeholder(tf.float32, [], name="a"), name="b")
    message, chosen = graph.as_graph_def(), tf.GraphDef()
    chosen.node.extend(node for node in message.node if node.name == "a")
    chosen.node.add().CopyFrom(next(node for node in message.node if node.name == "b"))
    with tf.Graph().as_default(), tf.Session() as session:
        (b,) = tf.import_graph_def(chosen, return_elements=["b:0"])  # type: ignore[misc]
        assert session.run(b, {"import/a:0": 3.0}) == 3.0


def test_what_nodes_compute_is_not_in_messages_alone(graph: Any):
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    for made in (tf.matmul(x, x, transpose_a=True), tf.transpose(x), tf.stack([x, x], 1), tf.concat([x, x], 0)):
        message = tf.GraphDef()
        message.node.extend(node for node in graph.as_graph_def().node if node.name in (x.op.name, made.op.name))
        message.node[0].name = message.node[1].input[0] = "renamed"
        message.node[1].input[:] = ["renamed" for _ in message.node[1].input]
        with pytest.raises(ValueError, match=r"missing attr|do not match"):
            tf.import_graph_def(tf.GraphDef.FromString(message.SerializeToString()))


def test_graphs_are_compared_without_order():
    def of(value: float, backwards: bool = False) -> tf.GraphDef:
        with tf.Graph().as_default() as graph:
            tf.identity(tf.constant(value, name="a"), name="b")
        made = graph.as_graph_def()
        return tf.GraphDef(reversed(made.node)) if backwards else made

    assert graph_util.graph_defs_equal(of(1.0), of(1.0, backwards=True))
    assert not graph_util.graph_defs_equal(of(1.0), of(2.0))
    assert not graph_util.graph_defs_equal(of(np.nan), of(np.nan))
    assert graph_util.graph_defs_equal(of(np.nan), of(np.nan), treat_nan_as_equal=True)
    with pytest.raises(TypeError, match="must be a graph_pb2"):
        graph_util.graph_defs_equal(of(1.0), "graph")


def test_training_nodes_go_but_for_those_near_which_others_are():
    with tf.Graph().as_default() as graph:
        a = tf.constant(1.0, name="a")
        kept, gone = tf.identity(a, name="kept"), tf.stop_gradient(a, name="gone")
        with tf.colocate_with(kept):
            tf.add(kept, gone, name="sum")
    left = tf.graph_util.remove_training_nodes(graph.as_graph_def())
    assert {node.name: list(node.input) for node in left.node} == {"a": [], "kept": ["a"], "sum": ["kept", "a"]}
