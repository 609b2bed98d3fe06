"""Metrics of scores in [0, 1] that are compared with thresholds: the cells at each of them, and areas under curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.build import call, convert
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of
from ..graph.scopes import variable_scope
from ..graph.static_values import constant_value
from ..ops.array_ops import identity
from ..ops.cast_ops import cast
from .accumulate import Pair, add_batch, aligned, check_inputs, collected, counter, graph_only
from .accumulate import with_weights as nodes_of

__all__ = [
    "auc",
    "false_negatives_at_thresholds",
    "false_positives_at_thresholds",
    "precision_at_thresholds",
    "recall_at_thresholds",
    "sensitivity_at_specificity",
    "specificity_at_sensitivity",
    "true_negatives_at_thresholds",
    "true_positives_at_thresholds",
]

_CELLS = {  # label, prediction
    "true_positives": (True, True),
    "false_negatives": (True, False),
    "true_negatives": (False, False),
    "false_positives": (False, True),
}
_EPSILON = 1e-7


def check_scores(scores: Any) -> None:
    """Raise InvalidArgumentError for scores that are not in [0, 1]."""
    if not ((scores >= 0) & (scores <= 1)).all():
        raise InvalidArgumentError(None, None, "assertion failed: [predictions must be in [0, 1]]")


def check_curve(curve: str) -> None:
    """Raise ValueError for another curve than those there are."""
    if curve not in ("ROC", "PR"):
        raise ValueError("curve must be either ROC or PR, %s unknown" % curve)  # noqa: UP031 - TensorFlow's words


def points_of(curve: str, tp: Any, fn: Any, tn: Any, fp: Any) -> tuple[Any, Any]:
    """Return where a curve has its points: rates of false and true positives for ROC, recall and precision for PR."""
    small = np.float32(1e-6)
    recall = (tp + small) / (tp + fn + small)
    return (fp / (fp + tn + small), recall) if curve == "ROC" else (recall, (tp + small) / (tp + fp + small))


def cells_at_thresholds(
    labels: Any, predictions: Any, thresholds: Sequence[float], weights: Any, names: Sequence[str]
) -> tuple[list[Any], list[Any]]:
    """Return counters of cells of the confusion matrix at each threshold, and the operations that add a batch."""
    inputs = nodes_of([labels, cast(convert(predictions), "float32")], weights)
    check_inputs(inputs[0], inputs[1], inputs[2:])
    if (known := constant_value(inputs[1])) is not None:
        check_scores(known)
    limits = np.asarray(thresholds, np.float32)[:, None]

    def batch(labels: Any, predictions: Any, *weight: Any) -> tuple[Any, ...]:
        truth, score, share = (part.ravel() for part in aligned(labels.astype(bool), predictions, *weight))
        check_scores(score)
        above = score[None] > limits
        return tuple((share * (above == p) * (truth == t)).sum(1) for t, p in (_CELLS[name] for name in names))

    counters = [counter(name, (len(limits),)) for name in names]
    return counters, add_batch("CellsAtThresholds", batch, inputs, counters)


def of_cells(
    op_type: str,
    kernel: Callable[..., Any],
    parts: Sequence[Any],
    name: str | None = None,
    shape: Any = (),
    dtype: str = "float32",
) -> Any:
    """Return a node of what ``kernel`` makes of the arrays of counters or of their updates."""

    def typed(*arrays: Any) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(kernel(*map(array_of, arrays)), dtype)

    return call(op_type, typed, parts, name=name, shape=shape, dtype=dtype, same=False, differentiable=False)


def even_thresholds(number: int) -> list[float]:
    """Return thresholds in equal steps from just below 0 to just above 1."""
    return [-_EPSILON, *((k + 1) / (number - 1) for k in range(number - 2)), 1 + _EPSILON]


def auc(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Sequence[float] | None = None,
) -> Pair:
    """Return the area under the ROC or PR curve by thresholds, and its update.

    Predictions are in [0, 1]: InvalidArgumentError for others. ``thresholds`` are those between 0 and 1, by default
    ``num_thresholds`` in equal steps, the two ends included. ``summation_method`` is ``trapezoidal``,
    ``careful_interpolation`` (Davis and Goadrich 2006, for PR), ``minoring`` or ``majoring``. Raises ValueError for
    other words, RuntimeError in eager mode.

    Source: ``tf.metrics.auc``.
    """
    graph_only("auc")
    check_curve(curve)
    if summation_method not in ("trapezoidal", "careful_interpolation", "minoring", "majoring"):
        raise ValueError(f"Invalid summation_method: {summation_method}")
    limits = even_thresholds(num_thresholds) if thresholds is None else [-_EPSILON, *sorted(thresholds), 1 + _EPSILON]
    heights = {"minoring": np.minimum, "majoring": np.maximum}.get(summation_method, lambda a, b: (a + b) / 2)

    def area(tp: Any, fn: Any, tn: Any, fp: Any) -> Any:
        if curve == "PR" and summation_method == "careful_interpolation":
            return _interpolated(tp, fp, fn)
        if thresholds is None and num_thresholds == 1:  # there is nothing between thresholds
            return np.float32(0)
        x, y = points_of(curve, tp, fn, tn, fp)
        return ((x[:-1] - x[1:]) * heights(y[:-1], y[1:])).sum(dtype=np.float32)

    with variable_scope(name, "auc"):
        counters, updates = cells_at_thresholds(labels, predictions, limits, weights, list(_CELLS))
        careful = curve == "PR" and summation_method == "careful_interpolation"
        names = ("interpolate_pr_auc",) * 2 if careful else ("value", "update_op")
        made = of_cells("Auc", area, counters, names[0]), of_cells("Auc", area, updates, names[1])
        return collected(*made, metrics_collections, updates_collections)


def _no_nan(a: Any, b: Any) -> Any:
    return np.divide(a, b, out=np.zeros_like(a), where=b != 0)


def _interpolated(tp: Any, fp: Any, fn: Any) -> Any:
    """Return the area under the PR curve where true positives, not precisions, grow evenly between thresholds."""
    steps, positives = tp[:-1] - tp[1:], tp + fp
    slope = _no_nan(steps, np.maximum(positives[:-1] - positives[1:], 0))
    intercept = tp[1:] - slope * positives[1:]
    both = (positives[:-1] > 0) & (positives[1:] > 0)
    growth = np.where(both, _no_nan(positives[:-1], positives[1:]), np.float32(1))
    return _no_nan(slope * (steps + intercept * np.log(growth)), tp[1:] + fn[1:]).sum(dtype=np.float32)


def _counting(cell: str, what: str) -> Callable[..., Pair]:
    def metric(
        labels: Any,
        predictions: Any,
        thresholds: Sequence[float],
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        graph_only(f"{cell}_at_thresholds")
        with variable_scope(name, cell):
            (count,), (update,) = cells_at_thresholds(labels, predictions, thresholds, weights, [cell])
            return collected(identity(count), update, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = f"{cell}_at_thresholds"
    metric.__doc__ = f"Return how many {what}, for each threshold of the scores, and the update."
    return metric


true_positives_at_thresholds = _counting("true_positives", "were predicted true and are")
true_negatives_at_thresholds = _counting("true_negatives", "were predicted false and are")
false_positives_at_thresholds = _counting("false_positives", "were predicted true and are false")
false_negatives_at_thresholds = _counting("false_negatives", "were predicted false and are true")


def share_at_thresholds(
    labels: Any, predictions: Any, thresholds: Sequence[float], weights: Any, cells: tuple[str, str], name: str
) -> Pair:
    """Return the share of the first of two cells among both at each threshold, 0 where both are, and the update."""

    def share(one: Any, other: Any) -> Any:
        return one / (np.float32(_EPSILON) + one + other)

    counters, updates = cells_at_thresholds(labels, predictions, thresholds, weights, cells)
    shape = (len(thresholds),)
    value = of_cells("Share", share, counters, f"{name}_value", shape)
    return value, of_cells("Share", share, updates, f"{name}_update_op", shape)


def _sharing(who: str, other: str, what: str) -> Callable[..., Pair]:
    def metric(
        labels: Any,
        predictions: Any,
        thresholds: Sequence[float],
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        graph_only(f"{who}_at_thresholds")
        with variable_scope(name, f"{who}_at_thresholds"):
            parts = share_at_thresholds(labels, predictions, thresholds, weights, ("true_positives", other), who)
            return collected(*parts, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = f"{who}_at_thresholds"
    metric.__doc__ = f"Return the share of {what}, for each threshold of the scores, and the update."
    return metric


precision_at_thresholds = _sharing("precision", "false_positives", "true ones among those predicted true")
recall_at_thresholds = _sharing("recall", "false_negatives", "those predicted true among the true ones")


def _at_rate(who: str, given: str, given_cells: tuple[int, int], cells: tuple[int, int], last: bool) -> Any:
    """Return the metric of one rate at the threshold where another one is nearest to what is given."""

    def build(labels: Any, predictions: Any, rate: float, weights: Any, number: int, name: Any, keys: Any) -> Pair:
        graph_only(who)
        if not 0 <= rate <= 1:
            raise ValueError(f"`{given}` must be in the range [0, 1].")
        small = np.float32(_EPSILON)

        def found(*counts: Any) -> Any:
            hit, miss = (counts[cell] for cell in given_cells)
            away = np.abs(hit / (hit + miss + small) - np.float32(rate))
            at = len(away) - 1 - int(np.argmin(away[::-1])) if last else int(np.argmin(away))
            hit, miss = (counts[cell] for cell in cells)
            return hit[at] / (hit[at] + miss[at] + small)

        with variable_scope(name, who):
            counters, updates = cells_at_thresholds(labels, predictions, even_thresholds(number), weights, list(_CELLS))
            made = of_cells("RateAt", found, counters, "value"), of_cells("RateAt", found, updates, "update_op")
            return collected(*made, *keys)

    return build


_TP, _FN, _TN, _FP = range(4)
_sensitivity = _at_rate("sensitivity_at_specificity", "specificity", (_TN, _FP), (_TP, _FN), False)
_specificity = _at_rate("specificity_at_sensitivity", "sensitivity", (_TP, _FN), (_TN, _FP), True)


def sensitivity_at_specificity(
    labels: Any,
    predictions: Any,
    specificity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the share of those predicted true among the true ones, at the threshold nearest to a specificity.

    Raises ValueError for one that is not in [0, 1]. Source: ``tf.metrics.sensitivity_at_specificity``.
    """
    keys = metrics_collections, updates_collections
    made: Pair = _sensitivity(labels, predictions, specificity, weights, num_thresholds, name, keys)
    return made


def specificity_at_sensitivity(
    labels: Any,
    predictions: Any,
    sensitivity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the share of those predicted false among the false ones, at the threshold nearest to a sensitivity.

    Raises ValueError for one that is not in [0, 1]. Source: ``tf.metrics.specificity_at_sensitivity``.
    """
    keys = metrics_collections, updates_collections
    made: Pair = _specificity(labels, predictions, sensitivity, weights, num_thresholds, name, keys)
    return made
