"""Names of small namespaces that programs take beside their work: `tf.xla`, devices, marks for AutoGraph."""

from __future__ import annotations

import pytest

import steepest.v1 as tf


def test_compiled_parts_compute_what_their_functions_do():
    v = tf.get_variable("v", initializer=2.0)
    (added,) = tf.xla.experimental.compile(lambda a, b: a + b, [v, 3.0])
    first, changed = tf.contrib.compiler.xla.compile(lambda a: (a, v.assign(7.0).op), [1.0])
    nothing = tf.xla.experimental.compile(lambda: None)
    with tf.contrib.compiler.jit.experimental_jit_scope():
        twice = v * 2.0
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run([added, twice]) == [5.0, 4.0]
        assert session.run([nothing, changed]) == [None, None]
        assert session.run(first) == 1.0
        session.run(v.initializer)
        session.run(first)  # after what else the function has made
        assert session.run(v) == 7.0
    with pytest.raises(TypeError, match="inputs must be a list"):
        tf.xla.experimental.compile(lambda a: a, v)


def test_what_programs_say_of_devices_and_of_autograph(caplog: pytest.LogCaptureFixture):
    assert tf.config.experimental_list_devices() == ["/job:localhost/replica:0/task:0/device:CPU:0"]
    assert tf.autograph.experimental.Feature.LISTS in tf.autograph.experimental.Feature
    tf.autograph.experimental.set_loop_options(maximum_iterations=3)
    tf.logging.TaskLevelStatusMessage("it is done")
    assert "it is done" in caplog.text


def test_bfloat16_has_its_second_places():
    pytest.importorskip("ml_dtypes")
    assert tf.dtypes.bfloat16 == tf.bfloat16 == tf.to_bfloat16(1.0).dtype


def test_what_old_programs_ask_graphs_and_variables():
    v = tf.get_variable("v", initializer=2.0)
    assert v._as_graph_element() is v._ref()
    with tf.name_scope("outer"), tf.name_scope("inner"):
        assert tf.get_default_graph()._name_stack == "outer/inner"
    assert tf.repeat([1, 2], 2, name="again").name == "again/Reshape:0"


def test_printed_tensors_say_where_they_are():
    """What they print is TensorFlow's."""
    with tf.device("/cpu:0"):
        one = tf.constant(1.0, name="one")
    assert str(one) == 'Tensor("one:0", shape=(), dtype=float32, device=/device:CPU:0)'
    assert str(one + 1.0) == 'Tensor("add:0", shape=(), dtype=float32)'


def test_what_a_placeholder_has_by_default_is_named_below_it():
    tf.placeholder_with_default(False, (), name="training")
    with tf.name_scope("inner"):
        tf.placeholder_with_default([1, 2], [None])
    tf.placeholder_with_default(tf.constant(3, name="own"), ())
    names = [op.name for op in tf.get_default_graph().get_operations()]
    assert names[:2] == ["training/input", "training"]
    assert names[2:4] == ["inner/PlaceholderWithDefault/input", "inner/PlaceholderWithDefault"]
    assert names[4:] == ["own", "PlaceholderWithDefault"]
