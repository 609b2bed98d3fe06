"""Programs that hand on parts of graphs by their name scopes, or graphs with what fills their queues."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from answers import graph, run, tried


def layers(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with tf.name_scope("hidden"):
        w = tf.Variable([[1.0], [2.0]], name="w")
        with tf.device("/device:CPU:0"):
            y = tf.matmul(x, w, name="y")
        tf.add_to_collection("results", y)
        tf.add_to_collection("sizes", 3)
        with tf.control_dependencies([y]):
            done = tf.no_op("done")
    tf.add_to_collection("results", tf.identity(y, name="outside"))
    return x, y, done


@graph
def part_of_a_graph_in_another_scope(tf: Any) -> Any:
    layers(tf)
    message = tf.train.export_meta_graph(export_scope="hidden")
    names = sorted(node.name for node in message.graph_def.node if "read" not in node.name)
    inputs = [list(node.input)[:1] for node in message.graph_def.node if node.name == "y"]
    collections = {key: each.WhichOneof("kind") for key, each in sorted(message.collection_def.items())}
    listed = list(message.collection_def["results"].node_list.value), tf.get_collection("unbound_inputs")
    with tf.Graph().as_default() as other:
        failed = tried(
            lambda: tf.train.import_meta_graph(message, import_scope="one"),
            lambda: tf.train.import_meta_graph(message, import_scope="one", input_map={"x": tf.constant([[1.0, 1.0]])}),
        )
        given = {"$unbound_inputs_x": tf.constant([[3.0, 4.0], [5.0, 6.0]])}
        tf.train.import_meta_graph(message, import_scope="one", input_map=given)
        tf.train.import_meta_graph(message, True, import_scope="one", input_map=given)
        y, again = (other.get_tensor_by_name(f"{scope}/y:0") for scope in ("one", "one_1"))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            values = session.run([y, again])
        found = [v.name for v in tf.global_variables()], [each.name for each in tf.get_collection("results")]
        devices = [y.device, again.device], other.get_operation_by_name("one/done").control_inputs[0].name
        kept = tf.get_collection("sizes"), tf.get_collection("unbound_inputs")
        steps = run(tf, tf.gradients(y, tf.global_variables()[:1]))
    return names, inputs, collections, listed, failed, values, found, devices, kept, steps


@graph
def nodes_of_a_message_with_collections(tf: Any) -> Any:
    layers(tf)
    g = tf.get_default_graph()
    needed = tf.graph_util.extract_sub_graph(g.as_graph_def(), ["hidden/y", "hidden/w/Assign"])
    message = tf.train.export_meta_graph(graph_def=needed, collection_list=["sizes", "trainable_variables"])
    cleared = tf.train.export_meta_graph(clear_devices=True)
    found = []
    for each in (message, cleared):
        with tf.Graph().as_default() as other, tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "graph")
            with open(path, "wb") as file:
                file.write(each.SerializeToString())
            tf.train.import_meta_graph(path)
            names = {op.name for op in other.get_operations()} & {"hidden/y", "hidden/done", "outside", "x"}
            keys = sorted(other.get_all_collection_keys())
            found.append([sorted(names), keys, other.get_operation_by_name("hidden/y").device])
    return found


@graph
def graph_with_what_fills_its_queues(tf: Any) -> Any:
    names = tf.train.input_producer(tf.constant([1.0, 2.0, 3.0]), shuffle=False, num_epochs=2)
    names.dequeue(name="next")
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(message, import_scope="again")
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        got = [session.run("again/next:0") for _ in range(6)]
        end = tried(lambda: session.run("again/next:0"))
        coordinator.request_stop()
        coordinator.join(threads)
        return got, end, len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS))


@graph
def flow_without_a_name_of_its_own(tf: Any) -> Any:
    found = []

    def named(x: Any) -> Any:
        found.append(tf.constant(1, name="inside").name)
        return x + 1

    with tf.name_scope("outer"):
        result = tf.while_loop(lambda i: i < 3, named, [0], name="")
        chosen = tf.cond(tf.constant(True), lambda: named(result), lambda: result, name="")
    return found, run(tf, [result, chosen])


@graph
def nodes_on_processors(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    tensors = [x, tf.constant("a"), tf.constant(1), tf.constant(1.0), tf.cast(tf.constant([1]), tf.float32)]
    must = [tf.graph_util.must_run_on_cpu(each.op) for each in tensors]
    w = tf.Variable(1.0, name="w")
    pinned = [tf.graph_util.must_run_on_cpu(op, True) for op in (w.op, w.initializer, x.op)]
    must.append(tf.graph_util.must_run_on_cpu(tensors[1].op.node_def))
    shape = tf.graph_util.tensor_shape_from_node_def_name(tf.get_default_graph(), "x")
    return must, pinned, shape.as_list()


@graph
def a_file_in_a_graph_that_has_its_names(tf: Any) -> Any:
    def made() -> Any:
        x = tf.placeholder(tf.float32, [None], name="x")
        w = tf.Variable([2.0], name="w", use_resource=True)
        y = tf.multiply(x, w, name="y")
        tf.add_to_collection("results", y)
        return w

    def told(session: Any, *results: str) -> Any:
        names = [each.name for each in tf.global_variables()], [each.name for each in tf.get_collection("results")]
        feeds = {"x:0": [3.0], "x_1:0": [3.0]}
        return names, session.run([f"{name}:0" for name in results], feeds), session.run(tf.global_variables())

    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        w = made()
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(w.initializer)
            session.run(w.assign([7.0]))
            saver.save(session, path)
        cases = [
            (lambda: tf.placeholder(tf.float32, [None], name="x"), ["y"]),
            (made, ["y", "y_1"]),
            (lambda: tf.train.import_meta_graph(f"{path}.meta"), ["y", "y_1"]),
        ]
        for begin, results in cases:
            with tf.Graph().as_default():
                begin()
                again = tf.train.import_meta_graph(f"{path}.meta")
                with tf.Session() as session:
                    again.restore(session, path)
                    found.append(told(session, *results))
    return found
