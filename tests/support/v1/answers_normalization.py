"""Programs with batch normalization: corrected moments, adjusted values, axes that no kernel has, types, names."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

ROWS = np.arange(24, dtype=np.float32).reshape(6, 4) ** 2 / 50
IMAGES = np.arange(48, dtype=np.float32).reshape(2, 3, 4, 2) ** 2 / 90


def _steps(tf: Any, x: Any, fed: Any, training: Any, **options: Any) -> Any:
    """Return outputs, slopes and variables over two steps of training, and outputs of inference."""
    layer = tf.layers.BatchNormalization(momentum=0.5, name="layer", **options)
    y = layer.apply(x, training=training)
    (slope,) = tf.gradients(tf.reduce_sum(y * np.cos(fed * 9)), x)
    found: list[Any] = [[v.name for v in layer.variables], y.shape.as_list()]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for scale in (1, 2):
            feeds = {x: fed * scale} if training is True else {x: fed * scale, training: True}
            found += session.run([y, slope], feeds)
            session.run(layer.updates, feeds)
            found += session.run(layer.non_trainable_variables)
        if training is not True:
            found += session.run([y, slope], {x: fed, training: False})
            session.run(layer.updates, {x: fed, training: False})
        found += session.run(layer.non_trainable_variables)
    return found


@graph
def moments_that_are_corrected(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None, 4])
    return _steps(tf, x, ROWS, True, renorm=True, renorm_momentum=0.8)


@graph
def moments_that_are_corrected_within_bounds(tf: Any) -> Any:
    clips = {"rmin": 0.5, "rmax": 1.5, "dmax": 0.25}
    x, training = tf.placeholder(tf.float32, IMAGES.shape), tf.placeholder(tf.bool, [])
    return _steps(tf, x, IMAGES, training, axis=1, renorm=True, renorm_clipping=clips)


@graph
def values_that_are_adjusted_in_training(tf: Any) -> Any:
    def adjustment(sizes: Any) -> Any:
        return tf.fill(sizes[-1:], 1.5), tf.fill(sizes[-1:], 0.25)

    x, training = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.bool, [])
    return _steps(tf, x, ROWS, training, adjustment=adjustment, scale=False)


@graph
def images_along_an_axis_that_no_kernel_has(tf: Any) -> Any:
    x, training = tf.placeholder(tf.float32, IMAGES.shape), tf.placeholder(tf.bool, [])
    return _steps(tf, x, IMAGES, training, axis=2, epsilon=1e-6)


@graph
def images_along_two_axes_of_five(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [1, *IMAGES.shape])
    return _steps(tf, x, IMAGES[None], True, axis=[2, -1], center=False)


@graph
def images_of_half_precision(tf: Any) -> Any:
    layer = tf.layers.BatchNormalization(name="half")
    y = layer.apply(tf.constant(IMAGES, tf.float16), training=True)
    return y.dtype.name, [v.dtype.base_dtype.name for v in layer.variables]


@graph
def what_normalization_calls_its_updates(tf: Any) -> Any:
    kinds = [(IMAGES, True), (ROWS, True), (IMAGES, tf.placeholder(tf.bool, []))]
    layers = [tf.layers.BatchNormalization(name=f"n{k}") for k in range(3)]
    for layer, (x, training) in zip(layers, kinds, strict=True):
        layer.apply(tf.constant(x), training=training)
    return [getattr(update, "op", update).name for layer in layers for update in layer.updates]


@graph
def normalization_with_arguments_that_do_not_fit(tf: Any) -> Any:
    x = tf.constant(ROWS)

    def layer(**options: Any) -> Any:
        return tried(lambda: tf.layers.BatchNormalization(**options).apply(x, training=True))

    return [
        layer(axis=(1,)),
        layer(axis=[1, -1]),
        layer(axis=2),
        layer(renorm=True, renorm_clipping={"max": 1.0}),
        layer(virtual_batch_size=0),
        layer(virtual_batch_size=2, axis=0),
        layer(virtual_batch_size=2, adjustment=lambda sizes: (1.0, 0.0)),
    ]


@graph
def statistics_that_suffice(tf: Any) -> Any:
    values = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    place = tf.placeholder(tf.float32, [None, 2, 3])
    found = []
    for x in (tf.constant(values), place):
        for shift in (None, 1.0):
            counts, sums, squares, shifted = tf.nn.sufficient_statistics(x, [0, 2], shift, keep_dims=True)
            moments = tf.nn.normalize_moments(counts, sums, squares, shifted)
            shown = [counts, sums, squares, *moments] + ([] if shift is None else [shifted])
            found.append(([part.shape.as_list() for part in shown], run(tf, shown, {place: values})))
    return found


@graph
def weighted_moments_of_half_precision(tf: Any) -> Any:
    values = np.linspace(-300, 300, 1200).reshape(4, 300).astype(np.float16)
    mean, variance = tf.nn.weighted_moments(tf.constant(values), [1], tf.constant([[1.0], [2.0], [0.5], [1.0]]))
    return mean.shape.as_list(), run(tf, [mean, variance / 256])


@graph
def second_derivatives_of_weighted_moments(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0, 4.0])
    _, variance = tf.nn.weighted_moments(x, [0], tf.constant([1.0, 2.0, 1.0]))
    return run(tf, tf.hessians(variance, x))


@graph
def one_operation_normalizes_images(tf: Any) -> Any:
    x, row = tf.constant(IMAGES, name="images"), np.float32([0.5, 2.0])
    y, mean, variance = tf.nn.fused_batch_norm(x, row, -row, name="whole")
    op = y.op
    attributes = [op.get_attr(key) for key in ("epsilon", "data_format", "is_training", "exponential_avg_factor")]
    unknown = tf.nn.fused_batch_norm(tf.placeholder(tf.float32), tf.placeholder(tf.float32), row)[0].op
    shapes = [str(each.shape) for each in (*op.outputs, *unknown.outputs)]
    names = [each.name for each in (*op.inputs, *op.outputs, mean, variance)]
    found = run(tf, [*op.outputs, *tf.nn.fused_batch_norm(x, row, row, row, row * 3, exponential_avg_factor=0.25)])
    return [op.type, attributes, names, shapes, found]


@graph
def slopes_of_images_that_are_normalized(tf: Any) -> Any:
    row, far = np.float32([0.5, 2.0]), np.cos(IMAGES.transpose(0, 3, 1, 2) * 9)
    found: list[Any] = []
    for training in (True, False):
        inputs = [tf.constant(each) for each in (IMAGES.transpose(0, 3, 1, 2), row, row, row * 2, row * 3)]
        options: Any = {"data_format": "NCHW", "epsilon": 0.1, "exponential_avg_factor": 0.5}
        results = tf.nn.fused_batch_norm(*inputs, is_training=training, **options)
        slopes = tf.gradients(results[0] * far, inputs)
        rest = [each for result in results[1:] for each in tf.gradients(result, inputs)]
        again = tf.gradients(tf.reduce_sum(slopes[0] * np.sin(far)), inputs[:2])
        found.append([None if each is None else run(tf, each) for each in (*slopes, *rest, *again)])
    return found


@graph
def images_that_are_not_normalized(tf: Any) -> Any:
    x, row = IMAGES, np.float32([0.5, 2.0])
    norm = tf.nn.fused_batch_norm
    late = tf.placeholder(tf.float32)
    return tried(
        lambda: norm(x, row, row, is_training=False),
        lambda: norm(x, row, row, exponential_avg_factor=0.5),
        lambda: norm(x, row, row, data_format="NHCW"),
        lambda: norm(x.astype(np.float64), row, row),
        lambda: norm(x, row.astype(np.float64), row),
        lambda: norm(x[0], row, row),
        lambda: norm(x, np.ones(3, np.float32), row),
        lambda: norm(x, row, row, np.ones(3, np.float32), row, is_training=False),
        lambda: run(tf, norm(late, row, row)[0], {late: x[0]}),
        lambda: run(tf, norm(late, row, row)[0], {late: x[..., :1]}),
    )


@graph
def moments_of_what_has_no_weight(tf: Any) -> Any:
    x, weights = tf.constant(IMAGES), tf.constant([0.0, 2.0])
    moments = tf.nn.weighted_moments(x, [0, 1], weights)
    return run(tf, [*moments, *tf.gradients(moments[1], [x, weights]), *tf.nn.weighted_moments(x, [1], 0.0)])
