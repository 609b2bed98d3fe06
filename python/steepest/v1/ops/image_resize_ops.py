"""Images of another size: bilinear, by the nearest neighbour, bicubic, or as means of areas."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.arguments import as_sizes, call_with
from ..graph.dtypes import as_dtype
from ..graph.node import Tensor
from .gather_ops import taken_dense
from .image_geometry_ops import with_ndim, with_size

__all__ = [
    "resize_area",
    "resize_bicubic",
    "resize_bilinear",
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
    return weighted(x, axis, weights, places)


def _area(x: Any, axis: int, new: int, align: bool, _: bool) -> Any:
    """Means of the elements that each new one covers, a part of those at its ends."""
    scale = _scale(new, x.shape[axis], align)
    starts = np.arange(new, dtype=np.float32) * scale
    ends = np.arange(1, new + 1, dtype=np.float32) * scale
    first, last = np.floor(starts).astype(np.int64), np.ceil(ends).astype(np.int64) - 1
    places = np.minimum(first + np.arange((last - first).max(initial=0) + 1)[:, None], last)
    fresh = np.vstack([np.ones((1, new), bool), places[1:] != places[:-1]])
    shares = np.minimum(places + 1, ends) - np.maximum(places, starts)
    return weighted(x, axis, shares / scale, places, fresh)


def weighted(x: Any, axis: int, weights: Any, places: Any, present: Any = True) -> Any:
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
NUMBERED = dict(enumerate(_METHODS))
"""The types of operations by TensorFlow's numbers of methods."""


def how(op_type: str, align: bool, centers: bool) -> Callable[..., Any]:
    """Return the function of an array and its new sizes."""
    return lambda x, sizes: _made(op_type, x, sizes, align, centers)


def _made(op_type: str, x: Any, sizes: Sequence[int], align: bool, centers: bool) -> Any:
    if min(sizes) <= 0:
        raise ValueError("output dimensions must be positive")
    one = _METHODS[op_type]
    x = x if op_type == "ResizeNearestNeighbor" or x.dtype == np.float32 else x.astype(np.float32)
    return one(one(x, -3, sizes[0], align, centers), -2, sizes[1], align, centers)


def check_count(*sizes: int) -> None:
    """Raise ValueError where an array would have more elements than can be counted, and not only than there is room."""
    if math.prod(sizes) >= 2**63:
        raise ValueError(f"Encountered overflow when multiplying {' with '.join(map(str, sizes))}")


def in_ratio(sizes: Sequence[int], old: Sequence[int]) -> list[int]:
    """Return the largest size within another that keeps the ratio of height and width."""
    ratio = min(np.float32(new / size) for new, size in zip(sizes, old, strict=True))
    return [int(np.rint(ratio * size)) for size in old]


def resize_call(
    op_type: str,
    images: Any,
    size: Any,
    made: Callable[..., Any],
    name: str | None,
    ndims: tuple[int, ...] = (4,),
    keep_ratio: bool = False,
) -> Any:
    """Return the images that ``made(array, sizes)`` will be. Raises ValueError for a size that is not two integers."""

    def resized(sizes: Any, x: Any) -> Any:
        check_count(*x.shape[:-3], *sizes, x.shape[-1])
        return made(x, in_ratio(sizes, x.shape[-3:-1]) if keep_ratio else sizes)

    def shape_fn(sizes: Any, shape: Any) -> Any:
        if isinstance(sizes, Tensor):
            if sizes._shape is not None and sizes._shape not in ((2,), (None,)):
                raise ValueError(SIZE)
            sizes = (None, None)
        if len(sizes) != 2:
            raise ValueError(SIZE)
        if keep_ratio:
            known = shape is not None and None not in (*sizes, *shape[-3:-1])
            sizes = in_ratio(sizes, shape[-3:-1]) if known else (None, None)
        return (None, *sizes, None) if shape is None else with_size(with_ndim(shape, ndims), *sizes)

    dtype = None if op_type == "ResizeNearestNeighbor" else as_dtype("float32")
    return call_with(op_type, [(size, as_sizes)], resized, (images,), shape=shape_fn, name=name, dtype=dtype)


SIZE = "'size' must be a 1-D Tensor of 2 elements: new_height, new_width"


def resize_bilinear(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Any:
    """Return images of another size as float32, each element between its four neighbours."""
    made = how("ResizeBilinear", align_corners, half_pixel_centers)
    return resize_call("ResizeBilinear", images, size, made, name)


def resize_nearest_neighbor(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Any:
    """Return images of another size, each element that of its nearest neighbour."""
    return resize_call(
        "ResizeNearestNeighbor", images, size, how("ResizeNearestNeighbor", align_corners, half_pixel_centers), name
    )


def resize_bicubic(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Any:
    """Return images of another size as float32, each element by a cubic of its sixteen neighbours.

    Source: ``tf.image.resize_bicubic``; R. Keys, Cubic convolution interpolation for digital image processing, 1981.
    """
    made = how("ResizeBicubic", align_corners, half_pixel_centers)
    return resize_call("ResizeBicubic", images, size, made, name)


def resize_area(images: Any, size: Any, align_corners: bool = False, name: str | None = None) -> Any:
    """Return images of another size as float32, each element the mean of the area that it covers."""
    made = how("ResizeArea", align_corners, False)
    return resize_call("ResizeArea", images, size, made, name)
