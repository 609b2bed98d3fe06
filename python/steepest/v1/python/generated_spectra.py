"""Fourier transforms as TensorFlow's generated module has them: of tensors that are long enough, which they check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call
from ..ops import spectral_ops
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["irfft", "irfft2d", "irfft3d", "rfft", "rfft2d", "rfft3d"]


def _long_enough(axes: int, inverse: bool) -> Callable[[Any, Any], Any]:
    def check(x: Any, lengths: Any) -> Any:
        wanted = np.ravel(unwrap(lengths)).tolist()
        if inverse:
            wanted[-1] = wanted[-1] // 2 + 1
        for axis, (least, size) in enumerate(zip(wanted, x.shape[-axes:], strict=True), x.ndim - axes):
            if size < least:
                raise ValueError(f"Input dimension {axis} must have length of at least {least} but got: {size}")
        return x

    return check


def _checked(name: str, axes: int) -> Callable[..., Any]:
    transform, check = getattr(spectral_ops, name), _long_enough(axes, name.startswith("i"))

    def operation(input: Any, fft_length: Any, Treal: Any = None, Tcomplex: Any = None, name: str | None = None) -> Any:
        del Treal, Tcomplex  # the type of the input says both
        lengths = convert_to_tensor(fft_length)
        whole = call("Identity", check, (convert_to_tensor(input), lengths), shape=lambda s, _: s, same=False)
        return transform(whole, fft_length, name)

    operation.__doc__ = f"Do what `tf.signal.{name}` does. Raises InvalidArgumentError for too short a tensor."
    return operation


rfft, irfft = _checked("rfft", 1), _checked("irfft", 1)
rfft2d, irfft2d = _checked("rfft2d", 2), _checked("irfft2d", 2)
rfft3d, irfft3d = _checked("rfft3d", 3), _checked("irfft3d", 3)
