"""The kernels by which images get another size: Lanczos, Gauss, Mitchell, and wide triangles and Keys' cubics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["KERNELS", "kernel_terms"]


def _lanczos(radius: float) -> Callable[[Any], Any]:
    return lambda x: np.where(x > radius, 0, np.sinc(x) * np.sinc(x / radius))


def _gauss(x: Any) -> Any:
    return np.where(x >= 1.5, 0, np.exp(-(x**2) / (2 * 0.5**2)))


def _keys(x: Any) -> Any:
    near, far = ((1.5 * x - 2.5) * x) * x + 1, ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


def _mitchell(x: Any) -> Any:
    near = (((7 * x - 12) * x) * x + 16 / 3) / 6
    far = (((-7 / 3 * x + 12) * x - 20) * x + 32 / 3) / 6
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


KERNELS: dict[str, tuple[float, Callable[[Any], Any]]] = {
    "lanczos3": (3.0, _lanczos(3.0)),
    "lanczos5": (5.0, _lanczos(5.0)),
    "gaussian": (1.5, _gauss),
    "mitchellcubic": (2.0, _mitchell),
    "bilinear": (1.0, lambda x: np.maximum(0, 1 - x)),
    "bicubic": (2.0, _keys),
}
"""By TensorFlow's names of methods: how far a kernel reaches, and its values at distances."""


def kernel_terms(method: str, old: int, new: int, antialias: bool) -> tuple[Any, Any]:
    """Return the weights and places of the elements that make up each new one, ``[terms, new]``.

    With ``antialias`` a kernel is as much wider as the image becomes smaller. Source: TensorFlow's ScaleAndTranslate.
    """
    radius, kernel = KERNELS[method]
    scale = old / new
    wide = max(scale, 1.0) if antialias else 1.0
    centers = (np.arange(new) + 0.5) * scale
    first = np.ceil(centers - radius * wide - 0.5).astype(np.int64)
    places = first + np.arange(int(np.ceil(2 * radius * wide)) + 1)[:, None]
    weights = kernel(np.abs(places + 0.5 - centers) / wide)
    weights = np.where((places >= 0) & (places < old), weights, 0.0)
    return weights / np.sum(weights, axis=0), places
