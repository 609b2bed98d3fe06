"""Moments and normalisation with given or weighted statistics, and a loss of counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.build import convert, dtype_of, shape_of
from ..graph.constants import constant
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from ..graph.shapes import compatible, text
from .array_ops import reshape, shape, size, squeeze
from .cast_ops import cast
from .creation_ops import zeros_like
from .gather_ops import gather, where
from .math_ops import (
    add,
    exp,
    greater_equal,
    less_equal,
    log,
    logical_and,
    maximum,
    multiply,
    reciprocal,
    rsqrt,
    square,
    squared_difference,
    subtract,
)
from .reduce_ops import reduce_mean, reduce_prod, reduce_sum
from .sparse_ops import convert_to_tensor

__all__ = [
    "batch_norm_with_global_normalization",
    "fused_batch_norm",
    "log_poisson_loss",
    "normalize_moments",
    "sufficient_statistics",
    "weighted_moments",
]


def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keep_dims: Any = None, name: str | None = None, keepdims: Any = None
) -> Any:
    """Return count, sum, sum of squares, and the shift: what `normalize_moments` needs."""
    keep = bool(keep_dims if keepdims is None else keepdims)
    along = list(np.atleast_1d(np.asarray(axes)).tolist())
    with name_scope(name, "sufficient_statistics", [x, shift]):
        x = convert_to_tensor(x, name="x")
        known = shape_of(x)
        if known is None or any(known[axis] is None for axis in along):
            count = reduce_prod(gather(cast(shape(x), x.dtype), along), name="count")
        else:
            count = constant(math.prod(known[axis] or 0 for axis in along), x.dtype)
        if shift is not None:
            shift = convert_to_tensor(shift, x.dtype, name="shift")
        values = x if shift is None else subtract(x, shift)
        squares = square(x) if shift is None else squared_difference(x, shift)
        sums = reduce_sum(values, along, keep, name="mean_ss"), reduce_sum(squares, along, keep, name="var_ss")
        return count, *sums, shift


def normalize_moments(counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None) -> Any:
    """Return mean and variance from count, sum and sum of squares."""
    with name_scope(name, "normalize", [counts, mean_ss, variance_ss, shift]):
        divisor = reciprocal(counts, name="divisor")
        shifted = multiply(mean_ss, divisor, name="mean" if shift is None else "shifted_mean")
        mean = shifted if shift is None else add(shifted, shift, name="mean")
        return mean, subtract(multiply(variance_ss, divisor), square(shifted), name="variance")


def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, name: str | None = None, keep_dims: Any = None, keepdims: Any = None
) -> Any:
    """Return mean and variance along axes, each element counted as often as its weight says.

    Those of half precision are computed in single precision.
    """
    keep = bool(keep_dims if keepdims is None else keepdims)
    with name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
        given = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        values = cast(given, "float32") if given.dtype.name == "float16" else given
        weights = cast(weights, values.dtype)
        total = reduce_sum(weights * values, axes, True, name="weighted_input_sum")
        divisor = reciprocal(
            reduce_sum(weights + zeros_like(values), axes, True, name="sum_of_weights"), name="inv_weight_sum"
        )
        mean = multiply(total, divisor)
        squares = reduce_sum(weights * squared_difference(values, mean), axes, True, name="weighted_distsq")
        moments = mean, multiply(squares, divisor)
        if not keep:
            moments = squeeze(moments[0], axes), squeeze(moments[1], axes)
        return cast(moments[0], given.dtype), cast(moments[1], given.dtype)


def batch_norm_with_global_normalization(
    t: Any = None,
    m: Any = None,
    v: Any = None,
    beta: Any = None,
    gamma: Any = None,
    variance_epsilon: Any = None,
    scale_after_normalization: Any = None,
    name: str | None = None,
    input: Any = None,
    mean: Any = None,
    variance: Any = None,
) -> Any:
    """Return ``(t - m) / sqrt(v + epsilon) * gamma + beta``, without gamma unless ``scale_after_normalization``."""
    del name
    x, centre, spread = (new if old is None else old for old, new in ((t, input), (m, mean), (v, variance)))
    scale = (
        rsqrt(spread + variance_epsilon) if hasattr(spread, "dtype") else rsqrt(np.float32(spread) + variance_epsilon)
    )
    scaled = (x - centre) * scale
    return (scaled * gamma if scale_after_normalization else scaled) + beta


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
    of the batch's and the rest of those given. Not in training, ``mean`` and ``variance`` are used and returned. An
    epsilon below 1.001e-5 is that. ``data_format`` is one of ``NHWC``, ``NCHW``, ``NDHWC``, ``NCDHW``: ValueError for
    another.

    Source: ``tf.nn.fused_batch_norm``.
    """
    if data_format not in ("NHWC", "NCHW", "NDHWC", "NCDHW"):
        raise ValueError(f"fused_batch_norm: data_format must be NHWC, NCHW, NDHWC or NCDHW, got {data_format}")
    if not is_training and (mean is None or variance is None):
        raise ValueError("fused_batch_norm: mean and variance must be given where is_training is False")
    others = [axis for axis, each in enumerate(data_format) if each != "C"]
    along = [1 if axis in others else -1 for axis in range(data_format.index("C"), len(data_format))]
    with name_scope(name, "FusedBatchNorm"):
        given = x if executing_eagerly() else convert(x)
        scale = convert_to_tensor(scale)
        if (sizes := shape_of(given)) is not None and len(sizes) != len(data_format):
            raise ValueError(f"Shape must be rank {len(data_format)} but is rank {len(sizes)}")
        x = cast(given, dtype_of(scale))
        mean, variance = (None if each is None else convert_to_tensor(each) for each in (mean, variance))
        average: Any = mean
        spread: Any = variance
        if is_training:
            average = reduce_mean(x, others)
            spread = reduce_mean(squared_difference(x, reshape(average, along)), others)
        scaled = rsqrt(spread + max(epsilon, 1.001e-5)) * scale
        result = (x - reshape(average, along)) * reshape(scaled, along) + reshape(offset, along)
        if is_training:
            count = cast(size(x), dtype_of(x)) / cast(size(average), dtype_of(x))
            spread = spread * (count / maximum(count - 1, 1))
            if exponential_avg_factor != 1.0:
                average = mean + exponential_avg_factor * (average - mean)
                spread = variance + exponential_avg_factor * (spread - variance)
        return cast(result, dtype_of(given)), average, spread


def log_poisson_loss(targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None) -> Any:
    """Return ``exp(log_input) - log_input * targets``, with Stirling's terms for ``compute_full_loss``."""
    with name_scope(name, "log_poisson_loss"):
        log_input = log_input if executing_eagerly() else convert(log_input)
        targets = cast(targets, dtype_of(log_input))
        if not compatible(shape_of(log_input), shape_of(targets)):
            shapes = f"{text(shape_of(log_input))} vs {text(shape_of(targets))}"
            raise ValueError(f"log_input and targets must have the same shape ({shapes})")
        result = exp(log_input) - log_input * targets
        if compute_full_loss:
            stirling = targets * log(targets) - targets + 0.5 * log(2 * math.pi * targets)
            near = logical_and(greater_equal(targets, 0), less_equal(targets, 1))
            result = result + where(near, targets * 0, stirling)
        return result
