"""What packages written for TensorFlow 1 do beside their arithmetic: fused statistics, names, lists of layers."""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from typing import Any

import numpy as np
from answers import graph, run, tried

IMAGES = np.random.RandomState(3).standard_normal((4, 3, 2, 2)).astype("float32")


def internal(tf: Any, path: str) -> Any:
    """Return an internal module of TensorFlow or of this library."""
    top = "tensorflow" if "tensorflow" in tf.__name__ else tf.__name__
    return import_module(f"{top}.python.{path}")


@graph
def fused_statistics_of_a_batch_of_unknown_size(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None, 3, 2, 2])
    results = []
    for layout in ("NHWC", "NCHW"):
        sizes = 2 if layout == "NHWC" else 3
        scale, offset = tf.constant([1.5, 0.5, 2.0][:sizes]), tf.constant([0.1, 0.2, 0.3][:sizes])
        made = tf.nn.fused_batch_norm(x, scale, offset, epsilon=1e-9, data_format=layout)
        results += [*made, *tf.gradients(tf.reduce_sum(made[0] * np.roll(IMAGES, 5)), [x, scale])]
        results.append(tf.nn.fused_batch_norm(x, scale, offset, scale, scale, data_format=layout, is_training=False)[0])
    rounded = [tf.cast(t, tf.float16) for t in results]  # TensorFlow's kernel keeps five digits
    return [t.shape.as_list() for t in results], run(tf, rounded, {x: IMAGES})


@graph
def fused_statistics_of_half_precision(tf: Any) -> Any:
    x = tf.constant(IMAGES.astype("float16"))
    made = tf.nn.fused_batch_norm(x, tf.constant([1.0, 2.0]), tf.constant([0.0, 1.0]))
    return [t.dtype.name for t in made], run(tf, list(made[1:]))


@graph
def a_normalization_keeps_its_names(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 5.0]])
    mean, variance = tf.nn.moments(x, [0])
    made = [
        tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3),
        tf.nn.batch_normalization(x, mean, variance, mean, variance, 1e-3),
        tf.nn.batch_normalization(x, mean, variance, mean, None, 1e-3, name="named"),
    ]
    return [t.name for t in made], run(tf, made)


@graph
def the_loss_of_a_layers_weights_has_the_layers_name_for_them(tf: Any) -> Any:
    def renamed(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        return getter(name.replace("kernel", "weights"), *args, **kwargs)

    penalty = tf.keras.regularizers.l2(0.5) if hasattr(tf, "keras") else lambda w: 0.5 * tf.reduce_sum(w * w)
    with tf.variable_scope("outer", custom_getter=renamed):
        layer = tf.layers.Dense(2, kernel_regularizer=penalty, kernel_initializer=tf.ones_initializer())
        layer(tf.ones([1, 3]))
        layer(tf.ones([1, 3]))
    losses = tf.losses.get_regularization_losses()
    names = [loss.name.rpartition("/")[0] for loss in losses]
    return names, len(layer.losses), [v.name for v in layer.weights], run(tf, losses)


@graph
def a_layer_that_is_not_trained_has_no_trained_weights(tf: Any) -> Any:
    class Own(tf.layers.Layer):  # type: ignore[misc]
        def build(self, shape: Any) -> None:
            self.count = self.add_weight("count", [], trainable=False)
            self.scale = self.add_weight("scale", [])
            self.built = True

    layer = Own(name="own")
    layer.apply(tf.ones([2]))
    kinds = "weights", "trainable_weights", "non_trainable_weights"
    before = [[v.name for v in getattr(layer, kind)] for kind in kinds]
    layer.trainable = False
    after = [[v.name for v in getattr(layer, kind)] for kind in kinds]
    layer._trainable_weights.append(tf.get_variable("later", []))
    return before, after, [v.name for v in layer.non_trainable_weights]


@graph
def tensors_and_operations_take_attributes(tf: Any) -> Any:
    x = tf.constant(1.0)
    x.aliases, x.op.note = ["first"], "made here"
    tf.add_to_collection("ends", x)
    return tf.get_collection("ends")[0].aliases, x.op.note, hasattr(tf.constant(2.0), "aliases")


@graph
def a_reader_takes_the_prefix_beside_a_folder_of_its_name(tf: Any) -> Any:
    folder = tempfile.mkdtemp()
    value = tf.Variable([1.0, 2.0], name="value")
    with tf.Session() as session:
        session.run(value.initializer)
        path = tf.train.Saver([value]).save(session, folder, write_meta_graph=False)
    assert os.path.isdir(path)
    reader = tf.train.NewCheckpointReader(path)
    return reader.get_variable_to_shape_map(), reader.get_tensor("value").tolist()


@graph
def the_graph_of_nodes(tf: Any) -> Any:
    graph_of = internal(tf, "framework.ops")._get_graph_from_inputs
    here, other = tf.get_default_graph(), tf.Graph()
    x = tf.constant(1.0)
    with other.as_default():
        y = tf.constant(2.0)
        found = graph_of([x]) is here, graph_of([]) is other, graph_of([y, 3.0]) is other, graph_of([], here) is here
    return found, tried(lambda: graph_of([x, y])), tried(lambda: graph_of([x], other))


@graph
def metrics_of_a_programs_own(tf: Any) -> Any:
    parts = internal(tf, "ops.metrics_impl")
    total = parts.metric_variable([2], tf.float32, name="total")
    labels, scores = tf.constant([[1], [0], [1]]), tf.constant([0.2, 0.6, 0.9])
    squeezed = parts._remove_squeezable_dimensions(scores, labels, tf.constant([[1.0], [2.0], [3.0]]))
    spread = parts._remove_squeezable_dimensions(tf.ones([3, 2]), None, tf.constant([1.0, 2.0, 3.0]))
    cells, updates = parts._confusion_matrix_at_thresholds(labels, scores, [0.5, 0.1], includes=("tp", "fp"))
    best = parts._streaming_sparse_average_precision_at_top_k(
        np.array([[1, 9], [0, 2]], np.int64), np.array([[1, 3], [2, 0]], np.int64)
    )
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        after = session.run([updates["tp"], updates["fp"], best[1]])
        values = session.run([total, cells["tp"], best[0], parts._safe_scalar_div(tf.ones([]), tf.zeros([]), "share")])
    shapes = [None if t is None else t.shape.as_list() for t in (*squeezed, *spread)]
    kept = total in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)
    wrong = tried(lambda: parts._confusion_matrix_at_thresholds(labels, scores, [0.5], includes=["xx"]))
    return total.name, kept, shapes, sorted(cells), after, values, wrong


@graph
def a_gradient_that_takes_any_keyword_takes_variables(tf: Any) -> Any:
    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        w = tf.get_variable("w", initializer=3.0)

        def grad(dy: Any, **kwargs: Any) -> Any:
            return dy * 10.0, [dy * x * 100.0 for _ in kwargs["variables"]]

        return x * w, grad

    with tf.variable_scope("held", use_resource=True):
        x = tf.constant(2.0)
        y = scaled(x)
    return run(tf, [y, *tf.gradients(y, [x, *tf.trainable_variables()])])


@graph
def constants_of_arguments_take_no_name_of_the_programs(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [2, 3])
    made = [
        tf.random_normal([2]),
        tf.truncated_normal([2], 1.0, 2.0),
        tf.fill([2], 3.0),
        tf.expand_dims(x, axis=[1]),
        tf.zeros([2, 2]),
        tf.reduce_sum(x, [0]),
        tf.transpose(x, [1, 0]),
        tf.reshape(x, [6]),
        tf.concat([x, x], 0),
        tf.gather(x, [0]),
        tf.one_hot([0, 1], 2),
        tf.clip_by_value(x, 0.0, 1.0),
        tf.pad(x, [[0, 1], [0, 0]]),
        tf.tile(x, [1, 2]),
        tf.slice(x, [0, 0], [1, 2]),
        tf.where(x > 0, x, x),
        tf.cast(x, tf.int32),
        tf.split(x, 3, 1),
        tf.nn.dropout(x, 0.5),
        tf.range(3),
    ]
    tf.get_variable("v", [2], initializer=tf.truncated_normal_initializer())
    tf.assert_less_equal(x, 2.0)
    return [tf.constant(1.0).name, tf.constant([1]).name, tf.zeros([2]).name], len(made)


@graph
def a_gradient_that_is_not_registered_is_an_error_where_it_is_asked_for(tf: Any) -> Any:
    x = tf.constant([1.0, -2.0])
    with tf.get_default_graph().gradient_override_map({"Maximum": "NoSuchMaximum"}):
        y = tf.maximum(x, 0.0)
    (asked,) = tried(lambda: run(tf, tf.gradients(y, x)))
    return run(tf, y), asked


@graph
def gradients_of_a_function_in_nested_lists(tf: Any) -> Any:
    @tf.custom_gradient
    def both(x: Any, y: Any) -> Any:
        return x * y, lambda dy: ([dy * 2.0, dy * 3.0], [])

    x, y = tf.constant(1.0), tf.constant(5.0)
    return run(tf, tf.gradients(both(x, y), [x, y]))


@graph
def the_scope_of_a_layer(tf: Any) -> Any:
    layer = tf.layers.Dense(2, name="d")
    (before,) = tried(lambda: layer.scope_name)
    with tf.variable_scope("outer"):
        layer(tf.ones([1, 2]))
    return before, layer.scope_name


@graph
def the_best_classes_have_two_axes(tf: Any) -> Any:
    labels = tf.SparseTensor([[0], [1]], np.array([2, 7], np.int64), [10])
    return tried(lambda: tf.metrics.precision_at_top_k(labels, np.array([9, 4, 6], np.int64)))
