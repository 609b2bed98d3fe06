"""Batch normalization of images as TensorFlow's generated modules have it: three forms, and three of its slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call, dtype_of
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from ..ops.fused_batch_norm_ops import Layout, batch_norm_slopes, check_count, fused_batch_norm_v3
from ..ops.sparse_ops import convert_to_tensor

__all__ = [
    "_BatchNormGrad",
    "_fused_batch_norm",
    "fused_batch_norm_grad",
    "fused_batch_norm_grad_v2",
    "fused_batch_norm_grad_v3",
    "fused_batch_norm_v2",
    "fused_batch_norm_v3",
]


class FusedBatchNorm(NamedTuple):
    """What a batch normalization returns."""

    y: Any
    batch_mean: Any
    batch_variance: Any
    reserve_space_1: Any
    reserve_space_2: Any


class FusedBatchNormGrad(NamedTuple):
    """The slopes of a batch normalization, and two results without meaning."""

    x_backprop: Any
    scale_backprop: Any
    offset_backprop: Any
    reserve_space_3: Any
    reserve_space_4: Any


class FusedBatchNormGradV3(NamedTuple):
    """The slopes of a batch normalization, and two results without meaning."""

    x_backprop: Any
    scale_backprop: Any
    offset_backprop: Any
    reserve_space_4: Any
    reserve_space_5: Any


def _form(op_type: str) -> Callable[..., FusedBatchNorm]:
    def normalized(
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
    ) -> FusedBatchNorm:
        """Return the results of `tf.nn.fused_batch_norm`, and the mean and the biased variance for the slopes."""
        inputs = x, scale, offset, mean, variance
        form = epsilon, exponential_avg_factor, data_format, is_training, name
        return FusedBatchNorm(*fused_batch_norm_v3(*inputs, *form, op_type=op_type)[:5])

    return normalized


_fused_batch_norm, fused_batch_norm_v2 = _form("FusedBatchNorm"), _form("FusedBatchNormV2")


def _slopes(op_type: str, inputs: Any, epsilon: float, data_format: Any, is_training: bool, name: Any) -> Any:
    """Return the operation that gives the slopes by images, scales and offsets, and two zeros."""
    layout = Layout(op_type, data_format)
    given = [convert_to_tensor(value) for value in inputs]
    types = dtype_of(given[1]), dtype_of(given[2])

    def slopes(g: Any, x: Any, scale: Any, mean: Any, variance: Any, *rest: Any) -> Any:
        mean, variance = array_of(mean), array_of(variance)
        layout.check(g, {})
        parts = {"scale": scale, "saved mean": mean, "saved variance": variance}
        channels = layout.check(x, parts)
        if g.shape != x.shape:
            shapes = f"x has shape {bracketed(x.shape)} and y_backprop has shape {bracketed(g.shape)}"
            raise InvalidArgumentError(None, None, f"x and y_backprop must have same shape, but {shapes}")
        for what, part in zip(("scale", "reserve_space_1", "reserve_space_2"), parts.values(), strict=True):
            check_count(what, part, channels)
        found = batch_norm_slopes(g, x, scale, mean, variance, epsilon, layout, is_training)
        return (*found, *(np.zeros((), scale.dtype),) * 2)

    def shapes(g: Any, x: Any, *parts: Any) -> Any:
        layout.shapes(g)
        whole, row = layout.shapes(x, *parts[:3])
        return [whole, row, row, None, None]

    form: dict[str, Any] = {"dtype": [types[0], *[types[1]] * 4], "outputs": 5, "same": False, "name": name}
    return call(op_type, slopes, given, shape=shapes, **form)


def _slopes_form(op_type: str) -> Callable[..., FusedBatchNormGrad]:
    def slopes(
        y_backprop: Any,
        x: Any,
        scale: Any,
        reserve_space_1: Any,
        reserve_space_2: Any,
        epsilon: float = 0.0001,
        data_format: str = "NHWC",
        is_training: bool = True,
        name: str | None = None,
    ) -> FusedBatchNormGrad:
        """Return the slopes of a batch normalization by the mean and the variance that it gave for them."""
        inputs = y_backprop, x, scale, reserve_space_1, reserve_space_2
        return FusedBatchNormGrad(*_slopes(op_type, inputs, epsilon, data_format, is_training, name))

    return slopes


fused_batch_norm_grad, fused_batch_norm_grad_v2 = (
    _slopes_form("FusedBatchNormGrad"),
    _slopes_form("FusedBatchNormGradV2"),
)


def fused_batch_norm_grad_v3(
    y_backprop: Any,
    x: Any,
    scale: Any,
    reserve_space_1: Any,
    reserve_space_2: Any,
    reserve_space_3: Any,
    epsilon: float = 0.0001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
) -> FusedBatchNormGradV3:
    """Return what `fused_batch_norm_grad` returns; the last input has no meaning here."""
    inputs = y_backprop, x, scale, reserve_space_1, reserve_space_2, reserve_space_3
    return FusedBatchNormGradV3(*_slopes("FusedBatchNormGradV3", inputs, epsilon, data_format, is_training, name))


def _BatchNormGrad(
    grad_y: Any,
    x: Any,
    scale: Any,
    pop_mean: Any,
    pop_var: Any,
    epsilon: float,
    data_format: Any,
    is_training: bool = True,
) -> Any:
    """Return the slopes by images, scales and offsets; in training by the moments of the images themselves."""
    if is_training:
        row = np.zeros(0, np.float32)
        normalized = fused_batch_norm_v3(x, scale, scale, row, row, epsilon, data_format=data_format)
        pop_mean, pop_var = normalized.reserve_space_1, normalized.reserve_space_2
    inputs = grad_y, x, scale, pop_mean, pop_var
    return tuple(fused_batch_norm_grad_v2(*inputs, epsilon, data_format, is_training))[:3]
