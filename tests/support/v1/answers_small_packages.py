"""Programs with layers whose rows are put into parts, each with moments of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run

ROWS = np.arange(24, dtype=np.float32).reshape(6, 4) ** 2 / 50


@graph
def rows_are_normalized_in_parts(tf: Any) -> Any:
    x = tf.constant(ROWS)
    layer = tf.layers.BatchNormalization(virtual_batch_size=2, momentum=0.5, name="cut")
    y = layer.apply(x, training=True)
    (slope,) = tf.gradients(tf.reduce_sum(y * ROWS[::-1]), x)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = session.run([y, slope])
        session.run(layer.updates)
        moved = session.run([layer.moving_mean, layer.moving_variance])
        after = session.run(layer.apply(x, training=False))
    return values, moved, after, layer.gamma.shape.as_list(), y.shape.as_list()


@graph
def rows_that_parts_do_not_divide(tf: Any) -> Any:
    return run(tf, tf.layers.batch_normalization(tf.constant(ROWS), training=True, virtual_batch_size=4))
