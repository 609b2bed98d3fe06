"""Programs with variables in parts: what ``get_variable`` makes of a partitioner, and what takes it as one tensor."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np
from answers import graph, tried

ROWS = np.arange(14, dtype=np.float32).reshape(7, 2)


def _three(tf: Any, name: str, **options: Any) -> Any:
    return tf.get_variable(name, [7, 2], partitioner=tf.fixed_size_partitioner(3), **options)


@graph
def variables_in_parts(tf: Any) -> Any:
    with tf.variable_scope("sc", partitioner=tf.fixed_size_partitioner(3)):
        w = tf.get_variable("w", [7, 2], regularizer=lambda part: tf.reduce_sum(part, name="penalty"))
        scalar = tf.get_variable("b", [])
    whole = w.as_tensor()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(w.assign(ROWS))
        session.run(w.assign_add(ROWS))
        session.run(w.assign_sub([part * 0.5 for part in w]))
        values = session.run([whole, tf.matmul(w, tf.ones([2, 1])), tf.ones([7, 2]) * w, tf.nn.l2_loss(w)])
    return [
        [w.name, w.dtype.name, w.get_shape().as_list(), len(w), type(w).__name__, scalar.name],
        [[part.name, part.shape.as_list(), part._save_slice_info.spec] for part in w],
        [each.name for each in tf.global_variables()],
        [each.name for each in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)],
        [whole.name, tf.convert_to_tensor(w).name, whole.shape.as_list(), w._get_partitions()],
        values,
        tried(lambda: tf.convert_to_tensor(w, tf.float64))[0],
        tried(lambda: tf.Session().run(w))[0],
    ]


@graph
def partitions_that_do_not_fit(tf: Any) -> Any:
    _three(tf, "w")
    tf.get_variable("whole", [7, 2])
    found = [
        lambda: tf.get_variable("w", [7, 2]),
        lambda: _three(tf, "w"),
        lambda: _three(tf, "whole"),
        *(
            lambda counts=counts: tf.get_variable("z", [7, 2], partitioner=lambda shape, dtype: counts)
            for counts in ([2, 2], [2], [0, 1], 2)
        ),
        lambda: tf.get_variable("z", [7, 2], partitioner=3),
        lambda: tf.get_variable("z", initializer=ROWS, partitioner=tf.fixed_size_partitioner(2)),
    ]
    first = [tried(each) for each in found]

    def again(**options: Any) -> Any:
        with tf.variable_scope("", reuse=True):
            return tried(
                lambda: tf.get_variable(options.pop("name", "w"), options.pop("shape", [7, 2]), **options).name
            )

    second = [
        again(),
        again(partitioner=tf.fixed_size_partitioner(3)),
        again(partitioner=tf.fixed_size_partitioner(2)),
        again(shape=None),
        again(shape=[8, 2]),
        again(name="none", partitioner=tf.fixed_size_partitioner(3)),
        again(dtype=tf.float64),
        again(name="w/part_1", shape=[2, 2]),
    ]
    return [first, second]


@graph
def initial_values_of_parts(tf: Any) -> Any:
    told = []

    def start(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        told.append([list(shape), list(partition_info.full_shape), list(partition_info.var_offset)])
        return tf.zeros(shape, dtype)

    tf.get_variable("told", [2, 5], partitioner=tf.fixed_size_partitioner(2, axis=1), initializer=start)
    of_tensor = tf.get_variable("t", initializer=tf.constant(ROWS), partitioner=tf.fixed_size_partitioner(3))
    identity = tf.initializers.identity(2.0)
    square = tf.get_variable("i", [5, 4], partitioner=tf.fixed_size_partitioner(2), initializer=identity)
    wide = tf.uniform_unit_scaling_initializer(seed=1)
    drawn = tf.get_variable("u", [1000, 2], partitioner=tf.fixed_size_partitioner(100), initializer=wide)
    uniform = tf.get_variable("g", [1000, 2], partitioner=tf.fixed_size_partitioner(100))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = session.run([of_tensor.as_tensor(), square.as_tensor()])
        limits = [round(float(np.abs(session.run(each.as_tensor())).max()), 2) for each in (drawn, uniform)]
    listed = tf.create_partitioned_variables([4, 3], [2, 1], tf.zeros_initializer(), name="listed")
    return [told, values, limits, [part.name for part in listed], [part._save_slice_info.spec for part in listed]]


@graph
def parts_that_are_trained_and_saved(tf: Any) -> Any:
    w = _three(tf, "w", initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.square(w) * ROWS)
    step = tf.train.AdamOptimizer(0.1).minimize(loss)
    average = tf.train.ExponentialMovingAverage(0.5)
    follow = average.apply(list(w))
    folder = tempfile.mkdtemp()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        session.run(follow)
        saver = tf.train.Saver()
        path = saver.save(session, f"{folder}/all")
        trained = session.run(w.as_tensor())
        session.run(tf.global_variables_initializer())
        saver.restore(session, path)
        restored = session.run(w.as_tensor())
        renamed = tf.train.Saver({"renamed": w}).save(session, f"{folder}/renamed")
        one = tf.train.Saver({"one": list(w)[1]}).save(session, f"{folder}/one")
        part = tf.train.Saver([list(w)[1]])
        part.save(session, f"{folder}/part")
        session.run(tf.global_variables_initializer())
        part.restore(session, f"{folder}/part")
        only_one = session.run(w.as_tensor())
    files = [[[name, list(shape)] for name, shape in tf.train.list_variables(each)] for each in (path, renamed, one)]
    with tf.Graph().as_default(), tf.Session() as session:
        whole = tf.get_variable("w", [7, 2])
        tf.train.Saver().restore(session, path)
        as_whole = session.run(whole)
    with tf.Graph().as_default(), tf.Session() as session:
        other = tf.get_variable("o", [7, 2], partitioner=tf.fixed_size_partitioner(2))
        tf.train.init_from_checkpoint(path, {"w": "o"})
        session.run(tf.global_variables_initializer())
        begun = [session.run(other.as_tensor())]
        tf.train.init_from_checkpoint(renamed, {"renamed": list(other)})
        session.run(tf.global_variables_initializer())
        begun.append(session.run(other.as_tensor()))
    return [files, trained, restored, only_one, as_whole, begun, [average.average(part).name for part in w]]


@graph
def rows_of_parts(tf: Any) -> Any:
    w = tf.get_variable("w", initializer=tf.constant(ROWS), partitioner=tf.fixed_size_partitioner(3))
    ids = tf.constant([0, 6, 3, 3])
    sparse = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 6, 2], tf.int64), [2, 2])
    rows = tf.nn.embedding_lookup(w, ids, partition_strategy="div")
    bags = tf.nn.embedding_lookup_sparse(w, sparse, None, partition_strategy="div", combiner="mean")
    gradients = tf.gradients(rows * [[1.0], [2.0], [3.0], [4.0]], list(w))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = session.run([rows, bags, [tf.convert_to_tensor(each) for each in gradients]])
    return [values, [type(each).__name__ for each in gradients]]


@graph
def layers_of_parts(tf: Any) -> Any:
    names = []

    def getter(getter: Any, name: str, *args: Any, **options: Any) -> Any:
        names.append([name, options["partitioner"] is not None])
        return getter(name, *args, **options)

    halves = tf.fixed_size_partitioner(2)
    with tf.variable_scope("a", partitioner=halves, custom_getter=getter, initializer=tf.ones_initializer()):
        y = tf.layers.dense(tf.ones([1, 4]), 3, name="d")
        z = tf.layers.batch_normalization(y, training=True, name="n")
    with tf.variable_scope("b", reuse=tf.AUTO_REUSE, partitioner=halves):
        same = tf.get_variable("q", [4]) is tf.get_variable("q", [4])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = session.run([y, z])
        session.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    shown = [[each.name, each.shape.as_list()] for each in tf.global_variables()]
    return [names, shown, same, values[1]]


@graph
def parts_of_other_types_and_scopes(tf: Any) -> Any:
    whole = tf.constant([[1, 2, 3, 4], [5, 6, 7, 8]])
    listed = tf.create_partitioned_variables([2, 4], [1, 2], whole)
    with tf.variable_scope("s") as scope:
        scope.set_partitioner(tf.fixed_size_partitioner(2))
        scope.set_custom_getter(lambda getter, name, *args, **options: getter(f"{name}_got", *args, **options))
        inside = tf.get_variable("v", [4], tf.int64)
    with tf.variable_scope(scope, reuse=True) as again:
        same = again.partitioner is scope.partitioner
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = session.run([tf.concat(listed, 1), inside.as_tensor()])
    return [[part.dtype.base_dtype.name for part in listed], inside.name, len(inside), same, values]
