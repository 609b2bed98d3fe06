"""TensorFlow's internal framework where its versions differ: settings, numbers of errors, functions as messages."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from steepest.v1.python.core.lib.core import error_codes_pb2
from steepest.v1.python.core.protobuf import config_pb2, rewriter_config_pb2
from steepest.v1.python.framework import errors_impl, function, graph_to_function_def, versions

import steepest.v1 as tf


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


def test_sparse_specs_make_values_of_arrays():
    parts = [np.array([[0], [8]]), np.array([1.0, 9.0]), np.array([100])]
    assert isinstance(tf.SparseTensorSpec()._from_components(parts), tf.SparseTensorValue)
