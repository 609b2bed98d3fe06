"""Brightness, contrast and colours of images, their types, and measures of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import call, dtype_of, shape_of
from ..graph.dtypes import DType, as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.scopes import name_scope
from .array_ops import identity
from .cast_ops import cast, saturate_cast
from .math_ops import abs as _abs
from .math_ops import add, greater_equal, multiply
from .matmul_ops import tensordot
from .reduce_ops import reduce_mean, reduce_sum
from .script_ops import Assert
from .sparse_ops import convert_to_tensor

__all__ = [
    "adjust_brightness",
    "adjust_contrast",
    "adjust_gamma",
    "adjust_hue",
    "adjust_saturation",
    "convert_image_dtype",
    "grayscale_to_rgb",
    "hsv_to_rgb",
    "per_image_standardization",
    "rgb_to_grayscale",
    "rgb_to_hsv",
    "rgb_to_yiq",
    "rgb_to_yuv",
    "total_variation",
    "yiq_to_rgb",
    "yuv_to_rgb",
]


def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> Any:
    """Return the image in another type; floats go from 0 to 1, integers to the largest of the type.

    What does not fit wraps around, or, with ``saturate``, becomes the nearest that does.
    """
    image = convert_to_tensor(image)
    own, new = dtype_of(image), as_dtype(dtype)
    if own == new:
        return identity(image, name)
    with name_scope(name, "convert_image"):
        if own.is_integer and new.is_integer:
            return _between_integers(image, own, new, saturate)
        if own.is_floating and new.is_floating:
            return cast(image, new)
        if own.is_integer:
            return multiply(cast(image, new), 1.0 / own.max)
        scaled = multiply(image, new.max + 0.5)
        return saturate_cast(scaled, new) if saturate else cast(scaled, new)


def _between_integers(image: Any, own: DType, new: DType, saturate: bool) -> Any:
    if own.max > new.max:
        smaller = image // ((own.max + 1) // (new.max + 1))
        return saturate_cast(smaller, new) if saturate else cast(smaller, new)
    wide = saturate_cast(image, new) if saturate else cast(image, new)
    return multiply(wide, (new.max + 1) // (own.max + 1))


def _as_floats(function: Any, image: Any) -> Any:
    """Return what a function makes of an image in floats, in the image's own type."""
    image = convert_to_tensor(image)
    own = dtype_of(image)
    if own.is_floating:
        return function(image)
    return convert_image_dtype(function(convert_image_dtype(image, "float32")), own, saturate=True)


def adjust_brightness(image: Any, delta: Any) -> Any:
    """Return ``image + delta``, of images that are not floats in a scale from 0 to 1."""
    return _as_floats(lambda x: add(x, cast(delta, dtype_of(x))), image)


def adjust_contrast(images: Any, contrast_factor: Any) -> Any:
    """Return ``(x - mean) * contrast_factor + mean``, the mean of each channel of each image.

    Raises ValueError for a factor that is not one number.
    """
    if shape_of(contrast_factor) not in (None, ()):
        raise ValueError(f"Shape must be rank 0 but is rank {len(shape_of(contrast_factor) or ())}")

    def spread(x: Any) -> Any:
        wide = cast(x, "float32")
        mean = reduce_mean(wide, [-3, -2], keepdims=True)
        return cast((wide - mean) * cast(contrast_factor, "float32") + mean, dtype_of(x))

    return _as_floats(spread, images)


def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Any:
    """Return ``gain * image ** gamma``, of a scale from 0 to 1.

    Raises ValueError for a negative gamma, InvalidArgumentError in a run for a tensor of such.
    """
    said = "Gamma should be a non-negative real number."
    if isinstance(gamma, Node):
        check = Assert(greater_equal(gamma, 0), [said])
        with get_default_graph().control_dependencies([check]):
            gamma = identity(gamma)
    elif gamma < 0:
        raise ValueError(said)
    return _as_floats(lambda x: multiply(x**gamma, gain), image)


def rgb_to_grayscale(images: Any, name: str | None = None) -> Any:
    """Return the weighted mean of red, green and blue: 0.2989, 0.587 and 0.114."""
    weights = np.array([0.2989, 0.5870, 0.1140], np.float32)

    def gray(x: Any) -> Any:
        return reduce_sum(multiply(x, weights.astype(dtype_of(x).as_numpy_dtype)), -1, keepdims=True)

    with name_scope(name, "rgb_to_grayscale"):
        return _as_floats(gray, images)


def _repeated(shape: Any) -> Any:
    if shape is not None and len(shape) < 2:
        raise ValueError("A grayscale image must be at least two-dimensional.")
    if shape is not None and shape[-1] not in (1, None):
        raise ValueError(f"Last dimension of a grayscale image should be size 1, got {shape}")
    return None if shape is None else (*shape[:-1], 3)


def grayscale_to_rgb(images: Any, name: str | None = None) -> Any:
    """Return the one channel three times."""
    if executing_eagerly():
        _repeated(np.shape(images))
    return call("Tile", lambda x: np.concatenate([x, x, x], axis=-1), (images,), name=name, shape=_repeated)


def _of_colours(shape: Any, *others: Any) -> Any:
    if shape == ():
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    if shape is not None and shape[-1] not in (3, None):
        raise ValueError(f"images must have 3 channels, got shape {shape}")
    return shape


def rgb_to_hsv(images: Any, name: str | None = None) -> Any:
    """Return hue, saturation and value, each from 0 to 1, of red, green and blue from 0 to 1."""

    def hsv(x: Any) -> Any:
        _of_colours(x.shape)
        hue, value, least = _hue(x)
        saturation = np.where(value > 0, (value - least) / np.where(value > 0, value, 1), 0)
        return np.stack([hue, saturation, value], axis=-1).astype(x.dtype)

    return call("RGBToHSV", hsv, (images,), name=name, shape=_of_colours)


def _hue(x: Any) -> tuple[Any, Any, Any]:
    """Return the hue of red, green and blue, and the largest and the smallest of the three."""
    r, g, b = (x[..., k] for k in range(3))
    reds, greens, blues = (unwrap(each) for each in (r, g, b))
    # Of equal ones the first counts as the largest, the last as the smallest: gradients flow to it.
    red, green = (reds >= greens) & (reds >= blues), greens >= blues
    value = np.where(red, r, np.where(green, g, b))
    least = np.where((blues <= reds) & (blues <= greens), b, np.where(greens <= reds, g, r))
    spread = value - least
    safe = np.where(spread > 0, spread, 1).astype(x.dtype)
    hue = np.where(red, (g - b) / safe, np.where(green, (b - r) / safe + 2, (r - g) / safe + 4))
    hue = np.where(spread > 0, hue / 6, 0)
    return np.where(hue < 0, hue + 1, hue), value, least


def _shares(hue: Any) -> list[Any]:
    """Return how much of the spread of the three colours each of them has: from 0, the smallest, to 1."""
    sixth = hue * 6
    return [np.clip(share, 0, 1) for share in (np.abs(sixth - 3) - 1, 2 - np.abs(sixth - 2), 2 - np.abs(sixth - 4))]


def hsv_to_rgb(images: Any, name: str | None = None) -> Any:
    """Return red, green and blue of hue, saturation and value, all from 0 to 1."""

    def rgb(x: Any) -> Any:
        if x.dtype.itemsize == 2:
            return rgb(x.astype(np.float32)).astype(x.dtype)
        _of_colours(x.shape)
        h, s, v = (x[..., k] for k in range(3))
        colours = [(1 - s + s * share) * v for share in _shares(h)]
        return np.stack(colours, axis=-1).astype(x.dtype)

    return call("HSVToRGB", rgb, (images,), name=name, shape=_of_colours)


def _in_hsv(change: Any, image: Any, name: str | None) -> Any:
    def changed(x: Any) -> Any:
        hsv = rgb_to_hsv(x)
        parts = change(hsv[..., 0:1], hsv[..., 1:2], hsv[..., 2:3])
        joined = call("ConcatV2", lambda *arrays: np.concatenate(arrays, axis=-1), parts)
        return hsv_to_rgb(joined, name)

    return _as_floats(changed, image)


def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Any:
    """Return the image with its saturation times a factor, at most 1."""

    def change(h: Any, s: Any, v: Any) -> Any:
        return h, call("Clip", lambda x, factor: np.clip(x * factor, 0, 1).astype(x.dtype), (s, saturation_factor)), v

    return _in_hsv(change, image, name)


def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Any:
    """Return the image with its hue moved around the circle of colours by a share of it, from -1 to 1.

    Raises ValueError in eager mode for another share.
    """
    if executing_eagerly() and not -1 <= float(delta) <= 1:
        raise ValueError("delta must be in the interval [-1, 1]")

    def turned(x: Any, by: Any) -> Any:
        hue, value, least = _hue(x)  # of colours below 0 too, which have no saturation
        shares = _shares(np.mod(hue + by, 1))
        return np.stack([least + (value - least) * share for share in shares], axis=-1).astype(x.dtype)

    return _as_floats(lambda x: call("AdjustHue", turned, (x, delta), name=name, shape=_of_colours), image)


def per_image_standardization(image: Any) -> Any:
    """Return ``(x - mean) / max(stddev, 1 / sqrt(N))`` of each image, as float32."""
    image = cast(convert_to_tensor(image), "float32")

    def standard(x: Any) -> Any:
        axes = (-3, -2, -1)
        mean = np.mean(x, axis=axes, keepdims=True)
        deviation = np.sqrt(np.mean(np.square(x - mean), axis=axes, keepdims=True))
        least = x.dtype.type(1 / math.sqrt(math.prod(x.shape[-3:])))
        return (x - mean) / np.maximum(deviation, least)

    return call("per_image_standardization", standard, (image,), shape=shape_inference.same)


def total_variation(images: Any, name: str | None = None) -> Any:
    """Return the sum of absolute differences of neighbours, of each image. Raises ValueError for other ranks."""
    images = convert_to_tensor(images)
    ndim = images.shape.ndims
    if ndim not in (3, 4):
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    axes = [-3, -2, -1] if ndim == 4 else None
    with name_scope(name, "total_variation"):
        down = images[..., 1:, :, :] - images[..., :-1, :, :]
        across = images[..., :, 1:, :] - images[..., :, :-1, :]
        return reduce_sum(_abs(down), axes) + reduce_sum(_abs(across), axes)


def _by_matrix(rows: list[list[float]], text: str) -> Any:
    def operation(images: Any) -> Any:
        tensor = convert_to_tensor(images)
        return tensordot(tensor, convert_to_tensor(np.array(rows), dtype_of(tensor)), [[tensor.shape.ndims - 1], [0]])

    operation.__doc__ = text
    return operation


rgb_to_yiq = _by_matrix(
    [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]],
    "Return the brightness and the two colours of American television, of red, green and blue from 0 to 1.",
)
yiq_to_rgb = _by_matrix(
    [[1, 1, 1], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]],
    "Return red, green and blue of what `rgb_to_yiq` gives.",
)
rgb_to_yuv = _by_matrix(
    [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]],
    "Return the brightness and the two colours of European television, of red, green and blue from 0 to 1.",
)
yuv_to_rgb = _by_matrix(
    [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]],
    "Return red, green and blue of what `rgb_to_yuv` gives.",
)
name_functions(__name__)
