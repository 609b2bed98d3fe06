"""Conditional accumulators where threads matter, and where TensorFlow cannot be asked."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set


def test_a_run_waits_until_enough_gradients_have_come() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        held = tf.ConditionalAccumulator(tf.float32, [])
        x = tf.placeholder(tf.float32, [])
        take, add = held.take_grad(3), held.apply_grad(x)
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.append(session.run(take)), daemon=True)
        thread.start()
        for value in (1.0, 2.0, 6.0):
            assert not found
            session.run(add, {x: value})
        thread.join(10)
        assert found == [3.0]


def test_a_session_that_is_closed_ends_the_waiting() -> None:
    with tf.Graph().as_default():
        held = tf.SparseConditionalAccumulator(tf.float32)
        take = held.take_grad(1)
        session = tf.Session()
        errors: list[Exception] = []

        def wait() -> None:
            with pytest.raises(tf.errors.CancelledError, match="TakeGrad operation was cancelled") as caught:
                session.run(take)
            errors.append(caught.value)

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        session.close()
        thread.join(10)
        assert len(errors) == 1


def test_accumulators_of_one_shared_name_are_one() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        first, second = (tf.ConditionalAccumulator(tf.float32, [2], shared_name="mean") for _ in range(2))
        session.run(first.apply_grad([1.0, 2.0]))
        assert session.run(second.take_grad(1)).tolist() == [1.0, 2.0]
        other = tf.ConditionalAccumulator(tf.float32, [3], shared_name="mean")
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"has shape \[2\] but requested \[3\]"):
            session.run(other.num_accumulated())


def test_what_is_no_way_to_reduce_is_refused() -> None:
    with tf.Graph().as_default(), pytest.raises(ValueError, match='reduction_type must be "MEAN" or "SUM", got least'):
        tf.ConditionalAccumulator(tf.float32, reduction_type="least")


def test_accumulators_hold_numbers() -> None:
    with tf.Graph().as_default(), pytest.raises(TypeError, match="dtype must be of numbers, got string"):
        tf.SparseConditionalAccumulator(tf.string)


def test_accumulators_are_refused_in_eager_mode() -> None:
    with eager_execution_set(True), pytest.raises(RuntimeError, match="not supported when eager"):
        tf.ConditionalAccumulator(np.float32)


@pytest.mark.parametrize("taken_first", [True, False], ids=["taken-first", "taken-last"])
def test_what_a_run_adds_is_there_for_what_it_takes(taken_first: bool) -> None:
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=10_000)) as session:
        v, sums = tf.Variable(1.0), tf.ConditionalAccumulator(tf.float32, shape=[])
        if taken_first:
            taken = sums.take_grad(2)
        with tf.control_dependencies([v.assign_add(1.0)]):
            after_a_write = sums.apply_grad(v.read_value(), local_step=9)
        added = sums.apply_grad(4.0, local_step=9)
        if not taken_first:
            taken = sums.take_grad(2)
        session.run(v.initializer)
        assert session.run([taken, added, after_a_write])[0] == 3.0


@pytest.mark.parametrize("kind", [tf.ConditionalAccumulator, tf.SparseConditionalAccumulator])
def test_no_gradients_are_taken_of_none(kind):
    with tf.Graph().as_default(), tf.Session() as session:
        found = kind(tf.float32, shape=[2]).take_grad(0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="num_required must be positive, but was 0"):
            session.run(found)
