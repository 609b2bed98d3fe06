"""Programs of random values whose place and width are tensors."""

from __future__ import annotations

from typing import Any

from answers import graph, run, tried


@graph
def draws_around_tensors(tf: Any) -> Any:
    mean, width = tf.constant([1.0, 2.0, 3.0]), tf.constant([0.1, 0.2, 0.3])
    drawn = [f([3], mean, width, seed=1) for f in (tf.random_normal, tf.truncated_normal)]
    drawn.append(tf.random_uniform([2, 3], mean, mean + width, seed=1))
    told = [[node.name, node.shape.as_list(), node.dtype.name] for node in drawn]
    slopes = [tf.gradients(node, [mean, width]) for node in drawn]
    # What a gradient of the width should be: how far each value lies from the mean, in widths.
    away = [(node - mean) / width - slope[1] for node, slope in zip(drawn[:2], slopes[:2], strict=True)]
    return told, run(tf, [[slope[0] for slope in slopes], [tf.round(100 * a) for a in away]])


@graph
def draws_of_more_axes_than_asked_for(tf: Any) -> Any:
    mean = tf.placeholder(tf.float32, [None, 3])
    drawn = [f([1, 3], mean, 0.0) for f in (tf.random_normal, tf.truncated_normal)]
    drawn += [tf.random_uniform([1], [1.0, 2.0], [1.0, 2.0]), tf.random_normal([2, 1], [5, 6], [0, 0])]
    told = [node.shape.as_list() for node in drawn]
    wrong = tried(lambda: tf.random_normal([1], tf.constant(1, tf.int32)))
    return told, run(tf, drawn, {mean: [[1.0, 2.0, 3.0]] * 2}), wrong


@graph
def a_model_trained_through_draws(tf: Any) -> Any:
    w = tf.Variable([[1.0, -1.0]])
    z = tf.random_normal([1, 2], w, 0.0)
    step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.square(z)))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(step)
        return session.run(w)
