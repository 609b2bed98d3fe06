"""Operations that wait for others although their arguments are known before a run."""

from __future__ import annotations

from typing import Any

from answers import graph, run, tried


@graph
def known_arguments_wait_for_checks(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    columns = tf.shape(x)[1]
    with tf.control_dependencies([tf.Assert(tf.reduce_any(x > 10.0), ["no"])]):
        flat = tf.reshape(x, [-1, columns])
        tiled = tf.tile(x, tf.stack([1, columns]))
        summed = tf.reduce_sum(tf.placeholder_with_default(x, [2, 2]), axis=tf.constant(1))
    return flat.shape.as_list(), tiled.shape.as_list(), tried(*(lambda y=y: run(tf, y) for y in (flat, tiled, summed)))


@graph
def known_arguments_wait_for_assignments(tf: Any) -> Any:
    v = tf.Variable(1.0)
    x = tf.placeholder_with_default([[1.0, 2.0], [3.0, 4.0]], [2, 2])
    with tf.control_dependencies([tf.assign_add(v, 1.0)]):
        size = tf.constant(2) * 2
        flat = tf.reshape(x, [size, 1])
    choice = tf.cond(tf.constant(True), lambda: (tf.assign_add(v, 10.0), 1), lambda: (tf.identity(v), 2))
    with tf.control_dependencies([choice[0]]):
        other = tf.reshape(x, [tf.constant(1), 4])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        seen = [session.run(flat), session.run(v), session.run(other), session.run(v), session.run(choice[1])]
        return seen, session.run(v)
