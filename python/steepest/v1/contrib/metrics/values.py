"""All values of all batches one behind another, and areas under curves of all scores rather than of thresholds."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from ...graph.build import call, convert
from ...graph.run_values import array_of
from ...graph.scopes import variable_scope
from ...metrics.accumulate import Pair, collected, counter
from ...metrics.internal import _remove_squeezable_dimensions
from ...metrics.thresholds import check_curve, of_cells
from ...ops.array_ops import identity, reshape
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_greater_equal, assert_less_equal
from ...ops.control_flow_ops import group, with_dependencies
from ...ops.creation_ops import ones_like
from ...ops.math_ops import ceil, log, pow
from ...variables.state_ops import assign

__all__ = ["auc_with_confidence_intervals", "streaming_concat", "streaming_dynamic_auc"]


def _next_array_size(required_size: Any, growth_factor: float = 1.5) -> Any:
    """Return the least power of a factor, rounded up, that is not below a size."""
    exponent = ceil(log(cast(required_size, "float32")) / log(cast(growth_factor, "float32")))
    return cast(ceil(pow(cast(growth_factor, "float32"), exponent)), "int32")


def streaming_concat(
    values: Any,
    axis: int = 0,
    max_size: int | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return all values of all batches along an axis, of which the first ``max_size`` are kept, and the update.

    The update gives their number. Raises ValueError for an unknown rank, for an unknown size but that of ``axis``, and
    for an axis that there is not.
    """
    with variable_scope(name, "streaming_concat"):
        values = convert(values)
        shape = values._shape
        if shape is None:
            raise ValueError("`values` must have known statically known rank")
        at = axis + len(shape) if axis < 0 else axis
        if not 0 <= at < len(shape):
            raise ValueError(f"axis = {at!r} not in [0, {len(shape)!r})")
        fixed = [*shape[:at], *shape[at + 1 :]]
        if None in fixed:
            raise ValueError(
                "all dimensions of `values` other than the dimension to concatenate along must have statically known "
                "size"
            )
        array = counter("array", [*shape[:at], 0, *shape[at + 1 :]], values.dtype.base_dtype)
        size = counter("size", dtype="int32")

        def longer(old: Any, new: Any) -> Any:
            both = np.concatenate([array_of(old), array_of(new)], at)
            return both if max_size is None else np.take(both, range(min(max_size, both.shape[at])), at)

        open_shape = (*shape[:at], None, *shape[at + 1 :])
        grown = call("Concat", longer, (array, values), shape=open_shape, differentiable=False)
        kept = assign(array, grown, validate_shape=False)
        number = call(
            "Size",
            lambda x: np.int32(np.shape(x)[at]),
            (kept,),
            shape=(),
            dtype="int32",
            same=False,
            differentiable=False,
        )
        value = call("Concat", array_of, (array,), shape=open_shape, name="concat", differentiable=False)
        return collected(value, assign(size, number), metrics_collections, updates_collections)


def _binary(labels: Any) -> Any:
    """Return labels as a vector of int64; InvalidArgumentError in a run for one that is not 0 or 1."""
    labels = reshape(cast(labels, "int64"), [-1])
    checks = [
        assert_greater_equal(labels, 0, message="labels must be 0 or 1, at least one is <0"),
        assert_less_equal(labels, 1, message="labels must be 0 or 1, at least one is >1"),
    ]
    return with_dependencies(checks, labels)


def _kept(**vectors: Any) -> tuple[list[Any], Any]:
    made = [streaming_concat(each, name=f"concat_{name}") for name, each in vectors.items()]
    return [value for value, _ in made], group(*(update for _, update in made))


def streaming_dynamic_auc(
    labels: Any,
    predictions: Any,
    curve: str = "ROC",
    metrics_collections: Any = (),
    updates_collections: Any = (),
    name: str | None = None,
    weights: Any = None,
) -> Pair:
    """Return the area under the ROC or PR curve with a threshold at each score, and the operation that adds a batch.

    All scores are kept, which may be any numbers. The area is 0 where only one label was seen. Raises ValueError for
    another curve, InvalidArgumentError in a run for labels that are not 0 or 1.
    """
    check_curve(curve)

    def area(scores: Any, truth: Any, *weight: Any) -> Any:
        share = weight[0] if weight else np.ones(scores.shape)
        hits, total = float((share * (truth > 0)).sum()), float(share.sum())
        if hits in (0, total):
            return 0.0
        order = np.argsort(-scores, kind="stable")
        last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
        tp, fp = (np.append(0, np.cumsum((share * kept)[order])[last]) for kept in (truth > 0, truth < 1))
        if curve == "ROC":
            x, y = fp / (total - hits), tp / hits
        else:
            x, y = tp / hits, np.append(1, tp[1:] / (tp + fp)[1:])
        return ((y[1:] + y[:-1]) / 2 * np.abs(np.diff(x))).sum()

    with variable_scope(name, "dynamic_auc"):
        labels, predictions = convert(labels), convert(predictions)
        labels.get_shape().assert_is_compatible_with(predictions.get_shape())
        vectors = {"preds": reshape(cast(predictions, "float64"), [-1]), "labels": _binary(labels)}
        if weights is not None:
            vectors["weights"] = reshape(cast(weights, "float64"), [-1])
        arrays, update = _kept(**vectors)
        made = of_cells("DynamicAuc", area, arrays, dtype="float64")
        return collected(made, update, metrics_collections, updates_collections)


class AucData(NamedTuple):
    """An area and the bounds of its confidence interval."""

    auc: Any
    lower: Any
    upper: Any


def auc_with_confidence_intervals(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    alpha: float = 0.95,
    logit_transformation: bool = True,
    metrics_collections: Any = (),
    updates_collections: Any = (),
    name: str | None = None,
) -> Pair:
    """Return the area under the ROC curve with its confidence interval, and the operation that adds a batch.

    All three are 0 where the batch at hand has only one of the labels, or weights below 1 in all. Raises ValueError for
    an ``alpha`` that is not between 0 and 1. Source: DeLong, DeLong, Clarke-Pearson, 1988: placement values.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1; currently {alpha:.02f}")
    with variable_scope(name, "auc_with_confidence_intervals"):
        weights = ones_like(convert(predictions)) if weights is None else weights
        predictions, labels, weights = _remove_squeezable_dimensions(predictions, labels, weights)
        truth, share = _binary(labels), reshape(weights, [-1])
        kept, update = _kept(preds=reshape(cast(predictions, "float64"), [-1]), labels=truth, weights=share)

        def bounds(scores: Any, known: Any, shares: Any, truth: Any, share: Any) -> Any:
            if not truth.size or truth.min() != 0 or truth.max() != 1 or share.sum() < 1:
                return np.zeros(3)
            return _interval(
                scores, known, shares.astype(np.float64), NormalDist().inv_cdf((1 - alpha) / 2), logit_transformation
            )

        made = of_cells("AucInterval", bounds, [*kept, truth, share], shape=(3,))
        data = AucData(*(identity(made[k]) for k in range(3)))
        return collected(data, update, metrics_collections, updates_collections)


def _interval(scores: Any, truth: Any, shares: Any, z: float, logit: bool) -> Any:
    """Return the area and its bounds, from where each score is placed among the scores of the other label."""
    small = 1e-7
    _, group_of = np.unique(scores, return_inverse=True)
    totals, places = [shares[truth == k].sum() for k in (0, 1)], np.zeros(len(scores))
    for k in (0, 1):
        others = np.bincount(group_of, shares * (truth != k))
        below = (np.cumsum(others) - others / 2) / (others.sum() + small)
        places[truth == k] = below[group_of][truth == k]
    places[truth == 0] = 1 - places[truth == 0]
    areas, spread = [], 0.0
    for k, total in enumerate(totals):
        mine, weight = places[truth == k], shares[truth == k]
        areas.append((weight * mine).sum() / (total + small))
        spread += (weight * (mine - areas[k]) ** 2).sum() / (total - 1 + small) / (total + small)
    area = areas[1] if totals[0] < totals[1] else areas[0]
    if area in (0, 1):
        return [area] * 3
    error = np.sqrt(spread)
    if not logit:
        return [area, area + z * error, area - z * error]
    middle, error = np.log(area / (1 - area + small)), error / (area * (1 - area + small))
    return [area, *(1 / (1 + np.exp(-x) + small) for x in (middle + z * error, middle - z * error))]
