"""``tf.contrib.checkpoint``: names that are made unique, arrays, one state in several objects, pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework import test_util

import steepest.v1 as tf

tfc = tf.contrib.checkpoint


def halves(variable: Any) -> dict[str, Any]:
    def fill(parts: dict[str, Any]) -> None:
        parts["first"], parts["second"] = variable[:2], variable[2:]

    def consume(parts: dict[str, Any]) -> Any:
        return variable.assign(tf.concat([parts["first"], parts["second"]], 0))

    kinds = [variable.dtype.base_dtype] * 2
    return tfc.split_dependency(("first", "second"), kinds, fill, consume, variable.device)


class ObjectsTest(tf.test.TestCase):
    """The same in both modes."""

    @test_util.run_in_graph_and_eager_modes
    def test_names_that_are_taken_get_a_number(self) -> None:
        tracker = tfc.UniqueNameTracker()
        for value, name in ((1.0, "x"), (2.0, "x"), (3.0, "x_1"), (4.0, "y")):
            tracker.track(tf.Variable(value, trainable=name != "y"), name)
        self.evaluate(tf.global_variables_initializer())
        path = tf.train.Checkpoint(kept=tracker).save(f"{self.get_temp_dir()}/model")
        names = [child.local_name for node in tfc.object_metadata(path).nodes for child in node.children]
        assert sorted(names) == ["kept", "save_counter", "x", "x_1", "x_1_1", "y"]
        assert len(tracker.trainable_variables) == 3
        with pytest.raises(ValueError, match="Expected a trackable value"):
            tracker.track(3, "n")

    @test_util.run_in_graph_and_eager_modes
    def test_arrays_are_restored_at_once_and_made_where_they_are_missing(self) -> None:
        state = tfc.NumpyState()
        checkpoint = tf.train.Checkpoint(state=state)
        state.a = np.arange(4.0).reshape(2, 2)
        state.b = np.int64(3)
        path = checkpoint.save(f"{self.get_temp_dir()}/model")
        state.a[0, 0], state.b = 7.0, np.int64(4)
        checkpoint.restore(path)
        assert state.a[0, 0] == 0
        other = tf.train.Checkpoint(state=tfc.NumpyState())
        other.restore(path)
        self.assertAllEqual(other.state.a, [[0, 1], [2, 3]])
        assert other.state.b == 3
        with pytest.raises(NotImplementedError, match="not a NumPy array"):
            state.v = tf.Variable(1.0)

    @test_util.run_in_graph_and_eager_modes
    def test_parts_of_one_state_are_saved_and_restored_together(self) -> None:
        whole = tf.Variable([1.0, 2.0, 3.0, 4.0])
        self.evaluate(tf.global_variables_initializer())
        path = tf.train.Checkpoint(**halves(whole)).save(f"{self.get_temp_dir()}/model")
        first = tf.Variable([0.0, 0.0])
        tf.train.Checkpoint(first=first).restore(path).run_restore_ops()
        self.assertAllEqual(self.evaluate(first), [1, 2])
        again = tf.Variable([0.0] * 4)
        tf.train.Checkpoint(**halves(again)).restore(path).assert_consumed().run_restore_ops()
        self.assertAllEqual(self.evaluate(again), [1, 2, 3, 4])


def test_a_picture_shows_variables_slots_and_what_depends_on_what(tmp_path: Path):
    v, optimizer = tf.Variable([1.0, 2.0], name="v"), tf.train.MomentumOptimizer(0.1, 0.9)
    optimizer.minimize(tf.reduce_sum(v))
    checkpoint = tf.train.Checkpoint(v=v, optimizer=optimizer)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = checkpoint.write(str(tmp_path / "model"), session)
    picture = tfc.dot_graph_from_checkpoint(path)
    assert picture.splitlines()[0] == "digraph {"
    assert 'N_1 [shape=point label="" color=blue width=.25 tooltip="Variable v shape=[2] float32"]' in picture
    assert 'tooltip="Slot variable v/Momentum shape=[2] float32"' in picture
    assert {'N_0 -> N_1 [label="v"]', "N_1 -> N_3 [style=dotted]"} <= set(picture.splitlines())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        plain = tf.train.Saver().save(session, str(tmp_path / "plain"))
    with pytest.raises(ValueError, match="does not appear to be object-based"):
        tfc.dot_graph_from_checkpoint(plain)
