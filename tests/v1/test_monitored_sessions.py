"""Monitored sessions and their hooks, in one process."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.training.saver import _get_saver_or_default

import steepest.v1 as tf


def counting() -> tuple[Any, Any]:
    step = tf.train.get_or_create_global_step()
    total = tf.Variable(0.0, name="total")
    return step, tf.group(total.assign_add(1.0), step.assign_add(1))


class Recorder(tf.train.SessionRunHook):
    def __init__(self, fetch: Any = None, feed: Any = None) -> None:
        self.seen: list[Any] = []
        self.fetch, self.feed = fetch, feed

    def begin(self) -> None:
        self.seen.append("begin")

    def after_create_session(self, session: Any, coord: Any) -> None:
        self.seen.append("created")

    def before_run(self, run_context: Any) -> Any:
        return None if self.fetch is None else tf.train.SessionRunArgs(self.fetch, self.feed)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self.seen.append(run_values.results)

    def end(self, session: Any) -> None:
        self.seen.append("end")


def test_a_session_stops_at_a_step_and_goes_on_from_its_checkpoint(tmp_path):
    folder, seen = str(tmp_path / "new" / "folder"), []
    for last in (3, 5):
        with tf.Graph().as_default():
            step, train = counting()
            hooks = [tf.train.StopAtStepHook(last_step=last)]
            with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks) as session:
                while not session.should_stop():
                    session.run(train)
                    seen.append(int(session.raw_session().run(step)))
    assert seen == [1, 2, 3, 4, 5]
    assert tf.train.latest_checkpoint(folder).endswith("model.ckpt-5")


def test_hooks_are_called_in_order_and_may_feed_and_fetch():
    x = tf.placeholder(tf.float32, [])
    double, hook = x * 2, Recorder()
    other = Recorder({"d": double}, {x: 4.0})
    with tf.train.MonitoredSession(hooks=[hook, other]) as session:
        assert session.run(tf.get_default_graph().get_tensor_by_name("mul:0")) == 8
        with pytest.raises(RuntimeError, match="Same tensor is fed by a SessionRunHook and user"):
            session.run(double, {x: 1.0})
        with pytest.raises(RuntimeError, match="finalized"):
            tf.constant(1)
    assert hook.seen == ["begin", "created", None, "end"]
    assert other.seen == ["begin", "created", {"d": 8}, "end"]
    with pytest.raises(RuntimeError, match="closed Session"):
        session.run(double, {x: 1.0})
    tf.constant(1)  # the graph is as before


def test_an_error_ends_the_session_without_the_hooks_end():
    hook = Recorder()
    with pytest.raises(ZeroDivisionError), tf.train.MonitoredSession(hooks=[hook]):
        raise ZeroDivisionError
    assert hook.seen == ["begin", "created"]


def test_losses_are_logged_and_a_nan_ends_the_training(caplog):
    x = tf.placeholder(tf.float32, [])
    loss = tf.log(x, name="loss")
    every_two = tf.train.LoggingTensorHook(["loss:0"], every_n_iter=2)
    stop = tf.train.NanTensorHook(loss, fail_on_nan_loss=False)
    with caplog.at_level(logging.INFO, "steepest"), tf.train.MonitoredSession(hooks=[every_two, stop]) as session:
        for value in (1.0, 1.0, 1.0, -1.0):
            with np.errstate(invalid="ignore"):
                session.run(loss, {x: value})
        assert session.should_stop()
    begun = ["Graph was finalized.", "Running local_init_op.", "Done running local_init_op."]
    assert caplog.messages[:4] == [*begun, "loss:0 = 0.0"]
    assert caplog.messages[4].startswith("loss:0 = 0.0 (")
    assert caplog.messages[5:] == ["Model diverged with loss = NaN."]
    with tf.Graph().as_default():
        nan = tf.constant(np.nan)
        hook = tf.train.NanTensorHook(nan)
        with pytest.raises(tf.train.NanLossDuringTrainingError), tf.train.MonitoredSession(hooks=[hook]) as session:
            session.run(nan)


def test_a_scaffold_says_how_a_session_begins():
    v, local = tf.Variable(1.0), tf.Variable(5.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    other = v.assign(7.0)
    called = []
    scaffold = tf.train.Scaffold(init_op=other.op, init_fn=lambda scaffold, session: called.append(session.run(v)))
    final = tf.train.FinalOpsHook(v + local)
    with tf.train.SingularMonitoredSession([final], scaffold) as session:
        assert session.run([v, local]) == [7, 5]
        assert session.run_step_fn(lambda step_context: step_context.run_with_hooks(v)) == 7
    assert called == [7]
    assert final.final_ops_values == 12


def test_bad_hooks_are_refused():
    for make, message in [
        (lambda: tf.train.StopAtStepHook(), "One of num_steps or last_step must"),
        (lambda: tf.train.LoggingTensorHook(["a"]), "every_n_iter and every_n_secs"),
        (lambda: tf.train.LoggingTensorHook(["a"], every_n_iter=0), "invalid every_n_iter=0"),
        (lambda: tf.train.SecondOrStepTimer(1, 1), "Can not provide both every_secs and every_steps"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()
    with pytest.raises(RuntimeError, match="Global step should be created to use StopAtStepHook"):
        tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(2)])


def test_listeners_are_told_of_checkpoints(tmp_path: Any):
    told: list[Any] = []

    class Listener(tf.train.CheckpointSaverListener):
        def begin(self) -> None:
            told.append("begin")

        def before_save(self, session: Any, global_step_value: int) -> None:
            told.append(("before", global_step_value))

        def after_save(self, session: Any, global_step_value: int) -> bool:
            told.append(("after", global_step_value))
            return global_step_value == 4

        def end(self, session: Any, global_step_value: int) -> None:
            told.append(("end", global_step_value))

    step = tf.train.get_or_create_global_step().assign_add(1)
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=2, listeners=[Listener()])
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        while not session.should_stop():
            session.run(step)
    saves = [(kind, at) for at in (0, 2, 4) for kind in ("before", "after")]
    assert told == ["begin", *saves, ("end", 4)]
    with pytest.raises(ValueError, match="both saver and scaffold"):
        tf.train.CheckpointSaverHook("x", save_steps=1, saver=tf.train.Saver(), scaffold=tf.train.Scaffold())


def test_a_scaffold_tells_what_has_no_value():
    v = tf.Variable(1.0, name="v")
    scaffold = tf.train.Scaffold().finalize()
    with tf.Session() as session:
        assert session.run(scaffold.ready_op).tolist() == [b"v"]
        session.run(scaffold.init_op)
        assert session.run(scaffold.ready_op).size == 0
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver([v]))
    with pytest.raises(RuntimeError, match="More than one item"):
        tf.train.Scaffold().finalize()


def test_a_second_session_of_a_finished_graph_begins_as_the_first():
    _, train = counting()
    for count in (2, 3):
        with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(num_steps=count)]) as session:
            runs = 0
            while not session.should_stop():
                session.run(train)
                runs += 1
        assert runs == count
    graph = tf.get_default_graph()
    assert not graph.finalized  # as it was before
    assert [len(graph.get_collection(key)) for key in ("init_op", "local_init_op", "ready_op", "savers")] == [1] * 4


class Gone(tf.train.SessionRunHook):
    """Raises once, before the given run."""

    def __init__(self, run: int, error: Exception) -> None:
        self.left, self.error = run, error

    def before_run(self, run_context: Any) -> None:
        self.left -= 1
        if self.left == 0:
            raise self.error


@pytest.mark.parametrize("kind", [tf.errors.AbortedError, tf.errors.UnavailableError])
def test_a_session_begins_anew_where_a_process_is_gone(kind: Any, tmp_path: Any):
    step, train = counting()
    error = kind(None, None, "gone")
    with tf.train.MonitoredSession(hooks=[Gone(3, error)]) as session:
        for _ in range(3):
            session.run(train)
        assert session.run(step) == 1  # from the start
    saving = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=1)
    creator = tf.train.ChiefSessionCreator(checkpoint_dir=str(tmp_path))
    with tf.train.MonitoredSession(creator, [Gone(3, error), saving]) as session:
        for _ in range(3):
            session.run(train)
        assert session.run(step) == 3  # from the checkpoint
    with pytest.raises(kind), tf.train.SingularMonitoredSession(hooks=[Gone(1, error)]) as session:
        session.run(step)


def test_what_makes_the_session_may_be_a_programs_own():
    made: list[Any] = []

    class Creator:
        def create_session(self) -> Any:
            made.append(tf.Session())
            if len(made) == 1:
                raise tf.errors.AbortedError(None, None, "gone")
            return made[-1]

    value = tf.constant(3.0)
    with tf.train.MonitoredSession(Creator()) as session:
        assert session.run(value) == 3.0
    assert len(made) == 2


def test_hooks_see_the_options_of_a_run():
    seen: list[Any] = []

    class Asks(tf.train.SessionRunHook):
        def __init__(self, **options: Any) -> None:
            self.options = tf.RunOptions(**options)

        def before_run(self, run_context: Any) -> Any:
            return tf.train.SessionRunArgs(None, options=self.options)

        def after_run(self, run_context: Any, run_values: Any) -> None:
            seen.append((run_values.options, run_values.run_metadata))

    value = tf.constant(1.0)
    hooks = [Asks(trace_level=2, timeout_in_ms=30000), Asks(trace_level=3, timeout_in_ms=20000)]
    with tf.train.MonitoredSession(hooks=hooks) as session:
        session.run(value)
    expected = tf.RunOptions(trace_level=3, timeout_in_ms=30000)
    assert [options for options, _ in seen] == [expected, expected]
    assert seen[0][1] == seen[1][1] != tf.RunMetadata()
    assert tf.RunOptions() != tf.RunOptions(trace_level=1)


def test_scaffolds_are_made_of_others():
    first = tf.train.Scaffold(init_op=2, ready_op=5)
    second = tf.train.Scaffold(ready_op=6, copy_from_scaffold=first)
    assert (second.init_op, second.ready_op) == (2, 6)
    with pytest.raises(TypeError, match="not a Scaffold instance"):
        tf.train.Scaffold(copy_from_scaffold=1)
    tf.train.Scaffold().finalize()
    with pytest.raises(RuntimeError, match="finalized"):
        tf.constant(1)


def test_the_saver_of_a_graph_is_one():
    tf.Variable(1.0)
    made = _get_saver_or_default()
    assert _get_saver_or_default() is made
    assert tf.train.Scaffold().finalize().saver is made
    tf.add_to_collection(tf.GraphKeys.SAVERS, made)
    with pytest.raises(RuntimeError, match="More than one item"):
        _get_saver_or_default()
