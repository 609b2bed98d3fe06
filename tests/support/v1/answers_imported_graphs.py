"""Programs that import a graph: what stands for its tensors, its names, devices, and what its nodes wait for."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np
from answers import graph, run, tried


def small(tf: Any) -> Any:
    with tf.Graph().as_default() as made:
        a = tf.placeholder(tf.float32, [2], name="a")
        b = tf.add(a, tf.constant([1.0, 2.0], name="k"), name="b")
        tf.unstack(b, name="s")
        with tf.control_dependencies([b]):
            tf.identity(a, name="n")
        with tf.device("/device:CPU:0"):
            tf.identity(a, name="d")
        return made.as_graph_def()


@graph
def names_of_imported_nodes(tf: Any) -> Any:
    message = small(tf)
    for name in (None, None, "", "", "q/", "q/"):
        tf.import_graph_def(message, name=name)
    with tf.name_scope("o"):
        tf.import_graph_def(message, name="i")
        tf.import_graph_def(message, {"a": [3.0, 4.0]})
    names = [op.name for op in tf.get_default_graph().get_operations()]
    found = tf.import_graph_def(message, return_elements=(b"s:1", "b", "a:0"))
    return names, [each.name for each in found], tf.import_graph_def(message, return_elements=[])


@graph
def what_stands_for_tensors_of_an_imported_graph(tf: Any) -> Any:
    message, mine = small(tf), tf.constant([5.0, 6.0], name="mine")
    kept = tf.identity(7.0, name="kept")
    b, a, op = tf.import_graph_def(message, {"a:0": mine, b"s:1": mine}, ["b:0", "a:0", "a"])
    (n,) = tf.import_graph_def(message, {"^b": kept}, ["n"])
    (given,) = tf.import_graph_def(message, {"a": np.float32([1, 2])}, ["b:0"], name="of_arrays")
    return run(tf, [b, given, tf.gradients(b, mine)]), a.name, op.name, [each.name for each in n.control_inputs]


@graph
def imports_that_cannot_be(tf: Any) -> Any:
    message, x = small(tf), tf.constant([1.0, 2.0])
    maps = ([x], {1: x}, {"none:0": x}, {"s:5": x}, {"a:x": x}, {"a": tf.constant([1, 2])}, {"a": "text"})
    asked = ([7], ["none"], ["none:0"], ["b:3"], ["b "], ["b:0:1"], ["b:"], ["^b"])
    return tried(
        *(lambda given=given: tf.import_graph_def(message, given) for given in maps),
        *(lambda names=names: tf.import_graph_def(message, return_elements=names) for names in asked),
        lambda: tf.import_graph_def(message, {"a": [1.0, 2.0]}, name=""),
        lambda: tf.import_graph_def(message, {"s:1": tf.constant(1)}),
    )


@graph
def blocks_around_an_import(tf: Any) -> Any:
    message, before = small(tf), tf.no_op("before")
    with tf.control_dependencies([before]), tf.device("/job:w"):
        tf.import_graph_def(message)
    nodes = [tf.get_default_graph().get_operation_by_name(f"import/{name}") for name in "abnd"]
    return [(op.device, [each.name for each in op.control_inputs]) for op in nodes]


@graph
def imports_in_branches_and_loops(tf: Any) -> Any:
    with tf.Graph().as_default() as made:
        x = tf.placeholder(tf.float32, [], name="x")
        tf.add(x * 2.0, 1.0, name="y")
        message = made.as_graph_def()

    def imported(x: Any) -> Any:
        (y,) = tf.import_graph_def(message, {"x:0": x}, ["y:0"])
        return tf.reshape(y, [])

    a, p = tf.constant(3.0), tf.placeholder(tf.bool, [])
    chosen = tf.cond(p, lambda: imported(a), lambda: imported(a + 1.0) * 10.0)
    looped = tf.while_loop(lambda i: i < 100.0, lambda i: imported(i) + i, [a])
    return [run(tf, [chosen, looped], {p: value}) for value in (True, False)]


@graph
def shapes_of_what_is_imported_for_other_shapes(tf: Any) -> Any:
    with tf.Graph().as_default() as made:
        x = tf.placeholder(tf.float32, [1, 3], name="x")
        size = tf.constant([3, 1], name="size")
        y = tf.nn.relu(tf.matmul(x, tf.ones([3, 2])), name="y")
        tf.reduce_sum(y, 1, name="rows")
        tf.reduce_sum(y, name="all")
        tf.reshape(x, size, name="other")
        message = made.as_graph_def()
    x, size = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32, [2])
    names = ["y:0", "rows:0", "all:0", "other:0"]
    batch = tf.import_graph_def(message, {"x": x}, names)
    sized = tf.import_graph_def(message, {"size": size}, names)
    shapes = [[each.shape.as_list() for each in found] for found in (batch[:3], sized)]
    return shapes, run(tf, batch, {x: np.ones((1, 3))}), run(tf, batch[:3], {x: np.ones((2, 3))})


@graph
def a_file_of_a_graph_with_other_inputs(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
        path = os.path.join(folder, "model")
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", [2, 3], initializer=tf.ones_initializer())
        tf.add_to_collection("ends", tf.identity(tf.matmul(x, w), name="y"))
        tf.add_to_collection("ends", x)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            tf.train.Saver().save(session, path)
        return [_restored(tf, path, *given) for given in ((None, None), ("m", None), ("m/n", "o"), (None, "o"))]


def _restored(tf: Any, path: str, import_scope: Any, around: Any) -> Any:
    with tf.Graph().as_default(), tf.Session() as session:
        mine = tf.constant([[1.0, 2.0]], name="mine")
        with tf.name_scope(around) if around else tf.device("/cpu:0"):
            saver = tf.train.import_meta_graph(f"{path}.meta", import_scope=import_scope, input_map={"x:0": mine})
        saver.restore(session, path)
        y, x = tf.get_collection("ends")
        found = [session.run(y), x.name, y.name, y.op.device, [v.name for v in tf.global_variables()]]
        tf.train.import_meta_graph(
            f"{path}.meta", import_scope="again", restore_collections_predicate=lambda key: key == "variables"
        )
        tf.train.import_meta_graph(f"{path}.meta", import_scope="again")
        names = [v.name for v in tf.global_variables()], [v.name for v in tf.trainable_variables()]
        return found, names, [end.name for end in tf.get_collection("ends")]


def by_hand(tf: Any, *nodes: tuple[str, str, list[str]], near: str = "", device: str = "") -> Any:
    """Return a message of nodes: name, type and inputs of each; the last one near to another, at a device."""
    made = tf.GraphDef()
    for name, op, inputs in nodes:
        node = made.node.add(name=name, op=op, device=device)
        node.input.extend(inputs)
        if op == "Placeholder":
            node.attr["dtype"].type = 1
            node.attr["shape"].shape.dim.add().size = 2
        elif op == "Const":
            node.attr["dtype"].type = 1
            node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto([3.0, 4.0]))
        elif op != "NoOp":
            node.attr["T"].type = 1
    if near:
        made.node[-1].attr["_class"].list.s.append(near.encode())
    made.versions.producer = 100
    return made


@graph
def graphs_that_were_made_by_hand(tf: Any) -> Any:
    nodes = ("c", "Const", []), ("p", "Placeholder", []), ("done", "NoOp", ["^c"]), ("y", "Add", ["p", "c:0", "^done"])
    message = by_hand(tf, *reversed(nodes))
    y, again = (tf.import_graph_def(message, return_elements=["y:0"], name="")[0] for _ in range(2))
    (mapped,) = tf.import_graph_def(message, {"p": tf.constant([0.5, 0.5])}, ["y"])
    values = run(tf, [y, again, mapped.outputs[0]], {"p:0": [1.0, 2.0], "p_1:0": [5.0, 6.0]})
    names = [op.name for op in tf.get_default_graph().get_operations()]
    waited = [[each.name for each in op.control_inputs] for op in (y.op, mapped)]
    return values, names, waited, y.shape, tf.get_default_graph().graph_def_versions.producer


@graph
def inputs_that_a_message_lacks(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    message = by_hand(tf, ("y", "Neg", ["gone:0"]))
    (y,) = tf.import_graph_def(message, {"gone:0": x}, ["y:0"])
    names = [op.name for op in tf.get_default_graph().get_operations()]
    return run(tf, y), names, tried(lambda: tf.import_graph_def(message, {"gone:0": tf.constant(1)}))


@graph
def nodes_of_messages_near_to_others(tf: Any) -> Any:
    message = by_hand(tf, ("a", "NoOp", []), ("b", "NoOp", []), near="loc:@a", device="/device:CPU:1")
    found = []
    for name in ("", "", "scope"):
        a, b = tf.import_graph_def(message, return_elements=["a", "b"], name=name)
        found.append([a.device, b.device, a.colocation_groups(), b.colocation_groups()])
    with tf.device(lambda op: f"/device:CPU:{len(op.name)}"):
        a, b = tf.import_graph_def(by_hand(tf, ("a", "NoOp", []), ("bb", "NoOp", []), near="loc:@a"), None, ["a", "bb"])
    return found, a.device, b.device


@graph
def messages_that_contradict_themselves(tf: Any) -> Any:
    def imported(*nodes: tuple[str, str, list[str]], **options: Any) -> Any:
        return lambda: tf.import_graph_def(by_hand(tf, *nodes, near=options.pop("near", "")), **options)

    done = "done", "NoOp", list[str]()
    return tried(
        imported(done, done),
        imported(("y", "Neg", ["x"])),
        imported(("y", "NoOp", ["^x"])),
        imported(("p", "Placeholder", []), ("y", "Neg", ["p:1"])),
        imported(("p", "Placeholder", []), ("y", "Neg", ["p:one"])),
        imported(done, near="loc:@x"),
        imported(done, return_elements=["x"]),
        imported(("p", "Placeholder", []), return_elements=["p:1"]),
        imported(done, input_map={"x:0": tf.constant(1.0)}),
        imported(("y", "OfNoKind", [])),
    )
