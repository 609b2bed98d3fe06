"""Checkpoints of other objects, with options; what objects give by name, and what becomes of values without a place."""

from __future__ import annotations

import copy
import gc
import logging
import weakref
from pathlib import Path

import pytest
from steepest.v1.python.checkpoint import checkpoint as later
from steepest.v1.python.checkpoint import checkpoint_management, checkpoint_options, graph_view, save_util
from steepest.v1.python.eager import context
from steepest.v1.python.framework import ops
from steepest.v1.python.trackable import autotrackable, base
from steepest.v1.python.training import py_checkpoint_reader

import steepest.v1 as tf


class Model(autotrackable.AutoTrackable):
    def __init__(self, value=2.0):
        self.v = tf.Variable(value)


def test_a_checkpoint_may_be_of_another_object(tmp_path):
    with context.eager_mode():
        model, beside = Model(3.0), tf.Variable(5.0)
        with pytest.raises(ValueError, match=r"root\.v already exists"):
            later.Checkpoint(model, v=beside)
        path = later.Checkpoint(model, beside=beside).save(tmp_path / "ckpt")
        names = {name for name, _ in tf.train.list_variables(path)}
        suffix = "/.ATTRIBUTES/VARIABLE_VALUE"
        assert {f"v{suffix}", f"beside{suffix}", f"save_counter{suffix}"} <= names
        again, other = Model(), tf.Variable(0.0)
        loaded = later.Checkpoint(again, beside=other)
        loaded.restore(path).assert_consumed()
        assert (again.v.numpy(), other.numpy(), loaded.save_counter.numpy()) == (3.0, 5.0, 1)
        plain = autotrackable.AutoTrackable()
        plain.beside = tf.Variable(0.0)
        swapped = tf.Variable(0.0)
        later.Checkpoint(weakref.ref(plain), v=swapped).restore(Path(path)).assert_consumed()
        assert (plain.beside.numpy(), swapped.numpy()) == (5.0, 3.0)


def test_options_call_functions_when_all_is_written(tmp_path):
    with context.eager_mode():
        told = []
        options = checkpoint_options.CheckpointOptions(
            experimental_write_callbacks=[told.append, lambda: told.append("done")], enable_async=True
        )
        checkpoint = later.Checkpoint(v=tf.Variable(1.0))
        manager = checkpoint_management.CheckpointManager(checkpoint, tmp_path, max_to_keep=1)
        paths = [
            checkpoint.save(tmp_path / "saved", options=options),
            checkpoint.write(tmp_path / "written", options=options),
            manager.save(options=options),
        ]
        checkpoint.sync()
        assert told == [each for path in paths for each in (path, "done")]
        with pytest.raises(AssertionError, match="must take no argument or the path"):
            checkpoint_options.CheckpointOptions(experimental_write_callbacks=[lambda one, two: None])
        copied = copy.copy(options)
        copied.experimental_write_callbacks.clear()
        copied.enable_async = False
        assert (len(options.experimental_write_callbacks), options.enable_async) == (2, True)


def test_a_manager_may_be_told_when_the_last_checkpoint_was(tmp_path):
    with context.eager_mode():
        step = tf.Variable(1)
        manager = checkpoint_management.CheckpointManager(
            later.Checkpoint(), tmp_path, None, step_counter=step, checkpoint_interval=2, last_checkpoint_step=1
        )
        assert manager.save() is None
        step.assign(3)
        assert manager.save() is not None


class Pair(base.Trackable):
    def __init__(self, one, two):
        self.one, self.two = tf.Variable(one, use_resource=True), tf.Variable(two, use_resource=True)

    def _serialize_to_tensors(self):
        return {"one": self.one, "two": self.two}

    def _restore_from_tensors(self, restored_tensors):
        return tf.group(self.one.assign(restored_tensors["one"]), self.two.assign(restored_tensors["two"]))


@pytest.mark.parametrize("mode", [context.graph_mode, context.eager_mode])
def test_objects_give_tensors_by_name_and_take_them_back_together(tmp_path, mode):
    with mode(), tf.Graph().as_default(), tf.Session() as session:
        pair, child = Pair(1, 2), Pair(3, 4)
        checkpoint = later.Checkpoint(pair, child=child)
        if not tf.executing_eagerly():
            session.run(tf.global_variables_initializer())
        path = checkpoint.save(tmp_path / "ckpt")
        keys = [each.checkpoint_key for each in later.object_metadata(path).nodes[0].attributes]
        assert keys == ["/.ATTRIBUTES/one", "/.ATTRIBUTES/two"]
        assert py_checkpoint_reader.NewCheckpointReader(path).get_tensor("child/.ATTRIBUTES/two") == 4
        changed = [each.assign(0) for each in (pair.one, child.two)]
        if not tf.executing_eagerly():
            session.run(changed)
        checkpoint.restore(path).assert_consumed().run_restore_ops()
        held = [pair.one, pair.two, child.one, child.two]
        values = [v.numpy() for v in held] if tf.executing_eagerly() else session.run(held)
        assert values == [1, 2, 3, 4]


def test_what_is_saved_is_listed_by_object():
    with context.eager_mode():
        model = Model()
        found, feeds, savers, objects = save_util.serialize_graph_view(graph_view.ObjectGraphView(model))
        assert list(found[model.v]) == ["v/.ATTRIBUTES/VARIABLE_VALUE"]
        assert (feeds, savers, len(objects.nodes)) == ({}, {}, 2)


def test_values_without_a_place_are_warned_of_when_nothing_can_take_them(tmp_path, caplog):
    with context.eager_mode():
        path = later.Checkpoint(one=tf.Variable(2.0), two=tf.Variable(3.0)).save(tmp_path / "ckpt")
        for expected in (False, True):
            caplog.clear()
            partial = later.Checkpoint(one=base.Trackable(), two=tf.Variable(0.0))
            kept = weakref.ref(partial)
            with caplog.at_level(logging.WARNING):
                status = partial.restore(path)
                if expected:
                    status.expect_partial()
                del partial, status
                gc.collect()
            assert kept() is None
            assert ("(root).one" in caplog.text) is not expected
            assert "(root).two" not in caplog.text
            assert ("expect_partial()" in caplog.text) is not expected


def test_variables_of_another_shape_are_refused(tmp_path):
    with context.eager_mode():
        path = later.Checkpoint(v=tf.Variable([1.0, 1.0])).save(tmp_path / "ckpt")
        with pytest.raises(ValueError, match=r"incompatible tensor with shape \(2,\).*Shapes \(1,\) and \(2,\) are"):
            later.Checkpoint(v=tf.Variable([1.0])).restore(path)


def test_a_graph_is_written_in_a_session(tmp_path):
    checkpoint = later.Checkpoint(v=tf.Variable(1.0))
    with tf.Session(), ops.default_session(None), pytest.raises(RuntimeError, match="create a session"):
        checkpoint.write(tmp_path / "ckpt")


def test_only_what_has_values_waits_for_a_place(tmp_path):
    with context.eager_mode():
        root = autotrackable.AutoTrackable()
        root.full, root.empty = Model(), autotrackable.AutoTrackable()
        root.empty.inside = autotrackable.AutoTrackable()
        path = later.Checkpoint(model=root).save(tmp_path / "ckpt")
        new = autotrackable.AutoTrackable()
        later.Checkpoint(model=new).restore(path).expect_partial()
        assert list(new._deferred_dependencies) == ["full"]
        new.full = Model(0.0)
        assert new.full.v.numpy() == 2.0
        assert not new._deferred_dependencies


def test_an_optimizer_of_two_graphs_has_powers_in_each():
    optimizer = tf.train.AdamOptimizer(0.1)
    graphs = tf.Graph(), tf.Graph()
    for graph in graphs:
        with graph.as_default():
            optimizer.minimize(tf.square(tf.Variable(1.0)))
    for graph in graphs:
        with graph.as_default():
            assert [power.graph for power in optimizer._get_beta_accumulators()] == [graph, graph]
    assert optimizer._get_beta_accumulators() == (None, None)  # a third graph is the default one


def test_what_a_checkpoint_of_another_object_names_is_listed(tmp_path):
    with context.eager_mode():
        model, beside = Model(), tf.Variable(1.0)
        listed = later.list_objects(later.Checkpoint(model, beside=beside))
        assert {id(model), id(model.v), id(beside)} <= {id(each) for each in listed}


class Scoped(autotrackable.AutoTrackable):
    def __call__(self):
        with tf.variable_scope("Scoped") as self.variable_scope, later.capture_dependencies(template=self):
            return tf.get_variable("inside", shape=[])


@pytest.mark.parametrize("mode", [context.graph_mode, context.eager_mode])
def test_templates_depend_on_what_they_make_by_its_name_below_theirs(mode):
    def inner():
        return tf.get_variable("v", [1])

    def outer():
        one, two = tf.make_template("one", inner), tf.make_template("two", inner)
        scoped = Scoped()
        with tf.variable_scope("deep"):
            own = tf.get_variable("v", [1])
        return one, two, scoped, own, one(), two(), scoped()

    with mode(), tf.variable_scope("around"):
        template = tf.make_template("whole", outer)
        one, two, scoped, own, of_one, of_two, of_scoped = template()
        found = template._trackable_children()
        assert found == {"deep/v": own, "one": one, "two": two, "Scoped": scoped}
        assert one._trackable_children() == {"v": of_one}
        assert two._trackable_children() == {"v": of_two}
        assert scoped._trackable_children() == {"inside": of_scoped}
        listed = {id(each) for each in later.list_objects(template)}
        assert listed == {id(each) for each in (template, own, one, two, scoped, of_one, of_two, of_scoped)}
