"""``embedding_lookup_unique`` and ``bow_encoder`` of ``tf.contrib.layers``: rows of tables, and their means."""

from __future__ import annotations

from typing import Any

from ...graph.scopes import name_scope, variable_scope
from ...nn import safe_embedding_lookup_sparse
from ...ops.embedding_ops import embedding_lookup
from ...ops.reduce_ops import reduce_mean
from ...ops.sparse_ops import SparseTensor
from .model_variables import model_variable
from .sparse_ops import dense_to_sparse_tensor

__all__ = ["bow_encoder", "embedding_lookup_unique"]


def embedding_lookup_unique(params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None) -> Any:
    """Return the rows of a table, or of one that is cut into several, at ``ids`` of any shape.

    Source: ``tf.contrib.layers.embedding_lookup_unique``, which reads each row once: here lookups do so anyway.
    """
    with name_scope(name, "EmbeddingLookupUnique"):
        return embedding_lookup(params, ids, partition_strategy)


def bow_encoder(
    ids: Any,
    vocab_size: int,
    embed_dim: int,
    sparse_lookup: bool = True,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: Any = None,
) -> Any:
    """Return the means of the rows ``ids`` of a table ``embeddings``, one for each row of ids.

    Args:
        ids: ``[batch, length]``, dense or sparse.
        vocab_size, embed_dim: the shape of the table.
        sparse_lookup: zeros among dense ids are no ids; a row without ids has the embedding of 0.
        initializer, regularizer, trainable, scope, reuse: of the table.

    Raises ValueError where a size is missing, TypeError for sparse ids without ``sparse_lookup``.

    Source: ``tf.contrib.layers.bow_encoder``.
    """
    if not vocab_size or not embed_dim:
        raise ValueError("Must specify vocab size and embedding dimension")
    with variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        table = model_variable("embeddings", [vocab_size, embed_dim], None, initializer, regularizer, trainable)
        is_sparse = isinstance(ids, SparseTensor)
        if sparse_lookup:
            sparse = ids if is_sparse else dense_to_sparse_tensor(ids)
            return safe_embedding_lookup_sparse([table], sparse, combiner="mean", default_id=0)
        if is_sparse:
            raise TypeError(f"ids are expected to be dense Tensor, got: {ids}")
        return reduce_mean(embedding_lookup(table, ids), axis=1)
