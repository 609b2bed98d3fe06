"""Sorting, the k largest, shifting, repeating, counting."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call, convert
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.results import ListDiff, TopKV2
from ..graph.run_values import array_of
from .array_ops import as_sizes, sizes_of
from .slice_ops import sliced

__all__ = [
    "argsort",
    "bincount",
    "broadcast_to",
    "confusion_matrix",
    "in_top_k",
    "repeat",
    "roll",
    "setdiff1d",
    "sort",
    "strided_slice",
    "top_k",
]


def _order(x: Any, axis: int, direction: str) -> Any:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"direction must be 'ASCENDING' or 'DESCENDING', got {direction!r}")
    values = array_of(x)
    if direction == "ASCENDING":
        return np.argsort(values, axis=axis, kind="stable")
    # Equal elements keep their order also where the largest come first.
    turned = np.argsort(np.flip(values, axis), axis=axis, kind="stable")
    return np.flip(values.shape[axis] - 1 - turned, axis)


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    """Return the elements in order along an axis."""

    def ordered(x: Any) -> Any:
        return np.take_along_axis(x, _order(x, axis, direction), axis)

    return call("Sort", ordered, (values,), name=name, shape=shape_inference.same)


def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Any:
    """Return the positions that put the elements in order along an axis; of equal ones the first comes first."""
    return call(
        "ArgSort",
        lambda x: _order(x, axis, direction).astype(np.int32),
        (values,),
        name=name,
        shape=shape_inference.same,
        dtype="int32",
        differentiable=False,
    )


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Any:
    """Return the elements shifted along an axis; what leaves at one end enters at the other."""
    arrays = (shape_inference.fixed("roll", "shift and axis", value) for value in (shift, axis))
    by, along = (tuple(np.atleast_1d(value).tolist()) for value in arrays)
    return call("Roll", lambda x: np.roll(x, by, along), (input,), name=name, shape=shape_inference.same)


def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Any:
    """Return the elements (or slices along ``axis``) repeated."""
    times = shape_inference.fixed("repeat", "repeats", repeats)

    def shape_fn(input_shape: Any) -> Any:
        if axis is None:
            count = None if input_shape is None or None in input_shape else int(np.prod(input_shape, dtype=np.int64))
            return (None if count is None else int(np.broadcast_to(times, count).sum()),)
        if input_shape is None:
            return None
        at = axis % len(input_shape)
        size = None if input_shape[at] is None else int(np.broadcast_to(times, input_shape[at]).sum())
        return (*input_shape[:at], size, *input_shape[at + 1 :])

    counts: Any = times if times.ndim else int(times)
    return call("Repeat", lambda x: np.repeat(x, counts, axis), (input,), name=name, shape=shape_fn)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """Return the tensor repeated to a shape, by NumPy's rules."""
    sizes = sizes_of(shape)
    if isinstance(sizes, Node):
        result_shape = shape_inference.shape_value(sizes._tensor())
        dtype = None if executing_eagerly() else convert(input).dtype
        return call(
            "BroadcastTo",
            lambda x, s: np.broadcast_to(x, as_sizes(s)),
            (input, sizes),
            name=name,
            shape=result_shape,
            dtype=dtype,
            same=False,
        )

    def shape_fn(input_shape: Any) -> Any:
        if shape_inference.broadcast(input_shape, sizes) not in (None, sizes):
            raise ValueError(f"Shapes {input_shape} and {sizes} are incompatible")
        return sizes

    return call("BroadcastTo", lambda x: np.broadcast_to(x, sizes), (input,), name=name, shape=shape_fn)


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Any:
    """Return ``input_[begin:end:strides]``, with a value for each of the first axes.

    Bit k of ``begin_mask`` or ``end_mask`` leaves out the bound of axis k; of ``shrink_axis_mask``, drops the axis.
    Raises ValueError for the other masks.
    """
    if ellipsis_mask or new_axis_mask:
        raise ValueError("strided_slice: ellipsis_mask and new_axis_mask must be 0; write x[..., None] instead")
    first, last = (shape_inference.fixed("strided_slice", "begin and end", v).tolist() for v in (begin, end))
    steps = [1] * len(first) if strides is None else shape_inference.fixed("strided_slice", "strides", strides).tolist()
    index: list[Any] = []
    for k, (a, b, step) in enumerate(zip(first, last, steps, strict=True)):
        if shrink_axis_mask >> k & 1:
            index.append(a)
        else:
            index.append(slice(None if begin_mask >> k & 1 else a, None if end_mask >> k & 1 else b, step))
    key = tuple(index)

    def shape_fn(input_shape: Any) -> Any:
        return None if input_shape is None else sliced(key)(input_shape)

    return call("StridedSlice", lambda x: x[key], (input_,), name=name, shape=shape_fn)


def top_k(input: Any, k: int = 1, sorted: bool = True, name: str | None = None) -> Any:
    """Return ``values`` and ``indices`` of the k largest along the last axis, the first of equal ones first."""
    count = int(shape_inference.fixed("top_k", "k", k))

    def order(x: Any) -> Any:
        if x.shape[-1] < count:
            raise ValueError(f"input must have at least k = {count} columns, had {x.shape[-1]}")
        return np.argsort(-array_of(x), axis=-1, kind="stable")[..., :count]

    def shape_fn(shape: Any) -> Any:
        if shape is not None and not shape:
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        if shape is not None and shape[-1] is not None and shape[-1] < count:
            raise ValueError(f"input must have last dimension >= k = {count} but is {shape[-1]}")
        return None if shape is None else (*shape[:-1], count)

    values = call("TopKV2", lambda x: np.take_along_axis(x, order(x), -1), (input,), name=name, shape=shape_fn)
    indices = call(
        "TopKV2",
        lambda x: order(x).astype(np.int32),
        (input,),
        name=name,
        shape=shape_fn,
        dtype="int32",
        differentiable=False,
    )
    return TopKV2(values, indices)


def in_top_k(predictions: Any, targets: Any, k: int, name: str | None = None) -> Any:
    """Tell for each row whether its target is among the k largest predictions; ties count for the target."""

    def inside(scores: Any, ids: Any) -> Any:
        scores, ids = array_of(scores), array_of(ids)
        own = np.take_along_axis(scores, ids[:, None], 1)
        return np.sum(scores > own, axis=1) < k

    return call(
        "InTopK",
        inside,
        (predictions, targets),
        name=name,
        same=False,
        dtype="bool",
        shape=lambda p, t: (None,) if t is None else t,
        differentiable=False,
    )


# Counting, without gradient


def setdiff1d(x: Any, y: Any, index_dtype: Any = "int32", name: str | None = None) -> Any:
    """Return the values of x that are not in y, in order, and their positions."""
    index_dtype = as_dtype(index_dtype)

    def compute(a: Any, b: Any) -> Any:
        a, b = array_of(a), array_of(b)
        at = np.flatnonzero(~np.isin(a, b))
        return a[at], at.astype(index_dtype.dtype)

    if executing_eagerly():
        return ListDiff(*call("ListDiff", compute, (x, y)))
    a = convert(x)
    parts = call(
        "ListDiff",
        compute,
        (a, y),
        name=name,
        shape=[(None,), (None,)],
        dtype=[a.dtype.base_dtype, index_dtype],
        outputs=2,
        differentiable=False,
    )
    return ListDiff(*parts)


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = "int32",
    name: str | None = None,
) -> Any:
    """Return how often each of 0, 1, ... comes, or the sum of its weights."""
    dtype = as_dtype(dtype)
    minimum_length, maximum_length = (
        None if v is None else int(shape_inference.fixed("bincount", "minlength and maxlength", v))
        for v in (minlength, maxlength)
    )

    def counted(values: Any, *weight_values: Any) -> Any:
        flat = array_of(values).ravel()
        share = array_of(weight_values[0]).ravel() if weight_values else None
        counts = np.bincount(flat, share, minlength=minimum_length or 0)
        counts = counts if maximum_length is None else counts[:maximum_length]
        return counts.astype(dtype.dtype if share is None else share.dtype)

    inputs = (arr,) if weights is None else (arr, weights)
    out = dtype if weights is None or executing_eagerly() else convert(weights).dtype
    return call("Bincount", counted, inputs, name=name, shape=(None,), dtype=out, same=False, differentiable=False)


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    dtype: Any = "int32",
    name: str | None = None,
    weights: Any = None,
) -> Any:
    """Return how often each label (row) was given each prediction (column)."""
    dtype = as_dtype(dtype)
    known = None if num_classes is None else int(shape_inference.fixed("confusion_matrix", "num_classes", num_classes))

    def counted(z: Any, p: Any, *weight_values: Any) -> Any:
        z, p = array_of(z).ravel(), array_of(p).ravel()
        size = known or int(max(z.max(initial=-1), p.max(initial=-1))) + 1
        out = np.zeros((size, size), dtype.dtype)
        np.add.at(out, (z, p), array_of(weight_values[0]).ravel().astype(dtype.dtype) if weight_values else 1)
        return out

    inputs = (labels, predictions) if weights is None else (labels, predictions, weights)
    return call(
        "ConfusionMatrix",
        counted,
        inputs,
        name=name,
        shape=(known, known),
        dtype=dtype,
        same=False,
        differentiable=False,
    )
