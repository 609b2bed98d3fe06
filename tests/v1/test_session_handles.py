"""Values that stay in a session, where TensorFlow cannot be asked."""

from __future__ import annotations

import gc

import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set


def test_a_value_is_forgotten_with_its_handle() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        for _ in range(3):
            session.run(tf.get_session_handle(tf.constant([1.0, 2.0])))
        gc.collect()
        assert not session._handles


def test_a_value_of_another_type_is_refused() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        kept = session.run(tf.get_session_handle(tf.constant(1)))
        name, value = tf.get_session_tensor(kept.handle, tf.float32)
        with pytest.raises(tf.errors.InvalidArgumentError, match="stands for int32, but float32 is asked for"):
            session.run(value, {name: kept.handle})


def test_a_handle_cannot_be_fed_for_a_tensor_of_another_type() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        kept, x = session.run(tf.get_session_handle(tf.constant(1))), tf.placeholder(tf.float32)
        with pytest.raises(TypeError, match="a handle of int32 stands for no value of float32"):
            session.run(x + 1.0, {x: kept})


def test_handles_are_refused_in_eager_mode() -> None:
    with eager_execution_set(True), pytest.raises(RuntimeError, match="not supported when eager"):
        tf.get_session_handle(1.0)


def test_a_second_interactive_session_is_told_as_a_warning_and_as_a_message(caplog):
    with tf.Graph().as_default():
        first = tf.InteractiveSession()
        with caplog.at_level("ERROR", logger="steepest"), pytest.warns(UserWarning, match="already active"):
            second = tf.InteractiveSession()
        second.close()
        first.close()
    assert "if you intend to productionize" in caplog.text
