"""Parts of images: patches, glimpses, boxes cut out and resized, edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.arguments import as_sizes, call_with
from ..graph.build import call
from ..graph.eager_call import RunSession
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from .image_resize_ops import check_count
from .random_sequences import Sequence
from .sparse_ops import convert_to_tensor

__all__ = [
    "crop_and_resize",
    "extract_glimpse",
    "extract_image_patches",
    "extract_patches",
    "image_gradients",
    "sobel_edges",
]


def extract_patches(images: Any, sizes: Any, strides: Any, rates: Any, padding: Any, name: str | None = None) -> Any:
    """Return the patches of images, as `extract_image_patches` does. Source: ``tf.image.extract_patches``."""
    return extract_image_patches(images, sizes, strides, rates, padding, name)


def extract_image_patches(
    images: Any,
    ksizes: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    sizes: Any = None,
) -> Any:
    """Return the patches of images of shape [batch, height, width, depth], each along the last axis.

    Args:
        ksizes, strides, rates: ``[1, height, width, 1]``: the sizes of patches, the distance of one to the next, and of
            the elements of one.
        padding: ``"VALID"``, or ``"SAME"`` with zeros around.

    Source: ``tf.extract_image_patches``.
    """
    kernel, steps, apart = ([int(part) for part in given] for given in (ksizes or sizes, strides, rates))
    if any(given[0] != 1 or given[3] != 1 for given in (kernel, steps, apart)):
        raise NotImplementedError("extract_image_patches: only the rows and columns of images are cut into patches")
    if padding not in ("VALID", "SAME"):
        raise ValueError(f"extract_image_patches: padding must be 'VALID' or 'SAME', got {padding!r}")

    def places(size: int, axis: int) -> tuple[int, int, Any]:
        """Return the padding before and after, and the position of each element of each patch."""
        reach = (kernel[axis] - 1) * apart[axis] + 1
        count = -(-size // steps[axis]) if padding == "SAME" else -(-(size - reach + 1) // steps[axis])
        missing = max((count - 1) * steps[axis] + reach - size, 0) if padding == "SAME" else 0
        starts = np.arange(max(count, 0)) * steps[axis]
        return missing // 2, missing - missing // 2, starts[:, None] + np.arange(kernel[axis]) * apart[axis]

    def patches(x: Any) -> Any:
        (top, bottom, rows), (left, right, columns) = places(x.shape[1], 1), places(x.shape[2], 2)
        padded = np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)))
        found = padded[:, rows[:, None, :, None], columns[None, :, None, :]]
        return np.reshape(found, (x.shape[0], len(rows), len(columns), kernel[1] * kernel[2] * x.shape[3]))

    def shape_fn(shape: Any) -> Any:
        if shape is None:
            return (None,) * 4
        sizes_of = [None if shape[axis] is None else len(places(shape[axis], axis)[2]) for axis in (1, 2)]
        return (shape[0], *sizes_of, None if shape[3] is None else kernel[1] * kernel[2] * shape[3])

    return call("ExtractImagePatches", patches, (images,), name=name, shape=shape_fn)


def crop_and_resize(
    image: Any,
    boxes: Any,
    box_ind: Any = None,
    crop_size: Any = None,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    name: str | None = None,
    box_indices: Any = None,
) -> Any:
    """Return boxes of images, each resized to ``crop_size``, as float32.

    Args:
        image: [batch, height, width, depth].
        boxes: [n, 4]: y1, x1, y2, x2, where 0 and 1 are the image's first and last row or column.
        box_ind: [n], the image of each box.
        crop_size: the height and width, two positive integers.
        method: ``"bilinear"`` or ``"nearest"``.
        extrapolation_value: what elements outside of the image are.

    Source: ``tf.image.crop_and_resize``.
    """
    if method not in ("bilinear", "nearest"):
        raise ValueError(f"Value for attr 'method' of \"{method}\" is not in the list of allowed values")
    images_of = box_ind if box_indices is None else box_indices

    def cut(sizes: Any, x: Any, corners: Any, which: Any) -> Any:
        if min(sizes) <= 0:
            raise ValueError("crop dimensions must be positive")
        if which.ndim != 1:
            raise ValueError(f"box_indices must be rank 1 but is rank {which.ndim}")
        height, width = sizes
        check_count(len(corners), height, width, x.shape[3])
        if not np.isfinite(unwrap(corners)).all():
            raise ValueError("Boxes contains at least one element that is not finite")
        numbers = array_of(which).astype(np.int64)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < x.shape[0]:
            raise IndexError(f"box_index has values outside [0, batch_size {x.shape[0]})")
        x = x if x.dtype == np.float32 else x.astype(np.float32)
        rows = _positions(corners[:, 0], corners[:, 2], height, x.shape[1])
        columns = _positions(corners[:, 1], corners[:, 3], width, x.shape[2])
        inside = _inside(rows, x.shape[1])[:, :, None] & _inside(columns, x.shape[2])[:, None, :]
        of = numbers[:, None, None]
        if method == "nearest":
            at = [
                _limited(np.floor(unwrap(p) + np.float32(0.5)), n)
                for p, n in ((rows, x.shape[1]), (columns, x.shape[2]))
            ]
            found = x[of, at[0][:, :, None], at[1][:, None, :]]
        else:
            top, left = (np.floor(unwrap(p)) for p in (rows, columns))
            low, high = _limited(top, x.shape[1])[:, :, None], _limited(np.ceil(unwrap(rows)), x.shape[1])[:, :, None]
            first = _limited(left, x.shape[2])[:, None, :]
            last = _limited(np.ceil(unwrap(columns)), x.shape[2])[:, None, :]
            down, across = (rows - top)[:, :, None, None], (columns - left)[:, None, :, None]
            above = x[of, low, first] + (x[of, low, last] - x[of, low, first]) * across
            below = x[of, high, first] + (x[of, high, last] - x[of, high, first]) * across
            found = above + (below - above) * down
        return np.where(inside[..., None], found, np.float32(extrapolation_value))

    def shape_fn(sizes: Any, shape: Any, corners: Any, which: Any) -> Any:
        count = corners[0] if corners is not None else which[0] if which is not None else None
        if which is not None and len(which) != 1:
            raise ValueError(f"box_indices must be rank 1 but is rank {len(which)}")
        known = (None, None) if isinstance(sizes, Tensor) else sizes
        if len(known) != 2:
            raise ValueError(f"crop_and_resize: crop_size must be two integers, got {list(known)}")
        return (count, *known, None if shape is None else shape[3])

    inputs = (image, convert_to_tensor(boxes, "float32"), convert_to_tensor(images_of, "int32"))
    options: Any = {"shape": shape_fn, "dtype": "float32", "same": False}
    return call_with("CropAndResize", [(crop_size, as_sizes)], cut, inputs, name=name, **options)


def _positions(first: Any, last: Any, count: int, size: int) -> Any:
    """Return where the elements of each box lie in the image, [n, count]."""
    one = np.float32(size - 1)
    if count == 1:
        return ((first + last) * np.float32(0.5) * one)[:, None]
    step = (last - first) * one / np.float32(count - 1)
    return (first * one)[:, None] + np.arange(count, dtype=np.float32) * step[:, None]


def _inside(positions: Any, size: int) -> Any:
    at = unwrap(positions)
    return (at >= 0) & (at <= size - 1)


def _limited(positions: Any, size: int) -> Any:
    return np.clip(np.nan_to_num(positions), 0, size - 1).astype(np.int64)


def extract_glimpse(
    input: Any,
    size: Any,
    offsets: Any,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    name: str | None = None,
) -> Any:
    """Return a window of each image of [batch, height, width, depth], as float32.

    Args:
        size: the height and the width of the window.
        offsets: [batch, 2], the y and x of the middle of each window.
        centered: offsets are halved and counted from the image's middle; otherwise from its first row and column.
        normalized: offsets are shares of the image's height and width; otherwise they count rows and columns.
        uniform_noise: what lies outside of the image is drawn uniformly from 0 to the image's largest element;
            otherwise normally with the image's mean and deviation.

    Source: ``tf.image.extract_glimpse``.
    """
    sequence = Sequence("ExtractGlimpse", None, None)

    def window(session: RunSession, x: Any, extent: Any, at: Any) -> Any:
        sides, begins, x = array_of(extent), array_of(at), unwrap(x)
        if sides.shape != (2,) or (sides <= 0).any():
            raise ValueError(f"extract_glimpse: size must be two positive integers, got {sides.tolist()}")
        if begins.shape != (x.shape[0], 2):
            raise ValueError(f"extract_glimpse: offsets must have shape {(x.shape[0], 2)}, got {begins.shape}")
        whole = np.array(x.shape[1:3], np.float32)
        starts = begins * whole if normalized else begins
        # TensorFlow's kernel halves offsets in rows too, and takes half of the window off in each case.
        starts = ((starts + whole) if centered else 2 * starts) / np.float32(2) - sides / np.float32(2)
        first = np.trunc(starts).astype(np.int64)
        rows, columns = (first[:, k, None] + np.arange(sides[k]) for k in (0, 1))
        inside = _inside(rows, x.shape[1])[:, :, None] & _inside(columns, x.shape[2])[:, None, :]
        of = np.arange(x.shape[0])[:, None, None]
        found = x[of, _limited(rows, x.shape[1])[:, :, None], _limited(columns, x.shape[2])[:, None, :]]
        rng = sequence.draws(session)
        most = max(x.max(initial=0), 0)
        noise = rng.random(found.shape) * most if uniform_noise else rng.normal(x.mean(), x.std(), found.shape)
        return np.where(inside[..., None], found, noise.astype(np.float32))

    def shape_fn(shape: Any, _: Any, at: Any) -> Any:
        value = constant_value(sizes)
        known = (None, None) if value is None else value.tolist()
        count = shape[0] if shape is not None and shape[0] is not None else at[0] if at else None
        return (count, *known, None if shape is None else shape[3])

    sizes = convert_to_tensor(size, "int32")
    inputs = (convert_to_tensor(input, "float32"), sizes, convert_to_tensor(offsets, "float32"))
    options: Any = {"shape": shape_fn, "dtype": "float32", "same": False, "differentiable": False}
    return call("ExtractGlimpse", window, inputs, name=name, contextual=True, **options)


def image_gradients(image: Any) -> tuple[Any, Any]:
    """Return the differences of neighbours down and across, 0 in the last row and column. Raises ValueError."""
    tensor = convert_to_tensor(image)
    if tensor.shape.ndims != 4:
        raise ValueError(f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {tensor.shape}.")

    def down(x: Any) -> Any:
        return np.concatenate([x[:, 1:] - x[:, :-1], np.zeros_like(unwrap(x[:, :1]))], axis=1)

    def across(x: Any) -> Any:
        return np.concatenate([x[:, :, 1:] - x[:, :, :-1], np.zeros_like(unwrap(x[:, :, :1]))], axis=2)

    return call("Reshape", down, (tensor,)), call("Reshape", across, (tensor,))


def sobel_edges(image: Any) -> Any:
    """Return Sobel's derivatives down and across of images [batch, height, width, depth], along a new last axis."""

    def edges(x: Any) -> Any:
        p = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="reflect")
        h, w = x.shape[1:3]

        def at(i: int, j: int) -> Any:
            return p[:, i : i + h, j : j + w]

        down = at(2, 0) + 2 * at(2, 1) + at(2, 2) - at(0, 0) - 2 * at(0, 1) - at(0, 2)
        across = at(0, 2) + 2 * at(1, 2) + at(2, 2) - at(0, 0) - 2 * at(1, 0) - at(2, 0)
        return np.stack([down, across], axis=-1)

    return call("DepthwiseConv2dNative", edges, (image,), shape=lambda shape: None if shape is None else (*shape, 2))
