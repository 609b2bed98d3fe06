"""``tf.summary``: event files that TensorBoard reads, and programs that go on without tensorboardX."""

from __future__ import annotations

import importlib
import io
import struct
import subprocess
import sys
import wave
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

pytest.importorskip("tensorboardX", reason="the test extra installs it")


def events(folder: Path) -> list[Any]:
    """Read the records of the one event file: length, checksum, data, checksum."""
    proto = importlib.import_module("tensorboardX.proto.event_pb2")
    (path,) = folder.glob("events.out.tfevents.*")
    data, found = path.read_bytes(), []
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        found.append(proto.Event.FromString(data[12 : 12 + length]))
        data = data[16 + length :]
    return found


def summary_of(serialized: bytes) -> Any:
    return tf.Summary.FromString(serialized)


def test_a_training_loop_writes_its_losses_and_graph(tmp_path: Path):
    w = tf.Variable(np.float32([4.0, 2.0]), name="w")
    with tf.name_scope("train"):
        loss = tf.reduce_sum(w * w)
        tf.summary.scalar("the loss", loss)
        tf.summary.histogram("w", w)
    merged = tf.summary.merge_all()
    step = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
    with tf.Session() as session, tf.summary.FileWriter(str(tmp_path / "logs"), session.graph) as writer:
        session.run(tf.global_variables_initializer())
        for number in range(3):
            summary, _ = session.run([merged, step])
            writer.add_summary(summary, number)
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="own", simple_value=3.5)]), np.int64(7))
    first, graph, _, *steps, own = events(tmp_path / "logs")
    assert first.file_version == "brain.Event:2"
    drawn = importlib.import_module("tensorboardX.proto.graph_pb2").GraphDef.FromString(graph.graph_def)
    nodes = {node.name: node for node in drawn.node}
    assert set(nodes) == {op.name for op in tf.get_default_graph().get_operations()} - {"init"}  # made afterwards
    assert (nodes["train/mul"].op, len(nodes["train/mul"].input)) == ("Mul", 2)
    assert [event.step for event in steps] == [0, 1, 2]
    values = [{value.tag: value for value in event.summary.value} for event in steps]
    assert [set(value) for value in values] == [{"train/the_loss", "train/w"}] * 3
    assert [value["train/the_loss"].simple_value for value in values] == [20, 5, 1.25]
    assert (own.step, own.summary.value[0].simple_value) == (7, 3.5)


def test_a_histogram_has_tensorflows_buckets():
    values = np.array([-3.0, -1e-13, 0.0, 0.0, 0.5, 0.5, 2.0, 1e21])
    with tf.Session() as session:
        histogram = summary_of(session.run(tf.summary.histogram("h", values))).value[0].histo
    assert (histogram.min, histogram.max, histogram.num) == (-3, 1e21, 8)
    assert histogram.sum == values.sum()
    assert histogram.sum_squares == np.square(values).sum()
    limits, counts = np.array(histogram.bucket_limit), np.array(histogram.bucket)
    assert counts.sum() == 8
    assert (np.diff(limits) > 0).all()
    for value in values:  # in the bucket below the first limit above it
        assert counts[np.searchsorted(limits, value, side="right")] > 0
    with (
        tf.Session() as session,
        pytest.raises(tf.errors.InvalidArgumentError, match="Nan in summary histogram for: bad"),
    ):
        session.run(tf.summary.histogram("bad", [np.nan]))


def test_images_are_png_files():
    image = np.zeros((3, 2, 2, 3), np.float32)
    image[0, 0, 1] = [0.5, 1.0, 0.0]
    with tf.Session() as session:
        found = summary_of(session.run(tf.summary.image("i", image, max_outputs=2))).value
    assert [value.tag for value in found] == ["i/image/0", "i/image/1"]
    assert (found[0].image.height, found[0].image.width, found[0].image.colorspace) == (2, 2, 3)
    data = found[0].image.encoded_image_string
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    rows = np.frombuffer(zlib.decompress(data[start + 4 : start + 4 + length]), np.uint8).reshape(2, 7)
    assert rows[:, 0].tolist() == [0, 0]
    assert rows[0, 1:].tolist() == [0, 0, 0, 127, 255, 0]


def test_names_are_unique_and_a_tag_twice_is_an_error():
    first, second = tf.summary.scalar("loss", 1.0), tf.summary.scalar("loss", 2.0, family="f")
    old = tf.scalar_summary("loss", 3.0)
    with tf.Session() as session:
        assert [summary_of(v).value[0].tag for v in session.run([first, second, old])] == ["loss", "f/f/loss", "loss"]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Duplicate tag loss found in summary inputs"):
            session.run(tf.summary.merge([first, old]))
    assert tf.summary.merge_all("nothing") is None


def test_a_text_and_a_wrong_scalar():
    with tf.Session() as session:
        (value,) = summary_of(session.run(tf.summary.text("t", tf.constant(["a", "bc"])))).value
        assert (value.tag, list(value.tensor.string_val)) == ("t", [b"a", b"bc"])
        with pytest.raises(tf.errors.InvalidArgumentError, match="not the same shape"):
            session.run(tf.summary.scalar("s", [1.0, 2.0]))


def test_sounds_are_wav_files():
    sounds = np.float32([[0.0, 0.5, -1.0, 2.0], [0.0, 0.0, 0.0, 0.0]])
    with tf.Session() as session:
        first, other = summary_of(session.run(tf.summary.audio("a", sounds, 8000.0))).value
    with wave.open(io.BytesIO(first.audio.encoded_audio_string)) as file:
        frames = np.frombuffer(file.readframes(4), "<i2").tolist()
    assert (first.tag, other.tag, frames) == ("a/audio/0", "a/audio/1", [0, 16384, -32768, 32767])


def test_a_sound_tells_its_length_and_rate():
    with tf.Session() as session:
        node = tf.summary.audio("a", tf.zeros([1, 5, 2]), tf.constant(10.0), max_outputs=1)
        (value,) = summary_of(session.run(node)).value
    audio = value.audio
    assert (value.tag, audio.sample_rate, audio.num_channels, audio.length_frames) == ("a/audio", 10.0, 2, 5)


def test_sounds_of_one_axis_are_refused():
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="3-D or 2-D"):
        session.run(tf.summary.audio("a", tf.zeros([5]), 10.0))


def test_tensors_are_kept_as_they_are():
    metadata = importlib.import_module("tensorboardX.proto.summary_pb2").SummaryMetadata(display_name="shown")
    with tf.Session() as session:
        node = tf.summary.tensor_summary("t", np.int32([[1, 2]]), summary_metadata=metadata)
        (value,) = summary_of(session.run(node)).value
    numbers = np.frombuffer(value.tensor.tensor_content, np.int32).tolist()
    assert (value.tag, numbers, value.metadata.display_name) == ("t", [1, 2], "shown")


def test_text_is_text():
    with pytest.raises(ValueError, match="dtype string"):
        tf.summary.text("t", tf.constant(1))


def test_no_summaries_are_not_merged():
    with pytest.raises(ValueError, match="shorter than minimum length 1"):
        tf.summary.merge([])


def test_a_writer_that_is_closed_goes_on_in_a_new_file(tmp_path: Path):
    writer = tf.summary.FileWriterCache.get(str(tmp_path))
    assert tf.summary.FileWriterCache.get(str(tmp_path)) is writer
    assert writer.get_logdir() == str(tmp_path)
    writer.close()
    with pytest.warns(UserWarning, match="Attempting to use a closed FileWriter"):
        writer.add_summary(tf.Summary(), 1)
    writer.flush()
    tf.summary.FileWriterCache.clear()
    assert [event.WhichOneof("what") for event in events(tmp_path)] == [
        "file_version",
        "graph_def",
        "meta_graph_def",
    ]


def test_a_writer_tells_of_runs_and_of_plugins_once(tmp_path: Path):
    x = tf.constant(1.0)
    writer, told = tf.summary.FileWriter(str(tmp_path)), tf.RunMetadata()
    with tf.Session() as session:
        session.run(x, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=told)
    told.step_stats.dev_stats.add(device="another").node_stats.add(node_name="n", all_start_micros=5)
    writer.add_run_metadata(told, "run", 40)
    with pytest.raises(ValueError, match="tag was already used"):
        writer.add_run_metadata(told, "run", 41)
    with pytest.raises(ValueError, match="only graph, or graph_def"):
        writer.add_graph(x.graph, graph_def=x.graph.as_graph_def())
    for _ in range(2):
        summary = tf.Summary()
        summary.value.add(tag="t", simple_value=1.0).metadata.plugin_data.plugin_name = "p"
        writer.add_summary(summary, 1)
    writer.close()
    (file,) = tmp_path.iterdir()
    _, run, *summaries = tf.train.summary_iterator(str(file))
    assert (run.step, run.tagged_run_metadata.tag) == (40, "run")
    assert run.tagged_run_metadata.run_metadata == told.SerializeToString()
    assert b"another" in told.SerializeToString()
    assert [each.summary.value[0].metadata.plugin_data.plugin_name for each in summaries] == ["p", ""]


PROGRAM = """
import sys
sys.modules["tensorboardX"] = None
import steepest.v1 as tf
loss = tf.constant(2.0)
tf.summary.scalar("loss", loss); tf.summary.histogram("h", loss); tf.summary.image("i", tf.zeros([1, 2, 2, 1]))
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter(sys.argv[1], tf.get_default_graph())
summary = tf.Summary()
summary.value.add(tag="own", simple_value=1.0)
with tf.Session() as session:
    writer.add_summary(session.run(merged), 1)
writer.add_summary(summary, 2)
writer.close()
print("done")
"""


def test_a_program_goes_on_without_tensorboardx(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "logs")], capture_output=True, text=True, check=True
    )
    assert done.stdout == "done\n"
    assert done.stderr == "WARNING:steepest:summaries are not written: pip install tensorboardX; the program goes on\n"
    assert list((tmp_path / "logs").iterdir()) == []


def test_a_graph_may_be_given_as_its_nodes_under_either_name_as_before_1_0(tmp_path: Path):
    tf.constant(1.0, name="one")
    with tf.Session() as session:
        nodes, graph = session.graph_def, session.graph
    made = [{"graph": nodes}, {"graph_def": nodes}, {"graph_def": graph}]
    for number, given in enumerate(made):
        with tf.summary.FileWriter(str(tmp_path / str(number)), **given):
            pass
        _, drawn, with_collections = events(tmp_path / str(number))
        read = tf.GraphDef.FromString(drawn.graph_def)
        assert [node.name for node in read.node] == ["one"]
        assert read.node[0].attr["value"].tensor.float_val == [1.0]
        message = tf.MetaGraphDef.FromString(with_collections.meta_graph_def)
        assert message.graph_def == read
        with tf.summary.FileWriter(str(tmp_path / "more")) as writer, pytest.raises(TypeError, match="saw type"):
            writer.add_meta_graph(nodes)
    with pytest.raises(TypeError, match=r"add_graph: graph must be a tf\.Graph or a GraphDef, got 3"):
        tf.summary.FileWriter(str(tmp_path), 3)


def test_what_a_writer_has_is_on_disk_when_a_program_ends_without_closing_it(tmp_path: Path):
    program = f"""
import steepest.v1 as tf
writer = tf.summary.FileWriter({str(tmp_path)!r})
for step in range(3):
    writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=step)]), step)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert [event.step for event in events(tmp_path)] == [0, 0, 1, 2]


def test_events_are_in_the_file_when_flush_returns_and_a_writer_goes_on_in_another(tmp_path: Path):
    writer = tf.summary.FileWriter(str(tmp_path))
    for step in range(5):
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="x", simple_value=step)]), step)
    writer.flush()
    assert [event.step for event in events(tmp_path)[1:]] == list(range(5))
    (path,) = map(str, tmp_path.glob("events*"))
    writer.close()
    writer.reopen()
    writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), 7)
    writer.add_event(tf.Event(step=9))
    writer.close()
    (other,) = {str(file) for file in tmp_path.glob("events*")} - {path}
    assert [(event.step, event.WhichOneof("what")) for event in tf.train.summary_iterator(other)] == [
        (0, "file_version"),
        (7, "session_log"),
        (9, None),
    ]
    with open(path, "ab") as file:
        file.write(b"\5\0\0\0\0\0\0\0")  # a record that is being written
    assert len(list(tf.train.summary_iterator(path))) == 6
    Path(path).write_bytes(struct.pack("<Q", 2) + bytes(4) + b"\xff\xff" + bytes(4))
    with pytest.raises(tf.errors.DataLossError, match="must hold events"):
        list(tf.train.summary_iterator(path))


def test_a_training_session_writes_summaries_its_rate_and_its_graph(tmp_path: Path):
    step = tf.train.get_or_create_global_step()
    tf.summary.scalar("loss", tf.cast(step, tf.float32))
    train = tf.assign_add(step, 1)
    options = {"save_summaries_steps": 2, "log_step_count_steps": 2, "save_checkpoint_steps": 4}
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), **options) as session:
        for _ in range(5):
            session.run(train)
    found = [(event.step, value.tag) for event in events(tmp_path) for value in event.summary.value]
    assert [at for at, tag in found if tag == "loss"] == [1, 3, 5]
    assert [at for at, tag in found if tag == "global_step/sec"] == [3, 5]
    assert {"graph.pbtxt", "model.ckpt-0.meta", "model.ckpt-4.meta", "model.ckpt-5.meta"} <= {
        file.name for file in tmp_path.iterdir()
    }
    with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), save_summaries_steps=None) as session:
        session.run(step)
    assert len(list(tmp_path.glob("events*"))) == 1  # the cached writer of the folder
