"""Programs of variables beside their sessions: groups, devices, histograms, shapes, types, tapes, failed functions."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np
from answers import eager, graph, run, tried


@graph
def ends_of_histograms(tf: Any) -> Any:
    def buckets(values: list[float]) -> Any:
        summary = tf.Summary()
        summary.ParseFromString(run(tf, tf.summary.histogram("h", np.array(values, np.float32))))
        (value,) = summary.value
        return [value.histo.min, value.histo.max, list(value.histo.bucket_limit), list(value.histo.bucket)]

    return [buckets(each) for each in ([10.0], [], [-1.0, 0.0, 3.0], [1e30], [-1e30, 5.0])]


@graph
def a_group_on_one_device(tf: Any) -> Any:
    with tf.device("/cpu:0"):
        a, b = tf.no_op(), tf.no_op()
    return [tf.group(a, b).device, tf.group(a).device, tf.group(a, tf.no_op()).device]


@graph
def local_variables_by_position(tf: Any) -> Any:
    v = tf.get_local_variable("v", [2], tf.float32, tf.ones_initializer(), None, True, ["kept"])
    return [v.trainable, v in tf.local_variables(), v in tf.get_collection("kept"), v in tf.global_variables()]


@graph
def name_scopes_of_templates(tf: Any) -> Any:
    def body(x: Any) -> Any:
        return tf.add(x, tf.get_variable("w", [], initializer=tf.zeros_initializer()), name="sum")

    template = tf.make_template("t", body, create_scope_now_=True)
    return [template(1.0).name, template(1.0).name, [v.name for v in template.variables]]


@graph
def creators_are_told_what_is_asked(tf: Any) -> Any:
    told = []

    def creator(make: Any, **arguments: Any) -> Any:
        dtype = arguments["dtype"] and arguments["dtype"].name
        told.append([str(arguments[key]) for key in ("synchronization", "aggregation", "use_resource")] + [str(dtype)])
        return make(**arguments)

    with tf.variable_creator_scope(creator):
        kind = tf.VariableSynchronization.ON_WRITE
        tf.get_variable("v", [], synchronization=kind, aggregation=tf.VariableAggregation.MEAN)
        tf.get_variable("w", [2], tf.float64, use_resource=True)
        tf.get_variable("given", initializer=[1.0])
    return [[part.rpartition(".")[2] for part in each] for each in told]


@graph
def types_of_what_initializers_return(tf: Any) -> Any:
    def numbers(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return np.arange(shape[0])

    def tensors(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return tf.zeros(shape, tf.float64)

    made = [tf.get_variable("a", [2], initializer=numbers), tf.get_variable("b", [2], tf.float64, numbers)]
    with tf.variable_scope("s", dtype=tf.float16, use_resource=True):
        made.append(tf.get_variable("c", [2], initializer=numbers))
    with tf.variable_scope("class", initializer=tf.ones_initializer):
        made += [tf.get_variable("one", [2]), *tf.get_variable("p", [2], partitioner=tf.fixed_size_partitioner(2))]
    made.append(tf.get_variable("d", initializer=lambda: tf.zeros([2], tf.float64)))
    refused = tried(lambda: tf.get_variable("e", [2], initializer=tensors))
    return [v.dtype.base_dtype.name for v in made], run(tf, made), refused


@graph
def declared_shapes_of_variables(tf: Any) -> Any:
    v = tf.Variable(np.zeros([2, 2], np.float32), use_resource=True, shape=[None, 2])
    return [
        v.shape.as_list(),
        tried(lambda: tf.Variable(np.zeros([2, 2], np.float32), use_resource=True, shape=[3, 2]))[0],
    ]


@graph
def what_python_functions_raise(tf: Any) -> Any:
    def fail() -> Any:
        raise LookupError("lost")

    def stopped() -> Any:
        raise StopIteration("over")

    def told(function: Any, types: Any) -> Any:
        try:
            run(tf, tf.py_func(function, [], types))
        except tf.errors.OpError as error:
            text = str(error)
            return [type(error).__name__, "lost" in text or "over" in text, f"in {function.__name__}" in text]

    return [told(fail, tf.float32), told(stopped, [tf.float32])]


@graph
def what_is_beside_a_resource_is_one(tf: Any) -> Any:
    found = []
    for kind in (False, True):
        with tf.variable_scope(f"kind_{kind}", use_resource=kind):
            v, plain = tf.get_variable("v", initializer=[1.0, 2.0]), tf.Variable(1.0)
        optimizer = tf.train.AdamOptimizer()
        optimizer.minimize(tf.reduce_sum(v) * plain, var_list=[v])
        averages = tf.train.ExponentialMovingAverage(0.9)
        averages.apply([v])
        found += [v, plain, optimizer.get_slot(v, "m"), optimizer.variables()[0], averages.average(v)]
    return [[each.name, each.dtype.name] for each in found]


@graph
def pieces_of_schedules_are_tensors(tf: Any) -> Any:
    step, factor = tf.placeholder(tf.int64, []), tf.placeholder(tf.float32, [])
    rates = [
        tf.train.piecewise_constant(step, [tf.constant(2, tf.int64), tf.constant(5, tf.int64)], [1.0, 2.0, 3.0]),
        tf.train.piecewise_constant(step, [2, 5], [factor, factor * 2.0, factor * 3.0]),
    ]
    with tf.Session() as session:
        found = [session.run(rates, {step: k, factor: 0.5}) for k in (0, 2, 3, 5, 6)]
    return [found, [rate.dtype.name for rate in rates], tried(lambda: tf.train.piecewise_constant(step, [1], [1.0]))]


@eager
def variables_change_under_tapes(tf: Any) -> Any:
    found: list[Any] = []
    for persistent in (False, True):
        v = tf.Variable([1.0, 2.0])
        with tf.GradientTape(persistent=persistent) as tape:
            squares = v * v
            v.assign([5.0, 6.0])
            product = squares * v
            v.assign_add([1.0, 1.0])
            tf.scatter_update(v, [0], [10.0])
            total = tf.reduce_sum(product) + tf.reduce_sum(3.0 * v)
            v.assign_sub(v)
        found += [total.numpy(), tape.gradient(total, v).numpy(), v.numpy()]
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x * x * x
            x.assign(5.0)
            y = y * x
        slope = inner.gradient(y, x)
        x.assign_add(1.0)
        slope = slope * x
    return [*found, slope.numpy(), outer.gradient(slope, x).numpy(), x.numpy()]


@graph
def resources_written_twice(tf: Any) -> Any:
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    twice = [v.assign([5.0, 6.0]).assign_add([1.0, 1.0]).assign_sub([0.5, 0.5])]
    twice.append(v.assign_add([1.0, 1.0]).scatter_add(tf.IndexedSlices(tf.constant([3.0]), tf.constant([1]))))
    twice.append(v.assign_sub([1.0, 2.0]).assign([7.0, 7.0]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = [[session.run(each), session.run(v)] for each in twice]
        found += [session.run("w/read:0"), session.run(w + 1.0, {"w/read:0": [5.0, 5.0]})]
        found.append(session.run("v/Read/ReadVariableOp:0"))
    names = [tf.get_default_graph().get_tensor_by_name("w/read:0").shape.as_list()]
    return found, names, tried(lambda: tf.get_default_graph().get_tensor_by_name("u/read:0"))


@graph
def scopes_that_are_entered_again_or_never_left(tf: Any) -> Any:
    found, scopes = [], [tf.variable_scope(None, "x"), tf.variable_scope("x"), tf.variable_scope(None, "x")]
    for number in range(2):
        for scope in scopes:
            with scope as entered:
                found += [entered.name, tf.get_variable(f"v{len(found)}", [number]).name]
    tf.variable_scope("open").__enter__()
    return [*found, tf.get_variable("w", []).name, tf.get_variable_scope().name]


@graph
def decays_of_several_steps_and_of_tensors(tf: Any) -> Any:
    steps = tf.constant([0, 1, 7, 12])
    at = tf.placeholder_with_default(tf.constant(4.0), [])
    found = {
        "exponential": tf.train.exponential_decay(0.1, steps, at * 2, at / 5),
        "natural": tf.train.natural_exp_decay(0.1, steps, 10, 0.5, staircase=True),
        "inverse": tf.train.inverse_time_decay(0.1, 3, at, 0.5),
        "polynomial": tf.train.polynomial_decay(0.1, steps, 10, power=at / 2),
        "cosine": tf.train.cosine_decay(at, steps, 10, alpha=0.1),
    }
    return run(tf, found), {key: tensor.shape.as_list() for key, tensor in found.items()}


@eager
def record_of_checkpoints_that_is_none(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for text in ("garbage {", ""):
            with open(os.path.join(folder, "checkpoint"), "w") as file:
                file.write(text)
            try:
                found.append(tf.train.get_checkpoint_state(folder))
            except ValueError as error:
                found.append(str(error).replace(folder, "there"))
        return found


@graph
def rows_without_elements_are_written(tf: Any) -> Any:
    found = []
    for resource in (False, True):
        for name in ("scatter_update", "scatter_add", "scatter_max"):
            for shape, ids, rows in (([3, 0], 1, [0]), ([3, 0, 2], [0, 1], [2, 0, 2]), ([3, 2], [], [0, 2])):
                v = tf.get_variable(f"v{len(found)}", shape, initializer=tf.ones_initializer(), use_resource=resource)
                found.append(getattr(tf, name)(v, np.array(ids, np.int32), tf.zeros(rows)))
    nothing = np.zeros((0, 1), np.int32)
    found.append(tf.tensor_scatter_nd_update(tf.ones([3, 0]), nothing, tf.ones([0, 0])))
    return run(tf, found)
