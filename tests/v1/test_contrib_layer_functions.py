"""Functions of ``tf.contrib.layers`` without moments: names, aliases, forms and lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.contrib import layers

X = np.random.RandomState(2).standard_normal((2, 3, 4)).astype("f")


def run(node: Any) -> Any:
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(node)


def test_dense_layers_are_named_by_tensorflows_own():
    x = tf.ones([2, 3])
    out = layers.stack(x, layers.relu, [4, 5], outputs_collections="ends", variables_collections={"weights": "w"})
    names = [v.op.name for v in tf.trainable_variables()]
    scopes = ["Stack/fully_connected_1", "Stack/fully_connected_2"]
    assert names == [f"{scope}/{name}" for scope in scopes for name in ("weights", "biases")]
    assert out.name == "Stack/fully_connected_2/Relu:0"
    assert [node.aliases for node in tf.get_collection("ends")] == [[scope] for scope in scopes]
    assert [v.op.name for v in tf.get_collection("w")] == names[::2]
    assert [v.op.name for v in tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)] == names
    layers.fully_connected(x, 2, weights_regularizer=tf.nn.l2_loss, scope="one")
    assert tf.losses.get_regularization_losses()[0].op.name.startswith("one/kernel/Regularizer/")
    for make, said in (
        (lambda: layers.fully_connected(x, 2.0), "num_outputs type should be one of"),
        (lambda: layers.stack(x, layers.relu, 3), "stack_args need to be a list or tuple"),
        (lambda: layers.bias_add(x, data_format="NCHW"), "only supports 4D"),
    ):
        with pytest.raises(ValueError, match=said):
            make()
    assert run(layers.elu(x, 2)).shape == (2, 2)


def test_the_old_dense_layer():
    x = tf.constant(X)
    ones = tf.ones_initializer()
    out = layers.legacy_relu(x, 2, weight_init=ones, bias_init=ones, bias_collections=["b"])
    np.testing.assert_allclose(
        run(out), np.maximum(X.sum(-1, keepdims=True).repeat(2, -1) + 1, 0), rtol=1e-5, atol=1e-6
    )
    assert [v.op.name for v in tf.global_variables()] == ["fully_connected/weights", "fully_connected/bias"]
    assert [v.op.name for v in tf.get_collection("b")] == ["fully_connected/bias"]
    assert tf.get_collection(tf.GraphKeys.WEIGHTS) == tf.global_variables()[:1]
    assert tf.get_collection(tf.GraphKeys.ACTIVATIONS) == [out]
    layers.legacy_linear(x, 2, bias_init=None, name="none")
    assert len(tf.global_variables()) == 3
    with pytest.raises(ValueError, match="rank of x must be at least 2 not: 1"):
        layers.legacy_fully_connected(tf.ones([3]), 2)


def test_lengths():
    unit = run(layers.unit_norm(tf.constant(X), 2, epsilon=0.5))
    np.testing.assert_allclose(unit, X / np.sqrt(0.5 + (X**2).sum(2, keepdims=True)), rtol=1e-6)
    ball = run(layers.poincare_normalize(tf.constant(X), 2, epsilon=0.25))
    norms = np.linalg.norm(X, axis=2, keepdims=True)
    np.testing.assert_allclose(ball, X * np.minimum(0.75 / norms, 1), rtol=1e-5)
    for make in (lambda: layers.unit_norm(tf.placeholder(tf.float32), 0), lambda: layers.unit_norm(X, -1)):
        with pytest.raises(ValueError, match="rank"):
            make()
    x = tf.constant(X)
    y = layers.scale_gradient(x, 0.25)
    assert run(tf.gradients(y, x)[0]).tolist() == np.full(X.shape, 0.25).tolist()


def test_softmax_keeps_the_shape_and_wants_the_last_size():
    np.testing.assert_allclose(run(layers.softmax(tf.constant(X))), run(tf.nn.softmax(X)), rtol=1e-6)
    with pytest.raises(ValueError, match="last dimension shape must be known"):
        layers.softmax(tf.placeholder(tf.float32, [2, None]))


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_places_of_features(data_format: str):
    """A feature that is one hot pixel is at that pixel, one that is even is in the middle."""
    images = np.zeros((1, 3, 5, 2), "f")
    images[0, 2, 1, 0] = 100
    given = images if data_format == "NHWC" else np.moveaxis(images, 3, 1)
    out = layers.spatial_softmax(tf.constant(given), data_format=data_format)
    np.testing.assert_allclose(run(out), [[1, -0.5, 0, 0]], atol=1e-6)
    assert [v.op.name for v in tf.trainable_variables()] == ["spatial_softmax/temperature"]


def test_forms():
    assert run(layers.maxout(tf.constant(X), 2)).tolist() == X.reshape(2, 3, 2, 2).max(-1).tolist()
    # Neighbours in memory along another axis too, as TensorFlow has it.
    assert run(layers.maxout(tf.constant(X), 1, axis=0)).tolist() == X.reshape(1, 3, 4, 2).max(-1).tolist()
    images = np.arange(24.0, dtype="f").reshape(2, 2, 3, 2)
    sequence = layers.images_to_sequence(tf.constant(images))
    assert run(sequence).tolist() == images.transpose(2, 0, 1, 3).reshape(3, 4, 2).tolist()
    assert run(layers.sequence_to_images(sequence, 2)).tolist() == images.tolist()
    first = layers.sequence_to_images(sequence, 2, output_data_format="channels_first")
    assert run(first).tolist() == images.transpose(0, 3, 1, 2).tolist()
    sparse = run(layers.dense_to_sparse(tf.constant([[0, 3], [4, 0]])))
    assert [part.tolist() for part in sparse] == [[[0, 1], [1, 0]], [3, 4], [2, 2]]
    inner = layers._inner_flatten(tf.placeholder(tf.float32, [None, 3, 2, 2]), 3)
    assert inner.shape.as_list() == [None, 3, 4]
    flat = layers._inner_flatten(tf.SparseTensor([[0, 1, 1], [1, 0, 0]], [1.0, 2.0], [2, 2, 3]), 2)
    assert run(flat).indices.tolist() == [[0, 4], [1, 0]]
    with pytest.raises(ValueError, match="inputs has rank less than new_rank"):
        layers._inner_flatten(tf.ones([2]), 2)
    assert layers.flatten(tf.constant(X), outputs_collections="flat").aliases == ["Flatten"]


def test_what_contrib_layers_refuse():
    for shape in ([None, None], [None], None):
        with pytest.raises(ValueError, match=r"last dimension of the inputs|rank|min_ndim"):
            layers.fully_connected(tf.placeholder(tf.float32, shape), 4)
    with pytest.raises(TypeError, match="non-floating"):
        layers.variance_scaling_initializer(dtype=tf.string)
    with pytest.raises(TypeError, match="Unknown mode"):
        layers.variance_scaling_initializer(mode="OTHER")
