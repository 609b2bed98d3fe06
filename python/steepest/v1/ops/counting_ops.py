"""What a tensor holds and how often: differences of sets, counts, confusion matrices. No gradient flows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call, convert
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.results import ListDiff
from ..graph.run_values import array_of

__all__ = ["bincount", "confusion_matrix", "setdiff1d"]


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
        None if v is None else int(shape_inference.static_argument("bincount", "minlength and maxlength", v))
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
    known = (
        None
        if num_classes is None
        else int(shape_inference.static_argument("confusion_matrix", "num_classes", num_classes))
    )

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
