"""``cond_v2``, ``while_v2`` and ``switch_case``: operations of their own names, and mistakes that graphs show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.ops import cond_v2, while_v2

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set


def test_a_condition_comes_back_from_a_file() -> None:
    with tf.Graph().as_default():
        told, x = tf.placeholder(tf.bool, [], name="told"), tf.constant(2.0, name="x")
        cond_v2.cond_v2(told, lambda: x * 3.0, lambda: x, name="chosen")
        while_v2.while_loop(lambda v: v < 9.0, lambda v: v * x, [x], name="powers")
        written = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.train.import_meta_graph(written)
        ends = [graph.get_tensor_by_name(name) for name in ("chosen/Identity:0", "powers/Identity_2:0")]
        slopes = [tf.gradients(end, graph.get_tensor_by_name("x:0"))[0] for end in ends]
        assert [op.type for op in graph.get_operations() if op.name in ("chosen", "powers")] == [
            "StatelessIf",
            "StatelessWhile",
        ]
        assert session.run([*ends, *slopes], {"told:0": True}) == [6.0, 16.0, 3.0, 32.0]
        assert session.run(ends[0], {"told:0": False}) == 2.0


def test_the_parts_of_a_loop_take_what_the_loop_takes() -> None:
    x, factor = tf.constant(2.0), tf.constant(3.0)
    end = while_v2.while_loop(lambda v: v < 9.0, lambda v: v * factor, [x], return_same_structure=False)
    op = end.op.inputs[0].op
    test, body = cond_v2.get_func_graphs(op)
    assert body.name == op.get_attr("body").name
    assert body.inputs[list(op.inputs).index(factor)] is factor
    entry = body.inputs[list(op.inputs).index(x)]
    assert [each.type for each in entry.consumers()] == ["Mul"]
    assert [each.type for each in test.get_operations()][-1] == "Less"
    assert body.outputs[0].op in body.get_operations()
    assert body.outer_graph is tf.get_default_graph()


def test_errors_name_the_functions_of_a_choice_by_their_places() -> None:
    held: list[Any] = []

    def keeping() -> Any:
        held.append(tf.identity(1.0, name="kept"))
        return held[0]

    def other() -> Any:
        return tf.constant(2.0)

    for taking in (lambda: tf.identity(held[0]), lambda: held[0]):
        held.clear()
        body = tf.function(lambda way=taking: tf.switch_case(tf.constant(2), [other, keeping, other, other, way]))
        with tf.Graph().as_default(), pytest.raises(ValueError, match=r"^Tensor kept:0 in branch 1 .* from branch 4"):
            body()


def test_a_mistake_in_a_body_is_an_error_in_eager_mode_too() -> None:
    """Called with values instead, the body would give something."""

    def changing() -> Any:
        return tf.while_loop(lambda v: v < 9.0, lambda v: tf.cast(v, tf.float64) * 2.0, [tf.constant(1.0)])

    with eager_execution_set(True):
        np.testing.assert_allclose(changing().numpy(), 16.0)
        with pytest.raises(TypeError, match="enters the loop with type float32, but has type float64"):
            tf.function(changing)()
        with pytest.raises(TypeError, match="must have the same type"):
            tf.function(lambda told: tf.cond(told, lambda: 1, lambda: 1.0))(tf.constant(True))


def test_a_loop_is_given_what_is_asked_for_at_each_call() -> None:
    given = [tf.constant(0)]
    with eager_execution_set(True):

        @tf.function
        def asked() -> Any:
            def body(_: Any) -> Any:
                graph: Any = tf.get_default_graph()
                return graph.capture_call_time_value(lambda: given[0], tf.TensorSpec([], tf.int32))

            return tf.while_loop(lambda _: True, body, [0], maximum_iterations=2)

        for number in (10, 20):
            given[0] = tf.constant(number)
            assert int(asked()) == number
