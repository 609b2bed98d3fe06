"""The hook that writes how long runs took, and what programs make operations of summaries with."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

import steepest.v1 as tf
from steepest.v1.contrib.testing import FakeSummaryWriter
from steepest.v1.summaries.op_util import clean_tag, collect, summary_scope
from steepest.v1.summaries.profiler_hook import NeverTriggerTimer, get_or_create_steps_per_run_variable


@pytest.fixture(autouse=True)
def writers():
    tf.summary.FileWriterCache.clear()
    FakeSummaryWriter.install()
    yield
    FakeSummaryWriter.uninstall()
    tf.summary.FileWriterCache.clear()


def test_every_second_run_is_traced(tmp_path: Path):
    told: Any = tf.summary.FileWriterCache.get(str(tmp_path))
    on = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    hook = tf.train.ProfilerHook(save_steps=2, output_dir=str(tmp_path))
    with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
        found = []
        for _ in range(5):
            session.run(on)
            found.append(len(list(tmp_path.glob("timeline-*.json"))))
    assert found == [0, 1, 1, 2, 2]
    assert list(told._added_run_metadata) == ["step_2", "step_4"]
    trace = json.loads((tmp_path / "timeline-2.json").read_text())["traceEvents"]
    assert [event["ph"] for event in trace] == ["M", "X"]


def test_a_hook_has_one_of_steps_and_seconds_and_a_global_step():
    for given in ({}, {"save_steps": 1, "save_secs": 1.0}):
        with pytest.raises(ValueError, match="every_secs"):
            tf.train.ProfilerHook(**given)
    with pytest.raises(RuntimeError, match="Global step should be created to use ProfilerHook"):
        tf.train.ProfilerHook(save_secs=1).begin()


def test_a_timer_that_is_never_due():
    timer = NeverTriggerTimer()
    timer.reset()
    assert not timer.should_trigger_for_step(3)
    assert timer.update_last_triggered_step(3) == (None, None)
    assert timer.last_triggered_step() is None


def test_steps_of_a_run_are_one_variable():
    made = get_or_create_steps_per_run_variable()
    assert made is get_or_create_steps_per_run_variable()
    assert (made.name, made.dtype) == ("steps_per_run/STEPS_PER_RUN:0", tf.int32)
    tf.add_to_collection("STEPS_PER_RUN", made)
    with pytest.raises(ValueError, match="Multiple"):
        get_or_create_steps_per_run_variable()


def test_scopes_of_summaries():
    assert [clean_tag(name) for name in (None, "a", "/a b:0")] == [None, "a", "a_b_0"]
    with tf.name_scope("outer"):
        with summary_scope("x y", "f") as (tag, scope):
            assert (tag, scope) == ("f/outer/f/x_y", "outer/f/x_y/")
        with summary_scope(None, default_name="z") as (tag, scope):
            assert (tag, scope) == ("outer/z", "outer/z/")
    collect(1, None, ["a"])
    collect(2, ["b"], ["a"])
    assert (tf.get_collection("a"), tf.get_collection("b")) == ([1], [2])


def test_messages_of_summaries():
    pytest.importorskip("tensorboardX")
    assert tf.summary.TaggedRunMetadata(tag="t").tag == "t"
    assert tf.summary.SummaryDescription(type_hint="h").type_hint == "h"
    assert importlib.import_module("steepest.v1.python.file_functions").file_exists_v2(__file__)
