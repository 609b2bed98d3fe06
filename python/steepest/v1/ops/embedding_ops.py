"""Lookups in embedding tables, also tables that are cut into several variables, and combined lookups."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...nn.combined_rows import Bags, combined_rows
from ...ops.dispatch import unwrap
from ...ops.scatter import scattered
from ..graph import shape_inference
from ..graph.build import call, convert, dtype_of, shape_of
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.shapes import compatible, text
from .array_ops import identity, reshape
from .counting_ops import unique
from .gather_ops import gather

__all__ = ["_embedding_lookup_and_transform", "embedding_lookup", "embedding_lookup_sparse"]


def tables_of(params: Any) -> list[Any]:
    """Return the tables in a table, a list of them, or a variable in parts; ValueError where there is none."""
    in_parts = isinstance(params, (list, tuple)) or hasattr(params, "_get_variable_list")
    tables = list(params) if in_parts else [params]
    if not tables:
        raise ValueError("Length of params is currently 0. Need at least one param.")
    if any(table is None for table in tables):
        raise ValueError("params must be specified: Need at least one param")
    return tables


def embedding_lookup(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: float | None = None,
) -> Any:
    """Return the rows ``ids`` of a table, or of one that is cut into several.

    Args:
        params: one table, or a list of its parts, as a variable in parts is.
        ids: integers of any shape.
        partition_strategy: how the rows are spread over the parts: ``"mod"``: row i is row ``i // n`` of part
            ``i % n``; ``"div"``: the parts follow each other.
        max_norm: rows with a larger norm are scaled down to it; the norm is over all axes but the first.

    Raises:
        ValueError: without a table, or for another strategy; InvalidArgumentError, when a session runs, for an id that
        is not there.

    Source: ``tf.nn.embedding_lookup``.
    """
    del validate_indices
    tables = tables_of(params)
    if executing_eagerly():
        return _looked_up(tables, ids, partition_strategy, name, max_norm)
    with name_scope(name, "embedding_lookup") as scope:
        rows = _looked_up(tables, convert(ids, name="ids"), partition_strategy, scope, max_norm)
        return identity(rows) if len(tables) == 1 else rows  # programs ask for it by name


def _looked_up(tables: list[Any], ids: Any, strategy: str, name: str | None, max_norm: float | None) -> Any:
    rows = gather(tables[0], ids, name=name) if len(tables) == 1 else _from_parts(tables, ids, strategy, name)
    return rows if max_norm is None else _shortened(rows, ids, max_norm)


def _embedding_lookup_and_transform(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    max_norm: float | None = None,
    transform_fn: Any = None,
) -> Any:
    """Return ``transform_fn`` of looked up rows, ``[number of ids, ...]``, in the shape of the ids."""
    rows = embedding_lookup(params, reshape(ids, [-1]), partition_strategy, name, max_norm=max_norm)
    rows = rows if transform_fn is None else transform_fn(rows)

    def shape_fn(x: Any, where: Any) -> Any:
        return None if x is None or where is None else (*where, *x[1:])

    return call("Reshape", _in_shape_of, (rows, ids), shape=shape_fn, same=False)


def _in_shape_of(rows: Any, ids: Any) -> Any:
    return np.reshape(rows, (*np.shape(ids), *rows.shape[1:]))


def _from_parts(tables: list[Any], ids: Any, strategy: str, name: str | None) -> Any:
    if strategy not in ("mod", "div"):
        raise ValueError(f"Unrecognized partition strategy: {strategy}. Must be one of either `mod` or `div`.")
    count = len(tables)

    def split(where: Any, *parts: Any) -> tuple[Any, Any]:
        """Return for each id the part that has its row, and which of the part's rows it is."""
        flat, total = array_of(where).reshape(-1), sum(part.shape[0] for part in parts)
        if flat.size and (flat.min() < 0 or flat.max() >= total):
            raise IndexError(f"indices = {flat[(flat < 0) | (flat >= total)][0]} is not in [0, {total})")
        if strategy == "mod":
            return flat % count, flat // count
        each, more = divmod(total, count)
        part = np.maximum(flat // (each + 1), (flat - more) // max(each, 1))
        return part, np.where(part < more, flat % (each + 1), (flat - more) % max(each, 1))

    def rows_of_part(k: int) -> Any:
        def rows(where: Any, *parts: Any) -> Any:
            part, row = split(where, *parts)
            return row[part == k].astype(array_of(where).dtype)

        return rows

    ids_dtype = dtype_of(ids)

    def at_run_time(function: Any, dtype: Any) -> Any:
        return call(
            "DynamicPartition", function, (ids, *tables), shape=(None,), dtype=dtype, same=False, differentiable=False
        )

    picked = [gather(table, at_run_time(rows_of_part(k), ids_dtype)) for k, table in enumerate(tables)]
    order = at_run_time(lambda where, *parts: _places(split(where, *parts)[0]), "int64")

    def joined(where: Any, at: Any, *parts: Any) -> Any:
        return _in_shape_of(np.take(np.concatenate(parts, axis=0), array_of(at), axis=0), where)

    def shape_fn(where: Any, at: Any, *parts: Any) -> Any:
        return None if where is None or parts[0] is None else (*where, *parts[0][1:])

    dtype = dtype_of(picked[0])
    return call("DynamicStitch", joined, (ids, order, *picked), name=name, shape=shape_fn, dtype=dtype, same=False)


def _places(part: Any) -> Any:
    """Return where the rows of ids stand after those of each part were put behind each other."""
    return np.argsort(np.argsort(part, kind="stable"), kind="stable")


def _shortened(rows: Any, ids: Any, limit: float) -> Any:
    """Return each looked up part scaled down to a norm: that over all axes behind those of the ids."""

    def clipped(x: Any, where: Any) -> Any:
        axes = tuple(range(np.ndim(where), x.ndim))
        size = np.sqrt(np.sum(np.square(x), axis=axes, keepdims=True))
        return x * np.minimum(limit / np.maximum(size, np.finfo(x.dtype).tiny), 1).astype(x.dtype)

    return call("clip_by_norm", clipped, (rows, ids), shape=shape_inference.same, same=False)


def _by_bags(table: Any, sp_ids: Any, sp_weights: Any, combiner: str, name: str | None) -> Any:
    """Return the combinations of a table's rows by one native call; no row is made for each id."""
    inputs = [table, sp_ids.values, sp_ids.indices, *([] if sp_weights is None else [sp_weights.values])]

    def combined(rows: Any, which: Any, where: Any, *weights: Any) -> Any:
        ids, segments = array_of(which).reshape(-1), array_of(where)[:, 0].astype(np.int64)
        numbers = [np.reshape(each, (-1,)) for each in weights]
        if np.any(np.diff(segments) < 0):
            order = np.argsort(segments, kind="stable")
            ids, segments, numbers = ids[order], segments[order], [each[order] for each in numbers]
        count = int(segments.max(initial=-1)) + 1
        ends = np.searchsorted(segments, np.arange(count + 1)).astype(np.int64)
        bags = Bags(np.ascontiguousarray(ids), ends)
        return combined_rows("embedding_lookup_sparse", [rows], [bags], count, combiner, numbers or None)

    shape = shape_of(table)
    known = None if shape is None else (None, shape[1])
    op_type = "embedding_lookup_sparse"
    return call(op_type, combined, inputs, name=name, shape=known, dtype=dtype_of(table), same=False, rows_of=0)


def embedding_lookup_sparse(
    params: Any,
    sp_ids: Any,
    sp_weights: Any = None,
    partition_strategy: str = "mod",
    name: str | None = None,
    combiner: str | None = None,
    max_norm: float | None = None,
    allow_fast_lookup: bool = False,
) -> Any:
    """Return for each row of ``sp_ids`` the combination of the embeddings of its ids.

    Args:
        params, partition_strategy, max_norm: as `embedding_lookup`.
        sp_ids: a ``SparseTensor`` of integers; row r holds the ids that are combined into row r of the result.
        sp_weights: None for ones, or a ``SparseTensor`` with the same indices.
        combiner: ``"sum"`` of weight times row; ``"mean"`` (the default), that divided by the sum of the weights;
            ``"sqrtn"``, divided by the root of the sum of their squares.
        allow_fast_lookup: has no effect.

    Raises:
        ValueError: for another combiner. TypeError: for ids that are not sparse.

    Source: ``tf.nn.embedding_lookup_sparse``.
    """
    how = combiner or "mean"
    if how not in ("sum", "mean", "sqrtn"):
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    if not hasattr(sp_ids, "_sparse_parts"):
        raise TypeError(f"sp_ids must be SparseTensor, got {type(sp_ids)}")
    if sp_weights is not None and not hasattr(sp_weights, "_sparse_parts"):
        raise TypeError(f"sp_weights must be either None or SparseTensor, got {type(sp_weights)}")
    if sp_weights is not None and not executing_eagerly():
        ours, theirs = convert(sp_ids.values)._shape, convert(sp_weights.values)._shape
        if not compatible(ours, theirs):
            raise ValueError(f"Shapes {text(ours)} and {text(theirs)} of sp_ids and sp_weights are incompatible")
    tables = tables_of(params)
    plain = len(tables) == 1 and max_norm is None and dtype_of(tables[0]).is_floating
    if plain and len(shape_of(tables[0]) or ()) == 2:
        return _by_bags(tables[0], sp_ids, sp_weights, how, name)
    # Each row is looked up once, however often its id comes.
    different, positions = unique(reshape(sp_ids.values, [-1]))
    rows = embedding_lookup(params, different, partition_strategy, max_norm=max_norm)
    inputs = [rows, positions, sp_ids.indices] + ([] if sp_weights is None else [sp_weights.values])

    def combined(table: Any, which: Any, where: Any, *weight_values: Any) -> Any:
        x = np.take(table, array_of(which), axis=0)
        segment = array_of(where)[:, 0].astype(np.int64)
        size = int(segment.max(initial=-1)) + 1
        if not weight_values:
            weights: Any = np.ones(len(segment), x.dtype)
        else:
            weights = weight_values[0] if weight_values[0].dtype == x.dtype else weight_values[0].astype(x.dtype)
        total = scattered(x * np.reshape(weights, (-1, *([1] * (x.ndim - 1)))), segment, (size, *x.shape[1:]))
        if how == "sum":
            return total
        share = scattered(weights if how == "mean" else np.square(weights), segment, (size,))
        share = np.where(unwrap(share) == 0, np.ones((), x.dtype), share)  # a row without ids stays zero
        return total / np.reshape(share if how == "mean" else np.sqrt(share), (-1, *([1] * (x.ndim - 1))))

    def shape_fn(x: Any, *_: Any) -> Any:
        return None if x is None else (None, *x[1:])

    return call("embedding_lookup_sparse", combined, inputs, name=name, shape=shape_fn, same=False)
