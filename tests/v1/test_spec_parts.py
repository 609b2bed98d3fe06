"""Specs as kinds of each other, their registered names, and TensorFlow's internal modules beside them."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest
from steepest.v1.python.framework import (
    composite_tensor,
    extension_type_field,
    traceable_stack,
    type_spec,
    type_spec_registry,
)
from steepest.v1.python.ops import op_selector
from steepest.v1.python.util import nest

from steepest import v1 as tf

Pair = namedtuple("Pair", ["a", "b"])
SamePair = namedtuple("Pair", ["a", "b"])


class Held:
    def __init__(self, parts: Any) -> None:
        self.parts = parts


@type_spec_registry.register("steepest_tests.HeldSpec")
class HeldSpec(type_spec.TypeSpec):
    def __init__(self, parts: Any, label: str = "") -> None:
        self.parts, self.label = parts, label

    value_type = property(lambda self: Held)
    _component_specs = property(lambda self: self.parts)

    def _serialize(self) -> Any:
        return self.parts, self.label

    def _to_components(self, value: Any) -> Any:
        return value.parts

    def _from_components(self, components: Any) -> Any:
        return Held(components)


def pair(kind: Any, *sizes: Any) -> HeldSpec:
    return HeldSpec(kind(*(tf.TensorSpec([size], tf.float32) for size in sizes)))


def test_a_spec_is_a_kind_of_a_less_specific_one() -> None:
    assert pair(SamePair, 3, 4).is_subtype_of(pair(Pair, None, 4))
    assert not pair(Pair, None, 4).is_subtype_of(pair(Pair, 3, 4))
    assert not HeldSpec((), "one").is_subtype_of(HeldSpec((), "other"))
    named = tf.TensorSpec([3], tf.float32, "x")
    assert [one.is_subtype_of(other) for one, other in ((named, tf.TensorSpec([3])), (tf.TensorSpec([3]), named))] == [
        False,
        True,
    ]


def test_what_several_specs_are_kinds_of() -> None:
    assert pair(Pair, 3, 4).most_specific_common_supertype([pair(SamePair, 3, 5)]) == pair(Pair, 3, None)
    assert tf.SparseTensorSpec([3]).most_specific_common_supertype([tf.SparseTensorSpec([4])]) == tf.SparseTensorSpec(
        [None]
    )
    assert HeldSpec((), "one").most_specific_common_supertype([HeldSpec((), "other")]) is None
    assert tf.TensorSpec([3], name="a").most_specific_common_supertype([tf.TensorSpec([3])]) is None
    assert tf.TensorSpec([3]).most_specific_common_supertype([tf.SparseTensorSpec([3])]) is None


def test_named_tuples_are_merged_by_their_names() -> None:
    merged = pair(Pair, 3, 4).most_specific_compatible_type(pair(SamePair, 2, 4))
    assert isinstance(merged.parts, Pair)
    assert merged == pair(Pair, None, 4)
    with pytest.raises(ValueError, match="not compatible"):
        pair(Pair, 3, 4).most_specific_compatible_type(HeldSpec(tuple(pair(Pair, 3, 4).parts)))


def test_specs_take_values_apart_and_cast_them() -> None:
    tf.enable_eager_execution()
    try:
        spec, value = pair(Pair, 2, 1), Held(Pair(tf.constant([1.0, 2.0]), tf.constant([3.0])))
        assert spec.flatten() == list(spec.parts)
        tensors = spec.to_tensors(value)
        assert tensors[0] is value.parts.a
        assert spec.from_tensors(iter(tensors)).parts.b is value.parts.b
        assert spec.cast(value, None) is value
        assert spec.cast(Held(Pair([1, 2], [3])), None).parts.a.dtype == tf.float32
        with pytest.raises(TypeError, match="Can not cast"):
            spec.cast(Held(Pair([1.0], [3.0])), None)
    finally:
        tf.disable_eager_execution()


def test_classes_of_specs_have_names() -> None:
    assert type_spec_registry.get_name(HeldSpec) == "steepest_tests.HeldSpec"
    assert type_spec_registry.lookup("steepest_tests.HeldSpec") is HeldSpec
    with pytest.raises(ValueError, match="already been registered with name"):
        type_spec_registry.register("steepest_tests.Other")(HeldSpec)
    with pytest.raises(ValueError, match="already been registered for class"):
        type_spec_registry.register("steepest_tests.HeldSpec")(type("Other", (HeldSpec,), {}))
    with pytest.raises(ValueError, match="must have the form"):
        type_spec_registry.register("bare")
    with pytest.raises(TypeError, match="Expected `cls` to be a TypeSpec"):
        type_spec_registry.register("a.b")(Held)
    with pytest.raises(ValueError, match="No TypeSpec has been registered"):
        type_spec_registry.lookup("a.missing")


def test_composite_values_of_several_classes_with_one_spec_are_alike() -> None:
    class One(composite_tensor.CompositeTensor):
        kind = HeldSpec

        def __init__(self, parts: Any) -> None:
            self.parts = parts

        @property
        def _type_spec(self) -> Any:
            return self.kind(tf.TensorSpec([], tf.int32))

    class Two(One):
        pass

    class Three(One):
        kind = type("OtherSpec", (HeldSpec,), {})

    nest.assert_same_structure(One(1), Two(2), expand_composites=True)
    with pytest.raises(ValueError, match="Incompatible CompositeTensor TypeSpecs"):
        nest.assert_same_structure(One(1), Three(2), expand_composites=True)


def test_fields_are_checked_where_they_are_made() -> None:
    field = extension_type_field.ExtensionTypeField
    assert repr(field("x", int)).endswith("default=ExtensionTypeField.NO_DEFAULT)")
    assert field("s", tuple[int, ...], [1, 2]).default == (1, 2)
    with pytest.raises(TypeError, match="default value for i: expected 'int', got 'float'"):
        field("i", int, 8.5)
    with pytest.raises(TypeError, match="In field 'x': Unsupported type annotation 'dict'"):
        field("x", dict)
    with pytest.raises(TypeError, match="Unresolved forward reference"):
        extension_type_field.validate_field_value_type("A")
    values = {"x": 1}
    with pytest.raises(ValueError, match=r"Missing required fields: \{'y'\}"):
        extension_type_field.convert_fields([field("x", int), field("y", float)], values)
    with pytest.raises(TypeError, match="t: expected a TensorSpec, got 'int'"):
        extension_type_field.convert_fields_for_spec([field("t", tf.Tensor)], {"t": 3})
    with pytest.raises(TypeError, match=r"x: expected 'tf\.TensorShape', got 'str'"):
        extension_type_field.convert_fields([field("x", tf.TensorShape)], {"x": "foo"})


def test_operations_are_chosen_by_what_leads_to_them() -> None:
    with tf.Graph().as_default() as graph:
        a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
        with tf.control_dependencies([b]):
            c = tf.identity(a, name="c")
        d = tf.add(c, b, name="d")
    names = lambda ops: {op.name for op in ops}  # noqa: E731  # in one line each below
    walk = op_selector.get_backward_walk_ops
    assert names(walk([d.op])) == {"a", "b", "c", "d"}
    assert names(walk([d], inclusive=False, stop_at_ts=[c])) == {"b"}
    assert names(walk(c, within_ops_fn=lambda op: op.name != "a")) == {"c"}
    assert names(walk(c, control_inputs=True)) == {"a", "b", "c"}
    assert op_selector.get_consuming_ops([b]) == [d.op]
    assert op_selector.get_generating_ops([d]) == [d.op]
    assert len(op_selector.make_list_of_t(graph)) == 4
    with pytest.raises(TypeError, match="Expected a type in"):
        op_selector.make_list_of_op([a])
    with tf.Graph().as_default():
        other = tf.constant(1)
    with pytest.raises(ValueError, match="does not belong"):
        op_selector.check_graphs(a, other)
    with pytest.raises(ValueError, match="empty list"):
        op_selector.get_unique_graph([])


def test_a_stack_knows_the_lines_that_put_objects_there() -> None:
    stack = traceable_stack.TraceableStack()
    stack.push_obj("first")
    stack.push_obj("second")
    top, below = stack.peek_traceable_objs()
    assert (top.filename, top.lineno) == (__file__, below.lineno + 1)
    assert list(stack.peek_objs()) == ["second", "first"]
    assert stack.pop_obj() == "second"
    assert stack.copy().peek_top_obj() == "first"
    held = traceable_stack.TraceableObject(None)
    assert held.set_filename_and_line_from_caller(offset=900) == held.HEURISTIC_USED
