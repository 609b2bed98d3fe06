"""Programs of variables, scopes, averages, optimizers and checkpoints."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def local_variables_in_collections(tf: Any) -> Any:
    v = tf.get_local_variable("l", [], collections=["foo"])
    w = tf.get_local_variable("m", [], collections=["foo", tf.GraphKeys.LOCAL_VARIABLES], trainable=True)
    u = tf.get_local_variable("n", [])
    names = ("foo", tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.TRAINABLE_VARIABLES)
    return [[item.op.name for item in tf.get_collection(key)] for key in names], [x.trainable for x in (v, w, u)]


@graph
def default_names_after_a_scope_object(tf: Any) -> Any:
    names = []
    with tf.variable_scope("d") as d:
        for _ in range(2):
            with tf.variable_scope(None, "layer"):
                names.append(tf.get_variable("w", []).name)
            with tf.variable_scope(d):
                pass
    with tf.variable_scope(d), tf.variable_scope(None, "layer") as inner:
        names.append(inner.name)
    with tf.variable_scope("d"), tf.variable_scope(None, "layer") as inner:
        names.append(inner.name)
    return names


@graph
def default_names_inside_a_scope_object_of_elsewhere(tf: Any) -> Any:
    names = []
    with tf.variable_scope("a") as a, tf.variable_scope(None, "x") as one:
        names.append(one.name)
    with tf.variable_scope("b"):
        with tf.variable_scope(a):
            with tf.variable_scope(None, "x") as two:
                names.append(two.name)
            with tf.variable_scope(None, "x") as three:
                names.append(three.name)
        with tf.variable_scope(None, "x") as four:
            names.append(four.name)
    with tf.variable_scope(a, reuse=True), tf.variable_scope(None, "x") as five:
        names.append(five.name)
    return names


@graph
def nested_custom_getters(tf: Any) -> Any:
    def twice(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        return getter(name + "/a", *args, **kwargs) + getter(name + "/b", *args, **kwargs)

    scopes = [tf.variable_scope(name, custom_getter=twice) for name in "pqr"]
    with scopes[0], scopes[1], scopes[2]:
        tf.get_variable("v", [2])
    return [v.op.name for v in tf.trainable_variables()]


@graph
def custom_getters_of_scopes_and_calls(tf: Any) -> Any:
    seen: list[Any] = []

    def noting(label: str) -> Any:
        def getter(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
            seen.append([label, name])
            return getter(name, *args, **kwargs)

        return getter

    with tf.variable_scope("p", custom_getter=noting("outer")):
        with tf.variable_scope("q", custom_getter=noting("inner")):
            v = tf.get_variable("v", [2], custom_getter=noting("call"))
        with tf.variable_scope("q", reuse=True):
            again = tf.get_variable("v", [2])
    return seen, v is again


@graph
def names_of_averages_before_apply(tf: Any) -> Any:
    v, average = tf.Variable(1.0, name="v"), tf.train.ExponentialMovingAverage(0.9)
    with tf.variable_scope("s"):
        inside = average.average_name(v)
    with tf.name_scope("n"):
        named = average.average_name(v)
    return inside, average.average_name(v), named


@graph
def averages_made_in_a_scope(tf: Any) -> Any:
    v, average = tf.Variable(1.0, name="v"), tf.train.ExponentialMovingAverage(0.9)
    with tf.variable_scope("s"):
        average.apply([v])
    return average.average_name(v), average.average(v).op.name


@graph
def variables_of_unknown_shape(tf: Any) -> Any:
    v = tf.Variable(tf.placeholder_with_default([1.0, 2.0], None), validate_shape=False)
    optimizers = [
        tf.train.GradientDescentOptimizer(0.1),
        tf.train.AdagradOptimizer(0.1),
        tf.train.MomentumOptimizer(0.1, 0.9),
        tf.train.AdamOptimizer(0.1),
        tf.train.RMSPropOptimizer(0.1),
    ]

    def stepped(optimizer: Any) -> Any:
        step = optimizer.apply_gradients([(tf.constant([1.0, 1.0]), v)])
        with tf.control_dependencies([step]):
            read = v.read_value()
        return run(tf, read)

    return v.get_shape().ndims, tried(*(lambda o=o: stepped(o) for o in optimizers))


@graph
def a_variable_assigned_another_shape(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0], validate_shape=False)
    change = tf.assign(v, [[1.0, 2.0, 3.0]], validate_shape=False)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(change)
        return session.run(v), v.get_shape().ndims


@graph
def assignments_without_a_value(tf: Any) -> Any:
    v = tf.Variable(1.0)
    made = [v.assign(2.0, read_value=False), v.assign_add(2.0, read_value=False), v.assign_sub(1.0, read_value=False)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = []
        for operation in made:
            session.run(operation)
            found.append(session.run(v))
        return found, [isinstance(operation, tf.Operation) for operation in made]


@graph
def variables_given_as_a_view(tf: Any) -> Any:
    weights = {"a": tf.Variable(1.0), "b": tf.Variable(2.0)}
    loss = weights["a"] * weights["b"]
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    pairs = optimizer.compute_gradients(loss, var_list=list(weights.values()))
    viewed = optimizer.compute_gradients(loss, var_list=weights.values())
    slopes = tf.gradients(loss, list(weights.values()))
    return len(pairs), run(tf, [g for g, _ in viewed]), run(tf, slopes)


@graph
def gradients_for_a_view(tf: Any) -> Any:
    weights = {"a": tf.Variable(1.0), "b": tf.Variable(2.0)}
    return tried(lambda: run(tf, tf.gradients(weights["a"] * weights["b"], weights.values())))


@graph
def a_saver_of_a_view(tf: Any) -> Any:
    weights = {"a": tf.Variable(1.0, name="a"), "b": tf.Variable(2.0, name="b")}
    folder = tempfile.mkdtemp()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver(list(weights.values())).save(session, f"{folder}/m")
        return tried(lambda: tf.train.Saver(weights.values()) is not None)


@graph
def a_saver_that_keeps_no_count(tf: Any) -> Any:
    v, folder = tf.Variable(1.0, name="v"), tempfile.mkdtemp()
    found = []
    with tf.Session() as session:
        session.run(v.initializer)
        for keep in (None, 0, 2):
            saver = tf.train.Saver([v], max_to_keep=keep)
            for step in range(3):
                saver.save(session, f"{folder}/{keep}", global_step=step)
            found.append([Path(path).name for path in saver.last_checkpoints])
    return found, [tf.train.checkpoint_exists(f"{folder}/{keep}-0") for keep in (None, 0, 2)]


@graph
def a_saver_of_nothing(tf: Any) -> Any:
    folder = tempfile.mkdtemp()
    tf.constant(1.0)

    def saved() -> Any:
        saver = tf.train.Saver(allow_empty=True)
        with tf.Session() as session:
            return saver.save(session, f"{folder}/m"), saver.restore(session, f"{folder}/m")

    return tried(lambda: tf.train.Saver(), saved)


@graph
def checkpoints_that_are_not_there(tf: Any) -> Any:
    folder = tempfile.mkdtemp()
    return tried(
        lambda: tf.train.load_variable(f"{folder}/none", "v"),
        lambda: tf.train.load_checkpoint(f"{folder}/none"),
        lambda: tf.train.list_variables(folder),
    )


@graph
def an_indented_checkpoint_file(tf: Any) -> Any:
    folder = tempfile.mkdtemp()
    Path(folder, "checkpoint").write_text('  model_checkpoint_path: "m-1"\n\t all_model_checkpoint_paths: "m-0"\n')
    state = tf.train.get_checkpoint_state(folder)
    return Path(state.model_checkpoint_path).name, [Path(path).name for path in state.all_model_checkpoint_paths]


@graph
def collections_are_lists(tf: Any) -> Any:
    tf.add_to_collection("c", 1)
    listed = tf.get_collection_ref("c")
    listed.append(2)
    listed += [3]
    fresh = tf.get_collection_ref("d")
    fresh.extend([4, 5])
    del listed[0]
    copied = tf.get_collection("c")
    copied.append(9)
    return (
        isinstance(listed, list),
        tf.get_collection("c"),
        tf.get_collection("d"),
        sorted(tf.get_default_graph().get_all_collection_keys()),
    )


@graph
def variables_in_collections_are_lists(tf: Any) -> Any:
    tf.Variable(1.0, name="v")
    listed = tf.get_collection_ref(tf.GraphKeys.TRAINABLE_VARIABLES)
    tf.Variable(1.0, name="w")
    before = [v.op.name for v in listed]
    del listed[:]
    return before, len(tf.trainable_variables()), isinstance(listed, list), len(tf.global_variables())


@graph
def resources_whose_shape_is_open(tf: Any) -> Any:
    start = tf.placeholder_with_default(np.ones((2, 3), np.float32), [None, 3])
    rows = tf.Variable(start, use_resource=True, trainable=False, name="rows")
    anything = tf.Variable(np.ones(2, np.float32), use_resource=True, shape=tf.TensorShape(None))
    found = tf.get_variable("found", initializer=start, use_resource=True)
    more = tf.assign(rows, tf.concat([rows, rows], 0), validate_shape=False)
    fewer, other = rows.assign(tf.zeros([1, 3])), anything.assign(tf.zeros([4, 1]))
    (slope,) = tf.gradients(tf.reduce_sum(rows * rows), rows)
    shapes = [str(v.shape) for v in (rows, anything, found)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        steps = [np.shape(session.run(fetch)) for fetch in (rows, more, rows, slope, fewer, rows, other, anything)]
        fed = tf.placeholder(tf.float32)
        wrong = tried(lambda: session.run(rows.assign(fed), {fed: np.zeros((2, 2))}))
    return shapes, steps, wrong, tried(lambda: rows.assign(tf.zeros([2, 2]))), tried(lambda: tf.Variable(start))


@graph
def towers_that_share_the_variables_of_default_names(tf: Any) -> Any:
    for number in range(3):
        with tf.variable_scope(tf.get_variable_scope(), reuse=number > 0):
            with tf.variable_scope(None, default_name="dense"):
                tf.get_variable("w", [2])
            with tf.variable_scope(None, default_name="dense"):
                tf.get_variable("w", [2])
    with tf.variable_scope(tf.get_variable_scope()), tf.variable_scope(None, default_name="dense"):
        pass
    with tf.variable_scope(None, default_name="dense") as later:
        pass
    return [v.name for v in tf.global_variables()], later.name
