"""Savers of single objects of a checkpoint, views of what depends on what, tensors by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.checkpoint import (
    checkpoint_view,
    functional_saver,
    restore,
    saveable_compat,
    tensor_callable,
    trackable_view,
)
from steepest.v1.python.checkpoint.checkpoint import Checkpoint
from steepest.v1.python.trackable import autotrackable, base
from steepest.v1.python.training import saver
from steepest.v1.python.training.saving import saveable_object, saveable_object_util

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set


@pytest.fixture
def eagerly():
    with eager_execution_set(True):
        yield


class Pair(autotrackable.AutoTrackable):
    def __init__(self, first: float = 0.0, second: float = 0.0) -> None:
        self.held = tf.Variable([first, second])


class Tensors(base.Trackable):
    """Saves two numbers by name."""

    def __init__(self, first: float = 0.0, second: float = 0.0) -> None:
        self.a, self.b = tf.Variable(first), tf.Variable(second)

    def _serialize_to_tensors(self) -> Any:
        return {"-a": self.a, "-b": self.b}

    def _restore_from_tensors(self, tensors: Any) -> Any:
        return tf.group(self.a.assign(tensors["-a"]), self.b.assign(tensors["-b"]))


class Saveable(saveable_object.SaveableObject):
    def __init__(self, pair: Any, name: str) -> None:
        specs = [saveable_object.SaveSpec(v, "", name + end) for v, end in ((pair.a, "-a"), (pair.b, "-b"))]
        self._pair = pair
        super().__init__(None, specs, name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> None:
        self._pair.a.assign(restored_tensors[0])
        self._pair.b.assign(restored_tensors[1])


class Saveables(base.Trackable):
    """Saves the same as `Tensors`, by the other means."""

    def __init__(self, first: float = 0.0, second: float = 0.0) -> None:
        self.a, self.b = tf.Variable(first), tf.Variable(second)

    def _gather_saveables_for_checkpoint(self) -> Any:
        return {"foo": lambda name: Saveable(self, name)}


@pytest.mark.usefixtures("eagerly")
@pytest.mark.parametrize("converts", [False, True])
def test_a_class_reads_files_of_its_earlier_form_and_is_read_by_it(tmp_path: Any, converts: bool):
    later = saveable_compat.legacy_saveable_name("foo")(type("Later", (Tensors,), {}))
    saveable_compat.force_checkpoint_conversion(converts)
    try:
        path = Checkpoint(later(3.0, 4.0)).write(str(tmp_path / "later"))
    finally:
        saveable_compat.force_checkpoint_conversion(False)
    before = Saveables()
    Checkpoint(before).read(path).assert_consumed()
    assert (float(before.a), float(before.b)) == (3, 4)
    earlier, now = Checkpoint(Saveables(5.0, 6.0)).write(str(tmp_path / "earlier")), later()
    Checkpoint(now).read(earlier).assert_consumed()
    assert (float(now.a), float(now.b)) == (5, 6)


@pytest.mark.usefixtures("eagerly")
def test_functions_in_place_of_tensors_are_called_when_the_object_is_saved(tmp_path: Any):
    class Counter(base.Trackable):
        def __init__(self) -> None:
            self.n = tf.Variable(0)

        def _serialize_to_tensors(self) -> Any:
            def count() -> Any:
                return self.n.assign_add(1) - 1

            return {"n": tensor_callable.Callable(count, self.n.dtype, self.n.device)}

        def _restore_from_tensors(self, tensors: Any) -> Any:
            return self.n.assign(tensors["n"])

    counter = Counter()
    path = Checkpoint(counter).write(str(tmp_path / "ckpt"))
    assert int(counter.n) == 1
    Checkpoint(counter).read(path).assert_consumed()
    assert int(counter.n) == 0


@pytest.mark.usefixtures("eagerly")
def test_savers_of_names_save_what_objects_give_by_name(tmp_path: Any):
    first, second = Tensors(1.0, 2.0), Tensors()
    path = tf.train.Saver({"x": first}).save(None, str(tmp_path / "ckpt"))
    assert tf.train.list_variables(path) == [("x-a", []), ("x-b", [])]
    tf.train.Saver({"x": second}).restore(None, path)
    assert (float(second.a), float(second.b)) == (1, 2)


@pytest.mark.usefixtures("eagerly")
def test_a_view_of_a_checkpoint_tells_what_matches_an_object(tmp_path: Any, caplog: Any):
    root = autotrackable.AutoTrackable()
    root.a, root.b = autotrackable.AutoTrackable(), autotrackable.AutoTrackable()
    root.a.c = root.b.c = Pair()
    view = checkpoint_view.CheckpointView(Checkpoint(root).write(str(tmp_path / "ckpt")))
    assert view.children(0) == {"a": 1, "b": 2}
    assert view.descendants() == [0, 1, 2, 3, 4]
    here = autotrackable.AutoTrackable()
    here.a, here.d = autotrackable.AutoTrackable(), autotrackable.AutoTrackable()
    matched, missing, new = view.diff(here)
    assert matched == {0: here, 1: here.a}
    assert (missing, new) == ([2, 3, 4], [here.d])
    assert trackable_view.TrackableView(here).descendants() == [here, here.a, here.d]
    here.b = autotrackable.AutoTrackable()
    here.a.c, here.b.c = Pair(), Pair()
    assert view.match(here)[3] is here.a.c
    assert "Inconsistent references when matching the checkpoint" in caplog.text
    with pytest.raises(ValueError, match="Expected a Trackable"):
        view.match(3)


@pytest.mark.usefixtures("eagerly")
def test_objects_are_restored_by_their_numbers(tmp_path: Any):
    class One(base.Trackable):
        def __init__(self, first: float = 0.0) -> None:
            self.v = tf.Variable(first)

        def _gather_saveables_for_checkpoint(self) -> Any:
            return {"v": lambda name: saveable_object_util.ResourceVariableSaveable(self.v, "", name)}

    root = autotrackable.AutoTrackable()
    root.one, root.two, root.three = Tensors(1.0, 2.0), One(3.0), Pair(4.0, 5.0)
    path = Checkpoint(root).write(str(tmp_path / "ckpt"))
    one, two, held = Tensors(), One(), tf.Variable([0.0, 0.0])
    restore.restore_nodes(path, {1: one, 2: two, 4: held})
    assert (float(one.a), float(one.b), float(two.v), held.numpy().tolist()) == (1, 2, 3, [4, 5])
    with pytest.raises(ValueError, match=r"node_id: 9 to Trackable .* does not exist in the checkpoint"):
        restore.restore_nodes(path, {9: one})
    with pytest.raises(ValueError, match="Size for serialized_tensors for Trackable: 2 did not match"):
        restore.restore_nodes(path, {4: one})
    with pytest.raises(ValueError, match="does not contain serialized tensors for node_id: 3"):
        restore.restore_nodes(path, {3: one})


@pytest.mark.parametrize("eager", [False, True])
def test_savers_of_tensors_give_them_back(tmp_path: Any, eager: bool):
    with eager_execution_set(eager), tf.Graph().as_default() if not eager else eager_execution_set(True):
        session = None if eager else tf.Session()

        def run(made: Any) -> Any:
            return made if session is None else session.run(made)

        v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
        if session is not None:
            session.run(v.initializer)
        saver = functional_saver.MultiDeviceSaver.from_saveables(saveable_object_util.saveable_objects_for_op(v, "x"))
        path = str(tmp_path / "ckpt")
        run(saver.save(tf.constant(path)))
        run(v.assign([0.0, 0.0]))
        run(saver.restore(path))
        np.testing.assert_array_equal(run(v.value()), [1, 2])


def test_what_cannot_be_saved_is_refused():
    with pytest.raises(TypeError, match="Name is not a string"):
        list(saveable_object_util.saveable_objects_for_op(3, 3))
    with pytest.raises(TypeError, match="Not a variable"):
        list(saveable_object_util.saveable_objects_for_op(3, "x"))
    with pytest.raises(ValueError, match="Slices must all be Variables"):
        list(saveable_object_util.saveable_objects_for_op([3], "x"))
    with pytest.raises(ValueError, match="save_path cannot be empty"):
        restore.restore_nodes(None, {})


@pytest.mark.usefixtures("eagerly")
def test_a_class_derived_from_what_saves_a_variable_may_give_its_value_to_others_too(tmp_path: Any):
    first, second = tf.Variable(1.0), tf.Variable(2.0)

    class Both(saver.BaseSaverBuilder.ResourceVariableSaveable):
        def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
            return tf.group(second.assign(restored_tensors[0]), super().restore(restored_tensors, restored_shapes))

    made = tf.train.Saver([Both(first, "", "x")])
    path = made.save(None, str(tmp_path / "ckpt"))
    assert tf.train.list_variables(path) == [("x", [])]
    first.assign(3.0)
    made.restore(None, path)
    assert (float(first), float(second)) == (1.0, 1.0)
