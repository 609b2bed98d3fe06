"""Images of another size by a method's name, with their ratio of height and width kept, and in frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..graph.build import shape_of
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .image_frame_ops import frame_call, framed
from .image_kernel_ops import kernel_terms
from .image_resize_ops import NUMBERED, SIZE, how, in_ratio, resize_call, weighted
from .sparse_ops import convert_to_tensor

__all__ = ["resize_image_with_pad", "resize_image_with_pad_v2", "resize_images", "resize_images_v2"]

_NAMED = {"bilinear": 0, "nearest": 1, "bicubic": 2, "area": 3}
_KERNELS = {"bilinear": "triangle", "bicubic": "keyscubic"}
_KERNELS |= {name: name for name in ("lanczos3", "lanczos5", "gaussian", "mitchellcubic")}


def _checked_size(size: Any) -> Any:
    """Return a size; ValueError for one that is not two integers."""
    try:
        tensor = convert_to_tensor(size, "int32")
    except (TypeError, ValueError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    if shape_of(tensor) not in (None, (2,), (None,)):
        raise ValueError(SIZE)
    return tensor


def _op_type(method: Any) -> str:
    number = getattr(method, "value", method)
    found = NUMBERED.get(_NAMED.get(number, number))
    if found is None:
        raise ValueError(f"resize_images: method must be one of {', '.join(_NAMED)} or their numbers, got {method!r}")
    return found


def resize_images(
    images: Any,
    size: Any,
    method: Any = 0,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Any:
    """Return images of another size.

    Args:
        images: [batch, height, width, channels], or without a batch.
        size: the new height and width.
        method: ``tf.image.ResizeMethod``: bilinear, the nearest neighbour, bicubic or area.
        preserve_aspect_ratio: take the largest size within ``size`` that keeps the ratio of height and width.

    Images that have the size already are returned as they are. Raises ValueError for other methods.
    Source: ``tf.image.resize_images``.
    """
    shape, op_type, size = shape_of(images), _op_type(method), _checked_size(size)
    known = constant_value(size)
    if shape is not None and known is not None and np.shape(known) == (2,):
        own = [size for size in shape[-3:-1] if size is not None]
        new = np.asarray(known).tolist()
        if preserve_aspect_ratio and len(own) == 2:  # nodes compute the size, which a graph does not know
            new = in_ratio(new, own) if executing_eagerly() else None
        if len(own) == 2 and own == new:
            return images
    made = how(op_type, align_corners, False)
    with name_scope(name, "resize"):
        return resize_call(op_type, images, size, made, None, (3, 4), preserve_aspect_ratio)


def resize_images_v2(
    images: Any,
    size: Any,
    method: Any = "bilinear",
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Any:
    """Return images of another size, as TensorFlow 2 has them: positions are those of the pixels' centers.

    Args:
        images: [batch, height, width, channels], or without a batch.
        size: the new height and width.
        method: bilinear, nearest, bicubic, area, lanczos3, lanczos5, gaussian or mitchellcubic.
        preserve_aspect_ratio: take the largest size within ``size`` that keeps the ratio of height and width.
        antialias: filter a bilinear or bicubic image that becomes smaller.

    All methods but the nearest neighbour give float32. Raises ValueError for other methods and sizes.
    Source: ``tf.image.resize`` of TensorFlow 2.
    """
    size = _checked_size(size)
    op_type, made = _by_center(method, antialias)
    with name_scope(name, "resize"):
        return resize_call(op_type, images, size, made, None, (3, 4), preserve_aspect_ratio)


def _by_center(method: Any, antialias: bool) -> tuple[str, Callable[..., Any]]:
    """Return the type of operation of a method between the centers of pixels, and what makes an array of it."""
    kernel = _KERNELS.get(method) if antialias or method not in _NAMED else None
    if kernel is None:
        op_type = _op_type(method)
        return op_type, how(op_type, False, op_type != "ResizeArea")

    def made(x: Any, sizes: Sequence[int]) -> Any:
        x = x.astype(np.float32)
        for axis, new in ((-3, sizes[0]), (-2, sizes[1])):
            x = weighted(x, axis, *kernel_terms(kernel, x.shape[axis], new, antialias))
        return x

    return "ScaleAndTranslate", made


def resize_image_with_pad(
    image: Any, target_height: Any, target_width: Any, method: Any = 0, align_corners: bool = False
) -> Any:
    """Return images of a size with their ratio of height and width kept: what is missing of the size is zeros around.

    Raises ValueError for sizes that are not positive. Source: ``tf.image.resize_image_with_pad``.
    """
    op_type = _op_type(method)
    return _with_pad(op_type, how(op_type, align_corners, False), image, target_height, target_width)


def resize_image_with_pad_v2(
    image: Any, target_height: Any, target_width: Any, method: Any = "bilinear", antialias: bool = False
) -> Any:
    """Return images as `resize_image_with_pad`, resized by `resize_images_v2`."""
    return _with_pad(*_by_center(method, antialias), image, target_height, target_width)


def _with_pad(op_type: str, made: Callable[..., Any], image: Any, target_height: Any, target_width: Any) -> Any:
    def padded(rows: int, columns: int, x: Any) -> Any:
        height, width = x.shape[-3:-1]
        exact = np.array([height, width], np.float32) / np.float32(max(height / rows, width / columns))
        top, left = np.maximum((np.array([rows, columns]) - exact) // 2, 0).astype(int).tolist()
        return framed(made(x, [int(size) for size in exact]), top, left, rows, columns)

    def unmet(rows: Any, columns: Any, *_: Any) -> Iterator[str]:
        if min(size for size in (rows, columns, 1) if size is not None) <= 0:
            yield "target_height and target_width must be > 0."

    image = convert_to_tensor(image)
    dtype = None if op_type == "ResizeNearestNeighbor" else as_dtype("float32")
    return frame_call("resize_image_with_pad", (target_height, target_width), padded, image, unmet, dtype=dtype)
