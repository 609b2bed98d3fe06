"""The metrics of ``tf.metrics`` with the predictions before the labels; lists of metrics."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ... import metrics as _metrics
from ...graph.build import convert
from ...graph.scopes import name_scope
from ...metrics.at_k import average_precision_at_top_k
from ...ops.cast_ops import cast
from ...ops.math_ops import equal
from ...ops.reduce_ops import reduce_mean, reduce_sum
from ...ops.sort_ops import in_top_k

__all__ = [
    "accuracy",
    "aggregate_metric_map",
    "aggregate_metrics",
    "sparse_recall_at_top_k",
    "streaming_accuracy",
    "streaming_auc",
    "streaming_false_negatives",
    "streaming_false_positives",
    "streaming_mean",
    "streaming_mean_absolute_error",
    "streaming_mean_cosine_distance",
    "streaming_mean_iou",
    "streaming_mean_relative_error",
    "streaming_mean_squared_error",
    "streaming_mean_tensor",
    "streaming_percentage_less",
    "streaming_precision",
    "streaming_precision_at_thresholds",
    "streaming_recall",
    "streaming_recall_at_k",
    "streaming_recall_at_thresholds",
    "streaming_root_mean_squared_error",
    "streaming_sensitivity_at_specificity",
    "streaming_sparse_average_precision_at_k",
    "streaming_sparse_average_precision_at_top_k",
    "streaming_sparse_precision_at_k",
    "streaming_sparse_precision_at_top_k",
    "streaming_sparse_recall_at_k",
    "streaming_specificity_at_sensitivity",
    "streaming_true_negatives",
    "streaming_true_positives",
]

streaming_mean = _metrics.mean
streaming_mean_tensor = _metrics.mean_tensor
streaming_percentage_less = _metrics.percentage_below


def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """Return how often the predictions are the labels, of this batch alone. Raises ValueError for two types."""
    predictions, labels = convert(predictions), convert(labels)
    if predictions.dtype != labels.dtype:
        raise ValueError(f"dtypes of predictions and labels must match. Given {predictions.dtype} and {labels.dtype}.")
    with name_scope(name, "accuracy"):
        right = cast(equal(predictions, labels), "float32")
        return reduce_mean(right) if weights is None else reduce_sum(right * weights) / reduce_sum(weights)


def _streaming(metric: Callable[..., Any], name: str | None = None, predictions: str = "predictions") -> Any:
    """Return a metric of ``tf.metrics`` with the predictions first, maybe under other names."""
    labels, guesses, *others = inspect.signature(metric).parameters.values()
    given = inspect.Signature([guesses.replace(name=predictions), labels, *others])

    def streaming(*args: Any, **kwargs: Any) -> Any:
        values = given.bind(*args, **kwargs).arguments
        return metric(**{guesses.name: values.pop(predictions)}, **values)

    streaming.__name__ = streaming.__qualname__ = name or f"streaming_{metric.__name__}"
    streaming.__doc__ = f"Return `tf.metrics.{metric.__name__}`: a value, and its update."
    streaming.__signature__ = given  # type: ignore[attr-defined]
    return streaming


streaming_accuracy = _streaming(_metrics.accuracy)
streaming_auc = _streaming(_metrics.auc)
streaming_false_negatives = _streaming(_metrics.false_negatives)
streaming_false_positives = _streaming(_metrics.false_positives)
streaming_mean_absolute_error = _streaming(_metrics.mean_absolute_error)
streaming_mean_cosine_distance = _streaming(_metrics.mean_cosine_distance)
streaming_mean_iou = _streaming(_metrics.mean_iou)
streaming_mean_relative_error = _streaming(_metrics.mean_relative_error)
streaming_mean_squared_error = _streaming(_metrics.mean_squared_error)
streaming_precision = _streaming(_metrics.precision)
streaming_precision_at_thresholds = _streaming(_metrics.precision_at_thresholds)
streaming_recall = _streaming(_metrics.recall)
streaming_recall_at_thresholds = _streaming(_metrics.recall_at_thresholds)
streaming_root_mean_squared_error = _streaming(_metrics.root_mean_squared_error)
streaming_sensitivity_at_specificity = _streaming(_metrics.sensitivity_at_specificity)
streaming_sparse_average_precision_at_k = _streaming(
    _metrics.average_precision_at_k, "streaming_sparse_average_precision_at_k"
)
streaming_sparse_average_precision_at_top_k = _streaming(
    average_precision_at_top_k, "streaming_sparse_average_precision_at_top_k", "top_k_predictions"
)
streaming_sparse_precision_at_k = _streaming(_metrics.precision_at_k, "streaming_sparse_precision_at_k")
streaming_sparse_recall_at_k = _streaming(_metrics.recall_at_k, "streaming_sparse_recall_at_k")
streaming_specificity_at_sensitivity = _streaming(_metrics.specificity_at_sensitivity)
streaming_true_negatives = _streaming(_metrics.true_negatives)
streaming_true_positives = _streaming(_metrics.true_positives)


def streaming_recall_at_k(
    predictions: Any,
    labels: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Return how often a row's one label is among its k largest scores, and the update."""
    found = cast(in_top_k(predictions, labels, k), "float32")
    return _metrics.mean(found, weights, metrics_collections, updates_collections, name or f"recall_at_{k:d}")


def streaming_sparse_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Return `tf.metrics.precision_at_top_k`: a value, and its update."""
    collections = metrics_collections, updates_collections
    return _metrics.precision_at_top_k(labels, top_k_predictions, None, class_id, weights, *collections, name)


def sparse_recall_at_top_k(
    labels: Any,
    top_k_predictions: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Any:
    """Return `tf.metrics.recall_at_top_k`: a value, and its update."""
    collections = metrics_collections, updates_collections
    return _metrics.recall_at_top_k(labels, top_k_predictions, None, class_id, weights, *collections, name)


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
