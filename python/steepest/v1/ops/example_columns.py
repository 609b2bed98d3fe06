"""The values that messages have for features, as arrays: dense ones, rows filled up, sparse ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..graph.build import call
from ..graph.dtypes import as_dtype
from .example_features import Column
from .example_messages import Feature
from .sparse_ops import SparseTensor

__all__ = [
    "CALLED",
    "KINDS",
    "Groups",
    "dense",
    "outputs",
    "padded",
    "places",
    "sparse_arrays",
    "together",
    "values_of",
]

KINDS = {"string": "bytes_list", "float32": "float_list", "int64": "int64_list"}
"""The lists of a `Feature` that have values of each type."""
CALLED = {"string": "string", "float32": "float", "int64": "int64"}
"""What messages call the types."""

Groups: TypeAlias = list[list[tuple[Column, int, tuple[int | None, ...]]]]
"""Columns, each with the number of axes of a sparse one, and the first axes of a dense one."""


def values_of(feature: Feature | None, column: Column, mistyped: Callable[[str], str]) -> list[Any] | None:
    """Return the values of a feature, None where there are none.

    Raises ValueError for values of another type, with the words that ``mistyped`` gives for what they are.
    """
    kind = None if feature is None else feature.WhichOneof("kind")
    if feature is None or kind is None:
        return None
    if kind != KINDS[column.dtype.name]:
        raise ValueError(mistyped(kind))
    found: list[Any] = getattr(feature, kind).value
    return found


def dense(rows: list[list[Any]], column: Column, lead: Sequence[int]) -> Any:
    """Return rows of values as one array, whose first axes are ``lead``."""
    return np.array(rows, column.dtype.dtype).reshape([*lead, *column.shape])


def padded(several: list[list[Any]], column: Column) -> Any:
    """Return lists of values below each other: rows of the column's shape, filled up to the most rows."""
    most = max((len(values) // column.size for values in several if column.size), default=0)
    fill = column.default[0] if column.default else b"" if column.dtype.name == "string" else 0
    rows = [[*values, *[fill] * (most * column.size - len(values))] for values in several]
    return dense(rows, column, (len(several), most))


def places(rows: list[list[Any]], lead: Sequence[int] = ()) -> list[list[int]]:
    """Return where the values of rows are, behind the places ``lead``."""
    return [[*lead, k, j] for k, row in enumerate(rows) for j in range(len(row))]


def sparse_arrays(found: list[list[int]], values: list[Any], column: Column, shape: Sequence[int]) -> list[Any]:
    """Return the three arrays of a sparse tensor."""
    where = np.array(found, np.int64).reshape(-1, len(shape))
    return [where, np.array(values, column.dtype.dtype), np.array(shape, np.int64)]


def together(arrays: list[Any]) -> Any:
    """Return what an operation with so many results gives: one of them by itself."""
    return tuple(arrays) if len(arrays) > 1 else arrays[0]


def outputs(
    kind: str,
    function: Callable[..., Any],
    inputs: Sequence[Any],
    groups: Groups,
    name: str | None,
    lengths: int = 0,
    lengths_shape: tuple[int | None, ...] = (),
) -> list[Any]:
    """Return one dict of tensors by name for each group of columns; then ``lengths`` more tensors, integers, in a list.

    Args:
        function: gives for each group a list of three arrays a sparse column, and of one a dense one.
        groups: what is read, dict by dict.
    """
    dtypes: list[Any] = []
    shapes: list[Any] = []
    for group in groups:
        for column, ndim, lead in group:
            sparse = column.kind == "sparse"
            dtypes += ["int64", column.dtype, "int64"] if sparse else [column.dtype]
            shapes += [(None, ndim), (None,), (ndim,)] if sparse else [(*lead, *column.shape)]
    dtypes += ["int64"] * lengths
    shapes += [lengths_shape] * lengths
    found = iter(
        call(
            kind,
            function,
            inputs,
            name=name,
            shape=lambda *_: shapes,
            dtype=[as_dtype(dtype) for dtype in dtypes],
            outputs=len(dtypes),
            same=False,
            differentiable=False,
        )
    )
    made: list[Any] = [
        {
            column.key: SparseTensor(next(found), next(found), next(found)) if column.kind == "sparse" else next(found)
            for column, _, _ in group
        }
        for group in groups
    ]
    return [*made, list(found)]
