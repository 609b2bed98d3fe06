"""What is known of variables, and the classes by which TensorFlow's internal modules name them."""

from __future__ import annotations

import copy
import pickle

import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.framework import composite_tensor, type_spec
from steepest.v1.python.ops import resource_variable_ops, variable_v1, variables
from steepest.v1.python.util import nest

import steepest.v1 as tf

VariableSpec = resource_variable_ops.VariableSpec


@pytest.mark.parametrize("mode", [context.graph_mode, context.eager_mode])
def test_a_spec_tells_of_a_variable(mode):
    with mode():
        v = tf.Variable([[1.0, 2.0]], shape=[1, None], use_resource=True, trainable=False)
        spec = type_spec.type_spec_from_value(v)
        assert spec == v._type_spec == VariableSpec([1, None], tf.float32, False)
        assert isinstance(v, composite_tensor.CompositeTensor)
        assert nest.flatten([v], expand_composites=True) == [v]
        assert spec.is_compatible_with(v)
        assert not VariableSpec([3], trainable=False).is_compatible_with(v)
        assert not VariableSpec(None, tf.int32).is_compatible_with(tf.constant(1))
        (handle,) = spec._to_components(v)
        assert handle is v.handle
        assert spec._from_components([handle]) is v
        with pytest.raises(ValueError, match="must be a resource tensor"):
            spec._from_components([tf.constant(1.0)])
        with pytest.raises(ValueError, match="must only contain its resource handle"):
            spec._from_components([handle, handle])
        with pytest.raises(TypeError, match="must be a list or tuple"):
            spec._from_components(handle)
        told = resource_variable_ops.get_eager_safe_handle_data(handle)
        assert told.is_set
        assert told.shape_and_type[0].dtype == tf.float32.as_datatype_enum
        assert not resource_variable_ops.get_eager_safe_handle_data(tf.constant(1)).is_set


def test_specs_are_compared():
    spec, wider = VariableSpec([1, 3], alias_id=1), VariableSpec(None, alias_id=1)
    assert spec.is_subtype_of(wider)
    assert not wider.is_subtype_of(spec)
    assert spec.most_specific_common_supertype([VariableSpec([1, 2], alias_id=1)]) == VariableSpec(
        [1, None], alias_id=1
    )
    assert spec.most_specific_common_supertype([VariableSpec([1, 2], tf.int32, alias_id=1)]) is None
    for compare in (spec.is_subtype_of, lambda other: spec.most_specific_common_supertype([other])):
        with pytest.raises(NotImplementedError, match="alias_id"):
            compare(VariableSpec(None))
    with pytest.raises(NotImplementedError, match="alias_id"):
        VariableSpec(None).is_subtype_of(spec)
    assert repr(VariableSpec([1, 3], tf.int32)) == (
        "VariableSpec(shape=(1, 3), dtype=tf.int32, trainable=True, alias_id=None)"
    )
    assert hash(VariableSpec((1, 3))) == hash(((1, 3), tf.float32, True, None))


def test_internal_modules_have_two_classes_of_variables():
    later = variables.Variable(1.0)
    assert isinstance(later, resource_variable_ops.ResourceVariable)
    assert repr(later) == "<tf.Variable 'Variable:0' shape=() dtype=float32>"
    reference = variable_v1.VariableV1(1.0, use_resource=False)
    assert not isinstance(reference, resource_variable_ops.ResourceVariable)
    assert all(isinstance(each, variables.Variable) for each in (later, reference))
    assert issubclass(variable_v1.VariableV1, variables.Variable)
    with pytest.raises(TypeError, match="collections"):
        variables.Variable(1.0, collections=[])
    with context.eager_mode():
        assert isinstance(tf.Variable(1.0), variables.Variable)


def test_a_variable_of_a_handle_is_that_one():
    v = tf.Variable(1.0, use_resource=True)
    same = resource_variable_ops.ResourceVariable(trainable=False, shape=(), dtype=tf.float32, handle=v.handle)
    assert same.handle is v.handle
    assert (same.trainable, v.trainable) == (False, True)
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(same.assign(2.0))
        assert session.run(v) == 2.0


def test_a_message_without_an_initial_value_makes_a_variable_without_one():
    message = tf.Variable(3.0).to_proto()
    message.ClearField("initial_value_name")
    v = tf.Variable(variable_def=message)
    assert v.initial_value is None
    assert v.to_proto() == message


def test_a_cached_variable_is_made_of_its_message():
    v = tf.Variable(3.0, caching_device="cpu:0", use_resource=True)
    assert tf.Variable.from_proto(v.to_proto()) is v


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_copies_of_an_eager_variable_are_kept_alike_as_it_is(copied):
    with context.eager_mode():
        how, together = tf.VariableSynchronization.ON_READ, tf.VariableAggregation.SUM
        v = tf.Variable(1.0, synchronization=how, aggregation=together)
        assert (copied(v).synchronization, copied(v).aggregation) == (how, together)
        assert tf.Variable(1.0).aggregation == tf.VariableAggregation.NONE
