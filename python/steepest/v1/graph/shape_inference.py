"""Static shapes of results: functions for the common operations, and probing for the rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .constants import held_value
from .dtypes import DType, as_dtype
from .node import Operation, Tensor
from .run_values import array_of
from .shapes import Shape, bracketed, compatible, contradiction, merge, text

__all__ = [
    "along",
    "apply_shape_fn",
    "axes_of",
    "broadcast",
    "gathered",
    "known_value",
    "matmul",
    "merged",
    "probe",
    "reduced",
    "same",
    "shape_value",
    "static_sizes",
]

_LARGEST = 1 << 16
_FOLDED = 64
_GUESSES = (2, 3)


def apply_shape_fn(name: str, op_type: str, shape_fn: Any, tensors: Sequence[Tensor]) -> Any:
    """Return a static shape, or what a function of the inputs' shapes returns; a ValueError names the operation."""
    if not callable(shape_fn):
        return shape_fn
    try:
        return shape_fn(*[tensor._shape for tensor in tensors])
    except ValueError as error:
        shapes = ", ".join(bracketed(tensor._shape) for tensor in tensors)
        raise ValueError(f"{error} for {name!r} (op: {op_type!r}) with input shapes: {shapes}.") from None


def same(first: Shape, *others: Shape) -> Shape:
    """The shape of the first input."""
    return first


def broadcast(*shapes: Shape) -> Shape:
    """NumPy's broadcasting."""
    if any(shape is None for shape in shapes):
        return None
    known = [shape for shape in shapes if shape is not None]
    ndim = max(map(len, known), default=0)
    padded = [(1,) * (ndim - len(shape)) + shape for shape in known]
    sizes: list[int | None] = []
    for column in zip(*padded, strict=True):
        large = {size for size in column if size is not None and size != 1}
        if len(large) > 1:
            first, second = [size for size in dict.fromkeys(column) if size in large][:2]
            raise ValueError(f"Dimensions must be equal, but are {first} and {second}")
        # An unknown size may be 1: beside a larger size the result has that size; beside none it may be 1 or 0.
        sizes.append(None if None in column and not (large and max(large)) else large.pop() if large else 1)
    return tuple(sizes)


def along(axis: Any, shape: Shape) -> Shape:
    """The shape of the first input, which must have the axis."""
    if shape is not None and not isinstance(axis, Tensor):
        axes_of(axis, len(shape))
    return shape


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return axes as numbers from 0; ValueError for one that is not there."""
    axes = range(ndim) if axis is None else np.atleast_1d(np.asarray(axis)).tolist()
    for a in axes:
        if not -ndim <= a < ndim:
            raise ValueError(f"Invalid reduction dimension {a} for input with {ndim} dimensions")
    return tuple(int(a) % ndim for a in axes)


def static_sizes(sizes: Sequence[int]) -> tuple[int | None, ...]:
    """Return sizes that a program gives as a static shape: -1 is unknown there; ValueError for less."""
    for size in sizes:
        if size < -1:
            raise ValueError(f"Invalid value in tensor used for shape: {size}")
    return tuple(None if size < 0 else size for size in sizes)


def reduced(keepdims: bool) -> Callable[[Any, Shape], Shape]:
    """The shape of a reduction along axes that may be a tensor."""

    def shape_fn(axis: Any, shape: Shape) -> Shape:
        if shape is None:
            return () if axis is None and not keepdims else None
        if isinstance(axis, Tensor):
            return (None,) * len(shape) if keepdims else None
        reduced_axes = axes_of(axis, len(shape))
        if keepdims:
            return tuple(1 if i in reduced_axes else size for i, size in enumerate(shape))
        return tuple(size for i, size in enumerate(shape) if i not in reduced_axes)

    return shape_fn


def matmul(a: Shape, b: Shape) -> Shape:
    """The shape of a matrix product, batched over the leading axes."""
    for shape in (a, b):
        if shape is not None and len(shape) < 2:
            raise ValueError(f"Shape must be rank 2 but is rank {len(shape)}")
    if a is None or b is None:
        return None
    if a[-1] is not None and b[-2] is not None and a[-1] != b[-2]:
        raise ValueError(f"Dimensions must be equal, but are {a[-1]} and {b[-2]}")
    batch = broadcast(a[:-2], b[:-2])
    return None if batch is None else (*batch, a[-2], b[-1])


def gathered(params: Shape, indices: Shape) -> Shape:
    """The shape of gathered rows."""
    if params is None or indices is None:
        return None
    if not params:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    return (*indices, *params[1:])


def known_value(tensor: Tensor) -> Any:
    """Return the value of a small tensor that is known before a session runs, None for any other."""
    known = held_value(tensor)
    if known is not None:
        return known
    op, shape = tensor.op, tensor._shape
    small = shape is not None and None not in shape and math.prod(size or 0 for size in shape) <= _FOLDED
    if op.type in ("zeros", "ones") and small:
        return np.full(tuple(shape or ()), op.type == "ones", tensor.dtype.dtype)
    if not op.folded_calls:
        return None
    if op.type == "Shape":
        input_shape = op.operands[0]._shape
        return None if input_shape is None or None in input_shape else np.array(input_shape, tensor.dtype.dtype)
    if op.type == "StridedSlice" and (part := _subscripted(op)) is not None and None not in part:
        return np.array(part[0] if shape == () else part, tensor.dtype.dtype)
    if not small or not op.operands:
        return None
    values = [known_value(part) for part in op.operands]
    if any(value is None for value in values):
        return None
    assert op.function is not None
    with np.errstate(all="ignore"):
        result = op.function(*values)
    return array_of(result[tensor.value_index] if len(op.outputs) > 1 else result)


def merged(*shapes: Shape) -> Shape:
    """Combine what several shapes say of one value; ValueError where they contradict each other."""
    result: Shape = None
    for shape in shapes:
        if not compatible(result, shape):
            raise ValueError(contradiction(result, shape))
        result = merge(result, shape)
    return result


def shape_value(tensor: Tensor) -> Shape:
    """Return the static shape that a shape tensor will hold, as far as it is known before a session runs."""
    known = known_value(tensor)
    if known is not None:
        return tuple(None if size < 0 else int(size) for size in known.ravel().tolist())
    op = tensor.op
    if op.type == "Shape":
        return op.operands[0]._shape
    if op.type == "Pack":
        parts = [shape_value(part) for part in op.operands]
        return tuple(part[0] if part is not None and len(part) == 1 else None for part in parts)
    if op.type == "ConcatV2":
        joined = [shape_value(part) for part in op.operands]
        return None if None in joined else tuple(size for part in joined for size in part or ())
    if op.type == "StridedSlice" and (part := _subscripted(op)) is not None:
        return part
    if op.type in ("Cast", "Identity"):
        return shape_value(op.operands[0])
    return None if tensor._shape is None or len(tensor._shape) != 1 else (None,) * int(tensor._shape[0] or 0) or None


def _subscripted(op: Operation) -> Shape:
    """Return the sizes that a subscript takes out of a shape."""
    indexed, index = op.operands[0], op._attributes.get("index")
    sizes = shape_value(indexed) if indexed.op.type in ("Shape", "ConcatV2", "StridedSlice") else None
    if sizes is None or not isinstance(index, (int, slice)):
        return None
    part = sizes[index]
    return part if isinstance(part, tuple) else (part,)


def probe(
    name: str, op_type: str, function: Callable[..., Any], tensors: Sequence[Tensor], dtype: Any
) -> tuple[DType, Shape]:
    """Return type and shape of a result, found by calling the function on small arrays of the inputs' shapes.

    A size that is not known, and integers that are not constants (they may be positions), are tried as two different
    numbers; what differs in the result is not known either.
    """
    fallback = as_dtype(dtype) if dtype is not None else tensors[0].dtype.base_dtype if tensors else as_dtype("float32")
    if any(tensor._shape is None for tensor in tensors):
        return fallback, None
    open_sizes = any(None in (tensor._shape or ()) for tensor in tensors)
    open_values = any(tensor.dtype.is_integer and known_value(tensor) is None for tensor in tensors)
    results: list[Any] = []
    for trial, guess in enumerate(_GUESSES[: 1 + (open_sizes or open_values)]):
        samples = [_sample(tensor, guess, trial * position) for position, tensor in enumerate(tensors)]
        if any(sample is None for sample in samples):
            return fallback, None
        try:
            with np.errstate(all="ignore"):
                results.append(array_of(function(*samples)))
        except (ValueError, IndexError, TypeError) as error:
            if open_sizes or open_values:
                return fallback, None
            shapes = ", ".join(text(tensor._shape) for tensor in tensors)
            raise ValueError(f"{error} for {name!r} (op: {op_type!r}) with input shapes: {shapes}.") from None
    result_dtype = as_dtype(results[0].dtype) if dtype is None else fallback
    if len({value.ndim for value in results}) > 1:
        return result_dtype, None
    sizes = zip(*(value.shape for value in results), strict=True)
    return result_dtype, tuple(column[0] if len(set(column)) == 1 else None for column in sizes)


def _sample(tensor: Tensor, guess: int, number: int) -> Any:
    """Return an array of the tensor's static shape, or None where that would be large."""
    known = known_value(tensor)
    if known is not None:
        return known
    assert tensor._shape is not None
    shape = tuple(guess if size is None else size for size in tensor._shape)
    if math.prod(shape) > _LARGEST:
        return None
    if tensor.dtype.name.startswith("string"):
        return np.full(shape, b"", object)
    return np.full(shape, 1 if tensor.dtype.is_floating else number, tensor.dtype.dtype)
