"""Operations that make values: placeholders, constants of a shape, ranges."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import Operand, unwrap
from ..graph import shape_inference
from ..graph.build import call, convert, convert_all
from ..graph.constants import constant_array, constant_node
from ..graph.dtypes import as_dtype
from ..graph.eager_call import RunSession
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.run_values import array_of
from ..graph.shapes import as_shape, compatible, text
from .array_ops import as_sizes, identical, sizes_of

__all__ = [
    "fill",
    "lin_space",
    "linspace",
    "one_hot",
    "ones",
    "ones_like",
    "placeholder",
    "placeholder_with_default",
    "range",
    "zeros",
    "zeros_like",
]


# Placeholders


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Any:
    """Return a node that must be fed: a value of ``dtype`` in ``shape``, where None stands for any size.

    Raises RuntimeError in eager mode. Source: ``tf.placeholder``.
    """
    if executing_eagerly():
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    if dtype is None:
        raise TypeError("Expected DataType for argument 'dtype' not None.")
    dtype, sizes = as_dtype(dtype).base_dtype, as_shape(shape)

    def missing(session: RunSession) -> Any:
        op = node.op
        where = f"placeholder tensor '{op.name}' with dtype {dtype.name.replace('float32', 'float')}"
        known = "" if sizes is None else f" and shape {['?' if s is None else s for s in sizes]}".replace("'", "")
        raise InvalidArgumentError(op, op, f"You must feed a value for {where}{known}")

    node = call("Placeholder", missing, (), name=name, shape=sizes, dtype=dtype, contextual=True)
    return node


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Any:
    """Return a node that may be fed, and has the value ``input`` where it is not. ValueError for another shape."""
    sizes = as_shape(shape)
    value = input if executing_eagerly() else convert(input)
    if isinstance(value, Node) and not compatible(value._tensor()._shape, sizes):
        value_shape = text(value._tensor()._shape)
        raise ValueError(
            f"placeholder_with_default: shape must fit {value.name} of shape {value_shape}, got {text(sizes)}"
        )
    return call("PlaceholderWithDefault", identical, (value,), name=name, shape=sizes)


# New values


def _array_of_shape(op_type: str, dims: Any, make_array: Any, dtype: Any, name: str | None, inputs: Any = ()) -> Any:
    """Return a node whose shape is an argument: static, or a tensor."""
    sizes = sizes_of(dims)
    if not isinstance(sizes, Node) and any(size < 0 for size in sizes):
        raise ValueError(f"{op_type}: dimensions must be >= 0, got {list(sizes)}")
    if isinstance(sizes, Node):
        return call(
            op_type,
            lambda where, *values: make_array(as_sizes(where), *values),
            (sizes, *inputs),
            name=name,
            shape=shape_inference.shape_value(sizes._tensor()),
            dtype=dtype,
            same=False,
            differentiable=bool(inputs),
        )

    def compute(*values: Any) -> Any:
        return make_array(sizes, *values)

    return call(op_type, compute, inputs, name=name, shape=sizes, dtype=dtype, same=False)


def zeros(shape: Any, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return zeros."""
    dtype = as_dtype(dtype).base_dtype
    return _array_of_shape("zeros", shape, lambda sizes: np.zeros(sizes, dtype.dtype), dtype, name)


def ones(shape: Any, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return ones."""
    dtype = as_dtype(dtype).base_dtype
    return _array_of_shape("ones", shape, lambda sizes: np.ones(sizes, dtype.dtype), dtype, name)


def fill(dims: Any, value: Any, name: str | None = None) -> Any:
    """Return a tensor full of the scalar ``value``."""
    if executing_eagerly():
        return call("Fill", lambda v: np.broadcast_to(v, as_sizes(dims)).copy(), (value,), same=False)
    scalar = convert(value)
    if scalar._shape not in ((), None):
        raise ValueError(f"fill: Shape must be rank 0 but is rank {len(scalar._shape)}: {scalar.name}")
    dtype = scalar.dtype.base_dtype
    return _array_of_shape("Fill", dims, lambda sizes, v: np.broadcast_to(v, sizes), dtype, name, (scalar,))


def _like(op_type: str, tensor: Any, make_array: Any, dtype: Any, name: str | None) -> Any:
    dtype = None if dtype is None else as_dtype(dtype)

    def compute(x: Any) -> Any:
        return make_array(np.shape(x), x.dtype if dtype is None else dtype.dtype)

    if not executing_eagerly():
        tensor = convert(tensor)
        if tensor._shape is not None and None not in tensor._shape:
            # The value is not needed, so that its placeholders need not be fed.
            element = tensor.dtype.base_dtype if dtype is None else dtype
            return constant_node(make_array(tensor._shape, element.dtype), name or op_type, element)
    return call(op_type, compute, (tensor,), name=name, shape=shape_inference.same, dtype=dtype, differentiable=False)


def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Any:
    """Return zeros of the tensor's shape, and of its type where no other is given."""
    return _like("zeros_like", tensor, np.zeros, dtype, name)


def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Any:
    """Return ones of the tensor's shape, and of its type where no other is given."""
    return _like("ones_like", tensor, np.ones, dtype, name)


def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Any:
    """Return ``start, start + delta, ...`` below ``limit``; with one argument from 0."""
    if limit is None:
        start, limit = 0, start
    numpy_dtype = None if dtype is None else as_dtype(dtype).dtype

    def compute(*bounds: Any) -> Any:
        first, last, step = (unwrap(b) for b in bounds)
        if step == 0:
            raise ValueError("Requires delta != 0: 0")
        dtype: Any = numpy_dtype or np.result_type(first, last, step)
        return np.arange(first, last, step, dtype=dtype)

    bounds = (start, limit, delta)
    if executing_eagerly():
        return call("Range", compute, bounds)
    tensors = convert_all("Range", bounds)
    known = [shape_inference.known_value(tensor) for tensor in tensors]
    length = None if any(value is None for value in known) else len(compute(*known))
    dtype = tensors[0].dtype.base_dtype if dtype is None else dtype
    return call("Range", compute, tensors, name=name, shape=(length,), dtype=dtype, differentiable=False)


def linspace(start: Any, stop: Any, num: Any, name: str | None = None) -> Any:
    """Return ``num`` values from ``start`` to ``stop``, both included."""

    def compute(a: Any, b: Any, n: Any) -> Any:
        return np.linspace(unwrap(a), unwrap(b), int(n), dtype=np.result_type(unwrap(a)))

    first = (
        start if isinstance(start, (Node, Operand)) else np.asarray(start, np.float32 if np.ndim(start) == 0 else None)
    )
    return call("LinSpace", compute, (first, stop, num), name=name, same=False, differentiable=False)


lin_space = linspace


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """Return ``on_value`` (1) at the indices along a new axis of size ``depth``, ``off_value`` (0) elsewhere.

    Raises TypeError for indices that are not integers.
    """
    value_dtypes = {as_dtype(_type_of(value)) for value in (on_value, off_value) if value is not None}
    if len(value_dtypes) > 1:
        one, other = value_dtypes
        raise TypeError(f"dtype {one} of on_value does not match dtype {other} of off_value")
    dtype = as_dtype(dtype) if dtype is not None else value_dtypes.pop() if value_dtypes else as_dtype("float32")
    on, off = (1 if on_value is None else on_value), (0 if off_value is None else off_value)
    at = -1 if axis is None else axis

    def compute(ids: Any, width: Any) -> Any:
        ids = array_of(ids)
        if int(width) < 0:
            raise ValueError(f"depth must be non-negative, got: {int(width)}")
        if ids.dtype.kind not in "iu":
            raise TypeError(f"one_hot: indices must be integers, got {ids.dtype}")
        hot = np.expand_dims(ids, -1) == np.arange(int(width))
        values = np.where(hot, np.asarray(unwrap(on), dtype.dtype), np.asarray(unwrap(off), dtype.dtype))
        return np.moveaxis(values, -1, at)

    if not executing_eagerly():
        indices = convert(indices)
        if not indices.dtype.is_integer:
            raise TypeError(f"one_hot: indices must be integers, got {indices!r}")
    return call(
        "OneHot", compute, (indices, depth), name=name or "one_hot", dtype=dtype, same=False, differentiable=False
    )


def _type_of(value: Any) -> Any:
    return value.dtype if hasattr(value, "dtype") else constant_array(value).dtype
