"""Combined lookups that leave wrong ids out, and know what an empty row is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call, convert, dtype_of
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from .array_ops import reshape
from .cast_ops import cast
from .concat_ops import concat
from .embedding_ops import embedding_lookup_sparse, tables_of
from .sparse_ops import SparseTensor

__all__ = ["safe_embedding_lookup_sparse"]


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str | None = None,
    default_id: int | None = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: float | None = None,
    allow_fast_lookup: bool = False,
) -> Any:
    """Return what `embedding_lookup_sparse` does, without negative ids and those whose weight is not positive.

    A row without ids is zero, or the embedding of ``default_id``. Weights of any sign are kept for ``"sum"``.

    Args:
        embedding_weights: a table, or a list of its parts.
        sparse_ids: a ``SparseTensor`` ``[d_0, ..., d_n]``; the ids along the last axis are combined.
        sparse_weights, combiner, partition_strategy, max_norm: as for `embedding_lookup_sparse`.
        default_id: None, or the id that stands in an empty row.
        name, allow_fast_lookup: ignored.

    Raises:
        ValueError: for another combiner, or no table. TypeError: for ids that are not sparse.

    Source: ``tf.nn.safe_embedding_lookup_sparse``.
    """
    del name, allow_fast_lookup
    if embedding_weights is None or (isinstance(embedding_weights, (list, tuple)) and not embedding_weights):
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    if not hasattr(sparse_ids, "_sparse_parts"):
        raise TypeError(f"sparse_ids must be SparseTensor, got {type(sparse_ids)}")
    combiner = combiner or "mean"
    embedding_weights = _of_one_type(tables_of(embedding_weights), sparse_weights)
    places, ids, sizes = sparse_ids._sparse_parts

    def prepared(where: Any, which: Any, size: Any, *weights: Any) -> Any:
        where, which, size = array_of(where), array_of(which), array_of(size)
        rows = np.ravel_multi_index(tuple(where[:, :-1].T), tuple(size[:-1])) if len(where) else where[:, 0]
        share = array_of(weights[0]) if weights else np.ones(len(which), np.float32)
        kept = which >= 0
        if weights and combiner != "sum":
            kept &= share > 0
        count = int(np.prod(size[:-1]))
        empty = np.bincount(rows[kept], minlength=count) == 0
        added = np.flatnonzero(empty)
        every = np.concatenate([rows[kept], added])
        order = np.argsort(every, kind="stable")
        columns = np.concatenate([where[kept, -1], np.zeros_like(added)])
        stand_in = np.full(len(added), 0 if default_id is None else default_id, which.dtype)
        return (
            np.stack([every, columns], axis=1)[order].astype(np.int64),
            np.concatenate([which[kept], stand_in])[order],
            np.concatenate([share[kept], np.ones(len(added), share.dtype)])[order],
            empty,
            np.array([count, size[-1]], np.int64),
        )

    inputs = [places, ids, sizes, *([] if sparse_weights is None else [sparse_weights.values])]
    weight_type = "float32" if sparse_weights is None else dtype_of(sparse_weights.values)
    pruned, which, share, empty, size = call(
        "SparseFillEmptyRows",
        prepared,
        inputs,
        shape=[(None, 2), (None,), (None,), (None,), (2,)],
        dtype=["int64", dtype_of(ids), weight_type, "bool", "int64"],
        outputs=5,
        same=False,
        differentiable=False,
    )
    weights = None if sparse_weights is None else SparseTensor(pruned, share, size)
    filled = SparseTensor(pruned, which, size)
    result = embedding_lookup_sparse(
        embedding_weights, filled, weights, partition_strategy, combiner=combiner, max_norm=max_norm
    )
    if default_id is None:

        def zeroed(x: Any, is_empty: Any) -> Any:
            return np.where(array_of(is_empty)[:, None], x.dtype.type(0), x)

        result = call("Select", zeroed, [result, empty], shape=shape_inference.same, same=False)
    if _rank(sizes) == 2:
        return _with_known_rows(result, sparse_ids)
    width = result.shape[-1]
    lead = call("strided_slice", lambda s: array_of(s)[:-1], [sizes], shape=(None,), same=False, differentiable=False)
    rank = _rank(sizes)
    if rank is None:  # the number of axes is known when a session runs
        return reshape(result, concat([cast(lead, "int32"), [int(width)]], 0))
    return _with_known_rows(reshape(result, [*(lead[k] for k in range(rank - 1)), int(width)]), sparse_ids)


def _with_known_rows(result: Any, sparse_ids: Any) -> Any:
    """Return a result that has the ids' sizes, those that are known, but for the last."""
    if not executing_eagerly() and sparse_ids.get_shape().ndims is not None:
        result.set_shape([*sparse_ids.get_shape().as_list()[:-1], None])
    return result


def _of_one_type(tables: list[Any], sparse_weights: Any) -> list[Any]:
    """Return tables in the type of the weights, to which arrays are cast; TypeError, ValueError for other tensors."""
    wanted = None if sparse_weights is None else dtype_of(sparse_weights.values)
    if wanted is not None:
        tables = [each.astype(wanted.dtype) if isinstance(each, np.ndarray) else each for each in tables]
    types = list(dict.fromkeys(dtype_of(each).base_dtype for each in tables))
    if len(types) > 1:
        names = [each.name for each in types]
        raise TypeError(f"Tensors in list passed to safe_embedding_lookup_sparse have types {names} that differ.")
    if wanted is not None and types[0] != wanted.base_dtype:
        raise ValueError(f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype {types[0].name}")
    return tables


def _rank(sizes: Any) -> int | None:
    """Return how many axes the ids have, None where a session knows it."""
    if executing_eagerly():
        return len(sizes)
    shape = convert(sizes)._shape
    return None if shape is None else shape[0]
