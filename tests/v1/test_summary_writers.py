"""Writers of TensorFlow 2's summaries: steps, functions, when summaries are recorded, graphs that are collected."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest
from steepest.v1.python.core.framework import step_stats_pb2
from steepest.v1.python.eager import context
from steepest.v1.python.ops import summary_ops_v2 as summary
from steepest.v1.python.summary.writer import event_file_writer

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly
from steepest.v1.testing.event_files import events_from_logdir

pytest.importorskip("tensorboardX", reason="the test extra installs it")


def steps(folder: Path) -> list[int]:
    """Return the steps of the events in a folder's file, without the first one."""
    return [event.step for event in events_from_logdir(str(folder))[1:]]


def test_a_writer_says_the_step_of_what_is_given_none(tmp_path: Path):
    with eagerly():
        writer = summary.create_file_writer_v2(str(tmp_path))
        step = tf.Variable(1, dtype=tf.int64)
        with writer.as_default(step=step):
            summary.write("t", 1.0)
            with writer.as_default(step=7):
                summary.write("t", 1.0)
            step.assign(2)
            summary.write("t", lambda: tf.constant(1.0))
        assert summary.get_step() is None
        writer.set_as_default(step=9)
        summary.write("t", 1.0)
        assert summary.has_default_writer()
        summary._summary_state.writer = None
        summary.set_step(None)
        writer.close()
    assert steps(tmp_path) == [1, 7, 2, 9]


def test_a_function_that_writes_is_made_once_and_keeps_a_step_that_is_a_number(tmp_path: Path):
    made = []
    with eagerly():
        writer = summary.create_file_writer_v2(str(tmp_path))

        @tf.function
        def write(x: Any) -> Any:
            made.append(x)
            with writer.as_default(), summary.record_if(x > 0):
                return summary.write("t", x), summary.write_raw_pb(b"", step=5)

        for number in range(3):
            summary.set_step(number)
            assert write(tf.constant(float(number)))[0].numpy() == (number > 0)
        summary.set_step(None)
        writer.close()
    assert len(made) == 1
    assert steps(tmp_path) == [0, 5, 0, 5]


def test_a_writer_is_made_outside_of_a_function_and_gone_where_nobody_keeps_it(tmp_path: Path):
    with eagerly():
        kept: list[Any] = []

        @tf.function
        def keeps() -> None:
            if not kept:
                kept.append(summary.create_file_writer_v2(str(tmp_path / "kept")))
            with kept[0].as_default():
                summary.write("t", 1, step=3)

        @tf.function
        def forgets() -> None:
            with summary.create_file_writer_v2(str(tmp_path / "gone")).as_default():
                pass

        @tf.function
        def needs() -> None:
            summary.create_file_writer_v2(tf.constant(str(tmp_path / "none")))

        keeps()
        keeps()
        with pytest.raises(tf.errors.NotFoundError, match="does not exist"):
            forgets()
        with pytest.raises(ValueError, match=r"Invalid graph Tensor argument 'logdir=.*inside an @tf.function"):
            needs()
    assert steps(tmp_path / "kept") == [3, 3]
    assert not (tmp_path / "none").exists()


def test_without_a_writer_nothing_is_recorded(tmp_path: Path):
    with eagerly():
        assert not summary.should_record_summaries()
        with summary.record_if(True):
            assert not summary.should_record_summaries()
            assert tf.contrib.summary.should_record_summaries()  # as TensorFlow 1 has it
            assert summary.is_recording_summaries() is False
        with summary.create_file_writer_v2(str(tmp_path)).as_default():
            assert summary.should_record_summaries()
            with summary.record_if(False):
                assert not summary.write("t", 1)  # and needs no step
            with pytest.raises(ValueError, match="No step set"):
                summary.write("t", 1)
            with pytest.raises(ValueError, match="`step` must be a scalar"):
                summary.write("t", 1, step=[1, 2])
        with pytest.raises(ValueError, match="Invalid argument to flush"):
            summary.flush(writer=())
        noop = summary.create_noop_writer()
        noop.set_as_default(step=1)
        assert not summary.write("t", 1)


def test_graphs_of_functions_are_collected_and_written(tmp_path: Path):
    with eagerly():

        @tf.function
        def square(x: Any) -> Any:
            return tf.square(x, name="collected")

        summary.trace_on()
        summary.trace_on()  # says that it is
        writer = summary.create_file_writer_v2(str(tmp_path))
        with writer.as_default(step=4):
            square(tf.constant(2.0))
            square(tf.constant(3.0))
            with tf.name_scope("scope"):
                summary.trace_export("made")
            assert summary.graph(square.get_concrete_function(tf.constant(1.0)).graph)
        with pytest.raises(ValueError, match="Must enable trace before export"):
            summary.trace_export("made", step=1)
        writer.close()
    told, drawn = events_from_logdir(str(tmp_path))[1:]
    (value,) = told.summary.value
    assert (told.step, value.tag) == (4, "scope/made")
    assert value.metadata.plugin_data.plugin_name == "graph_run_metadata_graph"
    metadata = tf.RunMetadata.FromString(tf.make_ndarray(value.tensor).item())
    (body,) = metadata.function_graphs
    assert any(node.op == "Square" for node in body.pre_optimization_graph.node)
    assert any(node.op == "Square" for node in tf.GraphDef.FromString(drawn.graph_def).node)
    with pytest.raises(ValueError, match="cannot be invoked inside a graph"):
        summary.graph(tf.get_default_graph())


def test_contexts_collect_graphs_until_they_are_told_not_to():
    with eagerly():
        context.context().enable_graph_collection()
        tf.function(lambda x: x + 1)(tf.constant(1.0))
        assert len(context.context().export_run_metadata().function_graphs) == 1
        context.context().disable_run_metadata()
        tf.function(lambda x: x + 2)(tf.constant(1.0))
        assert not context.context().export_run_metadata().function_graphs


def test_what_runs_tell_is_a_message(tmp_path: Path):
    node = step_stats_pb2.NodeExecStats(node_name="hello", all_start_micros=3)
    stats = step_stats_pb2.StepStats(dev_stats=[step_stats_pb2.DeviceStepStats(device="cpu:0", node_stats=[node])])
    told = tf.RunMetadata(step_stats=stats)
    assert tf.RunMetadata.FromString(told.SerializeToString()) == told != tf.RunMetadata()
    with eagerly():
        writer = summary.create_file_writer_v2(str(tmp_path))
        with writer.as_default(step=1):
            assert summary.run_metadata("whole", told)
        del writer
        gc.collect()
    (value,) = events_from_logdir(str(tmp_path))[1].summary.value
    assert tf.RunMetadata.FromString(tf.make_ndarray(value.tensor).item()) == told


def test_assertions_in_a_function_are_checked_when_it_runs():
    class Case(tf.test.TestCase):
        def runTest(self) -> None:
            """Compare what is fed."""
            with eagerly():

                @tf.function
                def check(x: Any) -> Any:
                    self.assertAllEqual(x, 2.0)
                    self.assertAllGreater(x, 1.0)
                    return x

                check(tf.constant(2.0))
                with self.assertRaises((AssertionError, tf.errors.OpError)):  # noqa: PT027 - of a unittest case
                    check(tf.constant(3.0))

    Case().debug()


def test_a_file_writer_of_a_graphs_message_tells_of_its_operations(tmp_path: Path):
    tf.constant([12], name="douze")
    tf.summary.FileWriter(str(tmp_path), graph_def=tf.get_default_graph().as_graph_def()).close()
    _, _, event = events_from_logdir(str(tmp_path))
    message = tf.MetaGraphDef.FromString(event.meta_graph_def)
    assert [each.name for each in message.meta_info_def.stripped_op_list.op] == ["Const"]
    assert [node.name for node in message.graph_def.node] == ["douze"]


def test_events_alone_are_written_to_one_file_after_another(tmp_path: Path):
    event = tf.Event(step=3, summary=tf.Summary(value=[tf.Summary.Value(tag="t", simple_value=1.0)]))
    writer = event_file_writer.EventFileWriter(str(tmp_path), filename_suffix=".end")
    writer.add_event(event)
    writer.flush()
    assert (writer.get_logdir(), steps(tmp_path)) == (str(tmp_path), [3])
    writer.close()
    writer.add_event(event)  # nothing
    assert (writer.closed, steps(tmp_path)) == (True, [3])
    writer.reopen()
    writer.add_event(event)
    writer.close()
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    assert all(file.name.endswith(".end") for file in files)
    with pytest.raises(TypeError, match="must be an event_pb2"):
        event_file_writer.EventFileWriter(str(tmp_path / "other")).add_event(1)
