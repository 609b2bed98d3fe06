"""Elements by their positions along several axes: gather_nd, scatter_nd."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ops.scatter import IndexedCotangent
from ...ops.vjps.indexing import gather as _gather
from ..graph import shape_inference
from ..graph.arguments import as_vector, call_with
from ..graph.build import call, shape_of
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.shapes import compatible, text
from .gather_ops import bracketed

__all__ = ["gather_nd", "scatter_nd"]


def _listed(numbers: Any) -> str:
    return f"[{','.join(map(str, numbers))}]"


def _check_places(where: Any, shape: tuple[int, ...], lead: int) -> None:
    """Raise IndexError, in TensorFlow's words, for the first of several positions that is not in a shape."""
    if not math.prod(shape) and math.prod(where.shape[:-1]) and where.shape[-1] == len(shape):
        raise IndexError(f"Requested more than 0 entries, but params is empty.  Params shape: {_listed(shape)}")
    sizes = np.array(shape[lead : lead + where.shape[-1]], np.int64)
    bad = np.any((where < 0) | (where >= sizes), axis=-1)
    if bad.any():
        first = tuple(np.argwhere(bad)[0].tolist())
        wanted = _listed(where[first].tolist())
        raise IndexError(f"indices{bracketed(first)} = {wanted} does not index into param shape {_listed(shape)}")


def gather_nd(params: Any, indices: Any, name: str | None = None, batch_dims: int = 0) -> Any:
    """Return ``params[tuple(indices[..., :])]``: the last axis of ``indices`` holds positions.

    The first ``batch_dims`` axes of both belong together.
    """
    if batch_dims:
        return _gather_by_batch(params, indices, int(batch_dims), name)

    def take(x: Any, where: Any) -> Any:
        where = array_of(where)
        _check_places(where, x.shape, 0)
        if not where.shape[-1]:  # no position: the whole, again and again
            return np.broadcast_to(x, (*where.shape[:-1], *x.shape))
        return x[tuple(where[..., k] for k in range(where.shape[-1]))]

    def shape_fn(x: Any, where: Any) -> Any:
        if where == ():
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        if x is not None and where is not None and where[-1] is not None and where[-1] > len(x):
            raise ValueError(f"index innermost dimension length must be <= params rank; saw: {where[-1]} vs. {len(x)}")
        return None if x is None or where is None or where[-1] is None else (*where[:-1], *x[where[-1] :])

    def rows(x: Any, where: Any) -> Any:
        ids = array_of(where)
        _check_places(ids, x.shape, 0)
        return _gather(x, ids[..., 0])

    known = shape_of(indices)
    if known and known[-1] == 1:  # whole rows: the gradient is sparse
        return call(
            "GatherNd",
            rows,
            (params, indices),
            name=name,
            shape=shape_fn,
            same=False,
            rows_of=0,
        )
    return call("GatherNd", take, (params, indices), name=name, shape=shape_fn, same=False)


def _gather_by_batch(params: Any, indices: Any, lead: int, name: str | None) -> Any:
    def take(x: Any, where: Any) -> Any:
        where = array_of(where)
        _check_places(where, x.shape, lead)
        common = np.indices(where.shape[:-1], sparse=True)[:lead]
        places = (*common, *(where[..., k] for k in range(where.shape[-1])))
        return x[places]

    def shape_fn(x: Any, where: Any) -> Any:
        known = x is not None and where is not None and where[-1] is not None
        return (*where[:-1], *x[lead + where[-1] :]) if known else None

    return call("GatherNd", take, (params, indices), name=name, shape=shape_fn, same=False)


def check_updates(where: Any, values: Any, shape: Any, what: str) -> None:
    """Raise ValueError, in TensorFlow's words, for static shapes of positions and of values that do not fit."""
    if None in (where, values) or not where:
        return
    outer = len(where) - 1
    if not compatible(values[:outer], where[:-1]):
        raise ValueError(
            f"The outer {outer} dimensions of indices.shape={text(where)} must match the outer {outer} dimensions of "
            f"updates.shape={text(values)}"
        )
    if shape is not None and where[-1] is not None and not compatible(values[outer:], tuple(shape[where[-1] :])):
        inner = len(shape) - where[-1]
        raise ValueError(
            f"The inner {inner} dimensions of {what}.shape={text(tuple(shape))} must match the inner "
            f"{len(values) - outer} dimensions of updates.shape={text(values)}"
        )


def scattered_places(where: Any, values: tuple[int, ...], sizes: Any, what: str) -> tuple[Any, ...]:
    """Return the index to which values of a shape go in an array of ``sizes``. Raises ValueError, IndexError."""
    where = array_of(where)
    if not len(sizes):
        raise ValueError("Output must be at least 1-D, got shape: []")
    check_updates(where.shape, values, tuple(sizes), what)
    if 0 in sizes and where.size and math.prod(values):
        raise ValueError(f"Indices and updates specified for empty {what}")
    bad = np.any((where < 0) | (where >= np.array(sizes[: where.shape[-1]], np.int64)), axis=-1)
    if np.any(bad):
        first = tuple(np.argwhere(bad)[0].tolist())
        place, wanted = bracketed(first), where[first].tolist()
        raise IndexError(f"indices{place} = {wanted} does not index into shape {_listed(sizes)}")
    return tuple(where[..., k] for k in range(where.shape[-1]))


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Any:
    """Return zeros of ``shape`` with ``updates`` added at ``indices``."""

    def put(sizes: Any, values: Any, where: Any) -> Any:
        places = scattered_places(where, values.shape, sizes, "output")
        if values.dtype.kind == "O":
            texts = np.full(sizes, b"", object)
            np.add.at(texts, places, array_of(values))
            return texts
        return IndexedCotangent(values, places, sizes).dense()

    def shape_fn(sizes: Any, values: Any, where: Any) -> Any:
        known = None if isinstance(sizes, Tensor) else sizes
        if known is not None and min(known, default=0) < 0:
            raise ValueError(f"Dimension {min(known)} must be >= 0")
        if known is not None and 0 in known and where and values and 0 not in where and 0 not in values:
            raise ValueError("Indices and updates specified for empty output shape")
        check_updates(where, values, known, "output")
        return shape_inference.shape_value(sizes) if isinstance(sizes, Tensor) else sizes

    return call_with("ScatterNd", [(shape, as_vector)], put, (updates, indices), shape=shape_fn, name=name, same=False)
