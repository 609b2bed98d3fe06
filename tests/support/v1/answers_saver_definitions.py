"""Programs about what a saver tells of itself in messages and files, what is made of that, and keys of collections."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from answers import graph, tried


def two_variables(tf: Any) -> Any:
    return tf.Variable([1.0, 2.0], name="v"), tf.Variable(3.0, name="w")


@graph
def settings_of_a_saver_as_a_message(tf: Any) -> Any:
    v, _ = two_variables(tf)
    saver = tf.train.Saver([v], max_to_keep=2, keep_checkpoint_every_n_hours=2.5, sharded=True)
    told = saver.saver_def
    read = tf.train.SaverDef()
    read.ParseFromString(told.SerializeToString())
    empty = tf.train.SaverDef()
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        path = os.path.join(folder, "model")
        session.run(tf.global_variables_initializer())
        saver.save(session, path)
        session.run(v.assign([5.0, 6.0]))
        tf.train.Saver(saver_def=read).restore(session, path)
        restored = session.run(v)
    failed = tried(lambda: tf.train.Saver(saver_def=3))
    fields = [(each.max_to_keep, each.keep_checkpoint_every_n_hours, each.sharded) for each in (told, read, empty)]
    return fields, told == read, told.version == tf.train.SaverDef.V2, empty.version, restored, failed


@graph
def saver_of_an_imported_graph_has_the_settings_of_the_first(tf: Any) -> Any:
    v, _ = two_variables(tf)
    saver = tf.train.Saver({"x": v}, max_to_keep=2)
    tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    message, other = saver.export_meta_graph(), tf.train.export_meta_graph()
    told = [each.HasField("saver_def") for each in (message, other)], message.saver_def.max_to_keep
    with tf.Graph().as_default():
        again = tf.train.import_meta_graph(message, import_scope="z")
        kept = again.saver_def.max_to_keep, tf.get_collection(tf.GraphKeys.SAVERS)[0].saver_def.max_to_keep
        return told, kept, names_written(tf, again)


@graph
def saver_of_a_graph_without_one_saves_all_under_their_names(tf: Any) -> Any:
    two_variables(tf)
    message = tf.train.export_meta_graph()
    found = []
    for scope in ("z", None):
        with tf.Graph().as_default():
            tf.Variable(1.0, name="mine")
            found.append(names_written(tf, tf.train.import_meta_graph(message, import_scope=scope)))
    return found


def names_written(tf: Any, saver: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return sorted(name for name, _ in tf.train.list_variables(saver.save(session, os.path.join(folder, "model"))))


@graph
def saver_of_nothing_writes_the_graph_alone(tf: Any) -> Any:
    tf.constant([1, 2], name="x")
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        path = os.path.join(folder, "model")
        saved = tf.train.Saver(allow_empty=True).save(session, path)
        written = os.listdir(folder)
        other = tf.Graph()
        savers = [tf.train.import_meta_graph(f"{path}.meta", graph=other, import_scope="a")]
        with other.as_default():
            tf.Variable(1.0, name="b/v")
        savers += [tf.train.import_meta_graph(f"{path}.meta", graph=other, import_scope=scope) for scope in ("c", "b")]
        return saved, written, [saver is None for saver in savers], [op.name for op in other.get_operations()][:1]


@graph
def file_that_is_no_graph(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph")
        with open(path, "w") as file:
            file.write("no: graph {")
        try:
            tf.train.import_meta_graph(path)
        except OSError as error:
            return str(error).startswith(f"Cannot parse file {path}:")


@graph
def keys_of_collections_that_are_no_texts(tf: Any) -> Any:
    tf.add_to_collection(3, "x")
    tf.add_to_collection(("a", 1), "y")
    tf.add_to_collections(["p", "q", "p"], 1)
    tf.add_to_collections("text", 2)
    keys = sorted(tf.get_default_graph().get_all_collection_keys())
    tf.get_collection_ref(3).append("z")
    found = [tf.get_collection(key) for key in (3, ("a", 1), "p", "q", "text")]
    failed = tried(lambda: tf.add_to_collection([1], 1), lambda: tf.add_to_collections(5, 1))
    return found, keys, failed


@graph
def items_of_different_types_are_in_no_message(tf: Any) -> Any:
    kinds = []
    for number, items in enumerate(([3, 3.5], [3.5, 3], [3.5, "a"], ["a", 3], ["a", b"b"], [3, 4])):
        for item in items:
            tf.add_to_collection(f"c{number}", item)
    found = tf.train.export_meta_graph().collection_def
    for number in range(6):
        kinds.append(found[f"c{number}"].WhichOneof("kind") if f"c{number}" in found else None)
    return kinds, list(found["c1"].float_list.value)


@graph
def part_of_a_message_by_its_scope(tf: Any) -> Any:
    with tf.name_scope("outer"):
        x = tf.constant([1.0, 2.0], name="x")
    with tf.name_scope("hidden"):
        y = tf.add(tf.Variable([3.0, 4.0], name="v"), x, name="y")
    tf.identity(y, name="last")
    nodes = tf.get_default_graph().as_graph_def()
    message = tf.train.export_meta_graph(graph_def=nodes, export_scope="hidden")
    names = sorted(node.name for node in message.graph_def.node if "read" not in node.name)
    with tf.Graph().as_default(), tf.Session() as session:
        given = {"$unbound_inputs_outer/x": tf.constant([10.0, 20.0])}
        tf.train.import_meta_graph(message, import_scope="new", input_map=given)
        session.run(tf.global_variables_initializer())
        return names, session.run("new/y:0"), [v.name for v in tf.global_variables()]


@graph
def types_of_sums(tf: Any) -> Any:
    x, v = tf.placeholder(tf.float32, [2], name="x"), tf.Variable([1.0, 2.0], name="v")
    made = [x + x, tf.add(x, x), v + x, tf.math.add(x, x, name="q"), 1.0 + x]
    nodes = tf.GraphDef(node=[tf.NodeDef(name="p", op="Placeholder"), tf.NodeDef(name="s", op="Add", input=["p", "p"])])
    for node in nodes.node:
        node.attr["dtype" if node.name == "p" else "T"].type = 1
    (old,) = tf.import_graph_def(nodes, return_elements=["s:0"])
    return [(tensor.op.type, tensor.op.name) for tensor in (*made, old)]


@graph
def optimizer_that_reads_the_step_goes_on_from_a_file(tf: Any) -> Any:
    step, v = tf.train.get_or_create_global_step(), tf.get_variable("v", initializer=[1.0, 2.0])
    train = tf.train.AdagradDAOptimizer(0.1, step, 0.1, 0.01, 0.01).minimize(tf.reduce_sum(v * v), step, name="t")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            tf.train.Saver().save(session, path)
            session.run(train)
            found = [session.run([v, step])]
        for scope in ("", "z/"):
            with tf.Graph().as_default(), tf.Session() as session:
                tf.train.import_meta_graph(f"{path}.meta", import_scope=scope or None).restore(session, path)
                session.run(f"{scope}t")
                found.append(session.run([f"{scope}v:0", f"{scope}global_step:0"]))
    return found
