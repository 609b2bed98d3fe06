"""Classes of a program's own that are made of several tensors, and which of their parts have gradients."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.framework import composite_tensor_gradient, extension_type, type_spec
from steepest.v1.python.util import nest

import steepest.v1 as tf


class Masked(extension_type.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor = True
    count: int = 3

    def __validate__(self):
        self.values.shape.assert_is_compatible_with(self.mask.shape)


class _OfValues(composite_tensor_gradient.CompositeTensorGradient):
    def get_gradient_components(self, value):
        return value.values

    def replace_gradient_components(self, value, component_grads):
        return Differentiable(component_grads, value.mask)


class Differentiable(Masked):
    __composite_gradient__ = _OfValues()


def test_a_value_holds_what_its_annotations_say_and_does_not_change():
    with context.eager_mode():
        made = Masked([1.0, 2.0], [True, False], count=4)
        assert made.values.dtype == tf.float32
        assert made.count == 4
        assert [part.numpy().tolist() for part in nest.flatten(made, expand_composites=True)] == [
            [1.0, 2.0],
            [True, False],
        ]
        with pytest.raises(AttributeError, match="Cannot mutate attribute `count`"):
            made.count = 5
        with pytest.raises(TypeError, match="count: expected 'int', got 'str'"):
            Masked(1.0, count="x")
        with pytest.raises(ValueError, match=r"not compatible|incompatible"):
            Masked([1.0])
        with pytest.raises(AssertionError, match="abstract base class"):
            extension_type.ExtensionType()


def test_two_values_are_equal_where_their_tensors_are():
    with context.eager_mode():
        one = Masked([1.0, 2.0], [True, False])
        assert bool(one == Masked([1.0, 2.0], [True, False]))
        assert bool(one != Masked([1.0, 2.0], [True, True]))
        assert (one == Masked([1.0], [True])) is False  # of other shapes


def test_a_class_with_a_constructor_of_its_own_must_set_all_fields():
    class Doubled(extension_type.ExtensionType):
        x: tf.Tensor

        def __init__(self, half, skip=False):
            if not skip:
                self.x = half * 2.0

    with tf.Session() as session:
        assert session.run(Doubled(tf.constant(3.0)).x) == 6.0
        with pytest.raises(ValueError, match=r"Missing required fields: {'x'}"):
            Doubled(tf.constant(3.0), skip=True)


def test_the_spec_of_a_value_has_its_fields():
    with context.eager_mode():
        spec = type_spec.type_spec_from_value(Masked([1.0, 2.0], [True, False]))
        assert isinstance(spec, Masked.Spec)
        assert spec.values == tf.TensorSpec([2])
        assert spec == Masked.Spec(tf.TensorSpec([2]), tf.TensorSpec([2], tf.bool), 3)
        assert spec.is_compatible_with(Masked([3.0, 4.0], [True, True]))
        assert not spec.is_compatible_with(Masked([3.0], [True]))


@pytest.mark.parametrize("eager", [True, False])
def test_gradients_are_of_the_parts_that_a_class_names(eager):
    with context.eager_mode() if eager else context.graph_mode():
        given = Differentiable([1.0, 2.0], [True, False])
        with tf.GradientTape() as tape:
            tape.watch(given)
            made = Differentiable(given.values * given.values, given.mask)
        found = tape.gradient(made, {"it": given})["it"]
        assert isinstance(found, Differentiable)
        values = found.values.numpy() if eager else tf.Session().run(found.values)
        assert np.array_equal(values, [2.0, 4.0])
