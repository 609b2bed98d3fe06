"""Reductions, cumulative sums, segments, and the search for the largest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.exceptions import AxisError

from ... import nn as _nn
from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive, also_complex
from ..graph import shape_inference
from ..graph.arguments import as_axes, as_axis, call_with
from ..graph.bound_names import name_functions
from ..graph.build import REAL
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.node import Tensor
from ..graph.type_constraints import position_type
from .division_ops import divided_safely, truncated

__all__ = [
    "argmax",
    "argmin",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
]


def reduced(
    op_type: str, function: Any, x: Any, options: Any, name: str | None, dtype: Any = None, flows: bool = True
) -> Any:
    axis, keepdims, indices, old = options
    if old is not None and keepdims is not None:
        raise ValueError("Cannot specify both 'keep_dims' and 'keepdims'.")
    keep = bool(old if keepdims is None else keepdims)

    def computed(axes: Any, value: Any) -> Any:
        if not value.ndim and axes is not None:
            shape_inference.axes_of(axes, 0)  # raises: NumPy would accept an axis of a scalar
        if isinstance(axes, tuple):
            axes = shape_inference.axes_of(axes, value.ndim)
            if twice := [axis for k, axis in enumerate(axes, 1) if axis in axes[k:]]:
                raise ValueError(f"Invalid reduction arguments: Axes contains duplicate dimension: {twice[0]}")
        if value.dtype.kind == "V":  # bfloat16, whose sums would lose what they add up
            found = function(value.astype(np.float32), axes, keep)
            return found.astype(value.dtype) if dtype in (None, REAL) else found
        try:
            return function(value, axes, keep)
        except AxisError:
            shape_inference.axes_of(axes, value.ndim)  # says it in TensorFlow's words
            raise

    return call_with(
        op_type,
        [(indices if axis is None else axis, as_axes)],
        computed,
        (x,),
        shape=shape_inference.reduced(keep),
        name=name,
        dtype=dtype,
        differentiable=flows,
    )


def _in_own_type(function: Any) -> Any:
    """Return NumPy's sum or product, but without its widening of small integers, as in TensorFlow."""

    def reduce(x: Any, axis: Any, keepdims: bool) -> Any:
        if x.dtype.kind in "fc":
            return function(x, axis=axis, keepdims=keepdims)
        return function(unwrap(x), axis=axis, keepdims=keepdims, dtype=x.dtype)

    return reduce


_sum = _in_own_type(np.sum)
_prod = _in_own_type(np.prod)


def _mean(x: Any, axis: Any, keepdims: bool) -> Any:
    if x.dtype.kind in "iu":
        small = x.dtype.itemsize < 4  # TensorFlow's means of small integers do not overflow
        wide = (np.int64 if small else x.dtype) if x.dtype.kind == "i" else np.uint64
        total = np.sum(unwrap(x), axis=axis, keepdims=keepdims, dtype=wide)
        return truncated(total, total.dtype.type(max(x.size // max(total.size, 1), 1))).astype(x.dtype)
    if not x.size:
        total = _sum(x, axis, keepdims)
        return total / x.dtype.type(x.size // max(total.size, 1))
    return np.mean(x, axis=axis, keepdims=keepdims)


def _logsumexp(x: Any, axis: Any, keepdims: bool) -> Any:
    return _nn.logsumexp(x, axis, keepdims)


def _extreme(function: Any, worst: float) -> Any:
    """Let the largest (smallest) of no elements be the smallest (largest) number, as in TensorFlow."""

    def reduce(x: Any, axis: Any, keepdims: bool) -> Any:
        if x.size:
            return function(x, axis=axis, keepdims=keepdims)
        limits: Any = None if x.dtype.kind == "f" else np.iinfo(x.dtype)
        start = worst if limits is None else limits.min if worst < 0 else limits.max
        return function(unwrap(x), axis=axis, keepdims=keepdims, initial=start)

    return reduce


def _variance(x: Any, axis: Any, keepdims: bool) -> Any:
    distances = x - np.mean(x, axis=axis, keepdims=True)
    squares = np.square(np.absolute(distances) if x.dtype.kind == "c" else distances)
    return np.mean(squares, axis=axis, keepdims=keepdims)


def _deviation(x: Any, axis: Any, keepdims: bool) -> Any:
    return np.sqrt(_variance(x, axis, keepdims))


def length_of(x: Any, axis: Any, keepdims: bool) -> Any:
    squares = x * np.conjugate(x) if x.dtype.kind == "c" else np.square(x)
    length = np.sqrt(np.sum(squares, axis=axis, keepdims=keepdims))
    return length if x.dtype.kind in "fc" else length.astype(x.dtype)


def _truth(function: Any) -> Any:
    """Return NumPy's all or any, which no tape records."""
    return lambda x, axis, keepdims: function(unwrap(x), axis=axis, keepdims=keepdims)


def _reduction(op_type: str, function: Any, text: str, dtype: Any = None, flows: bool = True) -> Any:
    def operation(
        input_tensor: Any,
        axis: Any = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: bool | None = None,
    ) -> Any:
        if axis is not None and reduction_indices is not None:
            raise ValueError("Cannot specify both 'reduction_indices' and 'axis'.")
        options = (axis, keepdims, reduction_indices, keep_dims)
        if dtype == "bool" and isinstance(input_tensor, (list, tuple)) and not input_tensor:
            input_tensor = np.zeros(0, np.bool_)  # a list without elements is of no type
        return reduced(op_type, function, input_tensor, options, name, dtype, flows)

    operation.__doc__ = f"{text} along ``axis``, by default over all elements; ``keepdims`` keeps axes of size 1."
    return operation


reduce_sum = _reduction("Sum", _sum, "Return the sum")
reduce_mean = _reduction("Mean", _mean, "Return the mean")
reduce_prod = _reduction("Prod", _prod, "Return the product")
largest = _extreme(np.max, -np.inf)
reduce_max = _reduction("Max", largest, "Return the largest element")
reduce_min = _reduction("Min", _extreme(np.min, np.inf), "Return the smallest element")
reduce_variance = _reduction("Variance", _variance, "Return the mean squared distance from the mean", REAL)
reduce_std = _reduction("Std", _deviation, "Return the standard deviation", REAL)
reduce_euclidean_norm = _reduction("EuclideanNorm", length_of, "Return the root of the sum of squares")
reduce_all = _reduction("All", _truth(np.all), "Tell whether all elements are true", "bool", False)
reduce_any = _reduction("Any", _truth(np.any), "Tell whether an element is true", "bool", False)
reduce_logsumexp = _reduction("LogSumExp", _logsumexp, "Return ``log(sum(exp(x)))``")


def count_nonzero(
    input_tensor: Any = None,
    axis: Any = None,
    keepdims: bool | None = None,
    dtype: Any = "int64",
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
    input: Any = None,
) -> Any:
    """Return how many elements are not zero along ``axis``."""
    dtype = as_dtype(dtype)
    counted = input if input_tensor is None else input_tensor

    def count(x: Any, along: Any, keepdims: bool) -> Any:
        return np.asarray(np.count_nonzero(unwrap(x), axis=along, keepdims=keepdims)).astype(dtype.dtype)

    return reduced("CountNonzero", count, counted, (axis, keepdims, reduction_indices, keep_dims), name, dtype, False)


def _position(function: Any, x: Any, axis: int) -> Any:
    """Return where the outermost element is; NaNs are passed over, as in TensorFlow, NumPy would return the first."""
    if x.ndim and not x.shape[axis]:
        raise ValueError(f"Reduction axis {axis} is empty in shape {list(x.shape)}")
    found = function(x, axis=axis)
    if x.dtype.kind == "f" and x.ndim and np.isnan(np.take_along_axis(x, np.expand_dims(found, axis), axis)).any():
        last = -np.inf if function is np.argmax else np.inf
        return function(np.where(np.isnan(x), x.dtype.type(last), x), axis=axis)
    return found


def _arg(op_type: str, function: Any, input: Any, axis: Any, dimension: Any, output_type: Any, name: str | None) -> Any:
    out = position_type(op_type, output_type)
    if axis is not None and dimension is not None:
        raise ValueError("Cannot specify both 'axis' and 'dimension'.")
    along = dimension if axis is None else axis
    if isinstance(along, (list, tuple)):
        raise TypeError(f"{op_type}: the axis must be one integer, got {along!r}")

    def shape_fn(at: Any, shape: Any) -> Any:
        known = shape and not isinstance(at, Tensor)  # of a scalar the position is 0
        return shape_inference.reduced(False)(at, shape) if known else shape and (None,) * (len(shape) - 1)

    return call_with(
        op_type,
        [(0 if along is None else along, as_axis)],
        lambda at, x: _position(function, unwrap(x), shape_inference.axes_of(at, x.ndim)[0]).astype(out.dtype),
        (input,),
        shape=shape_fn,
        name=name,
        dtype=out,
        differentiable=False,
    )


def argmax(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = "int64"
) -> Any:
    """Return the position of the largest element along ``axis`` (0 by default), the first of equal ones."""
    return _arg("ArgMax", np.argmax, input, axis, dimension, output_type, name)


def argmin(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = "int64"
) -> Any:
    """Return the position of the smallest element along ``axis`` (0 by default), the first of equal ones."""
    return _arg("ArgMin", np.argmin, input, axis, dimension, output_type, name)


def _reversed_sums(g: Any, axis: int) -> Any:
    return np.flip(np.cumsum(np.flip(g, axis), axis=axis), axis)


_PRODUCTS = Primitive(
    lambda x, axis: np.cumprod(x, axis=axis), (lambda g, y, x, axis: divided_safely(_reversed_sums(g * y, axis), x),)
)


also_complex(_PRODUCTS)


def _products(x: Any, axis: int) -> Any:
    return apply(_PRODUCTS, (x, axis))


def _cumulative(
    op_type: str, function: Any, start: int, x: Any, axis: Any, exclusive: bool, reverse: bool, name: Any
) -> Any:
    def run(at: int, value: Any) -> Any:
        if not -value.ndim <= at < value.ndim:
            raise ValueError(f"ScanOp: Expected scan axis in the range [-{value.ndim}, {value.ndim}), but got {at}")
        along = at % value.ndim
        if not value.size:
            return value
        if reverse:
            value = np.flip(value, along)
        result = function(value, axis=along)
        if exclusive:
            first = np.full((*value.shape[:along], 1, *value.shape[along + 1 :]), start, value.dtype)
            index = (slice(None),) * along + (slice(0, -1),)
            result = np.concatenate([first, result[index]], axis=along)
        result = np.flip(result, along) if reverse else result
        return result if value.dtype.kind in "fc" else result.astype(value.dtype)

    def checked(value: Any) -> Any:
        if np.ndim(value):
            raise InvalidArgumentError(None, None, f"ScanOp: axis must be a scalar, not {np.shape(value)}")
        return as_axis(value)

    return call_with(op_type, [(axis, checked)], run, (x,), shape=lambda at, shape: shape, name=name)


def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """Return running sums; ``exclusive`` leaves each element itself out, ``reverse`` runs from the end."""
    return _cumulative("Cumsum", np.cumsum, 0, x, axis, exclusive, reverse, name)


def cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """Return running products; ``exclusive`` leaves each element itself out, ``reverse`` runs from the end."""
    return _cumulative("Cumprod", _products, 1, x, axis, exclusive, reverse, name)


name_functions(__name__)
