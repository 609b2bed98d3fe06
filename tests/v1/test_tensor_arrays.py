"""What arrays of tensors hold where nothing was written, of strings, and what they refuse in either mode."""

from __future__ import annotations

import re

import numpy as np
import pytest
from steepest.v1.python.eager import context

import steepest.v1 as tf


def test_strings_in_arrays():
    with tf.Graph().as_default(), tf.Session() as session:
        array = tf.TensorArray(tf.string, 2, clear_after_read=False, element_shape=[])
        one = array.write(0, "a")
        both = session.run(one.write(1, "bc").stack())
        assert (both.dtype, both.tolist()) == (np.dtype(object), [b"a", b"bc"])
        for fetch in (one.stack(), one.read(1)):
            with pytest.raises(tf.errors.InvalidArgumentError, match="TensorSetZero type not supported: string"):
                session.run(fetch)
    with context.eager_mode():
        array = tf.TensorArray(tf.string, 2, clear_after_read=False, element_shape=[]).write(0, "a")
        assert array.read(1).numpy() == b""
        assert array.stack().numpy().tolist() == [b"a", b""]


def test_shapes_of_writes_hold_for_what_was_not_written():
    with tf.Graph().as_default(), tf.Session() as session:
        array = tf.TensorArray(tf.float32, 0, dynamic_size=True)
        array._learn((2,))
        assert session.run(array.stack()).shape == (0, 2)
        array = tf.TensorArray(tf.float32, 3, element_shape=[2])
        assert array.gather([0, 2]).shape == [2, 2]
        assert session.run(array.gather([0, 2])).tolist() == [[0, 0], [0, 0]]


def test_more_is_refused_of_arrays():
    with tf.Graph().as_default(), tf.Session() as session:
        array = tf.TensorArray(tf.float32, 2)
        wrong = {
            "Max scatter index must be < array size (2 vs. 2)": array.scatter([0, 2], [1.0, 2.0]).size(),
            "Expected len(indices) == values.shape[0], but saw: 1 vs. 2": array.scatter([0], [1.0, 2.0]).size(),
            "TensorArray dtype is float but Op is trying to write dtype double.": array.write(
                0, tf.constant(1.0, tf.float64)
            ).size(),
            "element_shape_except0 <unknown> is not fully": tf.TensorArray(tf.float32, 0).concat(),
        }
        for words, fetch in wrong.items():
            with pytest.raises(tf.errors.OpError, match=re.escape(words)):
                session.run(fetch)


def test_arrays_of_eager_mode_are_cut_into_any_pieces():
    with context.eager_mode():
        pieces = tf.TensorArray(tf.float32, 2, clear_after_read=False).split(tf.constant([1.0, 2.0, 3.0]), [1, 2])
        assert [pieces.read(k).numpy().tolist() for k in range(2)] == [[1.0], [2.0, 3.0]]
        assert pieces.concat().numpy().tolist() == [1.0, 2.0, 3.0]
        with pytest.raises(ValueError, match=r"Incompatible shape for value \(\(2,\)\), expected \(\(\)\)"):
            tf.TensorArray(tf.float32, 2, element_shape=[]).write(0, [1.0, 2.0])


def test_arrays_tell_whether_they_learn_shapes_as_tensorflows_do():
    assert [tf.TensorArray(tf.int32, 1, infer_shape=learns).identity()._infer_shape for learns in (True, False)] == [
        True,
        False,
    ]
