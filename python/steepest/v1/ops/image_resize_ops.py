"""Images of another size: bilinear, or by the nearest neighbour."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.arguments import as_sizes, call_with
from ..graph.build import shape_of
from ..graph.dtypes import as_dtype
from ..graph.node import Tensor
from .gather_ops import taken_dense
from .image_geometry_ops import with_ndim, with_size

__all__ = ["resize_bilinear", "resize_images", "resize_nearest_neighbor"]

# Resizing. Rows and columns are taken one after the other, as products with matrices of weights.


def _positions(new: int, old: int, align: bool, centers: bool) -> Any:
    scale = np.float32((old - 1) / (new - 1) if align and new > 1 else old / new)
    at = np.arange(new, dtype=np.float32)
    return (at + np.float32(0.5)) * scale - np.float32(0.5) if centers else at * scale


def _resize(
    method: str,
    images: Any,
    size: Any,
    align: bool,
    centers: bool,
    name: str | None,
    dtype: Any,
    ndims: tuple[int, ...] = (4,),
) -> Any:
    def linear(x: Any, axis: int, new: int) -> Any:
        old = x.shape[axis]
        at = _positions(new, old, align, centers)
        low = np.floor(at)
        share = np.reshape((at - low).astype(np.float32), (-1, *([1] * (-axis - 1))))
        first = np.clip(low, 0, old - 1).astype(np.int64)
        second = np.clip(np.ceil(at), 0, old - 1).astype(np.int64)
        a, b = taken_dense(x, first, axis), taken_dense(x, second, axis)
        return a + (b - a) * share

    def nearest(x: Any, axis: int, new: int) -> Any:
        old = x.shape[axis]
        scale = np.float32((old - 1) / (new - 1) if align and new > 1 else old / new)
        at = np.arange(new, dtype=np.float32)
        at = (at + np.float32(0.5)) * scale if centers else at * scale
        found = np.floor(at + np.float32(0.5)) if align else np.floor(at)
        return taken_dense(x, np.clip(found, 0, old - 1).astype(np.int64), axis)

    def resized(sizes: Any, x: Any) -> Any:
        if min(sizes) <= 0:
            raise ValueError("output dimensions must be positive")
        one = nearest if method == "nearest" else linear
        x = x if method == "nearest" or x.dtype == np.float32 else x.astype(np.float32)
        return one(one(x, -3, sizes[0]), -2, sizes[1])

    def shape_fn(sizes: Any, shape: Any) -> Any:
        known = (None, None) if isinstance(sizes, Tensor) else sizes
        if len(known) != 2:
            raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
        return (None, *known, None) if shape is None else with_size(with_ndim(shape, ndims), *known)

    op_type = "ResizeNearestNeighbor" if method == "nearest" else "ResizeBilinear"
    return call_with(op_type, [(size, as_sizes)], resized, (images,), shape=shape_fn, name=name, dtype=dtype)


def resize_bilinear(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Any:
    """Return images of another size as float32, each element between its four neighbours."""
    return _resize("bilinear", images, size, align_corners, half_pixel_centers, name, as_dtype("float32"))


def resize_nearest_neighbor(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Any:
    """Return images of another size, each element that of its nearest neighbour."""
    return _resize("nearest", images, size, align_corners, half_pixel_centers, name, None)


def resize_images(
    images: Any,
    size: Any,
    method: Any = 0,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Any:
    """Return images of another size: method 0 is bilinear, 1 the nearest neighbour.

    Images that have the size already are returned as they are. Raises NotImplementedError for other methods.
    """
    if preserve_aspect_ratio:
        raise NotImplementedError("resize_images: preserve_aspect_ratio must be False, got True")
    shape = shape_of(images)
    if shape is not None and isinstance(size, (list, tuple)) and shape[-3:-1] == tuple(size):
        return images
    how = getattr(method, "value", method)
    if how in (0, "bilinear"):
        return _resize("bilinear", images, size, align_corners, False, name, as_dtype("float32"), (3, 4))
    if how in (1, "nearest"):
        return _resize("nearest", images, size, align_corners, False, name, None, (3, 4))
    raise NotImplementedError(f"resize_images: method must be bilinear or nearest, got {method!r}")
