"""``tf.contrib.summary``: what is written when it runs, in graphs and in eager mode."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.ops import summary_ops_v2

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly
from steepest.v1.testing.event_files import events_from_file

pytest.importorskip("tensorboardX", reason="the test extra installs it")
summary = tf.contrib.summary


def written(folder: Path) -> list[tuple[int, str, Any]]:
    """Return step, tag and value of the summaries in a folder's files."""
    paths = sorted(folder.glob("events.out.tfevents.*"), key=lambda path: int(path.name.split(".")[-2]))
    values = [
        (event.step, value) for path in paths for event in events_from_file(path) for value in event.summary.value
    ]
    return [(step, value.tag, getattr(value, value.WhichOneof("value"))) for step, value in values]


def test_eager_summaries_are_written_at_every_nth_step_under_the_names_of_their_scopes(tmp_path: Path):
    with eagerly():
        step = tf.train.create_global_step()
        writer = summary.create_file_writer(str(tmp_path), max_queue=0)
        with writer.as_default(), summary.record_summaries_every_n_global_steps(2):
            for number in range(3):
                with tf.name_scope("train"):
                    summary.scalar("the loss", number * 1.5)
                    summary.scalar("rate", tf.constant(3), family="all", step=7)
                step.assign_add(1)
        assert not summary.should_record_summaries()
    once = [("train/the_loss", 0.0), ("all/train/all/rate", 3.0), ("train/the_loss", 3.0), ("all/train/all/rate", 3.0)]
    assert written(tmp_path) == [(at, *rest) for at, rest in zip([0, 7, 2, 7], once, strict=True)]


def test_summaries_of_a_graph_are_written_by_runs_where_their_condition_holds(tmp_path: Path):
    step, x = tf.train.create_global_step(), tf.placeholder(tf.float32)
    on = tf.assign_add(step, 1)
    writer = summary.create_file_writer(str(tmp_path))
    with writer.as_default(), tf.name_scope("outer"):
        with summary.record_summaries_every_n_global_steps(2):
            summary.scalar("x", x)
        with summary.always_record_summaries():
            summary.generic("whole", [x, x])
            summary.generic("other", [x, x], step=5)
        with summary.never_record_summaries():
            summary.scalar("never", x)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            summary.initialize(graph=tf.get_default_graph())
            found = []
            for value in range(3):
                found.append([bool(done) for done in session.run(summary.all_summary_ops(), {x: value})])
                session.run(on)
            session.run(summary.flush())
    assert found == [[True, True, True, False], [False, True, True, False], [True, True, True, False]]
    scalars = [(at, tag, value) for at, tag, value in written(tmp_path) if tag == "outer/x"]
    assert scalars == [(0, "outer/x", 0.0), (2, "outer/x", 2.0)]
    tensors = [(at, tag, tf.make_ndarray(value).tolist()) for at, tag, value in written(tmp_path) if tag != "outer/x"]
    assert sorted(tensors)[:2] == [(0, "outer/whole", [0, 0]), (1, "outer/whole", [1, 1])]
    assert sorted(tensors)[3:] == [(5, "outer/other", [k, k]) for k in range(3)]
    graphs = [event.graph_def for event in events_from_file(next(tmp_path.iterdir())) if event.graph_def]
    assert any(node.name == "global_step" for node in tf.GraphDef.FromString(graphs[0]).node)


def test_a_writers_file_is_begun_by_its_operation_shared_by_name_and_ended(tmp_path: Path):
    one, same = (summary.create_file_writer(str(tmp_path)) for _ in range(2))
    other = summary.create_file_writer(str(tmp_path), name="other", max_queue=1000)
    with summary.always_record_summaries():
        for number, writer in enumerate((one, same, other)):
            with writer.as_default():
                summary.scalar(f"x{number}", number, step=1)
    with tf.Session() as session:
        with pytest.raises(tf.errors.NotFoundError, match="does not exist"):
            session.run(summary.all_summary_ops())
        session.run(summary.summary_writer_initializer_op())
        assert len(list(tmp_path.iterdir())) == 2
        session.run(summary.all_summary_ops())
        session.run([one.flush(), same.flush()])
        assert sorted(written(tmp_path)) == [(1, "x0", 0), (1, "x1", 1)]
        session.run(other.close())
        assert sorted(written(tmp_path)) == [(1, "x0", 0), (1, "x1", 1), (1, "x2", 2)]
        session.run(other.init())
        assert len(list(tmp_path.iterdir())) == 3


def test_what_waits_is_written_when_the_writer_goes(tmp_path: Path):
    with eagerly():
        writer = summary_ops_v2.create_file_writer_v2(str(tmp_path))
        writer.set_as_default()
        assert summary_ops_v2.write("tag", [1, 2], step=3)
        assert written(tmp_path) == []
        summary_ops_v2.state.writer = None
        del writer
        gc.collect()
        ((step, tag, value),) = written(tmp_path)
        assert (step, tag, tf.make_ndarray(value).tolist()) == (3, "tag", [1, 2])


def test_pixels_that_are_not_finite_are_red(tmp_path: Path):
    image = np.float32([[[[0.5, 1, 0.25]], [[np.nan, 0, 0]]]])
    colors = []
    for bad in (None, [1, 2, 3]):
        writer = summary.create_file_writer
        with eagerly(), summary.always_record_summaries(), writer(str(tmp_path), name=str(bad)).as_default():
            summary.image("shown", image, bad_color=bad, step=1)
        colors.append(written(tmp_path)[-1][2].encoded_image_string)
    with tf.Session() as session:
        plain = tf.Summary.FromString(session.run(tf.summary.image("shown", image)))
        drawn = [np.uint8([[[[127, 255, 63]], [color]]]) for color in ([255, 0, 0], [1, 2, 3])]
        red, own = (tf.Summary.FromString(session.run(tf.summary.image("shown", each))) for each in drawn)
    expected = [each.value[0].image.encoded_image_string for each in (red, red, own)]
    assert [plain.value[0].image.encoded_image_string, *colors] == expected


def test_file_writers_of_a_session_share_its_file_with_summaries_that_write(tmp_path: Path):
    def tagged(tag: str) -> Any:
        return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=1.0)])

    writer = summary.create_file_writer(str(tmp_path))
    with writer.as_default(), summary.always_record_summaries():
        written_here = summary.scalar("ran", 2.0, step=2)
    with tf.Session() as session, tf.Session() as other:
        one, two = (tf.summary.FileWriter(str(tmp_path), session=session) for _ in range(2))
        one.add_summary(tagged("one"), 1)
        session.run(writer.init())
        session.run(written_here)
        two.add_summary(tagged("two"), 3)
        two.flush()
        assert [tag for _, tag, _ in written(tmp_path)] == ["one", "ran", "two"]
        tf.summary.FileWriter(str(tmp_path), session=other).flush()
        assert len(list(tmp_path.iterdir())) == 2
