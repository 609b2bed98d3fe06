"""Classes of a program's own that are made of several tensors, and which of their parts have gradients."""

from __future__ import annotations

import contextlib
import inspect
import typing
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.framework import composite_tensor_gradient, extension_type, type_spec
from steepest.v1.python.ops import resource_variable_ops
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


class Named(extension_type.ExtensionType):
    __name__ = "tests.Named"  # it can be packed
    values: tf.Tensor
    parts: tuple[Named, ...] = ()
    score: typing.Annotated[int, "of a match"] = 0


@pytest.mark.parametrize("mode", [context.eager_mode, context.graph_mode])
def test_a_packed_value_is_one_tensor_and_stands_for_all(mode: Any) -> None:
    with mode(), tf.Graph().as_default() if mode is context.graph_mode else contextlib.nullcontext():
        whole = Named([1, 2], (Named([3.5]),), 7)
        packed = extension_type.pack(whole)
        assert extension_type.is_packed(packed)
        assert not extension_type.is_packed(whole)
        assert [len(nest.flatten(each, expand_composites=True)) for each in (whole, packed)] == [2, 1]
        again = nest.pack_sequence_as(packed, nest.flatten(packed, expand_composites=True), expand_composites=True)
        doubled = tf.function(lambda x: extension_type.pack(Named(x.values * 2)))(again)
        found = [again.values, again.parts[0].values, extension_type.unpack(packed).values, doubled.values]
        if mode is context.graph_mode:
            found = tf.Session().run(found)
        assert [np.asarray(each).tolist() for each in found] == [[1, 2], [3.5], [1, 2], [2, 4]]
        assert again.score == 7
        with pytest.raises(AttributeError, match="has no attribute 'other'"):
            packed.other  # noqa: B018  # asking for it is the test


def test_fields_tell_their_types_and_defaults() -> None:
    fields = Named._tf_extension_type_fields()
    assert [field.name for field in fields] == ["values", "parts", "score"]
    assert [field.value_type for field in fields] == [tf.Tensor, tuple[Named, ...], int]
    assert [field.default for field in fields] == [fields[0].NO_DEFAULT, (), 0]
    assert Named._tf_extension_type_has_field("parts")
    assert not Named._tf_extension_type_has_field("other")


def test_a_derived_class_may_say_other_fields_of_the_same_name() -> None:
    class Derived(Named):
        values: str = "none"
        last: int

    signature = inspect.signature(Derived.__init__)
    assert list(signature.parameters) == ["self", "values", "parts", "score", "last"]
    assert signature.parameters["last"].kind is inspect.Parameter.KEYWORD_ONLY
    assert signature.return_annotation is Derived
    assert (Derived(last=3).values, Derived("own", last=3).last) == ("none", 3)


@pytest.mark.parametrize(
    ("body", "error", "said"),
    [
        ({"__annotations__": {"x": list[int]}}, TypeError, "In field 'x': Unsupported type annotation"),
        ({"__annotations__": {"_to_components": int}}, ValueError, "Field '_to_components' is reserved"),
        ({"is_compatible_with": lambda self, other: True}, ValueError, "Field 'is_compatible_with' is reserved"),
        ({"x": 3}, ValueError, "Field 'x' is missing a type annotation"),
        ({"Spec": 12}, ValueError, "Spec must be a nested class; got 12"),
    ],
)
def test_what_no_class_may_say_is_refused(body: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        type(extension_type.ExtensionType)("Broken", (extension_type.ExtensionType,), body)


def test_a_class_that_never_comes_is_a_type_error_where_a_value_is_made() -> None:
    kind = type(extension_type.ExtensionType)
    broken = kind("Broken", (extension_type.ExtensionType,), {"__annotations__": {"x": "Missing"}})
    with pytest.raises(TypeError, match="Unresolved forward reference 'Missing'"):
        broken(3)


def test_the_specs_of_a_class_have_what_its_nested_class_says() -> None:
    class Weighted(extension_type.ExtensionType):
        values: tf.Tensor
        weight: tf.Tensor

        class Spec:
            def __init__(self, shape: Any) -> None:
                self.values, self.weight = tf.TensorSpec(shape, tf.int32), tf.TensorSpec([], tf.float32)

            shape = property(lambda self: self.values.shape)

    with context.eager_mode():
        spec = Weighted.Spec.from_value(Weighted([1, 2], 0.5))
        assert spec == Weighted.Spec([2])
        assert spec.shape.as_list() == [2]
        with pytest.raises(AttributeError, match="Cannot mutate attribute `values`"):
            del spec.values
        assert (Weighted([1, 1], 0.5) == Weighted([[1, 1]], 0.5)) is False


def test_lists_of_tensors_enter_and_leave_functions_as_tensors() -> None:
    with context.eager_mode():
        held = tf.raw_ops.TensorListFromTensor(tensor=tf.constant([1.0, 2.0]), element_shape=[])

        def stack(x: Any) -> Any:
            return tf.raw_ops.TensorListStack(
                input_handle=x, element_shape=[], element_dtype=tf.float32, num_elements=-1
            )

        pushed = tf.function(lambda x: tf.raw_ops.TensorListPushBack(input_handle=held, tensor=x))(tf.constant(5.0))
        assert pushed.dtype == tf.variant
        assert stack(pushed).numpy().tolist() == [1.0, 2.0, 5.0]
        assert tf.function(stack)(held).numpy().tolist() == [1.0, 2.0]
        wrapped = tf.wrap_function(lambda x: stack(held) + x, [tf.TensorSpec([], tf.float32)])
        assert wrapped(tf.constant(1.0)).numpy().tolist() == [2.0, 3.0]
        with tf.GradientTape() as tape:
            x = tf.constant(3.0)
            tape.watch(x)
            first = tf.function(lambda y: tf.raw_ops.TensorListPushBack(input_handle=held, tensor=y * y))(x)
            second = tf.function(lambda y: tf.raw_ops.TensorListPushBack(input_handle=y, tensor=x))(first)
            total = tf.reduce_sum(stack(second))
        assert tape.gradient(total, x).numpy() == 7.0


def test_a_tape_in_a_function_lets_a_loop_push_onto_a_list() -> None:
    def total(x: Any) -> Any:
        held = tf.raw_ops.EmptyTensorList(element_shape=[], max_num_elements=-1, element_dtype=tf.float32)

        def body(i: Any, y: Any, h: Any) -> Any:
            return i + 1, y * y, tf.raw_ops.TensorListPushBack(input_handle=h, tensor=y)

        _, y, held = tf.while_loop(lambda i, y, h: i < 2, body, [0, x, held])
        shape = {"element_shape": [], "element_dtype": tf.float32, "num_elements": -1}
        return y + tf.reduce_sum(tf.raw_ops.TensorListStack(input_handle=held, **shape))

    @tf.function
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = total(x)
        return tape.gradient(y, x)

    with context.eager_mode():
        assert gradient(tf.constant(2.0)).numpy() == 4 * 2.0**3 + 1.0 + 2 * 2.0


def test_a_field_may_be_a_variable() -> None:
    class Held(extension_type.ExtensionType):
        v: resource_variable_ops.ResourceVariable

    assert Held._tf_extension_type_has_field("v")
