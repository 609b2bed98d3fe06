"""``tf.image``: images as arrays: turned, cut, resized, their colours."""

from enum import IntEnum

from .graph.missing import namespace
from .ops import image_color_ops, image_patch_ops, image_resize_ops, image_similarity_ops
from .ops.image_box_ops import (
    non_max_suppression,
    non_max_suppression_overlaps,
    non_max_suppression_padded,
    non_max_suppression_with_scores,
)
from .ops.image_chance_ops import random_brightness, random_contrast, random_hue, random_saturation
from .ops.image_class_box_ops import combined_non_max_suppression
from .ops.image_color_ops import *
from .ops.image_drawing_ops import draw_bounding_boxes
from .ops.image_file_ops import decode_png, encode_png
from .ops.image_frame_ops import (
    central_crop,
    crop_to_bounding_box,
    pad_to_bounding_box,
    resize_image_with_crop_or_pad,
)
from .ops.image_geometry_ops import (
    flip_left_right,
    flip_up_down,
    random_crop,
    random_flip_left_right,
    random_flip_up_down,
    rot90,
    transpose_image,
)
from .ops.image_patch_ops import *
from .ops.image_resize_ops import *
from .ops.image_sample_ops import sample_distorted_bounding_box
from .ops.image_similarity_ops import *
from .ops.image_sizing_ops import resize_image_with_pad, resize_images

__all__ = [
    "ResizeMethod",
    "central_crop",
    "combined_non_max_suppression",
    "crop_to_bounding_box",
    "decode_png",
    "draw_bounding_boxes",
    "encode_png",
    "flip_left_right",
    "flip_up_down",
    "non_max_suppression",
    "non_max_suppression_overlaps",
    "non_max_suppression_padded",
    "non_max_suppression_with_scores",
    "pad_to_bounding_box",
    "random_brightness",
    "random_contrast",
    "random_crop",
    "random_flip_left_right",
    "random_flip_up_down",
    "random_hue",
    "random_saturation",
    "resize",
    "resize_image_with_pad",
    "resize_images",
    "resize_image_with_crop_or_pad",
    "resize_with_crop_or_pad",
    "resize_with_pad",
    "rot90",
    "sample_distorted_bounding_box",
    "transpose",
    "transpose_image",
    *image_color_ops.__all__,
    *image_patch_ops.__all__,
    *image_resize_ops.__all__,
    *image_similarity_ops.__all__,
]

transpose, resize, resize_with_crop_or_pad = transpose_image, resize_images, resize_image_with_crop_or_pad
resize_with_pad = resize_image_with_pad


class ResizeMethod(IntEnum):
    """How `resize_images` finds elements. Source: ``tf.image.ResizeMethod``."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


__getattr__, __dir__ = namespace(__name__)
