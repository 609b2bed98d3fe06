"""`tf.image`: images turned, cut, resized; their colours, types and measures."""

from __future__ import annotations

import numpy as np
from op_cases import draw, each, op, words

PICTURE, BATCH = draw(61, 4, 6, 3, low=0.02, high=0.97), draw(62, 2, 5, 4, 3, low=0.02, high=0.97)
GRAY = draw(63, 3, 4, 1, low=0.02, high=0.97)
BYTES = (PICTURE * 255).astype(np.uint8)

for name in words("flip_left_right flip_up_down transpose_image rot90"):
    op(f"image.{name}", PICTURE, feed=False)
    op(f"image.{name}", BATCH)
for times in (0, 2, 3):
    op("image.rot90", PICTURE, times, feed=False)
op("image.flip_left_right", BYTES)
op("image.crop_to_bounding_box", PICTURE, 1, 2, 2, 3, feed=False)
op("image.crop_to_bounding_box", BATCH, 0, 1, 5, 3, feed=False)
op("image.pad_to_bounding_box", PICTURE, 1, 2, 7, 9, feed=False)
op("image.pad_to_bounding_box", BATCH, 0, 0, 5, 6, feed=False)
for size in ((2, 3), (6, 9), (3, 8), (4, 6), (5, 5)):
    op("image.resize_image_with_crop_or_pad", PICTURE, *size, feed=False)
op("image.resize_image_with_crop_or_pad", BATCH, 3, 7, feed=False)
for share in (0.5, 1.0, 0.3):
    op("image.central_crop", PICTURE, share)
op("image.central_crop", BATCH, 0.6)

for align in (False, True):
    for size in ([8, 9], [2, 3], [5, 4], [1, 1]):
        op("image.resize_bilinear", BATCH, size, align_corners=align)
        op("image.resize_nearest_neighbor", BATCH, size, align_corners=align)
op("image.resize_bilinear", BATCH, [8, 9], half_pixel_centers=True)
op("image.resize_nearest_neighbor", BATCH, [3, 3], half_pixel_centers=True)
op("image.resize_bilinear", BYTES[None], [3, 3])
op("image.resize_images", PICTURE, [8, 9])
op("image.resize_images", BATCH, [3, 2], method=1)
op("image.resize_images", PICTURE, [4, 6])

op("image.adjust_brightness", PICTURE, 0.2)
op("image.adjust_brightness", BYTES, 0.2)
op("image.adjust_contrast", PICTURE, 1.7, grad=False)
op("image.adjust_contrast", BATCH, 0.4, grad=False)
op("image.adjust_contrast", BYTES, 1.5)
op("image.adjust_gamma", PICTURE, 2.0, 1.5)
op("image.adjust_saturation", PICTURE, 0.6, grad=False)
op("image.adjust_saturation", PICTURE, 1.8, grad=False)
op("image.adjust_hue", PICTURE, 0.3, grad=False)
op("image.rgb_to_grayscale", PICTURE)
op("image.rgb_to_grayscale", BYTES)
op("image.grayscale_to_rgb", GRAY)
op("image.rgb_to_hsv", PICTURE, grad=False)
op("image.rgb_to_hsv", np.array([[[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.5, 0.5, 0.2]]], np.float32), grad=False)
op("image.hsv_to_rgb", PICTURE, grad=False)
for types in (
    ("float32", "uint8"),
    ("uint8", "float32"),
    ("uint8", "int16"),
    ("int32", "uint8"),
    ("float32", "float64"),
):
    image = (np.array([[[0, 3], [100, 127]]]) / (127 if types[0][0] == "f" else 1)).astype(types[0])
    op("image.convert_image_dtype", image, f"tf.{types[1]}")
op("image.convert_image_dtype", np.array([[[1.5, -0.5]]], np.float32), "tf.uint8", saturate=True)
op("image.per_image_standardization", PICTURE)
op("image.per_image_standardization", BATCH)
op("image.per_image_standardization", BYTES)
op("image.per_image_standardization", np.full((2, 2, 1), 3.0, np.float32), grad=False)
op("image.total_variation", PICTURE, grad=False)
op("image.total_variation", BATCH)
op("image.psnr", PICTURE, PICTURE * np.float32(0.9), 1.0)
op("image.psnr", BATCH, BATCH * np.float32(0.8), max_val=1.0)
op("image.psnr", BYTES, BYTES // 2, 255)

for name in words("rgb_to_yiq yiq_to_rgb rgb_to_yuv yuv_to_rgb"):
    op(f"image.{name}", PICTURE, feed=False)
    op(f"image.{name}", BATCH, feed=False)
op("image.image_gradients", BATCH, feed=False)
op("image.sobel_edges", BATCH)
for padding in ("VALID", "SAME"):
    for kernel, steps, apart in (((2, 2), (1, 1), (1, 1)), ((3, 2), (2, 1), (1, 1)), ((2, 2), (1, 2), (2, 1))):
        sizes = ([1, *kernel, 1], [1, *steps, 1], [1, *apart, 1])
        op("extract_image_patches", BATCH, *sizes, padding, feed=False)
BOXES = np.array([[0, 0, 1, 1], [0.1, 0.2, 0.7, 0.9], [0.8, 0.9, 0.2, 0.1], [-0.2, 0.3, 0.5, 1.3]], np.float32)
for size in ([3, 3], [1, 4], [5, 6]):
    op("image.crop_and_resize", BATCH, BOXES, np.array([0, 1, 1, 0], np.int32), size)
    op("image.crop_and_resize", BATCH, BOXES, np.array([1, 1, 0, 0], np.int32), size, "nearest", 0.5, grad=False)
CORNERS = np.array(
    [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [1, 11.1, 0, 10.1], [0, 100, 1, 101]],
    np.float32,
)
SCORES = np.array([0.9, 0.75, 0.6, 0.95, 0.5, 0.3], np.float32)
for most, options in ((3, {}), (30, {}), (2, {"iou_threshold": 0.9}), (6, {"score_threshold": 0.55}), (0, {})):
    op("image.non_max_suppression", CORNERS, SCORES, most, **options)
op("image.non_max_suppression", CORNERS, np.ones(6, np.float32), 6, label="of equal scores")

each(
    {
        "random_hue": lambda tf, x: tf.image.random_hue(x, 0.2, seed=1),
        "random_saturation": lambda tf, x: tf.image.random_saturation(x, 0.5, 1.5),
        "random_crop has its size": lambda tf, x: tf.random_crop(x, [2, 3, 3]),
        "random_brightness": lambda tf, x: tf.image.random_brightness(x, 0.2, seed=1),
        "random_contrast": lambda tf, x: tf.image.random_contrast(x, 0.2, 0.5, seed=1),
        "random_flip_left_right": lambda tf, x: tf.image.random_flip_left_right(x, seed=1),
        "random_flip_up_down": lambda tf, x: tf.image.random_flip_up_down(x),
    },
    PICTURE,
    values=False,
    grad=False,
)

for align in (False, True):
    for size in ([8, 9], [2, 3], [5, 4], [1, 1]):
        op("image.resize_bicubic", BATCH, size, align_corners=align)
        op("image.resize_area", BATCH, size, align_corners=align, grad=False)
op("image.resize_bicubic", BATCH, [8, 9], half_pixel_centers=True)
op("image.resize_bicubic", BYTES[None], [3, 3])
op("image.resize_area", BYTES[None], [3, 3])
for method in (2, 3):
    op("image.resize_images", PICTURE, [8, 9], method, grad=False)
op("image.resize_images", BATCH, [9, 9], preserve_aspect_ratio=True, feed=False)
op("image.resize_images", PICTURE, [3, 8], method=1, preserve_aspect_ratio=True, feed=False)
for size in ([8, 9], [2, 3], [9, 4]):
    op("image.resize_image_with_pad", BATCH, *size, feed=False)
op("image.resize_image_with_pad", PICTURE, 3, 3, method=1, feed=False)

UPRIGHT = np.sort(CORNERS.reshape(6, 2, 2), axis=1).reshape(6, 4)
OVERLAPS = np.array([[1, 0.6, 0.1], [0.6, 1, 0.5], [0.1, 0.5, 1]], np.float32)
for options in ({}, {"iou_threshold": 0.9}, {"score_threshold": 0.55}):
    op("image.non_max_suppression_with_scores", CORNERS, SCORES, 4, **options, grad=False)
    op("image.non_max_suppression_with_scores", CORNERS, SCORES, 6, **options, soft_nms_sigma=0.5, grad=False)
    options["pad_to_max_output_size"] = True
    op("image.non_max_suppression_padded", UPRIGHT, SCORES, 5, **options, grad=False, feed=False)
op("image.non_max_suppression_padded", UPRIGHT, SCORES, 5, grad=False, feed=False)
op("image.non_max_suppression_overlaps", OVERLAPS, np.array([0.2, 0.9, 0.3], np.float32), 3)
op("image.non_max_suppression_overlaps", OVERLAPS, np.array([0.2, 0.9, 0.3], np.float32), 3, 0.55, 0.25)

FRAMES = np.array([[[0.1, 0.2, 0.7, 0.9], [0, 0, 1, 1]], [[0.4, 0.4, 0.4, 0.4], [-0.5, 0.3, 0.6, 1.7]]], np.float32)
op("image.draw_bounding_boxes", BATCH, FRAMES)
op("image.draw_bounding_boxes", draw(64, 2, 9, 8, 4), FRAMES)
op("image.draw_bounding_boxes", draw(64, 2, 9, 8, 1), FRAMES)
op("image.draw_bounding_boxes", BATCH, FRAMES, colors=np.array([[0.3, 0.2, 0.1]], np.float32), grad=False)

LARGE = draw(65, 2, 14, 13, 2, low=0.05, high=0.95)
NOISY = np.clip(LARGE + draw(66, 2, 14, 13, 2, low=-0.1, high=0.1), 0, 1).astype(np.float32)
op("image.ssim", LARGE, NOISY, 1.0)
op("image.ssim", LARGE, NOISY, max_val=2.0, filter_size=5, filter_sigma=1.0, k1=0.02, k2=0.05)
op("image.ssim", (LARGE[0] * 255).astype(np.uint8), (NOISY[0] * 255).astype(np.uint8), 255)
op("image.ssim_multiscale", LARGE, NOISY, 1.0, power_factors=(0.3, 0.5, 0.2), filter_size=3, grad=False)
for centered in (True, False):
    for normalized in (True, False):
        offsets = np.array([[0.1, 0.2], [0.3, 0.1]] if normalized else [[2, 3], [2, 2.5]], np.float32)
        options = {"centered": centered, "normalized": normalized}
        op("image.extract_glimpse", LARGE, [2, 3], offsets + np.float32(0.2), **options)
