"""What a tensor holds and how often: different values, counts, confusion matrices. No gradient flows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.arguments import as_count, call_with
from ..graph.build import call, convert
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.results import ListDiff, Unique, UniqueWithCounts
from ..graph.run_values import array_of

__all__ = ["bincount", "confusion_matrix", "setdiff1d", "unique", "unique_with_counts"]


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
        shape=_of_vectors,
        dtype=[a.dtype.base_dtype, index_dtype],
        outputs=2,
        differentiable=False,
    )
    return ListDiff(*parts)


def _of_vectors(*shapes: Any) -> Any:
    for known in shapes:
        if known is not None and len(known) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(known)}")
    return [(None,), (None,)]


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

    def counted(least: Any, most: Any, values: Any, *weight_values: Any) -> Any:
        flat = array_of(values).ravel()
        if flat.dtype.kind == "f" and not flat.size:  # an empty list has no integers
            flat = flat.astype(np.int64)
        share = array_of(weight_values[0]).ravel() if weight_values else None
        counts = np.bincount(flat, share, minlength=least or 0)
        counts = counts if most is None else counts[:most]
        return counts.astype(dtype.dtype if share is None else share.dtype)

    inputs = (arr,) if weights is None else (arr, weights)
    out = dtype if weights is None or executing_eagerly() else convert(weights).dtype
    return call_with(
        "Bincount",
        [(minlength, as_count), (maxlength, as_count)],
        counted,
        inputs,
        shape=(None,),
        name=name,
        dtype=out,
        same=False,
        differentiable=False,
    )


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

    def counted(classes: Any, z: Any, p: Any, *weight_values: Any) -> Any:
        z, p = array_of(z), array_of(p)
        if z.size != p.size:
            raise ValueError(f"Shapes {z.shape} and {p.shape} of labels and predictions are not compatible")
        z, p = z.ravel(), p.ravel()
        size = int(max(z.max(initial=-1), p.max(initial=-1))) + 1 if classes is None else classes
        for which, ids in (("labels", z), ("predictions", p)):
            if ids.min(initial=0) < 0:
                raise ValueError(f"`{which}` contains negative values: {ids.min()}")
            if ids.max(initial=-1) >= size:
                fault = f"`{which}` out of bound: Condition x < y did not hold element-wise: {ids.max()} and {size}"
                raise ValueError(fault)
        out = np.zeros((size, size), dtype.dtype)
        np.add.at(out, (z, p), array_of(weight_values[0]).ravel().astype(dtype.dtype) if weight_values else 1)
        return out

    def shape_fn(classes: Any, first: Any = None, second: Any = None, *_: Any) -> Any:
        known = [shape for shape in (first, second) if shape is not None and None not in shape]
        if len({math.prod(shape) for shape in known}) > 1:
            raise ValueError(f"Dimension 0 in both shapes must be equal, but are {first} and {second}")
        size = None if isinstance(classes, Tensor) else classes
        return (size, size)

    return call_with(
        "ConfusionMatrix",
        [(num_classes, as_count)],
        counted,
        (labels, predictions) if weights is None else (labels, predictions, weights),
        shape=shape_fn,
        name=name,
        dtype=dtype,
        same=False,
        differentiable=False,
    )


def _unique(x: Any) -> tuple[Any, Any, Any]:
    values, first, inverse, counts = np.unique(
        array_of(x), return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    order = np.argsort(first, kind="stable")  # TensorFlow keeps the order of first appearance
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return values[order], place[inverse.ravel()], counts[order]


def unique(x: Any, out_idx: Any = "int32", name: str | None = None) -> Any:
    """Return the different values in order of their first appearance, and for each element which of them it is."""
    return Unique(*_different("Unique", 2, x, out_idx, name))


def unique_with_counts(x: Any, out_idx: Any = "int32", name: str | None = None) -> Any:
    """Return what `unique` returns, and how often each value comes."""
    return UniqueWithCounts(*_different("UniqueWithCounts", 3, x, out_idx, name))


def _different(op_type: str, count: int, x: Any, out_idx: Any, name: str | None) -> Any:
    index_dtype = as_dtype(out_idx)

    def compute(values: Any) -> Any:
        if np.ndim(values) != 1:
            raise ValueError(f"unique expects a 1D vector, got one of {np.ndim(values)} dimensions")
        different, positions, counts = _unique(values)
        return (different, positions.astype(index_dtype.dtype), counts.astype(index_dtype.dtype))[:count]

    def shape_fn(known: Any) -> Any:
        if known is not None and len(known) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(known)}")
        return [(None,), known, (None,)][:count]

    if executing_eagerly():
        return call(op_type, compute, (x,))
    tensor = convert(x)
    return call(
        op_type,
        compute,
        (tensor,),
        name=name,
        shape=shape_fn,
        dtype=[tensor.dtype.base_dtype, index_dtype, index_dtype][:count],
        outputs=count,
        differentiable=False,
    )
