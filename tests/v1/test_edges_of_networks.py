"""Networks' operations at their edges: slopes where a value is no number, axes of biases and of normalised batches."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


# Gradients of TensorFlow 2.21.
@pytest.mark.parametrize(("function", "slope"), [(tf.nn.elu, 1.0), (tf.nn.selu, 1.050701)])
def test_slopes_are_passed_on_where_the_value_is_no_number(function, slope):
    x = tf.constant([np.nan, 2.0, -np.inf, 0.0])
    y = function(x)
    with tf.Session() as session:
        value, (gradient,) = session.run([y, tf.gradients(y, x)])
    assert np.isnan(value[0])
    np.testing.assert_allclose(gradient, [slope, slope, 0.0, slope], rtol=1e-6)


def test_biases_of_channels_that_come_first_need_three_axes_and_the_right_number():
    x = np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2)
    with tf.Session() as session:
        added = tf.nn.bias_add(x, [1.0, 2.0, 3.0], "NCHW")
        np.testing.assert_array_equal(session.run(added), x + np.array([1, 2, 3]).reshape(3, 1, 1))
        assert tf.nn.bias_add(tf.placeholder(tf.float32, [None, None, 4]), [1.0, 2.0], "NCW").shape.as_list() == [
            None,
            2,
            4,
        ]
        with pytest.raises(ValueError, match="must be at least rank 3 but is rank 2"):
            tf.nn.bias_add([[1.0, 2.0]], [1.0, 2.0], "NCHW")
        with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 1"):
            tf.nn.bias_add(x, [1.0], "NCHW")
        unknown = tf.placeholder(tf.float32)
        with pytest.raises(tf.errors.InvalidArgumentError, match="as many biases as the second dimension"):
            session.run(tf.nn.bias_add(unknown, [1.0], "NCHW"), {unknown: x})


def test_batches_with_too_few_axes_are_not_normalised():
    with pytest.raises(ValueError, match="Shape must be rank 4 but is rank 3"):
        tf.nn.fused_batch_norm(np.ones((2, 2, 3), np.float32), np.ones(3, np.float32), np.zeros(3, np.float32))


def test_layers_name_their_results_as_tensorflow_does():
    images = tf.ones([2, 2, 2, 3])
    assert tf.layers.dense(images, 2).name == "dense/BiasAdd:0"
    assert tf.layers.dropout(images).name == "dropout/Identity:0"
    assert tf.layers.dropout(images, training=False, name="kept").op.inputs[0] is images
