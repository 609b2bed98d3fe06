"""Weighted sums and means of losses, and the collection that holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...variables.collections import GraphKeys
from ..graph.build import call, dtype_of
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.shapes import text
from .cast_ops import cast
from .math_ops import multiply
from .reduce_ops import reduce_sum

__all__ = ["Reduction", "add_loss", "compute_weighted_loss", "mean_pairwise_squared_error"]


class Reduction:
    """How the losses of single elements become one. Source: ``tf.losses.Reduction``."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Return all of them; one has two names."""
        by_weights = (cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS)
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, *by_weights)


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Any:
    """Return the weighted sum of losses, by default divided by the number of weights that are not zero.

    ``weights`` are a scalar, or have for each axis the size of the losses or 1. The sum is in the losses' type.
    Raises ValueError for another reduction, or for weights of another shape; InvalidArgumentError where only a run
    knows it. Source: ``tf.losses.compute_weighted_loss``.
    """
    if reduction not in Reduction.all():
        raise ValueError(f"Invalid Reduction Key {reduction}.")
    name = {Reduction.NONE: "Mul", Reduction.SUM: "Sum"}.get(reduction, "value")
    dtype = dtype_of(losses)
    with name_scope(scope, "weighted_loss"):
        loss = call(
            "weighted_loss",
            lambda x, w: _reduced(x, w, reduction),
            (losses, weights),
            name=name,
            shape=lambda x, w: _weighted_shape(x, w, reduction),
            dtype=dtype,
            same=False,
        )
    add_loss(loss, loss_collection)
    return loss


def _reduced(values: Any, weights: Any, reduction: str) -> Any:
    _weighted_shape(values.shape, weights.shape, reduction)
    x = values.astype(np.float32) if values.dtype.itemsize == 2 else values  # halves are added up in float32
    w = weights.astype(x.dtype)
    weighted = x * w
    if reduction == Reduction.NONE:
        return weighted.astype(values.dtype)
    total = np.sum(weighted)
    if reduction == Reduction.SUM:
        return total.astype(values.dtype)
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        count: Any = x.dtype.type(x.size)
    elif reduction == Reduction.MEAN:
        count = np.sum(np.broadcast_to(w, x.shape))
    else:
        count = x.dtype.type(np.count_nonzero(np.broadcast_to(array_of(w), x.shape)))
    loss = total / count if unwrap(count) != 0 else total * x.dtype.type(0)
    return loss.astype(values.dtype)


def _weighted_shape(x: Any, w: Any, reduction: str) -> Any:
    if None not in (x, w) and w:
        fits = len(w) == len(x) and all(b in (1, None) or a in (b, None) for a, b in zip(x, w, strict=True))
        if not fits:
            raise ValueError(f"weights can not be broadcast to values: {text(w)} and {text(x)}")
    return x if reduction == Reduction.NONE else ()


def add_loss(loss: Any, loss_collection: str | None = GraphKeys.LOSSES) -> None:
    """Put a loss into the collection."""
    if loss_collection and not executing_eagerly():
        get_default_graph().add_to_collection(loss_collection, loss)


def mean_pairwise_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
) -> Any:
    """Return the sum over rows of the mean, over pairs of elements, of the squared difference of their errors.

    ``weights`` is a scalar, or has one element for each row.
    """

    def of_rows(x: Any, y: Any) -> Any:
        errors = np.reshape(x - y, (x.shape[0], -1))
        count = errors.shape[1]
        pairs = count * np.sum(np.square(errors), axis=1) - np.square(np.sum(errors, axis=1))
        return 2 * pairs / max(count * (count - 1), 1)

    with name_scope(scope, "mean_pairwise_squared_error"):
        inputs = (cast(predictions, "float32"), cast(labels, "float32"))
        losses = call("mean_pairwise_squared_error", of_rows, inputs, shape=lambda x, y: None if x is None else (x[0],))
        rows = call("Reshape", lambda w: np.reshape(w, (-1,)), (cast(weights, "float32"),), shape=(None,))
        loss = reduce_sum(multiply(losses, rows))
        add_loss(loss, loss_collection)
        return loss
