"""Elements by their positions along several axes: gather_nd, scatter_nd."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ops.scatter import IndexedCotangent
from ...ops.vjps.indexing import gather as _gather
from ..graph import shape_inference
from ..graph.arguments import as_vector, call_with
from ..graph.build import call, dtype_of, shape_of
from ..graph.node import Node, Tensor
from ..graph.run_values import array_of
from ..graph.shapes import bracketed as sized
from ..graph.shapes import compatible, text
from ..graph.static_values import constant_value
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


def _leaves_out(policy: str, op_type: str) -> bool:
    """Tell whether positions that are not there are passed over; ValueError for a policy that is none."""
    if policy not in ("", "DEFAULT", "ERROR", "IGNORE"):
        raise ValueError(f"{op_type}: Unknown bad_indices_policy: {policy}")
    return policy == "IGNORE"


def gather_nd(
    params: Any, indices: Any, name: str | None = None, batch_dims: Any = 0, bad_indices_policy: str = ""
) -> Any:
    """Return ``params[tuple(indices[..., :])]``: the last axis of ``indices`` holds positions.

    The first ``batch_dims`` axes of both belong together. With the policy ``"IGNORE"`` there are zeros where a position
    is not there, which else is an error.
    """
    if isinstance(batch_dims, Node):
        known = constant_value(batch_dims)
        if known is None:
            raise TypeError(f"gather_nd: batch_dims must be known when the graph is built, got {batch_dims!r}")
        batch_dims = np.asarray(known).item()
    if dtype_of(indices).name in ("int8", "uint8", "uint16", "uint32", "uint64"):
        kinds = "not in list of allowed values: int16, int32, int64"
        raise TypeError(f"Value passed to parameter 'indices' has DataType {dtype_of(indices).name} {kinds}")
    if batch_dims:
        return batch_gather_nd(params, indices, int(batch_dims), name)
    if _leaves_out(bad_indices_policy, "GatherNd"):
        return _gather_inside(params, indices, name)

    def take(x: Any, where: Any) -> Any:
        where = array_of(where)
        if where.shape[-1] > x.ndim:
            told = f"index innermost dimension length must be <= params rank; saw: {where.shape[-1]} vs. {x.ndim}"
            raise ValueError(told)
        _check_places(where, x.shape, 0)
        if not where.shape[-1]:  # no position: the whole, again and again
            return np.broadcast_to(x, (*where.shape[:-1], *x.shape))
        return x[tuple(where[..., k] for k in range(where.shape[-1]))]

    def rows(x: Any, where: Any) -> Any:
        ids = array_of(where)
        _check_places(ids, x.shape, 0)
        return _gather(x, ids[..., 0])

    known = shape_of(indices)
    if known and len(known) == 2 and known[-1] == 1:  # whole rows, in a list: the gradient is sparse
        return call(
            "GatherNd",
            rows,
            (params, indices),
            name=name,
            shape=_shape_of_parts,
            same=False,
            rows_of=0,
        )
    return call("GatherNd", take, (params, indices), name=name, shape=_shape_of_parts, same=False)


def _shape_of_parts(x: Any, where: Any) -> Any:
    if where == ():
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    if x is not None and where is not None and where[-1] is not None and where[-1] > len(x):
        raise ValueError(f"index innermost dimension length must be <= params rank; saw: {where[-1]} vs. {len(x)}")
    return None if x is None or where is None or where[-1] is None else (*where[:-1], *x[where[-1] :])


def _gather_inside(params: Any, indices: Any, name: str | None) -> Any:
    """Return the parts at positions that are there, zeros for the others."""

    def take(x: Any, where: Any) -> Any:
        where = array_of(where)
        sizes = np.array(x.shape[: where.shape[-1]], np.int64)
        inside = np.all((where >= 0) & (where < sizes), axis=-1)
        picked = x[tuple(np.where(inside, where[..., k], 0) for k in range(where.shape[-1]))]
        kept = inside.reshape(*inside.shape, *[1] * (x.ndim - where.shape[-1]))
        return np.where(kept, picked, np.zeros((), x.dtype))

    return call("GatherNd", take, (params, indices), name=name, shape=_shape_of_parts, same=False)


def batch_gather_nd(params: Any, indices: Any, batch_dims: Any, name: str | None = None) -> Any:
    """Return `gather_nd` of each of the parts that the first ``batch_dims`` axes of both have in common.

    Raises TypeError unless ``batch_dims`` is an int, ValueError unless it is below the ranks.
    """
    if not isinstance(batch_dims, int):
        raise TypeError(f"Argument `batch_dims` must be an int; got {batch_dims!r}")
    if batch_dims < 0:
        raise ValueError("tf.gather_nd does not allow negative batch_dims.")
    for value, which in ((params, "params"), (indices, "indices")):
        known = shape_of(value)
        if batch_dims and known is not None and batch_dims >= len(known):
            told = f"must be less than rank(`{which}`) = {len(known)}"
            raise ValueError(f"Argument `batch_dims` = {batch_dims} {told}")
    if not batch_dims:
        return gather_nd(params, indices, name)
    lead = batch_dims

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


def _two_parts(what: str, one: Any, first: tuple[int, int], other: Any, second: tuple[int, int]) -> str:
    """Return what TensorFlow 2 says of parts of two shapes that are not alike."""
    (a, b), (c, d) = first, second
    left = f"Dimensions [{a},{b}) of {what}[shape={sized(one)}] = {sized(one[a:b])}"
    return f"{left} must match dimensions [{c},{d}) of updates[shape={sized(other)}] = {sized(other[c:d])}"


def check_updates(where: Any, values: Any, shape: Any, what: str) -> None:
    """Raise ValueError, in TensorFlow's words, for static shapes of positions and of values that do not fit."""
    if None in (where, values) or not where:
        return
    outer = len(where) - 1
    if not compatible(values[:outer], where[:-1]):
        told = _two_parts("indices", where, (0, outer), values, (0, outer))
        raise ValueError(
            f"The outer {outer} dimensions of indices.shape={text(where)} must match the outer {outer} dimensions of "
            f"updates.shape={text(values)}. {told}"
        )
    if shape is not None and where[-1] is not None and not compatible(values[outer:], tuple(shape[where[-1] :])):
        inner = len(shape) - where[-1]
        told = _two_parts("input", tuple(shape), (where[-1], len(shape)), values, (outer, len(values)))
        raise ValueError(
            f"The inner {inner} dimensions of {what}.shape={text(tuple(shape))} must match the inner "
            f"{len(values) - outer} dimensions of updates.shape={text(values)}. {told}"
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


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None, bad_indices_policy: str = "") -> Any:
    """Return zeros of ``shape`` with ``updates`` added at ``indices``.

    With the policy ``"IGNORE"`` what goes to a position that is not there is left out, which else is an error.
    """
    leaves_out = _leaves_out(bad_indices_policy, "ScatterNd")

    def put(sizes: Any, values: Any, where: Any) -> Any:
        if leaves_out:
            where = array_of(where)
            inside = np.all((where >= 0) & (where < np.array(sizes[: where.shape[-1]], np.int64)), axis=-1)
            where, values = where[inside], values[inside]
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
