"""Images changed by what follows from two integers, boxes of classes, and what determinism refuses."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.framework import config, test_util
from steepest.v1.python.ops import gen_image_ops, image_ops, nn_ops

import steepest.v1 as tf
from steepest.v1.python import image_names as images

IMAGE = np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 24
BOXES = [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [0, 100, 1, 101]]
SCORES = [0.9, 0.75, 0.6, 0.95, 0.5, 0.3]


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def value(node):
    with tf.Session() as session:
        return session.run(node)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("flip_left_right", ()),
        ("flip_up_down", ()),
        ("brightness", (0.5,)),
        ("contrast", (0.5, 2.0)),
        ("hue", (0.4,)),
        ("saturation", (0.5, 2.0)),
    ],
)
def test_a_pair_of_integers_gives_the_same_image_and_another_pair_another(name, arguments):
    function = getattr(tf.compat.v2.image, f"stateless_random_{name}")
    first, again, *others = value([function(IMAGE, *arguments, seed=(k, 2)) for k in (1, 1, *range(3, 13))])
    np.testing.assert_array_equal(first, again)
    assert any(not np.array_equal(first, other) for other in others)
    with pytest.raises(ValueError, match=r"seed must have shape \[2\]"):
        function(IMAGE, *arguments, seed=(1, 2, 3))


def test_each_image_of_a_batch_is_flipped_or_not():
    batch = np.stack([IMAGE] * 16)
    flipped = value(images.stateless_random_flip_left_right(batch, (1, 2)))
    same = [np.array_equal(each, IMAGE) for each in flipped]
    assert 0 < sum(same) < 16
    assert all(np.array_equal(each, IMAGE if own else IMAGE[:, ::-1]) for each, own in zip(flipped, same, strict=True))


def test_flips_refuse_what_is_no_image_before_a_run_and_at_once_in_eager_mode():
    for function in (tf.image.flip_left_right, tf.image.random_flip_up_down, tf.image.transpose, tf.image.rot90):
        for shape, words in (((2, 3), "must be at least three-dimensional"), ((64, 0, 3), "must be > 0")):
            with pytest.raises(ValueError, match=words):
                function(tf.placeholder(tf.uint8, shape))
            with context.eager_mode(), pytest.raises(ValueError, match=words):
                function(np.zeros(shape, np.uint8))


def test_sampled_boxes_follow_from_a_pair():
    def part(seed):
        return images.stateless_sample_distorted_bounding_box([40, 50, 1], [[[0.0, 0.0, 1.0, 1.0]]], seed)

    (begin, size, box), again, *others = value([part((k, 2)) for k in (1, 1, 3, 4)])
    assert begin.tolist() == again[0].tolist()
    assert any(begin.tolist() != each[0].tolist() for each in others)
    assert 0.05 * 2000 <= size[0] * size[1] <= 2000
    assert box.shape == (1, 1, 4)


# tf.image.combined_non_max_suppression of TensorFlow 2.21.
def test_the_best_boxes_of_classes_are_those_of_tensorflow():
    boxes = np.array(BOXES, np.float32)[None, :, None, :] / 10
    scores = np.stack([SCORES, SCORES[::-1]], axis=-1)[None].astype(np.float32)
    found = tf.image.combined_non_max_suppression(boxes, scores, 2, 3, 0.5, 0.35)
    assert [each.shape.as_list() for each in found] == [[1, 3, 4], [1, 3], [1, 3], [1]]
    result = value(found)
    np.testing.assert_allclose(result.nmsed_scores, [[0.95, 0.95, 0.9]])
    assert result.nmsed_classes.tolist() == [[0, 1, 0]]
    assert result.valid_detections.tolist() == [3]
    np.testing.assert_allclose(result.nmsed_boxes[0, :, 1], [1.0, 0.0, 0.0], atol=1e-6)  # kept within the image
    padded = tf.image.combined_non_max_suppression(boxes, scores, 1, 8, pad_per_class=True, clip_boxes=False)
    assert padded.nmsed_boxes.shape.as_list() == [1, 2, 4]
    np.testing.assert_allclose(value(padded.nmsed_boxes)[0, :, 1], [1.0, -0.01], atol=1e-6)
    with pytest.raises(TypeError, match="type int64 that does not match expected type of int32"):
        tf.image.combined_non_max_suppression(boxes, scores, 2, 2**31)


def test_ssim_has_a_value_for_each_place_of_its_window():
    one, other = np.random.default_rng(0).random((2, 1, 16, 18, 3), np.float32)
    places = tf.image.ssim(one, other, 1.0, return_index_map=True)
    assert places.shape.as_list() == [1, 6, 8]
    found, mean = value([places, tf.image.ssim(one, other, 1.0)])
    np.testing.assert_allclose(found.mean(axis=(1, 2)), mean, rtol=1e-5)


def test_a_share_of_the_middle_may_be_a_tensor():
    share = tf.placeholder(tf.float32, [])
    middle = tf.image.central_crop(np.zeros([240, 320, 3], np.int32), share)
    assert middle.shape.as_list() == [None, None, 3]
    with tf.Session() as session:
        assert session.run(middle, {share: 0.33}).shape == (80, 106, 3)
        with pytest.raises(tf.errors.InvalidArgumentError, match="central_fraction must be within"):
            session.run(middle, {share: 1.5})


def test_sizes_that_cannot_be_counted_are_refused_and_not_tried():
    sizes = [1610637938, 1610637938]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Encountered overflow when multiplying"):
        value(images.resize_images_v2(np.ones((5, 1, 1, 2)), sizes))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Encountered overflow when multiplying"):
        value(tf.image.crop_and_resize(np.ones((1, 1, 1, 3)), np.ones((11, 4)), np.zeros(11), sizes))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Boxes contains at least one element that is not finite"):
        value(images.crop_and_resize_v2(np.ones((1, 1, 1, 3)), [[np.inf, 0, 0, 0]], [0], [1, 1]))
    with pytest.raises(ValueError, match="must be rank 1"):
        images.crop_and_resize_v2(np.ones((1, 1, 1, 3)), np.ones((0, 4)), np.ones((0, 1)), [1, 1])


def test_determinism_refuses_draws_that_nothing_fixes():
    box = [[[0.0, 0.0, 1.0, 1.0]]]
    with test_util.deterministic_ops():
        assert config.is_op_determinism_enabled()
        with pytest.raises(RuntimeError, match="Random ops require a seed to be set when determinism is enabled"):
            tf.random_uniform([2])
        with pytest.raises(ValueError, match='requires "seed" or "seed2" to be non-zero'):
            tf.image.sample_distorted_bounding_box([50, 50, 1], box)
        with pytest.raises(ValueError, match="requires a non-zero seed"):
            images.sample_distorted_bounding_box_v2([50, 50, 1], box)
        assert value(tf.random_uniform([2], seed=1)).shape == (2,)
    assert not config.is_op_determinism_enabled()
    assert value(tf.random_uniform([2])).shape == (2,)


def test_internal_modules_have_the_names_of_what_is_left_out_and_fail_when_these_are_used():
    for module, name in ((image_ops, "decode_jpeg"), (gen_image_ops, "encode_jpeg"), (nn_ops, "conv2d")):
        function = getattr(module, name)  # as tables of tests name them
        with pytest.raises(NotImplementedError, match=f"{name} is not here: .* are left out"):
            function(b"")
    with pytest.raises(AttributeError, match="is not here; the names"):
        image_ops.nothing_at_all  # noqa: B018 - it is looked up
