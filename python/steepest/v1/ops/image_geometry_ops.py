"""Images turned, and parts of them by chance: arrays ``[height, width, channels]``, or batches of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.arguments import as_axis, as_sizes, call_with
from ..graph.build import call
from ..graph.dtypes import as_dtype
from ..graph.eager_call import RunSession
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.shape_inference import shape_value
from .random_sequences import Draws, Sequence
from .seed_pairs import check_pair, draws_of

__all__ = [
    "flip_left_right",
    "flip_up_down",
    "random_crop",
    "random_flip_left_right",
    "random_flip_up_down",
    "rot90",
    "stateless_random_crop",
    "stateless_random_flip_left_right",
    "stateless_random_flip_up_down",
    "transpose_image",
]


def with_ndim(shape: Any, ndims: tuple[int, ...] = (3, 4)) -> Any:
    """Return the shape of an image; ValueError for another number of axes."""
    if shape is not None and len(shape) not in ndims:
        told = " or ".join(map(str, ndims))
        raise ValueError(f"'image' must have {'either ' * (len(ndims) > 1)}{told} dimensions. Got shape {shape}")
    return shape


def with_pixels(shape: Any) -> Any:
    """Return the shape of an image; ValueError for another number of axes, and for one without pixels."""
    if shape is not None and len(shape) < 3:
        raise ValueError(f"'image' (shape {shape}) must be at least three-dimensional.")
    if with_ndim(shape) is not None and 0 in shape[-3:]:
        raise ValueError(f"inner 3 dims of 'image.shape' must be > 0: {shape}")
    return shape


def with_size(shape: Any, height: Any, width: Any) -> Any:
    """Return the static shape of an image with another height and width."""
    return None if shape is None else (*shape[:-3], height, width, shape[-1])


def checked_eagerly(image: Any) -> Any:
    """Return an image, in eager mode with what `with_pixels` raises: as ValueError, as where shapes are inferred."""
    if executing_eagerly():
        with_pixels(np.shape(image))
    return image


def _axis_of(x: Any, axis: int) -> int:
    """Return an axis of an array that is an image, with what `with_pixels` raises for one that is not."""
    with_pixels(x.shape)
    return axis


def flip_left_right(image: Any) -> Any:
    """Return the image mirrored: columns in reverse order."""
    return call("ReverseV2", lambda x: np.flip(x, _axis_of(x, -2)), (checked_eagerly(image),), shape=with_pixels)


def flip_up_down(image: Any) -> Any:
    """Return the image upside down: rows in reverse order."""
    return call("ReverseV2", lambda x: np.flip(x, _axis_of(x, -3)), (checked_eagerly(image),), shape=with_pixels)


_HALF = np.float32(0.5)


def _flipped(draws: Draws, axis: int, x: Any) -> Any:
    axis = _axis_of(x, axis)
    if x.ndim == 3:
        return np.flip(x, axis) if draws.units((), np.dtype(np.float32)) < _HALF else np.copy(x)
    chosen = draws.units(x.shape[:1], np.dtype(np.float32)) < _HALF
    return np.where(chosen[:, None, None, None], np.flip(x, axis), x)


def _random_flip(op_type: str, axis: int, image: Any, seed: int | None) -> Any:
    sequence = Sequence("RandomUniform", as_dtype("float32"), seed)

    def flipped(session: RunSession, x: Any) -> Any:
        return _flipped(sequence.draws(session), axis, x)

    return call(op_type, flipped, (checked_eagerly(image),), shape=with_pixels, contextual=True)


def _stateless_flip(op_type: str, axis: int, image: Any, seed: Any) -> Any:
    def flipped(x: Any, pair: Any) -> Any:
        return _flipped(draws_of(pair), axis, x)

    def shape_fn(shape: Any, pair: Any) -> Any:
        check_pair(pair)
        return with_pixels(shape)

    return call(op_type, flipped, (checked_eagerly(image), seed), shape=shape_fn, same=False)


def random_flip_left_right(image: Any, seed: int | None = None) -> Any:
    """Return each image mirrored, or not, by chance."""
    return _random_flip("random_flip_left_right", -2, image, seed)


def random_flip_up_down(image: Any, seed: int | None = None) -> Any:
    """Return each image upside down, or not, by chance."""
    return _random_flip("random_flip_up_down", -3, image, seed)


def stateless_random_flip_left_right(image: Any, seed: Any) -> Any:
    """Return each image mirrored, or not, as follows from ``seed``, two integers, alone."""
    return _stateless_flip("stateless_random_flip_left_right", -2, image, seed)


def stateless_random_flip_up_down(image: Any, seed: Any) -> Any:
    """Return each image upside down, or not, as follows from ``seed``, two integers, alone."""
    return _stateless_flip("stateless_random_flip_up_down", -3, image, seed)


def transpose_image(image: Any, name: str | None = None) -> Any:
    """Return the image with rows and columns exchanged."""

    def shape_fn(shape: Any) -> Any:
        return None if with_pixels(shape) is None else (*shape[:-3], shape[-2], shape[-3], shape[-1])

    def turned(x: Any) -> Any:
        return np.swapaxes(x, _axis_of(x, -3), -2)

    return call("Transpose", turned, (checked_eagerly(image),), name=name, shape=shape_fn)


def rot90(image: Any, k: Any = 1, name: str | None = None) -> Any:
    """Return the image turned ``k`` times by 90 degrees, against the clock."""

    def shape_fn(times: Any, shape: Any) -> Any:
        if with_pixels(shape) is None:
            return None
        return with_size(shape, None, None)  # as TensorFlow, which does not look at k

    def turned(times: int, x: Any) -> Any:
        return np.rot90(x, times, (_axis_of(x, -3), -2))

    return call_with("Rot90", [(k, as_axis)], turned, (checked_eagerly(image),), shape=shape_fn, name=name)


def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Any:
    """Return a part of a size, at a place by chance, of an array of any shape.

    Raises InvalidArgumentError, when a session runs, for a size that is larger than the array.
    """
    sequence = Sequence("RandomUniformInt", as_dtype("int32"), seed)

    def cut(sizes: Any, session: RunSession, x: Any) -> Any:
        return _cropped(sequence.draws(session), sizes, x)

    options: Any = {"name": name, "contextual": True, "same": False}
    return call_with("random_crop", [(size, as_sizes)], cut, (value,), shape=_shape_of_crop, **options)


def stateless_random_crop(value: Any, size: Any, seed: Any, name: str | None = None) -> Any:
    """Return what `random_crop` does, at a place that follows from ``seed``, two integers, alone."""

    def cut(sizes: Any, x: Any, pair: Any) -> Any:
        return _cropped(draws_of(pair), sizes, x)

    def shape_fn(sizes: Any, known: Any, pair: Any) -> Any:
        check_pair(pair)
        return _shape_of_crop(sizes, known)

    options: Any = {"name": name, "same": False}
    return call_with("stateless_random_crop", [(size, as_sizes)], cut, (value, seed), shape=shape_fn, **options)


def _cropped(draws: Draws, sizes: Any, x: Any) -> Any:
    if len(sizes) != x.ndim or any(part > whole for part, whole in zip(sizes, x.shape, strict=True)):
        raise ValueError(f"Need value.shape >= size, got {x.shape} and {list(sizes)}")
    drawn = draws.whole_numbers((x.ndim,), np.dtype(np.int32), 0, 2**31 - 1)
    starts = [int(at) % (whole - part + 1) for at, part, whole in zip(drawn, sizes, x.shape, strict=True)]
    return x[tuple(slice(at, at + part) for at, part in zip(starts, sizes, strict=True))]


def _shape_of_crop(sizes: Any, _: Any) -> Any:
    return shape_value(sizes) if isinstance(sizes, Tensor) else sizes
