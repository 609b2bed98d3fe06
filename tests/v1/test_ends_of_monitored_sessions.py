"""How monitored sessions end, and what they begin with: threads' errors, closing, readiness, savers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import steepest.v1 as tf


class _Stops(tf.train.SessionRunHook):
    """Asks for the end, with the error of a thread, after each run."""

    ended = 0

    def after_create_session(self, session: Any, coord: Any) -> None:
        self.coord = coord

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self.coord.request_stop(ValueError("of a thread"))

    def end(self, session: Any) -> None:
        self.ended += 1


def test_the_error_of_a_thread_is_raised_at_the_end_after_the_hooks_ended():
    value, hook = tf.constant([1.0]), _Stops()
    session = tf.train.MonitoredSession(hooks=[hook])
    assert session.run(value) == [1.0]
    assert session.should_stop()
    assert session.run(value) == [1.0]
    with pytest.raises(ValueError, match="of a thread"):
        session.close()
    assert hook.ended == 1
    single = tf.train.SingularMonitoredSession([hook])
    single.run(value)
    with pytest.raises(ValueError, match="of a thread"):
        single.should_stop()


def test_a_session_is_closed_once():
    session = tf.train.SingularMonitoredSession()
    assert isinstance(session.raw_session(), tf.Session)
    assert session._sess._sess._sess is session._tf_sess() is session.raw_session()  # as programs take it
    with tf.train.MonitoredSession() as recovered:
        assert recovered._sess._sess._sess._sess is recovered._tf_sess() is recovered.raw_session()
    session.close()
    assert session.raw_session() is None
    assert session.should_stop()
    with pytest.raises(RuntimeError, match="Session is already closed"):
        session.close()


def test_a_block_leaves_the_default_session():
    value = tf.Variable(1.0)
    with tf.Session() as outer:
        outer.run(value.assign(5.0))
        with tf.train.MonitoredSession() as session:
            assert tf.get_default_session() is outer
            assert (value.eval(), session.run(value)) == (5.0, 1.0)


def test_a_session_is_ready_or_refused():
    first = tf.Variable(1.0, name="first")
    tf.Variable(2.0, name="second")
    scaffold = tf.train.Scaffold(init_op=first.initializer)
    with pytest.raises(RuntimeError, match=r"did not make model ready for local_init.*not initialized: second"):
        tf.train.MonitoredSession(tf.train.ChiefSessionCreator(scaffold))


def test_training_that_goes_on_keeps_as_many_checkpoints(tmp_path: Path):
    count = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    for _ in range(3):
        with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), save_checkpoint_steps=2) as session:
            for _ in range(6):
                session.run(count)
    kept = sorted(int(path.stem.split("-")[1]) for path in tmp_path.glob("model.ckpt-*.safetensors"))
    assert kept == [10, 12, 14, 16, 18]


def test_a_scaffold_makes_what_its_graph_does_not_have(tmp_path: Path):
    tf.constant(1.0)
    made = tf.train.Scaffold.get_or_default("thing", "things", lambda: 3)
    assert (made, tf.get_collection("things")) == (3, [3])
    assert tf.train.Scaffold.get_or_default("thing", "things", lambda: 4) == 3
    tf.add_to_collection("things", 5)
    with pytest.raises(RuntimeError, match=r"More than one item in the collection.*Scaffold\(thing=item"):
        tf.train.Scaffold.get_or_default("thing", "things", lambda: 4)
    saver = tf.train.Scaffold().finalize().saver  # of no variables
    with tf.Session() as session:
        assert saver.save(session, str(tmp_path / "none")) is None


def test_a_hook_without_a_saver_takes_the_one_of_the_graph(tmp_path: Path):
    tf.train.get_or_create_global_step()
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=1)
    hook.begin()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(RuntimeError, match="No items in collection savers"):
            hook.after_create_session(session, None)
