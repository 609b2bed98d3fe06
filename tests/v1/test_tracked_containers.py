"""Lists and dicts whose items are dependencies of objects."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework import test_util
from steepest.v1.python.training.tracking import data_structures, tracking, util
from steepest.v1.python.util import nest

import steepest.v1 as tf

Changes = Callable[[Any], Any]


def _leaf() -> Any:
    return tracking.AutoTrackable()


def _names(value: Any) -> list[str]:
    return [name for name, _ in value._checkpoint_dependencies]


def _attribute(value: Any) -> Any:
    root = tracking.AutoTrackable()
    root.held = value
    return root.held


class ContainersTest(tf.test.TestCase):
    """The same in both modes."""

    @test_util.run_in_graph_and_eager_modes
    def test_what_comes_into_containers_later_is_restored(self) -> None:
        def made(value: float) -> Any:
            v = tf.Variable(value)
            self.evaluate(v.initializer)
            return v

        root = util.Checkpoint(weights=[made(1.0)], named={"a": [made(2.0)]}, listed=data_structures.List())
        root.listed.append(data_structures.Mapping(b=made(3.0)))
        root.weights.append(made(4.0))
        with self.cached_session():
            path = root.save(self.get_temp_dir() + "/c")
            other = util.Checkpoint(weights=[], named={}, listed=data_structures.List())
            status = other.restore(path)
            other.weights += [made(0.0), made(0.0)]
            other.named["a"] = [made(0.0)]
            other.listed.append(data_structures.Mapping(b=made(0.0)))
            status.assert_consumed().initialize_or_restore()
            values = [*other.weights, other.named["a"][0], other.listed[0]["b"]]
            assert self.evaluate(values) == [1.0, 4.0, 2.0, 3.0]


def test_lists_of_attributes_are_lists():
    plain: list[Any] = [3, 1, 2]
    held = _attribute(plain)
    assert isinstance(held, list)
    assert isinstance(held, data_structures.ListWrapper)
    assert (held, len(held), list(reversed(held)), held[1:], 3 in held) == ([3, 1, 2], 3, [2, 1, 3], [1, 2], True)
    assert (held.index(1), held.count(2), held.__add__([4]), held.__radd__([4]), held * 2) == (
        1,
        1,
        [3, 1, 2, 4],
        [4, 3, 1, 2],
        [3, 1, 2] * 2,
    )
    assert repr(held) == "ListWrapper([3, 1, 2])"
    assert (held < [4], held <= [3, 1, 2], held > [2], held >= [3], held != [3]) == (True,) * 5
    assert json.dumps(held) == "[3, 1, 2]"
    assert np.array(held).tolist() == [3, 1, 2]
    held.sort(reverse=True)
    held.insert(0, 9)
    held.remove(1)
    held.append(7)
    held.reverse()
    held[0] = 8
    assert (held.pop(), plain, held) == (9, [8, 2, 3], [8, 2, 3])
    held[1:] = [5]
    held *= 2
    held.extend(held)
    del held[0]
    assert plain == [5, 8, 5, 8, 5, 8, 5]
    plain.append(1)
    held.append(2)
    assert (held, list.__len__(held), _names(held)) == ([5, 8, 5, 8, 5, 8, 5, 1, 2], 9, [])
    assert held.__sizeof__() > object.__sizeof__(held)
    assert pickle.loads(pickle.dumps(held)) == held
    held *= 0
    assert (plain, list.__len__(held)) == ([], 0)
    with pytest.raises(TypeError, match="unhashable type: 'ListWrapper'"):
        hash(held)


def test_dicts_of_attributes_are_dicts():
    plain: dict[Any, Any] = {"b": 1, 2: 3}
    held = _attribute(plain)
    assert isinstance(held, dict)
    assert (held, len(held), list(held), held["b"], held.get("c", 4), 2 in held) == (plain, 2, ["b", 2], 1, 4, True)
    assert (list(held.keys()), list(held.values()), list(held.items())) == (["b", 2], [1, 3], [("b", 1), (2, 3)])
    assert (repr(held), {**held}, dict(held)) == ("DictWrapper({'b': 1, 2: 3})", plain, plain)
    assert (held | {"c": 1}, {"c": 1} | held) == ({"b": 1, 2: 3, "c": 1}, {"c": 1, "b": 1, 2: 3})
    assert (held.pop("b"), held.pop("b", None), held.setdefault("x", 5), held.setdefault("x", 6)) == (1, None, 5, 5)
    held.update(y=7)
    held |= {"z": 8}
    assert (held.popitem(), list(reversed(held))) == (("z", 8), ["y", "x", 2])
    plain["w"] = 1
    held["v"] = 2
    assert (held, dict.__len__(held), _names(held)) == ({2: 3, "x": 5, "y": 7, "w": 1, "v": 2}, 5, [])
    assert json.dumps(held) == json.dumps(plain)
    assert pickle.loads(pickle.dumps(held)) == held
    assert held != {}
    held.clear()
    assert plain == {}
    for change in (lambda: held.pop("a"), lambda: held.popitem(), lambda: held["a"]):
        with pytest.raises(KeyError):
            change()
    with pytest.raises(TypeError, match="unhashable type: '_DictWrapper'"):
        hash(held)


@pytest.mark.parametrize(
    "change",
    [
        lambda held: held.insert(0, 1),
        lambda held: held.sort(key=id),
        lambda held: held.pop(),
        lambda held: held.clear(),
        lambda held: held.__delitem__(0),
        lambda held: held.__setitem__(0, 3),
        lambda held: held.__setitem__(slice(None), []),
        lambda held: held.__imul__(0),
    ],
)
def test_lists_whose_items_have_moved_are_not_saved(change: Changes, tmp_path: Path):
    held = _attribute([_leaf(), 2])
    assert _names(held) == ["0"]
    change(held)
    checkpoint = util.Checkpoint(held=held)
    with pytest.raises(ValueError, match=r"A list element was replaced \(__setitem__, .* or moved \(sort\)"):
        checkpoint.write(str(tmp_path / "c"))
    with pytest.raises(ValueError, match="A list element was replaced"):
        _names(copy.deepcopy(held))


def test_containers_that_were_changed_otherwise_are_not_saved():
    listed: list[Any] = [_leaf()]
    named: dict[Any, Any] = {"a": _leaf()}
    root = tracking.AutoTrackable()
    root.listed, root.named = listed, named
    assert [each for each in util.list_objects(root) if each is root.named["a"]] == [named["a"]]
    listed[0] = 3
    named["b"] = 4
    for held, kind in ((root.listed, "list"), (root.named, "dictionary")):
        for each in (held, copy.copy(held), copy.deepcopy(held)):
            with pytest.raises(ValueError, match=f"The wrapped {kind} was modified outside the wrapper"):
                _names(each)


def test_dicts_may_replace_items_but_need_strings_for_those_to_save():
    held = _attribute({"a": _leaf(), "b": _leaf(), "c": 3, "d": data_structures.NoDependency(_leaf())})
    held["a"] = leaf = _leaf()
    held["a"] = leaf
    held["b"] = 2
    held["c"] = []
    held["c"].append(_leaf())
    assert held._checkpoint_dependencies == [("a", leaf), ("c", held["c"])]
    assert isinstance(held["d"], tracking.AutoTrackable)
    del held["a"]
    assert (_names(held), _names(held["c"])) == (["c"], ["0"])
    held[4] = {}
    with pytest.raises(ValueError, match="contains a non-string key which maps to a trackable object"):
        _names(held)
    del held[4]
    assert _names(held) == ["c"]


def test_lists_and_mappings_only_grow():
    v, w = tf.get_variable("v", []), tf.get_variable("w", [], trainable=False)
    inside = data_structures.List([w])
    listed = data_structures.List([v, inside])
    layer = tf.layers.Dense(1, use_bias=False)
    layer(tf.ones([1, 1]))
    inside.append(layer)
    assert (listed.trainable_variables, listed.non_trainable_variables) == ([*layer.variables, v], [w])
    assert (listed.layers, listed.weights) == ([layer], [*layer.variables, v, w])
    listed.trainable = False
    assert (listed.trainable_weights, listed.variables) == ([], [*layer.variables, v, w])
    listed += [w]
    listed *= 2
    assert (listed[2:], len(listed), listed[0:1] * 2) == ([w, v, inside, w], 6, [v, v])
    assert (inside + inside, inside.__radd__([1]), inside * 2) == ([w, layer] * 2, [1, w, layer], [w, layer] * 2)
    assert repr(data_structures.List()) == "List([])"
    assert len({data_structures.List(), data_structures.List(), data_structures.Mapping()}) == 3
    with pytest.raises(ValueError, match=r"Only trackable objects .* Got 3, which does not inherit from Trackable"):
        listed.append(3)
    with pytest.raises(ValueError, match="multiplying in place by -1 removes elements"):
        listed *= -1
    again = copy.copy(inside)
    again.append(v)
    assert (list(again), list(inside)) == ([w, layer, v], [w, layer])
    mapping = data_structures.Mapping(b=v)
    mapping.update({"a": listed})
    assert (dict(mapping), len(mapping), _names(mapping)) == ({"b": v, "a": listed}, 2, ["b", "a"])
    assert mapping.variables[-1] is w
    assert repr(data_structures.Mapping()) == "Mapping({})"
    with pytest.raises(ValueError, match="Tried to overwrite the key 'b'"):
        mapping["b"] = w
    with pytest.raises(TypeError, match="accepts only string keys, but got a key 1"):
        mapping[1] = w  # type: ignore[index]
    with pytest.raises(NotImplementedError):
        data_structures.TrackableDataStructure().variables  # noqa: B018


def test_containers_stand_in_nests():
    held = _attribute({"b": [1, 2], "a": (3,)})
    assert nest.flatten(held) == [3, 1, 2]
    nest.assert_same_structure(held, {"b": [0, 0], "a": (0,)})
    assert nest.map_structure(lambda x: x + 1, held) == {"a": (4,), "b": [2, 3]}
    assert data_structures._DictWrapper([(1, 2)]) == {1: 2}
    assert data_structures.ListWrapper(data_structures.ListWrapper((1, 2))) == [1, 2]


def test_objects_with_containers_are_copied():
    root = tracking.AutoTrackable()
    root.a, root.b = [[1.0]], {"a": _leaf()}
    again, deep = copy.copy(root), copy.deepcopy(root)
    assert again.b["a"] is root.b["a"]
    assert again.a is root.a
    assert deep.a == [[1.0]]
    assert deep.b["a"] is not root.b["a"]
    found = util.list_objects(deep)
    assert any(each is deep.b["a"] for each in found)
    assert not any(each is root.b["a"] for each in found)
