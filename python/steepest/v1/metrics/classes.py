"""Metrics of several classes: means over the classes of what was right in each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of
from ..graph.scopes import variable_scope
from ..graph.shapes import compatible, text
from .accumulate import Pair, add_batch, collected, counter, graph_only, ratio
from .accumulate import with_weights as nodes_of

__all__ = ["mean_iou", "mean_per_class_accuracy"]


def _inputs(labels: Any, predictions: Any, weights: Any) -> list[Any]:
    """Return the nodes; ValueError where known shapes differ."""
    inputs = nodes_of([labels, predictions], weights)
    for other in inputs[1:]:
        if other._shape != () and not compatible(inputs[0]._shape, other._shape):
            raise ValueError(f"Shapes {text(inputs[0]._shape)} and {text(other._shape)} are incompatible")
    return inputs


def _flat(number: int, labels: Any, predictions: Any, weight: Any) -> tuple[Any, Any, Any]:
    """Return classes, predictions and weights as vectors; InvalidArgumentError for a label that is no class."""
    truth, guess = labels.astype(np.int64).ravel(), predictions.astype(np.int64).ravel()
    if truth.size and not (truth.min() >= 0 and truth.max() < number):
        raise InvalidArgumentError(None, None, "`labels` out of bound")
    share = np.broadcast_to(weight[0].ravel(), truth.shape) if weight else np.ones(truth.shape, np.float32)
    return truth, guess, share


def mean_per_class_accuracy(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the mean over classes of how often they were predicted, and the update, which gives each class's share.

    Raises ValueError for other shapes, InvalidArgumentError in a run for a label that is no class, RuntimeError in
    eager mode. Source: ``tf.metrics.mean_per_class_accuracy``.
    """
    graph_only("mean_per_class_accuracy")

    def batch(labels: Any, predictions: Any, *weight: Any) -> tuple[Any, Any]:
        truth, guess, share = _flat(num_classes, labels, predictions, weight)
        return (
            np.bincount(truth, share, num_classes),
            np.bincount(truth, share * (truth == guess), num_classes),
        )

    def mean(count: Any, total: Any) -> Any:
        count, total = array_of(count), array_of(total)
        return np.divide(count, total, out=np.zeros_like(count), where=total > 0).mean(dtype=np.float32)

    with variable_scope(name, "mean_accuracy"):
        inputs = _inputs(labels, predictions, weights)
        total, count = counter("total", (num_classes,)), counter("count", (num_classes,))
        total_after, count_after = add_batch("CountsOfClasses", batch, inputs, (total, count))
        value = call("Mean", mean, (count, total), name="mean_accuracy", shape=(), differentiable=False)
        update = ratio(count_after, total_after, "update_op")
        return collected(value, update, metrics_collections, updates_collections)


def mean_iou(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the mean over classes of intersection over union, and the update, which gives the confusion matrix.

    The mean is over the classes that came as a label or a prediction, 0 where none did. Raises as
    `mean_per_class_accuracy`, and for predictions that are no class. Source: ``tf.metrics.mean_iou``.
    """
    graph_only("mean_iou")

    def batch(labels: Any, predictions: Any, *weight: Any) -> tuple[Any]:
        truth, guess, share = _flat(num_classes, labels, predictions, weight)
        if guess.size and not (guess.min() >= 0 and guess.max() < num_classes):
            raise InvalidArgumentError(None, None, "`predictions` out of bound")
        flat = np.bincount(truth * num_classes + guess, share, num_classes * num_classes)
        return (flat.reshape(num_classes, num_classes),)

    def mean(matrix: Any) -> Any:
        matrix = array_of(matrix)
        right = np.diag(matrix).astype(np.float32)
        union = matrix.sum(0).astype(np.float32) + matrix.sum(1).astype(np.float32) - right
        met = np.count_nonzero(union)
        return np.float32((right / np.where(union > 0, union, 1)).sum(dtype=np.float32) / met if met else 0)

    with variable_scope(name, "mean_iou"):
        inputs = _inputs(labels, predictions, weights)
        matrix = counter("total_confusion_matrix", (num_classes, num_classes), "float64")
        (update,) = add_batch("ConfusionMatrix", batch, inputs, [matrix])
        options: dict[str, Any] = {"shape": (), "dtype": "float32", "same": False, "differentiable": False}
        value = call("MeanIou", mean, [matrix], name="mean_iou", **options)
        return collected(value, update, metrics_collections, updates_collections)
