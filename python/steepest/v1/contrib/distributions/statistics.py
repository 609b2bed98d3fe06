"""Statistics of samples, averages over time of means and variances, and the normal distribution's own prior."""

from __future__ import annotations

from typing import Any

from ...distributions.checks import checked
from ...distributions.distribution import Distribution
from ...distributions.location_scale import Normal
from ...graph.build import dtype_of, shape_of
from ...graph.scopes import control_dependencies, name_scope, variable_scope
from ...graph.shapes import TensorShape
from ...graph.static_values import constant_value
from ...ops.array_ops import expand_dims, reshape, shape, transpose
from ...ops.cast_ops import cast
from ...ops.clip_ops import clip_by_value
from ...ops.compare_checks import assert_greater_equal, assert_less_equal
from ...ops.concat_ops import concat, stack
from ...ops.creation_ops import zeros_like
from ...ops.math_ops import ceil, floor, log, log1p, rsqrt, sqrt, square
from ...ops.math_ops import round as _round
from ...ops.reduce_ops import reduce_logsumexp
from ...ops.sort_ops import sort
from ...ops.sparse_ops import convert_to_tensor
from ...variables.get_variable import get_variable
from ...variables.initializers import Zeros
from ...variables.state_ops import assign_add

__all__ = [
    "assign_log_moving_mean_exp",
    "assign_moving_mean_variance",
    "moving_mean_variance",
    "normal_conjugates_known_scale_posterior",
    "normal_conjugates_known_scale_predictive",
    "percentile",
]

_ROUNDING = {"lower": ceil, "higher": floor, "nearest": _round}  # positions are counted from the largest down


def percentile(
    x: Any,
    q: Any,
    axis: Any = None,
    interpolation: str | None = None,
    keep_dims: bool = False,
    validate_args: bool = False,
    name: str | None = None,
) -> Any:
    """Return the element that ``q`` per cent of the elements do not exceed.

    Args:
        x: numbers.
        q: a number from 0 to 100.
        axis: the axes whose elements are one sample; all of them where it is None.
        interpolation: "nearest" (the default), "lower" or "higher", where q lies between two elements.
        keep_dims: whether these axes stay, with size 1.
        validate_args: whether q is checked when a session runs.

    Raises:
        ValueError: for another interpolation, or an axis that is not known before a run.

    Source: ``tf.contrib.distributions.percentile``.
    """
    if interpolation is not None and interpolation not in _ROUNDING:
        raise ValueError(f"Argument 'interpolation' must be in {sorted(_ROUNDING)}.  Found {interpolation}")
    with name_scope(name, "percentile"):
        x = convert_to_tensor(x, name="x")
        share = cast(q, "float64")
        share = checked(
            share, validate_args, lambda: [assert_greater_equal(share, 0.0), assert_less_equal(share, 100.0)]
        )
        rows, axes = _samples_last(x, axis)
        count = shape(rows)[-1]
        from_largest = _ROUNDING[interpolation or "nearest"]((cast(count, "float64") - 1.0) * (1.0 - share / 100.0))
        place = clip_by_value(cast(from_largest, "int32"), 0, count - 1)
        found = sort(rows, -1, "DESCENDING")[..., place]
        found.set_shape(TensorShape(shape_of(rows))[:-1])
        if keep_dims:
            for each in range(len(shape_of(x) or ())) if axes is None else sorted(axes):
                found = expand_dims(found, each)
        return found


def _samples_last(x: Any, axis: Any) -> tuple[Any, list[int] | None]:
    """Return x with its samples along the last axis, and the axes that they were along."""
    if axis is None:
        return reshape(x, [-1]), None
    known, axes = shape_of(x), constant_value(convert_to_tensor(axis))
    if axes is None or known is None:
        raise ValueError(f"Expected argument 'axis' to be statically available.  Found: {axis}")
    chosen = sorted(int(each) % len(known) for each in axes.reshape(-1))
    rest = [k for k in range(len(known)) if k not in chosen]
    moved = transpose(x, rest + chosen)
    return reshape(moved, concat([shape(moved)[: len(rest)], [-1]], 0)), chosen


def assign_moving_mean_variance(
    mean_var: Any, variance_var: Any, value: Any, decay: Any, name: str | None = None
) -> tuple[Any, Any]:
    """Return the tensors that move a mean and a variance towards those of ``value``.

    With d the distance of ``value`` from the mean before, ``mean += (1 - decay) * d`` and
    ``variance = decay * (variance + (1 - decay) * d ** 2)``.

    Source: ``tf.contrib.distributions.assign_moving_mean_variance`` (Finch, 2009).
    """
    with name_scope(name, "assign_moving_mean_variance"):
        value = convert_to_tensor(value)
        rate = 1.0 - convert_to_tensor(decay, dtype_of(value))
        apart = value - mean_var
        moved = rate * ((1.0 - rate) * square(apart) - variance_var)
        with control_dependencies([apart, moved]):  # both are taken from the mean before
            return assign_add(mean_var, rate * apart), assign_add(variance_var, moved)


def assign_log_moving_mean_exp(log_mean_exp_var: Any, log_value: Any, decay: Any, name: str | None = None) -> Any:
    """Let a variable that is the logarithm of a moving mean take a new value's logarithm in; return what it is then.

    The variable is ``log(decay exp(variable) + (1 - decay) exp(log_value))`` then. Raises TypeError for a variable that
    is not of floating point.

    Source: ``tf.contrib.distributions.assign_log_moving_mean_exp``.
    """
    with name_scope(name, "assign_log_moving_mean_exp"):
        dtype = log_mean_exp_var.dtype.base_dtype
        if not dtype.is_floating:
            raise TypeError(f"log_mean_exp_var.base_dtype({dtype.name}) does not have float type `dtype`.")
        apart = convert_to_tensor(log_value, dtype) - log_mean_exp_var
        share = convert_to_tensor(decay, dtype)
        both = stack([log(share) + zeros_like(apart), apart + log1p(-share)])
        return assign_add(log_mean_exp_var, reduce_logsumexp(both, 0))


def moving_mean_variance(value: Any, decay: Any, collections: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """Return variables of a moving mean and variance, and the tensors that move them, as `assign_moving_mean_variance`.

    Source: ``tf.contrib.distributions.moving_mean_variance``.
    """
    with variable_scope(name, "moving_mean_variance"):
        value = convert_to_tensor(value)
        mean, variance = (
            get_variable(label, shape_of(value), dtype_of(value), Zeros(), None, False, collections)
            for label in ("moving_mean", "moving_variance")
        )
        return assign_moving_mean_variance(mean, variance, value, decay)


def _normal(prior: Distribution) -> Distribution:
    if not isinstance(prior, Normal):
        raise TypeError("Expected prior to be an instance of type Normal")
    return prior


def normal_conjugates_known_scale_posterior(prior: Any, scale: Any, s: Any, n: Any) -> Normal:
    """Return what is known of a normal distribution's mean, after ``n`` samples of the sum ``s``.

    Args:
        prior: the `Normal` that was known of the mean before.
        scale: the standard deviation of the samples.
        s, n: their sum and their number.

    Raises TypeError for a prior that is no `Normal`, or a sum of another type.

    Source: ``tf.contrib.distributions.normal_conjugates_known_scale_posterior``.
    """
    _normal(prior)
    s = convert_to_tensor(s)
    if s.dtype != prior.dtype:
        raise TypeError(f"Observation sum s.dtype does not match prior dtype: {s.dtype} vs. {prior.dtype}")
    count = cast(n, prior.dtype)
    before, each = square(prior.scale), square(convert_to_tensor(scale, prior.dtype))
    precision = 1.0 / before + count / each
    return Normal((prior.loc / before + s / each) / precision, rsqrt(precision))


def normal_conjugates_known_scale_predictive(prior: Any, scale: Any, s: Any, n: Any) -> Normal:
    """Return the distribution of the next sample; see `normal_conjugates_known_scale_posterior`."""
    mean = normal_conjugates_known_scale_posterior(prior, scale, s, n)
    return Normal(mean.loc, sqrt(square(mean.scale) + square(convert_to_tensor(scale, prior.dtype))))
