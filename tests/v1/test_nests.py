"""``tf.nest`` and ``tensorflow.python.util.nest``: structures compared, walked down to others, and paths in them."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pytest
from steepest.v1.python.util import nest, nest_util

import steepest.v1 as tf

Pair = namedtuple("Pair", "a b")
DEEP = OrderedDict([("c", Pair([0, {"b": 1}], 2)), ("a", [(3, 4), 5])])


def test_mappings_and_their_views_are_nests():
    view, mapping = {"a": 1, "b": 2}.values(), MappingProxyType({"b": 1, "a": [2]})
    assert tf.nest.is_nested(view)
    assert tf.nest.flatten([view, mapping]) == [1, 2, 2, 1]
    assert tf.nest.pack_sequence_as(OrderedDict(b=0, a=0), [1, 2]) == OrderedDict(b=2, a=1)


def test_packing_needs_a_sequence_of_the_right_length():
    with pytest.raises(TypeError, match="flat_sequence must be a sequence"):
        tf.nest.pack_sequence_as([1, 2], "ab")
    with pytest.raises(ValueError, match="Structure is a scalar"):
        tf.nest.pack_sequence_as("one", [1, 2])


def test_structures_that_differ_are_told_apart():
    cases = [
        (([1], 2), (1, 2), ValueError, 'Substructure "type=list str=\\[1\\]" is a sequence, while substructure'),
        ((1, 2), (1, 2, 3), ValueError, "same number of elements"),
        ((1, 2), [1, 2], TypeError, "same sequence type"),
        ({"a": 1}, {"b": 1}, ValueError, "same set of keys"),
        (Pair(1, 2), (1, 2), TypeError, "same sequence type"),
    ]
    for one, two, error, message in cases:
        with pytest.raises(error, match="don't have the same nested structure") as told:
            tf.nest.assert_same_structure(one, two)
        told.match(message)
    tf.nest.assert_same_structure(Pair(1, 2), namedtuple("Pair", "a b")(3, 4))
    tf.nest.assert_same_structure(OrderedDict(a=1), {"a": 2})
    with pytest.raises(ValueError, match="Only valid keyword arguments"):
        tf.nest.map_structure(len, ["a"], unknown=True)


def test_nests_are_walked_down_to_another_one():
    assert nest.flatten_up_to(OrderedDict(c=0, a=[0, 0]), DEEP) == [(3, 4), 5, Pair([0, {"b": 1}], 2)]
    assert nest.flatten_up_to("leaf", DEEP) == [DEEP]
    assert nest.map_structure_up_to([0, [0]], lambda x, y: x + len(y), [1, [2]], [(1, 2), ["abc"]]) == [3, [5]]
    with pytest.raises(TypeError, match="input must also be a sequence"):
        nest.flatten_up_to([1], "ab")
    with pytest.raises(ValueError, match="same sequence length"):
        nest.assert_shallow_structure([1], [1, 2])
    with pytest.raises(ValueError, match=r"keys are not a subset of the input_tree's keys.*: \['a'\]"):
        nest.assert_shallow_structure({"a": 1}, {"b": 1})
    with pytest.raises(TypeError, match="same sequence type"):
        nest.assert_shallow_structure([1], (1,))
    nest.assert_shallow_structure([1], (1,), check_types=False)
    nest.assert_shallow_structure((1,), Pair(1, 2), check_subtrees_length=False)  # a tuple is what a pair is one of
    more = {"check_subtrees_length": False}
    assert nest.flatten_up_to({"b": 0}, {"a": 1, "b": [2]}, **more) == [[2]]
    assert nest.map_structure_up_to([0], lambda x: x, [1, 2], **more) == [1]
    assert nest.flatten_with_tuple_paths_up_to([0], [(1,), 2], **more) == [((0,), (1,))]
    with pytest.raises(ValueError, match="has length 1, while shallow structure has length 2"):
        nest.assert_shallow_structure([1, 2], [1], **more)
    with pytest.raises(KeyError):
        nest.flatten_up_to([0], {"a": 1}, check_types=False)
    assert nest.map_structure_with_paths(lambda path, x, y: (path, y), {"a": 1}, {"a": [2]}) == {"a": ("a", [2])}


def test_how_far_to_go_is_a_nest_of_booleans():
    assert nest.get_traverse_shallow_structure(lambda s: not isinstance(s, tuple), [1, (2, 3), {"a": [4]}]) == [
        True,
        False,
        {"a": [True]},
    ]
    pairs = nest.get_traverse_shallow_structure(lambda s: (True, False) if isinstance(s, tuple) else True, [(1, [2])])
    assert pairs == [(True, False)]
    for function, message in ((lambda s: 1, "non-bool scalar"), (lambda s: [1], "depth=1 structure of bools")):
        with pytest.raises(TypeError, match=message):
            nest.get_traverse_shallow_structure(function, [1])


def test_paths_lead_to_leaves():
    assert nest.flatten_with_joined_string_paths(DEEP) == [
        ("a/0/0", 3),
        ("a/0/1", 4),
        ("a/1", 5),
        ("c/a/0", 0),
        ("c/a/1/b", 1),
        ("c/b", 2),
    ]
    assert list(nest.yield_flat_paths([{"a": 1}, 2])) == [(0, "a"), (1,)]
    assert nest.map_structure_with_paths(lambda path, x: f"{path}={x}", {"a": [1]}) == {"a": ["a/0=1"]}
    assert nest.flatten_dict_items({(1, (2, 3)): ("a", ("b", "c"))}) == {1: "a", 2: "b", 3: "c"}
    for wrong in ({(1, 1): ("a", "b")}, {(1, 2): ("a", ("b", "c"))}):
        with pytest.raises(ValueError, match="Could not flatten dictionary"):
            nest.flatten_dict_items(wrong)


def test_contribs_nest_is_the_whole_one():
    inner = tf.contrib.framework.nest
    assert inner.map_structure_up_to({"a": 0}, len, {"a": [1, 2]}) == {"a": 2}
    assert inner.flatten_up_to([0, 0], [[1], 2]) == [[1], 2]
    assert inner.flatten([1, [2]]) == tf.nest.flatten([1, [2]])


@dataclass
class Weighted:
    """A nest of a program's own: what it holds, and what stays beside it."""

    weight: float
    value: Any

    def __tf_flatten__(self):
        return (self.weight,), (self.value,)

    @classmethod
    def __tf_unflatten__(cls, metadata, components):
        return cls(metadata[0], components[0])


def test_dataclasses_that_say_what_they_hold_are_nests():
    inner = Weighted(1.0, Weighted(2.0, 3))
    assert isinstance(inner, nest_util.CustomNestProtocol)
    assert nest.flatten({"b": [inner], "a": 4}) == [4, 3]
    assert nest.map_structure(lambda x: x + 1, inner) == Weighted(1.0, Weighted(2.0, 4))
    assert nest.flatten_with_tuple_paths([inner]) == [((0, 0, 0), 3)]
    assert nest.list_to_tuple([inner, [1]]) == (inner, (1,))
    nest.assert_shallow_structure([0], inner, check_types=False)
    with pytest.raises(TypeError, match="same sequence type"):
        nest.flatten_up_to([0], inner)


def test_sequences_of_any_kind_are_nests():
    class Broken(Sequence):
        def __len__(self):
            return 1

        def __getitem__(self, item):
            raise ValueError("no item")

    assert nest.flatten(range(3)) == [0, 1, 2]
    assert nest.map_structure(lambda x: -x, range(3)) == [0, -1, -2]
    assert not nest.is_nested(b"ab")
    with pytest.raises(ValueError, match="no item"):
        nest.flatten(Broken())


def test_named_tuples_are_told_by_their_fields():
    assert nest.is_namedtuple(Pair(1, 2))
    assert not nest.is_namedtuple(Pair)
    assert nest.same_namedtuples(Pair(1, 2), namedtuple("Pair", "a b")(3, 4))
    assert not nest.same_namedtuples(Pair(1, 2), namedtuple("Pair", "a c")(3, 4))


def test_errors_of_nests_have_the_words_of_either_version():
    with pytest.raises(ValueError, match="nest cannot guarantee that it is safe to map one to the other"):
        tf.nest.pack_sequence_as("one", [1, 2])
    with pytest.raises(TypeError, match="Attempted to pack value:\n  'ab'\ninto a structure, but found"):
        tf.nest.pack_sequence_as([1, 2], "ab")
    lengths = nest.STRUCTURES_HAVE_MISMATCHING_LENGTHS.format(input_length=2, shallow_length=1)
    with pytest.raises(ValueError, match=lengths):
        nest.assert_shallow_structure([1], [1, 2])


def test_specs_stand_for_the_values_that_they_are_of() -> None:
    spec, value = tf.SparseTensorSpec([10], tf.float32), tf.SparseTensor([[3], [7]], [1.0, 2.0], [10])
    slices = tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 1]))
    kinds = [each.dtype.name for each in nest.flatten([spec, tf.TensorSpec([2])], expand_composites=True)]
    assert kinds == ["int64", "float32", "int64", "float32"]
    assert nest.flatten([spec]) == [spec]
    for one, other in ((value, spec), (spec, value), (slices, tf.IndexedSlicesSpec([2], tf.float32, tf.int32))):
        nest.assert_same_structure({"a": one}, {"a": other}, expand_composites=True)
    for wrong in (tf.SparseTensorSpec([10], tf.int32), tf.IndexedSlicesSpec([10], tf.float32)):
        with pytest.raises(ValueError, match="Incompatible CompositeTensor TypeSpecs"):
            nest.assert_same_structure(value, wrong, expand_composites=True)
    again = nest.pack_sequence_as([spec], nest.flatten(value, expand_composites=True), expand_composites=True)[0]
    assert (again.indices, again.values) == (value.indices, value.values)
