"""Counts, covariances and correlations of predictions and labels over batches, and Cohen's kappa."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.build import convert
from ...graph.scopes import variable_scope
from ...metrics.accumulate import Pair, add_batch, collected, counter, graph_only
from ...metrics.internal import _remove_squeezable_dimensions
from ...metrics.thresholds import of_cells
from ...ops.array_ops import identity, squeeze
from ...ops.cast_ops import cast
from ...ops.control_flow_ops import with_dependencies
from ...ops.counting_ops import confusion_matrix
from ...ops.math_ops import div_no_nan, sqrt, truediv
from ...ops.matmul_ops import diag_part
from ...ops.reduce_ops import reduce_sum
from ...ops.weights_broadcast_ops import broadcast_weights
from ...variables.state_ops import assign_add

__all__ = ["cohen_kappa", "count", "streaming_covariance", "streaming_pearson_correlation"]


def count(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return how many values there were, or the sum of their weights, and the update. RuntimeError in eager mode."""
    graph_only("count")
    with variable_scope(name, "count"):
        total = counter("count")
        values = convert(values)
        if weights is None:
            update = add_batch("Count", lambda x: (x.size,), [values], [total])[0]
        else:
            values, _, weights = _remove_squeezable_dimensions(cast(values, "float32"), None, weights)
            weights = broadcast_weights(cast(weights, "float32"), values)
            update = assign_add(total, with_dependencies([values], reduce_sum(weights)))
        return collected(identity(total), update, metrics_collections, updates_collections)


def _comoment(comoment: Any, count: Any) -> Any:
    return np.float32("nan") if count <= 1 else comoment / (count - 1)


def streaming_covariance(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the sample covariance (divided by count - 1, NaN for a count of 1 or less) and the update.

    Batches are joined by the means and the comoment of each. Source: Chan, Golub, LeVeque, 1979.
    """
    with variable_scope(name, "covariance"):
        predictions, labels, weights = _remove_squeezable_dimensions(predictions, labels, weights)
        number, mean_p, mean_l, comoment = map(counter, ("count", "mean_prediction", "mean_label", "comoment"))
        if weights is not None:
            weights = broadcast_weights(weights, labels)

        def summed(x: Any) -> Any:
            return reduce_sum(x if weights is None else x * weights)

        size = summed(labels * 0 + 1)
        now = assign_add(number, size)
        before, means, far = now - size, [], 1.0
        for values, mean in ((predictions, mean_p), (labels, mean_l)):
            here = div_no_nan(summed(values), size)
            delta = div_no_nan((here - mean) * size, now)
            means.append(here)
            far = (assign_add(mean, delta) - delta - here) * far
        rest = summed((predictions - means[0]) * (labels - means[1]))
        together = assign_add(comoment, rest + far * div_no_nan(before * size, now))
        value = of_cells("Covariance", _comoment, (comoment, number), "covariance")
        update = of_cells("Covariance", _comoment, (together, now), "update_op")
        return collected(value, update, metrics_collections, updates_collections)


def streaming_pearson_correlation(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the covariance divided by the two standard deviations, and the update."""
    with variable_scope(name, "pearson_r"):
        predictions, labels, weights = _remove_squeezable_dimensions(predictions, labels, weights)
        if weights is not None:
            weights = broadcast_weights(weights, labels)
        pairs = {
            "covariance": (predictions, labels),
            "variance_predictions": (predictions, predictions),
            "variance_labels": (labels, labels),
        }
        made = [streaming_covariance(*pair, weights, name=each) for each, pair in pairs.items()]
        value, update = (
            truediv(both, sqrt(one) * sqrt(other), name=each)
            for each, (both, one, other) in zip(("pearson_r", "update_op"), zip(*made, strict=True), strict=True)
        )
        return collected(value, update, metrics_collections, updates_collections)


def _kappa(right: Any, rows: Any, columns: Any) -> Any:
    """Return (agreement - chance) / (total - chance), 0 where the latter is not positive."""
    total = np.float64(rows.sum())
    chance = (rows * columns).astype(np.float64).sum() / total if total else 0.0
    return (np.float64(right.sum()) - chance) / (total - chance) if total > chance else 0.0


def cohen_kappa(
    labels: Any,
    predictions_idx: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return Cohen's kappa, the agreement of classes beyond chance, and the update.

    Raises ValueError for fewer than two classes, RuntimeError in eager mode.
    """
    graph_only("cohen_kappa")
    if num_classes < 2:
        raise ValueError(f"`num_classes` must be >= 2.Found: {num_classes}")
    with variable_scope(name, "cohen_kappa"):
        labels = convert(labels)
        labels.get_shape().with_rank_at_most(2)
        if labels.get_shape().ndims == 2:
            labels = squeeze(labels, axis=[-1])
        guesses, labels, weights = _remove_squeezable_dimensions(predictions_idx, labels, weights)
        dtype = "int64" if weights is None or weights.dtype.is_integer else "float32"
        counters = [counter(each, (num_classes,), dtype) for each in ("po", "pe_row", "pe_col")]
        table = confusion_matrix(labels, guesses, num_classes, weights=weights, dtype=dtype, name="counts_in_table")
        parts = [diag_part(table), reduce_sum(table, axis=0), reduce_sum(table, axis=1)]
        updates = [assign_add(total, part) for total, part in zip(counters, parts, strict=True)]
        value, update = (
            of_cells("CohenKappa", _kappa, of, each, dtype="float64")
            for of, each in ((counters, "value"), (updates, "update_op"))
        )
        return collected(value, update, metrics_collections, updates_collections)
