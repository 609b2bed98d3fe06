"""Images turned, cut and put into frames: arrays ``[height, width, channels]``, or batches of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.arguments import as_axis, as_sizes, call_with
from ..graph.build import call
from ..graph.eager_call import RunSession
from ..graph.node import Tensor
from ..graph.shape_inference import shape_value
from .random_ops import generator, get_seed

__all__ = [
    "central_crop",
    "crop_to_bounding_box",
    "flip_left_right",
    "flip_up_down",
    "pad_to_bounding_box",
    "random_crop",
    "random_flip_left_right",
    "random_flip_up_down",
    "resize_image_with_crop_or_pad",
    "rot90",
    "transpose_image",
]


def with_ndim(shape: Any, ndims: tuple[int, ...] = (3, 4)) -> Any:
    """Return the shape of an image; ValueError for another number of axes."""
    if shape is not None and len(shape) not in ndims:
        raise ValueError(f"image must have {' or '.join(map(str, ndims))} dimensions, got shape {shape}")
    return shape


def with_size(shape: Any, height: Any, width: Any) -> Any:
    """Return the static shape of an image with another height and width."""
    return None if shape is None else (*shape[:-3], height, width, shape[-1])


def flip_left_right(image: Any) -> Any:
    """Return the image mirrored: columns in reverse order."""
    return call("ReverseV2", lambda x: np.flip(x, -2), (image,), shape=with_ndim)


def flip_up_down(image: Any) -> Any:
    """Return the image upside down: rows in reverse order."""
    return call("ReverseV2", lambda x: np.flip(x, -3), (image,), shape=with_ndim)


def _random_flip(op_type: str, axis: int, image: Any, seed: int | None) -> Any:
    seeds, key = get_seed(seed), object()

    def flipped(session: RunSession, x: Any) -> Any:
        rng = generator(session, key, seeds)
        if x.ndim == 3:
            return np.flip(x, axis) if rng.random() < 0.5 else np.copy(x)
        chosen = rng.random(x.shape[0]) < 0.5
        return np.where(chosen[:, None, None, None], np.flip(x, axis), x)

    return call(op_type, flipped, (image,), shape=with_ndim, contextual=True)


def random_flip_left_right(image: Any, seed: int | None = None) -> Any:
    """Return each image mirrored, or not, by chance."""
    return _random_flip("random_flip_left_right", -2, image, seed)


def random_flip_up_down(image: Any, seed: int | None = None) -> Any:
    """Return each image upside down, or not, by chance."""
    return _random_flip("random_flip_up_down", -3, image, seed)


def transpose_image(image: Any, name: str | None = None) -> Any:
    """Return the image with rows and columns exchanged."""

    def shape_fn(shape: Any) -> Any:
        return None if with_ndim(shape) is None else (*shape[:-3], shape[-2], shape[-3], shape[-1])

    return call("Transpose", lambda x: np.swapaxes(x, -3, -2), (image,), name=name, shape=shape_fn)


def rot90(image: Any, k: Any = 1, name: str | None = None) -> Any:
    """Return the image turned ``k`` times by 90 degrees, against the clock."""

    def shape_fn(times: Any, shape: Any) -> Any:
        if with_ndim(shape) is None:
            return None
        return with_size(shape, None, None)  # as TensorFlow, which does not look at k

    return call_with(
        "Rot90", [(k, as_axis)], lambda times, x: np.rot90(x, times, (-3, -2)), (image,), shape=shape_fn, name=name
    )


def crop_to_bounding_box(
    image: Any, offset_height: int, offset_width: int, target_height: int, target_width: int
) -> Any:
    """Return the part of the image that begins at the offsets. Raises ValueError for one that is not inside."""

    def shape_fn(shape: Any) -> Any:
        if min(offset_height, offset_width) < 0:
            raise ValueError("offsets must be >= 0.")
        if min(target_height, target_width) <= 0:
            raise ValueError("target sizes must be > 0.")
        if with_ndim(shape) is None:
            return None
        for name, size, end in (
            ("height", shape[-3], offset_height + target_height),
            ("width", shape[-2], offset_width + target_width),
        ):
            if size is not None and size < end:
                raise ValueError(f"{name} must be >= target + offset.")
        return with_size(shape, target_height, target_width)

    def cut(x: Any) -> Any:
        shape_fn(x.shape)
        rows = slice(offset_height, offset_height + target_height)
        return x[..., rows, offset_width : offset_width + target_width, :]

    return call("Crop", cut, (image,), shape=shape_fn)


def pad_to_bounding_box(
    image: Any, offset_height: int, offset_width: int, target_height: int, target_width: int
) -> Any:
    """Return the image in a frame of zeros of a size, at the offsets. Raises ValueError where it does not fit."""

    def margins(shape: Any) -> Any:
        if min(offset_height, offset_width) < 0:
            raise ValueError("offsets must be >= 0")
        after = (
            None if shape[-3] is None else target_height - offset_height - shape[-3],
            None if shape[-2] is None else target_width - offset_width - shape[-2],
        )
        if min((size for size in after if size is not None), default=0) < 0:
            raise ValueError("size must be <= target - offset")
        return after

    def shape_fn(shape: Any) -> Any:
        if with_ndim(shape) is not None:
            margins(shape)
        return with_size(shape, target_height, target_width)

    def framed(x: Any) -> Any:
        below, right = margins(x.shape)
        widths = [(0, 0)] * (x.ndim - 3) + [(offset_height, below), (offset_width, right), (0, 0)]
        return np.pad(x, widths)

    return call("Pad", framed, (image,), shape=shape_fn)


def resize_image_with_crop_or_pad(image: Any, target_height: int, target_width: int) -> Any:
    """Return the middle of the image, or the image in the middle of zeros, so that it has a size."""
    if min(target_height, target_width) <= 0:
        raise ValueError("target sizes must be > 0.")

    def fitted(x: Any) -> Any:
        for axis, target in ((-3, target_height), (-2, target_width)):
            size = x.shape[axis]
            cut, frame = max((size - target) // 2, 0), max((target - size) // 2, 0)
            index: list[Any] = [slice(None)] * x.ndim
            index[axis] = slice(cut, cut + min(size, target))
            widths = [(0, 0)] * x.ndim
            widths[axis] = (frame, target - frame - min(size, target))
            x = np.pad(x[tuple(index)], widths)
        return x

    return call("CropOrPad", fitted, (image,), shape=lambda s: with_size(with_ndim(s), target_height, target_width))


def central_crop(image: Any, central_fraction: float) -> Any:
    """Return the middle of the image: a share of its height and of its width. ValueError for one not in (0, 1]."""
    if not 0.0 < central_fraction <= 1.0:
        raise ValueError("central_fraction must be within (0, 1]")

    def box(size: int) -> tuple[int, int]:
        start = int((size - size * central_fraction) / 2)
        return start, size - start * 2

    def cut(x: Any) -> Any:
        (top, height), (left, width) = box(x.shape[-3]), box(x.shape[-2])
        return x[..., top : top + height, left : left + width, :]

    def shape_fn(shape: Any) -> Any:
        if with_ndim(shape) is None:
            return None
        return with_size(shape, *(None if size is None else box(size)[1] for size in shape[-3:-1]))

    return call("CentralCrop", cut, (image,), shape=shape_fn)


def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Any:
    """Return a part of a size, at a place by chance, of an array of any shape.

    Raises InvalidArgumentError, when a session runs, for a size that is larger than the array.
    """
    seeds, key = get_seed(seed), object()

    def cut(sizes: Any, session: RunSession, x: Any) -> Any:
        if len(sizes) != x.ndim or any(part > whole for part, whole in zip(sizes, x.shape, strict=True)):
            raise ValueError(f"Need value.shape >= size, got {x.shape} and {list(sizes)}")
        rng = generator(session, key, seeds)
        starts = [int(rng.integers(whole - part + 1)) for part, whole in zip(sizes, x.shape, strict=True)]
        return x[tuple(slice(at, at + part) for at, part in zip(starts, sizes, strict=True))]

    def shape_fn(sizes: Any, _: Any) -> Any:
        return shape_value(sizes) if isinstance(sizes, Tensor) else sizes

    return call_with(
        "random_crop", [(size, as_sizes)], cut, (value,), shape=shape_fn, name=name, contextual=True, same=False
    )
