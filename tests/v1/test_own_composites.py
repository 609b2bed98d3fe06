"""Values of a program's own classes that are made of several tensors, and what is known of them."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.framework import composite_tensor, type_spec
from steepest.v1.python.util import nest

import steepest.v1 as tf


class PairSpec(type_spec.TypeSpec):
    def __init__(self, specs, unit=None):
        self.specs, self.unit = specs, unit

    @property
    def value_type(self):
        return Pair

    @property
    def _component_specs(self):
        return self.specs

    def _serialize(self):
        return self.specs, self.unit

    def _to_components(self, value):
        return value.parts

    def _from_components(self, components):
        return Pair(components, self.unit)


class Pair(composite_tensor.CompositeTensor):
    def __init__(self, parts, unit=None):
        self.parts, self.unit = parts, unit

    @property
    def _type_spec(self):
        return PairSpec(nest.map_structure(type_spec.type_spec_from_value, self.parts), self.unit)


class Other(Pair):
    pass


def test_nests_go_through_them_where_this_is_asked_for():
    inner = Pair({"b": 2, "a": 1}, "m")
    structure = [Pair((inner, 3)), {"k": 4}]
    assert nest.flatten(structure) == [structure[0], 4]
    assert nest.flatten(structure, expand_composites=True) == [1, 2, 3, 4]
    paths = [(0, "Pair", 0, "Pair", "a"), (0, "Pair", 0, "Pair", "b"), (0, "Pair", 1), (1, "k")]
    assert list(nest.yield_flat_paths(structure, expand_composites=True)) == paths
    assert [path for path, _ in nest.flatten_with_tuple_paths(structure)] == [(0,), (1, "k")]
    made = nest.map_structure(lambda x: x * 10, structure, expand_composites=True)
    assert nest.flatten(made, expand_composites=True) == [10, 20, 30, 40]
    assert (made[0].parts[0].unit, list(made[0].parts[0].parts)) == ("m", ["b", "a"])
    shown = nest.map_structure_with_paths(lambda path, x: f"{path}={x}", structure, expand_composites=True)
    assert shown[0].parts[1] == "0/Pair/1=3"
    chosen = nest.map_structure_up_to([structure[0], 0], lambda x: [x], structure, expand_composites=True)
    assert (chosen[0].parts[1], chosen[1]) == ([3], [{"k": 4}])
    down = nest.get_traverse_shallow_structure(
        lambda x: not isinstance(x, Pair) or x.unit is None, structure, expand_composites=True
    )
    assert (down[0].parts, down[1]) == ((False, True), {"k": True})


def test_nests_differ_where_the_specs_do():
    for one, other, error in (
        (Pair(0), Pair(["x"]), ValueError),
        (Pair(0, "m"), Pair(0, "s"), ValueError),
        (Pair((1, 2)), Pair((1, 2, 3)), ValueError),
        (Pair(0), 0, TypeError),
    ):
        nest.assert_same_structure(one, other)
        for check in (nest.assert_same_structure, nest.assert_shallow_structure):
            with pytest.raises(error):
                check(one, other, expand_composites=True)
    nest.assert_same_structure(Pair(0, "m"), Pair(5, "m"), expand_composites=True)
    nest.assert_same_structure(Pair(0), Other(0), expand_composites=True)  # of one spec


def test_slices_and_sparse_tensors_are_made_of_a_list():
    with tf.Graph().as_default():
        sp = tf.SparseTensor([[0, 0]], [1.0], [3, 4])
        paths = list(nest.yield_flat_paths([sp], expand_composites=True))
        assert paths == [(0, "SparseTensor", k) for k in range(3)]
        assert type_spec.type_spec_from_value(sp) == tf.SparseTensorSpec([3, 4], tf.float32)
        rows = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]))
        assert type_spec.type_spec_from_value(rows).value_type is tf.IndexedSlices


def test_branches_and_loops_take_them():
    with tf.Graph().as_default(), tf.Session() as session:
        p, pair = tf.placeholder(tf.bool, []), Pair((tf.constant(1.0), tf.constant(2.0)))
        chosen = tf.cond(p, lambda: Pair((pair.parts[1], pair.parts[0])), lambda: pair)
        assert isinstance(chosen, Pair)
        assert session.run(list(chosen.parts), {p: True}) == [2.0, 1.0]
        assert session.run(list(chosen.parts), {p: False}) == [1.0, 2.0]


def test_specs_are_compared_and_merged():
    shape, spec = tf.TensorShape, tf.TensorSpec
    exact, open_ = (PairSpec((spec([size]),), "m") for size in (2, None))
    other = PairSpec((spec([2], "int32"),), "m")
    assert exact.is_compatible_with(open_)
    assert exact.is_compatible_with(Pair((np.float32([1, 2]),), "m"))
    assert not exact.is_compatible_with(other)
    assert not exact.is_compatible_with(spec([2]))
    assert exact.most_specific_compatible_type(open_) == open_
    for wrong in (other, spec([2]), PairSpec((spec([2]),), "s")):
        with pytest.raises(ValueError, match="compatible"):
            exact.most_specific_compatible_type(wrong)
    assert spec([2], name="a").most_specific_compatible_type(spec([3], name="a")) == spec([None], name="a")
    assert spec([2]).most_specific_compatible_type(spec([2, 3])).shape == shape(None)
    with pytest.raises(ValueError, match="compatible"):
        spec([2]).most_specific_compatible_type(spec([2], "int32"))
    assert len({exact, PairSpec((spec([2]),), "m"), open_}) == 2


def test_specs_put_values_together():
    with tf.Graph().as_default():
        spec = PairSpec({"a": tf.TensorSpec([2]), "b": PairSpec((tf.TensorSpec([]),))})
        assert len(spec._flat_tensor_specs) == 2
        made = spec._from_tensor_list([tf.ones([2]), tf.constant(1.0)])
        assert spec._to_tensor_list(made) == [made.parts["a"], made.parts["b"].parts[0]]
        for wrong in ([tf.ones([2])], [tf.ones([3]), tf.constant(1.0)]):
            with pytest.raises(ValueError, match="Incompatible input"):
                spec._from_tensor_list(wrong)


def test_what_is_known_of_other_values_may_be_registered():
    class Meters:
        size = 3

    class Longer(Meters):
        pass

    with pytest.raises(TypeError, match="Could not build a TypeSpec"):
        type_spec.type_spec_from_value(Meters())
    type_spec.register_type_spec_from_value_converter(Meters, lambda value: tf.TensorSpec([value.size]))
    assert type_spec.type_spec_from_value(Meters()) == tf.TensorSpec([3])
    with pytest.raises(TypeError):
        type_spec.type_spec_from_value(Longer())
    type_spec.register_type_spec_from_value_converter(Meters, lambda value: tf.TensorSpec([1]), allow_subclass=True)
    assert type_spec.type_spec_from_value(Longer()) == tf.TensorSpec([1])


def test_what_a_class_must_say_is_asked_for():
    bare = type_spec.BatchableTypeSpec()
    for ask in (
        lambda: bare.value_type,
        lambda: bare._component_specs,
        lambda: bare._serialize(),
        lambda: bare._to_components(1),
        lambda: bare._from_components(1),
        lambda: bare._batch(1),
        lambda: bare._unbatch(),
    ):
        with pytest.raises(NotImplementedError):
            ask()
