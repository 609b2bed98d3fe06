"""Forms of TensorFlow's own tests: modes of a test, internal names, layers, stores, fetches of other types, checks."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.client import session as session_module
from steepest.v1.python.eager import context
from steepest.v1.python.framework import device, ops, tensor_shape, test_util
from steepest.v1.python.ops import control_flow_ops, math_ops, variable_scope
from steepest.v1.python.util import nest, tf_inspect

import steepest.v1 as tf

TESTS = """
import steepest.v1 as tf
from steepest.v1.python.eager import context
from steepest.v1.python.framework import test_util

MODES = []

class Both(tf.test.TestCase):
    @test_util.run_in_graph_and_eager_modes
    def test_both(self):
        MODES.append(context.executing_eagerly())
        with tf.variable_scope("s"):
            v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), regularizer=tf.reduce_sum)
        self.evaluate(tf.global_variables_initializer())
        self.assertAllEqual(self.evaluate(v + 1), [2.0, 2.0])
        self.assertEqual(v.name, "s/v:0")
        self.assertEqual(self.evaluate(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)), [2.0])

    @test_util.run_deprecated_v1
    def test_graph(self):
        MODES.append("graph" if not context.executing_eagerly() else "eager")
        with self.cached_session():
            self.assertEqual(tf.constant(2.0).eval(), 2.0)

@test_util.run_all_in_graph_and_eager_modes
class All(tf.test.TestCase):
    def test_one(self):
        MODES.append(context.executing_eagerly())

import unittest
done = unittest.main(argv=["x"], exit=False, verbosity=0)
print(done.result.wasSuccessful(), sorted(map(str, MODES)), tf.executing_eagerly())
"""


def test_a_test_runs_in_both_modes():
    done = subprocess.run([sys.executable, "-c", TESTS], text=True, capture_output=True, timeout=120)
    assert done.stdout.split("\n")[0] == "True ['False', 'False', 'True', 'True', 'graph'] False", done.stderr


def test_eager_mode_is_left_again():
    with context.eager_mode():
        assert tf.executing_eagerly()
        assert (tf.constant(1.0) + 1).numpy() == 2.0
        with context.graph_mode():
            assert not tf.executing_eagerly()
            assert tf.constant(1.0).graph is tf.get_default_graph()
        assert tf.executing_eagerly()
    assert not tf.executing_eagerly()
    with pytest.raises(ValueError, match="only supports test methods"):
        test_util.run_in_graph_and_eager_modes(tf.test.TestCase)


def test_variables_of_a_store_are_shared_and_copied():
    with context.eager_mode():
        store = tf.contrib.eager.EagerVariableStore()
        with store.as_default():
            v = tf.get_variable("v", [])
            w = tf.get_variable("w", [], trainable=False)
            assert tf.get_variable("v", []) is v
        assert tf.get_variable("v", []) is not v
        assert [len(part) for part in (store.variables(), store.trainable_variables())] == [2, 1]
        assert store.non_trainable_variables()[0] is w
        copied = store.copy()
        for variable in copied.variables():
            variable.assign(7.0)
        assert v.numpy() != 7.0
        assert [u.numpy() for u in copied.variables()] == [7.0, 7.0]
        assert [u.name for u in copied.variables()] == ["v:0", "w:0"]


def test_internal_names():
    with tf.name_scope("a"), tf.name_scope("b"):
        assert ops.get_name_scope() == "a/b"
    assert not ops.has_default_graph()
    with tf.Graph().as_default():
        assert ops.has_default_graph()
    names = ["in/a", "^in/a", "loc:@in/a", "inn/a", "in"]
    assert [ops.strip_name_scope(name, "in") for name in names] == ["a", "^a", "loc:@a", "inn/a", "in"]
    assert [ops.prepend_name_scope(name, "s") for name in ("a", "^a", "loc:@a")] == ["s/a", "^s/a", "loc:@s/a"]
    assert tensor_shape.unknown_shape(2).as_list() == [None, None]
    assert tensor_shape.matrix(2, None).as_list() == [2, None]
    assert device.canonical_name("/job:a/cpu:0") == "/job:a/device:CPU:0"
    assert nest.flatten([1, [2]]) == [1, 2]
    assert tf_inspect.getargspec(lambda a, b: a).args == ["a", "b"]
    v = tf.Variable([[1.0], [2.0]])
    slices = math_ops._as_indexed_slices(v)
    done = control_flow_ops.with_dependencies([v.assign_add([[1.0], [1.0]])], tf.constant(3.0))
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run([slices.indices, slices.dense_shape])[1].tolist() == [2, 1]
        assert session.run(done) == 3.0
        assert session.run(v).tolist() == [[2.0], [3.0]]


def test_the_store_of_a_graph():
    store = variable_scope._get_default_variable_store()
    v = store.get_variable("v", [1])
    assert store.get_variable("v", [1]) is v
    with pytest.raises(ValueError, match="already exists"):
        store.get_variable("v", [1], reuse=False)
    with pytest.raises(ValueError, match="does not exist"):
        store.get_variable("u", [1], reuse=True)
    assert [each.name for each in store._vars.values()] == ["v:0"]


class _Scaled(tf.layers.Layer):
    def build(self, input_shape: Any) -> None:
        self.scale = self.add_variable("scale", [], regularizer=lambda v: v * v, initializer=tf.ones_initializer())

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        self.add_update(tf.identity(inputs))
        return inputs * self.scale


def test_losses_and_updates_of_a_layer():
    layer = _Scaled(name="scaled", activity_regularizer=tf.reduce_sum)
    assert layer.dtype is None
    layer(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    layer.add_loss(tf.constant(5.0))
    assert layer.dtype == "float32"
    collected = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert layer.losses == [*collected[1:], collected[0]]  # those of weights come last
    assert layer.updates == tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(layer.losses) == [10.0 / 2, 5.0, 1.0]
        assert len(session.run(layer.updates)) == 1
    with context.eager_mode():
        layer = _Scaled(name="scaled")
        layer(tf.constant([1.0]))
        layer.scale.assign(3.0)
        assert [loss.numpy() for loss in layer.losses] == [9.0]


def test_updates_of_a_normalization():
    layer = tf.layers.BatchNormalization()
    layer(tf.ones([2, 3]), training=True)
    assert len(layer.updates) == 2
    assert layer.updates == tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    assert [v.name.rpartition("/")[2] for v in (layer.gamma, layer.moving_variance)] == ["gamma:0", "moving_variance:0"]
    with pytest.raises(ValueError, match="Invalid axis: 5"):
        tf.layers.BatchNormalization(axis=5)(tf.ones([2, 3]))
    with pytest.raises(AttributeError, match="no attribute 'delta'"):
        layer.delta  # noqa: B018


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"ndim": 2}, "expected ndim=2, found ndim=3"),
        ({"max_ndim": 2}, "expected max_ndim=2"),
        ({"min_ndim": 4}, "expected min_ndim=4"),
        ({"axes": {-1: 7}}, "expected axis -1 of input shape to have value 7"),
        ({"shape": (None, 3, None)}, r"expected shape=\(None, 3, None\), found shape=\[5, 2, 4\]"),
    ],
)
def test_what_a_layer_asks_of_its_inputs(spec: dict[str, Any], message: str):
    layer = tf.layers.Layer()
    layer.input_spec = tf.layers.InputSpec(**spec)
    with pytest.raises(ValueError, match=f"{message}.*Full shape received: \\[5, 2, 4\\]"):
        layer(tf.ones([5, 2, 4]))


def test_types_of_a_program_are_fetched_and_fed():
    class Squared:
        def __init__(self, x: Any) -> None:
            self.node = tf.square(x)

    register = session_module.register_session_run_conversion_functions
    register(Squared, lambda s: ([s.node], lambda found: found[0]), lambda s, value: [(s.node, value)])
    with pytest.raises(ValueError, match="already been registered"):
        register(Squared, lambda s: ([s.node], lambda found: found[0]))
    squared = Squared(tf.constant([1.0, 3.0]))
    with tf.Session() as session:
        assert session.run(squared).tolist() == [1.0, 9.0]
        assert session.run({"a": [squared]})["a"][0].tolist() == [1.0, 9.0]
        assert session.run(squared.node + 1, {squared: [5.0, 6.0]}).tolist() == [6.0, 7.0]


def test_sessions_tell_of_their_settings():
    config = tf.ConfigProto(device_count={"CPU": 2}, log_device_placement=True)
    config.graph_options.rewrite_options.shape_optimization = 1
    config.session_inter_op_thread_pool.add(num_threads=1)
    with tf.Session("grpc://host:1", config=config) as session:
        assert [each.name[-5:] for each in session.list_devices()] == ["CPU:0", "CPU:1"]
        assert session.sess_str == b"grpc://host:1"


def test_a_check_tells_where_arrays_differ():
    with context.eager_mode():
        x, y = tf.constant([[2, 2], [3, 3], [6, 6]]), tf.constant([[20, 2], [3, 30], [60, 6]])
        with pytest.raises(tf.errors.InvalidArgumentError) as error:
            tf.assert_equal(x, y, message="they differ", summarize=2)
    assert error.value.message.split("\n") == [
        "they differ",
        "Condition x == y did not hold.",
        "Indices of first 2 different values:",
        "[[0 0]",
        " [1 1]]",
        "Corresponding x values:",
        "[2 3]",
        "Corresponding y values:",
        "[20 30]",
        "First 2 elements of x:",
        "[2 2]",
        "First 2 elements of y:",
        "[20  2]",
        "",
    ]


def test_strings_that_end_in_nul_are_told_apart() -> None:
    case = tf.test.TestCase()
    case.assertAllEqual([b"a", b"b\x00"], np.array([b"a", b"b\x00"], object))
    with pytest.raises(AssertionError):
        case.assertAllEqual([b"b"], [b"b\x00"])


def test_objects_say_by_a_method_what_tensor_they_are() -> None:
    class Celsius:
        def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
            return tf.constant([20.0, 30.0], dtype, name=name)

    with tf.Graph().as_default(), tf.Session() as session:
        np.testing.assert_array_equal(session.run(Celsius() * tf.constant(2.0) + tf.identity(Celsius())), [60.0, 90.0])
    with context.eager_mode():
        np.testing.assert_array_equal(tf.reduce_sum(Celsius()), 50.0)
