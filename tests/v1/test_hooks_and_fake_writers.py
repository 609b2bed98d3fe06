"""What hooks write and log, seen by writers that keep it and by a log that a program replaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import TestCase, mock

import pytest
from steepest.v1.python.framework import meta_graph
from steepest.v1.python.platform import tf_logging
from steepest.v1.python.training import monitored_session, training_util

import steepest.v1 as tf
from steepest.v1.contrib.testing import FakeSummaryWriter, latest_event_file, latest_summaries
from steepest.v1.testing.event_files import events_from_file


def steps(increment: int, *hooks: Any, runs: int = 5) -> None:
    train = training_util._increment_global_step(increment)
    for hook in hooks:
        hook.begin()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        hooked = monitored_session._HookedSession(session, list(hooks))
        for _ in range(runs):
            hooked.run(train)


@pytest.mark.parametrize(("every", "each", "expected"), [(10, 5, [15, 25]), (5, 5, [10, 15, 20, 25]), (5, 10, [20])])
def test_rates_are_written_where_runs_make_several_steps(every: int, each: int, expected: list[int]):
    with tf.variable_scope("count"):
        tf.get_variable("own", initializer=0, trainable=False, collections=["global_step", "variables"])
    writer = FakeSummaryWriter("folder", tf.get_default_graph())
    hook = tf.train.StepCounterHook(every_n_steps=every, summary_writer=writer)
    hook._set_steps_per_run(each)
    steps(each, hook, runs=2 if each == 10 else 5)
    assert sorted(writer.summaries) == expected
    assert writer.summaries[expected[0]][0].value[0].tag == "count/own/sec"
    writer.assert_summaries(TestCase(), "folder", tf.get_default_graph(), {})
    with pytest.raises(AssertionError, match="The summaries must be"):
        writer.assert_summaries(TestCase(), expected_summaries={3: {"a": 1.0}})


def test_a_step_that_stays_is_said():
    tf.train.create_global_step()
    with mock.patch.object(tf_logging, "log_first_n") as said:
        steps(0, tf.train.StepCounterHook(every_n_steps=1), runs=30)
    assert "has not been increased" in str(said.call_args)


def test_final_operations_without_input_are_said():
    class Ended:
        def run(self, *args: Any) -> None:
            raise tf.errors.OutOfRangeError(None, None, "end")

    with mock.patch.object(tf_logging, "warning") as said, pytest.raises(tf.errors.OutOfRangeError):
        tf.train.FinalOpsHook(tf.constant(1)).end(Ended())
    assert "dependency back to some input source" in str(said.call_args)


def test_logged_values_are_seen_by_who_replaces_the_log():
    tf.train.create_global_step()
    value = tf.constant(42.0, name="value")
    with mock.patch.object(tf_logging, "info") as said:
        steps(1, tf.train.LoggingTensorHook([value.name], 2), runs=1)
    assert said.call_args.args[1] == "value:0 = 42.0"


def test_writers_of_folders_can_be_replaced(tmp_path: Path):
    cache = tf.summary.FileWriterCache
    cache.clear()
    FakeSummaryWriter.install()
    try:
        assert isinstance(cache.get(str(tmp_path)), FakeSummaryWriter)
        with pytest.raises(ValueError, match="already installed"):
            FakeSummaryWriter.install()
    finally:
        FakeSummaryWriter.uninstall()
        cache.clear()
    assert isinstance(cache.get(str(tmp_path)), tf.summary.FileWriter)
    cache.clear()
    with pytest.raises(ValueError, match="not installed"):
        FakeSummaryWriter.uninstall()


def test_the_newest_summaries_of_a_folder_are_read(tmp_path: Path):
    pytest.importorskip("tensorboardX")
    assert latest_summaries(str(tmp_path)) == []
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=2.0)]), 3)
    (event,) = latest_summaries(str(tmp_path))
    assert (event.step, event.summary.value[0].tag) == (3, "a")
    assert latest_event_file(str(tmp_path)) is not None


def test_files_of_events_have_the_graph_and_what_happened_to_the_session(tmp_path: Path):
    pytest.importorskip("tensorboardX", reason="the test extra installs it")
    step = tf.train.get_or_create_global_step()
    tf.summary.scalar("one", tf.constant(1.0))
    on = tf.assign_add(step, 1)
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path), save_checkpoint_steps=2, save_summaries_steps=2
    ) as session:
        for _ in range(3):
            session.run(on)
    tf.summary.FileWriterCache.clear()
    (path,) = tmp_path.glob("events.out.tfevents.*")
    found = [(event.step, event.WhichOneof("what"), event.session_log) for event in events_from_file(str(path))[1:]]
    log = tf.SessionLog
    assert [(at, told.status) for at, what, told in found if what == "session_log"] == [
        *((0, log.CHECKPOINT), (1, log.START), (2, log.CHECKPOINT), (3, log.CHECKPOINT)),
    ]
    assert [at for at, what, _ in found if what == "graph_def"] == [0, 0]  # the cache of writers writes one
    assert {told.checkpoint_path for _, _, told in found} == {"", str(tmp_path / "model.ckpt")}


def test_numbers_are_logged_as_numpy_shows_them(caplog: pytest.LogCaptureFixture):
    tf.logging.set_verbosity(tf.logging.INFO)
    value, small = tf.constant(6.5536), tf.constant([1e-5, 1.0])
    with tf.train.MonitoredSession(hooks=[tf.train.LoggingTensorHook({"a": value, "b": small}, 1)]) as session:
        session.run(value)
    assert "a = 6.5536, b = [0.00001 1.     ]" in caplog.text


def test_a_writer_that_keeps_has_the_descriptions_of_graphs(tmp_path: Path):
    tf.train.create_global_step()
    FakeSummaryWriter.install()
    try:
        tf.summary.FileWriterCache.clear()
        writer: Any = tf.summary.FileWriterCache.get(str(tmp_path))
        with tf.train.MonitoredSession(hooks=[tf.train.CheckpointSaverHook(str(tmp_path), save_steps=1)]) as session:
            graph_def = session.graph.as_graph_def(add_shapes=True)
        [added] = writer._added_meta_graphs
        expected = meta_graph.create_meta_graph_def(graph_def=graph_def)
        writer.assert_summaries(
            tf.test.TestCase(), expected_added_graphs=[session.graph], expected_added_meta_graphs=[expected]
        )
    finally:
        FakeSummaryWriter.uninstall()
        tf.summary.FileWriterCache.clear()
    with pytest.raises(AssertionError):
        writer.assert_summaries(TestCase(), expected_added_meta_graphs=[])
    with pytest.raises(AssertionError, match="Collections"):
        writer.assert_summaries(TestCase(), expected_added_meta_graphs=[tf.MetaGraphDef()])
    with pytest.raises(AssertionError):
        writer.assert_summaries(TestCase(), expected_summaries={7: {}})
    with pytest.raises(ValueError, match="Invalid global_step -1"):
        writer.add_meta_graph(added, -1)
    assert FakeSummaryWriter("there", tf.Graph())._added_graphs == []
