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
from .array_ops import shape, squeeze
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
    multiply,
    reciprocal,
    rsqrt,
    square,
    squared_difference,
    subtract,
)
from .quotient_ops import div_no_nan
from .reduce_ops import reduce_prod, reduce_sum
from .sparse_ops import convert_to_tensor

__all__ = [
    "batch_norm_with_global_normalization",
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

    Those of half precision are computed in single precision. Where the weights sum to 0 both are 0.
    """
    keep = bool(keep_dims if keepdims is None else keepdims)
    with name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
        given = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        values = cast(given, "float32") if given.dtype.name == "float16" else given
        weights = cast(weights, values.dtype)
        total = reduce_sum(weights * values, axes, True, name="weighted_input_sum")
        divisor = reduce_sum(weights + zeros_like(values), axes, True, name="sum_of_weights")
        mean = div_no_nan(total, divisor)
        squares = reduce_sum(weights * squared_difference(values, mean), axes, True, name="weighted_distsq")
        moments = mean, div_no_nan(squares, divisor)
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
