"""Images of another size: bilinear, by the nearest neighbour, bicubic, or as means of areas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.arguments import as_sizes, call_with
from ..graph.build import shape_of
from ..graph.dtypes import as_dtype
from ..graph.node import Tensor
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .gather_ops import taken_dense
from .image_geometry_ops import pad_to_bounding_box, with_ndim, with_size
from .sparse_ops import convert_to_tensor

__all__ = [
    "resize_area",
    "resize_bicubic",
    "resize_bilinear",
    "resize_image_with_pad",
    "resize_images",
    "resize_nearest_neighbor",
]

# Rows and columns are resized one after the other. Each function below takes an axis to ``new`` elements.


def _scale(new: int, old: int, align: bool) -> Any:
    return np.float32((old - 1) / (new - 1) if align and new > 1 else old / new)


def _positions(new: int, old: int, align: bool, centers: bool) -> Any:
    at, scale = np.arange(new, dtype=np.float32), _scale(new, old, align)
    return (at + np.float32(0.5)) * scale - np.float32(0.5) if centers else at * scale


def _bilinear(x: Any, axis: int, new: int, align: bool, centers: bool) -> Any:
    old = x.shape[axis]
    at = _positions(new, old, align, centers)
    low = np.floor(at)
    share = np.reshape((at - low).astype(np.float32), (-1, *([1] * (-axis - 1))))
    first = np.clip(low, 0, old - 1).astype(np.int64)
    second = np.clip(np.ceil(at), 0, old - 1).astype(np.int64)
    a, b = taken_dense(x, first, axis), taken_dense(x, second, axis)
    return a + (b - a) * share


def _nearest(x: Any, axis: int, new: int, align: bool, centers: bool) -> Any:
    old = x.shape[axis]
    at, scale = np.arange(new, dtype=np.float32), _scale(new, old, align)
    at = (at + np.float32(0.5)) * scale if centers else at * scale
    found = np.floor(at + np.float32(0.5)) if align else np.floor(at)
    return taken_dense(x, np.clip(found, 0, old - 1).astype(np.int64), axis)


def _bicubic(x: Any, axis: int, new: int, align: bool, centers: bool) -> Any:
    """Keys' convolution: four neighbours. Its parameter is -0.5 between centers, where weights outside are left out."""
    old, a = x.shape[axis], -0.5 if centers else -0.75
    at = _positions(new, old, align, centers)
    low = np.floor(at)
    share = np.rint((at - low) * 1024) / 1024  # TensorFlow has a table of 1024 steps
    places = low.astype(np.int64) + np.array([[-1], [0], [1], [2]])
    far = np.abs(share - np.array([[-1], [0], [1], [2]]))
    near = ((a + 2) * far - (a + 3)) * far * far + 1
    weights = np.where(far <= 1, near, ((a * far - 5 * a) * far + 8 * a) * far - 4 * a)
    if centers:
        weights = np.where((places >= 0) & (places < old), weights, 0)
        weights = weights / weights.sum(axis=0)
    return _weighted(x, axis, weights, places)


def _area(x: Any, axis: int, new: int, align: bool, _: bool) -> Any:
    """Means of the elements that each new one covers, a part of those at its ends."""
    scale = _scale(new, x.shape[axis], align)
    starts = np.arange(new, dtype=np.float32) * scale
    ends = np.arange(1, new + 1, dtype=np.float32) * scale
    first, last = np.floor(starts).astype(np.int64), np.ceil(ends).astype(np.int64) - 1
    places = np.minimum(first + np.arange((last - first).max(initial=0) + 1)[:, None], last)
    fresh = np.vstack([np.ones((1, new), bool), places[1:] != places[:-1]])
    shares = np.minimum(places + 1, ends) - np.maximum(places, starts)
    return _weighted(x, axis, shares / scale, places, fresh)


def _weighted(x: Any, axis: int, weights: Any, places: Any, present: Any = True) -> Any:
    """Return the sums of the elements at places that are present, each with its weight; all are [terms, new]."""
    shape = (-1, *([1] * (-axis - 1)))
    total: Any = None
    inside, present = np.clip(places, 0, x.shape[axis] - 1), np.broadcast_to(present, places.shape)
    for weight, place, there in zip(weights.astype(np.float32), inside, present, strict=True):
        term = taken_dense(x, place, axis) * np.reshape(weight, shape)
        if not there.all():  # nothing times infinity would not be nothing
            term = np.where(np.reshape(there, shape), term, np.float32(0))
        total = term if total is None else total + term
    return total


_METHODS: dict[str, Callable[..., Any]] = {
    "ResizeBilinear": _bilinear,
    "ResizeNearestNeighbor": _nearest,
    "ResizeBicubic": _bicubic,
    "ResizeArea": _area,
}
_NUMBERED = dict(enumerate(_METHODS))
_NAMED = {"bilinear": 0, "nearest": 1, "bicubic": 2, "area": 3}


def _resize(
    op_type: str, images: Any, size: Any, align: bool, centers: bool, name: str | None, ndims: tuple[int, ...] = (4,)
) -> Any:
    one, same_type = _METHODS[op_type], op_type == "ResizeNearestNeighbor"

    def resized(sizes: Any, x: Any) -> Any:
        if min(sizes) <= 0:
            raise ValueError("output dimensions must be positive")
        x = x if same_type or x.dtype == np.float32 else x.astype(np.float32)
        return one(one(x, -3, sizes[0], align, centers), -2, sizes[1], align, centers)

    def shape_fn(sizes: Any, shape: Any) -> Any:
        known = (None, None) if isinstance(sizes, Tensor) else sizes
        if len(known) != 2:
            raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
        return (None, *known, None) if shape is None else with_size(with_ndim(shape, ndims), *known)

    dtype = None if same_type else as_dtype("float32")
    return call_with(op_type, [(size, as_sizes)], resized, (images,), shape=shape_fn, name=name, dtype=dtype)


def resize_bilinear(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Any:
    """Return images of another size as float32, each element between its four neighbours."""
    return _resize("ResizeBilinear", images, size, align_corners, half_pixel_centers, name)


def resize_nearest_neighbor(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Any:
    """Return images of another size, each element that of its nearest neighbour."""
    return _resize("ResizeNearestNeighbor", images, size, align_corners, half_pixel_centers, name)


def resize_bicubic(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Any:
    """Return images of another size as float32, each element by a cubic of its sixteen neighbours.

    Source: ``tf.image.resize_bicubic``; R. Keys, Cubic convolution interpolation for digital image processing, 1981.
    """
    return _resize("ResizeBicubic", images, size, align_corners, half_pixel_centers, name)


def resize_area(images: Any, size: Any, align_corners: bool = False, name: str | None = None) -> Any:
    """Return images of another size as float32, each element the mean of the area that it covers."""
    return _resize("ResizeArea", images, size, align_corners, False, name)


def _op_type(method: Any) -> str:
    number = getattr(method, "value", method)
    found = _NUMBERED.get(_NAMED.get(number, number))
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
    shape, how = shape_of(images), _op_type(method)
    known = constant_value(size) if isinstance(size, Tensor) else size
    if preserve_aspect_ratio:
        if shape is None or known is None or None in shape[-3:-1]:
            raise ValueError("resize_images: with preserve_aspect_ratio the sizes must be known when the graph is made")
        ratio = min(np.float32(new / old) for new, old in zip(np.asarray(known).tolist(), shape[-3:-1], strict=True))
        known = size = [int(np.rint(ratio * old)) for old in shape[-3:-1]]
    if shape is not None and known is not None and shape[-3:-1] == tuple(np.asarray(known).tolist()):
        return images
    return _resize(how, images, size, align_corners, False, name, (3, 4))


def resize_image_with_pad(
    image: Any, target_height: int, target_width: int, method: Any = 0, align_corners: bool = False
) -> Any:
    """Return images of a size with their ratio of height and width kept: what is missing of the size is zeros around.

    Their own size has to be known when the graph is made. Source: ``tf.image.resize_image_with_pad``.
    """
    with name_scope(None, "resize_image_with_pad"):
        image = convert_to_tensor(image)
        shape = with_ndim(shape_of(image))
        if shape is None or None in shape[-3:-1]:
            raise ValueError("resize_image_with_pad: image must have a known height and width")
        if min(target_height, target_width) <= 0:
            raise ValueError("target sizes must be > 0.")
        height, width = shape[-3:-1]
        ratio = max(height / target_height, width / target_width)
        exact = np.array([height, width], np.float32) / np.float32(ratio)
        resized = _resize(_op_type(method), image, [int(size) for size in exact], align_corners, False, None, (3, 4))
        top, left = np.maximum((np.array([target_height, target_width]) - exact) // 2, 0).astype(int).tolist()
        return pad_to_bounding_box(resized, top, left, target_height, target_width)
