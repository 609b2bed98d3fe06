"""Settings of ``tf.config`` and of the context of eager mode, which are kept and change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import steepest.v1 as tf
from steepest.v1 import python
from steepest.v1.python import eager_context as context
from steepest.v1.python import second_flow, test_ops


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    context._reset_context()


def test_threads_are_not_changed_once_a_program_said_that_all_is_ready():
    tf.config.threading.set_intra_op_parallelism_threads(3)
    context.ensure_initialized()
    tf.config.threading.set_intra_op_parallelism_threads(3)
    for change in (
        tf.config.threading.set_intra_op_parallelism_threads,
        tf.config.threading.set_inter_op_parallelism_threads,
    ):
        with pytest.raises(RuntimeError, match="cannot be modified after initialization"):
            change(5)
    assert context.context().intra_op_parallelism_threads == 3
    context._reset_context()
    assert context.context().intra_op_parallelism_threads == 0
    tf.config.threading.set_intra_op_parallelism_threads(5)


def test_a_context_tells_the_settings():
    tf.config.optimizer.set_experimental_options({"constant_folding": False})
    context.set_log_device_placement(True)
    tf.config.experimental.enable_tensor_float_32_execution(False)
    asked = context.context()
    assert asked.get_optimizer_experimental_options() == {"constant_folding": False}
    assert asked.log_device_placement
    assert context.get_log_device_placement()
    assert not tf.config.experimental.tensor_float_32_execution_enabled()
    context._reset_context()
    assert context.context().get_optimizer_experimental_options() == {}
    assert tf.config.experimental.tensor_float_32_execution_enabled()


@pytest.mark.parametrize(
    ("device", "said"),
    [("GPU", "Failed parsing"), ("GPU:x", "Failed parsing"), ("TPU:0", "No matching"), ("CPU:0", "not available")],
)
def test_the_memory_of_devices_is_not_known(device: str, said: str):
    with pytest.raises(ValueError, match=said):
        context.context().get_memory_info(device)


def test_a_context_names_parts_of_the_cpu_once():
    own = context.Context()
    own.set_logical_cpu_devices(4)
    assert len(own.list_logical_devices("CPU")) == 4
    assert own.list_logical_devices("GPU") == []
    with pytest.raises(RuntimeError, match="Virtual CPUs already set"):
        own.set_logical_cpu_devices(8)


def test_experimental_settings_of_sessions_are_accepted():
    settings = tf.ConfigProto()
    settings.experimental.executor_type = "SINGLE_THREADED_EXECUTOR"
    with tf.Graph().as_default(), tf.Session(config=settings) as session, context.function_executor_type("any"):
        assert session.run(tf.constant(1)) == 1


def test_branches_and_loops_are_instances_of_tensorflow_s_contexts():
    flow: Any = python.ops.control_flow_ops
    seen = []

    def noted(value: Any) -> Any:
        asked = tf.get_default_graph()._get_control_flow_context()
        kinds = (flow.ControlFlowContext, flow.CondContext, flow.WhileContext, flow.XLAControlFlowContext)
        seen.append([isinstance(asked, kind) for kind in kinds])
        return value

    with tf.Graph().as_default():
        tf.cond(tf.constant(True), lambda: noted(1), lambda: noted(2))
        tf.while_loop(lambda i: i < 2, lambda i: noted(i + 1), [0])
        noted(0)
    assert seen[0] == seen[1] == [True, True, False, False]
    assert seen[-2] == [True, False, True, False]
    assert seen[-1] == [False] * 4


def test_cases_by_position_take_the_last_function_for_any_other():
    with tf.Graph().as_default(), tf.Session() as session:
        where = tf.placeholder(tf.int32, [])
        result = second_flow.indexed_case(where, [lambda: tf.constant(1), lambda: tf.constant(2)])
        assert [session.run(result, {where: k}) for k in (0, 1, 7)] == [1, 2, 2]


def test_operations_are_described_first_and_made_later():
    ops: Any = python.framework.ops
    with tf.Graph().as_default() as graph:
        x = test_ops.int_output()  # type: ignore[attr-defined]  # made from a table
        first = ops._create_c_op(graph, ops._NodeDef("IntInputIntOutput", "mine"), [x], [])
        ops._create_c_op(graph, ops._NodeDef("IntInput", "other"), [x], [x.op])
        made: Any = graph._create_op_from_tf_operation(first)
        assert (made.name, made.type, list(made.inputs)) == ("mine", "IntInputIntOutput", [x])
        (other,) = graph._add_new_tf_operations()
        assert (other.name, other.control_inputs) == ("other", [x.op])
        assert graph._add_new_tf_operations() == []


def test_the_context_knows_functions_and_their_graphs():
    context: Any = python.eager.context
    with context.eager_mode():
        doubled = tf.function(lambda x: x + x)
        with context.collect_graphs() as graphs:
            doubled(tf.constant(1.0))
        assert [[node.op for node in graph.node][:2] for graph in graphs] == [["Placeholder", "AddV2"]]
        named = tf.function(lambda: tf.constant(3.0)).get_concrete_function()
        assert named.name.decode() in context.context().list_function_names()
        assert "Const" in [node.op for node in context.get_function_def(named.name).node_def]
        with pytest.raises(tf.errors.NotFoundError, match="none_of_this_name"):
            context.get_function_def("none_of_this_name")
