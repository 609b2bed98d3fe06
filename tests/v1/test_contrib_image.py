"""``tf.contrib.image`` and ``tf.contrib.resampler``: images moved, warped and matched, with pixels found by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.testing.test_modes import eager_mode

image = tf.contrib.image
GRID = np.arange(12, dtype=np.float32).reshape(3, 4)


def run(value: Any) -> Any:
    with tf.Session() as session:
        return session.run(value)


def test_images_are_moved_and_turned():
    moved = [[0, 0, 1, 2], [0, 4, 5, 6], [0, 8, 9, 10]]
    np.testing.assert_array_equal(run(image.translate(GRID, [1, 0])), moved)
    half = run(image.translate(GRID.astype("uint8"), [0.5, 0], "BILINEAR"))
    np.testing.assert_array_equal(half[0], [0, 0, 1, 2])  # cut off, as a cast does
    square = GRID[:, :3]
    np.testing.assert_array_equal(run(image.rotate(square, np.pi / 2)), np.rot90(square))
    turned = run(image.rotate(np.stack([square, square])[..., None], [0.0, np.pi], "BILINEAR"))
    np.testing.assert_allclose(turned[1, :, :, 0], square[::-1, ::-1], atol=1e-5)
    larger = run(image.transform(GRID, [1.0, 0, 0, 0, 1, 0, 0, 0], output_shape=[2, 5]))
    np.testing.assert_array_equal(larger, [[0, 1, 2, 3, 0], [4, 5, 6, 7, 0]])
    # The far half of a plane: a column x is seen at 2x / (2 - x), and where it is infinitely far there is nothing.
    near = run(image.transform(GRID[:1], [1.0, 0, 0, 0, 1, 0, -0.5, 0]))
    np.testing.assert_array_equal(near, [[0, 2, 0, 0]])


def test_transforms_follow_each_other():
    moves = image.translations_to_projective_transforms([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(run(moves)[0], [1, 0, -1, 0, 1, -2, 0, 0])
    both = image.compose_transforms(moves, moves)
    np.testing.assert_array_equal(run(both)[1], [1, 0, -6, 0, 1, -8, 0, 0])
    with pytest.raises(TypeError, match="rank 0 or 1"):
        image.angles_to_projective_transforms([[0.0]], 2, 2)
    with pytest.raises(ValueError, match="1D or 2D"):
        image.flat_transforms_to_matrices(np.zeros((1, 1, 8), np.float32))


def test_the_gradient_of_a_transform_is_its_inverse():
    given, turn = tf.constant(GRID), tf.constant([1.0, 0, -1, 0, 1, 0, 0, 0])
    moved = image.transform(given, turn)
    gradients = tf.gradients(moved, [given, turn], grad_ys=tf.constant(GRID))
    np.testing.assert_array_equal(run(gradients[0]), [[1, 2, 3, 0], [5, 6, 7, 0], [9, 10, 11, 0]])
    assert gradients[1] is None


def test_what_cannot_be_transformed():
    with pytest.raises(TypeError, match="Invalid dtype"):
        image.transform(GRID.astype("int16"), np.zeros(8))
    with pytest.raises(TypeError, match="between 2 and 4"):
        image.rotate(np.zeros(3, np.float32), 1.0)
    with pytest.raises(ValueError, match="must be NEAREST or BILINEAR"):
        image.transform(GRID, np.zeros(8), "BICUBIC")
    with pytest.raises(ValueError, match="1-D Tensor of 2 elements"):
        image.transform(GRID, np.zeros(8), output_shape=[1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_images x 8"):
        run(image.transform(GRID, np.zeros((2, 8))))


def test_images_are_warped_by_a_flow():
    pixels, flow = tf.constant(GRID[None, :, :, None]), np.zeros((1, 3, 4, 2), np.float64)
    flow[..., 0] = 0.5
    moves = tf.constant(flow)
    warped = image.dense_image_warp(pixels, moves)
    by_pixels, by_moves = tf.gradients(warped, [pixels, moves])
    assert (warped.dtype, by_moves.dtype) == (tf.float32, tf.float64)
    np.testing.assert_array_equal(run(warped)[0, :, :, 0], [GRID[0], GRID[0] + 2, GRID[1] + 2])
    np.testing.assert_array_equal(run(by_pixels)[0, :, :, 0], np.repeat([[1.5], [1.0], [0.5]], 4, axis=1))
    np.testing.assert_array_equal(run(by_moves)[0, 1:, :, 0], np.full((2, 4), -4.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="height must be at least 2"):
        run(image.dense_image_warp(pixels[:, :1], moves[:, :1]))


def test_a_spline_goes_through_its_points():
    rng = np.random.default_rng(0)
    points, values = rng.random((2, 6, 2)), rng.random((2, 6, 3))
    for order in (1, 2, 3, 4, 6):
        found = image.interpolate_spline(points, values, points, order)
        np.testing.assert_allclose(run(found), values, rtol=1e-4)
    line = points @ np.ones((2, 1)) + 3
    between = image.interpolate_spline(points, line, points + 0.1, 2, regularization_weight=0.1)
    np.testing.assert_allclose(run(between), line + 0.2, rtol=1e-6)  # what is linear is not made smoother
    with pytest.raises(ValueError, match="input points"):
        image.interpolate_spline(tf.placeholder(tf.float32), values, points, 2)


def test_images_are_warped_by_a_few_points():
    pixels = np.zeros((1, 9, 9, 1), np.float32)
    pixels[0, 4, 4] = 1
    from_, to = np.array([[[4.0, 4.0]]], np.float32), np.array([[[5.0, 4.0]]], np.float32)
    warped, flow = run(image.sparse_image_warp(pixels, from_, to, num_boundary_points=2))
    np.testing.assert_allclose(warped[0, 5, 4], 1, rtol=1e-3)
    np.testing.assert_allclose(flow[0, [0, 0, 4, 8], [0, 4, 0, 8]], 0, atol=1e-3)


def test_what_is_connected():
    first = [[1, 1, 0, 2], [0, 2, 0, 2], [2, 2, 0, 0]]
    found = run(image.connected_components([first, first]))
    np.testing.assert_array_equal(found[0], [[1, 1, 0, 2], [0, 3, 0, 2], [3, 3, 0, 0]])
    np.testing.assert_array_equal(found[1], [[4, 4, 0, 5], [0, 6, 0, 5], [6, 6, 0, 0]])
    comb = np.arange(400).reshape(20, 20) % 2 == 0
    comb[-1] = True
    np.testing.assert_array_equal(run(image.connected_components(comb)), comb.astype(int))
    with pytest.raises(TypeError, match="rank 2"):
        image.connected_components([1])


def test_the_nearest_are_matched_first():
    distances = np.array([[0.5, 0.1, 0.2], [0.4, 0.3, 0.2]])
    found = [image.bipartite_match(distances, *more) for more in ((-1,), ([1],), (-1, 1))]
    rows, columns = zip(*run(found), strict=True)
    np.testing.assert_array_equal(rows, [[1, 2], [1, -1], [1, -1]])
    np.testing.assert_array_equal(columns, [[-1, 0, 1], [-1, 0, -1], [-1, 0, -1]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="at most the number of rows"):
        run(image.bipartite_match(distances, 3))


def test_images_between_their_pixels():
    pixels, points = (
        tf.constant(GRID[None, :, :, None]),
        tf.constant([[[1.5, 0.5], [-0.5, 0.0], [3.5, 2.0], [4.0, 0.0]]]),
    )
    found = tf.contrib.resampler.resampler(pixels, points)
    assert found.shape == (1, 4, 1)
    np.testing.assert_array_equal(run(found)[0, :, 0], [3.5, 0, 5.5, 0])
    by_pixels, by_points = run(tf.gradients(found, [pixels, points]))
    np.testing.assert_array_equal(by_pixels[0, :, :, 0], [[0.5, 0.25, 0.25, 0], [0, 0.25, 0.25, 0], [0, 0, 0, 0.5]])
    np.testing.assert_array_equal(by_points[0], [[1, 4], [0, 2], [-11, -5.5], [0, 0]])
    for data, warp, kind in (
        (GRID, [[1.0, 2.0]], tf.errors.UnimplementedError),
        (pixels, [1.0, 2.0], tf.errors.InvalidArgumentError),
        (pixels, [[1.0, 2.0, 3.0]], tf.errors.UnimplementedError),
        (pixels, [[1.0, 2.0]] * 2, tf.errors.InvalidArgumentError),
    ):
        with pytest.raises(kind):
            run(tf.contrib.resampler.resampler(data, warp))


def test_images_in_eager_mode():
    with eager_mode():
        found = image.connected_components(tf.constant(GRID) > 4)
        np.testing.assert_array_equal(found, [[0, 0, 0, 0], [0, 1, 1, 1], [1, 1, 1, 1]])
        given = tf.constant(GRID)
        with tf.GradientTape() as tape:
            tape.watch(given)
            moved = tf.reduce_sum(image.translate(given, [1.0, 0.0]) * given)
        np.testing.assert_array_equal(tape.gradient(moved, given)[0], [1, 2, 4, 2])
        checked = tf.contrib.framework.with_shape(tf.constant([3, 4]), given)
        np.testing.assert_array_equal(checked, GRID)
