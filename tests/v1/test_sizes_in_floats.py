"""Sizes that are numbers without a fraction, or texts of one: TensorFlow 1 takes them, TensorFlow 2 no more."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf


def test_dimensions_take_numbers_without_a_fraction():
    twelve = tf.Dimension(12.0)
    assert twelve.value == 12
    assert twelve == 12.0
    assert [(twelve % 5.0).value, (24.0 // twelve).value, (2.0 * twelve).value, (twelve + "1").value] == [2, 2, 24, 13]
    assert (twelve - np.float32(2)).value == 10
    assert twelve > 11.0
    assert twelve != 12.5
    with pytest.raises(TypeError):
        twelve * 0.5
    with pytest.raises(TypeError, match=r"got 1\.5"):
        tf.Dimension(1.5)


def test_shapes_take_numbers_without_a_fraction():
    assert tf.TensorShape([2.0, 3, None]).as_list() == [2, 3, None]
    with tf.Graph().as_default():
        assert tf.placeholder(tf.float32, [6 / 2, None]).shape.as_list() == [3, None]
    with pytest.raises(TypeError, match="list of integers and None"):
        tf.TensorShape([2.5])
