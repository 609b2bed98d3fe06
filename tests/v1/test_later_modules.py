"""Internal modules of TensorFlow 2 that took over functions of TensorFlow 1, and functions under their second forms."""

from __future__ import annotations

import importlib
import subprocess
import sys
import unittest
from typing import ClassVar

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.framework import dtypes, ops, tensor, tensor_conversion, test_util
from steepest.v1.python.ops import (
    array_ops_stack,
    cond,
    control_flow_assert,
    control_flow_case,
    control_flow_switch_case,
    embedding_ops,
    gen_array_ops,
    gradients_impl,
    map_fn,
    math_ops,
    ref_variable,
    resource_variable_ops,
    string_ops,
    variable_v1,
    variables,
    while_loop,
)
from steepest.v1.python.trackable import data_structures
from steepest.v1.python.training.tracking import data_structures as tracked

import steepest.v1 as tf


def test_what_has_moved_is_the_same_object() -> None:
    assert tensor.Tensor is ops.Tensor is tf.Tensor
    assert variable_v1.VariableV1 is variables.VariableV1 is tf.Variable
    assert issubclass(ref_variable.RefVariable, tf.Variable)
    assert data_structures.NoDependency is tracked.NoDependency
    assert (array_ops_stack.stack, array_ops_stack.unstack) == (tf.stack, tf.unstack)
    assert (cond.cond, control_flow_case.case, control_flow_switch_case.switch_case) == (
        tf.cond,
        tf.case,
        tf.switch_case,
    )
    assert (while_loop.while_loop, map_fn.map_fn, control_flow_assert.Assert) == (tf.while_loop, tf.map_fn, tf.Assert)


def test_modules_without_contents_can_be_imported_and_say_what_is_missing() -> None:
    with pytest.raises(NotImplementedError, match="mesh_split"):
        importlib.import_module("steepest.v1.python.compiler.xla.experimental.xla_sharding").mesh_split()


@pytest.mark.parametrize(
    "module",
    [
        "compiler.xla.experimental.xla_sharding",
        "core.config.flags",
        "core.framework.full_type_pb2",
        "core.function.capture.capture_container",
        "core.protobuf.tpu.topology_pb2",
        "ops.numpy_ops.np_config",
        "pywrap_tfe",
        "saved_model.pywrap_saved_model.metrics",
    ],
)
def test_what_a_test_of_tensorflow_2_imports_beside_its_subject_can_be_imported(module: str) -> None:
    assert importlib.import_module(f"steepest.v1.python.{module}")


def test_contexts_tell_whether_functions_are_to_be_rewritten() -> None:
    ag_ctx = importlib.import_module("steepest.v1.python.autograph.core.ag_ctx")
    assert ag_ctx.control_status_ctx().status is ag_ctx.Status.UNSPECIFIED
    with ag_ctx.ControlStatusCtx(ag_ctx.Status.ENABLED), ag_ctx.ControlStatusCtx(ag_ctx.Status.DISABLED):
        assert ag_ctx.control_status_ctx().status is ag_ctx.Status.DISABLED


def test_operations_are_made_of_messages_by_either_name() -> None:
    graph = tf.Graph()
    made = ops.Operation.from_node_def(ops._NodeDef("FloatOutput", "made"), graph, [], [dtypes.float32])
    assert graph.get_operation_by_name("made") is made


def test_types_of_few_bits_have_names_and_values() -> None:
    assert repr(dtypes.int4) == "tf.int4"
    assert dtypes._np_bfloat16(1.5) == 1.5
    assert dtypes.int4 != dtypes.uint4
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(tf.cast(tf.constant([-8, 7], dtypes.int4), tf.int32)).tolist() == [-8, 7]


def test_second_forms_have_their_arguments_in_their_own_order() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        chosen = cond.cond_for_tf_v2(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2), "chosen")
        assert chosen.op.name.startswith("chosen")
        start = [tf.constant(0)]
        looped = while_loop.while_loop_v2(lambda i: i < 9, lambda i: [i + 1], start, None, 10, True, False, 4)
        assert isinstance(looped, list)  # the structure of what was passed in
        mapped = map_fn.map_fn_v2(lambda x: x * 2, tf.constant([1, 2]), fn_output_signature=tf.int32)
        number = tensor_conversion.convert_to_tensor_v2_with_dispatch(1, None, tf.float32, "one")
        assert number.dtype == tf.float32
        x = tf.constant(2.0)
        (slope,) = gradients_impl.gradients_v2(x * x, [x], [tf.constant(3.0)], "slopes", False)
        part = string_ops.substr_v2("héllo", 1, 2, "UTF8_CHAR")
        found = session.run([chosen, looped[0], mapped, slope, part])
        assert found[:2] == [1, 4]
        assert found[2].tolist() == [2, 4]
        assert found[3] == 12.0
        assert found[4].decode() == "él"


def test_second_forms_of_lookups_divide_tables_into_runs_of_rows() -> None:
    first, second = np.arange(6.0).reshape(3, 2), np.arange(6.0, 12.0).reshape(3, 2)
    with tf.Graph().as_default(), tf.Session() as session:
        tables = [tf.constant(first), tf.constant(second)]
        ids = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, 4], tf.int64), [2, 1])
        rows = embedding_ops.embedding_lookup_v2(tables, tf.constant([1, 4]))
        sums = embedding_ops.embedding_lookup_sparse_v2(tables, ids, None, "sum")
        safe = embedding_ops.safe_embedding_lookup_sparse_v2(tables, ids)
        for value in session.run([rows, sums, safe]):
            np.testing.assert_array_equal(value, [first[1], second[1]])
    with pytest.raises(TypeError, match="partition_strategy"):
        embedding_ops.embedding_lookup_v2(tables, ids, partition_strategy="mod")
    assert math_ops.cast is tf.cast


class Both(tf.test.TestCase):
    __test__ = False  # the test below runs it
    modes: ClassVar[list[bool]] = []

    @test_util.run_in_v1_v2()
    @test_util.disable_asan("no reason")
    @test_util.enable_eager_op_as_function
    def testModes(self) -> None:
        self.modes.append(tf.executing_eagerly())

    @test_util.run_gpu_or_tpu
    def testSkipped(self) -> None:
        raise AssertionError

    @test_util.with_forward_compatibility_horizons(None, (2020, 1, 2))
    def testDates(self) -> None:
        self.modes.append(tf.compat.forward_compatible(2020, 1, 1))

    def testErrors(self) -> None:
        with test_util.skip_if_error(self, ValueError, "left out"):
            raise ValueError("this is left out")


def test_helpers_of_later_tests() -> None:
    result = unittest.TestResult()
    unittest.TestSuite([Both(name) for name in ("testModes", "testSkipped", "testDates", "testErrors")]).run(result)
    assert (result.errors, result.failures) == ([], [])
    assert [reason for _, reason in result.skipped] == [
        "Test requires GPU or TPU",
        "Skipping error: <class 'ValueError'>: this is left out",
    ]
    assert Both.modes == [False, True, False, True]
    with pytest.raises(ValueError, match="horizon"):
        test_util.with_forward_compatibility_horizons()
    with pytest.raises(RuntimeError, match="Eager"):
        test_util.sync_devices()


SECOND_WAYS = """
import steepest.v1 as tf
assert not tf.constant(1) == tf.constant(1)
from steepest.v1.python.compat import v2_compat
tf.reset_default_graph()
v2_compat.enable_v2_behavior()
x = tf.constant([1, 2])
assert tf.executing_eagerly() and x.shape[0] == 2 and x.shape.as_list() == [2]
assert [(x == tf.constant([1, 5])).numpy().tolist(), (x != [1, 5]).numpy().tolist()] == [[True, False], [False, True]]
assert not (x == tf.constant([1, 2, 3])) and {x: 1}[x] == 1 and not hasattr(x, "mask")
x.mask = 3
assert x.mask == 3
v = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(v * v)
tf.train.GradientDescentOptimizer(0.5).apply_gradients([(tape.gradient(y, v), v)])
assert (v.read_value() == 0.0).numpy().all()
tf.disable_v2_behavior()
assert not tf.executing_eagerly() and tf.zeros([2]).shape[0].value == 2 and not tf.constant(1) == tf.constant(1)
"""


def test_ways_of_tensorflow_2_are_switched_together() -> None:
    subprocess.run([sys.executable, "-c", SECOND_WAYS], check=True, timeout=120)


def test_anonymous_resources_are_shared_with_nobody() -> None:
    with context.eager_mode():
        made = [
            resource_variable_ops.var_handle_op(tf.int32, [], shared_name=context.anonymous_name()) for _ in range(2)
        ]
        for k, handle in enumerate(made):
            resource_variable_ops.assign_variable_op(handle, k)
        assert [int(resource_variable_ops.read_variable_op(handle, tf.int32)) for handle in made] == [0, 1]


@pytest.mark.parametrize("words", ["graph must be a tf.Graph, but got", "Argument `graph` must be a tf.Graph"])
def test_a_session_refuses_what_is_no_graph_in_the_words_of_either_tensorflow(words: str) -> None:
    with pytest.raises(TypeError, match=words):
        tf.Session(graph=37)


@pytest.mark.parametrize("use_tape", [True, False])
def test_a_gradient_is_asked_of_a_tape_or_of_the_graph_by_one_method(use_tape: bool) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(3.0)
        with test_util.AbstractGradientTape(use_tape) as tape:
            tape.watch(x)
            y = x * x
        assert session.run(tape.gradient(y, x)) == 6.0


def test_tests_are_there_twice_and_settings_are_checked() -> None:
    @test_util.add_graph_building_optimization_tests
    class Both(unittest.TestCase):
        def testOne(self) -> None:
            pass

    assert hasattr(Both, "testOneWithGraphBuildingOptimization")
    with test_util.run_functions_eagerly(True):
        assert int(tf.Session().run(tf.constant(1))) == 1
    with pytest.raises(ValueError, match="Expected bool for `run_eagerly`"), test_util.run_functions_eagerly(1):
        pass


@pytest.mark.parametrize("eager", [False, True])
def test_a_part_of_a_tensor_is_replaced_as_strided_slice_cuts_it_out(eager: bool) -> None:
    with context.eager_mode() if eager else tf.Graph().as_default(), tf.GradientTape() as tape:
        x, value = tf.zeros([2, 5]), tf.constant([7.0])
        tape.watch([x, value])
        y = gen_array_ops.tensor_strided_slice_update(x, [0, 1], [1, 0], [1, 2], value, end_mask=2, shrink_axis_mask=1)
        slopes = tape.gradient(y, [x, value], tf.constant(np.arange(10.0, dtype=np.float32).reshape(2, 5)))
        got = [y, *slopes] if eager else tf.Session().run([y, *slopes])
    np.testing.assert_array_equal(got[0], [[0, 7, 0, 7, 0], [0, 0, 0, 0, 0]])
    np.testing.assert_array_equal(got[1], [[0, 0, 2, 0, 4], [5, 6, 7, 8, 9]])
    np.testing.assert_array_equal(got[2], [4.0])


def test_the_axis_of_a_mask_may_be_known_only_when_it_runs() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        axis = tf.placeholder(tf.int32, [])
        x = tf.constant([[1, 2, 3], [4, 5, 6]])
        masked = tf.boolean_mask(x, [True, False], axis=axis)
        assert masked.shape.as_list() == [None, None]
        np.testing.assert_array_equal(session.run(masked, {axis: 0}), [[1, 2, 3]])
        np.testing.assert_array_equal(session.run(masked[:, :1], {axis: 0}), [[1]])


@pytest.mark.parametrize("kind", [ValueError, AttributeError])
def test_a_part_of_what_is_no_variable_is_refused_with_the_error_of_either_tensorflow(kind: type[Exception]) -> None:
    with tf.Graph().as_default(), pytest.raises(kind, match=r"only supported for variables.*no attribute 'assign'"):
        tf.constant([1, 2, 3])[:2].assign([4, 5])


def test_more_axes_than_arrays_have_are_refused() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        many = tf.reshape(tf.constant([1]), tf.ones([100], tf.int64))
        with pytest.raises(tf.errors.InvalidArgumentError, match="too many dimensions"):
            session.run(many)


def test_of_functions_for_devices_the_cpus_is_called() -> None:
    x = tf.constant(3.0)
    branches = {"cpu": lambda: x + x, "GPU": lambda: x * x}
    with tf.Session() as session:
        assert session.run(control_flow_switch_case.execute_fn_for_device(branches, lambda: x)) == 6.0
        assert session.run(control_flow_switch_case.execute_fn_for_device({"TPU": lambda: x * x}, lambda: x)) == 3.0
    with tf.Graph().as_default(), pytest.raises(TypeError, match=r"Expected tf.group.*'inputs' should be zero or more"):
        tf.group(3)
