"""Programs of handles of variables, of changes to rows and parts of variables, in both modes."""

from __future__ import annotations

import copy
import pickle
from importlib import import_module
from typing import Any

import numpy as np
from answers import eager, graph, run, tried


def _resources(tf: Any) -> Any:
    package = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    return import_module(f"{package}.python.ops.resource_variable_ops")


@graph
def handles_get_their_values(tf: Any) -> Any:
    r = _resources(tf)
    handle = r.var_handle_op(dtype=tf.int32, shape=[2, 1])
    wrong = tried(
        lambda: r.assign_variable_op(handle, tf.constant([[0.0], [1.0]])),
        lambda: r.assign_variable_op(handle, tf.constant([1])),
    )
    found: list[Any] = []
    with tf.Session() as session:
        empty = tried(lambda: session.run(r.read_variable_op(handle, tf.int32)))
        session.run(r.assign_variable_op(handle, tf.constant([[-7], [6]])))
        for kind, value in (("add", 1), ("mul", 3), ("div", -4), ("min", 2), ("max", 1), ("sub", 5), ("update", 9)):
            session.run(getattr(r, f"resource_scatter_{kind}")(handle, [0], tf.constant([[value]])))
            found.append(session.run(r.read_variable_op(handle, tf.int32)))
        named = tf.Variable(3.0, name="shared", use_resource=True)
        session.run(named.initializer)
        again = r.var_handle_op(dtype=tf.float32, shape=[], shared_name="shared")
        found.append(session.run(r.read_variable_op(again, tf.float32)))
    return found, wrong, empty


def _changes(tf: Any, evaluate: Any, begin: Any) -> Any:
    found = []
    for kind in ("add", "sub", "max", "min", "mul", "div", "update"):
        v = tf.Variable([1.0, 6.0, 2.0], use_resource=True)
        begin(v)
        evaluate(getattr(v, f"scatter_{kind}")(tf.IndexedSlices(tf.constant([4.0, 3.0]), tf.constant([1, 2]))))
        found.append(evaluate(v.read_value()))
    v = tf.Variable(np.zeros([3, 4], np.float32), use_resource=True)
    begin(v)
    evaluate(tf.batch_scatter_update(v, [[0, 1], [1, 2], [3, 0]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    found.append(evaluate(v.read_value()))
    evaluate(v[1, 1:3].assign([7.0, 8.0]))
    evaluate(v[2].assign(tf.fill([4], 9.0)))
    found.append(evaluate(v.read_value()))
    return found


@graph
def rows_and_parts_change(tf: Any) -> Any:
    with tf.Session() as session:
        return _changes(tf, session.run, lambda v: session.run(v.initializer))


@eager
def rows_and_parts_change_at_once(tf: Any) -> Any:
    found = _changes(tf, lambda value: value.numpy(), lambda v: None)
    v = tf.Variable([1.0, 2.0])
    refused = tried(lambda: v[0].assign([1.0, 2.0, 3.0]), lambda: (v + 0)[0].assign(1.0))
    return found, v.numpy(), refused


@eager
def eager_variables_are_copied(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0], name="first", trainable=False)
    copied, kept = copy.deepcopy(v), pickle.loads(pickle.dumps(v))
    copied.assign([3.0, 4.0])
    told = [[each.name, each.trainable, each.shape.as_list(), each.dtype.name] for each in (v, kept)]
    counter = tf.Variable(0)
    counts = [tf.count_up_to(counter, 2).numpy(), counter.count_up_to(2).numpy()]
    return told, v.numpy(), copied.numpy(), kept.numpy(), counts, tried(lambda: tf.count_up_to(counter, 2))


@graph
def variables_of_graphs_are_not_copied(tf: Any) -> Any:
    v = tf.Variable(1.0, use_resource=True)
    return tried(lambda: copy.deepcopy(v)), run(tf, v + 1.0)
