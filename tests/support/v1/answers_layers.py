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


@graph
def what_a_layer_adds_to_training(tf: Any) -> Any:
    def told(layer: Any) -> Any:
        kinds = [type(update).__name__ for update in layer.updates]
        collected = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        return kinds, [update in collected for update in layer.updates], len(collected)

    x = tf.ones([2, 3])
    trained, frozen = (tf.layers.BatchNormalization(trainable=trains) for trains in (True, False))
    found = [told(layer) for layer in (trained, frozen) if layer(x, training=True) is not None]
    layer, count = tf.layers.Layer(name="own"), tf.get_variable("count", [], initializer=tf.zeros_initializer())
    layer.add_update([tf.assign_add(count, 1.0), tf.no_op()])
    found.append(told(layer))
    layer.add_loss([None, tf.constant(1.5), lambda: tf.constant(2.5)])
    values = run(tf, [*layer.losses, *tf.losses.get_regularization_losses()])
    return found, values, [len(layer.get_losses_for(None)), len(layer.get_updates_for(None))]


@graph
def settings_and_weights_of_layers(tf: Any) -> Any:
    layer = tf.layers.Dense(2, tf.nn.relu, name="d")
    config = layer.get_config()
    same = tf.layers.Dense.from_config(config).get_config() == config
    plain = [config[key] for key in ("name", "trainable", "dtype", "units", "activation", "use_bias")]
    kinds = [tf.layers.Dropout(0.25, seed=3), tf.layers.Flatten(), tf.layers.BatchNormalization(momentum=0.5)]
    rest = [sorted(kind.get_config().items(), key=str) for kind in kinds[:2]]
    names = sorted(kinds[2].get_config())
    before = layer.get_weights()
    layer(tf.ones([1, 3]))
    first = [each.shape for each in layer.get_weights()]
    refused = tried(lambda: layer.set_weights([]), lambda: layer.set_weights([np.ones(3), np.ones(2)]))
    layer.set_weights([np.full((3, 2), 2.5), np.ones(2)])
    return plain, same, rest, names, before, first, refused, layer.get_weights(), layer.count_params()


@graph
def what_layers_say_of_connections(tf: Any) -> Any:
    layer = tf.layers.Dense(2, name="d")
    layer(tf.ones([1, 3]))
    flags = layer.graph, layer.stateful, layer.dynamic, layer.supports_masking, layer.metrics, layer.inbound_nodes
    names = ("input", "output", "input_shape", "output_shape", "input_mask", "output_mask")
    refused = tried(*(lambda name=name: getattr(layer, name) for name in names))
    kinds = ("input", "output", "input_shape", "output_shape", "input_mask", "output_mask")
    refused += tried(*(lambda kind=kind: getattr(layer, f"get_{kind}_at")(0) for kind in kinds))
    return flags, refused, repr(layer.input_spec), layer.compute_mask(1), layer.compute_mask(1, 2)


@graph
def inputs_that_layers_refuse(tf: Any) -> Any:
    class Nothing(tf.layers.Layer):  # type: ignore[misc,name-defined]  # of the TensorFlow that is asked
        def call(self, inputs: Any) -> Any:
            return None

    once = tf.layers.Dense(3)
    once(tf.ones([1, 2]))
    x = tf.ones([1, 2])
    return tried(
        lambda: Nothing()(x),
        lambda: Nothing(input_shape=(2,)).built,
        lambda: tf.layers.Layer(other=1),
        lambda: once(tf.ones([1, 4])),
        lambda: once(x, other=1),
        lambda: once([x, x]),
        lambda: tf.layers.Dense(3)([[1.0, 2.0]]),
        lambda: tf.layers.Dense(-1),
        lambda: tf.layers.Dense(0)(x).shape.as_list(),
        lambda: tf.layers.Dense(3, dtype="float64")(x).dtype.name,
        lambda: tf.layers.Dense(3)(tf.ones([1, 2], tf.int32)),
        lambda: tf.layers.Flatten(data_format="other"),
        lambda: tf.layers.Layer().add_weight("scalar", None).shape.as_list(),
    )
