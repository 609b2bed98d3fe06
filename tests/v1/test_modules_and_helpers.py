"""TensorFlow's internal modules that its tests import, and what its tests take from them."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.compat import compat
from steepest.v1.python.core.framework import types_pb2
from steepest.v1.python.core.protobuf import config_pb2
from steepest.v1.python.eager import context
from steepest.v1.python.framework import common_shapes, tensor_spec
from steepest.v1.python.lib.io import file_io
from steepest.v1.python.ops import array_ops, check_ops, confusion_matrix, gradient_checker_v2, math_ops
from steepest.v1.python.ops.losses import util
from steepest.v1.python.util import all_util, deprecation, function_utils, object_identity, tf_decorator

import steepest.v1 as tf
from steepest.v1.python import pywrap_tensorflow


def test_messages_have_numbers_and_settings():
    assert (types_pb2.DT_FLOAT, types_pb2.DT_INT64) == (1, 9)
    assert config_pb2.ConfigProto is tf.ConfigProto


def test_horizons_of_changes():
    assert compat.forward_compatible(2019, 8, 20)
    assert not compat.forward_compatible(2019, 8, 31)  # of a TensorFlow after 1.15
    with tf.compat.forward_compatibility_horizon(2019, 9, 1):
        assert tf.compat.forward_compatible(2019, 8, 31)
    with compat.forward_compatibility_horizon(2019, 1, 1):
        assert not compat.forward_compatible(2019, 8, 20)


def test_shapes_beside_each_other():
    assert common_shapes.broadcast_shape(tf.TensorShape([3]), tf.TensorShape([2, 1])) == [2, 3]
    assert not common_shapes.is_broadcast_compatible(tf.TensorShape([2]), tf.TensorShape([3]))
    with pytest.raises(ValueError, match="Incompatible shapes for broadcasting"):
        common_shapes.broadcast_shape(tf.TensorShape([2]), tf.TensorShape([3]))


def test_specs_of_tensors():
    spec = tensor_spec.TensorSpec([None, 2], tf.int32, "n")
    assert spec == tf.TensorSpec([None, 2], "int32", "n") != tf.TensorSpec([3, 2], "int32", "n")
    assert repr(spec) == "TensorSpec(shape=(?, 2), dtype=tf.int32, name='n')"
    assert spec.is_compatible_with(np.ones((4, 2), np.int32))
    assert not spec.is_compatible_with(np.ones((4, 3), np.int32))
    bounded = tensor_spec.BoundedTensorSpec((1, 2), tf.int32, (5, 5), 15)
    assert bounded.minimum.tolist() == [5, 5]
    assert not bounded.minimum.flags.writeable
    with pytest.raises(ValueError, match="minimum is not compatible"):
        tensor_spec.BoundedTensorSpec((3, 5), tf.int32, (0, 0, 0), 1)


def test_functions_with_arguments_in_another_order():
    with tf.Session() as session:
        assert session.run(math_ops.argmax_v2([[1, 2], [3, 0]], 1)).tolist() == [1, 0]
        assert session.run(array_ops.gather_v2([1, 2, 3], [2], None, 0)).tolist() == [3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="why"):
        check_ops.assert_equal_v2(1, 2, "why")


@pytest.mark.parametrize("known", [True, False])
def test_axes_of_size_one_go_where_they_are_too_many(known: bool):
    rng = np.random.default_rng(1)
    labels, predictions, weights = np.arange(3), rng.normal(size=(3, 1)), np.ones((3, 1))
    feeds: dict[Any, Any] = {}

    def given(value: Any) -> Any:
        if known:
            return tf.constant(value)
        node = tf.placeholder(value.dtype)
        feeds[node] = value
        return node

    with tf.Graph().as_default(), tf.Session() as session:
        found = confusion_matrix.remove_squeezable_dimensions(given(labels), given(predictions))
        assert [value.shape for value in session.run(found, feeds)] == [(3,), (3,)]
        found = confusion_matrix.remove_squeezable_dimensions(given(labels), given(predictions), expected_rank_diff=1)
        assert [value.shape for value in session.run(found, feeds)] == [(3,), (3, 1)]
        scaled = util.scale_losses_by_sample_weight(given(labels), given(weights))
        assert session.run(scaled, feeds).tolist() == [0, 1, 2]


def test_gradients_beside_differences_of_functions():
    def f(x: Any, y: Any) -> Any:
        return tf.matmul(x, y)

    def errors() -> float:
        pairs = gradient_checker_v2.compute_gradient(f, [tf.constant(np.eye(2)), tf.constant(np.ones((2, 3)))])
        assert [jacobian.shape for jacobian in pairs[0]] == [(6, 4), (6, 6)]
        return gradient_checker_v2.max_error(*pairs)

    with tf.Graph().as_default():
        assert errors() < 1e-9
    with context.eager_mode():
        assert errors() < 1e-9


def test_files_under_lower_case_names(tmp_path: Any):
    path = str(tmp_path / "a" / "b")
    file_io.recursive_create_dir(path)
    file_io.write_string_to_file(f"{path}/c", "text")
    assert file_io.read_file_to_string(f"{path}/c") == "text"
    file_io.atomic_write_string_to_file(f"{path}/c", "new")
    assert (file_io.list_directory(path), file_io.read_file_to_string(f"{path}/c")) == (["c"], "new")
    with pytest.raises(tf.errors.AlreadyExistsError):
        file_io.atomic_write_string_to_file(f"{path}/c", "newer", overwrite=False)
    assert file_io.list_directory(path) == ["c"]


def test_functions_of_functions():
    class Called:
        def __call__(self, a: int, b: int) -> None: ...

    assert function_utils.fn_args(Called()) == ("a", "b")
    assert function_utils.has_kwargs(lambda **kwargs: kwargs)
    assert function_utils.get_func_name(test_specs_of_tensors) == "test_specs_of_tensors"
    wrapped = tf_decorator.make_decorator(len, lambda x: len(x) + 1)
    assert (wrapped([]), tf_decorator.unwrap(wrapped)[1]) == (1, len)
    with deprecation.silence(), pytest.raises(ValueError, match="Cannot specify both"):
        deprecation.deprecated_argument_lookup("new", 1, "old", 2)
    one, other = [1], [1]
    assert len(object_identity.ObjectIdentitySet([one, other, one])) == 2


def test_modules_show_the_names_that_their_text_lists():
    module = types.ModuleType("listed", "Text.\n\n@@shown\n@@missing\n")
    module.__dict__.update(shown=1, hidden=2, allowed=3, _private=4)
    sys.modules["listed"] = module
    try:
        assert all_util.make_all("listed") == ["shown"]
        all_util.remove_undocumented("listed", ["allowed"])
        assert {name for name in vars(module) if not name.startswith("__")} == {"shown", "allowed", "_private"}
        all_util.reveal_undocumented("listed.hidden")
        assert module.hidden == 2
        with pytest.raises(LookupError, match=r"listed\.never is not a hidden symbol"):
            all_util.reveal_undocumented("listed.never")
    finally:
        del sys.modules["listed"]


TESTS = """
import sys
import types
import tensorflow as tf
from tensorflow.python.framework import test_util
from tensorflow.python.platform import googletest, test

class Cases(test.TestCase):
    def setUp(self):
        self.x = tf.constant(2.0)

    @test_util.run_deprecated_v1
    def test_nodes_of_set_up_are_in_the_graph(self):
        with self.cached_session():
            self.assertEqual((self.x + 1).eval(), 3.0)

    def test_old_sessions_are_one(self):
        v = tf.Variable(1.0)
        with self.test_session():
            v.initializer.run()
        with self.test_session():
            self.assertEqual(v.eval(), 1.0)

    def test_half_tolerances(self):
        x = np.array([1.0, 2.0], np.float16)
        self.assertAllCloseAccordingToType(x, x * 1.004, half_rtol=1e-2)
        with self.assertRaises(AssertionError):
            self.assertAllCloseAccordingToType(x, x * 1.004)

    def test_writes(self):
        with self.captureWritesToStream(sys.stderr) as writes:
            print("written", file=sys.stderr)
        self.assertEqual(writes.contents(), "written\\n")

    def test_threads(self):
        thread = self.checkedThread(lambda: 1 / 0)
        thread.start()
        with self.assertRaisesRegex(AssertionError, "division"):
            thread.join()

    def test_names_of_failed_operations(self):
        with self.cached_session(), self.assertRaisesOpError("Caused by: inner"):
            tf.identity(tf.matrix_inverse([[0.0]], name="inner")).eval()

    def test_one_session_evaluates_before_it_is_asked_for(self):
        variable = tf.Variable(1.0)
        self.evaluate(tf.global_variables_initializer())
        with self.cached_session() as session:
            self.assertEqual(session.run(variable + 1.0), 2.0)
        self.assertEqual(self.evaluate(variable), 1.0)

    def test_stubs(self):
        with googletest.StubOutForTesting() as stubs:
            stubs.Set(tf, "VERSION", "0")
            self.assertEqual(tf.VERSION, "0")
        self.assertNotEqual(tf.VERSION, "0")

    @test_util.run_v2_only
    def test_another_version(self):
        raise AssertionError

    @test_util.run_gpu_only
    def test_another_machine(self):
        raise AssertionError

class Speed(test.Benchmark):
    def benchmark(self):
        pass

import numpy as np
test.main()
"""


def test_a_test_case_does_what_tests_rely_on(tmp_path: Any):
    program = tmp_path / "cases.py"
    program.write_text(TESTS)
    done = subprocess.run([sys.executable, "-m", "steepest", "tf1", str(program)], text=True, capture_output=True)
    assert "OK (skipped=3)" in done.stderr, done.stderr  # test_session is the third


def test_operations_of_unknown_types():
    with tf.Graph().as_default() as graph:
        a = graph.create_op("Unknown", [], [tf.float32, tf.int32])
        with graph.control_dependencies([a]):
            b = graph.create_op("Other", [a.outputs[0]], [tf.float32], name="b")
            c = tf.constant(1.0)
            d = tf.identity(c)
        assert (a.name, b.name, [each.dtype.name for each in a.outputs]) == ("Unknown", "b", ["float32", "int32"])
        assert [b.control_inputs, c.op.control_inputs, d.op.control_inputs] == [[], [a], []]
        with tf.Session() as session, pytest.raises(tf.errors.NotFoundError, match="Op type not registered 'Unknown'"):
            session.run(b)
    graph.finalize()
    with pytest.raises(RuntimeError, match="finalized"):
        graph.create_op("Unknown", [])


def test_traces_of_runs_have_one_event_and_there_is_one_device():
    from steepest.v1.python.client import device_lib, timeline

    metadata = tf.RunMetadata()
    with tf.Graph().as_default(), tf.Session() as session:
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        assert session.run(tf.constant(2.0), options=options, run_metadata=metadata) == 2.0
    trace = timeline.Timeline(metadata.step_stats).generate_chrome_trace_format()
    device, whole_run = json.loads(trace)["traceEvents"]
    assert device["args"]["name"] == "/job:localhost/replica:0/task:0/device:CPU:0"
    assert whole_run["name"] == "Session.run"
    assert whole_run["dur"] > 0
    assert [(each.name, each.device_type) for each in device_lib.list_local_devices()] == [("/device:CPU:0", "CPU")]


def test_callables_of_a_session_are_made_of_names():
    options = config_pb2.CallableOptions()
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder("float32", [2], "x")
        options.feed.append(x.name)
        options.fetch.append((x + 1.0).name)
        called = session._make_callable_from_options(options)
        for number in range(3):
            (value,) = called([number, 2.0])
            assert value.tolist() == [number + 1.0, 3.0]


def test_products_of_second_derivatives_and_vectors():
    from steepest.v1.python.ops import gradients as module

    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.placeholder("float32", [2]), tf.placeholder("float32", [])
        vectors = [tf.constant([1.0, -1.0]), tf.constant(2.0)]
        products = module._hessian_vector_product(x[0] ** 2 * x[1] + y**3 * x[0], [x, y], vectors)
        got = session.run(products, {x: [1.0, 2.0], y: 3.0})
        np.testing.assert_array_equal(np.concatenate([got[0], got[1:]]), [56, 2, 63])  # TensorFlow 2.21
        with pytest.raises(ValueError, match="must have the same length"):
            module._hessian_vector_product(y, [x, y], vectors[:1])


def test_the_type_of_bfloat16():
    pytest.importorskip("ml_dtypes")
    assert pywrap_tensorflow.TF_bfloat16_type() is tf.bfloat16.as_numpy_dtype
