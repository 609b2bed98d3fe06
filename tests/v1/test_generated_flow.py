"""Staging areas of `gen_data_flow_ops`, what `control_flow_util` tells of a graph, truth of tensors, one tensor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework import function
from steepest.v1.python.ops import (
    array_ops,
    cond_v2,
    control_flow_ops,
    control_flow_util,
    control_flow_util_v2,
    functional_ops,
    gen_control_flow_ops,
    gen_data_flow_ops,
    gen_functional_ops,
)

import steepest.v1 as tf

TWO = [tf.float32, tf.float32]


def test_operations_of_one_name_share_a_staging_area() -> None:
    shared: dict[str, Any] = {"shared_name": "area"}
    with tf.Graph().as_default(), tf.Session() as session:
        made = gen_data_flow_ops.stage([1.0, 2.0], name="first", **shared)
        assert (made.name, made.type) == ("first", "Stage")
        session.run(made)
        assert session.run(gen_data_flow_ops.stage_size(TWO, **shared)) == 1
        assert session.run(gen_data_flow_ops.stage_size(TWO, shared_name="other")) == 0
        assert session.run(gen_data_flow_ops.stage_peek(0, TWO, **shared)) == [1.0, 2.0]
        assert session.run(gen_data_flow_ops.unstage(TWO, **shared)) == [1.0, 2.0]
        session.run(made)
        session.run(gen_data_flow_ops.stage_clear(TWO, **shared))
        assert session.run(gen_data_flow_ops.stage_size(TWO, **shared)) == 0


@pytest.mark.parametrize("ordered", [False, True])
def test_a_staging_area_with_keys(ordered: bool) -> None:
    def asked(what: str, *given: Any) -> Any:
        return getattr(gen_data_flow_ops, f"{'ordered_' * ordered}map_{what}")(*given, shared_name="area")

    with tf.Graph().as_default(), tf.Session() as session:
        session.run(asked("stage", 7, [0, 1], [1.0, 2.0], TWO))
        session.run(asked("stage", 3, [1], [4.0], TWO))
        assert session.run([asked("size", TWO), asked("incomplete_size", TWO)]) == [1, 1]
        session.run(asked("stage", 3, [0], [3.0], TWO))
        assert session.run(asked("peek", 7, [1], [tf.float32])) == [2.0]
        key, values = session.run(asked("unstage_no_key", [0, 1], TWO))
        assert (key, values) == ((3, [3.0, 4.0]) if ordered else (7, [1.0, 2.0]))
        left = 7 if ordered else 3
        assert session.run(asked("unstage", left, [0], [tf.float32])) == [1.0 if ordered else 3.0]
        session.run(asked("clear", TWO))
        assert session.run(asked("size", TWO)) == 0


def test_numbers_of_staging_areas_are_no_vectors() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        for operation in (
            gen_data_flow_ops.map_peek(tf.constant([[1]], tf.int64), [0], [tf.float32]),
            gen_data_flow_ops.map_stage(tf.constant([[1]], tf.int64), [0], [1.0], [tf.float32]),
        ):
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"key must be an int64 scalar: \[1,1\]"):
                session.run(operation)
        with pytest.raises(tf.errors.InvalidArgumentError, match="index must be scalar"):
            session.run(gen_data_flow_ops.stage_peek(np.zeros(2, np.int32), [tf.float32]))


def test_what_is_told_of_the_operations_of_a_graph() -> None:
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.int32, ())
        tf.cond(x < 5, lambda: tf.while_loop(lambda i: i < 9, lambda i: i + 1, [x]), lambda: tf.add(x, 2))
        entered = gen_control_flow_ops.enter(1, "frame", is_constant=True).op
        switched = control_flow_ops.switch(1, True)[0].op
        told = {
            name: [op.name for op in graph.get_operations() if getattr(control_flow_util, name)(op)]
            for name in ("IsCondMerge", "IsMerge", "IsLoopExit", "IsLoopEnter", "IsSwitch", "IsLoopSwitch")
        }
        inside = [op for op in graph.get_operations() if control_flow_util.IsInWhileContext(op)]
        assert control_flow_util.IsLoopConstantEnter(entered)
    assert told["IsCondMerge"] == told["IsMerge"] == ["cond/Merge"]
    assert told["IsLoopExit"] == ["cond/while/Exit"]
    assert told["IsLoopEnter"] == [entered.name]
    assert told["IsSwitch"] == [switched.name]
    assert told["IsLoopSwitch"] == []
    assert inside
    assert all(op.name.startswith("cond/while/") and control_flow_util.IsInCond(op) for op in inside)


def test_bodies_of_functions_are_told_in_a_graph_too() -> None:
    seen = []
    with tf.Graph().as_default():
        tf.function(lambda: seen.append(control_flow_util_v2.in_defun()) or tf.constant(1))()
        assert not control_flow_util_v2.in_defun()
    assert seen == [True]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, False), (42.0, True), ("", False), ("a", True), ([], False), ([[]], False), ([0], True), ([False], True)],
)
def test_the_truth_of_a_tensor(value: Any, expected: bool) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(gen_functional_ops.to_bool(value)) == expected


def test_one_tensor_alone_is_an_array() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        (found,) = session.run(tf.identity_n([[1, 2]]))
        assert isinstance(found, np.ndarray)
        assert session.run(array_ops.fingerprint(tf.zeros([0, 3]))).shape == (0, 8)
        assert session.run(array_ops.fingerprint(tf.zeros([0]))).shape == (0, 8)


@pytest.mark.parametrize("taken", [False, True])
def test_a_condition_waits_for_what_is_named_inside_it(taken: bool) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable(1.0)
        session.run(variable.initializer)
        added = variable.assign_add(1.0)

        def way() -> float:
            with tf.control_dependencies([added]):
                return 1.0

        assert session.run(cond_v2.cond_v2(tf.placeholder_with_default(taken, None), way, lambda: 2.0)) == 2.0 - taken
        assert session.run(variable) == 2.0


@function.Defun(tf.float32)
def twice(x: Any) -> Any:
    return x * 2.0


@function.Defun(tf.float32)
def small(x: Any) -> Any:
    return x < 10.0


@function.Defun(tf.float32)
def negated(x: Any) -> Any:
    return -x


@pytest.mark.parametrize(
    ("made", "kind", "expected"),
    [
        (lambda x: functional_ops.While([x], small, twice, name="mine"), "StatelessWhile", 12.0),
        (lambda x: functional_ops.If(x > 5.0, [x], twice, negated, name="mine"), "StatelessIf", -3.0),
        (lambda x: gen_functional_ops.stateless_while([x], small, twice, name="mine"), "StatelessWhile", 12.0),
        (lambda x: gen_functional_ops.stateless_if(x, [x], [tf.float32], twice, negated, name="mine"), None, 6.0),
        (lambda x: gen_functional_ops.case(1, [x], [tf.float32], [twice, negated], name="mine"), None, -3.0),
    ],
)
def test_loops_and_branches_of_functions_are_found_by_their_names(made: Any, kind: Any, expected: float) -> None:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, ())
        (result,) = made(x)
        assert result.name == "mine:0"
        assert kind in (None, result.op.type)
        assert session.run("mine:0", {x: 3.0}) == expected
        assert session.run(tf.gradients(result, x)[0], {x: 3.0}) == expected / 3.0
        assert graph.get_operation_by_name("mine") is result.op


def test_a_loop_that_returns_nothing_runs() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        total = tf.Variable(0)
        session.run(total.initializer)

        @function.Defun(tf.int32)
        def body(number: Any) -> None:
            tf.assign_add(total, number)

        assert functional_ops.For(1, 4, 1, [], body) == []
        session.run(graph.get_operation_by_name("For"))


def test_partitioned_calls_and_what_stands_for_nothing() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(gen_functional_ops.stateful_partitioned_call([2.0], [tf.float32], twice)) == [4.0]
        assert gen_functional_ops.fake_param(tf.float32, [2]).shape.as_list() == [2]


def test_a_graph_tells_whether_a_branch_or_a_loop_is_made() -> None:
    seen = []

    def way() -> Any:
        seen.append(tf.get_default_graph().is_control_flow_graph)
        return tf.constant(1)

    with tf.Graph().as_default() as graph:
        tf.cond(tf.placeholder(tf.bool, ()), way, way)
        tf.while_loop(lambda i: i < 2, lambda i: i + way(), [0])
        assert not graph.is_control_flow_graph
    assert seen == [True] * 3
