"""Metrics that count the cells of the confusion matrix of two classes, and shares of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.scopes import variable_scope
from ..ops.array_ops import identity
from .accumulate import Pair, add_batch, aligned, check_inputs, collected, counter, graph_only, ratio
from .accumulate import with_weights as nodes_of

__all__ = ["false_negatives", "false_positives", "precision", "recall", "true_negatives", "true_positives"]


def _metric(build: Callable[[Any, Any, Any], Pair]) -> Callable[..., Pair]:
    """Give ``build(labels, predictions, weights)`` TensorFlow's other arguments: the scope's name, and collections."""

    def metric(
        labels: Any,
        predictions: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        graph_only(build.__name__)
        with variable_scope(name, build.__name__):
            return collected(*build(labels, predictions, weights), metrics_collections, updates_collections)

    # Not functools.wraps, which would show the signature of ``build``.
    metric.__name__, metric.__qualname__, metric.__doc__ = build.__name__, build.__name__, build.__doc__
    return metric


def _count(labels: Any, predictions: Any, weights: Any, label: bool, prediction: bool) -> Pair:
    """Count one cell of the confusion matrix of two classes."""
    inputs = nodes_of([labels, predictions], weights)
    check_inputs(inputs[0], inputs[1], inputs[2:])

    def found(labels: Any, predictions: Any, *weight: Any) -> tuple[Any]:
        labels, predictions, share = aligned(labels.astype(bool), predictions.astype(bool), *weight)
        return (np.sum(share * ((labels == label) & (predictions == prediction))),)

    count = counter("count")
    (update,) = add_batch("CountOfCell", found, inputs, [count])
    return identity(count), update


@_metric
def true_positives(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return how many were predicted true and are, and the update. Source: ``tf.metrics.true_positives``."""
    return _count(labels, predictions, weights, True, True)


@_metric
def true_negatives(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return how many were predicted false and are, and the update. Source: ``tf.metrics.true_negatives``."""
    return _count(labels, predictions, weights, False, False)


@_metric
def false_positives(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return how many were predicted true and are false, and the update. Source: ``tf.metrics.false_positives``."""
    return _count(labels, predictions, weights, False, True)


@_metric
def false_negatives(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return how many were predicted false and are true, and the update. Source: ``tf.metrics.false_negatives``."""
    return _count(labels, predictions, weights, True, False)


def _share(part: Pair, rest: Pair) -> Pair:
    (value, update), (other, other_update) = part, rest
    return ratio(value, value + other, "value"), ratio(update, update + other_update, "update_op")


@_metric
def precision(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return the share of true ones among those predicted true, and its update; 0 where there are none."""
    right = true_positives(labels, predictions, weights)
    return _share(right, false_positives(labels, predictions, weights))


@_metric
def recall(labels: Any, predictions: Any, weights: Any) -> Pair:
    """Return the share of those predicted true among the true ones, and its update; 0 where there are none."""
    right = true_positives(labels, predictions, weights)
    return _share(right, false_negatives(labels, predictions, weights))
