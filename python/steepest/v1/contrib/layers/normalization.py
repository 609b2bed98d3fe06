"""Layers that normalize over axes of each row: all of them, those of an image, or those of groups of channels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...graph.build import shape_of
from ...graph.scopes import variable_scope
from ...nn import batch_normalization, moments, normalize_moments, sufficient_statistics
from ...ops.array_ops import reshape, shape
from ...ops.math_ops import rsqrt
from ...ops.sparse_ops import convert_to_tensor
from ...variables.initializers import Ones, Zeros
from ..arg_scopes import add_arg_scope
from .model_variables import activated, model_variable, named
from .utils import check_data_format

__all__ = ["group_norm", "instance_norm", "layer_norm"]


def scale_and_offset(
    sizes: list[int],
    dtype: Any,
    made: tuple[bool, bool],
    start: Any,
    collections: Any,
    trainable: bool,
    regularizers: Any = None,
) -> list[Any]:
    """Return the variables ``beta`` and ``gamma``, None for one that is not made."""
    found: list[Any] = []
    penalty = regularizers or {}
    for name, first, wanted in (("beta", Zeros(), made[0]), ("gamma", Ones(), made[1])):
        begin, kept = (start or {}).get(name, first), named(collections, name)
        found.append(model_variable(name, sizes, dtype, begin, penalty.get(name), trainable, kept) if wanted else None)
    return found


def ranked(x: Any) -> list[int | None]:
    """Return the sizes of a tensor; ValueError where the number of axes is not known."""
    sizes = shape_of(x)
    if sizes is None:
        raise ValueError(f"Inputs {x.name} has undefined rank.")
    return list(sizes)


def channels_of(x: Any, data_format: str) -> tuple[int, int]:
    """Return the axis of the channels and its size. Raises ValueError for another format, or an unknown size."""
    check_data_format(data_format)
    sizes = ranked(x)
    axis = 1 if data_format == "NCHW" else len(sizes) - 1
    size = sizes[axis]
    if size is None:
        raise ValueError(f"Inputs {x.name} has undefined channels dimension {x.shape[axis : axis + 1]}.")
    return axis, size


@add_arg_scope
def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: Callable[..., Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: Any = None,
) -> Any:
    """Return the inputs, normalized over all axes from ``begin_norm_axis`` on, times ``gamma``, plus ``beta``.

    Raises ValueError for axes that are not there, or parameters of unknown size.

    Source: ``tf.contrib.layers.layer_norm``; Ba, Kiros and Hinton, 2016.
    """
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as opened:
        x = convert_to_tensor(inputs)
        dtype, rank = x.dtype.base_dtype, len(ranked(x))
        first = begin_norm_axis + rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= rank or first >= rank:
            given = f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({first})"
            raise ValueError(f"{given} must be < rank(inputs) ({rank})")
        sizes = [size for size in ranked(x)[begin_params_axis:] if size is not None]
        if len(sizes) < len(ranked(x)[begin_params_axis:]):
            what = f"shape(inputs)[{begin_params_axis}:] is not fully defined: {x.shape}"
            raise ValueError(f"Inputs {x.name}: {what}")
        beta, gamma = scale_and_offset(sizes, dtype, (center, scale), None, variables_collections, trainable)
        mean, variance = moments(x, list(range(first, rank)), keep_dims=True)
        # Half precision has no number as small as the other epsilon.
        outputs = batch_normalization(x, mean, variance, beta, gamma, 1e-3 if dtype.name == "float16" else 1e-12)
        outputs.set_shape(x.shape)
        return activated(outputs, activation_fn, outputs_collections, opened.name)


@add_arg_scope
def instance_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Any:
    """Return the inputs, each channel of each row normalized by itself, times ``gamma``, plus ``beta``.

    Raises ValueError for another ``data_format`` than NHWC and NCHW, or an unknown number of channels.

    Source: ``tf.contrib.layers.instance_norm``; Ulyanov and others, 2016.
    """
    x = convert_to_tensor(inputs)
    rank = len(ranked(x))
    with variable_scope(scope, "InstanceNorm", [x], reuse=reuse) as opened:
        axis, channels = channels_of(x, data_format)
        form = (center, scale), param_initializers, variables_collections, trainable
        beta, gamma = scale_and_offset([channels], x.dtype.base_dtype, *form)
        if axis == 1:
            along = [1, channels] + [1] * (rank - 2)
            beta, gamma = (None if each is None else reshape(each, along) for each in (beta, gamma))
        mean, variance = moments(x, [k for k in range(1, rank) if k != axis], keep_dims=True)
        outputs = batch_normalization(x, mean, variance, beta, gamma, epsilon, name="instancenorm")
        return activated(outputs, activation_fn, outputs_collections, opened.name)


@add_arg_scope
def group_norm(
    inputs: Any,
    groups: int = 32,
    channels_axis: int = -1,
    reduction_axes: Sequence[int] = (-3, -2),
    center: bool = True,
    scale: bool = True,
    epsilon: float = 1e-6,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
    mean_close_to_zero: bool = False,
) -> Any:
    """Return the inputs, groups of channels of each row normalized by themselves, times ``gamma``, plus ``beta``.

    The moments are over ``reduction_axes`` and the channels of a group. Raises ValueError for axes that are not there,
    an unknown number of channels, or a number of groups that does not divide it.

    Source: ``tf.contrib.layers.group_norm``; Wu and He, 2018.
    """
    x = convert_to_tensor(inputs)
    rank = len(ranked(x))
    if channels_axis > rank - 1:
        raise ValueError("Axis is out of bounds.")
    at = channels_axis % rank
    channels = _checked_channels(x, at, [axis + rank if axis < 0 else axis for axis in reduction_axes], groups)
    known = [shape(x)[k] if size is None else size for k, size in enumerate(ranked(x))]
    split = [groups, channels // groups]
    over = [at + 1, *(axis + 1 if axis > at else axis for axis in (each % rank for each in reduction_axes))]
    apart = reshape(x, [*known[:at], *split, *known[at + 1 :]])
    along = [1] * at + split + [1] * (rank - at - 1)
    with variable_scope(scope, "GroupNorm", [x], reuse=reuse) as opened:
        form = (center, scale), param_initializers, variables_collections, trainable
        made = scale_and_offset([channels], x.dtype.base_dtype, *form)
        beta, gamma = (None if each is None else reshape(each, along) for each in made)
        if mean_close_to_zero:
            counts, sums, squares, _ = sufficient_statistics(apart, over, keep_dims=True)
            mean, variance = normalize_moments(counts, sums, squares, shift=None)
        else:
            mean, variance = moments(apart, over, keep_dims=True)
        gain = rsqrt(variance + epsilon)
        offset = -mean * gain
        if gamma is not None:
            gain, offset = gain * gamma, offset * gamma
        outputs = reshape(apart * gain + (offset if beta is None else offset + beta), known)
        return activated(outputs, activation_fn, outputs_collections, opened.name)


def _checked_channels(x: Any, at: int, axes: list[int], groups: int) -> int:
    sizes = ranked(x)
    channels = sizes[at]
    if channels is None:
        raise ValueError(f"Inputs {x.name} has undefined channel dimension: {at}.")
    for axis in axes:
        if not 0 <= axis < len(sizes):
            raise ValueError("Axis is out of bounds.")
        if sizes[axis] is None:
            raise ValueError(f"Inputs {x.name} has undefined dimensions {axis}.")
        if axis == at:
            raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    if groups > channels:
        raise ValueError(f"Invalid groups {groups} for {channels} channels.")
    if channels % groups:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups.")
    return channels
