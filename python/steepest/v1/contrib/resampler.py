"""``tf.contrib.resampler``: images at points between their pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.errors import UnimplementedError
from ..graph.missing import namespace
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..ops.gather_ops import taken_dense
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["resampler"]

__getattr__, __dir__ = namespace(__name__, "resampler_ops")


def resampler(data: Any, warp: Any, name: str = "resampler") -> Any:
    """Return what images are at points, between four pixels bilinearly; outside of an image there is 0.

    Both have gradients.

    Args:
        data: [batch, height, width, channels].
        warp: [batch, ..., 2]: points, of column and row, of the type of ``data``.

    Returns:
        [batch, ..., channels].

    Raises, in a run:
        UnimplementedError: for data of another number of axes, points of another number of coordinates.
        InvalidArgumentError: for a warp that is a vector or a number, or one of another batch size.

    Source: ``tf.contrib.resampler.resampler``.
    """
    with name_scope(name, "resampler", [data, warp]):
        images, points = convert_to_tensor(data, name="data"), convert_to_tensor(warp, name="warp")
        return call("Resampler", _resampled, (images, points), shape=_shape)


def _shape(images: Any, points: Any) -> Any:
    if points is None or images is None or not points:
        return None
    return (*points[:-1], images[-1] if images else None)


def _resampled(images: Any, points: Any) -> Any:
    if images.ndim != 4:
        must = "Only bilinear interpolation is currently supported. The input data shape must be [batch_size, "
        raise UnimplementedError(
            None, None, f"{must}data_height, data_width, data_channels], but was: {_text(images.shape)}"
        )
    if points.ndim < 2:
        raise ValueError(f"warp should be at least a matrix, got shape {_text(points.shape)}")
    if points.shape[-1] != 2:
        must = "Only bilinear interpolation is supported, warping coordinates must be 2D; warp shape last entry should "
        raise UnimplementedError(None, None, f"{must}be 2, but shape vector is: {_text(points.shape)}")
    batch, height, width, channels = images.shape
    if points.shape[0] != batch:
        raise ValueError(
            "Batch size of data and warp tensor must be the same, but input shapes are: "
            f"{_text(images.shape)}, {_text(points.shape)}"
        )
    flat = np.reshape(points, (batch, -1, 2))
    x, y = flat[..., 0], flat[..., 1]
    at_x, at_y = array_of(x), array_of(y)
    near = (at_x > -1) & (at_y > -1) & (at_x < width) & (at_y < height)
    left, top = (np.where(near, np.floor(at), 0) for at in (at_x, at_y))
    pixels, first = np.reshape(images, (-1, channels)), np.arange(batch)[:, None] * (height * width)
    total: Any = 0
    for column, part in ((left, left + 1 - x), (left + 1, x - left)):
        for row, share in ((top, top + 1 - y), (top + 1, y - top)):
            inside = near & (row >= 0) & (row < height) & (column >= 0) & (column < width)
            places = np.where(inside, first + row * width + column, 0).astype(np.intp)
            found = np.reshape(taken_dense(pixels, places.ravel(), 0), (*places.shape, channels))
            total = total + found * np.expand_dims(np.where(inside, part * share, np.zeros((), images.dtype)), -1)
    return np.reshape(total, (*points.shape[:-1], channels))


def _text(shape: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, shape))}]"
