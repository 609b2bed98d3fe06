"""Programs of variables whose names or shapes are unusual: cached ones, blank scopes, shapes that stay open."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np
from answers import eager, graph, tried


@graph
def cached_variables_keep_their_names(tf: Any) -> Any:
    with tf.variable_scope("s", caching_device="/cpu:0"):
        v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
    average = tf.train.ExponentialMovingAverage(0.5)
    average.apply([v])
    saved = sorted((key, variable.name) for key, variable in average.variables_to_restore().items())
    return v.name, str(v), v.value().name, v.op.name, saved


@graph
def blank_scopes_inside_scopes(tf: Any) -> Any:
    seen = []
    with tf.variable_scope("s"), tf.variable_scope("") as blank:
        seen += [blank.name, blank.original_name_scope, tf.get_variable("v", []).name, tf.Variable(1.0, name="w").name]
        with tf.variable_scope("t") as inner:
            seen += [inner.name, inner.original_name_scope, tf.get_variable("v", []).name, tf.add(1, 2).name]
    with tf.name_scope("n"), tf.variable_scope("") as root:
        seen += [root.name, root.original_name_scope, tf.get_variable("v", []).name]
    with tf.variable_scope("", auxiliary_name_scope=False) as root:
        seen += [root.name, root.original_name_scope]
    return seen


@graph
def averages_and_checkpoints_of_open_shapes(tf: Any) -> Any:
    v = tf.Variable(tf.zeros([2]), validate_shape=False, name="v")
    average = tf.train.ExponentialMovingAverage(0.5)
    update = average.apply([v])
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    longer = tf.assign(v, [1.0, 2.0, 3.0], validate_shape=False)
    saver = tf.train.Saver([v])
    session.run(longer)
    with tempfile.TemporaryDirectory() as folder:
        path = saver.save(session, f"{folder}/m")
        session.run(tf.global_variables_initializer())
        saver.restore(session, path)
        restored = session.run(v)
    session.run(v.initializer)
    session.run(update)
    return v.shape.ndims, average.average(v).shape.ndims, restored, session.run(average.average(v))


@graph
def variables_of_integers_as_positions(tf: Any) -> Any:
    ids = tf.Variable([2, 0], use_resource=False)
    table = tf.constant(np.arange(6, dtype=np.float32).reshape(3, 2))
    made = [tf.gather(table, ids), tf.nn.embedding_lookup(table, ids), tf.batch_gather(tf.constant([1, 2, 3]), ids)]
    with tf.Session() as session:
        session.run(ids.initializer)
        return session.run(made)


@graph
@eager
def numbers_that_a_condition_chooses(tf: Any) -> Any:
    condition = tf.constant([True, False])
    pairs = [(1.5, 2), (tf.constant([1.0, 2.0]), 1), (1, 2), (np.float64(1), 2), (tf.constant(1, tf.float16), 2)]
    kinds = [tf.where_v2(condition, x, y).dtype.name for x, y in pairs]
    refused = [(2, 1.5), (tf.constant([1, 2]), 1.5), (True, 1)]
    return kinds, [tried(lambda x=x, y=y: tf.where_v2(condition, x, y)) for x, y in refused]


@graph
def what_scopes_hand_on(tf: Any) -> Any:
    def doubled(variable: Any) -> Any:
        return variable * 2.0

    root = tf.get_variable_scope()
    seen = [root.use_resource, root.caching_device is None, root.partitioner is None, root.constraint is None]
    with tf.variable_scope("s", constraint=doubled, use_resource=True) as scope:
        seen.append(tf.get_variable("v", [1]).constraint is doubled)
        with tf.variable_scope("t") as inner:
            seen += [tf.get_variable("v", [1]).constraint is None, inner.use_resource]
    with tf.variable_scope(scope) as again:
        seen += [tf.get_variable("w", [1]).constraint is None, again.constraint is None, again.use_resource]
    return seen


@graph
def parts_of_cached_variables(tf: Any) -> Any:
    seen = []
    for resource in (False, True):
        v = tf.get_variable(
            f"v{resource}", initializer=np.ones((2, 2), np.float32), caching_device="/cpu:0", use_resource=resource
        )
        with tf.Session() as session:
            session.run(v.initializer)
            seen += [session.run(v[0].assign([5.0, 6.0])), session.run(v[1, 0].assign(7.0)), session.run(v)]
    return seen
