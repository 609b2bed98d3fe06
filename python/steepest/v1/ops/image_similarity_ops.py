"""How alike two images are: their peak signal-to-noise ratio, SSIM, and SSIM at several scales."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.build import call, dtype_of
from ..graph.scopes import name_scope
from ..graph.shape_inference import broadcast
from .cast_ops import cast
from .image_color_ops import convert_image_dtype
from .math_ops import log, squared_difference
from .reduce_ops import reduce_mean
from .sparse_ops import convert_to_tensor

__all__ = ["psnr", "ssim", "ssim_multiscale"]


def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Any:
    """Return the peak signal-to-noise ratio of two images in decibel, of each pair of a batch."""
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    peak = convert_image_dtype(cast(max_val, dtype_of(a)), "float32")
    a, b = convert_image_dtype(a, "float32"), convert_image_dtype(b, "float32")
    error = reduce_mean(squared_difference(a, b), [-3, -2, -1])
    with name_scope(name, "PSNR"):
        return 20 * log(peak) / math.log(10.0) - 10 / math.log(10) * log(error)


def _blurred(x: Any, weights: Any) -> Any:
    """Return the weighted means of windows of images, first down, then across."""
    for axis in (-3, -2):
        count = x.shape[axis] - len(weights) + 1
        parts = (x[..., k : k + count, :, :] if axis == -3 else x[..., k : k + count, :] for k in range(len(weights)))
        x = sum(weight * part for weight, part in zip(weights, parts, strict=True))
    return x


def _measures(a: Any, b: Any, peak: Any, size: int, sigma: float, k1: float, k2: float) -> tuple[Any, Any]:
    """Return the SSIM of each place and channel, and its part of contrast and structure."""
    if min(a.shape[-3:-1]) < size or min(b.shape[-3:-1]) < size:
        raise ValueError(f"images must not be smaller than filter_size {size}, got shapes {a.shape} and {b.shape}")
    weights = np.exp(-0.5 * ((np.arange(size) - (size - 1) / 2) / sigma) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    c1, c2 = np.float32(k1) ** 2 * peak * peak, np.float32(k2) ** 2 * peak * peak
    mean_a, mean_b = _blurred(a, weights), _blurred(b, weights)
    product, squares = mean_a * mean_b * 2, mean_a * mean_a + mean_b * mean_b
    luminance = (product + c1) / (squares + c1)
    structure = (_blurred(a * b, weights) * 2 - product + c2) / (_blurred(a * a + b * b, weights) - squares + c2)
    return luminance * structure, structure


def _halved(x: Any) -> Any:
    """Return means of squares of 2 x 2; an odd last row or column is taken twice."""
    odd = [(0, 0)] * (x.ndim - 3) + [(0, x.shape[-3] % 2), (0, x.shape[-2] % 2), (0, 0)]
    x = np.pad(x, odd, mode="symmetric") if x.shape[-3] % 2 or x.shape[-2] % 2 else x
    rows = x[..., ::2, :, :] + x[..., 1::2, :, :]
    return (rows[..., ::2, :] + rows[..., 1::2, :]) * np.float32(0.25)


def _compared(name: str, function: Any, img1: Any, img2: Any, max_val: Any, lost: int | None = None) -> Any:
    """Return what a function makes of two images: rows and columns, ``lost`` less than theirs, where this is given."""
    with name_scope(None, name):
        img1, img2 = convert_to_tensor(img1), convert_to_tensor(img2)
        peak = convert_image_dtype(cast(max_val, dtype_of(img1)), "float32")
        a, b = convert_image_dtype(img1, "float32"), convert_image_dtype(img2, "float32")

        def shape_fn(one: Any, other: Any, _: Any) -> Any:
            for shape in (one, other):
                if shape is not None and len(shape) < 3:
                    raise ValueError(f"images must have at least three dimensions, got shape {shape}")
            both = broadcast(one, other)
            if both is None or lost is None:
                return None if both is None else both[:-3]
            return (*both[:-3], *(None if length is None else length - lost for length in both[-3:-1]))

        return call(name, function, (a, b, peak), shape=shape_fn)


def ssim(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Any:
    """Return the structural similarity of images [..., height, width, channels], 1 for equal ones.

    Args:
        max_val: the difference between the largest and the smallest value that an element can have.
        filter_size, filter_sigma: of the Gaussian window in which means and covariances are taken.
        k1, k2: small constants against a division by nothing.
        return_index_map: return the similarity at each place of the window, [..., rows, columns], and not their mean.

    Raises InvalidArgumentError for images smaller than the window.
    Source: ``tf.image.ssim``; Z. Wang et al., Image quality assessment: from error visibility to structural similarity.
    """

    def measured(a: Any, b: Any, peak: Any) -> Any:
        whole, _ = _measures(a, b, peak, filter_size, filter_sigma, k1, k2)
        return np.mean(whole if return_index_map else np.mean(whole, axis=(-3, -2)), axis=-1)

    return _compared("SSIM", measured, img1, img2, max_val, filter_size - 1 if return_index_map else None)


_POWERS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def ssim_multiscale(
    img1: Any,
    img2: Any,
    max_val: Any,
    power_factors: Any = _POWERS,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Any:
    """Return the product of powers of what `ssim` measures at several scales, each half as large as the one before.

    Source: ``tf.image.ssim_multiscale``; Z. Wang et al., Multiscale structural similarity for image quality assessment.
    """

    def measured(a: Any, b: Any, peak: Any) -> Any:
        result: Any = np.float32(1)
        for scale, power in enumerate(power_factors):
            a, b = (_halved(a), _halved(b)) if scale else (a, b)
            whole, structure = _measures(a, b, peak, filter_size, filter_sigma, k1, k2)
            part = np.mean(whole if scale == len(power_factors) - 1 else structure, axis=(-3, -2))
            result = result * np.maximum(part, 0) ** np.float32(power)
        return np.mean(result, axis=-1)

    return _compared("MS-SSIM", measured, img1, img2, max_val)
