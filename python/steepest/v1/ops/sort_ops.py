"""Order: sorting, and the k largest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call
from ..graph.results import TopKV2
from ..graph.run_values import array_of

__all__ = [
    "argsort",
    "in_top_k",
    "sort",
    "top_k",
]


def _order(x: Any, axis: int, direction: str) -> Any:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"direction must be 'ASCENDING' or 'DESCENDING', got {direction!r}")
    values = array_of(x)
    if direction == "ASCENDING":
        return np.argsort(values, axis=axis, kind="stable")
    # Equal elements keep their order in a descending sort too: sort the reversed array, and reverse the result.
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


def top_k(input: Any, k: int = 1, sorted: bool = True, name: str | None = None) -> Any:
    """Return ``values`` and ``indices`` of the k largest along the last axis, the first of equal ones first."""
    count = int(shape_inference.static_argument("top_k", "k", k))

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
        target_scores = np.take_along_axis(scores, ids[:, None], 1)
        return np.sum(scores > target_scores, axis=1) < k

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
