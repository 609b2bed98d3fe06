"""Arrays and shapes as messages, errors, loggers, scopes and templates: small parts that programs ask for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from steepest.v1.python.eager import graph_only_ops
from steepest.v1.python.framework import tensor_util
from steepest.v1.python.ops import control_flow_util

import steepest.v1 as tf


def test_arrays_go_through_messages_and_back():
    for value, dtype, want in (
        (10.0, None, np.float32(10)),
        ([[1, 2]], tf.float64, np.float64([[1, 2]])),
        ("a", None, np.array(b"a", object)),
        (np.arange(3, dtype=np.uint8), None, np.arange(3, dtype=np.uint8)),
    ):
        message = tf.make_tensor_proto(value, dtype)
        array = tf.make_ndarray(message)
        assert (array.dtype, array.tolist()) == (want.dtype, want.tolist())
        assert message.dtype == tf.as_dtype(want.dtype).as_datatype_enum == int(tf.as_dtype(want.dtype))
        assert tensor_util.ShapeEquals(message, list(want.shape))
    assert tf.make_ndarray(tf.make_tensor_proto([1, 2], shape=[2, 2])).tolist() == [[1, 2], [2, 2]]
    for options, error in (
        ({"values": [1, 2, 3], "shape": [2]}, ValueError),
        ({"values": [1, 2], "shape": [2, 3], "verify_shape": True}, TypeError),
        ({"values": 1.5, "dtype": tf.int32}, TypeError),
        ({"values": None}, ValueError),
    ):
        with pytest.raises(error):
            tf.make_tensor_proto(**options)
    with pytest.raises(TypeError, match="what make_tensor_proto returns"):
        tf.make_ndarray([1])


def test_shapes_go_through_messages_and_back():
    for sizes in ([1, None, 3], [], None):
        shape = tf.TensorShape(sizes)
        assert str(tf.TensorShape(shape.as_proto())) == str(shape)
    assert [each.size for each in tf.TensorShape([2, None]).as_proto().dim] == [2, -1]


def test_errors_may_be_given_their_code():
    assert tf.errors.UnknownError(None, None, "what", 3).error_code == 3
    assert tf.errors.UnknownError(None, None, "what").error_code == tf.errors.UNKNOWN


def test_initializers_hold_what_fits_and_are_made_again_of_their_settings():
    for value, dtype in ((1.5, tf.int32), ("a", tf.float32), ([1, "a"], tf.float32)):
        with pytest.raises(TypeError):
            tf.constant_initializer(value, dtype)([2])
    for value in ({"a": 1}, print):
        with pytest.raises(TypeError, match="Invalid type for initial value"):
            tf.constant_initializer(value)
    with tf.Session() as session:
        assert session.run(tf.constant_initializer("a", tf.string)([2])).tolist() == [b"a", b"a"]
    for make in (tf.glorot_uniform_initializer, tf.glorot_normal_initializer, tf.orthogonal_initializer):
        first = make(seed=3)
        assert type(first).from_config(first.get_config()).get_config() == first.get_config()


def test_scopes_and_templates_show_what_they_were_made_with():
    with tf.variable_scope("a", use_resource=True, caching_device="/cpu:0"), tf.variable_scope("b") as scope:
        assert (scope.use_resource, scope.caching_device) == (True, "/cpu:0")
    with tf.variable_scope("c") as scope:
        assert (scope.use_resource, scope.caching_device) == (None, None)
    template = tf.make_template("t", lambda: tf.get_variable("v", [1]), create_scope_now_=True)
    assert template.var_scope.name == "t"


def test_piecewise_values_may_be_integers():
    with tf.Session() as session:
        value = session.run(tf.train.piecewise_constant(5.0, [5.0, 6.0], [1, 2, 3]))
    assert (value.dtype, value) == (np.int32, 1)


def test_half_precision_moments_are_taken_in_float32():
    with tf.Session() as session:
        mean, variance = session.run(tf.nn.moments(tf.constant(np.full((4000, 1), 30.0), tf.float16), [0]))
    assert (mean.dtype, mean.tolist(), variance.tolist()) == (np.float16, [30.0], [0.0])


def test_under_tensorflows_name_programs_find_their_messages_in_its_logger(tmp_path: Path):
    program = tmp_path / "program.py"
    program.write_text(
        "import logging\nimport tensorflow as tf\nseen = []\n"
        "handler = logging.Handler()\nhandler.emit = lambda record: seen.append(record.getMessage())\n"
        "logging.getLogger('tensorflow').addHandler(handler)\ntf.logging.set_verbosity(tf.logging.INFO)\n"
        "tf.logging.info('loss %d', 3)\nprint(seen)\n"
    )
    command = [sys.executable, "-m", "steepest", "tf1", str(program)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "['loss 3']\n"


def test_the_devices_of_a_process():
    config = tf.config
    (cpu,) = config.list_physical_devices()
    assert (cpu.device_type, config.experimental.list_physical_devices("GPU")) == ("CPU", [])
    assert [each.name for each in config.list_logical_devices("CPU")] == ["/device:CPU:0"]
    parts = [config.LogicalDeviceConfiguration()] * 2
    config.experimental.set_virtual_device_configuration(cpu, parts)
    assert [each.name for each in config.list_logical_devices("CPU")] == ["/device:CPU:0", "/device:CPU:1"]
    assert config.get_logical_device_configuration(cpu) == parts
    config.set_logical_device_configuration(cpu, parts[:1])
    with pytest.raises(ValueError, match="logical_devices must not be empty"):
        config.set_logical_device_configuration(cpu, [])
    config.set_visible_devices([cpu], "CPU")
    config.set_visible_devices(cpu)
    assert config.get_visible_devices() == [cpu]
    for gpu in config.experimental.list_physical_devices("GPU"):  # what programs do where there is one
        config.experimental.set_memory_growth(gpu, True)
    with pytest.raises(ValueError, match="Cannot set memory growth"):
        config.experimental.set_memory_growth(cpu, True)
    with pytest.raises(ValueError, match=r"tf.config.set_visible_devices: device must be one of"):
        config.set_visible_devices("GPU:0")
    config.optimizer.set_jit(True)
    config.threading.set_inter_op_parallelism_threads(2)
    assert (config.optimizer.get_jit(), config.threading.get_inter_op_parallelism_threads()) == ("autoclustering", 2)
    config.optimizer.set_jit(False)
    config.threading.set_inter_op_parallelism_threads(0)
    with pytest.raises(AttributeError, match=r"tf\.config\.no_such is not here"):
        _ = config.no_such


def test_settings_of_debugging_are_kept():
    assert tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.disable_traceback_filtering()
    assert not tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.enable_traceback_filtering()


def test_variables_and_tensors_take_attributes_of_a_program():
    variable, tensor = tf.Variable(1.0), tf.constant(2.0)
    variable._uses_learning_phase, tensor._keras_shape = False, (None, 2)
    assert (variable._uses_learning_phase, tensor._keras_shape) == (False, (None, 2))
    assert not hasattr(tf.Variable(1.0), "_uses_learning_phase")
    assert tensor.shape._dims == []


def test_what_keras_asks_of_objects():
    from steepest.v1.python.framework import ops

    variable, tensor = tf.Variable(1.0), tf.constant(2.0)
    sparse = tf.SparseTensor([[0]], [1.0], [2])
    kinds = [isinstance(each, ops._TensorLike) for each in (tensor, sparse, variable, 3.0)]
    assert kinds == [True, True, False, False]
    assert [ops.is_dense_tensor_like(each) for each in (tensor, sparse, variable, 3.0)] == [True, False, True, False]
    assert ops._as_graph_element(tensor) is None
    assert ops._as_graph_element(variable) is variable._tensor()


def test_settings_that_change_nothing():
    bodies = []
    body = tf.function(lambda x: bodies.append(1) or x + 1.0)
    for eagerly in (True, False):
        tf.config.run_functions_eagerly(eagerly)
        body(tf.constant(1.0))
    assert len(bodies) == 2  # made at each call, whatever was set
    graph = tf.get_default_graph()
    control_flow_util.enable_control_flow_v2()
    asked = control_flow_util.EnableControlFlowV2, control_flow_util.GraphOrParentsInXlaContext
    assert [ask(graph) for ask in asked] == [False, False]
    assert control_flow_util.control_flow_v2_enabled() is False
    assert control_flow_util.GetContainingXLAContext(None) is None


def test_what_a_matrix_cannot_be_said_to_be():
    made = tf.linalg.LinearOperatorFullMatrix
    with pytest.raises(ValueError, match="A positive definite matrix is always non-singular"):
        made(np.eye(2), is_positive_definite=True, is_non_singular=False)
    with pytest.raises(ValueError, match="A self-adjoint matrix is always square"):
        made(np.eye(2), is_self_adjoint=True, is_square=False)
    plain, positive = made(np.eye(2)), made(np.eye(2), is_self_adjoint=True, is_positive_definite=True)
    assert (plain.is_non_singular, plain.is_self_adjoint, plain.is_positive_definite) == (None, None, None)
    assert (positive.is_non_singular, positive.is_square) == (True, True)


def test_variables_that_gradients_flow_to():
    dependent = tf.python.ops.custom_gradient.get_dependent_variables
    with tf.Graph().as_default():
        v, w = tf.get_variable("v", []), tf.get_variable("v_more", [], trainable=False)
        x = tf.constant(2.0)
        behind = tf.identity(v) * 5.0
        assert dependent([x], [x + v + w]) == [v]
        assert dependent([behind], [tf.identity(behind) + 5.0]) == []
        assert dependent({"x": x}, {"y": [x + tf.ones_like(v)]}) == []


def test_operations_of_graphs_under_their_eager_names():
    with tf.Graph().as_default(), tf.Session() as session:
        fed = graph_only_ops.graph_placeholder(tf.int32, shape=(1,))
        assert session.run([fed, graph_only_ops.graph_zeros_like(np.ones(2, np.int32))], {fed: [7]})[0].tolist() == [7]


def test_average_losses_of_one_replica():
    losses, weights = np.float32([[1, 2], [3, 5]]), np.float32([2, 0.5])
    with tf.Graph().as_default(), tf.Session() as session:
        asked = [
            (tf.nn.compute_average_loss(losses[:, 0]), 2.0),
            (tf.nn.compute_average_loss(losses, weights), (2 * 3 + 0.5 * 8) / 2),
            (tf.nn.compute_average_loss(losses, global_batch_size=8), 11 / 8),
            (tf.nn.scale_regularization_loss(losses), 11.0),
        ]
        for node, want in asked:
            assert session.run(node) == want
        with pytest.raises(ValueError, match="at least rank 1"):
            tf.nn.compute_average_loss(1.0)
        assert not tf.control_flow_v2_enabled()


def test_shapes_are_no_texts():
    for text in ("34", b"34"):
        with pytest.raises(TypeError, match="A string has ambiguous TensorShape"):
            tf.TensorShape(text)
        assert (tf.TensorShape([3, 4]) != text) is True


def test_specs_of_batches():
    for kind in (tf.TensorSpec, tf.SparseTensorSpec):
        spec = kind([2, None], tf.int32)
        assert spec._batch(32) == kind([32, 2, None], tf.int32)
        assert spec._batch(None)._unbatch() == spec
        with pytest.raises(ValueError, match="rank >= 1"):
            kind([], tf.int32)._unbatch()


def test_shapes_and_sizes_become_tensors():
    for shape, known in (([1, tf.Dimension(2)], [1, 2]), ((), []), (tf.TensorShape([3]), [3])):
        tensor = tensor_util.shape_tensor(shape)
        assert tensor.dtype == tf.int32
        assert tensor_util.constant_value(tensor).tolist() == known


def test_slices_are_tensors_and_their_values_none():
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
    assert tf.is_tensor(slices)
    assert not tf.is_tensor(tf.SparseTensorValue([[0]], [1.0], [1]))


def test_messages_have_their_public_names():
    assert tf.MetaGraphDef is tf.train.export_meta_graph().__class__
    assert tf.NameAttrList(name="f").name == "f"
    assert tf.TensorInfo is type(tf.saved_model.build_tensor_info(tf.constant(1.0)))
    assert {dtype for dtype in tf.QUANTIZED_DTYPES if dtype.is_quantized} == tf.dtypes.QUANTIZED_DTYPES


def test_settings_without_effect_are_kept_and_checked():
    assert (tf.config.experimental.get_device_policy(), tf.config.experimental.get_synchronous_execution()) == (
        "silent",
        True,
    )
    try:
        tf.config.experimental.set_device_policy("warn")
        tf.config.experimental.set_synchronous_execution(False)
        assert tf.config.experimental.get_device_policy() == "warn"
        assert not tf.config.experimental.get_synchronous_execution()
    finally:
        tf.config.experimental.set_device_policy(None)
        tf.config.experimental.set_synchronous_execution(None)
    with pytest.raises(ValueError, match="Not a valid device policy: 'loud'"):
        tf.config.experimental.set_device_policy("loud")


def _doubled(x):
    return 2 * x


def test_code_stays_as_it_is_written():
    assert tf.autograph.to_graph(_doubled)(3) == 6
    assert "return 2 * x" in tf.autograph.to_code(_doubled)
