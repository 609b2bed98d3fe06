"""Operations on shapes: reshape, transpose, squeeze, tile, pad, and the identity."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.exceptions import AxisError

from ...ops.dispatch import apply, conjugated, unwrap
from ...ops.registry import Primitive, also_complex
from ...variables.variable import Variable as EagerVariable
from ..graph import shape_inference
from ..graph.arguments import as_axis, as_vector, call_with, check_vector
from ..graph.build import call, convert, shape_of
from ..graph.composites import is_composite, is_sparse, parts_of, with_parts
from ..graph.constants import constant_node
from ..graph.dtypes import dtype_or
from ..graph.fetches import SparseTensorValue
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.shapes import text
from .cast_ops import cast

__all__ = [
    "expand_dims",
    "identity",
    "matrix_transpose",
    "rank",
    "reshape",
    "shape",
    "size",
    "squeeze",
    "stop_gradient",
    "transpose",
]


def _identity(x: Any) -> Any:
    return x


_MOST_AXES = 64 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 32
_IDENTITY = Primitive(_identity, (lambda g, y, x: g,), linear=True)
also_complex(_IDENTITY)


def identical(value: Any) -> Any:
    """Return a value of its own: a tape takes it for another than what it was made from."""
    return np.copy(value) if isinstance(value, EagerVariable) else apply(_IDENTITY, (value,))


def each_identical(*values: Any) -> tuple[Any, ...]:
    """Return several values of their own."""
    return tuple(identical(value) for value in values)


def first_identical(count: int) -> Callable[..., Any]:
    """Return the function that gives the first ones of several values, of their own."""
    return lambda *values: identical(values[0]) if count == 1 else each_identical(*values[:count])


def identity(input: Any, name: str | None = None) -> Any:
    """Return the same value: of a variable, that at the time at which this node runs; of composites, the same kind."""
    if is_composite(input):
        return with_parts(input, [None if part is None else identity(part) for part in parts_of(input)], True)
    return call("Identity", identical, (input,), name=name, shape=shape_inference.same)


def stop_gradient(input: Any, name: str | None = None) -> Any:
    """Return the same value, through which no gradient flows."""

    def compute(value: Any) -> Any:
        array = unwrap(value)
        return array.copy() if isinstance(value, EagerVariable) else array

    return call("StopGradient", compute, (input,), name=name, shape=shape_inference.same, differentiable=False)


# Shapes


def _shape_query(
    op_type: str, input: Any, dtype: Any, query: Callable[[Any], Any], shape_fn: Any, name: str | None
) -> Any:
    """Return what ``query`` says of a tensor's shape: at once where that is known, as then the value is not needed."""
    dtype = dtype_or(dtype, "int32")
    if not executing_eagerly():
        input = convert(input)
        if input._shape is not None and (op_type == "Rank" or None not in input._shape):
            with input.graph.as_default():
                return constant_node(np.array(query(input._shape), dtype.dtype), name or op_type, dtype)

    def compute(x: Any) -> Any:
        return np.array(query(np.shape(x)), dtype.dtype)[()]

    return call(op_type, compute, (input,), name=name, shape=shape_fn, dtype=dtype, differentiable=False)


def shape(input: Any, name: str | None = None, out_type: Any = "int32") -> Any:
    """Return the shape as a tensor."""
    if (sizes := _dense_shape(input)) is not None:
        return cast(sizes, dtype_or(out_type, "int32"), name)
    return _shape_query("Shape", input, out_type, tuple, lambda known: (None if known is None else len(known),), name)


def size(input: Any, name: str | None = None, out_type: Any = "int32") -> Any:
    """Return the number of elements as a tensor, of a sparse one those of the array it stands for."""
    if (sizes := _dense_shape(input)) is not None:
        return cast(_product(sizes), dtype_or(out_type, "int32"), name)
    return _shape_query("Size", input, out_type, math.prod, (), name)


def rank(input: Any, name: str | None = None) -> Any:
    """Return the number of axes as a tensor."""
    if (sizes := _dense_shape(input)) is not None:
        return size(sizes, name)
    return _shape_query("Rank", input, "int32", len, (), name)


def _dense_shape(value: Any) -> Any:
    """Return the shape of the array that a sparse tensor, or the value of one, stands for; None for others."""
    if isinstance(value, SparseTensorValue):
        return np.asarray(value.dense_shape, np.int64)
    return value.dense_shape if is_sparse(value) else None


def _product(sizes: Any) -> Any:
    return call("Prod", lambda values: np.prod(array_of(values)), (sizes,), shape=(), differentiable=False)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """Return the same elements in another shape; -1 stands for what is left.

    Raises ValueError where the numbers of elements are known to differ.
    """
    return call_with("Reshape", [(shape, as_vector)], _reshape, (tensor,), shape=_reshaped, name=name)


def _reshape(sizes: Any, x: Any) -> Any:
    shape: tuple[int, ...] = unwrap(x).shape
    count = math.prod(shape)
    if unknown := [k for k, size in enumerate(sizes) if size < 0]:
        _check_unknown(sizes, unknown, count)
    elif math.prod(sizes) != count:
        raise ValueError(
            f"Input to reshape is a tensor with {count} values, but the requested shape has {math.prod(sizes)}"
        )
    if unknown and not count and 0 in sizes:
        sizes = tuple(_left(sizes, shape) if size < 0 else size for size in sizes)
    if len(sizes) > _MOST_AXES:
        raise ValueError(f"reshape: too many dimensions, got {len(sizes)}; NumPy's arrays have {_MOST_AXES} at most")
    return np.reshape(x, sizes)


def _check_unknown(sizes: Any, unknown: list[int], count: int) -> None:
    """Raise ValueError, in TensorFlow's words, where a size is negative and not the one that is left."""
    for k in unknown:
        if sizes[k] < -1:
            raise ValueError(f"Size {k} must be non-negative, not {sizes[k]}")
    if len(unknown) > 1:
        raise ValueError(f"Only one input size may be -1, not both {unknown[0]} and {unknown[1]}")
    known = math.prod(size for size in sizes if size >= 0)
    if known and count % known:
        told = f"Input to reshape is a tensor with {count} values"
        raise ValueError(f"{told}, but the requested shape requires a multiple of {known}")


def _left(sizes: Any, input_shape: Any) -> int:
    """Return what -1 stands for where there is no element: the quotient of the sizes that are not 0."""
    return int(math.prod(filter(None, input_shape))) // int(math.prod(size for size in sizes if size > 0))


def _reshaped(sizes: Any, input_shape: Any) -> Any:
    total = None if input_shape is None or None in input_shape else math.prod(input_shape)
    if isinstance(sizes, Tensor):
        check_vector(sizes)
        result: Any = shape_inference.shape_value(sizes)
        if result is None or result.count(None) != 1 or total is None:
            return result
        rest = math.prod(size for size in result if size is not None)
        return tuple((total // rest if rest else None) if size is None else size for size in result)
    if total is None:
        return tuple(None if size < 0 else size for size in sizes)
    if sizes.count(-1) > 1:  # refused when it runs
        return tuple(None if size < 0 else size for size in sizes)
    if not total and 0 in sizes and -1 in sizes:
        return tuple(_left(sizes, input_shape) if size < 0 else size for size in sizes)
    known = math.prod(size for size in sizes if size >= 0)
    if -1 in sizes and known and total % known:
        raise ValueError(f"Dimension size must be evenly divisible by {known} but is {total}")
    if (-1 in sizes and (not known or total % known)) or (-1 not in sizes and known != total):
        raise ValueError(f"Cannot reshape a tensor with {total} elements to shape {list(sizes)}")
    return tuple(total // known if size < 0 else size for size in sizes)


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """Return the tensor with a new axis of size 1 before ``axis``."""
    at = dim if axis is None else axis
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'axis' and 'dim'.")
    if at is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    if math.prod(size if size is not None else 1 for size in shape_of(at) or ()) != 1:
        raise ValueError(f"'dim' input must be a tensor with a single value, got {at!r:.60}")

    def shape_fn(place: Any, input_shape: Any) -> Any:
        if input_shape is None or isinstance(place, Tensor):
            return None
        ndim = len(input_shape) + 1
        if not -ndim <= place < ndim:
            raise ValueError(f"dim {place} not in the interval [{-ndim}, {ndim - 1}].")
        sizes = list(input_shape)
        sizes.insert(place % ndim, 1)
        return tuple(sizes)

    def expanded(place: int, x: Any) -> Any:
        try:
            return np.expand_dims(x, place)
        except AxisError:
            told = f"Tried to expand dim index {place} for tensor with {x.ndim} dimensions."
            raise ValueError(told) from None

    return call_with("ExpandDims", [(at, as_axis)], expanded, (input,), shape=shape_fn, name=name)


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Any:
    """Return the tensor without its axes of size 1, or without those in ``axis``."""
    if axis is not None and squeeze_dims is not None:
        raise ValueError("Cannot specify both 'axis' and 'squeeze_dims'.")
    axis = squeeze_dims if axis is None else axis
    dropped_axes = None if axis is None or np.size(axis) == 0 else tuple(map(int, np.atleast_1d(axis)))

    def shape_fn(input_shape: Any) -> Any:
        if input_shape is None or (dropped_axes is None and None in input_shape):
            return None
        if dropped_axes is None:
            return tuple(s for s in input_shape if s != 1)
        at = shape_inference.axes_of(dropped_axes, len(input_shape))
        for i in at:
            if input_shape[i] not in (1, None):
                raise ValueError(f"Can not squeeze dim[{i}], expected a dimension of 1, got {input_shape[i]}")
        return tuple(s for i, s in enumerate(input_shape) if i not in at)

    def squeezed(x: Any) -> Any:
        shape_fn(np.shape(x))
        return np.squeeze(x, dropped_axes if dropped_axes is None else tuple({axis % x.ndim for axis in dropped_axes}))

    return call("Squeeze", squeezed, (input,), name=name, shape=shape_fn)


def transpose(a: Any, perm: Any = None, name: str = "transpose", conjugate: bool = False) -> Any:
    """Return the axes in another order, reversed by default; ``conjugate`` conjugates complex numbers."""

    def compute(order: Any, x: Any) -> Any:
        if order is not None:
            _check_order(order, x.ndim)
        return np.transpose(conjugated(x) if conjugate else x, order)

    def shape_fn(order: Any, input_shape: Any) -> Any:
        if isinstance(order, Tensor):
            ndim = len(input_shape) if input_shape is not None else (order._shape or (None,))[0]
            return None if ndim is None else (None,) * ndim
        if input_shape is None:
            return None if order is None else (None,) * len(order)
        if order is not None:  # one that names an axis twice is an error when it runs
            ndim = len(input_shape)
            if len(order) != ndim:
                raise ValueError(f"Dimension must be {ndim} but is {len(order)}")
            if outside := [i for i in order if not -ndim <= i < ndim]:
                raise ValueError(f"perm dim {outside[0]} is out of range of input rank {ndim}")
        return tuple(input_shape[i] for i in order) if order is not None else tuple(reversed(input_shape))

    return call_with("Transpose", [(perm, as_vector)], compute, (a,), shape=shape_fn, name=name)


def _check_order(order: Any, ndim: int) -> None:
    """Raise ValueError, in the words of TensorFlow's kernel, for an order that does not name each axis once."""
    if len(order) != ndim:
        raise ValueError(f"transpose expects a vector of size {ndim}. But input(1) is a vector of size {len(order)}")
    for axis in order:
        if not -ndim <= axis < ndim:
            raise ValueError(f"{axis} is out of range [0 .. {ndim})")
    missing = {*builtins.range(ndim)} - {axis % ndim for axis in order}
    if missing:
        raise ValueError(f"{min(missing)} is missing from {{{','.join(map(str, order))}}}.")


def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Any:
    """Return the tensor with its last two axes exchanged. Raises ValueError for one of fewer axes."""
    shape = shape_of(a)
    if shape is not None and len(shape) < 2:
        raise ValueError(f"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: {text(shape)}")
    return call("Transpose", lambda x: np.swapaxes(conjugated(x) if conjugate else x, -1, -2), (a,), name=name)
