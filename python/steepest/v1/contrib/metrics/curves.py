"""Whole curves: their points at thresholds, and cells, precision and recall at even ones."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...graph.build import convert
from ...graph.scopes import name_scope, variable_scope
from ...metrics.accumulate import Pair, add_batch, aligned, check_inputs, collected, counter
from ...metrics.accumulate import with_weights as nodes_of
from ...metrics.thresholds import (
    cells_at_thresholds,
    check_curve,
    check_scores,
    even_thresholds,
    of_cells,
    points_of,
)
from ...ops.cast_ops import cast
from ...ops.control_flow_ops import group
from ...ops.creation_ops import linspace
from ...ops.math_ops import maximum
from ...ops.reduce_ops import cumsum

__all__ = ["precision_recall_at_equal_thresholds", "streaming_curve_points"]


def streaming_curve_points(
    labels: Any = None,
    predictions: Any = None,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
) -> Pair:
    """Return the points of the ROC or PR curve, a row (x, y) for each threshold, and the operation that adds a batch.

    Raises ValueError for another curve.
    """
    check_curve(curve)

    def points(*cells: Any) -> Any:
        return np.stack(points_of(curve, *cells), 1)

    with variable_scope(name, "curve_points"):
        cells = ["true_positives", "false_negatives", "true_negatives", "false_positives"]
        counters, updates = cells_at_thresholds(labels, predictions, even_thresholds(num_thresholds), weights, cells)
        value = of_cells("CurvePoints", points, counters, shape=(num_thresholds, 2))
        return collected(value, group(*updates), metrics_collections, updates_collections)


class PrecisionRecallData(NamedTuple):
    """Cells, precision and recall at each threshold."""

    tp: Any
    fp: Any
    tn: Any
    fn: Any
    precision: Any
    recall: Any
    thresholds: Any


def precision_recall_at_equal_thresholds(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> tuple[PrecisionRecallData, Any]:
    """Return cells, precision and recall at even thresholds in [0, 1], and the operation that adds a batch.

    Sums are in float64, results in the type of the predictions. A batch is counted in one pass whatever the number of
    thresholds, 201 by default. Raises TypeError for labels that are not bool.
    """
    number = 201 if num_thresholds is None else num_thresholds
    labels, predictions = convert(labels), convert(predictions)
    if labels.dtype.base_dtype.name != "bool":
        raise TypeError(f"labels must be of type bool, got {labels.dtype}")

    def batch(truth: Any, scores: Any, *weight: Any) -> tuple[Any, Any]:
        truth, scores, share = (part.ravel() for part in aligned(truth, scores, *weight))
        check_scores(scores)
        places = np.floor(scores * scores.dtype.type(number - 1)).astype(np.int64)
        right, wrong = (np.bincount(places, share * kept, number) for kept in (truth, ~truth))
        return right, wrong

    with variable_scope(name, "precision_recall_at_equal_thresholds"):
        inputs = nodes_of([labels, predictions], weights, "float64")
        check_inputs(inputs[0], inputs[1], inputs[2:])
        with name_scope("variables"):
            counters = [counter(each, (number,), "float64") for each in ("tp_buckets", "fp_buckets")]
        with name_scope("update_op"):
            updates = add_batch("BucketsOfScores", batch, inputs, counters)
        tp, fp = (cumsum(each, reverse=True, name=name) for each, name in zip(counters, ("tp", "fp"), strict=True))
        fn, tn = tp[0] - tp, fp[0] - fp
        precision, recall = tp / maximum(tp + fp, 1e-7), tp / maximum(tp + fn, 1e-7)
        parts = [tp, fp, tn, fn, precision, recall, linspace(0.0, 1.0, number)]
        dtype = predictions.dtype.base_dtype
        return PrecisionRecallData(*(cast(part, dtype) for part in parts)), group(*updates)
