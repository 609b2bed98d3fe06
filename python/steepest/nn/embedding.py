"""Lookups in embedding tables: rows, sums of bags of rows, and those of many tables side by side in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.arrays import to_array
from ..base.errors import describe, must
from ..base.typing import Array, ArrayLike, Value
from ..ops.tensor import Operand
from ..ops.vjps.indexing import gather, integer_ids
from .combined_rows import Bags, combined_rows

__all__ = ["embedding_bag", "embedding_lookup"]


def embedding_lookup(
    params: ArrayLike | Sequence[ArrayLike], ids: ArrayLike, partition_strategy: str = "mod", name: str | None = None
) -> Value:
    """Return the rows ``params[ids]``, of shape ``ids.shape + params.shape[1:]``; see `steepest.gather`.

    Of several tables the rows stand side by side: column t of ``ids`` is for table t, and the result is
    ``np.concatenate([params[t][ids[:, t]] for t in range(T)], axis=1)``, made in one pass, by all threads.

    The gradient is `IndexedSlices`. That of several tables is read by updates where it lies in the gradient of the
    result, without a copy for each table.

    Args:
        params: a table of shape ``(R, ...)``, R rows; or a list of T of them, ``(R_t, D_t)``, of one dtype. (In
            TensorFlow, and in ``steepest.v1``, a list holds the parts of one table.)
        ids: integers in ``[0, R)`` of any shape; for T > 1 tables a matrix ``(B, T)``.
        partition_strategy: accepted for TensorFlow's sake.
        name: accepted for TensorFlow's sake.

    Returns:
        The rows, of shape ``ids.shape + params.shape[1:]``; for several tables ``(B, sum of D_t)``.

    Raises:
        IndexError: for an id that is negative or too large.
        TypeError: for ids that are not integers, or tables of several dtypes.
        ValueError: for no table, several that are not matrices, or ids that are not one column for each of them.

    Example:
        >>> table = st.Variable([[0.0, 1.0], [2.0, 3.0]])
        >>> nn.embedding_lookup(table, [1, 1]).tolist()
        [[2.0, 3.0], [2.0, 3.0]]
        >>> nn.embedding_lookup([table, np.float32([[7.0], [8.0]])], [[1, 0], [0, 1]]).tolist()
        [[2.0, 3.0, 7.0], [0.0, 1.0, 8.0]]
    """
    del partition_strategy, name
    who = "embedding_lookup"
    tables = _tables(who, params if isinstance(params, (list, tuple)) else [params])
    if len(tables) == 1:
        return gather(tables[0], ids)
    columns = integer_ids(who, "ids", ids)
    if columns.ndim != 2 or columns.shape[1] != len(tables):
        raise ValueError(must(who, "ids", f"be a matrix [B, {len(tables)}], a column a table", describe(columns)))
    rows: Value = combined_rows(who, tables, [Bags(column) for column in columns.T[..., None]], len(columns))
    return rows


def embedding_bag(
    params: ArrayLike | Sequence[ArrayLike],
    ids: Any,
    offsets: Any = None,
    combiner: str = "mean",
    weights: Any = None,
    padding_id: int | None = None,
    name: str | None = None,
) -> Value:
    """Return for each bag of ids the combination of their rows.

    ``"sum"``: ``sum_k w_k table[id_k]``, in the order of the bag; ``"mean"``: that divided by ``sum_k w_k``;
    ``"sqrtn"``: divided by ``sqrt(sum_k w_k^2)``. An empty bag gives zeros. The arithmetic of half types is float32.

    The gradient of a table is `IndexedSlices`, but no row is made for each id before somebody asks for ``values``: an
    update reads the gradients of the bags, and multiplies them by the weights. Its result has the bits that those rows
    would give.

    Args:
        params: a table ``(R, D)``, or a list of T of them, of one dtype.
        ids: integers in ``[0, R)``: a matrix ``(B, L)``, a bag a row; or with ``offsets`` flat, N of them. For a list
            of tables a list of T of these, or an array ``(B, T, L)``.
        offsets: None, or ``B + 1`` integers: bag b is ``ids[offsets[b]:offsets[b + 1]]``. For a list of tables a list.
        combiner: ``"mean"``, ``"sum"`` or ``"sqrtn"``.
        weights: None for ones, or a number for each id, in the shape of ``ids``; differentiable.
        padding_id: ids that are equal to it are left out.
        name: accepted for TensorFlow's sake.

    Returns:
        ``(B, D)``; for a list of tables their results side by side, ``(B, sum of D_t)``.

    Raises:
        IndexError: for an id that is negative or too large; the message has the table, the position and the value.
        TypeError: for ids or offsets that are not integers, tables that are not of one float dtype.
        ValueError: for shapes that do not fit, offsets that do not go from 0 to N, or another combiner.

    Source: ``torch.nn.EmbeddingBag``; the combiners are those of ``tf.nn.embedding_lookup_sparse``.

    Example:
        >>> table = st.Variable([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
        >>> nn.embedding_bag(table, [[0, 1], [2, 2]], combiner="sum").tolist()
        [[2.0, 4.0], [8.0, 10.0]]
        >>> nn.embedding_bag(table, [0, 1, 2], offsets=[0, 2, 2, 3]).tolist()
        [[1.0, 2.0], [0.0, 0.0], [4.0, 5.0]]
    """
    del name
    who = "embedding_bag"
    if not isinstance(combiner, str) or combiner not in ("mean", "sum", "sqrtn"):
        raise ValueError(must(who, "combiner", "be 'mean', 'sum' or 'sqrtn'", describe(combiner)))
    if padding_id is not None and not isinstance(padding_id, (int, np.integer)):
        raise TypeError(must(who, "padding_id", "be an integer or None", describe(padding_id)))
    if isinstance(params, (list, tuple)):
        tables = _tables(who, params)
        each_ids = _each(who, "ids", ids, len(tables))
        each_offsets = [None] * len(tables) if offsets is None else _each(who, "offsets", offsets, len(tables))
        each_weights = None if weights is None else _each(who, "weights", weights, len(tables))
    else:
        tables, each_ids, each_offsets = _tables(who, [params]), [ids], [offsets]
        each_weights = None if weights is None else [weights]
    bags = [_bags(who, ids, offsets) for ids, offsets in zip(each_ids, each_offsets, strict=True)]
    counts = {len(each.ids) if each.offsets is None else len(each.offsets) - 1 for each in bags}
    if len(counts) > 1:
        raise ValueError(must(who, "ids", "have as many bags for each table", f"{sorted(counts)}"))
    flat = None
    if each_weights is not None:
        flat = [_weights(who, weights, each) for weights, each in zip(each_weights, bags, strict=True)]
    if padding_id is not None:
        bags = [_without(each, padding_id) for each in bags]
        if flat is not None:
            flat = [weights[each.kept.reshape(-1)] for weights, each in zip(flat, bags, strict=True)]  # type: ignore[union-attr]
    result: Value = combined_rows(who, tables, bags, counts.pop(), combiner, flat)
    return result


def _tables(who: str, params: Any) -> list[Any]:
    if not params:
        raise ValueError(must(who, "params", "be at least one table", "none"))
    return [table if hasattr(table, "ndim") else to_array(who, "params", table) for table in params]


def _each(who: str, argument: str, value: Any, count: int) -> list[Any]:
    """Return what is given for each of the tables: the items of a list, or an array's parts along its second axis."""
    if not isinstance(value, (list, tuple)):
        value = value if hasattr(value, "ndim") else to_array(who, argument, value)
        value = [value[:, k] for k in range(value.shape[1])] if value.ndim == 3 else [value]
    if len(value) != count:
        rule = f"be a list of one for each of {count} tables, or an array [B, {count}, L]"
        raise ValueError(must(who, argument, rule, f"{len(value)}"))
    return list(value)


def _bags(who: str, ids: Any, offsets: Any) -> Bags:
    array = integer_ids(who, "ids", ids)
    if offsets is None:
        if array.ndim != 2:
            remedy = "give offsets for bags of different lengths"
            raise ValueError(must(who, "ids", "be a matrix [B, L], a row a bag", describe(array), remedy))
        return Bags(array)
    if array.ndim != 1:
        raise ValueError(must(who, "ids", "be 1-D where offsets are given", describe(array)))
    ends = integer_ids(who, "offsets", offsets).astype(np.int64)  # a copy: nobody else may change it
    if ends.ndim != 1 or not ends.size or ends[0] != 0 or ends[-1] != array.size or (np.diff(ends) < 0).any():
        rule = f"be B + 1 integers that ascend from 0 to {array.size}, the number of ids"
        raise ValueError(must(who, "offsets", rule, describe(ends) if ends.ndim != 1 else str(ends.tolist())[:60]))
    return Bags(array, ends)


def _weights(who: str, weights: Any, bags: Bags) -> Any:
    """Return one number for each id, flat."""
    array = weights if hasattr(weights, "ndim") else to_array(who, "weights", weights)
    if array.shape != bags.ids.shape:
        raise ValueError(must(who, "weights", f"have the shape {bags.ids.shape} of ids", f"shape {array.shape}"))
    if not isinstance(array, Operand) and array.dtype.kind not in "biuf" and array.dtype.name != "bfloat16":
        raise TypeError(must(who, "weights", "be real numbers", describe(array)))
    return array.reshape(-1)


def _without(bags: Bags, padding_id: int) -> Bags:
    """Return the bags without the ids that are padding."""
    kept: Array = bags.ids != padding_id
    if bags.offsets is None:
        ends = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
    else:
        ends = np.concatenate([[0], np.cumsum(kept)])[bags.offsets]
    return Bags(bags.ids[kept], ends.astype(np.int64), kept)
