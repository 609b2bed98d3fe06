"""Programs whose gradients are rows of a table, though something is between the table and its lookups."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run


def _table(tf: Any, **options: Any) -> Any:
    start = np.arange(8.0, dtype="float32").reshape(4, 2)
    return tf.get_variable("table", initializer=start, **options)


def _ways(tf: Any, table: Any) -> list[Any]:
    """Return what is made of a table, of each of which rows are taken."""
    return [
        tf.gather(tf.cast(table, tf.float64), [0, 2, 2]),
        tf.gather(-table, [1, 1]),
        tf.gather(table + 1.0, [3]) + tf.gather(1.0 - table, [2]),
        tf.gather(tf.add_n([table, table]), [0, 3]),
        tf.gather(tf.ensure_shape(table, (4, 2)), [0]),
        tf.gather(tf.Print(table, [table]), [1]),
        tf.gather(tf.placeholder_with_default(table, (4, 2)), [1]),
        tf.gather(tf.concat([tf.ones((1, 2)), table, -table], 0), [0, 1, 8, 4]),
        tf.gather(tf.concat([tf.ones((4, 1)), table], 1), [3, 3]),
        tf.reduce_sum(tf.gather(table, [0, 2])) + tf.reduce_sum(tf.gather(tf.identity(table), [1])),
        tf.reduce_sum(tf.gather(table, [0, 2])) + tf.reduce_sum(tf.gather(tf.identity(-table), [2])),
        # Dense ones:
        tf.gather(table * 2.0, [0]),
        tf.gather(table + tf.ones((2, 4, 2)), [0]),
        tf.reduce_sum(tf.gather(-table, [0])) + tf.reduce_sum(table),
    ]


def _gradients_of_all_ways(tf: Any, **options: Any) -> Any:
    table = _table(tf, **options)
    found = [tf.gradients(way, table)[0] for way in _ways(tf, table)]
    sums = run(tf, [tf.convert_to_tensor(each) for each in found])
    return [isinstance(each, tf.IndexedSlices) for each in found], sums


@graph
def gradients_stay_rows(tf: Any) -> Any:
    return _gradients_of_all_ways(tf)


@graph
def gradients_of_resources_stay_rows(tf: Any) -> Any:
    return _gradients_of_all_ways(tf, use_resource=True)


@graph
def rows_that_are_not_used_are_not_updated(tf: Any) -> Any:
    found = []
    for k, optimizer in enumerate((tf.train.FtrlOptimizer(0.1), tf.train.MomentumOptimizer(0.1, 0.9))):
        with tf.variable_scope(f"of_{k}"):
            table = _table(tf)
        losses = [tf.gather(tf.cast(table, tf.float64), [0, 2, 2]) ** 2]
        losses.append(tf.reduce_sum(tf.gather(table, [0])) * tf.reduce_sum(tf.gather(1.0 - table, [2])))
        steps = [optimizer.minimize(loss, var_list=[table]) for loss in losses]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(2):
                for step in steps:
                    session.run(step)
            found.append(session.run(table))
    return found


@graph
def parts_of_a_table_get_their_own_rows(tf: Any) -> Any:
    cut = tf.fixed_size_partitioner(2)
    parts = list(tf.get_variable("parts", (4, 2), partitioner=cut, initializer=tf.ones_initializer()))
    found = tf.gradients(tf.gather(tf.concat(parts, 0), [0, 3, 3]), parts)
    return [run(tf, (each.values, each.indices, each.dense_shape)) for each in found]


@graph
def shapes_of_the_slopes_of_rows(tf: Any) -> Any:
    table = tf.get_variable("table", [5, 3], initializer=tf.ones_initializer())
    twice, late = tf.gather(table, [0, 1]), tf.placeholder_with_default([1, 2], [None])
    losses = [
        tf.gather(table, [0, 1, 1]),
        tf.gather(table, 2),
        tf.nn.embedding_lookup(table, [[0, 1], [2, 3]]),
        [tf.gather(table, [0, 1]), tf.nn.embedding_lookup(tf.identity(table), [4, 4, 2])],
        twice * twice + tf.sin(twice),
        tf.gather(table, late),
        [twice, tf.gather(table, late)],
    ]
    slopes = [tf.gradients(loss, table)[0] for loss in losses]
    shapes = [[each.shape.as_list() for each in (slope.values, slope.indices, slope.dense_shape)] for slope in slopes]
    return shapes, run(tf, [slope.indices for slope in slopes])
