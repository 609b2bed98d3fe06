"""What one way of a ``cond``, or one loop, makes is not there in another one."""

from __future__ import annotations

from typing import Any

import pytest

import steepest.v1 as tf


def _of_the_other_way(pred: Any) -> Any:
    kept = {"c": tf.constant(1.0)}

    def true_fn() -> Any:
        kept["c"] = tf.identity(kept["c"] + 1.0, name="in_true")
        return kept["c"]

    return tf.cond(pred, true_fn, lambda: tf.identity(kept["c"]))


def test_a_run_of_the_way_that_takes_what_the_other_one_makes_fails():
    with tf.Graph().as_default(), tf.Session() as session:
        pred = tf.placeholder(tf.bool, [])
        result = _of_the_other_way(pred)
        assert session.run(result, {pred: True}) == 2.0
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Retval\[0\] does not have value"):
            session.run(result, {pred: False})


def test_a_way_that_returns_what_the_other_one_makes_fails_too():
    with tf.Graph().as_default(), tf.Session() as session:
        pred, kept = tf.placeholder(tf.bool, []), []

        def true_fn() -> Any:
            kept.append(tf.constant(1.0) + 1.0)
            return kept[0]

        result = tf.cond(pred, true_fn, lambda: kept[0])
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
            session.run(result, {pred: False})


def test_in_a_function_s_body_it_is_refused():
    body = tf.function(lambda: _of_the_other_way(tf.constant(True)))
    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match=r"^Tensor in_true:0 in true_fn is accessed from false"),
    ):
        body()
    with tf.Graph().as_default(), tf.Session() as session:  # outside of functions again: a run says so
        assert session.run(_of_the_other_way(tf.constant(True))) == 2.0


def test_a_loop_does_not_return_what_another_one_makes():
    with tf.Graph().as_default():
        kept: list[Any] = []

        def body(i: Any) -> Any:
            kept.append(tf.constant(3) + i)
            return i + 1

        tf.while_loop(lambda i: i < 3, body, [0])
        said = "Cannot use 'while/add' as input to 'while_1/NextIteration' because they are in different while loops"
        with pytest.raises(ValueError, match=said):
            tf.while_loop(lambda i: i < 3, lambda i: kept[0], [0])


def test_names_may_have_the_sign_of_name_spaces():
    with tf.Graph().as_default(), tf.name_scope("own>scope"):
        assert tf.constant(1, name="a>b").name == "own>scope/a>b:0"
