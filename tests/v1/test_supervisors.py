"""``tf.train.Supervisor``: sessions that go on from a checkpoint, threads beside them, and errors that end them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf


def model() -> tuple[Any, Any]:
    w = tf.Variable([4.0, -2.0], name="w")
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.25).minimize(tf.reduce_sum(w * w), global_step=step)
    tf.summary.scalar("first", w[0])
    return w, train


def until(condition: Any) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.005)


def test_a_session_goes_on_from_the_newest_checkpoint(tmp_path: Path):
    folder = str(tmp_path / "logs")
    with tf.Graph().as_default():
        w, train = model()
        supervisor = tf.train.Supervisor(logdir=folder, save_model_secs=0)
        assert w.graph.finalized
        with supervisor.managed_session() as session:
            assert tf.get_default_session() is session
            while not supervisor.should_stop():
                session.run(train)
                if session.run(supervisor.global_step) == 3:
                    supervisor.request_stop()
            supervisor.saver.save(session, supervisor.save_path, global_step=supervisor.global_step)
            values = session.run(w)
    with tf.Graph().as_default():
        w, train = model()
        supervisor = tf.train.Supervisor(logdir=folder, save_model_secs=0)
        with supervisor.managed_session() as session:
            np.testing.assert_array_equal(session.run(w), values)
            assert session.run(supervisor.global_step) == 3
            assert not supervisor.should_stop()


def test_without_a_folder_variables_begin_as_they_say():
    calls: list[Any] = []
    with tf.Graph().as_default():
        given = tf.placeholder(tf.float32, [])
        w = tf.Variable(given, name="w")
        supervisor = tf.train.Supervisor(init_op=w.initializer, init_feed_dict={given: 7.0}, init_fn=calls.append)
        with supervisor.managed_session() as session:
            assert session.run(w) == 7.0
        assert calls == [session]
        with pytest.raises(RuntimeError, match="requires a summary writer"):
            supervisor.summary_computed(session, b"")
    with pytest.raises(RuntimeError, match="closed Session"):
        session.run(w)


def test_threads_save_and_summarise_until_the_end(tmp_path: Path):
    with tf.Graph().as_default():
        _, train = model()
        supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0.02, save_summaries_secs=0.02)
        calls: list[int] = []
        with supervisor.managed_session() as session:
            supervisor.loop(0.01, calls.append, (1,))
            session.run(train)
            until(lambda: tf.train.latest_checkpoint(str(tmp_path)) and len(calls) > 2)
        count = len(calls)
        assert tf.train.latest_checkpoint(str(tmp_path)).startswith(str(tmp_path / "model.ckpt-"))
        time.sleep(0.03)
        assert len(calls) == count
    assert list(tmp_path.glob("events*"))


def test_errors_end_the_session():
    with tf.Graph().as_default():
        model()
        supervisor = tf.train.Supervisor()
        with supervisor.managed_session():
            raise tf.errors.OutOfRangeError(None, None, "the data ends")
        with pytest.raises(ZeroDivisionError), supervisor.managed_session():
            raise ZeroDivisionError
        with pytest.raises(KeyError):
            waits_for_a_thread_that_fails(supervisor)


def waits_for_a_thread_that_fails(supervisor: Any) -> None:
    with supervisor.managed_session():
        supervisor.loop(0.01, {}.__getitem__, ("none",))
        until(supervisor.should_stop)


def test_the_file_of_events_tells_of_the_graph_and_the_session(tmp_path: Path):
    pytest.importorskip("tensorboardX")
    with tf.Graph().as_default():
        tf.Variable([7], name="global_step")  # of one element, and in no collection
        summary = tf.summary.scalar("c", tf.constant(2.0))
        supervisor = tf.train.Supervisor(logdir=str(tmp_path), summary_op=None, save_model_secs=0)
        for _ in range(2):
            with supervisor.managed_session() as session:
                supervisor.summary_computed(session, session.run(summary))
    files = sorted(tmp_path.glob("events*"))
    assert len(files) == 2
    for file in files:
        _, graph, meta, start, *middle, stop = tf.train.summary_iterator(str(file))
        scalar, rate = sorted(middle, key=lambda event: event.summary.value[0].tag)
        read = tf.MetaGraphDef.FromString(meta.meta_graph_def)
        assert (
            tf.GraphDef.FromString(graph.graph_def)
            == read.graph_def
            == supervisor.global_step.graph.as_graph_def(add_shapes=True)
        )
        assert list(read.collection_def["summaries"].node_list.value) == ["c:0"]
        assert start.session_log.status == tf.SessionLog.START
        assert (start.step, scalar.step) == (7, 7)
        assert scalar.summary.value[0].simple_value == 2.0
        assert rate.summary.value[0].tag == "global_step/sec"
        assert stop.session_log.status == tf.SessionLog.STOP
    assert (tmp_path / "graph.pbtxt").exists()


def test_others_than_the_chief_write_nothing(tmp_path: Path):
    with tf.Graph().as_default():
        tf.Variable(1.0)
        with pytest.raises(ValueError, match="must have their device set"):
            tf.train.Supervisor(logdir=str(tmp_path), is_chief=False)
    with tf.Graph().as_default(), tf.device("/job:ps"):
        tf.Variable(1.0)
        supervisor = tf.train.Supervisor(logdir=str(tmp_path), is_chief=False)
        session = supervisor.prepare_or_wait_for_session()
        with pytest.raises(RuntimeError, match="Only chief supervisor"):
            supervisor.start_standard_services(session)
        supervisor.stop()
    assert list(tmp_path.iterdir()) == []


def test_a_manager_without_operations_makes_none():
    with tf.Graph().as_default():
        supervisor = tf.train.Supervisor(session_manager=tf.train.SessionManager())
        supervisor.prepare_or_wait_for_session()
        supervisor.stop()


def test_what_is_none_is_not_made():
    with tf.Graph().as_default():
        model()
        supervisor = tf.train.Supervisor(init_op=None)
        with pytest.raises(RuntimeError, match="did not make model ready"):
            supervisor.prepare_or_wait_for_session()
    with tf.Graph().as_default():
        model()
        supervisor = tf.train.Supervisor(init_op=None, local_init_op=None, ready_op=None)
        with pytest.raises(RuntimeError, match="Model is not initialized and no init_op"):
            supervisor.prepare_or_wait_for_session()


def test_checkpoints_of_before_go_as_new_ones_come(tmp_path: Path):
    for begin in (0, 2):
        with tf.Graph().as_default():
            model()
            supervisor = tf.train.Supervisor(logdir=str(tmp_path), saver=tf.train.Saver(max_to_keep=2))
            with supervisor.managed_session(start_standard_services=False) as session:
                for step in (begin, begin + 1):
                    supervisor.saver.save(session, supervisor.save_path, global_step=step)
    names = [Path(path).name for path in tf.train.get_checkpoint_state(str(tmp_path)).all_model_checkpoint_paths]
    assert names == ["model.ckpt-2", "model.ckpt-3"]
    assert not list(tmp_path.glob("model.ckpt-0*"))
