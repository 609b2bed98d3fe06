"""Operations that join tensors and cut them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.indexed_slices import IndexedSlices
from ..graph import shape_inference
from ..graph.arguments import as_axis, as_sizes, call_with
from ..graph.build import convert, graph_of, pack, shape_of
from ..graph.constants import constant_array
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.scopes import name_scope
from ..graph.shapes import bracketed
from .array_ops import identity
from .old_arguments import is_axis

__all__ = ["concat", "split", "stack", "unstack"]


def concat(values: Any, axis: Any = None, name: str = "concat", concat_dim: Any = None) -> Any:
    """Join tensors along an axis; before TensorFlow 1.0 the axis, ``concat_dim``, came first, and may here.

    Raises ValueError where their other sizes are known to differ.
    """
    if is_axis(values) and isinstance(axis, (list, tuple)):
        values, axis = axis, values
    axis = concat_dim if axis is None else axis
    if axis is None:
        raise TypeError("concat() missing 1 required positional argument: 'axis'")
    parts = list(values) if isinstance(values, (list, tuple)) else [values]
    if not parts:
        raise ValueError("List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 1")

    def shape_fn(at: Any, *shapes: Any) -> Any:
        known = [s for s in shapes if s is not None]
        if not known:
            return None
        ndim = len(known[0])
        if not all(known):
            raise ValueError("Can't concatenate scalars (use tf.stack instead)")
        if any(len(s) != ndim for s in known):
            raise ValueError(f"Shapes must be equal rank and at least 1, but are {[len(s) for s in known]}")
        if isinstance(at, Tensor):
            return (None,) * ndim
        if not -ndim <= at < ndim:
            raise ValueError(f"Shape must be at least rank {at + 1} but is rank {ndim}")
        along = at % ndim
        lengths = [None if s is None else s[along] for s in shapes]
        rest = shape_inference.merged(*((*s[:along], None, *s[along + 1 :]) for s in known)) or ()
        return (*rest[:along], None if None in lengths else sum(lengths), *rest[along + 1 :])

    if len(parts) == 1:
        if not is_axis(axis) and (np.ndim(axis) if not hasattr(axis, "shape") else len(axis.shape or ())):
            raise ValueError(f"concat: Shape of the axis must be rank 0, got {axis!r}")
        if isinstance(axis, float):
            raise TypeError(f"concat: the axis must be an integer, got {axis!r}")
        with name_scope(name):
            return identity(parts[0], name)
    return call_with(
        "ConcatV2",
        [(axis, as_axis)],
        _joined,
        parts,
        shape=shape_fn,
        name=name,
    )


def _joined(at: int, *arrays: Any) -> Any:
    try:
        return np.concatenate(arrays, axis=at)
    except ValueError:
        ndim = len(first := arrays[0].shape)
        if not all(array.ndim for array in arrays):
            raise ValueError("ConcatOp : Can't concatenate scalars (use tf.stack instead)") from None
        if not -ndim <= at < ndim:
            told = f"Expected concatenating dimensions in the range [{-ndim}, {ndim}), but got {at}"
            raise ValueError(f"ConcatOp : {told}") from None
        for k, array in enumerate(arrays):
            told = f"shape[0] = {bracketed(first)} vs. shape[{k}] = {bracketed(array.shape)}"
            if array.ndim != ndim:
                raise ValueError(f"ConcatOp : Ranks of all input tensors should match: {told}") from None
            if any(a != b for i, (a, b) in enumerate(zip(first, array.shape, strict=True)) if i != at % ndim):
                raise ValueError(f"ConcatOp : Dimensions of inputs should match: {told}") from None
        raise


def stack(values: Any, axis: int = 0, name: str = "stack") -> Any:
    """Put tensors of one shape beside each other along a new axis. Raises ValueError where the shapes differ."""
    if axis == 0 and not executing_eagerly() and _is_constant(values):
        return convert(values, name=name)  # constants of one type: a constant
    parts = list(values) if isinstance(values, (list, tuple)) else unstack(values)
    if parts and axis == 0 and executing_eagerly() and _is_python(parts):
        parts = list(constant_array(parts))  # of one type together, where each would have another
    if not parts:
        raise ValueError("List argument 'values' to 'Pack' Op with length 0 shorter than minimum length 1")
    return pack(parts, axis, name)


def _is_python(value: Any) -> bool:
    """Whether a value is made of Python's numbers alone."""
    return all(map(_is_python, value)) if isinstance(value, (list, tuple)) else type(value) in (int, float, bool)


def _is_constant(value: Any) -> bool:
    """Whether a value is made of numbers, texts and arrays alone."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_constant, value))
    return not isinstance(value, (Node, IndexedSlices))


def _pieces(
    op_type: str, arguments: Any, value: Any, take: Any, shape_fn: Any, count: int, name: str | None
) -> list[Any]:
    """Return the results of one operation: ``take(*arguments, array)`` gives the list of pieces of a tensor."""
    if not count:
        return []
    if executing_eagerly():
        return list(call_with(op_type, arguments, lambda *given: tuple(take(*given)), (value,), shape=None, name=name))
    with graph_of([value, *(argument for argument, _ in arguments)]).as_default():
        tensor = convert(value)
        return list(
            call_with(
                op_type,
                arguments,
                take if count > 1 else lambda *given: take(*given)[0],
                (tensor,),
                shape=shape_fn,
                dtype=[tensor.dtype.base_dtype] * count,
                outputs=count,
                name=name,
            )
        )


def _along(x: Any, axis: int, index: Any) -> Any:
    return x[(slice(None),) * (axis % np.ndim(x)) + (index,)]


def _no_axis(axis: int, ndim: int) -> ValueError:
    """Return the error, in the words of either TensorFlow, for an axis that is not there."""
    known = f"[{-ndim}, {ndim})"
    return ValueError(f"axis = {axis} not in {known}. Argument `axis` = {axis} not in range {known}")


def _size_along(value: Any, axis: int) -> int | None:
    known = shape_of(value)
    if known is not None and not -len(known) <= axis < len(known):
        raise _no_axis(axis, len(known))
    return None if known is None else known[axis]


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Any]:
    """Return the list of slices along an axis. Raises ValueError where their number is not known."""
    total = _size_along(value, axis)
    if None not in (num, total) and num != total:
        raise ValueError(f"Dimension must be {num} but is {total} for 'unstack'")
    count = total if num is None else num
    if count is None:
        known_shape = convert(value).shape
        told = f"Cannot infer num from shape {known_shape}. Cannot infer argument `num` from shape {known_shape}"
        raise ValueError(told)

    def take(x: Any) -> list[Any]:
        if not -np.ndim(x) <= axis < np.ndim(x):
            raise _no_axis(axis, np.ndim(x))
        if np.shape(x)[axis] != count:
            raise ValueError(f"Input shape axis {axis} must equal {count}, got shape {bracketed(np.shape(x))}")
        return [_along(x, axis, k) for k in range(count)]

    def shape_fn(known: Any) -> Any:
        at = None if known is None else axis % len(known)
        return [None if at is None else (*known[:at], *known[at + 1 :])] * count

    return _pieces("Unpack", (), value, take, shape_fn, count, name)


def split(
    value: Any,
    num_or_size_splits: Any = None,
    axis: Any = 0,
    num: Any = None,
    name: str = "split",
    split_dim: Any = None,
    num_split: Any = None,
) -> list[Any]:
    """Cut a tensor into pieces along an axis: a number of equal ones, or pieces of given sizes.

    Before TensorFlow 1.0 it was ``split(split_dim, num_split, value)``, and may be here.

    Raises ValueError where the axis does not divide.
    """
    if is_axis(value) and not is_axis(axis):
        value, axis = axis, value
    axis = axis if split_dim is None else split_dim
    num_or_size_splits = num_split if num_or_size_splits is None else num_or_size_splits
    if num_or_size_splits is None:
        raise TypeError("split() missing 1 required positional argument: 'num_or_size_splits'")
    if isinstance(axis, Node) and (fixed := shape_inference.known_value(axis._tensor())) is not None:
        axis = as_axis(fixed)
    total = None if isinstance(axis, Node) else _size_along(value, axis)
    if not isinstance(num_or_size_splits, (int, np.integer)):
        return _split_by_sizes(value, num_or_size_splits, axis, num, total, name)
    count = int(num_or_size_splits)
    if count < 1:
        raise ValueError(f"split: num_or_size_splits must be at least 1, got {count}")
    if total is not None and total % count:
        rule = "Number of ways to split should evenly divide the split dimension"
        raise ValueError(f"Dimension size must be evenly divisible by {count} but is {total}. {rule} for {name!r}")

    def take(at: int, x: Any) -> list[Any]:
        each, rest = divmod(_size_to_cut(x, at), count)
        if rest:
            raise ValueError(
                "Number of ways to split should evenly divide the split dimension, but got split_dim "
                f"{at} (size = {np.shape(x)[at]}) and num_split {count}"
            )
        return [_along(x, at, slice(k * each, (k + 1) * each)) for k in range(count)]

    def shape_fn(at: Any, known: Any) -> Any:
        return [_resized(known, at, None if total is None else total // count)] * count

    return _pieces("Split", [(axis, as_axis)], value, take, shape_fn, count, name)


def _size_to_cut(x: Any, at: int) -> int:
    ndim = np.ndim(x)
    if not -ndim <= at < ndim:
        raise ValueError(f"-input rank(-{ndim}) <= split_dim < input rank ({ndim}), but got {at}")
    return int(np.shape(x)[at])


def _resized(known: Any, axis: Any, size: int | None) -> Any:
    """Return a static shape with another size along an axis, which may be a tensor."""
    if known is None:
        return None
    at = None if isinstance(axis, Tensor) else axis % len(known)
    return tuple(None if at is None else size if k == at else old for k, old in enumerate(known))


def _as_split_axis(array: Any) -> int:
    if array.size != 1:
        raise ValueError("split_dim_tensor must have exactly one element.")
    return as_axis(array)


def _split_by_sizes(value: Any, sizes: Any, axis: Any, num: Any, total: int | None, name: str) -> list[Any]:
    """Cut a tensor into pieces of sizes that a run may feed; -1 stands for what is left."""
    known = shape_of(sizes)
    if known == ():
        raise ValueError("Rank-0 tensors are not supported as the num_or_size_splits argument to split.")
    count = known[0] if known and known[0] is not None else num
    if count is None:
        raise ValueError(f"Cannot infer num from shape {sizes!r}. Cannot infer argument `num` from shape {sizes!r}")
    if num is not None and num != count:
        raise ValueError(f"split: num must be the number of sizes, {count}, got {num}")

    def full(lengths: Any, size: int) -> list[int]:
        left = size - sum(length for length in lengths if length >= 0)
        pieces = [length if length >= 0 else left for length in lengths]
        negative = next((k for k, length in enumerate(lengths) if length < -1), None)
        if negative is not None:
            raise ValueError(f"Split size at index {negative} must be >= 0. Got: {lengths[negative]}")
        if left < 0 or sum(pieces) != size or len(pieces) != count:
            raise ValueError(
                "Determined shape must either match input shape along split_dim exactly if fully specified, or be less "
                f"than the size of the input along split_dim if not fully specified.  Got: {list(lengths)} of {size}"
            )
        return pieces

    def take(lengths: Any, at: int, x: Any) -> list[Any]:
        ends = np.cumsum([0, *full(lengths, _size_to_cut(x, at))]).tolist()
        return [_along(x, at, slice(ends[k], ends[k + 1])) for k in range(count)]

    def shape_fn(lengths: Any, at: Any, input_shape: Any) -> Any:
        if isinstance(lengths, Tensor):
            each: list[int | None] = [None] * count
        elif total is None:
            each = [None if length == -1 else length for length in lengths]
        else:
            each = [*full(lengths, total)]
        return [_resized(input_shape, at, size) for size in each]

    return _pieces("SplitV", [(sizes, as_sizes), (axis, _as_split_axis)], value, take, shape_fn, count, name)
