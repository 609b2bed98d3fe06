"""Functions that monitored sessions call as steps, after which they begin anew; and the options of their runs."""

from __future__ import annotations

from typing import Any

import pytest
from steepest.v1.core.protobuf import config_pb2, debug_pb2
from steepest.v1.python.training import monitored_session

import steepest.v1 as tf


def gone() -> tf.errors.AbortedError:
    return tf.errors.AbortedError(None, None, "gone")


class Closing:
    """A session whose end fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def close(self) -> None:
        raise self.error


class GoneBefore(tf.train.SessionRunHook):
    """Has a process be gone before the first run."""

    runs = 0

    def before_run(self, run_context: Any) -> None:
        self.runs += 1
        if self.runs == 1:
            raise gone()


def test_a_whole_step_is_repeated_where_a_process_is_gone():
    calls: list[Any] = []

    def in_the_function(step_context: Any) -> Any:
        calls.append(step_context.run_with_hooks(value))
        if len(calls) == 1:
            raise gone()
        return calls[-1]

    def in_a_run(step_context: Any) -> Any:
        calls.append("begun")
        return step_context.run_with_hooks(value)

    value = tf.constant(3.0)
    with tf.train.MonitoredSession() as session:
        assert session.run_step_fn(in_the_function) == 3.0
    assert calls == [3.0, 3.0]
    calls.clear()
    with tf.train.MonitoredSession(hooks=[GoneBefore()]) as session:
        assert session.run_step_fn(in_a_run) == 3.0
    assert calls == ["begun", "begun"]
    calls.clear()
    with tf.train.SingularMonitoredSession() as single, pytest.raises(tf.errors.AbortedError, match="gone"):
        single.run_step_fn(in_the_function)


def test_a_step_runs_in_the_session_that_a_program_says():
    def step(step_context: Any) -> Any:
        assert isinstance(step_context, tf.train.MonitoredSession.StepContext)
        return step_context.session

    with tf.train.MonitoredSession() as session:
        assert session.run_step_fn(step) is session._tf_sess()
        vars(session)["_tf_sess"] = lambda: "another"
        assert session.run_step_fn(step) == "another"


def test_that_a_process_is_gone_is_no_error_at_the_end():
    wrapped = monitored_session._WrappedSession(Closing(gone()))
    wrapped.close()
    assert wrapped.should_stop()
    with pytest.raises(ValueError, match="else"):
        monitored_session._WrappedSession(Closing(ValueError("else"))).close()
    monitored_session._CoordinatedSession(Closing(ValueError("else")), tf.train.Coordinator()).close()


@pytest.mark.parametrize(("kind", "passes"), [(StopIteration, False), (type("Mine", (StopIteration,), {}), True)])
def test_a_block_ends_by_the_errors_of_ends_alone(kind: Any, passes: bool):
    def block() -> None:
        with tf.train.MonitoredSession():
            raise kind("over")

    if passes:
        with pytest.raises(kind, match="over"):
            block()
    else:
        block()


def test_a_run_is_asked_for_what_its_caller_and_its_hooks_want():
    class Watches(tf.train.SessionRunHook):
        def before_run(self, run_context: Any) -> Any:
            self.asked = run_context.original_args
            options = tf.RunOptions(timeout_in_ms=60000)
            options.debug_options.debug_tensor_watch_opts.add(node_name="b", debug_ops=["DebugIdentity"])
            return tf.train.SessionRunArgs(None, options=options)

        def after_run(self, run_context: Any, run_values: Any) -> None:
            self.options, self.told = run_values.options, run_values.run_metadata

    value, hook = tf.constant(1.0), Watches()
    options = tf.RunOptions(trace_level=3, timeout_in_ms=30000, output_partition_graphs=True)
    options.debug_options.debug_tensor_watch_opts.extend([debug_pb2.DebugTensorWatch(node_name="a")])
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        assert session.run(value, options=options) == 1.0
    watched = [debug_pb2.DebugTensorWatch(node_name="a")]
    watched.append(debug_pb2.DebugTensorWatch(node_name="b", debug_ops=["DebugIdentity"]))
    assert hook.options == config_pb2.RunOptions(
        trace_level=tf.RunOptions.FULL_TRACE,
        timeout_in_ms=60000,
        output_partition_graphs=True,
        debug_options=debug_pb2.DebugOptions(debug_tensor_watch_opts=watched),
    )
    assert len(hook.told.partition_graphs) == 1
    assert len(options.debug_options.debug_tensor_watch_opts) == 1  # the caller's are its own
    assert hook.asked == tf.train.SessionRunArgs(value)


def test_options_of_runs_are_messages():
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, timeout_in_ms=7)
    assert str(options) == "trace_level: FULL_TRACE\ntimeout_in_ms: 7\n"
    assert tf.RunOptions.FromString(options.SerializeToString()) == options
    assert options.SerializeToString() == b"\x08\x03\x10\x07"
    with pytest.raises(ValueError, match='Protocol message RunOptions has no "trace" field'):
        tf.RunOptions(trace=3)


def test_the_traceback_of_a_run_ends_in_the_session():
    failing = tf.Assert(False, ["never"])
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="never") as raised:
        monitored_session._CoordinatedSession(session, tf.train.Coordinator()).run(failing)
    assert [entry.path.name for entry in raised.traceback][-1] == "session.py"
    assert raised.value.__suppress_context__
    read = tf.gather(tf.constant([1.0]), tf.placeholder_with_default(5, []))
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        session.run(read)
    assert [entry.path.name for entry in raised.traceback][-1] == "session.py"
