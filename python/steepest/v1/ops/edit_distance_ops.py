"""How many changes make one sequence of another, for sequences in sparse tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call, shape_of
from ..graph.fetches import SparseTensorValue
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from .sparse_array_ops import rank_of
from .sparse_ops import SparseTensor

__all__ = ["edit_distance"]


def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Any:
    """Return how many changes make the sequence of ``truth`` of that of ``hypothesis``, which the last axis holds.

    A change adds, drops or replaces one element. With ``normalize`` the numbers are divided by the length in
    ``truth``: infinity for something of nothing.

    Args:
        hypothesis, truth: `SparseTensor` or its value, of one type and one number of axes.

    Source: ``tf.edit_distance``; V. Levenshtein, "Binary codes capable of correcting deletions, insertions, and
    reversals" (1966).
    """
    for what, given in (("Hypothesis", hypothesis), ("Truth", truth)):
        if not isinstance(given, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"{what} must be a SparseTensor.")
    left, right = SparseTensor.from_value(hypothesis), SparseTensor.from_value(truth)
    if left.dtype != right.dtype:
        raise ValueError(f"edit_distance: expected values of one type, got {left.dtype.name} and {right.dtype.name}")
    for what, sparse in (("Hypothesis", left), ("Truth", right)):
        if (ndim := shape_of(sparse.dense_shape)) and ndim[0] is not None and not executing_eagerly():
            _check_rank(what, ndim[0])
    parts = [part for each in (left, right) for part in (each.indices, each.values, each.dense_shape)]

    def distances(*arrays: Any) -> Any:
        sizes = [array_of(arrays[k]) for k in (2, 5)]
        for kind, given in zip(("Hypothesis", "Truth"), sizes, strict=True):
            _check_rank(kind, len(given))
        if len(sizes[0]) != len(sizes[1]):
            raise ValueError(f"truth should have the rank of hypothesis, but got {len(sizes[1])} and {len(sizes[0])}")
        out = np.zeros(np.maximum(*sizes)[:-1], np.float32)
        ours, theirs = _sequences(*arrays[:2]), _sequences(*arrays[3:5])
        for place in ours.keys() | theirs.keys():
            if any(not 0 <= at < size for at, size in zip(place, out.shape, strict=True)):
                product = int(np.dot(place, [int(np.prod(out.shape[k + 1 :])) for k in range(out.ndim)]))
                told = "which would require writing to outside of the buffer for the output tensor"
                raise ValueError(f"The place {list(place)} has the inner product {product} {told}")
            one, other = ours.get(place, []), theirs.get(place, [])
            changes = float(_levenshtein(one, other))
            out[place] = changes if not normalize else changes / len(other) if other else np.inf
        return out

    return call(
        "EditDistance",
        distances,
        parts,
        name=name,
        shape=_shape(left, right),
        dtype="float32",
        same=False,
        differentiable=False,
    )


def _check_rank(what: str, ndim: int) -> None:
    if ndim < 2:
        told = f"but {what.lower()}_shape rank is: {ndim}"
        raise ValueError(f"Input {what} SparseTensors must have rank at least 2, {told}")


def _shape(left: SparseTensor, right: SparseTensor) -> Any:
    """Return what is known of the result's shape before a session runs."""
    one, other = (constant_value(each.dense_shape) for each in (left, right))
    if one is not None and other is not None and len(one) == len(other):
        return tuple(int(size) for size in np.maximum(one, other)[:-1])
    ndim = rank_of(left) or rank_of(right)
    return None if ndim is None or shape_of(left.dense_shape) is None else (None,) * (ndim - 1)


def _sequences(indices: Any, values: Any) -> dict[tuple[int, ...], list[Any]]:
    """Return the elements of each place but for the last axis, in the order of their indices."""
    found: dict[tuple[int, ...], list[Any]] = {}
    for place, value in zip(array_of(indices).tolist(), array_of(values).tolist(), strict=True):
        found.setdefault(tuple(place[:-1]), []).append(value)
    return found


def _levenshtein(one: list[Any], other: list[Any]) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]
