"""``tf.contrib.slim.summaries`` and summaries of collections: what is in them, under which names."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.contrib.layers import summaries as of_layers

pytest.importorskip("tensorboardX", reason="the test extra installs it")
summaries = tf.contrib.slim.summaries


def merged() -> dict[str, float]:
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = tf.Summary.FromString(session.run(tf.summary.merge_all()))
    return {value.tag: value.simple_value for value in found.value}


def test_summaries_have_the_names_of_tensors(capfd: pytest.CaptureFixture[str]):
    with tf.Graph().as_default():
        score, row = tf.constant(3.0, name="score"), tf.constant([0.0, 1.0, 0.0, 2.0], name="row")
        pixels = tf.constant(np.zeros((1, 2, 2, 1), np.float32), name="pixels")
        summaries.add_scalar_summaries([score, tf.constant(1.0, name="loss")], prefix="eval", print_summary=True)
        summaries.add_scalar_summary(score, "Total")
        summaries.add_zero_fraction_summaries([row])
        summaries.add_histogram_summaries([row], "shown")
        summaries.add_image_summaries([pixels])
        found = merged()
    assert found == {
        "eval/score": 3.0,
        "eval/loss": 1.0,
        "Total": 3.0,
        "row/Fraction_of_Zero_Values": 0.5,
        "shown/row": 0.0,
        "pixels_1/image/0": 0.0,
    }
    assert "eval/score[3]" in capfd.readouterr().err


def test_collections_are_summarized():
    with tf.Graph().as_default():
        weights, bias = tf.get_variable("weights", initializer=2.0), tf.get_variable("bias", initializer=1.0)
        tf.add_to_collection(tf.GraphKeys.WEIGHTS, weights)
        tf.add_to_collection(tf.GraphKeys.BIASES, bias)
        for made in (
            of_layers.summarize_weights(),
            of_layers.summarize_biases(),
            of_layers.summarize_variables("bias"),
        ):
            assert len(made) == 1
        assert merged() == {"weights_summary": 2.0, "bias_summary": 1.0, "bias_summary_1": 1.0}
