"""Operations that make values: placeholders, constants of a shape, ranges."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive
from ..graph import shape_inference
from ..graph.arguments import as_count, as_sizes, call_with
from ..graph.build import call, convert, dtype_of, shape_of
from ..graph.constants import constant_array, constant_node, whole_sizes
from ..graph.dtypes import as_dtype, name_in_messages
from ..graph.eager_call import RunSession
from ..graph.errors import InvalidArgumentError
from ..graph.located_errors import of_eager_call
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.shapes import as_shape, bracketed, compatible, text
from .array_ops import identical
from .cast_ops import cast
from .variant_values import VariantValue, boxed, held_by

__all__ = [
    "fill",
    "lin_space",
    "linspace",
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
        where = f"placeholder tensor '{op.name}' with dtype {name_in_messages(dtype)}"
        known = "" if sizes is None else f" and shape {bracketed(sizes)}"
        raise InvalidArgumentError(op, op, f"You must feed a value for {where}{known}")

    node = call("Placeholder", missing, (), name=name, shape=sizes, dtype=dtype, contextual=True)
    return node


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Any:
    """Return a node that may be fed, and has the value ``input`` where it is not. ValueError for another shape."""
    sizes = as_shape(shape)
    with name_scope(name, "PlaceholderWithDefault") as scope:
        value = input if executing_eagerly() else convert(input, name="input")
        if isinstance(value, Node) and not compatible(value._tensor()._shape, sizes):
            value_shape = text(value._tensor()._shape)
            raise ValueError(
                f"placeholder_with_default: shape must fit {value.name} of shape {value_shape}, got {text(sizes)}"
            )
        made = call("PlaceholderWithDefault", identical, (value,), name=scope, shape=sizes)
    if isinstance(made, Tensor):
        made.op.folded_calls = 0  # its value is not known before a run, which may feed it
    return made


# New values


def _array_of_shape(op_type: str, dims: Any, make_array: Any, dtype: Any, name: str | None, inputs: Any = ()) -> Any:
    """Return a node whose shape is an argument: ``make_array(shape, *inputs)``."""

    def shape_fn(sizes: Any, *_: Any) -> Any:
        if isinstance(sizes, Tensor):
            return shape_inference.shape_value(sizes)
        if any(size < 0 for size in sizes):
            raise ValueError(f"Fill dimensions must be >= 0, got {list(sizes)}")
        return sizes

    if op_type in ("zeros", "ones") and not executing_eagerly():
        dims = whole_sizes(dims)  # small ones are constants
    return call_with(
        op_type,
        [(dims, as_sizes)],
        make_array,
        inputs,
        shape=shape_fn,
        name=name,
        dtype=dtype,
        differentiable=bool(inputs),
    )


def zero_array(sizes: Any, dtype: Any) -> Any:
    """Return an array of zeros, or of empty texts."""
    return np.full(sizes, b"", dtype) if np.dtype(dtype).kind == "O" else np.zeros(sizes, dtype)


def zeros(shape: Any, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return zeros."""
    dtype = as_dtype(dtype).base_dtype
    return _array_of_shape("zeros", shape, lambda sizes: zero_array(sizes, dtype.dtype), dtype, name)


def ones(shape: Any, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return ones."""
    dtype = as_dtype(dtype).base_dtype
    if dtype.name == "string":
        raise TypeError("ones: dtype must be of numbers or truth values, got string")
    return _array_of_shape("ones", shape, lambda sizes: np.ones(sizes, dtype.dtype), dtype, name)


def fill(dims: Any, value: Any, name: str | None = None) -> Any:
    """Return a tensor full of the scalar ``value``."""
    rank = None if (sizes := shape_of(dims)) is None else len(sizes)
    if rank not in (1, None):
        error = ValueError(f"fill: dims must be a vector of sizes: Shape must be rank 1 but is rank {rank}")
        raise of_eager_call(error) if executing_eagerly() else error
    scalar, dtype = value, None
    if not executing_eagerly():
        scalar = convert(value, None, f"{name or 'Fill'}/value")
        if scalar._shape not in ((), None):
            raise ValueError(f"fill: Shape must be rank 0 but is rank {len(scalar._shape)}: {scalar.name}")
        dtype = scalar.dtype.base_dtype

    def filled(sizes: Any, v: Any) -> Any:
        if np.ndim(v):
            raise ValueError(f"value must represent a scalar, got shape {bracketed(np.shape(v))}")
        if min(sizes, default=0) < 0:
            raise ValueError(f"Dimension {min(sizes)} must be >= 0")
        return np.copy(np.broadcast_to(v, sizes)) if executing_eagerly() else np.broadcast_to(v, sizes)

    return _array_of_shape("Fill", dims, filled, dtype, name, (scalar,))


def _like(op_type: str, tensor: Any, make_array: Any, dtype: Any, name: str | None) -> Any:
    dtype = None if dtype is None else as_dtype(dtype)

    def compute(x: Any) -> Any:
        if isinstance(lists := held_by(x), VariantValue):
            return lists.zeros() if lists is x else boxed(lists.zeros())
        return make_array(np.shape(x), x.dtype if dtype is None else dtype.dtype)

    if not executing_eagerly():
        tensor = convert(tensor)
        known = tensor._shape is not None and None not in tensor._shape
        if known and tensor.dtype.base_dtype.name != "variant":
            # The value is not needed, so that its placeholders need not be fed.
            element = tensor.dtype.base_dtype if dtype is None else dtype
            return constant_node(make_array(tensor._shape, element.dtype), name or op_type, element)
    return call(op_type, compute, (tensor,), name=name, shape=shape_inference.same, dtype=dtype, differentiable=False)


def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Any:
    """Return zeros of the tensor's shape, and of its type where no other is given: None, or False as in TensorFlow."""
    return _like("zeros_like", tensor, zero_array, None if dtype is False else dtype, name)


def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Any:
    """Return ones of the tensor's shape, and of its type where no other is given."""
    if (dtype_of(tensor) if dtype is None else as_dtype(dtype)).name == "string":
        raise TypeError("Expected string, but got 1 of type 'int'. Expected string, got 1 of type 'int' instead.")
    return _like("ones_like", tensor, np.ones, dtype, name)


def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Any:
    """Return ``start, start + delta, ...`` below ``limit``; with one argument from 0.

    The type is the widest of the arguments': int32, int64, float32, float64, in this order.
    """
    if limit is None:
        start, limit = 0, start
    bounds: Any = (start, limit, delta)
    widest = as_dtype(_common_type(bounds) if dtype is None else dtype)

    def compute(*values: Any) -> Any:
        first, last, step = (array_of(value) for value in values)
        if step == 0:
            raise ValueError("Requires delta != 0: 0")
        if (first > last) if step > 0 else (first < last):
            raise ValueError(f"Requires start {'<=' if step > 0 else '>='} limit for delta {step}: {first}/{last}")
        if widest.is_integer:  # whose differences may not fit their type
            first, last, step = int(first), int(last), int(step)
        return np.arange(first, last, step, dtype=widest.dtype)

    if executing_eagerly():
        return call("Range", compute, bounds, same=False)
    tensors = [
        cast(value, widest) if isinstance(value, Node) else convert(value, widest, f"{name}/{part}")
        for value, part in zip(bounds, ("start", "limit", "delta"), strict=True)
    ]
    for tensor in tensors:
        if tensor._shape:
            raise ValueError(f"range: Shape must be rank 0 but is rank {len(tensor._shape)}: {tensor.name}")
    known = [shape_inference.known_value(tensor) for tensor in tensors]
    length = None if any(value is None for value in known) else len(compute(*known))
    return call("Range", compute, tensors, name=name, shape=(length,), dtype=widest, differentiable=False)


def _common_type(bounds: Any) -> str:
    names = [as_dtype(type_of(value)).base_dtype.name for value in bounds]
    order = ("int32", "int64", "float16", "bfloat16", "float32", "float64")
    for name in names:
        if name not in order:
            raise TypeError(f"range: the bounds must be numbers of int32, int64, float32 or float64, got {name}")
    return max(names, key=order.index)


def _spaced(first: Any, last: Any, count: int) -> Any:
    dtype = first.dtype if first.dtype.kind in "fV" else np.dtype(np.float64)
    return np.linspace(first, last, count, dtype=dtype)


def _shares(g: Any, count: int) -> Any:
    return np.linspace(0, 1, count).astype(g.dtype)


_LINSPACE = Primitive(
    _spaced,
    (
        lambda g, y, a, b, count: np.sum(g * (1 - _shares(g, count))),
        lambda g, y, a, b, count: np.sum(g * _shares(g, count)),
    ),
    name="linspace",
)


def linspace(start: Any, stop: Any, num: Any, name: str | None = None) -> Any:
    """Return ``num`` values from ``start`` to ``stop``, both included. Integers are computed in float64."""
    if not executing_eagerly():
        start = convert(start, None if isinstance(start, Node) else _floating(start), f"{name or 'LinSpace'}/start")
        stop = convert(stop, None if isinstance(stop, Node) else start.dtype.base_dtype, f"{name or 'LinSpace'}/stop")
        start = cast(start, "float64") if start.dtype.is_integer else start
        stop = cast(stop, start.dtype.base_dtype) if stop.dtype.is_integer else stop

    def compute(count: Any, a: Any, b: Any) -> Any:
        return apply(_LINSPACE, (a, b), {"count": count})

    def shape_fn(count: Any, *_: Any) -> Any:
        if not isinstance(count, Tensor) and count < 0:
            raise ValueError(f"linspace: num must be >= 0, got {count}")
        return (None if isinstance(count, Tensor) else count,)

    return call_with("LinSpace", [(num, as_count)], compute, (start, stop), shape=shape_fn, name=name)


lin_space = linspace


def _floating(value: Any) -> Any:
    """Return the type of a number: integers are computed in float64."""
    dtype = as_dtype(type_of(value))
    return "float64" if dtype.is_integer else dtype


def type_of(value: Any) -> Any:
    return value.dtype if hasattr(value, "dtype") else constant_array(value).dtype
