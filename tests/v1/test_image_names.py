"""Functions on images of TensorFlow's internal modules: resizing between pixels' centers, generated suppressions."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.python import image_names

IMAGE = np.array([64, 32, 32, 64, 50, 100], np.float32).reshape(1, 3, 2, 1)
# tf.image.resize of TensorFlow 2.21, the first two rows of six.
ROWS = {
    "bilinear": [64.0, 56.0, 40.0, 32.0, 56.0, 52.0, 44.0, 40.0],
    "nearest": [64.0, 64.0, 32.0, 32.0, 64.0, 64.0, 32.0, 32.0],
    "bicubic": [70.14534, 59.02522, 36.97479, 25.85468, 59.31945, 53.33858, 41.47894, 35.49807],
    "area": [64.0, 64.0, 32.0, 32.0, 64.0, 64.0, 32.0, 32.0],
    "lanczos3": [75.82936, 59.62807, 38.43127, 22.22998, 60.6851, 52.00368, 40.64543, 31.96401],
    "lanczos5": [77.56988, 60.02232, 40.66944, 23.12188, 61.8253, 51.23695, 39.55926, 28.97091],
    "gaussian": [61.1087, 54.69255, 41.30744, 34.8913, 54.69255, 51.41683, 44.58316, 41.30745],
    "mitchellcubic": [66.0382, 56.60792, 39.39209, 29.96181, 56.72548, 51.96031, 43.26107, 38.49591],
}
WIDE = {
    "bilinear": [15.93092, 17.77303, 24.14881, 16.55357, 15.66447, 12.46053],
    "bicubic": [15.25944, 17.48229, 24.97808, 16.73928, 15.22367, 12.50798],
    "lanczos3": [15.0371, 17.43519, 25.38136, 16.61059, 14.86245, 12.41314],
}
BOXES = [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [0, 100, 1, 101]]
SCORES = [0.9, 0.75, 0.6, 0.95, 0.5, 0.3]


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def value(node):
    with tf.Session() as session:
        return session.run(node)


@pytest.mark.parametrize("method", ROWS)
def test_images_are_resized_between_the_centers_of_pixels(method):
    made = image_names.resize_images_v2(IMAGE, [6, 4], method)
    assert made.shape.as_list() == [1, 6, 4, 1]
    np.testing.assert_allclose(value(made).ravel()[:8], ROWS[method], rtol=1e-5, atol=1e-4)
    kept = image_names.resize_images_v2(IMAGE.astype(np.uint8), [3, 2], method)
    assert kept.dtype == ("uint8" if method == "nearest" else "float32")


@pytest.mark.parametrize("method", WIDE)
def test_smaller_images_are_filtered(method):
    x = np.arange(48, dtype=np.float32).reshape(1, 8, 6, 1) ** 2 % 37
    made = value(image_names.resize_images_v2(x, [3, 2], method, antialias=True))
    np.testing.assert_allclose(made.ravel(), WIDE[method], rtol=1e-4, atol=1e-3)


def test_frames_around_what_is_resized_between_centers():
    x = np.arange(1, 9, dtype=np.float32).reshape(2, 4, 1)
    np.testing.assert_allclose(value(image_names.resize_image_with_pad_v2(x, 1, 4)).ravel(), [0, 3.5, 5.5, 0])
    np.testing.assert_allclose(value(image_names.resize_image_with_pad_v1(x, 1, 4)).ravel(), [0, 1, 3, 0])


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_generated_suppressions_take_floats_of_any_size(dtype):
    boxes, scores = (tf.constant(each, dtype) for each in (BOXES, SCORES))
    share, least = tf.constant(0.5, dtype), tf.constant(float("-inf"), dtype)
    four = image_names.non_max_suppression_v4(boxes, scores, 3, share, least)
    five = image_names.non_max_suppression_v5(boxes, scores, 3, share, least, tf.constant(0.0, dtype))
    made = [
        image_names.non_max_suppression_v2(boxes, scores, 3, share),
        image_names.non_max_suppression_v3(boxes, scores, 3, share, least),
        four.selected_indices,
        five.selected_indices,
    ]
    assert [each.tolist() for each in value(made)] == [[3, 0, 5]] * 4
    assert value([four.valid_outputs, five.valid_outputs]) == [3, 3]
    assert five.selected_scores.dtype == dtype


def test_images_of_other_shapes_are_told():
    first, second = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    _, _, checks = image_names._verify_compatible_image_shapes(first, second)
    with tf.Session() as session:
        session.run(checks, {first: np.zeros([1, 2, 2, 1]), second: np.zeros([2, 2, 1])})
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(checks, {first: np.zeros([1, 2, 2, 1]), second: np.zeros([1, 3, 3, 1])})
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(checks, {first: np.zeros([2]), second: np.zeros([2])})
    with pytest.raises(ValueError, match="not compatible"):
        image_names._verify_compatible_image_shapes(tf.zeros([2, 2, 1]), tf.zeros([3, 2, 1]))


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("lanczos1", [2.3210418, 9.8261318, 18.1008587]),
        ("lanczos3", [2.0135128, 9.0082791, 18.6118298]),
        ("lanczos5", [2.0733109, 8.7906485, 18.8782959]),
        ("gaussian", [3.4192617, 9.7522259, 17.2803307]),
        ("box", [2.0, 8.0, 20.0]),
        ("triangle", [3.0909095, 9.7142849, 17.6923084]),
        ("keyscubic", [2.2102757, 9.4566145, 18.1752396]),
        ("mitchellcubic", [2.7698016, 9.5738888, 17.7477474]),
    ],
)
def test_images_are_scaled_and_moved(kernel, expected):
    x = np.arange(24, dtype=np.float32).reshape(1, 4, 6, 1)
    made = image_names.scale_and_translate(x, [3, 3], [0.7, 0.6], [0.25, -1.0], kernel_type=kernel)
    assert made.shape.as_list() == [1, 3, 3, 1]
    np.testing.assert_allclose(value(made)[0, :, 0, 0], expected, rtol=5e-5)


def test_what_is_moved_out_of_an_image_is_zero():
    x = np.arange(24, dtype=np.float32).reshape(1, 4, 6, 1)
    made = image_names.scale_and_translate(x, [3, 2], [0.5, 2.0], [1.0, -2.5], "triangle", antialias=False)
    np.testing.assert_allclose(value(made)[0, :, :, 0], [[0, 0], [4, 4.5], [16, 16.5]], rtol=1e-5)


@pytest.mark.parametrize("arguments", [([3, 3], [0.5, 0.5], [0, 0], "hat"), ([3, 3, 3], [0.5, 0.5], [0, 0])])
def test_what_images_are_not_scaled_by(arguments):
    with pytest.raises(ValueError, match=r"kernel type|2 elements"):
        image_names.scale_and_translate(IMAGE, *arguments)


@pytest.mark.parametrize("arguments", [([3, 0], [0.5, 0.5]), ([3, 3], [0.5, -0.5])])
def test_sizes_and_scales_are_positive(arguments):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"positive|greater than zero"):
        value(image_names.scale_and_translate(IMAGE, *arguments, [0.0, 0.0]))
