"""``tf.contrib.metrics``: the metrics of ``tf.metrics`` as ``streaming_*``, with the predictions before the labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import metrics as _metrics
from ..graph.build import convert
from ..graph.missing import namespace
from ..graph.scopes import name_scope
from ..ops.cast_ops import cast
from ..ops.math_ops import equal
from ..ops.reduce_ops import reduce_mean, reduce_sum

__all__ = [
    "accuracy",
    "aggregate_metric_map",
    "aggregate_metrics",
    "streaming_accuracy",
    "streaming_auc",
    "streaming_false_negatives",
    "streaming_false_positives",
    "streaming_mean",
    "streaming_mean_absolute_error",
    "streaming_mean_cosine_distance",
    "streaming_mean_squared_error",
    "streaming_precision",
    "streaming_recall",
    "streaming_root_mean_squared_error",
    "streaming_true_negatives",
    "streaming_true_positives",
]

__getattr__, __dir__ = namespace(__name__)

streaming_mean = _metrics.mean


def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """Return how often the predictions are the labels, of this batch alone. Raises ValueError for two types."""
    predictions, labels = convert(predictions), convert(labels)
    if predictions.dtype != labels.dtype:
        raise ValueError(f"dtypes of predictions and labels must match. Given {predictions.dtype} and {labels.dtype}.")
    with name_scope(name, "accuracy"):
        right = cast(equal(predictions, labels), "float32")
        return reduce_mean(right) if weights is None else reduce_sum(right * weights) / reduce_sum(weights)


def _streaming(metric: Callable[..., Any]) -> Callable[..., Any]:
    """Return a metric of ``tf.metrics`` with the predictions first."""

    def streaming(
        predictions: Any,
        labels: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Any:
        return metric(labels, predictions, weights, metrics_collections, updates_collections, name)

    streaming.__name__ = streaming.__qualname__ = f"streaming_{metric.__name__}"
    streaming.__doc__ = f"Return `tf.metrics.{metric.__name__}`: a value, and its update."
    return streaming


streaming_accuracy = _streaming(_metrics.accuracy)
streaming_false_negatives = _streaming(_metrics.false_negatives)
streaming_false_positives = _streaming(_metrics.false_positives)
streaming_mean_absolute_error = _streaming(_metrics.mean_absolute_error)
streaming_mean_squared_error = _streaming(_metrics.mean_squared_error)
streaming_precision = _streaming(_metrics.precision)
streaming_recall = _streaming(_metrics.recall)
streaming_root_mean_squared_error = _streaming(_metrics.root_mean_squared_error)
streaming_true_negatives = _streaming(_metrics.true_negatives)
streaming_true_positives = _streaming(_metrics.true_positives)


def streaming_auc(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
) -> Any:
    """Return `tf.metrics.auc`: a value, and its update."""
    collections = (metrics_collections, updates_collections)
    return _metrics.auc(labels, predictions, weights, num_thresholds, *collections, curve, name)


def streaming_mean_cosine_distance(
    predictions: Any,
    labels: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Return `tf.metrics.mean_cosine_distance`: a value, and its update."""
    collections = (metrics_collections, updates_collections)
    return _metrics.mean_cosine_distance(labels, predictions, dim, weights, *collections, name)


def aggregate_metrics(*value_update_tuples: Any) -> tuple[list[Any], list[Any]]:
    """Return the list of values and that of updates, of pairs of the two. Raises ValueError for no pair."""
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples, strict=True)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return values by name and updates by name, of pairs of the two by name."""
    values = {name: pair[0] for name, pair in names_to_tuples.items()}
    return values, {name: pair[1] for name, pair in names_to_tuples.items()}
