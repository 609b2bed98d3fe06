"""``tensorflow.python.platform`` and what is written in C++ there: flags of a set of one's own, event files, facts."""

from __future__ import annotations

import sys

import pytest
from steepest.v1.python.client import _pywrap_events_writer, session
from steepest.v1.python.lib.io import file_io, tf_record
from steepest.v1.python.platform import benchmark, build_info, flags, resource_loader, sysconfig
from steepest.v1.python.summary import summary_iterator
from steepest.v1.python.summary.writer import fake_summary_writer

import steepest.v1 as tf
from steepest.v1.python import pywrap_tensorflow


def test_flags_of_a_set_are_read_when_the_first_one_is(monkeypatch):
    own = flags.FlagValues()
    wrapped = flags._FlagValuesWrapper(own)
    flags.DEFINE_string("kind", "default", "A flag.", flag_values=wrapped)
    assert not wrapped.is_parsed()
    assert (dir(wrapped), list(wrapped), len(wrapped), "kind" in wrapped) == (["kind"], ["kind"], 1, True)
    monkeypatch.setattr(sys, "argv", ["program", "--kind=given"])
    assert wrapped.kind == "given"
    assert wrapped.is_parsed()
    wrapped.kind = "set"
    assert own.kind == wrapped["kind"].value == "set"
    assert str(wrapped) == str(own)
    del wrapped.kind
    assert "kind" not in wrapped
    assert "kind" not in flags.FLAGS


def test_the_writer_of_events_that_is_written_in_cpp(tmp_path):
    pytest.importorskip("tensorboardX")
    assert pywrap_tensorflow.EventsWriter is _pywrap_events_writer.EventsWriter
    writer = _pywrap_events_writer.EventsWriter(str(tmp_path / "some").encode())
    name = writer.FileName().decode()
    assert name.startswith(str(tmp_path / "some.out.tfevents."))
    writer.WriteEvent(tf.Event(step=67, wall_time=1.5))
    writer.Flush()
    writer.Close()
    version, event = (tf.Event.FromString(record) for record in tf_record.tf_record_iterator(name))
    assert (version.file_version, event.step, event.wall_time) == ("brain.Event:2", 67, 1.5)
    with pytest.raises(TypeError, match="got something"):
        writer.WriteEvent("something")


def test_events_that_are_appended_later_are_read_too(tmp_path):
    pytest.importorskip("tensorboardX")
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        writer.flush()
        (path,) = tmp_path.iterdir()
        events = summary_iterator.summary_iterator(str(path))
        assert next(events).file_version == "brain.Event:2"
        for step in (1, 2):
            with pytest.raises(StopIteration):
                next(events)
            writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), step)
            writer.flush()
            assert next(events).step == step
    with path.open("ab") as file:
        file.write(b"\x10\0")  # the beginning of a record
    assert list(events) == []


def test_facts_of_the_build():
    assert sysconfig.get_build_info() == build_info.build_info
    assert not sysconfig.get_build_info()["is_cuda_build"]
    assert benchmark.TensorFlowBenchmark is tf.test.Benchmark


def test_files_of_the_package_are_read():
    assert b"tf.resource_loader" in resource_loader.load_resource("resource_loader.py")
    with pytest.raises(OSError, match="No such file"):
        resource_loader.load_resource("nothing.txt")


def test_names_of_sessions_paths_and_writers():
    assert session.BaseSession is session.SessionInterface is tf.Session
    assert [file_io.join("a", "b"), file_io.join("a", "/b")] == ["a/b", "/b"]
    assert file_io.has_atomic_move("a")
    assert "file" in file_io.get_registered_schemes()
    assert fake_summary_writer.FakeSummaryWriter is tf.contrib.testing.FakeSummaryWriter
