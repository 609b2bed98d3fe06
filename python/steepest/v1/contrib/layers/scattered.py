"""Embeddings without a table of rows: each number of one is found in a vector of weights, by a hash.

Source: Chen et al., Compressing Neural Networks with the Hashing Trick, 2015.
"""

from __future__ import annotations

from typing import Any

from ...graph.scopes import control_dependencies, name_scope
from ...ops.array_ops import expand_dims, reshape, shape
from ...ops.cast_ops import cast
from ...ops.concat_ops import concat
from ...ops.counting_ops import unique
from ...ops.creation_ops import range as counted
from ...ops.embedding_ops import embedding_lookup
from ...ops.gather_ops import gather
from ...ops.math_ops import equal
from ...ops.pad_ops import tile
from ...ops.reduce_ops import reduce_all
from ...ops.script_ops import Assert
from ...ops.segment_ops import unsorted_segment_sum
from ...ops.sparse_array_ops import sparse_fill_empty_rows
from ...ops.sparse_cross_ops import feature_cross
from ...ops.sparse_ops import SparseTensor, convert_to_tensor
from ...ops.sparse_segment_ops import sparse_segment_mean, sparse_segment_sqrt_n, sparse_segment_sum
from ...variables.partitioned_variable import PartitionedVariable

__all__ = ["scattered_embedding_lookup", "scattered_embedding_lookup_sparse"]

_COMBINED = {"mean": sparse_segment_mean, "sqrtn": sparse_segment_sqrt_n, "sum": sparse_segment_sum}


def scattered_embedding_lookup(
    params: Any, values: Any, dimension: int, name: str | None = None, hash_key: int | None = None
) -> Any:
    """Return an embedding of a size for each value, a text or an integer, of a tensor of any shape.

    Its number i is that of the weights whose position is a hash of the value and i.

    Args:
        params: a vector of weights, or the parts of one, of which the first may have one more.
        hash_key: of the hash; without one hashes are joined as TensorFlow first did.

    Raises ValueError for a dimension that is not positive, and for parts of other sizes.

    Source: ``tf.contrib.layers.scattered_embedding_lookup``.
    """
    if dimension is None:
        raise ValueError("You must specify dimension.")
    return _sampled_scattered_embedding_lookup(params, values, dimension, None, hash_key, name)


def scattered_embedding_lookup_sparse(
    params: Any,
    sparse_values: Any,
    dimension: int,
    combiner: str | None = None,
    default_value: Any = None,
    name: str | None = None,
    hash_key: int | None = None,
) -> Any:
    """Return for each row of a sparse matrix of values the mean of their embeddings, ``[rows, dimension]``.

    Args:
        combiner: mean, sum, or sqrtn: the sum through the square root of how many there are.
        default_value: what a row without values has, by default a text or a number that is hardly met.

    Raises TypeError for what is not sparse, ValueError for another combiner.

    See `scattered_embedding_lookup`. Source: ``tf.contrib.layers.scattered_embedding_lookup_sparse``.
    """
    if not isinstance(sparse_values, SparseTensor):
        raise TypeError("sparse_values must be SparseTensor")
    if (combiner or "mean") not in _COMBINED:
        raise ValueError("Combiner must be one of 'mean', 'sqrtn' or 'sum'.")
    parts = _parts(params)
    with name_scope(name, "scattered_embedding_lookup_sparse", [*parts, sparse_values]) as scope:
        if default_value is None:
            default_value = "6ZxWzWOHxZ" if sparse_values.dtype.name == "string" else 1288896567
        full, _ = sparse_fill_empty_rows(sparse_values, default_value)
        values, positions = unique(full.values)
        embeddings = scattered_embedding_lookup(parts, values, dimension, hash_key=hash_key)
        return _COMBINED[combiner or "mean"](embeddings, positions, cast(full.indices[:, 0], "int32"), name=scope)


def _sampled_scattered_embedding_lookup(
    params: Any,
    values: Any,
    dimension: Any = None,
    sampled_candidates: Any = None,
    hash_key: int | None = None,
    name: str | None = None,
) -> Any:
    """Return embeddings of all numbers up to a dimension, or of those that are sampled for each value."""
    parts = _parts(params)
    with name_scope(name, "scattered_embedding_lookup", [*parts, dimension, values]):
        given = convert_to_tensor(values)
        sizes, flat = shape(given), reshape(given, [-1, 1])
        if sampled_candidates is None:
            if dimension is None:
                raise ValueError("You must specify either dimension or sampled_candidates.")
            if dimension <= 0:
                raise ValueError(f"Dimension must be >0. Given is {dimension}")
            which = tile(expand_dims(counted(0, dimension), 0), shape(flat))
        else:
            candidates = convert_to_tensor(sampled_candidates)
            own = shape(candidates)
            dimension = own[-1]
            told = ["The shape of sampled_candidates: ", own, " does not match the shape of values: ", sizes]
            wanted = concat([sizes, reshape(dimension, [1])], 0)
            with control_dependencies([Assert(reduce_all(equal(own, wanted)), told)]):
                which = reshape(candidates, [-1, dimension])
        crossed = feature_cross([which, flat], True, _count(parts), hash_key=hash_key)
        found = embedding_lookup(parts, crossed.values, partition_strategy="div")
        return reshape(found, concat([sizes, reshape(dimension, [1])], 0))


def _sampled_scattered_embedding_lookup_sparse(
    params: Any,
    sp_values: Any,
    dimension: Any = None,
    sampled_candidates: Any = None,
    hash_key: int | None = None,
    with_sign_hash: bool = False,
    name: str | None = None,
) -> Any:
    """Return for each row of a sparse matrix the sum of embeddings, each number with a sign that is a hash, too."""
    if not isinstance(sp_values, SparseTensor):
        raise TypeError("sp_values must be SparseTensor")
    with name_scope(name, "sampled_scattered_embedding_lookup_sparse", [sp_values, params]) as scope:
        rows = sp_values.indices[:, 0]
        candidates = None if sampled_candidates is None else gather(sampled_candidates, rows)
        options = {"dimension": dimension, "sampled_candidates": candidates, "hash_key": hash_key}
        found = _sampled_scattered_embedding_lookup(params, sp_values.values, name="values_lookup", **options)
        if with_sign_hash:
            signs = convert_to_tensor([-1.0, 1.0])
            found = _sampled_scattered_embedding_lookup(signs, sp_values.values, name="signs_lookup", **options) * found
        return unsorted_segment_sum(found, cast(rows, "int32"), cast(sp_values.dense_shape[0], "int32"), name=scope)


def _parts(params: Any) -> list[Any]:
    if isinstance(params, (list, PartitionedVariable)):
        return list(params)
    return [params]


def _count(parts: list[Any]) -> int:
    """Return how many weights there are. Raises ValueError where they are not distributed evenly."""
    for part in parts:
        part.get_shape().assert_has_rank(1)
        part.get_shape().assert_is_fully_defined()
    sizes = [part.get_shape().as_list()[0] for part in parts]
    for place, size in enumerate(sizes):
        expected = (sum(sizes) - place - 1) // len(parts) + 1
        if size != expected:
            raise ValueError(f"Tensor {place} in params has size {size}, expected {expected}.")
    return sum(sizes)
