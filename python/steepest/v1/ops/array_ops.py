"""Operations on shapes: reshape, transpose, squeeze, tile, pad, and the identity."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ...variables.variable import Variable as EagerVariable
from ..graph import shape_inference
from ..graph.build import call, convert
from ..graph.constants import constant_array, constant_node, constant_value
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.run_values import array_of
from ..graph.shapes import TensorShape

__all__ = [
    "expand_dims",
    "identity",
    "matrix_transpose",
    "rank",
    "reshape",
    "reverse",
    "reverse_v2",
    "shape",
    "size",
    "squeeze",
    "stop_gradient",
    "transpose",
]


def _identity(x: Any) -> Any:
    return x


_IDENTITY = Primitive(_identity, (lambda g, y, x: g,), linear=True)


def identical(value: Any) -> Any:
    """Return a value of its own: a tape takes it for another than what it was made from."""
    return np.copy(value) if isinstance(value, EagerVariable) else apply(_IDENTITY, (value,))


def identity(input: Any, name: str | None = None) -> Any:
    """Return the same value: of a variable, that at the time at which this node runs."""
    return call("Identity", identical, (input,), name=name, shape=shape_inference.same)


def stop_gradient(input: Any, name: str | None = None) -> Any:
    """Return the same value, through which no gradient flows."""

    def compute(value: Any) -> Any:
        array = unwrap(value)
        return array.copy() if isinstance(value, EagerVariable) else array

    return call("StopGradient", compute, (input,), name=name, shape=shape_inference.same, differentiable=False)


def sizes_of(dims: Any) -> Any:
    """Return the argument that says a shape: a tuple where it is known, a node where a session will know it."""
    if isinstance(dims, Node):
        known = constant_value(dims)
        return dims if known is None else tuple(known.ravel().tolist())
    if isinstance(dims, TensorShape):
        return tuple(int(size) for size in dims)
    if isinstance(dims, (list, tuple)) and any(isinstance(size, Node) for size in dims):
        return convert(list(dims), "int32")
    if not np.size(dims):
        return ()
    sizes = np.atleast_1d(constant_array(dims))
    if sizes.dtype.kind not in "iu":
        raise TypeError(f"Value passed to parameter 'shape' has DataType {sizes.dtype}; it must be int32 or int64")
    return tuple(sizes.tolist())


def as_sizes(dims: Any) -> tuple[int, ...]:
    return tuple(int(size) for size in array_of(dims).ravel())


# Shapes


def _shape_query(
    op_type: str, input: Any, dtype: Any, query: Callable[[Any], Any], shape_fn: Any, name: str | None
) -> Any:
    """Return what ``query`` says of a tensor's shape: at once where that is known, as then the value is not needed."""
    dtype = as_dtype(dtype)
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
    return _shape_query("Shape", input, out_type, tuple, lambda sizes: (None if sizes is None else len(sizes),), name)


def size(input: Any, name: str | None = None, out_type: Any = "int32") -> Any:
    """Return the number of elements as a tensor."""
    return _shape_query("Size", input, out_type, math.prod, (), name)


def rank(input: Any, name: str | None = None) -> Any:
    """Return the number of axes as a tensor."""
    return _shape_query("Rank", input, "int32", len, (), name)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """Return the same elements in another shape; -1 stands for what is left.

    Raises ValueError where the numbers of elements are known to differ.
    """
    sizes = sizes_of(shape) if not executing_eagerly() else tuple(as_sizes(shape))
    if isinstance(sizes, Node):
        tensor, result_shape = convert(tensor), shape_inference.shape_value(sizes._tensor())
        if sizes._tensor().dtype.is_floating:
            raise TypeError("Value passed to parameter 'shape' has a floating DataType; it must be int32 or int64")
        if (
            result_shape is not None
            and result_shape.count(None) == 1
            and tensor._shape is not None
            and None not in tensor._shape
        ):
            total = int(np.prod(tensor._shape, dtype=np.int64))
            rest = int(np.prod([size for size in result_shape if size is not None], dtype=np.int64))
            result_shape = tuple((total // rest if rest else None) if size is None else size for size in result_shape)
        return call(
            "Reshape",
            lambda x, s: np.reshape(x, as_sizes(s)),
            (tensor, sizes),
            name=name,
            shape=result_shape,
            same=False,
            dtype=tensor.dtype,
        )

    def shape_fn(input_shape: Any) -> Any:
        if input_shape is None or None in input_shape:
            if input_shape is not None and sizes.count(-1) == 1 and input_shape.count(None) == 0:
                return None
            return _partly(input_shape, sizes)
        total = int(np.prod(input_shape, dtype=np.int64))
        known = int(np.prod([s for s in sizes if s >= 0], dtype=np.int64))
        if (-1 in sizes and (not known or total % known)) or (-1 not in sizes and known != total):
            raise ValueError(f"Cannot reshape a tensor with {total} elements to shape {list(sizes)}")
        return tuple(total // known if s < 0 else s for s in sizes)

    return call("Reshape", lambda x: np.reshape(x, sizes), (tensor,), name=name, shape=shape_fn)


def _partly(input_shape: Any, sizes: tuple[int, ...]) -> Any:
    return tuple(None if s < 0 else s for s in sizes)


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """Return the tensor with a new axis of size 1 before ``axis``."""
    at = dim if axis is None else axis
    if at is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    at = int(shape_inference.static_argument("expand_dims", "axis", at).item())
    return call("ExpandDims", lambda x: np.expand_dims(x, at), (input,), name=name)


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Any:
    """Return the tensor without its axes of size 1, or without those in ``axis``."""
    axis = squeeze_dims if axis is None else axis
    dropped_axes = None if axis is None or axis == [] else tuple(np.atleast_1d(axis).tolist())

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

    return call("Squeeze", lambda x: np.squeeze(x, dropped_axes), (input,), name=name, shape=shape_fn)


def transpose(a: Any, perm: Any = None, name: str = "transpose", conjugate: bool = False) -> Any:
    """Return the axes in another order, reversed by default."""
    order = None if perm is None else tuple(shape_inference.static_argument("transpose", "perm", perm).tolist())

    def shape_fn(input_shape: Any) -> Any:
        if input_shape is None:
            return None if order is None else (None,) * len(order)
        if order is not None and sorted(order) != list(builtins.range(len(input_shape))):
            raise ValueError(f"perm must be a permutation of the {len(input_shape)} axes, got {list(order)}")
        return tuple(input_shape[i] for i in order) if order is not None else tuple(reversed(input_shape))

    return call("Transpose", lambda x: np.transpose(x, order), (a,), name=name, shape=shape_fn)


def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Any:
    """Return the tensor with its last two axes exchanged."""
    return call("Transpose", lambda x: np.swapaxes(x, -1, -2), (a,), name=name)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """Return the elements in reverse order along the axes."""
    axes = tuple(np.atleast_1d(shape_inference.static_argument("reverse", "axis", axis)).tolist())

    def shape_fn(input_shape: Any) -> Any:
        if input_shape is not None:
            shape_inference.axes_of(axes, len(input_shape))
        return input_shape

    return call("ReverseV2", lambda x: np.flip(x, axes), (tensor,), name=name, shape=shape_fn)


reverse_v2 = reverse
