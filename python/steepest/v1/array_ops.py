"""Operations on shapes: reshape, transpose, squeeze, tile, pad, and the identity."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ..ops.dispatch import apply, plain
from ..ops.registry import Primitive
from ..variable import Variable as EagerVariable
from . import infer
from .build import call, convert
from .constants import constant_value
from .dtypes import as_dtype
from .mode import executing_eagerly
from .node import Node
from .shapes import TensorShape

__all__ = [
    "expand_dims",
    "identity",
    "matrix_transpose",
    "pad",
    "rank",
    "reshape",
    "reverse",
    "reverse_v2",
    "shape",
    "size",
    "slice",
    "squeeze",
    "stop_gradient",
    "tile",
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
    return call("Identity", identical, (input,), name=name, shape=infer.same)


def stop_gradient(input: Any, name: str | None = None) -> Any:
    """Return the same value, through which no gradient flows."""

    def stopped(value: Any) -> Any:
        found = plain(value)
        return found.copy() if isinstance(value, EagerVariable) else found

    return call("StopGradient", stopped, (input,), name=name, shape=infer.same, differentiable=False)


def sizes_of(dims: Any) -> Any:
    """Return the argument that says a shape: a tuple where it is known, a node where a session will know it."""
    if isinstance(dims, Node):
        known = constant_value(dims)
        return dims if known is None else tuple(known.ravel().tolist())
    if isinstance(dims, TensorShape):
        return tuple(int(size) for size in dims)
    if isinstance(dims, (list, tuple)) and any(isinstance(size, Node) for size in dims):
        return convert(list(dims), "int32")
    return tuple(int(size) for size in np.atleast_1d(np.asarray(plain(dims), np.int64))) if np.size(dims) else ()


def as_sizes(dims: Any) -> tuple[int, ...]:
    return tuple(int(size) for size in np.asarray(plain(dims)).ravel())


# Shapes


def shape(input: Any, name: str | None = None, out_type: Any = "int32") -> Any:
    """Return the shape as a tensor."""
    kind = as_dtype(out_type)
    return call(
        "Shape",
        lambda x: np.array(np.shape(x), kind.dtype),
        (input,),
        name=name,
        shape=lambda s: (None if s is None else len(s),),
        dtype=kind,
        differentiable=False,
    )


def size(input: Any, name: str | None = None, out_type: Any = "int32") -> Any:
    """Return the number of elements as a tensor."""
    kind = as_dtype(out_type)
    return call(
        "Size", lambda x: kind.dtype.type(np.size(x)), (input,), name=name, shape=(), dtype=kind, differentiable=False
    )


def rank(input: Any, name: str | None = None) -> Any:
    """Return the number of axes as a tensor."""
    return call(
        "Rank", lambda x: np.int32(np.ndim(x)), (input,), name=name, shape=(), dtype="int32", differentiable=False
    )


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """Return the same elements in another shape; -1 stands for what is left.

    Raises ValueError where the numbers of elements are known to differ.
    """
    sizes = sizes_of(shape) if not executing_eagerly() else tuple(as_sizes(shape))
    if isinstance(sizes, Node):
        wanted = infer.shape_value(sizes._tensor())
        return call(
            "Reshape",
            lambda x, s: np.reshape(x, as_sizes(s)),
            (tensor, sizes),
            name=name,
            shape=wanted,
            same=False,
            dtype=convert(tensor).dtype,
        )

    def rule(given: Any) -> Any:
        if given is None or None in given:
            if given is not None and sizes.count(-1) == 1 and given.count(None) == 0:
                return None
            return _partly(given, sizes)
        total, known = int(np.prod(given, dtype=np.int64)), int(np.prod([s for s in sizes if s >= 0], dtype=np.int64))
        if (-1 in sizes and (not known or total % known)) or (-1 not in sizes and known != total):
            raise ValueError(f"Cannot reshape a tensor with {total} elements to shape {list(sizes)}")
        return tuple(total // known if s < 0 else s for s in sizes)

    return call("Reshape", lambda x: np.reshape(x, sizes), (tensor,), name=name, shape=rule)


def _partly(given: Any, sizes: tuple[int, ...]) -> Any:
    return tuple(None if s < 0 else s for s in sizes)


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """Return the tensor with a new axis of size 1 before ``axis``."""
    at = dim if axis is None else axis
    if at is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    at = int(np.asarray(constant_value(at)).item())
    return call("ExpandDims", lambda x: np.expand_dims(x, at), (input,), name=name)


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Any:
    """Return the tensor without its axes of size 1, or without those in ``axis``."""
    axis = squeeze_dims if axis is None else axis
    gone = None if axis is None or axis == [] else tuple(np.atleast_1d(axis).tolist())

    def rule(given: Any) -> Any:
        if given is None or (gone is None and None in given):
            return None
        if gone is None:
            return tuple(s for s in given if s != 1)
        at = infer.axes_of(gone, len(given))
        for i in at:
            if given[i] not in (1, None):
                raise ValueError(f"Can not squeeze dim[{i}], expected a dimension of 1, got {given[i]}")
        return tuple(s for i, s in enumerate(given) if i not in at)

    return call("Squeeze", lambda x: np.squeeze(x, gone), (input,), name=name, shape=rule)


def transpose(a: Any, perm: Any = None, name: str = "transpose", conjugate: bool = False) -> Any:
    """Return the axes in another order, reversed by default."""
    order = None if perm is None else tuple(np.asarray(constant_value(perm)).tolist())

    def rule(given: Any) -> Any:
        if given is None:
            return None
        if order is not None and sorted(order) != list(builtins.range(len(given))):
            raise ValueError(f"perm must be a permutation of the {len(given)} axes, got {list(order)}")
        return tuple(given[i] for i in order) if order is not None else tuple(reversed(given))

    return call("Transpose", lambda x: np.transpose(x, order), (a,), name=name, shape=rule)


def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Any:
    """Return the tensor with its last two axes exchanged."""
    return call("Transpose", lambda x: np.swapaxes(x, -1, -2), (a,), name=name)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """Return the elements in reverse order along the axes."""
    axes = tuple(np.atleast_1d(np.asarray(constant_value(axis))).tolist())

    def rule(given: Any) -> Any:
        if given is not None:
            infer.axes_of(axes, len(given))
        return given

    return call("ReverseV2", lambda x: np.flip(x, axes), (tensor,), name=name, shape=rule)


reverse_v2 = reverse


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """Repeat a tensor along each axis."""
    if isinstance(multiples, (list, tuple)) and not executing_eagerly():
        multiples = convert(multiples, "int32")
    counts = constant_value(multiples)

    def rule(given: Any, times: Any) -> Any:
        ndim = len(given) if given is not None else times[0] if times is not None else None
        if ndim is None:
            return None
        known = [None] * ndim if counts is None else np.asarray(counts).tolist()
        if given is None:
            return tuple(0 if count == 0 else None for count in known)
        if len(known) != ndim:
            raise ValueError(f"Shape must be rank {ndim} but multiples has {len(known)} elements")
        return tuple(
            0 if 0 in (size, count) else None if None in (size, count) else size * count
            for size, count in zip(given, known, strict=True)
        )

    return call("Tile", lambda x, m: np.tile(x, as_sizes(m)), (input, multiples), name=name, same=False, shape=rule)


def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0) -> Any:
    """Put a margin around a tensor: ``mode`` CONSTANT, REFLECT or SYMMETRIC."""
    widths: Any = np.asarray(constant_value(paddings)).tolist()
    if mode.upper() not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(
            f'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC", got {mode}'
        )

    def padded(given: Any) -> Any:
        if given is None:
            return None
        if len(widths) != len(given):
            raise ValueError(f"Shape must be rank {len(given)} but paddings has {len(widths)} rows")
        return tuple(None if n is None else n + sum(w) for n, w in zip(given, widths, strict=True))

    how: Any = mode.lower()
    if how == "constant":
        return call(
            "Pad", lambda x: np.pad(x, widths, how, constant_values=constant_values), (tensor,), name=name, shape=padded
        )

    def mirrored(x: Any) -> Any:
        for axis, (before, after) in enumerate(widths):
            x = np.take(x, np.pad(np.arange(x.shape[axis]), (before, after), how), axis=axis)
        return x

    return call("MirrorPad", mirrored, (tensor,), name=name, shape=padded)


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Any:
    """Return the part of ``size`` (-1: to the end) that starts at ``begin``; both may be nodes.

    Raises InvalidArgumentError, when a session runs, where that reaches beyond the end.
    """

    def part(x: Any, first: Any, sizes: Any) -> Any:
        index = []
        for axis, (b, s) in enumerate(zip(as_sizes(first), as_sizes(sizes), strict=True)):
            if not 0 <= b <= x.shape[axis] or s > x.shape[axis] - b:
                raise ValueError(f"Expected size[{axis}] in [0, {x.shape[axis] - b}], but got {s}")
            index.append(builtins.slice(b, None if s == -1 else b + s))
        return x[tuple(index)]

    if executing_eagerly():
        return call("Slice", part, (input_, begin, size), same=False)
    starts, lengths = (convert(v, None if isinstance(v, Node) else "int32") for v in (begin, size))
    first, last = infer.known_value(starts), infer.known_value(lengths)

    def rule(given: Any, *_: Any) -> Any:
        if given is None:
            return None
        for known in (first, last):
            if known is not None and len(known) != len(given):
                raise ValueError(f"Shape must be rank {len(given)} but begin or size has {len(known)} elements")
        if last is None:
            return (None,) * len(given)
        left = [None] * len(given) if first is None else first.tolist()
        return tuple(
            s if s != -1 else None if None in (n, b) else n - b
            for s, b, n in zip(last.tolist(), left, given, strict=True)
        )

    dtype = convert(input_).dtype.base_dtype
    return call("Slice", part, (input_, starts, lengths), name=name, shape=rule, same=False, dtype=dtype)
