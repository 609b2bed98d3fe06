"""Layers of ``tf.contrib.layers`` that normalize: their outputs, and what their moving averages become."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.contrib import layers

R = np.random.RandomState(5)
ROWS = R.standard_normal((6, 3)).astype("f") * 2 + 1
IMAGES = R.standard_normal((4, 3, 2, 5)).astype("f") * 3 - 1


def over_batch(x: Any, axis: int) -> tuple[Any, Any, int]:
    """Return mean and variance of the channels, in float64, and how many elements each channel has."""
    others = tuple(k for k in range(x.ndim) if k != axis % x.ndim)
    x = x.astype("d")
    return x.mean(others, keepdims=True), x.var(others, keepdims=True), x.size // x.shape[axis]


@pytest.mark.parametrize("x", [ROWS, IMAGES, IMAGES[:, 0]], ids=["2", "4", "3"])
@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
@pytest.mark.parametrize("fused", [None, False])
@pytest.mark.parametrize("forced", [True, False], ids=["forced", "collected"])
@pytest.mark.parametrize("known", [True, False])
def test_batches_are_normalized_and_averaged(x: Any, data_format: str, fused: Any, forced: bool, known: bool):
    training = known or tf.placeholder(tf.bool, [])
    options = {"updates_collections": None} if forced else {}
    out = layers.batch_norm(
        tf.placeholder_with_default(x, [None, *x.shape[1:]]),
        decay=0.75, scale=True, is_training=training, fused=fused, data_format=data_format, scope="n", **options,
    )  # fmt: skip
    axis = 1 if data_format == "NCHW" else -1
    mean, variance, count = over_batch(x, axis)
    unbiased = fused is None and x.ndim != 3
    kept = variance * count / (count - 1) if unbiased else variance
    feeds = [{}, {}] if known else [{training: True}, {training: False}]
    moving = {v.op.name: v for v in tf.global_variables()}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        got, *_ = session.run([out, *tf.get_collection(tf.GraphKeys.UPDATE_OPS)], feeds[0])
        averages = session.run([moving["n/moving_mean"], moving["n/moving_variance"]])
        np.testing.assert_allclose(got, (x - mean) / np.sqrt(variance + 1e-3), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(averages[0], 0.25 * mean.ravel(), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(averages[1], 0.75 + 0.25 * kept.ravel(), rtol=1e-5)
        if not known:
            inference = session.run(out, feeds[1])
            by_averages = [average.reshape(mean.shape) for average in averages]
            want = (x - by_averages[0]) / np.sqrt(by_averages[1] + 1e-3)
            np.testing.assert_allclose(inference, want, rtol=1e-4, atol=1e-5)
            assert [a.tolist() for a in averages] == [
                a.tolist() for a in session.run([moving["n/moving_mean"], moving["n/moving_variance"]])
            ]
    assert set(moving) == {f"n/{name}" for name in ("beta", "gamma", "moving_mean", "moving_variance")}
    assert len(tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)) == 4
    assert len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) == (0 if forced else 2)


def test_weights_of_the_batch_and_averages_without_their_zero():
    weights = np.array([1, 0, 2, 1, 0, 3], "f")
    out = layers.batch_norm(
        tf.constant(ROWS), batch_weights=weights, zero_debias_moving_mean=True, updates_collections=None, scope="n"
    )
    mean = (ROWS * weights[:, None]).sum(0) / weights.sum()
    variance = ((ROWS - mean) ** 2 * weights[:, None]).sum(0) / weights.sum()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(out), (ROWS - mean) / np.sqrt(variance + 1e-3), rtol=1e-4, atol=1e-5)
        moving = next(v for v in tf.global_variables() if v.op.name == "n/moving_mean")
        np.testing.assert_allclose(session.run(moving), mean, rtol=1e-4)
    names = {v.op.name.rpartition("/")[2] for v in tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)}
    assert names == {"beta", "moving_mean", "moving_variance", "biased", "local_step"}


def test_normalizations_that_cannot_be_made():
    unknown = tf.placeholder(tf.float32)
    for make, said in (
        (lambda: layers.batch_norm(unknown), "undefined rank"),
        (lambda: layers.batch_norm(ROWS, data_format="CHWN"), "data_format has to be either NCHW or NHWC"),
        (lambda: layers.batch_norm(tf.placeholder(tf.float32, [3, None])), "undefined"),
        (lambda: layers.batch_norm(ROWS, renorm=True, updates_collections=None), "renorm is not supported with"),
        (lambda: layers.layer_norm(tf.placeholder(tf.float32, [3, None])), "is not fully defined"),
        (lambda: layers.layer_norm(ROWS, begin_norm_axis=2), "must be < rank"),
        (lambda: layers.instance_norm(unknown), "undefined rank"),
        (lambda: layers.group_norm(IMAGES, 2), "5 channels is not commensurate with 2 groups"),
        (lambda: layers.group_norm(IMAGES, 7), "Invalid groups 7 for 5 channels"),
        (lambda: layers.group_norm(IMAGES, 5, reduction_axes=(-1,)), "mutually exclusive"),
        (lambda: layers.group_norm(IMAGES, 5, channels_axis=4), "out of bounds"),
    ):
        with pytest.raises(ValueError, match=said):
            make()


@pytest.mark.parametrize("axes", [(1, -1), (2, 2), (-1, -1)])
def test_rows_are_normalized(axes: tuple[int, int]):
    out = layers.layer_norm(tf.constant(IMAGES), begin_norm_axis=axes[0], begin_params_axis=axes[1])
    over = tuple(range(axes[0] % 4, 4))
    mean, variance = IMAGES.mean(over, keepdims=True), IMAGES.var(over, keepdims=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        want = (IMAGES - mean) / np.sqrt(variance)
        np.testing.assert_allclose(session.run(out), want, rtol=1e-4, atol=1e-5)
    assert out.name == "LayerNorm/batchnorm/add_1:0"
    assert {tuple(v.shape.as_list()) for v in tf.trainable_variables()} == {IMAGES.shape[axes[1] :]}
    half = layers.layer_norm(tf.constant(np.zeros((2, 3), "e")))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(half).tolist() == [[0] * 3] * 2


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_channels_of_images_are_normalized(data_format: str):
    out = layers.instance_norm(tf.constant(IMAGES), data_format=data_format, outputs_collections="ends")
    over = (1, 2) if data_format == "NHWC" else (2, 3)
    mean, variance = IMAGES.mean(over, keepdims=True), IMAGES.var(over, keepdims=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        want = (IMAGES - mean) / np.sqrt(variance + 1e-6)
        np.testing.assert_allclose(session.run(out), want, rtol=1e-4, atol=1e-5)
    assert tf.get_collection("ends") == [out]
    assert out.aliases == ["InstanceNorm"]


@pytest.mark.parametrize("near_zero", [False, True])
@pytest.mark.parametrize("channels_first", [False, True])
def test_groups_of_channels_are_normalized(near_zero: bool, channels_first: bool):
    x = R.standard_normal((2, 3, 4, 6)).astype("f")
    given = np.moveaxis(x, 3, 1) if channels_first else x
    form: dict[str, Any] = {"channels_axis": 1, "reduction_axes": (2, 3)} if channels_first else {}
    sizes = [None, *given.shape[1:]]
    start = {"gamma": tf.constant_initializer(np.arange(6.0)), "beta": tf.constant_initializer(1.0)}
    node = tf.placeholder_with_default(given, sizes)
    out = layers.group_norm(node, 3, param_initializers=start, mean_close_to_zero=near_zero, **form)
    apart = x.reshape(2, 3, 4, 3, 2)
    mean, variance = (f((1, 2, 4), keepdims=True) for f in (apart.mean, apart.var))
    want = ((apart - mean) / np.sqrt(variance + 1e-6)).reshape(x.shape) * np.arange(6) + 1
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        got = session.run(out)
    np.testing.assert_allclose(np.moveaxis(got, 1, 3) if channels_first else got, want, rtol=1e-4, atol=1e-5)


def test_what_layers_call_their_operations():
    layers.batch_norm(tf.constant(IMAGES), updates_collections="moved", scope="n")
    images = layers.batch_norm(tf.constant(IMAGES), scope="fused")
    dropped = layers.dropout(tf.constant(ROWS))
    assert [update.op.name for update in tf.get_collection("moved")] == ["n/AssignMovingAvg", "n/AssignMovingAvg_1"]
    assert images.op.name.startswith("fused/FusedBatchNorm")
    assert (dropped.op.name, dropped.op.type) == ("Dropout/dropout_1/mul_1", "Mul")


def test_corrected_moments_are_those_of_the_layer():
    out = layers.batch_norm(tf.constant(ROWS), decay=0.5, renorm=True, renorm_decay=0.75, scope="n")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(out), ROWS, rtol=1e-5, atol=1e-6)  # towards mean 0 and deviation 1
        session.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
        moved = {v.op.name: session.run(v) for v in tf.global_variables()}
    np.testing.assert_allclose(moved["n/renorm_mean"], 0.25 * ROWS.mean(0), rtol=1e-5)
    np.testing.assert_allclose(moved["n/moving_stddev"], 0.5 + 0.5 * np.sqrt(ROWS.var(0) + 1e-3), rtol=1e-5)
