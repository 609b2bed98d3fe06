"""Graphs and operations where TensorFlow 2 differs: inputs are tuples, control dependencies are marked."""

from __future__ import annotations

import pytest
from steepest.v1.python.framework import ops

import steepest.v1 as tf


def test_inputs_cannot_be_changed_in_place():
    with tf.Graph().as_default():
        a, b = tf.constant(1), tf.constant(2)
        total = a + b
        assert (total.op.inputs, tf.Variable(1).assign(2).op.inputs[0].dtype.base_dtype) == ((a, b), tf.int32)
        with pytest.raises(AttributeError, match="'tuple' object has no attribute 'append'"):
            total.op.inputs.append(a)


def test_what_a_program_waits_for_is_marked():
    with tf.Graph().as_default():
        a, b = tf.constant(1.0), tf.constant(2.0)
        with tf.control_dependencies([a]):
            c = tf.identity(b)
        assert a.op.get_attr("_has_manual_control_dependencies") is True
        for other in (b, c):
            with pytest.raises(ValueError, match="no attr named '_has_manual_control_dependencies'"):
                other.op.get_attr("_has_manual_control_dependencies")


def test_initial_values_stay_at_the_device_that_is_named_within():
    outer, inner = tf.Graph(), tf.Graph()
    inner._building_function = True
    with outer.as_default(), tf.device("/cpu:0"), inner.as_default():
        with tf.device("/gpu:0"), ops.init_scope():
            near = tf.constant(1.0)
        with ops.init_scope():
            far = tf.constant(1.0)
        assert tf.constant(1.0).device == ""
        assert near.graph is far.graph is outer
    with outer.as_default():
        assert (near.device, far.device, tf.constant(1.0).device) == ("/device:GPU:0", "/device:CPU:0", "")


def test_the_current_name_scope_is_told():
    with tf.Graph().as_default(), tf.name_scope("a"), tf.name_scope("b"):
        assert ops.get_current_name_scope() == "a/b"


def test_shapes_are_kinds_of_others():
    shape, wider = tf.TensorShape([2, 3]), tf.TensorShape([2, None])
    assert all(shape.is_subtype_of(each) for each in (shape, wider, tf.TensorShape(None)))
    pairs = [(shape, tf.TensorShape([2])), (wider, shape), (tf.TensorShape(None), wider), (shape, 3)]
    assert not any(each.is_subtype_of(other) for each, other in pairs)
    common = shape.most_specific_common_supertype([wider, tf.TensorShape([4, 3])])
    assert (common.as_list(), shape.most_specific_common_supertype([3])) == ([None, None], None)


def test_a_callable_takes_what_a_run_takes():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder_with_default([1.0, 2.0], [2])
        double = session.make_callable(x * 2, [x])
        assert (double().tolist(), double([3, 4], options=tf.RunOptions()).tolist()) == ([2, 4], [6, 8])
        with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
            double(other=1)
        with pytest.raises(TypeError, match="takes a value for each of the 1 feeds, got 2"):
            double(1, 2)
        with pytest.raises(TypeError, match="`feed_list` must be a list or tuple"):
            session.make_callable(x * 2, x)
