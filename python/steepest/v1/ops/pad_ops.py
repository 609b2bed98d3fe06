"""Parts of tensors and what surrounds them: slices, margins, repetition, shifts."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.arguments import as_integers, as_list, as_sizes, as_vector, call_with
from ..graph.build import call, convert, dtype_of
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.run_values import array_of
from ..graph.shapes import bracketed, compatible
from ..graph.static_values import constant_value
from .gather_ops import taken_dense

__all__ = ["broadcast_to", "pad", "repeat", "roll", "slice", "tile"]


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """Repeat a tensor along each axis."""
    multiples = as_integers(multiples)
    if isinstance(multiples, (list, tuple)) and not executing_eagerly():
        multiples = convert(multiples, "int32", f"{name or 'Tile'}/multiples")
    counts: Any
    if isinstance(multiples, Node):
        counts = shape_inference.shape_value(multiples._tensor())  # a vector of which some elements are known, too
    else:
        counts = np.asarray(constant_value(multiples)).tolist()

    def shape_fn(input_shape: Any, times: Any) -> Any:
        ndim = len(input_shape) if input_shape is not None else times[0] if times is not None else None
        if ndim is None:
            return None
        known: list[Any] = [None] * ndim if counts is None else list(counts)
        if input_shape is None:
            return tuple(0 if count == 0 else None for count in known)
        if times is not None and len(times) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(times)}")
        if len(known) != ndim:
            raise ValueError(f"Shape must be rank {ndim} but multiples has {len(known)} elements")
        return tuple(
            0 if 0 in (size, count) else None if None in (size, count) or count < 0 else size * count
            for size, count in zip(input_shape, known, strict=True)
        )

    def repeated(x: Any, m: Any) -> Any:
        sizes = as_sizes(array_of(m))
        if array_of(m).ndim != 1:
            raise ValueError(f"Expected multiples to be 1-D, but got shape {list(array_of(m).shape)}")
        for k, times in enumerate(sizes):
            if times < 0:
                raise ValueError(f"Expected multiples[{k}] >= 0, but got {times}")
        if len(sizes) != x.ndim:
            raise ValueError(
                f"Expected multiples argument to be a vector of length {x.ndim} but got length {len(sizes)}"
            )
        total = math.prod([*sizes, *x.shape])
        if total >= 2**63:
            raise ValueError(f"Encountered overflow: the result would have {total} elements")
        return np.tile(x, sizes)

    return call("Tile", repeated, (input, multiples), name=name, same=False, shape=shape_fn)


def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0) -> Any:
    """Put a margin around a tensor: ``mode`` CONSTANT, REFLECT or SYMMETRIC."""
    if mode.upper() not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        told = f'Unknown padding mode: {mode}; `mode` must be one of "CONSTANT", "REFLECT", or "SYMMETRIC"'
        raise ValueError(
            f"{told}. Value of argument `mode` expected to be one of these. Received `mode` = {mode.upper()}"
        )
    how: Any = mode.lower()

    def filled(widths: Any, x: Any, *fill: Any) -> Any:
        _check_widths(widths, x.ndim)
        return np.pad(x, widths, how, constant_values=array_of(fill[0])) if x.ndim else np.copy(x)

    def mirrored(widths: Any, x: Any) -> Any:
        _check_widths(widths, x.ndim)
        for size, pair in zip(x.shape, widths, strict=True):
            if max(pair) > size - (how == "reflect"):
                raise ValueError(f"paddings must be no greater than the dimension size: {pair} for {size}")
        for axis, (before, after) in enumerate(widths):
            x = taken_dense(x, np.pad(np.arange(x.shape[axis]), (before, after), how), axis)
        return x

    if how == "constant" and not hasattr(constant_values, "dtype") and constant_values == 0:
        constant_values = np.zeros((), dtype_of(tensor).as_numpy_dtype) if _has_zero(tensor) else b""
    inputs = (tensor, constant_values) if how == "constant" else (tensor,)
    op_type, function = ("Pad", filled) if how == "constant" else ("MirrorPad", mirrored)
    return call_with(op_type, [(paddings, as_list)], function, inputs, shape=_padded, name=name)


def _has_zero(tensor: Any) -> bool:
    return dtype_of(tensor).name != "string"


def _check_widths(widths: Any, ndim: int) -> None:
    flat = next((pair for pair in widths if not isinstance(pair, list)), None)
    if flat is not None:
        raise ValueError("Shape must be rank 2 but is rank 1: paddings must be a matrix with 2 columns")
    odd = next((len(pair) for pair in widths if len(pair) != 2), None)
    if odd is not None:
        raise ValueError(f"Dimension must be 2 but is {odd}: paddings must be a matrix with 2 columns")
    if len(widths) != ndim:
        told = "The first dimension of paddings must be the rank of inputs"
        ranks = f"Shape must be rank {len(widths)} but is rank {ndim}"
        raise ValueError(f"{ranks}. {told}: paddings must be {ndim} pairs, got {widths}")
    if any(min(pair) < 0 for pair in widths):
        raise ValueError(f"Paddings must be non-negative, got {widths}")


def _padded(widths: Any, input_shape: Any, *_: Any) -> Any:
    if isinstance(widths, Tensor):
        ndim = len(input_shape) if input_shape is not None else (widths._shape or (None,))[0]
        if ndim is None:
            return None
        known = _known_widths(widths, ndim)
        return tuple(
            None if size is None or margin is None else size + margin
            for size, margin in zip(input_shape or (None,) * ndim, known, strict=True)
        )
    _check_widths(widths, len(widths) if input_shape is None else len(input_shape))
    if input_shape is None:
        return (None,) * len(widths)
    return tuple(None if n is None else n + sum(w) for n, w in zip(input_shape, widths, strict=True))


def _known_widths(widths: Tensor, ndim: int) -> list[int | None]:
    """Return how much margins add to each axis, as far as it is known of paddings that a list was made of."""
    pairs = widths.op.inputs if widths.op.type == "Pack" and not widths.op._attributes.get("axis") else ()
    if len(pairs) != ndim:
        return [None] * ndim
    values = [shape_inference.known_value(pair) for pair in pairs]
    return [None if value is None else int(value.sum()) for value in values]


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Any:
    """Return the part of ``size`` (-1: to the end) that starts at ``begin``; both may be nodes.

    Raises InvalidArgumentError, when a session runs, where that reaches beyond the end.
    """

    def part(x: Any, first: Any, sizes: Any) -> Any:
        index = []
        begins, lengths = array_of(first), array_of(sizes)
        if begins.shape != (x.ndim,) or lengths.shape != (x.ndim,):
            got = f"got shapes {bracketed(begins.shape)} and {bracketed(lengths.shape)} instead."
            raise ValueError(f"Expected begin and size arguments to be 1-D tensors of size {x.ndim}, but {got}")
        for axis, (b, s) in enumerate(zip(begins.tolist(), lengths.tolist(), strict=True)):
            if not 0 <= b <= x.shape[axis]:
                raise ValueError(f"Expected begin[{axis}] in [0, {x.shape[axis]}], but got {b}")
            if not -1 <= s <= x.shape[axis] - b:
                raise ValueError(f"Expected size[{axis}] in [0, {x.shape[axis] - b}], but got {s}")
            index.append(builtins.slice(b, None if s == -1 else b + s))
        return x[tuple(index)]

    if executing_eagerly():
        return call("Slice", part, (input_, begin, size), same=False)
    starts, lengths_node = (
        convert(v, None if isinstance(v, Node) else "int32", f"{name or 'Slice'}/{part}")
        for part, v in (("begin", begin), ("size", size))
    )
    first, last = shape_inference.known_value(starts), shape_inference.known_value(lengths_node)
    if first is None:
        first = constant_value(starts, partial=True)

    def shape_fn(input_shape: Any, *_: Any) -> Any:
        if input_shape is None:
            lengths = (each._shape[0] for each in (starts, lengths_node) if each._shape)
            ndim = next((length for length in lengths if length is not None), None)
            return (
                None
                if ndim is None
                else tuple(None if last is None or last[k] < 0 else int(last[k]) for k in range(ndim))
            )
        for known in (first, last):
            if known is not None and len(known) != len(input_shape):
                raise ValueError(f"Shape must be rank {len(input_shape)} but begin or size has {len(known)} elements")
        if last is None:  # -1 among sizes of which some are unknown is unknown too
            return shape_inference.shape_value(lengths_node) or (None,) * len(input_shape)
        shape_inference.static_sizes(last.tolist())
        left = [None] * len(input_shape) if first is None else [None if b is None else int(b) for b in first]
        for s, b, n in zip(last.tolist(), left, input_shape, strict=True):
            if s == -1 and None not in (n, b) and b > n:
                raise ValueError(f"Negative dimension size caused by subtracting {b} from {n}")
        return tuple(
            s if s != -1 else None if None in (n, b) else n - b
            for s, b, n in zip(last.tolist(), left, input_shape, strict=True)
        )

    dtype = convert(input_).dtype.base_dtype
    return call("Slice", part, (input_, starts, lengths_node), name=name, shape=shape_fn, same=False, dtype=dtype)


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Any:
    """Return the elements shifted along an axis; what leaves at one end enters at the other."""

    def rolled(by: Any, along: Any, x: Any) -> Any:
        if not x.ndim:
            raise ValueError("input must be 1-D or higher")
        for which, numbers in (("shift", by), ("axis", along)):
            if numbers.ndim > 1:
                raise ValueError(f"{which} must be a scalar or a 1-D vector. Found: {bracketed(numbers.shape)}")
        if by.shape != along.shape:
            raise ValueError("shift and axis must have the same size")
        for number in along.ravel():
            if not -x.ndim <= number < x.ndim:
                raise ValueError(f"axis {number} is out of range")
        return np.roll(x, tuple(by.ravel()), tuple(along.ravel()))

    def shape_fn(by: Any, along: Any, shape: Any) -> Any:
        if shape == ():
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        known = [numbers._shape if isinstance(numbers, Tensor) else numbers.shape for numbers in (by, along)]
        for numbers in known:
            if numbers is not None and len(numbers) > 1:
                raise ValueError(f"Shape must be at most rank 1 but is rank {len(numbers)}")
        if None not in known and not compatible(*known):
            first, second = ([] if sizes is None else list(sizes) for sizes in known)
            if len(first) != len(second):
                raise ValueError(f"Shapes must be equal rank, but are {len(first)} and {len(second)}")
            sizes = f"are {first[0]} and {second[0]}. Shapes are {first} and {second}."
            raise ValueError(f"Dimension 0 in both shapes must be equal, but {sizes}")
        return shape

    settings = [(shift, np.asarray), (axis, np.asarray)]
    return call_with("Roll", settings, rolled, (input,), shape=shape_fn, name=name)


def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Any:
    """Return the elements (or slices along ``axis``) repeated."""

    def repeated(times: Any, x: Any) -> Any:
        return np.repeat(x, times, axis)

    def shape_fn(times: Any, input_shape: Any) -> Any:
        if axis is None:
            count = None if input_shape is None or None in input_shape else math.prod(input_shape)
            return (None if count is None or isinstance(times, Tensor) else int(np.broadcast_to(times, count).sum()),)
        if input_shape is None:
            return None
        at = axis % len(input_shape)
        open_size = input_shape[at] is None or isinstance(times, Tensor)
        size = None if open_size else int(np.broadcast_to(times, input_shape[at]).sum())
        return (*input_shape[:at], size, *input_shape[at + 1 :])

    return call_with("Repeat", [(repeats, as_list)], repeated, (input,), shape=shape_fn, name=name)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """Return the tensor repeated to a shape, by NumPy's rules."""

    def shape_fn(sizes: Any, input_shape: Any) -> Any:
        if isinstance(sizes, Tensor):
            return shape_inference.shape_value(sizes)
        if shape_inference.broadcast(input_shape, sizes) not in (None, sizes):
            raise ValueError(f"Shapes {input_shape} and {sizes} are incompatible")
        return sizes

    def repeated(sizes: Any, x: Any) -> Any:
        return np.broadcast_to(x, sizes)

    return call_with("BroadcastTo", [(shape, as_vector)], repeated, (input,), shape=shape_fn, name=name)
