"""Loops that a program builds of ``enter`` and ``exit``, where TensorFlow's optimizer breaks them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from steepest.v1.python.ops import control_flow_ops, gen_control_flow_ops

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly


def loop(frame: str, value: Any, limit: Any, step: Callable[[Any, Any], Any]) -> Any:
    entered = gen_control_flow_ops.enter(value, frame, False)
    last = gen_control_flow_ops.enter(limit, frame, True)
    merged = control_flow_ops.merge([entered, entered])[0]
    end, more = control_flow_ops.switch(merged, control_flow_ops.loop_cond(tf.less(merged, last)))
    merged.op._update_input(1, control_flow_ops.next_iteration(step(more, last)))
    return control_flow_ops.exit(end)


@pytest.mark.parametrize(("first", "result"), [(3, 99), (49, 147), (60, 60)])
def test_a_frame_runs_anew_in_each_round_of_the_one_around_it(first: int, result: int) -> None:
    start = tf.placeholder(tf.int32, [])

    def doubled(x: Any, last: Any) -> Any:
        return loop("inner", x, last, lambda y, _: y + y) + x

    outer = loop("outer", start, tf.constant(50), doubled)
    with tf.Session() as session:
        assert session.run(outer, {start: first}) == result


def test_gradients_flow_through_rounds() -> None:
    x, factor = tf.constant(2.0), tf.constant(3.0)
    entered = gen_control_flow_ops.enter(factor, "powers", True)
    power = loop("powers", x, tf.constant(20.0), lambda y, _: y * entered)
    with tf.Session() as session:
        assert session.run([power, *tf.gradients(power, [x, factor])]) == [54.0, 27.0, 54.0]


def test_nothing_is_divided_in_eager_mode() -> None:
    with eagerly(), pytest.raises(RuntimeError, match="Switch is not supported"):
        control_flow_ops.switch(tf.constant(1), tf.constant(True))
