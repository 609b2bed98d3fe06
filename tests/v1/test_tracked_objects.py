"""Objects that checkpoints save, under the names of TensorFlow's modules of them."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework import test_util
from steepest.v1.python.training import saver
from steepest.v1.python.training.tracking import base, data_structures, graph_view, python_state, tracking, util

import steepest.v1 as tf
from steepest.v1.saving.object_graphs import SavedNode, decoded, encoded

VALUE = ".ATTRIBUTES/VARIABLE_VALUE"


def test_dependencies_are_declared_by_name():
    root, leaf, other = base.Trackable(), base.Trackable(), base.Trackable()
    root._track_trackable(leaf, name="leaf")
    root._track_trackable(leaf, name="leaf")
    with pytest.raises(ValueError, match="name='leaf', but a Trackable with this name is already declared"):
        root._track_trackable(other, name="leaf")
    root._track_trackable(other, name="leaf", overwrite=True)
    assert root._checkpoint_dependencies == [("leaf", other)]
    assert root._lookup_dependency("leaf") is other
    with pytest.raises(TypeError, match="not a Trackable"):
        root._track_trackable(3, name="three")


def test_attributes_are_dependencies():
    root = tracking.AutoTrackable()
    root.a, root.number, root.listed = tracking.AutoTrackable(), 3, [tracking.AutoTrackable()]
    root.apart = data_structures.NoDependency(tracking.AutoTrackable())
    assert isinstance(root.apart, tracking.AutoTrackable)
    assert [name for name, _ in root._checkpoint_dependencies] == ["a", "listed"]
    assert util.list_objects(root) == [root, root.a, root.listed, root.listed[0]]
    del root.a
    assert not hasattr(root, "a")
    assert [name for name, _ in root._checkpoint_dependencies] == ["listed"]
    del root.number

    class Quiet(tracking.AutoTrackable):
        @base.no_automatic_dependency_tracking
        def set(self) -> None:
            self.a = tracking.AutoTrackable()

    quiet = Quiet()
    quiet.set()
    assert quiet._checkpoint_dependencies == []


def test_variables_are_made_for_objects():
    root = tracking.AutoTrackable()
    v = util.add_variable(root, "v", [2], tf.float64, tf.ones_initializer)
    w = util.add_variable(root, "a/.b", initializer=3, dtype=tf.int32)
    u = util.add_variable(root, "u", [1])
    with pytest.raises(ValueError, match="do not specify shape"):
        util.add_variable(root, "x", [], initializer=1.0)
    with pytest.raises(ValueError, match="'v' is already declared as a dependency"):
        util.add_variable(root, "v", [])
    with tf.Session() as session:
        session.run(util.gather_initializers(root))
        assert [np.asarray(each).tolist() for each in session.run([v, w])] == [[1.0, 1.0], 3]
    named, proto, feeds = graph_view.ObjectGraphView(root).serialize_object_graph()
    assert [each.name for each in named] == [f"v/{VALUE}", f"a.S..b/{VALUE}", f"u/{VALUE}"]
    assert ([child.local_name for child in proto.nodes[0].children], feeds) == (["v", "a/.b", "u"], {})
    assert graph_view.ObjectGraphView(root).list_objects() == [root, v, w, u]


class Text(python_state.PythonState):
    """A text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def serialize(self) -> str:
        return self.text

    def deserialize(self, string_value: bytes) -> None:
        self.text = string_value.decode()


def test_states_of_python_are_saved_and_restored(tmp_path: Path):
    with tf.Session():
        checkpoint = util.Checkpoint(text=Text("before"))
        path = checkpoint.save(str(tmp_path / "c"))
        checkpoint.text.text = "after"
        checkpoint.restore(path).assert_consumed()
        assert checkpoint.text.text == "before"
        plain = util.Checkpoint(text=base.Trackable())
        with pytest.raises(AssertionError, match=r"Unused attributes .*\(root\)\.text.*py_state"):
            plain.restore(path).assert_consumed()
        metadata = util.object_metadata(path)
        assert [each.local_name for each in metadata.nodes[0].children] == ["text", "save_counter"]


class Pair(base.Trackable):
    """Two variables, of which one is saved."""

    name = "pair"

    def __init__(self) -> None:
        self.first = tf.get_variable("first", initializer=6.0)
        self.second = tf.get_variable("second", initializer=15.0)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {base.VARIABLE_VALUE_KEY: functools.partial(Both, self.first, self.second)}


class Both(saver.BaseSaverBuilder.SaveableObject):
    """Gives both the value of the first."""

    def __init__(self, first: Any, second: Any, name: str = "pair") -> None:
        self._both = first, second
        spec = saver.BaseSaverBuilder.SaveSpec(first.read_value(), "", name)
        super().__init__(first, [spec], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        (value,) = restored_tensors
        return tf.group(*(each.assign(value) for each in self._both))


class PairTest(tf.test.TestCase):
    """The same in both modes."""

    @test_util.run_in_graph_and_eager_modes
    def test_objects_save_what_they_make(self) -> None:
        pair = Pair()
        checkpoint = util.Checkpoint(pair=pair)
        self.evaluate(pair.first.assign(42.0))
        path = checkpoint.save(self.get_temp_dir() + "/c")
        self.evaluate([pair.first.assign(1.0), pair.second.assign(2.0)])
        checkpoint.restore(path).assert_consumed().initialize_or_restore()
        assert self.evaluate([pair.first, pair.second]) == [42.0, 42.0]
        own = tf.train.Saver([pair])
        self.evaluate(pair.first.assign(43.0))
        with self.cached_session() as session:
            path = own.save(session, self.get_temp_dir() + "/m")
            self.evaluate(pair.first.assign(1.0))
            own.restore(session, path)
        assert self.evaluate([pair.first, pair.second]) == [43.0, 43.0]


def test_what_cannot_be_saved_says_so():
    class No(tracking.NotTrackable, tracking.AutoTrackable):
        """Cannot be saved."""

    with tf.Session(), pytest.raises(NotImplementedError, match="No is not trackable"):
        util.Checkpoint(x=No()).write("anywhere")


def test_checkpoints_of_names_are_restored_into_objects(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session() as session:
        v, w = tf.get_variable("v", initializer=1.0), tf.get_variable("w", initializer=2.0)
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
        session.run([v.assign(3.0), w.assign(4.0)])
        one, both = tracking.AutoTrackable(), tracking.AutoTrackable()
        one.v, both.a, both.b = v, v, [w]
        objects = util.TrackableSaver(graph_view.ObjectGraphView(both))
        objects.restore(path).assert_consumed().assert_nontrivial_match().run_restore_ops()
        assert session.run([v, w]) == [1.0, 2.0]
        status = util.TrackableSaver(graph_view.ObjectGraphView(one)).restore(path).assert_existing_objects_matched()
        with pytest.raises(AssertionError, match=r"not restored: \['w'\]"):
            status.assert_consumed()
        one.x = tf.get_variable("x", initializer=1.0)
        with pytest.raises(AssertionError, match=r"no value in the checkpoint: \['x'\]"):
            status.assert_existing_objects_matched()
        with pytest.raises(ValueError, match="does not appear to be object-based"):
            util.object_metadata(path)
        session.run([v.assign(3.0), w.assign(4.0)])
        number = objects.save(str(tmp_path / "o"), 7)
        session.run([v.assign(5.0), w.assign(6.0)])
        util.streaming_restore(objects.restore(number))
        assert (number[-3:], session.run([v, w])) == ("o-7", [3.0, 4.0])
        frozen = util.frozen_saver(both)
        frozen.save(session, str(tmp_path / "f"))
        session.run(v.assign(9.0))
        frozen.restore(session, str(tmp_path / "f"))
        assert session.run(v) == 3.0


def test_resources_are_listed_by_the_trackers_of_their_scopes():
    class Resource(tracking.TrackableResource):
        """A name."""

        def _create_resource(self) -> str:
            return "handle"

    outer, inner = tracking.ResourceTracker(), tracking.ResourceTracker()
    with tracking.resource_tracker_scope(outer):
        with tracking.resource_tracker_scope(inner):
            first = Resource()
        second = Resource()
    Resource()
    assert (outer.resources, inner.resources) == ([first, second], [first])
    assert first.resource_handle == "handle"


def test_objects_are_read_as_they_were_written():
    nodes = [
        SavedNode({"a": 1, "": 0}),
        SavedNode({}, {"VARIABLE_VALUE": ("name", "a/key"), "x": ("", "")}, [(0, "m", 2), (1, "v", 300)]),
        SavedNode(),
    ]
    assert decoded(encoded(nodes)) == nodes
