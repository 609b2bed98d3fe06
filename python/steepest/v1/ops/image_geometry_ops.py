"""Images turned, and parts of them by chance: arrays ``[height, width, channels]``, or batches of them."""

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
    "flip_left_right",
    "flip_up_down",
    "random_crop",
    "random_flip_left_right",
    "random_flip_up_down",
    "rot90",
    "transpose_image",
]


def with_ndim(shape: Any, ndims: tuple[int, ...] = (3, 4)) -> Any:
    """Return the shape of an image; ValueError for another number of axes."""
    if shape is not None and len(shape) not in ndims:
        told = " or ".join(map(str, ndims))
        raise ValueError(f"'image' must have {'either ' * (len(ndims) > 1)}{told} dimensions. Got shape {shape}")
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
