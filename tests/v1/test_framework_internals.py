"""TensorFlow's internal framework where its versions differ: settings, numbers of errors, functions as messages."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from steepest.v1.python.client import session as client_session
from steepest.v1.python.core.lib.core import error_codes_pb2
from steepest.v1.python.core.protobuf import config_pb2, rewriter_config_pb2
from steepest.v1.python.eager import def_function as traced
from steepest.v1.python.framework import (
    auto_control_deps,
    errors_impl,
    function,
    graph_to_function_def,
    ops,
    versions,
)
from steepest.v1.python.framework.indexed_slices import IndexedSlicesSpec
from steepest.v1.python.framework.tensor_spec import BoundedTensorSpec

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set, eagerly
from steepest.v1.ops.internal_names import get_name_scope
from steepest.v1.python.eager_context import context


def test_settings_of_rewriting_are_accepted():
    options = config_pb2.GraphOptions(rewrite_options=rewriter_config_pb2.RewriterConfig(constant_folding=2))
    config = config_pb2.ConfigProto(graph_options=options)
    config.graph_options.rewrite_options.arithmetic_optimization = rewriter_config_pb2.RewriterConfig.OFF
    config.device_count["CPU"] = 2
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        assert session.run(tf.constant(1) + 1) == 2


def test_errors_have_numbers_and_can_be_pickled():
    kinds = [number for number in error_codes_pb2.Code.values() if number not in (error_codes_pb2.OK, 20)]
    assert error_codes_pb2.Code.Name(3) == "INVALID_ARGUMENT"
    assert len(kinds) == 16
    for number in kinds:
        error = errors_impl._make_specific_exception(None, None, "why", number)
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.message, again.error_code) == (type(error), "why", number)
        assert errors_impl.error_code_from_exception_type(type(error)) == number
    with pytest.warns(UserWarning, match="Unknown error code: 37"):
        assert isinstance(errors_impl._make_specific_exception(None, None, "", 37), tf.errors.UnknownError)
    with pytest.warns(UserWarning, match="Unknown class exception"):
        errors_impl.error_code_from_exception_type(ValueError)


def test_versions_are_those_of_the_module():
    assert (versions.__version__, versions.__git_version__) == (tf.VERSION, tf.GIT_VERSION)
    assert isinstance(versions.__compiler_version__, str)


def test_what_may_be_captured_by_its_value():
    with tf.Graph().as_default(), tf.Session() as session:
        t = tf.random_uniform([3])

        @function.Defun(capture_by_value=True, whitelisted_stateful_ops={t.op})
        def drawn():
            return t + 3.0

        assert min(session.run(drawn())) >= 3.0


def test_functions_have_the_devices_of_where_they_are_made():
    with tf.Graph().as_default() as graph, tf.device("CPU:0"):

        @function.Defun(tf.float32)
        def same(x):
            return x + 1.0

        with tf.device("CPU:1"):
            same(2.0)
        (made,) = graph.as_graph_def().library.function
        assert {node.device for node in made.node_def} == {"/device:CPU:0"}
        body = [graph.get_tensor_by_name("Const:0"), tf.constant(2.0)]
        message = graph_to_function_def.graph_to_function_def(graph, [], body, body, ["a", "b"])
        assert [each.name for each in message.signature.output_arg] == ["a", "b"]
        with pytest.raises(ValueError, match="out_names"):
            graph_to_function_def.graph_to_function_def(graph, [], body, body, ["a"])


def test_functions_without_types_have_no_definition_of_their_own():
    @function.Defun()
    def same(x):
        return x

    with pytest.raises(ValueError, match="the types of the arguments"):
        same.definition  # noqa: B018
    assert same.instantiate([tf.float32]).definition.signature.input_arg[0].name == "x"
    with pytest.raises(TypeError, match="an attribute of a function"):
        function.Defun(tf.float32, what=[1])(lambda x: x).definition  # noqa: B018


def test_defined_functions_compute_at_once_in_eager_mode():
    @function.Defun(tf.int32, tf.int32)
    def both(a, b):
        return a + b, a * b

    @function.Defun(tf.int32, python_grad_func=lambda op, dy: dy)
    def same(a):
        return a

    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        called = tf.function(lambda x: both(x, 3))
        assert [int(each) for each in called(tf.constant(2))] == [5, 6]
        for wrong, error in (
            (lambda: both(1, 2, 3), ValueError),
            (lambda: both(1, tf.constant(1.0)), ValueError),
            (lambda: both(1, 2, unknown=3), ValueError),
            (lambda: same(1), RuntimeError),
        ):
            with pytest.raises(error):
                wrong()


def test_eager_tensors_have_no_nodes_and_say_so():
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        for name in ("op", "name", "graph"):
            with pytest.raises(AttributeError, match=f"Tensor.{name} is meaningless when eager execution is enabled"):
                getattr(tf.constant(1.0), name)


def test_functions_count_the_kinds_of_their_arguments_and_may_have_attributes():
    called = traced.defun_with_attributes(lambda x, y: (x, y), attributes={"func_name": "pair", "tag": 1})
    assert called._name == "pair"
    for x, y in ((1.0, [1.0]), (2.0, [3.0]), ([1.0], 1.0), (1.0, [1.0])):
        called(tf.constant(x), y=tf.constant(y))
    assert len(called._function_cache.primary) == 2
    with pytest.raises(ValueError, match="Unsupported attribute type for tag"):
        traced.defun_with_attributes(lambda x: x, attributes={"tag": [1]})(1.0)


def test_a_block_must_end_in_its_graph_and_may_fail():
    with pytest.raises(KeyError), auto_control_deps.AutomaticControlDependencies():
        raise KeyError("of the program")
    block = auto_control_deps.AutomaticControlDependencies()
    block.__enter__()
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="Graph changed"):
        block.__exit__(None, None, None)


def test_concrete_functions_take_tensors():
    made = tf.function(lambda x: x).get_concrete_function(tf.constant(1.0))
    with pytest.raises(ValueError, match=r"All inputs to `ConcreteFunction`s must be Tensors; on invocation of"):
        made("no tensor")


def test_bounded_specs_are_equal_where_their_bounds_are_close():
    def spec(least, name=None):
        return BoundedTensorSpec([2], tf.float32, least, 5, name)

    assert spec(0) == spec(1e-9)
    assert spec([1, 1]) == spec(1)
    assert hash(spec(0)) == hash(spec(1e-9))
    assert spec(0) != spec(1)
    assert spec(0) != spec(0, "b")
    assert spec(0) != tf.TensorSpec([2], tf.float32)


def test_sparse_specs_make_values_of_arrays():
    parts = [np.array([[0], [8]]), np.array([1.0, 9.0]), np.array([100])]
    assert isinstance(tf.SparseTensorSpec()._from_components(parts), tf.SparseTensorValue)


def test_slices_are_values_where_their_parts_are_arrays():
    parts = np.array([1.0, 9.0]), np.array([3, 8])
    spec = IndexedSlicesSpec()
    assert isinstance(spec._from_components(parts), tf.IndexedSlicesValue)
    assert spec._from_components(parts).dense_shape is None


def test_bodies_tell_what_they_take_besides_their_arguments():
    found = []
    with tf.Graph().as_default():
        w, c = tf.get_variable("w", initializer=2.0), tf.constant(3.0, name="c")

        @function.Defun(tf.float32)
        def body(x):
            y = x * w * c
            found.append([t.name for t in function.get_extra_inputs()])
            found.append([v.name for v in function.get_extra_vars()])
            found.append(tf.gradients(y, function.get_extra_args()[1])[0])
            return y, found[-1]

        values = body(tf.constant(5.0))
        with tf.Session() as session:
            session.run(w.initializer)
            assert session.run(values) == (30.0, 10.0)
    assert found[:2] == [["w:0", "c:0"], ["w:0"]]
    assert function.get_extra_inputs() == function.get_extra_vars() == []


def test_lines_of_operations_tell_where_functions_begin():
    with tf.Graph().as_default():
        op = tf.constant(1.0).op
    assert [line[:-1] for line in op.traceback_with_start_lines] == [tuple(line) for line in op.traceback]
    assert op.traceback_with_start_lines[-1][-1] == op.traceback[-1].lineno - 2


def test_devices_of_sessions_have_their_full_names():
    made = client_session._DeviceAttributes("/job:worker/task:3/cpu:1", "CPU", 5, 7)
    assert (made.name, made.memory_limit_bytes, made.incarnation) == ("/job:worker/task:3/device:CPU:1", 5, 7)
    assert str(made) == "_DeviceAttributes(/job:worker/task:3/device:CPU:1, CPU, 5, 7)"


def test_composites_stay_what_they_are():
    convert = ops.convert_to_tensor_or_composite
    with tf.Graph().as_default():
        slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
        assert convert(slices) is slices
        assert convert([1.0]).dtype == tf.float32
        with pytest.raises(ValueError, match="Tensor conversion requested dtype int32 for Tensor with dtype float32"):
            convert(slices, tf.int32)


def test_the_name_scope_is_that_of_the_mode():
    with tf.name_scope("graph"):
        with eagerly(), tf.name_scope("eager"), tf.name_scope("inner"):
            assert (get_name_scope(), context().scope_name) == ("eager/inner", "eager/inner/")
        assert (get_name_scope(), context().scope_name) == ("graph", "graph/")
