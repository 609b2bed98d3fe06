"""The kernels by which images get another size: Lanczos, Gauss, Mitchell, and wide triangles and Keys' cubics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from .image_geometry_ops import with_ndim, with_size
from .image_resize_ops import weighted
from .sparse_ops import convert_to_tensor

__all__ = ["KERNELS", "kernel_terms", "scale_and_translate"]


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


def _box(x: Any) -> Any:
    return np.where(x < 0.5, 1.0, np.where(x == 0.5, 0.5, 0.0))


def _triangle(x: Any) -> Any:
    return np.maximum(0, 1 - x)


KERNELS: dict[str, tuple[float, Callable[[Any], Any]]] = {
    "lanczos1": (1.0, _lanczos(1.0)),
    "lanczos3": (3.0, _lanczos(3.0)),
    "lanczos5": (5.0, _lanczos(5.0)),
    "gaussian": (1.5, _gauss),
    "mitchellcubic": (2.0, _mitchell),
    "triangle": (1.0, _triangle),
    "keyscubic": (2.0, _keys),
    "box": (1.0, _box),
}
"""By TensorFlow's names of methods: how far a kernel reaches, and its values at distances."""


def kernel_terms(
    method: str, old: int, new: int, antialias: bool, scale: float | None = None, shift: float = 0.0
) -> tuple[Any, Any]:
    """Return the weights and places of the elements that make up each new one, ``[terms, new]``.

    With ``antialias`` a kernel is as much wider as the image becomes smaller. ``scale`` is how much larger it becomes,
    ``new / old`` by default, and ``shift`` by how many new elements it moves then; what has no old element is zero.
    Source: TensorFlow's ScaleAndTranslate.
    """
    radius, kernel = KERNELS[method]
    # In TensorFlow's order and with its rounding: a box has another value where the distance is half an element.
    step = np.float32(1 / np.float32(new / old if scale is None else scale))
    wide = np.maximum(step, np.float32(1)) if antialias else np.float32(1)
    centers = (np.arange(new, dtype=np.float32) + np.float32(0.5)) * step - step * np.float32(shift)
    first = np.ceil(centers - np.float32(radius) * wide - np.float32(0.5)).astype(np.int64)
    places = first + np.arange(int(np.ceil(2 * radius * wide)) + 1)[:, None]
    weights = kernel(np.abs((places.astype(np.float32) + np.float32(0.5) - centers) * (1 / wide)))
    there = (places >= 0) & (places < old) & (centers >= 0) & (centers <= old)
    weights = np.where(there, weights, 0.0)
    total = np.sum(weights, axis=0)
    return weights / np.where(total == 0, 1, total), places


def scale_and_translate(
    images: Any,
    size: Any,
    scale: Any,
    translation: Any,
    kernel_type: str = "lanczos3",
    antialias: bool = True,
    name: str | None = None,
) -> Any:
    """Return images [batch, height, width, channels] of another size, as float32, scaled and then moved.

    Args:
        size: the new height and width.
        scale, translation: by how much the rows and columns become larger, and by how many new ones they move; what
            comes from outside of the image is zero.
        kernel_type: ``"lanczos1"``, ``"lanczos3"``, ``"lanczos5"``, ``"gaussian"``, ``"box"``, ``"triangle"``,
            ``"keyscubic"`` or ``"mitchellcubic"``.
        antialias: make the kernel as much wider as the image becomes smaller.

    Raises ValueError for other kernels. Source: TensorFlow's internal ``image_ops.scale_and_translate``.
    """
    if kernel_type not in KERNELS:
        raise ValueError(f"Unrecognized kernel type: {kernel_type!r}")

    def made(x: Any, sizes: Any, scales: Any, moves: Any) -> Any:
        new, factors, shifts = (array_of(each).tolist() for each in (sizes, scales, moves))
        if min(new) <= 0:
            raise ValueError("output dimensions must be positive")
        if min(factors) <= 0:
            raise ValueError("Scale must be greater than zero.")
        x = x.astype(np.float32)
        for axis, count, factor, shift in zip((-3, -2), new, factors, shifts, strict=True):
            x = weighted(x, axis, *kernel_terms(kernel_type, x.shape[axis], count, antialias, factor, shift))
        return x

    def shape_fn(shape: Any, *_: Any) -> Any:
        known = constant_value(inputs[1])
        sizes = (None, None) if known is None else known.tolist()
        return (None, *sizes, None) if shape is None else with_size(with_ndim(shape, (4,)), *sizes)

    inputs = [convert_to_tensor(images), convert_to_tensor(size, "int32")]
    inputs += [convert_to_tensor(each, "float32") for each in (scale, translation)]
    for each in inputs[1:]:
        if each.shape.ndims not in (None, 1) or each.shape.num_elements() not in (None, 2):
            raise ValueError(f"scale_and_translate: size, scale and translation have 2 elements each, got {each.shape}")
    return call("ScaleAndTranslate", made, inputs, name=name, shape=shape_fn, dtype="float32", same=False)
