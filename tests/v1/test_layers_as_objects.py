"""Layers as objects: names, scopes, copies, what they ask of inputs."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import context

import steepest.v1 as tf


class OwnKind(tf.layers.Layer):
    def build(self, input_shape: Any) -> None:
        self.w = self.add_variable("w", [], initializer=tf.ones_initializer())

    def call(self, inputs: Any) -> Any:
        return inputs * self.w


def test_scopes_are_unique_and_named_after_the_class():
    with tf.Graph().as_default():
        found = [OwnKind(), OwnKind(), OwnKind(name="given"), OwnKind(name="given")]
        for layer in found:
            layer(tf.constant(1.0))
        scopes = [layer._scope.name for layer in found]
        assert scopes == ["own_kind", "own_kind_1", "given", "given_1"]
        assert [layer.name for layer in found] == ["own_kind_1", "own_kind_2", "given", "given"]
        assert [layer.w.name for layer in found] == [f"{scope}/w:0" for scope in scopes]


def test_variables_of_a_layer_are_in_its_scope_before_the_first_call():
    def names() -> list[str]:
        layer = tf.layers.Layer(name="mine")
        first = layer.add_variable("a", [2])
        read = layer.add_variable("b", [2], synchronization=tf.VariableSynchronization.ON_READ)
        assert [v.trainable for v in (first, read)] == [True, False]
        with pytest.raises(ValueError, match="only for non-trainable variables"):
            layer.add_variable("c", [2], trainable=True, synchronization=tf.VariableSynchronization.ON_READ)
        return [v.name for v in layer.variables]

    with tf.Graph().as_default():
        assert names() == ["mine/a:0", "mine/b:0"]
    with context.eager_mode():
        assert names() == ["mine/a:0", "mine/b:0"]


def test_dicts_and_lists_of_inputs_stay_what_they_are():
    class Kinds(tf.layers.Layer):
        def call(self, inputs: Any) -> Any:
            return type(inputs)

    with tf.Graph().as_default():
        x = tf.constant([1.0])
        assert [Kinds()(value) for value in ({"a": x}, [x, x])] == [dict, list]
        assert [Kinds()(value) for value in ([1.0, 2.0], np.ones(2))] == [list, tf.Tensor]


def test_copies_have_the_same_variables():
    with tf.Graph().as_default():
        layer = OwnKind()
        layer(tf.constant(1.0))
        other = copy.deepcopy(layer)
        assert (other.w, other.name, other._scope.name) == (layer.w, layer.name, "own_kind")
        assert other.variables == layer.variables
        assert other.variables is not layer.variables


def test_losses_of_inputs():
    with tf.Graph().as_default():
        x = tf.ones([4, 2])
        layer = tf.layers.Dense(3, kernel_regularizer=tf.reduce_sum, activity_regularizer=tf.reduce_sum)
        layer(x)
        assert [len(layer.get_losses_for(inputs)) for inputs in (x, None)] == [1, 1]
        assert len(layer.losses) == 2


def test_shapes_before_a_call():
    flatten, dense = tf.layers.Flatten(), tf.layers.Dense(5)
    assert flatten.compute_output_shape((None, 2, 3)).as_list() == [None, 6]
    assert flatten.compute_output_shape((4, None)).as_list() == [4, None]
    with pytest.raises(ValueError, match="innermost dimension"):
        dense.compute_output_shape(tf.TensorShape(None))
    with tf.Graph().as_default():
        dense.build((None, 4))
        assert dense.count_params() == 25


def test_channels_first_are_flattened_last():
    x = np.arange(12.0, dtype=np.float32).reshape(1, 3, 4)
    with tf.Graph().as_default(), tf.Session() as session:
        flat = session.run(tf.layers.Flatten(data_format="channels_first")(tf.constant(x)))
    assert flat.tolist() == x.transpose(0, 2, 1).reshape(1, 12).tolist()


def test_batch_normalization_has_tensorflows_arguments():
    with tf.Graph().as_default():
        layer = tf.layers.BatchNormalization(beta_regularizer=tf.reduce_sum, gamma_constraint=tf.abs)
        layer(tf.ones([2, 3]), training=True)
        assert (len(layer.losses), layer.gamma.constraint) == (1, tf.abs)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="undefined rank"):
        tf.layers.BatchNormalization()(tf.placeholder(tf.float32))


def test_inputs_of_unknown_rank_do_not_fit_a_rank():
    layer = OwnKind()
    layer.input_spec = tf.layers.InputSpec(ndim=2)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="requires a defined rank"):
        layer(tf.placeholder(tf.float32))


def test_losses_and_updates_belong_to_what_they_are_computed_from():
    class Own(tf.layers.Layer):
        def call(self, inputs: object) -> object:
            self.add_loss(inputs, inputs=True)
            return inputs + 1.0  # type: ignore[operator]

    with tf.Graph().as_default():
        layer = Own()
        first, second = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        outputs = layer.apply(first * 2.0)
        layer.apply(second)
        assert len(layer.losses) == 2
        assert [len(layer.get_losses_for(each)) for each in (first, [second], outputs, None)] == [1, 1, 0, 0]


def test_what_a_layer_asks_of_inputs_is_told():
    with tf.Graph().as_default():
        layer = tf.layers.Dense(1)
        layer.input_spec = tf.layers.InputSpec(dtype="float32")
        with pytest.raises(ValueError, match="expected dtype=float32, found dtype=int32"):
            layer.apply(tf.constant([[1]]))
        layer.input_spec = tf.layers.InputSpec(shape=(None, 3))
        with pytest.raises(ValueError, match=r"expected shape=\(None, 3\), found shape=\[1, 2\]"):
            layer.apply(tf.constant([[1.0, 2.0]]))


def test_losses_that_are_added_come_before_those_of_weights_and_copies_share_them():
    def total(v: Any) -> Any:
        return tf.reduce_sum(v) * 3.0

    with tf.Graph().as_default():
        layer = tf.layers.Dense(2, kernel_regularizer=total, activity_regularizer=total, name="d")
        layer(tf.ones([1, 3]))
        assert [loss.name.split("/")[1] for loss in layer.losses] == ["ActivityRegularizer", "kernel"]
        assert [a is b for a, b in zip(copy.deepcopy(layer).losses, layer.losses, strict=True)] == [True, True]
    with context.eager_mode():
        layer = tf.layers.Dense(2, kernel_initializer="ones", kernel_regularizer=total, activity_regularizer=total)
        for scale in (1.0, 2.0):  # those of the last call alone
            layer(tf.ones([1, 3]) * scale)
        assert [float(loss) for loss in layer.losses] == [36.0, 18.0]
        layer.kernel.assign(tf.zeros([3, 2]))
        assert [float(loss) for loss in layer.losses] == [36.0, 0.0]
        assert tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES) == []


def test_averages_of_images_move_in_eager_mode_where_the_layer_is_trained():
    images = np.arange(24, dtype=np.float32).reshape(2, 2, 3, 2) / 10
    with context.eager_mode():
        for trainable, mean in ((True, [0.55, 0.6]), (False, [0.0, 0.0])):
            layer = tf.layers.BatchNormalization(momentum=0.5, trainable=trainable)
            y = layer(images, training=True)
            np.testing.assert_allclose(np.mean(y, axis=(0, 1, 2)), [0.0, 0.0], atol=1e-6)
            np.testing.assert_allclose(layer.moving_mean.numpy(), mean, rtol=1e-6)


def test_labels_that_do_not_fit_their_logits_are_a_value_error_in_eager_mode():
    with context.eager_mode():
        with pytest.raises(ValueError, match="Shape mismatch"):
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=np.ones((2, 3), np.float32))
        with pytest.raises(tf.errors.InvalidArgumentError, match="label value of 5"):
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 5], logits=np.ones((2, 3), np.float32))


def test_variables_of_layers_are_outside_of_the_graphs_of_functions():
    with tf.Graph().as_default() as outer:
        inner = tf.Graph()
        inner._building_function = True
        with inner.as_default(), tf.variable_scope("scope"):
            layer = tf.layers.Layer(name="own")
            layer.add_variable("w", [], regularizer=tf.identity)
        assert [(v.name, v.graph) for v in layer.variables] == [("scope/own/w:0", outer)]
        assert outer.get_collection(tf.GraphKeys.GLOBAL_VARIABLES) == layer.variables


def test_training_is_a_truth_value_or_a_tensor():
    with tf.Graph().as_default():
        x = tf.ones([2, 3])
        for layer in (tf.layers.Dropout(), tf.layers.BatchNormalization()):
            with pytest.raises(TypeError, match="must be a Tensor, or a Python bool, or 1 or 0"):
                layer(x, training="yes")
            assert layer(x, training=None).shape == layer(x, training=np.bool_(True)).shape
