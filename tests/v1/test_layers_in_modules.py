"""Layers as modules: variables of what has layers, checkpoints of them, copies, and shapes that layers tell."""

import copy

import numpy as np
import pytest
from steepest.v1.python.eager import context

import steepest.v1 as tf

_NAMES = {
    "dense": ["kernel", "bias"],
    "batch_normalization": ["moving_mean", "moving_variance", "gamma", "beta"],
    "last": ["kernel", "bias"],
}


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.first = tf.layers.Dense(2)
        self.norm = tf.layers.BatchNormalization()
        self.rest = [tf.layers.Dense(3, name="last")]

    def __call__(self, x):
        return self.rest[0](self.norm(self.first(x)))


def test_a_module_has_the_variables_of_its_layers():
    with tf.Graph().as_default():
        net = Net()
        assert net.variables == ()
        net(tf.ones([4, 3]))
        first, norm, last = ([f"{scope}/{name}:0" for name in names] for scope, names in _NAMES.items())
        assert [each.name for each in net.variables] == [*first, *norm, *last]
        moments, trained = norm[:2], [*first, *norm[2:], *last]
        assert [each.name for each in net.trainable_variables] == trained
        assert [each.name for each in net.non_trainable_variables] == moments
        assert list(net.submodules) == [net.first, net.norm, net.rest[0]]
        assert isinstance(net.first, tf.Module)


def test_layers_in_layers_keep_their_variables_to_themselves():
    class Two(tf.layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = [tf.layers.Dense(1)]

        def call(self, x):
            return self.inner[0](x)

    with tf.Graph().as_default():
        two = Two()
        two(tf.ones([2, 2]))
        assert two.variables == []
        assert list(two.submodules) == two.inner
        assert type(two.inner) is list


def test_checkpoints_of_layers_wait_for_variables_that_come_later(tmp_path):
    kernel = np.arange(6, dtype=np.float32).reshape(3, 2)
    with context.eager_mode():
        net = Net()
        net(tf.ones([1, 3]))
        net.first.set_weights([kernel, np.array([1.0, 2.0], np.float32)])
        path = tf.train.Checkpoint(net=net, alone=net.first).save(str(tmp_path / "net"))
        names = {name for name, _ in tf.train.list_variables(path)}
        assert {"net/norm/moving_mean/.ATTRIBUTES/VARIABLE_VALUE", "net/rest/0/bias/.ATTRIBUTES/VARIABLE_VALUE"} < names

        later = Net()
        status = tf.train.Checkpoint(net=later, alone=later.first).restore(path)
        with pytest.raises(AssertionError):
            status.assert_consumed()
        later(tf.ones([1, 3]))
        status.assert_consumed()
        np.testing.assert_array_equal(later.first.kernel.numpy(), kernel)
        np.testing.assert_array_equal(later.first.bias.numpy(), [1.0, 2.0])


def test_parts_of_a_layers_variable_are_in_checkpoints(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
            layer = tf.layers.Dense(2, use_bias=False, kernel_initializer=tf.ones_initializer())
            layer(tf.ones([1, 4]))
        checkpoint = tf.train.Checkpoint(layer=layer)
        session.run(tf.global_variables_initializer())
        path = checkpoint.save(str(tmp_path / "parts"), session=session)
        session.run([part.assign(tf.zeros_like(part)) for part in layer.variables])
        checkpoint.restore(path).assert_consumed().run_restore_ops(session)
        for part in layer.variables:
            np.testing.assert_array_equal(session.run(part), np.ones([2, 2]))


def test_a_copy_of_a_layer_in_eager_mode_has_variables_of_its_own():
    with context.eager_mode():
        layer = tf.layers.Dense(
            2, kernel_initializer=tf.constant_initializer(3.0), kernel_regularizer=tf.reduce_sum, use_bias=False
        )
        layer(tf.ones([2, 3]))
        other = copy.deepcopy(layer)
        other.kernel.assign_add(tf.ones([3, 2]))
        assert other.trainable_variables[0] is other.kernel
        np.testing.assert_array_equal(layer(tf.ones([1, 3])), [[9.0, 9.0]])
        np.testing.assert_array_equal(other(tf.ones([1, 3])), [[12.0, 12.0]])
        assert [float(layer.losses[0]), float(other.losses[0])] == [18.0, 24.0]


def test_layers_tell_the_shape_of_their_outputs():
    given = [2, None, 3]
    for layer in (tf.layers.Dropout(), tf.layers.BatchNormalization()):
        assert layer.compute_output_shape(given) is given
    with pytest.raises(NotImplementedError):
        tf.layers.Layer().compute_output_shape(given)
    dense = tf.layers.Dense(5)
    assert dense.compute_output_signature(tf.TensorSpec([2, 3], tf.float64)) == tf.TensorSpec([2, 5], tf.float64)
    half = tf.layers.Dense(5, dtype=tf.float16)
    assert half.compute_output_signature(tf.TensorSpec([2, 3], tf.float64)).dtype == tf.float16
    with pytest.raises(TypeError, match="Only TensorSpec signature types are supported"):
        dense.compute_output_signature([2, 3])
