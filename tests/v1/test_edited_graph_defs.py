"""Messages of graphs whose nodes were renamed, joined otherwise or made to wait before they are imported."""

from typing import Any

import numpy as np
import pytest

from steepest import v1 as tf


@pytest.fixture(params=[False, True], ids=["made", "read"])
def message(request: Any):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder("float32", [2], "x")
        w = tf.Variable([3.0, 4.0], name="w")
        y = tf.multiply(x, w, name="y")
        tf.identity(y, name="z")
        tf.cond(tf.reduce_sum(y, name="sum") > 0.0, lambda: y + 1.0, lambda: y, name="choice")
        made = graph.as_graph_def()
    return tf.GraphDef.FromString(made.SerializeToString()) if request.param else made


def node(message: Any, name: str) -> Any:
    return next(each for each in message.node if each.name == name)


def test_nodes_with_other_names(message: Any):
    for each in message.node:
        each.name = f"new/{each.name}"
        each.input[:] = [f"^new/{name[1:]}" if name.startswith("^") else f"new/{name}" for name in each.input]
    with tf.Graph().as_default() as graph, tf.Session() as session:
        (z,) = tf.import_graph_def(message, name="", return_elements=["new/z:0"])  # type: ignore[misc]
        assert all(op.name.startswith("new/") for op in graph.get_operations())
        session.run("new/w/Assign")
        values = session.run([z, "new/choice/Merge:0"], {"new/x:0": [1.0, 2.0]})
        np.testing.assert_array_equal(values, [[3.0, 8.0], [4.0, 9.0]])


def test_nodes_that_take_other_values_and_wait(message: Any):
    node(message, "z").input[:] = ["x", "^y"]
    with tf.Graph().as_default(), tf.Session() as session:
        (z,) = tf.import_graph_def(message, name="", return_elements=["z:0"])  # type: ignore[misc]
        assert ([each.name for each in z.op.inputs], [op.name for op in z.op.control_inputs]) == (["x:0"], ["y"])
        with pytest.raises(tf.errors.FailedPreconditionError):  # y reads w
            session.run(z, {"x:0": [1.0, 2.0]})
        session.run("w/Assign")
        np.testing.assert_array_equal(session.run(z, {"x:0": [1.0, 2.0]}), [1.0, 2.0])


def test_changes_that_cannot_be(message: Any):
    def imported() -> None:
        with tf.Graph().as_default():
            tf.import_graph_def(message)

    node(message, "z").input[:] = ["sum"]
    with pytest.raises(ValueError, match="'z' with another number, type or shape of inputs"):
        imported()
    node(message, "z").input[:] = ["gone"]
    with pytest.raises(ValueError, match="Node 'z': Unknown input node 'gone'"):
        imported()
    node(message, "z").input[:] = ["y"]
    message.node.extend([message.node[0]])
    with pytest.raises(ValueError, match="Node 'x' is not unique"):
        imported()
    message.node.pop()
    message.node.remove(node(message, "x"))
    with pytest.raises(ValueError, match="Node 'y': Unknown input node 'x'"):
        imported()


@pytest.mark.parametrize(("producer", "rank"), [(21, None), (22, 0)])
def test_old_messages_have_placeholders_of_shapes_that_are_not_known(producer, rank):
    message = tf.GraphDef()
    node = message.node.add()
    node.name, node.op = "x", "Placeholder"
    node.attr["dtype"].type = tf.float32.as_datatype_enum
    node.attr["shape"].shape.CopyFrom(tf.TensorShape([]).as_proto())
    message.versions.producer = producer
    (x,) = tf.import_graph_def(message, return_elements=["x:0"])
    assert x.shape.ndims == rank
