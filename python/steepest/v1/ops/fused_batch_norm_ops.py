"""Batch normalization of images as one operation, and its slopes, as TensorFlow's kernels compute them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call, dtype_of
from ..graph.constants import constant
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from .root_ops import inverse_root
from .sparse_ops import convert_to_tensor

__all__ = ["Layout", "batch_norm_slopes", "check_count", "fused_batch_norm", "fused_batch_norm_v3"]

_LAYOUTS = ("NHWC", "NCHW", "NDHWC", "NCDHW")
_TYPES = {"x": ("float16", "bfloat16", "float32"), "scale": ("bfloat16", "float32")}


class FusedBatchNormV3(NamedTuple):
    """What the operation returns: images, the averages that go on, and what its slopes need."""

    y: Any
    batch_mean: Any
    batch_variance: Any
    reserve_space_1: Any
    reserve_space_2: Any
    reserve_space_3: Any


class Layout:
    """Where the channels of images are: in ``NHWC`` they are the last axis, in ``NCHW`` the second."""

    def __init__(self, op_type: str, data_format: Any) -> None:
        name = data_format.decode() if isinstance(data_format, bytes) else data_format
        if name not in _LAYOUTS:
            known = ", ".join(f'"{each}"' for each in _LAYOUTS)
            raise ValueError(f"Attr 'data_format' of '{op_type}' Op passed string {name!r} not in: {known}.")
        self.name, self.rank, self.axis = name, len(name), name.index("C")
        self.others = tuple(axis for axis in range(self.rank) if axis != self.axis)

    def along(self, value: Any) -> Any:
        """Return a value of each channel, or of the sum over the rest, so that it broadcasts with images."""
        return np.reshape(value, (-1, *(1,) * (self.rank - 1 - self.axis)))

    def sum(self, value: Any) -> Any:
        """Return the sum over all axes but the channels."""
        return np.sum(value, axis=self.others)

    def check(self, images: Any, parts: dict[str, Any]) -> int:
        """Return the number of channels. Raises InvalidArgumentError for other ranks."""
        if images.ndim != self.rank:
            raise _refused(f"input must be {self.rank}-dimensional{bracketed(images.shape)}")
        for name, part in parts.items():
            if part.ndim != 1:
                raise _refused(f"{name} must be 1-dimensional{bracketed(part.shape)}")
        return int(images.shape[self.axis])

    def shapes(self, x: Any, *parts: Any) -> tuple[Any, Any]:
        """Return the static shapes of the images and of a value of each channel, as far as any input tells them."""
        if x is not None and len(x) != self.rank:
            raise ValueError(f"Shape must be rank {self.rank} but is rank {len(x)}")
        sizes = [None] * self.rank if x is None else list(x)
        for part in parts:
            if part is None:
                continue
            if len(part) != 1:
                raise ValueError(f"Shape must be rank 1 but is rank {len(part)}")
            if None not in (sizes[self.axis], part[0]) and sizes[self.axis] != part[0]:
                raise ValueError(f"Dimensions must be equal, but are {sizes[self.axis]} and {part[0]}")
            sizes[self.axis] = part[0] if sizes[self.axis] is None else sizes[self.axis]
        return tuple(sizes), (sizes[self.axis],)


def _refused(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def check_count(name: str, value: Any, channels: int) -> None:
    if value.size != channels:
        of = "must have the same number of elements as the channels of x"
        raise _refused(f"{name} {of}, got {value.size} and {channels}")


def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
    exponential_avg_factor: float = 1.0,
) -> Any:
    """Return the batch normalised over all axes but the channels, and the mean and variance of the batch.

    The variance that is returned is unbiased; with an ``exponential_avg_factor`` below 1 it and the mean are that part
    of the batch's and the rest of those given. Not in training, ``mean`` and ``variance`` are used and returned.
    Gradients flow to the images, ``scale`` and ``offset``, and only from the normalised batch.

    Args:
        x: images of float16, bfloat16 or float32; the channels are where ``data_format`` says.
        scale, offset, mean, variance: one number of float32 for each channel.
        data_format: one of ``NHWC``, ``NCHW``, ``NDHWC``, ``NCDHW``.

    Raises:
        ValueError: for another layout, for shapes that do not fit, and where mean and variance are needed but missing.
        TypeError: for other element types.

    Source: ``tf.nn.fused_batch_norm``; Ioffe and Szegedy, 2015.
    """
    if (not is_training or exponential_avg_factor != 1.0) and (mean is None or variance is None):
        raise ValueError(
            "Both `mean` and `variance` must be a 1D tensor when `is_training` is False or `exponential_avg_factor` "
            f"!= 1.0. Received: `mean` {mean!r} and `variance` {variance!r}"
        )
    x, scale = convert_to_tensor(x, name="input"), convert_to_tensor(scale, name="scale")
    offset = convert_to_tensor(offset, name="offset")
    mean, variance = (constant([], "float32") if each is None else each for each in (mean, variance))
    form = epsilon, exponential_avg_factor, data_format, is_training, name
    return tuple(fused_batch_norm_v3(x, scale, offset, mean, variance, *form))[:3]


def fused_batch_norm_v3(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    epsilon: float = 0.0001,
    exponential_avg_factor: float = 1.0,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
    op_type: str = "FusedBatchNormV3",
) -> Any:
    """Return the results of `fused_batch_norm`, then the mean and the biased variance that its slopes need."""
    layout = Layout(op_type, data_format)
    within = f"{name or op_type}/"
    x, scale = convert_to_tensor(x, name=f"{within}x"), convert_to_tensor(scale, name=f"{within}scale")
    types = dtype_of(x), dtype_of(scale)
    for what, dtype in zip(("x", "scale"), types, strict=True):
        if dtype.name not in _TYPES[what]:
            _refuse_type(op_type, what, dtype)
    named = (offset, "offset"), (mean, "mean"), (variance, "variance")
    others = [convert_to_tensor(each, types[1], f"{within}{what}") for each, what in named]
    uses_averages = not is_training or exponential_avg_factor != 1.0
    why = "When is_training=false" if not is_training else "When exponential_avg_factor != 1"

    def normalized(images: Any, factor: Any, shift: Any, centre: Any, spread: Any) -> Any:
        centre, spread = array_of(centre), array_of(spread)
        parts = {"scale": factor, "offset": shift, "estimated_mean": centre, "estimated_variance": spread}
        channels = layout.check(images, parts)
        check_count("scale", factor, channels)
        check_count("offset", shift, channels)
        if uses_averages:
            check_count(f"{why}, mean", centre, channels)
            check_count(f"{why}, variance", spread, channels)
        wide = images.astype(factor.dtype)
        if is_training:
            with np.errstate(all="ignore"):  # of no images there is no mean
                count = factor.dtype.type(images.size / channels if channels else 0)
                average = layout.sum(wide) / count
                apart = wide - layout.along(average)
                variance = layout.sum(np.square(apart)) / count
                saved = array_of(average), array_of(variance)
                unbiased = saved[1] * (count / max(count - 1, factor.dtype.type(1)))
            moved = [
                new if exponential_avg_factor == 1.0 else _moved(old, new, exponential_avg_factor)
                for old, new in ((centre, saved[0]), (spread, unbiased))
            ]
        else:
            apart, variance, saved, moved = wide - layout.along(centre), spread, (centre, spread), [centre, spread]
        scaled = inverse_root(variance + factor.dtype.type(epsilon)) * factor
        y = apart * layout.along(scaled) + layout.along(shift)
        return (y.astype(images.dtype), *moved, *saved, np.zeros(0, factor.dtype))

    def shapes(images: Any, factor: Any, shift: Any, *averages: Any) -> Any:
        whole, row = layout.shapes(images, factor, shift, *(averages if uses_averages else ()))
        return [whole, row, row, row, row, None]

    result = call(
        op_type,
        normalized,
        (x, scale, *others),
        name=name,
        shape=shapes,
        dtype=[types[0], *[types[1]] * 5],
        outputs=6,
        same=False,
        attributes={
            "epsilon": float(np.float32(epsilon)),
            "exponential_avg_factor": float(exponential_avg_factor),
            "data_format": layout.name.encode(),
            "is_training": bool(is_training),
            "U": types[1],
        },
    )
    return FusedBatchNormV3(*result)


def _moved(old: Any, new: Any, factor: float) -> Any:
    by = new.dtype.type(factor)
    return (new.dtype.type(1) - by) * old + by * new


def _refuse_type(op_type: str, what: str, dtype: Any) -> None:
    """Raise what TensorFlow raises for an element type: TypeError in a graph, InvalidArgumentError in eager mode."""
    names = ", ".join(_TYPES[what])
    allowed = f"not in list of allowed values: {names}"
    if executing_eagerly():
        attr = "T" if what == "x" else "U"
        raise _refused(f"{op_type}: Value for attr '{attr}' of {dtype.name} is {allowed}")
    raise TypeError(f"Value passed to parameter '{what}' has DataType {dtype.name} {allowed}")


def batch_norm_slopes(
    g: Any, x: Any, scale: Any, mean: Any, variance: Any, epsilon: float, layout: Layout, is_training: bool
) -> Any:
    """Return the slopes by images, scales and offsets, of which ``g`` is the slope by the normalised batch.

    The mean and the biased variance are those by which was normalised; in training they are the batch's.
    """
    count = scale.dtype.type(math.prod(x.shape[axis] for axis in layout.others))
    g, wide = g.astype(scale.dtype), x.astype(scale.dtype)
    apart = wide - layout.along(mean)
    inverse = inverse_root(variance + scale.dtype.type(epsilon))
    by_offset, moment = layout.sum(g), layout.sum(g * apart)
    slope = g
    if is_training:
        slope = g - layout.along(by_offset / count) - apart * layout.along(np.square(inverse) * moment / count)
    return (slope * layout.along(scale * inverse)).astype(x.dtype), moment * inverse, by_offset
