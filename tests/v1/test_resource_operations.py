"""TensorFlow's internal operations on the handles of variables."""

from __future__ import annotations

import pytest
from steepest.v1.python.eager import context

import steepest.v1 as tf
from steepest.v1.variables import resource_ops


def test_operations_on_handles_are_those_on_variables():
    v = tf.Variable([1.0, 2.0], use_resource=True)
    with tf.Session() as session:
        assert not session.run(resource_ops.var_is_initialized_op(v.handle))
        session.run(v.initializer)
        session.run(resource_ops.assign_add_variable_op(v.handle, tf.constant([1.0, 1.0])))
        assert session.run(resource_ops.read_variable_op(v.handle, tf.float32)).tolist() == [2.0, 3.0]
        session.run(resource_ops.assign_sub_variable_op(v.handle, tf.constant([2.0, 2.0])))
        session.run(resource_ops.assign_variable_op(v.handle, 5.0 + v))
        assert session.run(resource_ops.resource_gather(v.handle, [1], tf.float32)).tolist() == [6.0]
        assert session.run(resource_ops.variable_shape(v.handle)).tolist() == [2]
    with pytest.raises(ValueError, match="dtype must be that of the variable, float32, got int32"):
        resource_ops.assign_variable_op(v.handle, tf.constant([1]))


def test_a_destroyed_variable_of_eager_mode_is_empty_until_it_is_assigned():
    with context.eager_mode():
        v = tf.Variable([1.0, 2.0], name="gone")
        resource_ops.destroy_resource_op(v.handle, ignore_lookup_error=False)
        for read in (v.read_value, v.numpy, lambda: v + 1.0, lambda: v[0]):
            with pytest.raises(tf.errors.FailedPreconditionError, match="reading resource variable gone"):
                read()
        with pytest.raises(tf.errors.NotFoundError, match=r"Resource localhost/gone/.* does not exist"):
            resource_ops.destroy_resource_op(v.handle, ignore_lookup_error=False)
        v.assign([5.0, 6.0])
        assert (v + 1.0).numpy().tolist() == [6.0, 7.0]


def test_a_handle_of_eager_mode_does_not_keep_its_variable():
    with context.eager_mode():
        v = tf.Variable(1.0, name="left")
        handle = v.handle
        assert "<unprintable>" in str(handle)
        with pytest.raises(ValueError, match="Cannot convert a Tensor of dtype resource to a NumPy array"):
            handle.numpy()
        del v
        with pytest.raises(tf.errors.NotFoundError, match=r"Resource localhost/left/.* does not exist"):
            resource_ops.read_variable_op(handle, tf.float32)
        assert resource_ops.destroy_resource_op(handle) is None


def test_handles_by_a_shared_name_are_of_one_variable():
    with context.eager_mode():
        first = resource_ops.var_handle_op(tf.float32, [], shared_name="same")
        resource_ops.assign_variable_op(first, 2.0)
        again = resource_ops.var_handle_op(tf.float32, [], shared_name="same")
        other = resource_ops.var_handle_op(tf.float32, [], container="elsewhere", shared_name="same")
        assert resource_ops.read_variable_op(again, tf.float32).numpy() == 2.0
        assert not resource_ops.var_is_initialized_op(other)
