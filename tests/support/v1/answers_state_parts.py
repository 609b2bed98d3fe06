"""Programs of variables beside their sessions: groups and devices, histograms, shapes, errors of Python functions."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


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
        told.append([str(arguments["synchronization"]), str(arguments["aggregation"])])
        return make(**arguments)

    with tf.variable_creator_scope(creator):
        kind = tf.VariableSynchronization.ON_WRITE
        tf.get_variable("v", [], synchronization=kind, aggregation=tf.VariableAggregation.MEAN)
    return [[part.rpartition(".")[2] for part in each] for each in told]


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
