"""Savers that a program registers for some objects, and classes that it registers by name."""

from __future__ import annotations

import os
from typing import Any

import pytest
from steepest.v1.python.checkpoint import graph_view as graph_views
from steepest.v1.python.checkpoint import save_util_v1
from steepest.v1.python.checkpoint.checkpoint import Checkpoint
from steepest.v1.python.ops import io_ops
from steepest.v1.python.saved_model import registration
from steepest.v1.python.trackable import autotrackable, base
from steepest.v1.python.util import object_identity

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set
from steepest.v1.saving import registered_savers


@pytest.fixture
def eagerly():
    with eager_execution_set(True):
        yield


@pytest.fixture(autouse=True)
def nothing_registered(monkeypatch: Any):
    for kept in (registered_savers._classes, registered_savers._savers):
        monkeypatch.setattr(kept, "kept", {})


class Pair(autotrackable.AutoTrackable):
    def __init__(self, first: float = 0.0, second: float = 0.0) -> None:
        self.held = tf.Variable([first, second])


def register_pairs(scale: float = 1.0, **options: Any) -> None:
    """Pairs are saved as their sum and difference."""

    def save(trackables: Any, file_prefix: Any) -> Any:
        names = [f"{name}/sums" for name in trackables]
        sums = [tf.stack([v.held[0] + v.held[1], v.held[0] - v.held[1]]) for v in trackables.values()]
        io_ops.save_v2(file_prefix, names, [""] * len(names), sums)
        return file_prefix

    def load(trackables: Any, merged_prefix: Any) -> None:
        for name, value in trackables.items():
            (sums,) = io_ops.restore_v2(merged_prefix, [f"{name}/sums"], [""], ["float32"])
            value.held.assign([scale * (sums[0] + sums[1]) / 2, scale * (sums[0] - sums[1]) / 2])

    def is_pair(value: Any) -> bool:
        return isinstance(value, Pair)

    registration.register_checkpoint_saver(name="Pairs", predicate=is_pair, save_fn=save, restore_fn=load, **options)


@pytest.mark.usefixtures("eagerly")
def test_a_registered_saver_writes_a_part_of_the_checkpoint_and_reads_it(tmp_path: Any):
    register_pairs(scale=10.0)
    path = Checkpoint(one=Pair(1.0, 2.0), rest=tf.Variable(7.0)).write(str(tmp_path / "ckpt"))
    assert sorted(os.listdir(tmp_path)) == ["ckpt.index", "ckpt.safetensors"]
    assert ("one/sums", [2]) in tf.train.list_variables(path)
    pair, rest = Pair(), tf.Variable(0.0)
    Checkpoint(one=pair, rest=rest).read(path).expect_partial()
    assert pair.held.numpy().tolist() == [10, 20]
    assert float(rest) == 7.0


@pytest.mark.usefixtures("eagerly")
@pytest.mark.parametrize("strict", [True, False])
def test_what_a_registered_saver_saved_is_not_for_an_object_of_another_kind(tmp_path: Any, strict: bool):
    register_pairs(strict_predicate_restore=strict)
    path = Checkpoint(one=Pair(1.0, 2.0)).write(str(tmp_path / "ckpt"))
    other = Checkpoint(one=autotrackable.AutoTrackable())
    if strict:
        with pytest.raises(ValueError, match="this saver cannot be used to restore"):
            other.read(path)
    else:
        other.read(path).expect_partial()


@pytest.mark.usefixtures("eagerly")
def test_a_saver_must_return_prefixes(tmp_path: Any):
    options = {"predicate": lambda value: isinstance(value, Pair), "restore_fn": lambda **_: None}
    registration.register_checkpoint_saver(name="Numbers", save_fn=lambda **_: [tf.constant(1)], **options)
    with pytest.raises(ValueError, match="Registered saver must return a"):
        Checkpoint(one=Pair()).write(str(tmp_path / "ckpt"))


def test_in_a_graph_the_operations_of_a_registered_saver_run(tmp_path: Any):
    class Held(autotrackable.AutoTrackable):
        def __init__(self) -> None:
            self.v = tf.get_variable("v", initializer=3.0)

    def save(trackables: Any, file_prefix: Any) -> Any:
        with tf.control_dependencies([io_ops.save_v2(file_prefix, ["v"], [""], [trackables["one"].v])]):
            return tf.identity(file_prefix)

    def load(trackables: Any, merged_prefix: Any) -> Any:
        return trackables["one"].v.assign(io_ops.restore_v2(merged_prefix, ["v"], [""], ["float32"])[0])

    registration.register_checkpoint_saver(
        name="Held", predicate=lambda value: isinstance(value, Held), save_fn=save, restore_fn=load
    )
    with tf.Graph().as_default(), tf.Session() as session:
        held = Held()
        session.run(held.v.initializer)
        path = Checkpoint(one=held).write(str(tmp_path / "ckpt"))
        session.run(held.v.assign(0.0))
        Checkpoint(one=held).read(path).run_restore_ops()
        assert session.run(held.v) == 3.0


@pytest.mark.usefixtures("eagerly")
def test_what_saves_objects_may_save_others_in_their_place():
    register_pairs()
    root = autotrackable.AutoTrackable()
    root.v, root.pair = tf.Variable(1.0), Pair()
    others = object_identity.ObjectIdentityDictionary()
    others[root.v] = tf.Variable(2.0)
    found, _, _, registered = save_util_v1.serialize_gathered_objects(graph_views.ObjectGraphView(root), others)
    assert [each.op for each in found if each.op is others[root.v]] == [others[root.v]]
    assert registered == {"Custom.Pairs": {"pair": root.pair}}


def test_registered_classes_are_found_by_name_and_by_object():
    @registration.register_serializable()
    class First(base.Trackable):
        pass

    @registration.register_serializable(package="mine", name="other", predicate=lambda value: value == 3)
    class Second(base.Trackable):
        pass

    assert registration.get_registered_class_name(First()) == "Custom.First"
    assert registration.get_registered_class_name(3) == "mine.other"
    assert registration.get_registered_class("mine.other") is Second
    assert registration.get_registered_class("mine.none") is None
    with pytest.raises(ValueError, match="has already been registered"):
        registration.register_serializable(name="First")(Second)
    with pytest.raises(LookupError, match="does not have name 'no' registered"):
        registration.get_save_function("no")
