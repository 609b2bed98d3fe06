"""What hooks write and log, seen by writers that keep it and by a log that a program replaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import TestCase, mock

import pytest
from steepest.v1.python.platform import tf_logging
from steepest.v1.python.training import monitored_session, training_util

import steepest.v1 as tf
from steepest.v1.contrib.testing import FakeSummaryWriter, latest_event_file, latest_summaries


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
