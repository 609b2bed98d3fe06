"""Functions of ``tensorflow.python.ops.metrics_impl`` that programs write metrics of their own with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ops.sparse_ops import convert_to_tensor
from ..ops.squeezing_ops import remove_squeezable_dimensions, squeeze_or_expand_dimensions
from .accumulate import collected, counter, ratio
from .at_k import average_precision_at_top_k
from .thresholds import cells_at_thresholds

__all__ = [
    "_aggregate_across_replicas",
    "_aggregate_variable",
    "_confusion_matrix_at_thresholds",
    "_remove_squeezable_dimensions",
    "_safe_div",
    "_safe_scalar_div",
    "_streaming_sparse_average_precision_at_top_k",
    "metric_variable",
]

_CELLS = {"tp": "true_positives", "fn": "false_negatives", "tn": "true_negatives", "fp": "false_positives"}
_streaming_sparse_average_precision_at_top_k = average_precision_at_top_k


def metric_variable(shape: Any, dtype: Any, validate_shape: bool = True, name: str | None = None) -> Any:
    """Return a local variable of zeros that is in the collection of metrics' variables too."""
    return counter(name, shape, dtype)


def _remove_squeezable_dimensions(predictions: Any, labels: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Return the three in shapes that fit: a last axis of size 1 is left out, or added to weights."""
    predictions = convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    if weights is None:
        return predictions, labels, None
    return predictions, labels, squeeze_or_expand_dimensions(predictions, None, convert_to_tensor(weights))[2]


def _aggregate_across_replicas(metrics_collections: Any, metric_value_fn: Any, *args: Any) -> Any:
    """Return ``metric_value_fn(None, *args)``, the only replica's, and put it into collections."""
    value = metric_value_fn(None, *args)
    return collected(value, None, metrics_collections, None)[0]


def _aggregate_variable(v: Any, collections: Any) -> Any:
    """Return what a variable holds, and put it into collections."""
    return _aggregate_across_replicas(collections, lambda _, variable: variable.read_value(), v)


def _safe_div(numerator: Any, denominator: Any, name: str | None) -> Any:
    """Return a quotient, 0 where the denominator is 0 or less."""
    return ratio(numerator, denominator, name)


_safe_scalar_div = _safe_div


def _confusion_matrix_at_thresholds(
    labels: Any, predictions: Any, thresholds: Sequence[float], weights: Any = None, includes: Any = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return variables that count ``"tp"``, ``"fn"``, ``"tn"`` and ``"fp"`` at thresholds, and their updates."""
    keys = list(_CELLS if includes is None else includes)
    for key in keys:
        if key not in _CELLS:
            raise ValueError(f"Invalid key: {key}.")
    values, updates = cells_at_thresholds(labels, predictions, thresholds, weights, [_CELLS[key] for key in keys])
    return dict(zip(keys, values, strict=True)), dict(zip(keys, updates, strict=True))
