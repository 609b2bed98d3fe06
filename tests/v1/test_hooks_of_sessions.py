"""Hooks of sessions wait, share a coordinator with threads, log what they are told, and see the options of a run."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Any

import pytest

import steepest.v1 as tf


def counting() -> tuple[Any, Any]:
    step = tf.train.get_or_create_global_step()
    total = tf.Variable(0.0, name="total")
    return step, tf.group(total.assign_add(1.0), step.assign_add(1))


def test_a_hook_waits_until_others_have_brought_the_step_there(monkeypatch):
    step, train = counting()
    waits: list[float] = []
    with tf.train.SingularMonitoredSession(hooks=[tf.train.GlobalStepWaiterHook(3)]) as session:
        others = session.raw_session()

        def sleep(seconds: float) -> None:
            waits.append(seconds)
            others.run(train)

        monkeypatch.setattr(time, "sleep", sleep)
        assert session.run(step) == 3
        assert len(waits) == 3
        assert session.run(step) == 3  # it has been there: no more waiting
        assert len(waits) == 3
    with pytest.raises(RuntimeError, match="Global step"), tf.Graph().as_default():
        tf.train.GlobalStepWaiterHook(3).begin()


def test_hooks_and_threads_share_a_coordinator():
    threads = []

    class Stops(tf.train.SessionRunHook):
        def after_create_session(self, session: Any, coord: Any) -> None:
            self.coord = coord
            threads.append(tf.train.LooperThread.loop(coord, 0.001, lambda: None))

        def before_run(self, run_context: Any) -> None:
            self.coord.request_stop()

    value = tf.constant(3.0)
    with tf.train.MonitoredSession(hooks=[Stops()]) as session:
        assert session.run(value) == 3.0
        assert session.should_stop()
        assert session.run(value) == 3.0  # it is a hook's request that refuses runs
    assert not threads[0].is_alive()


def test_a_step_function_that_asks_for_the_end_leaves_the_block():
    seen = []

    def step(step_context: Any) -> None:
        seen.append(step_context.session.run(value))
        step_context.request_stop()
        seen.append("after")

    value = tf.constant(2.0)
    with tf.train.MonitoredSession() as session:
        session.run_step_fn(step)
        seen.append("behind")
    assert seen == [2.0]


def test_logged_tensors_are_called_as_they_were_given(caplog: pytest.LogCaptureFixture):
    value = tf.constant(42.0, name="value")
    hooks = [
        tf.train.LoggingTensorHook({"z": value, "a": value}, at_end=True),
        tf.train.LoggingTensorHook(["value:0", value], at_end=True),
        tf.train.LoggingTensorHook([value], at_end=True, formatter=lambda values: f"got {values[value]}"),
    ]
    with caplog.at_level(logging.INFO, "steepest"), tf.train.MonitoredSession(hooks=hooks) as session:
        session.run(value)
    told = [record.getMessage() for record in caplog.records][3:]  # after those of the session
    assert told[0] == "a = 42.0, z = 42.0"
    assert told[1:] == [f"value:0 = 42.0, {value} = 42.0", "got 42.0"]


class Stopping(tf.train.CheckpointSaverListener):
    def after_save(self, session: Any, global_step_value: int) -> bool:
        return global_step_value > 0

    def __repr__(self) -> str:
        return "stopping"


def test_the_saving_hook_logs_its_listeners_and_writes_the_saver(caplog: pytest.LogCaptureFixture, tmp_path: Path):
    _, train = counting()
    saver = tf.train.Saver(max_to_keep=3)
    hook = tf.train.CheckpointSaverHook(
        str(tmp_path), save_steps=1, saver=saver, listeners=[Stopping()], save_graph_def=False
    )
    with caplog.at_level(logging.INFO, "steepest"), tf.train.SingularMonitoredSession(hooks=[hook]) as session:
        session.run(train)
        assert session.should_stop()
    tf.summary.FileWriterCache.clear()
    saved = [
        (
            f"Calling checkpoint listeners before saving checkpoint {step}...",
            f"Saving checkpoints for {step} into {tmp_path}/model.ckpt.",
            f"Calling checkpoint listeners after saving checkpoint {step}...",
        )
        for step in (0, 1)
    ]
    asked = "A CheckpointSaverListener requested that training be stopped. listener: stopping"
    messages = [message for message in caplog.messages if "heckpoint" in message]
    # That the hook is made is told too where an earlier test has left the level so low.
    assert [each for each in messages if not each.startswith("Create")] == [*saved[0], *saved[1], asked]
    events = [event for file in tmp_path.glob("events*") for event in tf.train.summary_iterator(str(file))]
    written = [tf.MetaGraphDef.FromString(event.meta_graph_def) for event in events if event.meta_graph_def]
    assert [message.HasField("saver_def") for message in written] == [False, True]
    assert written[1].saver_def.max_to_keep == 3
    assert not list(tmp_path.glob("*.meta"))


def test_what_two_hooks_feed_is_told() -> None:
    x = tf.placeholder(tf.float32, [], name="x")

    class Feeding(tf.train.SessionRunHook):
        def before_run(self, run_context: Any) -> Any:
            return tf.train.SessionRunArgs(x, {x: 1.0})

    told = r"fed by two hooks. Conflict\(s\): \[<tf.Tensor 'x:0'"
    with tf.train.MonitoredSession(hooks=[Feeding(), Feeding()]) as session, pytest.raises(RuntimeError, match=told):
        session.run(x)
