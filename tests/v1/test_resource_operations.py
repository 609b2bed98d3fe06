"""TensorFlow's internal operations on the handles of variables."""

from __future__ import annotations

import pytest

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
