"""Shares of what is false or true that was taken for the other, and a share where another one is as it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ... import metrics as _metrics
from ...graph.scopes import variable_scope
from ...metrics.accumulate import Pair, collected, graph_only, ratio
from ...metrics.thresholds import cells_at_thresholds, even_thresholds, of_cells, share_at_thresholds

__all__ = [
    "f1_score",
    "precision_at_recall",
    "recall_at_precision",
    "streaming_false_negative_rate",
    "streaming_false_negative_rate_at_thresholds",
    "streaming_false_negatives_at_thresholds",
    "streaming_false_positive_rate",
    "streaming_false_positive_rate_at_thresholds",
    "streaming_false_positives_at_thresholds",
    "streaming_true_negatives_at_thresholds",
    "streaming_true_positives_at_thresholds",
]

_SMALL = np.float32(1e-7)


def _rate(who: str, wrong: Callable[..., Pair], right: Callable[..., Pair], what: str) -> Callable[..., Pair]:
    def metric(
        predictions: Any,
        labels: Any,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        with variable_scope(name, who):
            counts = [one(labels, predictions, weights) for one in (wrong, right)]
            parts = [ratio(a, a + b, name) for a, b, name in zip(*counts, ("value", "update_op"), strict=True)]
            return collected(parts[0], parts[1], metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = f"streaming_{who}"
    metric.__doc__ = f"Return the share of {what}, 0 where there are none, and the update."
    return metric


def _rate_at_thresholds(who: str, short: str, cells: tuple[str, str], what: str) -> Callable[..., Pair]:
    def metric(
        predictions: Any,
        labels: Any,
        thresholds: Sequence[float],
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        with variable_scope(name, f"{who}_at_thresholds"):
            parts = share_at_thresholds(labels, predictions, thresholds, weights, cells, short)
            return collected(*parts, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = f"streaming_{who}_at_thresholds"
    metric.__doc__ = f"Return the share of {what}, for each threshold of the scores, and the update."
    return metric


_FALSE, _TRUE = "false ones that were predicted true", "true ones that were predicted false"
streaming_false_positive_rate = _rate("false_positive_rate", _metrics.false_positives, _metrics.true_negatives, _FALSE)
streaming_false_negative_rate = _rate("false_negative_rate", _metrics.false_negatives, _metrics.true_positives, _TRUE)
streaming_false_positive_rate_at_thresholds = _rate_at_thresholds(
    "false_positive_rate", "fpr", ("false_positives", "true_negatives"), _FALSE
)
streaming_false_negative_rate_at_thresholds = _rate_at_thresholds(
    "false_negative_rate", "fnr", ("false_negatives", "true_positives"), _TRUE
)


def _cells_at_thresholds(cell: str, what: str) -> Callable[..., Pair]:
    def metric(predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None) -> Pair:
        (count,), (update,) = cells_at_thresholds(labels, predictions, thresholds, weights, [cell])
        return count, update

    metric.__name__ = metric.__qualname__ = f"streaming_{cell}_at_thresholds"
    metric.__doc__ = f"Return the variable of how many {what}, for each threshold of the scores, and the update."
    return metric


streaming_true_positives_at_thresholds = _cells_at_thresholds("true_positives", "were predicted true and are")
streaming_true_negatives_at_thresholds = _cells_at_thresholds("true_negatives", "were predicted false and are")
streaming_false_positives_at_thresholds = _cells_at_thresholds("false_positives", "were predicted true and are false")
streaming_false_negatives_at_thresholds = _cells_at_thresholds("false_negatives", "were predicted false and are true")


def _of_curve(
    who: str, kernel: Callable[..., Any], labels: Any, predictions: Any, weights: Any, number: int, name: Any, keys: Any
) -> Pair:
    """Return one number of the cells at even thresholds, ``kernel`` of the true ones and false positives."""
    with variable_scope(name, who):
        cells = ["true_positives", "false_negatives", "false_positives"]
        if who != "f1":
            cells.append("true_negatives")  # TensorFlow's variable of it; nothing reads it
        counters, updates = cells_at_thresholds(labels, predictions, even_thresholds(number), weights, cells)
        return collected(
            of_cells("OfCurve", kernel, counters, "value"), of_cells("OfCurve", kernel, updates, "update_op"), *keys
        )


def recall_at_precision(
    labels: Any,
    predictions: Any,
    precision: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
    strict_mode: bool = False,
) -> Pair:
    """Return the recall at the threshold whose precision is nearest to ``precision``, and the update.

    ``strict_mode`` takes the nearest one that is not below it, and gives 0 where there is none. Raises ValueError for
    a precision that is not in [0, 1].
    """
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")
    asked = np.float32(precision)

    def recall(tp: Any, fn: Any, fp: Any, *_: Any) -> Any:
        precisions = tp / (tp + fp + _SMALL)
        if strict_mode:
            at = np.argmax(np.float32(1) / (precisions - asked + _SMALL))
            if not precisions[at] >= asked:
                return 0.0
        else:
            at = np.argmin(np.abs(precisions - asked))
        return tp[at] / (tp[at] + fn[at] + _SMALL)

    keys = metrics_collections, updates_collections
    return _of_curve("recall_at_precision", recall, labels, predictions, weights, num_thresholds, name, keys)


def precision_at_recall(
    labels: Any,
    predictions: Any,
    target_recall: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the precision at the highest threshold whose recall is not below ``target_recall``, and the update.

    Raises ValueError for a recall that is not in [0, 1], RuntimeError in eager mode.
    """
    graph_only("precision_at_recall")
    if not 0 <= target_recall <= 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")

    def precision(tp: Any, fn: Any, fp: Any, *_: Any) -> Any:
        at = int((tp / (tp + fn + _SMALL) >= np.float32(target_recall)).sum()) - 1
        # where no threshold has that recall `at` is -1: the last threshold, as in TensorFlow
        return (tp[at] + _SMALL) / (tp[at] + fp[at] + _SMALL)

    keys = metrics_collections, updates_collections
    return _of_curve("precision_at_recall", precision, labels, predictions, weights, num_thresholds, name, keys)


def f1_score(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the largest harmonic mean of precision and recall of all thresholds, and the update."""

    def best(tp: Any, fn: Any, fp: Any) -> Any:
        precision, recall = tp / (_SMALL + tp + fp), tp / (_SMALL + tp + fn)
        return (np.float32(2) * precision * recall / (precision + recall + _SMALL)).max()

    keys = metrics_collections, updates_collections
    return _of_curve("f1", best, labels, predictions, weights, num_thresholds, name, keys)
