"""Order: sorting, searching, permutations, and the k largest."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from ...ops.dispatch import is_recorded
from ..graph import shape_inference
from ..graph.arguments import as_count, call_with
from ..graph.build import call, convert, dtype_of, graph_of
from ..graph.dtypes import as_dtype, dtype_or
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.results import TopKV2
from ..graph.run_values import array_of
from ..graph.static_values import constant_value

__all__ = [
    "argsort",
    "in_top_k",
    "invert_permutation",
    "nth_element",
    "searchsorted",
    "sort",
    "top_k",
]


def _check_direction(direction: str) -> None:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            f"Argument `direction` should be one of ASCENDING, DESCENDING. Received: direction={direction}"
        )


def _known_axis(axis: Any) -> int:
    """Return an axis that is a number, or a constant tensor of one; ValueError for anything else."""
    known = axis if isinstance(axis, int) else constant_value(convert(axis))
    if known is None or np.ndim(known):
        raise ValueError(f"Argument `axis` must be a constant scalar. Received: axis={axis}.")
    return int(known)


def _order(x: Any, axis: int, direction: str) -> Any:
    values = array_of(x)
    if direction == "ASCENDING":
        return np.argsort(values, axis=axis, kind="stable")
    # Equal elements keep their order in a descending sort too: sort the reversed array, and reverse the result.
    turned = np.argsort(np.flip(values, axis), axis=axis, kind="stable")
    return np.flip(values.shape[axis] - 1 - turned, axis)


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    """Return the elements in order along an axis. Raises ValueError for another direction."""
    _check_direction(direction)
    axis = _known_axis(axis)

    def ordered(x: Any) -> Any:
        return np.take_along_axis(x, _order(x, axis, direction), axis)

    return call("Sort", ordered, (values,), name=name, shape=partial(_with_axis, axis))


def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Any:
    """Return the positions that put the elements in order along an axis; of equal ones the first comes first."""
    _check_direction(direction)
    axis = _known_axis(axis)
    return call(
        "ArgSort",
        lambda x: _order(x, axis, direction).astype(np.int32),
        (values,),
        name=name,
        shape=partial(_with_axis, axis),
        dtype="int32",
        differentiable=False,
    )


def _with_axis(axis: int, shape: Any) -> Any:
    if shape is not None and not -len(shape) <= axis < len(shape):
        raise ValueError(f"slice index {axis} of dimension 0 out of bounds.")
    return shape


def _descending(x: Any) -> Any:
    """Return the positions from the largest to the smallest along the last axis, the first of equal ones first."""
    if x.dtype.kind == "f":
        return np.argsort(-x, axis=-1, kind="stable")
    # The negative of an integer may not fit its type.
    return x.shape[-1] - 1 - np.flip(np.argsort(np.flip(x, -1), axis=-1, kind="stable"), -1)


def top_k(input: Any, k: Any = 1, sorted: bool = True, index_type: Any = "int32", name: str | None = None) -> Any:
    """Return ``values`` and ``indices`` of the k largest along the last axis, the first of equal ones first.

    The indices are of ``index_type``: int16, int32 or int64.
    """
    positions_type = as_dtype(index_type)

    def order(count: int, x: Any) -> Any:
        if count < 0:
            raise ValueError(f"Need k >= 0, got {count}")
        if not x.ndim:
            raise ValueError("input must be >= 1-D, got shape []")
        if x.shape[-1] < count:
            raise ValueError(f"input must have at least k columns. Had {x.shape[-1]}, needed {count}")
        return _descending(array_of(x))[..., :count]

    def shape_fn(count: Any, shape: Any) -> Any:
        if shape is not None and not shape:
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        if isinstance(count, Tensor):
            return None if shape is None else (*shape[:-1], None)
        if count < 0:
            raise ValueError(f"Need k >= 0, got {count}")
        if shape is not None and shape[-1] is not None and shape[-1] < count:
            raise ValueError(f"input must have last dimension >= k = {count} but is {shape[-1]}")
        return None if shape is None else (*shape[:-1], count)

    def largest(count: int, x: Any) -> Any:
        positions = order(count, x)
        return np.take_along_axis(x, positions, -1), positions.astype(positions_type.dtype)

    def shapes(count: Any, shape: Any) -> Any:
        return [shape_fn(count, shape)] * 2

    arguments = [(k, as_count)]
    if executing_eagerly():
        return TopKV2(*call_with("TopKV2", arguments, largest, (input,), shape=shapes, name=name))
    with graph_of([input, k]).as_default():
        tensor = convert(input)
        dtypes = [tensor.dtype.base_dtype, positions_type]
        return TopKV2(
            *call_with("TopKV2", arguments, largest, (tensor,), shape=shapes, dtype=dtypes, outputs=2, name=name)
        )


def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Any:
    """Tell for each row whether its target is among the k largest predictions; ties count for the target."""

    def inside(count: int, scores: Any, ids: Any) -> Any:
        scores, ids = array_of(scores), array_of(ids)
        there = (ids >= 0) & (ids < scores.shape[1])
        own = np.take_along_axis(scores, np.where(there, ids, 0)[:, None], 1)
        finite = np.all(np.isfinite(scores), axis=1)
        return there & finite & (np.sum(scores > own, axis=1) < count)

    def shape_fn(count: Any, p: Any, t: Any) -> Any:
        for shape, rank in ((p, 2), (t, 1)):
            if shape is not None and len(shape) != rank:
                raise ValueError(f"Shape must be rank {rank} but is rank {len(shape)}")
        return shape_inference.merged(t, None if p is None else (p[0],), (None,))

    return call_with(
        "InTopK",
        [(k, as_count)],
        inside,
        (predictions, targets),
        shape=shape_fn,
        name=name,
        same=False,
        dtype="bool",
        differentiable=False,
    )


def invert_permutation(x: Any, name: str | None = None) -> Any:
    """Return the permutation that undoes ``x``. Raises InvalidArgumentError, when a session runs, for repeats."""

    def inverse(p: Any) -> Any:
        p = array_of(p)
        if not np.array_equal(np.sort(p), np.arange(p.size)):
            wrong = next(each for k, each in enumerate(p.tolist()) if not 0 <= each < p.size or each in p[:k])
            why = "is duplicated in the input." if 0 <= wrong < p.size else f"is not between 0 and {p.size}"
            raise ValueError(f"{wrong} {why}")
        return np.argsort(p).astype(p.dtype)

    def shape_fn(shape: Any) -> Any:
        if shape is not None and len(shape) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(shape)}")
        return (None,) if shape is None else shape

    if not dtype_of(x).is_integer:
        raise TypeError(f"invert_permutation: x must hold integers, got {dtype_of(x).name}")

    return call(
        "InvertPermutation",
        inverse,
        (x,),
        name=name,
        shape=shape_fn,
        differentiable=False,
    )


def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = "int32", name: str | None = None
) -> Any:
    """Return where values belong in a sorted vector; of arrays, row by row along the last axis."""
    dtype = dtype_or(out_type, "int32")
    where: Any = side

    def searched(s: Any, v: Any) -> Any:
        rows, wanted = array_of(s), array_of(v)
        if math.prod(rows.shape[:-1]) != math.prod(wanted.shape[:-1]):
            raise ValueError(f"the leading axes of {rows.shape} and {wanted.shape} must be of one size")
        found = np.empty(wanted.shape, dtype.dtype)
        for row, other in zip(np.ndindex(rows.shape[:-1]), np.ndindex(wanted.shape[:-1]), strict=True):
            found[other] = np.searchsorted(rows[row], wanted[other], side=where)
        return found

    return call(
        "SearchSorted",
        searched,
        (sorted_sequence, values),
        name=name,
        shape=lambda s, v: v,
        dtype=dtype,
        differentiable=False,
    )


def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> Any:
    """Return the value at the place ``n`` of the sorted last axis; ``reverse`` counts from the largest.

    Elements that are equal to it share its gradient.
    """

    def pick(place: int, x: Any) -> Any:
        if not x.ndim:
            raise ValueError("Input must be >= 1-D, got shape []: must be at least rank 1 but is rank 0")
        if place < 0:
            raise ValueError(f"Need n >= 0, got {place}: must be non-negative but is {place}")
        size = x.shape[-1]
        if size <= place:
            raise ValueError(
                f"Input must have at least n+1 columns: must have last dimension > n = {place} but is {size}"
            )
        values = array_of(x)
        at = size - 1 - place if reverse else place
        found = np.take(np.sort(values, axis=-1), [at], axis=-1)
        if not is_recorded(x):
            return found[..., 0]
        # The mean of the equal ones: its gradient is a part for each.
        equal = values == found
        share = equal.astype(values.dtype) / np.sum(equal, axis=-1, keepdims=True).astype(values.dtype)
        return np.sum(np.where(equal, x, values.dtype.type(0)) * share, axis=-1)

    def shape_fn(place: Any, shape: Any) -> Any:
        if shape == ():
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        if shape is None:
            return None
        if not isinstance(place, Node) and shape[-1] is not None and shape[-1] <= place:
            raise ValueError(f"Input must have last dimension > n = {place} but is {shape[-1]}")
        return shape[:-1]

    if not isinstance(n, Node) and np.ndim(n):
        raise ValueError(f"Shape must be scalar but has rank {np.ndim(n)}")
    if not isinstance(n, Node) and n < 0:
        raise ValueError(f"Dimension size, given by scalar input 1, must be non-negative but is {n}")
    return call_with("NthElement", [(n, as_count)], pick, (input,), name=name, shape=shape_fn, same=False)
