"""What summaries refuse, as TensorFlow does, and their names."""

from __future__ import annotations

import pytest

import steepest.v1 as tf


def test_what_is_no_summary_is_not_merged():
    pytest.importorskip("tensorboardX")
    with pytest.raises(TypeError, match=r"have types \[float32\] that do not match"):
        tf.summary.merge([tf.constant(1.0)])
    nothing = tf.summary.merge([tf.constant("abc")])
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse"):
        session.run(nothing)


def test_what_summaries_refuse():
    with pytest.raises(TypeError, match="'values' has DataType bool"):
        tf.summary.scalar("a", True)
    with pytest.raises(TypeError, match="'values' has DataType string"):
        tf.summary.histogram("a", "b")
    with pytest.raises(TypeError, match="'tensor' has DataType int32"):
        tf.summary.image("a", tf.zeros([1, 2, 2, 1], tf.int32))
    with pytest.raises(ValueError, match="'max_images' of 'ImageSummary' Op passed 0"):
        tf.summary.image("a", tf.zeros([1, 2, 2, 1]), 0)
    with pytest.raises(ValueError, match="'max_outputs' of 'AudioSummaryV2' Op passed 0"):
        tf.summary.audio("a", tf.zeros([1, 2]), 8.0, 0)
    one, still = tf.summary.scalar("a", [1.0]), tf.summary.audio("a", tf.zeros([1, 2, 1]), 0.0)
    for bad, message in (
        (one, r"not the same shape: \[\] != \[1\]"),
        (still, "sample_rate must be > 0"),
        (tf.summary.audio("", [[1.0]], [8.0, 8.0]), "must be rank-0 or contain a single value"),
        (tf.summary.audio("a", tf.zeros([1, 2, 0]), 8.0), "audio is null"),
        (tf.summary.image("a", tf.zeros([1, 0, 2, 1])), r"non-zero dims. Found: \[1, 0, 2, 1\]"),
    ):
        with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(bad)


def test_names_and_descriptions_of_summaries():
    pytest.importorskip("tensorboardX")
    assert tf.summary.scalar("", 1.0).name == "ScalarSummary:0"
    with pytest.raises(ValueError, match="At least one of name"):
        tf.summary.scalar(None, 1.0)
    number = tf.summary.scalar("a", 1.0)
    assert [tf.summary.merge([number], name="m").name, tf.summary.merge([number]).name] == [
        "m/m:0",
        "Merge/MergeSummary:0",
    ]
    assert tf.contrib.deprecated.merge_all_summaries().name == "MergeSummary/MergeSummary:0"
    told = tf.summary.tensor_summary("t", tf.constant(1.0), summary_description="d", display_name="n")
    sound = tf.contrib.deprecated.audio_summary("au", tf.zeros([1, 2, 2]), 100.0)
    with tf.Session() as session:
        first, second = (tf.Summary.FromString(each).value[0] for each in session.run([told, sound]))
    assert (first.metadata.summary_description, first.metadata.display_name) == ("d", "n")
    assert first.tensor.HasField("tensor_shape")
    assert (second.tag, second.audio.num_channels) == ("au/audio/0", 2)
    assert tf.SummaryMetadata is tf.summary.SummaryMetadata
