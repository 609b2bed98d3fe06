"""Programs of `tf.layers`: names over several calls, shapes, initializers and activations by name, wrong arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

A = np.arange(6, dtype=np.float32).reshape(2, 3)


@graph
def layers_called_again(tf: Any) -> Any:
    layer, named = tf.layers.Dense(3), tf.layers.Dense(2, name="named", activation=tf.nn.relu)
    x = tf.constant(A)
    with tf.variable_scope("outer"):
        inside = tf.layers.Dense(2)
        first = inside(x)
    names = [layer(x).name, layer(x).name, named(x).name, named(x).name, first.name, inside(x).name]
    return names, [v.name for v in tf.global_variables()]


@graph
def layers_that_take_names(tf: Any) -> Any:
    x = tf.constant(A)
    built = tf.layers.dense(x, 2, activation="relu", kernel_initializer="ones", bias_initializer="zeros")
    kinds = ["zeros", "ones", "identity"]
    square = [tf.layers.dense(x, 3, kernel_initializer=kind, use_bias=False) for kind in kinds]
    return [
        run(tf, [built, square]),
        run(tf, tf.layers.dense(x, 2, activation="softmax", kernel_initializer="ones")),
        tried(lambda: tf.layers.dense(x, 2, activation="no_such")),
        tried(lambda: tf.layers.dense(x, 2, kernel_initializer="no_such")),
    ]


@graph
def layers_that_do_not_fit(tf: Any) -> Any:
    dense = tf.layers.Dense(3)
    return [
        tried(lambda: tf.layers.dense(tf.constant([1.0, 2.0]), 5)),
        tried(lambda: tf.layers.flatten(tf.constant(1.0))),
        tried(lambda: tf.layers.Dense(-1)),
        tried(lambda: dense.count_params()),
        dense.compute_output_shape([2, 4]).as_list(),
        dense.compute_output_shape([None, 7, 4]).as_list(),
        tried(lambda: dense.compute_output_shape([2, None])),
        dense(tf.constant(A)).shape.as_list(),
        dense.count_params(),
    ]
