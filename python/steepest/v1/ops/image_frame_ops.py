"""Images cut and put into frames: their middle, boxes of them, and zeros around them.

Offsets and sizes are integers or tensors; a size that is a tensor is known when a session runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..graph.arguments import as_axis, call_with
from ..graph.build import call, convert
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.static_values import constant_value
from .image_geometry_ops import checked_eagerly, with_ndim, with_pixels, with_size

__all__ = [
    "central_crop",
    "crop_to_bounding_box",
    "frame_call",
    "framed",
    "pad_to_bounding_box",
    "pad_to_bounding_box_internal",
    "resize_image_with_crop_or_pad",
]

_NEGATIVE = ": Paddings must be non-negative"  # as TensorFlow says where these are known to be

Unmet = Callable[..., Iterator[str]]
"""``unmet(*numbers, height, width)`` gives the conditions that do not hold; what is not known is None."""


def _less(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one < other


def _plus(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def frame_call(
    name: str,
    numbers: tuple[Any, ...],
    function: Callable[..., Any],
    image: Any,
    unmet: Unmet | None,
    **options: Any,
) -> Any:
    """Return the image that ``function(*numbers, array)`` makes; the last two numbers are its height and width.

    Raises ValueError for conditions that are known not to hold, for images without pixels and of other ranks; what is
    known in a run only raises InvalidArgumentError there. Without conditions, only the rank is checked.
    """

    def refused(numbers: tuple[Any, ...], shape: Any) -> Iterator[str]:
        if unmet is None:
            return
        if shape is not None and 0 in shape[-3:]:
            yield f"inner 3 dims of 'image.shape' must be > 0: {list(shape)}"
        known = [None if isinstance(number, Tensor) else number for number in numbers]
        if known:
            yield from unmet(*known, *((None, None) if shape is None else shape[-3:-1]))

    def shape_fn(*given: Any) -> Any:
        *numbers, shape = given
        for message in refused(tuple(numbers), with_ndim(shape)):
            raise ValueError(message)
        height, width = (None if isinstance(number, Tensor) else number for number in numbers[-2:])
        # As in TensorFlow, one image is meant where not even the rank is known.
        return (height, width, None) if shape is None else with_size(shape, height, width)

    def made(*given: Any) -> Any:
        *numbers, x = given
        for message in refused(tuple(numbers), with_ndim(x.shape)):
            quoted = message.partition(":")[0].replace("'", "\\'")
            raise ValueError(f"assertion failed: [{quoted}]")
        return function(*given)

    if executing_eagerly() and unmet is not None:
        for message in refused(numbers if all(isinstance(n, int) for n in numbers) else (), with_ndim(np.shape(image))):
            raise ValueError(message)
    arguments = [(number, as_axis) for number in numbers]
    return call_with(name, arguments, made, (image,), shape=shape_fn, name=name, **options)


def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """Return the part of the image that begins at the offsets. Raises ValueError for one that is not inside."""

    def unmet(top: Any, left: Any, rows: Any, columns: Any, height: Any, width: Any) -> Iterator[str]:
        if _less(left, 0):
            yield "offset_width must be >= 0."
        if _less(top, 0):
            yield "offset_height must be >= 0."
        yield from _positive(rows, columns)
        if _less(width, _plus(columns, left)):
            yield "width must be >= target + offset."
        if _less(height, _plus(rows, top)):
            yield "height must be >= target + offset."

    def cut(top: int, left: int, rows: int, columns: int, x: Any) -> Any:
        return x[..., top : top + rows, left : left + columns, :]

    numbers = (offset_height, offset_width, target_height, target_width)
    return frame_call("crop_to_bounding_box", numbers, cut, image, unmet)


def _positive(rows: int | None, columns: int | None, *_: Any) -> Iterator[str]:
    if _less(columns, 1):
        yield "target_width must be > 0."
    if _less(rows, 1):
        yield "target_height must be > 0."


def framed(x: Any, top: int, left: int, rows: int, columns: int) -> Any:
    """Return an array of an image in a frame of zeros of so many rows and columns."""
    below, right = rows - top - x.shape[-3], columns - left - x.shape[-2]
    return np.pad(x, [(0, 0)] * (x.ndim - 3) + [(top, below), (left, right), (0, 0)])


def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """Return the image in a frame of zeros of a size, at the offsets. Raises ValueError where it does not fit."""
    return pad_to_bounding_box_internal(image, offset_height, offset_width, target_height, target_width, True)


def pad_to_bounding_box_internal(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any, check_dims: bool
) -> Any:
    """Return what `pad_to_bounding_box` does; whether it fits is checked before a run only with ``check_dims``."""

    def unmet(top: Any, left: Any, rows: Any, columns: Any, height: Any, width: Any) -> Iterator[str]:
        if _less(top, 0):
            yield f"offset_height must be >= 0{_NEGATIVE}"
        if _less(left, 0):
            yield f"offset_width must be >= 0{_NEGATIVE}"
        if _less(columns, _plus(width, left)):
            yield f"width must be <= target - offset{_NEGATIVE}"
        if _less(rows, _plus(height, top)):
            yield f"height must be <= target - offset{_NEGATIVE}"

    def pad(top: int, left: int, rows: int, columns: int, x: Any) -> Any:
        return framed(x, top, left, rows, columns)

    numbers = (offset_height, offset_width, target_height, target_width)
    return frame_call("pad_to_bounding_box", numbers, pad, image, unmet if check_dims else None)


def resize_image_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Any:
    """Return the middle of the image, or the image in the middle of zeros, so that it has a size.

    Raises ValueError for sizes that are not positive.
    """

    def fitted(rows: int, columns: int, x: Any) -> Any:
        for axis, target in ((-3, rows), (-2, columns)):
            size = x.shape[axis]
            cut, frame = max((size - target) // 2, 0), max((target - size) // 2, 0)
            index: list[Any] = [slice(None)] * x.ndim
            index[axis] = slice(cut, cut + min(size, target))
            widths = [(0, 0)] * x.ndim
            widths[axis] = (frame, target - frame - min(size, target))
            x = np.pad(x[tuple(index)], widths)
        return x

    return frame_call("resize_image_with_crop_or_pad", (target_height, target_width), fitted, image, _positive)


def central_crop(image: Any, central_fraction: Any) -> Any:
    """Return the middle of the image: a share of its height and of its width, the image itself for 1.

    Raises ValueError for a share not in (0, 1], in a run where it is a tensor that is not known before.
    """
    checked_eagerly(image)
    known = constant_value(central_fraction)
    if known is not None and not 0.0 < known <= 1.0:
        raise ValueError("central_fraction must be within (0, 1]")
    image = image if executing_eagerly() else convert(image, name="central_crop/image")
    if known == 1.0:
        return image

    def box(size: int, share: float) -> tuple[int, int]:
        start = int((size - size * share) / 2)
        return start, size - start * 2

    def cut(x: Any, *drawn: Any) -> Any:
        with_pixels(x.shape)
        share = float(drawn[0]) if drawn else float(known)
        if not 0.0 < share <= 1.0:
            raise ValueError("central_fraction must be within (0, 1]")
        (top, height), (left, width) = box(x.shape[-3], share), box(x.shape[-2], share)
        return x[..., top : top + height, left : left + width, :]

    def shape_fn(shape: Any, *_: Any) -> Any:
        if with_pixels(shape) is None:
            return None
        if known is None:
            return with_size(shape, None, None)
        return with_size(shape, *(None if size is None else box(size, float(known))[1] for size in shape[-3:-1]))

    inputs = (image,) if known is not None else (image, central_fraction)
    return call("central_crop", cut, inputs, shape=shape_fn, same=False)
