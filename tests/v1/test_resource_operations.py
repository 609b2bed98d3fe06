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


def test_a_destroyed_resource_of_eager_mode_is_empty_until_it_is_assigned():
    with context.eager_mode():
        handle = resource_ops.var_handle_op(tf.float32, [2], shared_name="gone")
        resource_ops.assign_variable_op(handle, [1.0, 2.0])
        resource_ops.destroy_resource_op(handle, ignore_lookup_error=False)
        with pytest.raises(tf.errors.FailedPreconditionError, match="reading resource variable gone"):
            resource_ops.read_variable_op(handle, tf.float32)
        with pytest.raises(tf.errors.NotFoundError, match=r"Resource localhost/gone/.* does not exist"):
            resource_ops.destroy_resource_op(handle, ignore_lookup_error=False)
        resource_ops.assign_variable_op(handle, [5.0, 6.0])
        assert resource_ops.read_variable_op(handle, tf.float32).numpy().tolist() == [5.0, 6.0]


def test_a_variable_of_eager_mode_keeps_its_value_whatever_is_destroyed():
    with context.eager_mode():
        v = tf.Variable([1.0, 2.0])
        resource_ops.destroy_resource_op(v.handle, ignore_lookup_error=False)
        assert v.numpy().tolist() == [1.0, 2.0]


def test_changes_of_resources_have_the_types_of_theirs():
    v, reference = tf.Variable(1.0, use_resource=True), tf.Variable(1.0, use_resource=False)
    for change in ("assign", "assign_add", "assign_sub"):
        type_of_reference = getattr(reference, change)(1.0).op.type
        assert getattr(v, change)(1.0).op.type == f"{type_of_reference}VariableOp"
    assert (v.initializer.type, reference.initializer.type) == ("AssignVariableOp", "Assign")
    again = v.assign(2.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(again.assign_add(3.0).assign_sub(1.0)) == 4.0


def test_a_copy_in_another_graph_has_no_initial_value():
    v = tf.Variable([0, 1], name="copied", use_resource=True)
    with tf.Graph().as_default():
        copied = resource_ops.copy_to_graph_uninitialized(v)
        assert (copied.name, copied.initializer, copied.shape, copied.dtype) == ("copied:0", None, [2], tf.int32)


def test_rows_of_a_resource_have_no_negative_number_of_batch_axes():
    for mode, error in ((context.graph_mode, ValueError), (context.eager_mode, tf.errors.InvalidArgumentError)):
        with mode():
            v = tf.Variable([1], use_resource=True)
            with pytest.raises(error, match="batch_dims is negative"):
                resource_ops.resource_gather(v.handle, [0], tf.int32, batch_dims=-1)


def test_a_handle_of_eager_mode_does_not_keep_its_variable():
    with context.eager_mode():
        v = tf.Variable(1.0, name="left")
        handle = v.handle
        assert "<ResourceHandle(name=" in str(handle)
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


@pytest.mark.parametrize("eager", [True, False])
@pytest.mark.parametrize(("which", "expected"), [("max", [5.0, 9.0, 3.0]), ("min", [1.0, 2.0, 3.0])])
def test_the_larger_or_the_smaller_elements_are_kept_at_positions(eager, which, expected):
    first = [1.0, 9.0, 3.0] if which == "max" else [1.0, 2.0, 4.0]
    with context.eager_mode() if eager else context.graph_mode():
        v = tf.Variable(first, use_resource=True)
        by_method = getattr(v, f"scatter_nd_{which}")
        by_handle = getattr(resource_ops, f"resource_scatter_nd_{which}")
        where, updates = [[0], [2]], [5.0, 3.0]
        if eager:
            assert by_method(where, updates).numpy().tolist() == expected
            by_handle(v.handle, where, updates)
            assert v.numpy().tolist() == expected
            return
        with tf.Session() as session:
            session.run(v.initializer)
            assert session.run(by_method(where, updates)).tolist() == expected
            session.run([v.initializer])
            session.run(by_handle(v.handle, where, updates))
            assert session.run(v).tolist() == expected
