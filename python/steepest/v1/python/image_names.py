"""Functions on images that TensorFlow has in its internal modules alone, or there under other names."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..graph.shapes import compatible
from ..image import ResizeMethod as ResizeMethodV1
from ..ops.array_ops import shape, size
from ..ops.cast_ops import cast
from ..ops.image_box_ops import (
    non_max_suppression,
    non_max_suppression_overlaps,
    non_max_suppression_padded,
    non_max_suppression_with_scores,
)
from ..ops.image_chance_ops import (
    stateless_random_brightness,
    stateless_random_contrast,
    stateless_random_hue,
    stateless_random_saturation,
)
from ..ops.image_frame_ops import pad_to_bounding_box_internal
from ..ops.image_geometry_ops import (
    stateless_random_crop,
    stateless_random_flip_left_right,
    stateless_random_flip_up_down,
)
from ..ops.image_kernel_ops import scale_and_translate
from ..ops.image_patch_ops import crop_and_resize as crop_and_resize_v1
from ..ops.image_sample_ops import (
    sample_distorted_bounding_box,
    sample_distorted_bounding_box_v2,
    stateless_sample_distorted_bounding_box,
)
from ..ops.image_sizing_ops import resize_image_with_pad, resize_image_with_pad_v2, resize_images_v2
from ..ops.math_ops import equal, greater_equal
from ..ops.reduce_ops import reduce_all
from ..ops.script_ops import Assert
from ..ops.sparse_ops import convert_to_tensor
from .reordered_names import reordered

__all__ = [
    "ResizeMethod",
    "ResizeMethodV1",
    "_verify_compatible_image_shapes",
    "crop_and_resize_v1",
    "crop_and_resize_v2",
    "non_max_suppression_padded_v1",
    "non_max_suppression_v2",
    "non_max_suppression_v3",
    "non_max_suppression_v4",
    "non_max_suppression_v5",
    "non_max_suppression_with_overlaps",
    "pad_to_bounding_box_internal",
    "resize_image_with_pad_v1",
    "resize_image_with_pad_v2",
    "resize_images_v2",
    "sample_distorted_bounding_box",
    "sample_distorted_bounding_box_v2",
    "scale_and_translate",
    "stateless_random_brightness",
    "stateless_random_contrast",
    "stateless_random_crop",
    "stateless_random_flip_left_right",
    "stateless_random_flip_up_down",
    "stateless_random_hue",
    "stateless_random_saturation",
    "stateless_sample_distorted_bounding_box",
]

non_max_suppression_with_overlaps, resize_image_with_pad_v1 = non_max_suppression_overlaps, resize_image_with_pad
non_max_suppression_padded_v1 = non_max_suppression_padded
crop_and_resize_v2 = reordered(crop_and_resize_v1, "image boxes box_indices crop_size method extrapolation_value name")


class ResizeMethod:
    """How `resize_images_v2` finds elements: the names of its methods. Source: ``image_ops_impl.ResizeMethod``."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


class NonMaxSuppressionV4(NamedTuple):
    """The numbers of the boxes, and how many of them are chosen."""

    selected_indices: Any
    valid_outputs: Any


class NonMaxSuppressionV5(NamedTuple):
    """The numbers of the boxes, their scores, and how many of them are chosen."""

    selected_indices: Any
    selected_scores: Any
    valid_outputs: Any


def non_max_suppression_v2(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any, name: str | None = None
) -> Any:
    """Return the numbers of the best boxes, as ``tf.image.non_max_suppression``."""
    return non_max_suppression(_floats(boxes), _floats(scores), max_output_size, _floats(iou_threshold), name=name)


def non_max_suppression_v3(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any, score_threshold: Any, name: str | None = None
) -> Any:
    """Return the numbers of the best boxes whose scores are above a threshold."""
    limits = max_output_size, _floats(iou_threshold), _floats(score_threshold)
    return non_max_suppression(_floats(boxes), _floats(scores), *limits, name)


def non_max_suppression_v4(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any,
    score_threshold: Any,
    pad_to_max_output_size: bool = False,
    name: str | None = None,
) -> Any:
    """Return the numbers as `non_max_suppression_v3`, filled with zeros if asked for, and how many are chosen."""
    limits = max_output_size, _floats(iou_threshold), _floats(score_threshold)
    parts = non_max_suppression_padded(_floats(boxes), _floats(scores), *limits, pad_to_max_output_size, name)
    return NonMaxSuppressionV4(*parts)


def non_max_suppression_v5(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any,
    score_threshold: Any,
    soft_nms_sigma: Any,
    name: str | None = None,
) -> Any:
    """Return the numbers as `non_max_suppression_v3`, their scores, which fall by ``soft_nms_sigma``, and how many."""
    limits = max_output_size, _floats(iou_threshold), _floats(score_threshold)
    kept, falling = non_max_suppression_with_scores(_floats(boxes), _floats(scores), *limits, soft_nms_sigma, name)
    return NonMaxSuppressionV5(kept, cast(falling, convert_to_tensor(scores).dtype), size(kept))


def _floats(value: Any) -> Any:
    """Return floats of any size as float32, in which the boxes are compared."""
    return cast(convert_to_tensor(value), "float32")


def _verify_compatible_image_shapes(img1: Any, img2: Any) -> Any:
    """Return the shapes of two images, and checks that heights, widths and channels are equal.

    Raises ValueError for shapes that are known to differ in these.
    """
    ends = [each._shape[-3:] for each in (img1, img2) if each._shape is not None]
    if any(len(end) < 3 for end in ends):
        raise ValueError(f"Shape {img1.shape} or {img2.shape} must have rank at least 3")
    if len(ends) == 2 and not compatible(*ends):
        raise ValueError(f"Two images are not compatible: {img1.shape} and {img2.shape}")
    first, second = shape(img1), shape(img2)
    checks = [
        Assert(greater_equal(size(first), 3), [first, second], summarize=10),
        Assert(reduce_all(equal(first[-3:], second[-3:])), [first, second], summarize=10),
    ]
    return first, second, checks
