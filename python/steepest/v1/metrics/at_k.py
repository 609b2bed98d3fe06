"""Metrics of the k classes with the largest scores of each row, against labels that may be several in a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import call, convert
from ..graph.composites import is_sparse
from ..graph.errors import InvalidArgumentError
from ..graph.fetches import SparseTensorValue
from ..graph.graph import get_default_graph
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..nn import top_k
from ..ops.cast_ops import cast
from ..ops.sparse_ops import SparseTensor
from .accumulate import Pair, add_batch, check_weights, collected, counter, graph_only, ratio

__all__ = [
    "average_precision_at_k",
    "precision_at_k",
    "precision_at_top_k",
    "recall_at_k",
    "recall_at_top_k",
    "sparse_average_precision_at_k",
    "sparse_precision_at_k",
]


def _name(what: str, k: int | None, class_id: int | None = None) -> str:
    text = f"{what}_at_{'k' if k is None else k}"
    return text if class_id is None else f"{text}_class{class_id}"


def _label_parts(labels: Any, predictions: Any) -> list[Any]:
    """Return the nodes of labels: one, or three of a sparse tensor. Raises ValueError where the ranks do not fit."""
    if isinstance(labels, SparseTensorValue):
        labels = SparseTensor(*(np.asarray(part, np.int64) for part in labels))
    if is_sparse(labels):
        return list(labels._sparse_parts)
    labels = convert(labels)
    if None not in (labels._shape, predictions._shape) and len(predictions._shape) - len(labels._shape) not in (0, 1):
        raise ValueError(f"Unexpected labels shape {labels.shape} for predictions shape {predictions.shape}.")
    return [cast(labels, "int64")]


def _rows(predictions: Any, labels: list[Any]) -> list[list[int]]:
    """Return the labels of each row of predictions; InvalidArgumentError where rows do not fit."""
    outer = predictions.shape[:-1]
    if len(labels) == 1:
        dense = labels[0][..., None] if labels[0].ndim < predictions.ndim else labels[0]
        if dense.shape[:-1] != outer:
            raise InvalidArgumentError(None, None, f"Dimensions of labels {dense.shape} and {predictions.shape} differ")
        return [list(row) for row in dense.reshape(-1, dense.shape[-1]).tolist()]
    indices, values, sizes = labels
    if tuple(sizes[: len(outer)]) != outer:
        raise InvalidArgumentError(None, None, f"Dimensions of labels {tuple(sizes)} and {predictions.shape} differ")
    rows: list[list[int]] = [[] for _ in range(int(np.prod(outer)))]
    places = np.ravel_multi_index(tuple(indices[:, : len(outer)].T), outer) if outer else np.zeros(len(values), int)
    for place, value in zip(places.tolist(), values.tolist(), strict=True):
        rows[place].append(value)
    return rows


def _share(weights: tuple[Any, ...], outer: tuple[int, ...]) -> Any:
    if not weights:
        return np.ones(outer)
    weight = weights[0]
    if weight.ndim not in (0, len(outer)):
        raise InvalidArgumentError(None, None, f"weights can not be broadcast to values: {weight.shape} and {outer}")
    check_weights(weight.shape, outer, lambda words: InvalidArgumentError(None, None, words))
    return np.broadcast_to(weight, outer)


def _inputs(labels: Any, predictions: Any, weights: Any) -> list[Any]:
    if predictions._shape is not None and len(predictions._shape) < 2:
        raise ValueError(f"Shape must be at least rank 2 but is rank {len(predictions._shape)}: {predictions.shape}")
    inputs = [predictions, *_label_parts(labels, predictions)]
    if weights is not None:
        inputs.append(cast(convert(weights), "float64"))
    return inputs


def _split(arrays: tuple[Any, ...]) -> tuple[list[Any], tuple[Any, ...]]:
    """Return the parts of the labels, and the weights where there are any: a sparse tensor has three parts."""
    count = 3 if len(arrays) > 2 else 1
    return list(arrays[:count]), arrays[count:]


def _top_k_metric(
    who: str,
    other: str,
    labels: Any,
    predictions_idx: Any,
    k: int | None,
    class_id: int | None,
    weights: Any,
    keys: tuple[Any, Any],
    name: str | None,
) -> Pair:
    """Return the share of hits among the hits and what ``other`` counts: predictions or labels without the other."""
    graph_only(f"{who}_at_top_k")
    of_labels = other == "false_negative"

    def batch(predictions: Any, *arrays: Any) -> tuple[Any, Any]:
        parts, weight = _split(arrays)
        outer = predictions.shape[:-1]
        counts = np.zeros((2, int(np.prod(outer))))
        guesses = predictions.reshape(-1, predictions.shape[-1]).tolist()
        for row, (guess, truth) in enumerate(zip(guesses, _rows(predictions, parts), strict=True)):
            chosen, right = set(guess), set(truth)
            if class_id is not None:
                chosen, right = chosen & {class_id}, right & {class_id}
            counts[:, row] = len(chosen & right), len(right - chosen if of_labels else chosen - right)
        share = _share(weight, outer).ravel()
        return (counts[0] * share).sum(), (counts[1] * share).sum()

    def part(hits: Any, rest: Any) -> Any:
        hits, rest = array_of(hits), array_of(rest)
        with np.errstate(invalid="ignore"):
            return hits / (hits + rest)

    with name_scope(name, _name(who, k, class_id)) as scope:
        inputs = _inputs(labels, cast(convert(predictions_idx), "int64"), weights)
        names = ("true_positive", other)
        counters = [counter(_name(each, k, class_id), dtype="float64") for each in names]
        updates = add_batch("HitsAtK", batch, inputs, counters)
        value = call("Share", part, counters, name=scope, shape=(), differentiable=False)
        update = call("Share", part, updates, name="update", shape=(), differentiable=False)
        return collected(value, update, *keys)


def precision_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the share of predicted classes that are labels of their row, and the update; NaN where there are none.

    ``labels`` is a tensor of classes, or a sparse one with other numbers of them in each row; ``class_id`` counts one
    class alone. Raises ValueError for labels of another rank, RuntimeError in eager mode.

    Source: ``tf.metrics.precision_at_top_k``.
    """
    keys = metrics_collections, updates_collections
    made = "precision", "false_positive", labels, predictions_idx, k, class_id, weights, keys, name
    return _top_k_metric(*made)


def recall_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the share of labels that are among the predicted classes of their row, and the update.

    As `precision_at_top_k`. Source: ``tf.metrics.recall_at_top_k``.
    """
    keys = metrics_collections, updates_collections
    return _top_k_metric("recall", "false_negative", labels, predictions_idx, k, class_id, weights, keys, name)


def _of_scores(who: str, metric: Callable[..., Pair], what: str) -> Callable[..., Pair]:
    def at_k(
        labels: Any,
        predictions: Any,
        k: int,
        class_id: int | None = None,
        weights: Any = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        graph_only(f"{who}_at_k")
        with name_scope(name, _name(who, k, class_id)) as scope:
            best = top_k(predictions, k)[1]
            return metric(labels, best, k, class_id, weights, metrics_collections, updates_collections, scope)

    at_k.__name__ = at_k.__qualname__ = f"{who}_at_k"
    at_k.__doc__ = f"Return the share of {what}, for the k largest scores of each row, and the update."
    return at_k


precision_at_k = _of_scores("precision", precision_at_top_k, "predicted classes that are labels of their row")
recall_at_k = _of_scores("recall", recall_at_top_k, "labels that are among the predicted classes of their row")
sparse_precision_at_k = precision_at_k


def average_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return the mean of rows' average precision at k, and the update.

    A row's is the sum of ``precision at i`` over the places i <= k whose class is a label, divided by the number of
    labels or k, whichever is less. Raises ValueError for k below 1, RuntimeError in eager mode.

    Source: ``tf.metrics.average_precision_at_k``.
    """
    graph_only("average_precision_at_k")
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    with name_scope(name, _name("average_precision", k)) as scope:
        scores = convert(predictions)
        best = cast(top_k(scores, k)[1], "int64")
        made = _average_precision(labels, best, [scores], weights, scope)
        return collected(*made, metrics_collections, updates_collections)


def average_precision_at_top_k(
    labels: Any,
    predictions_idx: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Return `average_precision_at_k` of classes ``predictions_idx``, the best first; their number is a static size."""
    graph_only("average_precision_at_top_k")
    with name_scope(name, "average_precision_at_top_k") as scope:
        best = cast(convert(predictions_idx), "int64")
        if not best._shape or best._shape[-1] is None:
            raise ValueError(f"Invalid predictions_idx shape: {best.shape}; its last size must be known")
        made = _average_precision(labels, best, [], weights, scope)
        return collected(*made, metrics_collections, updates_collections)


def _average_precision(labels: Any, best: Any, scores: list[Any], weights: Any, scope: str) -> Pair:
    """Return the value and the update; labels that scores, where they are given, have no class for are no hits."""
    sparse = is_sparse(labels) or isinstance(labels, SparseTensorValue)
    k = best._shape[-1]

    def batch(best: Any, *arrays: Any) -> tuple[Any, Any]:
        classes = arrays[0].shape[-1] if scores else np.inf
        parts, weight = _split(arrays[len(scores) :])
        found = []
        for guess, labels in zip(best.reshape(-1, k).tolist(), _rows(best, parts), strict=True):
            known = [label if label < classes else -1 for label in labels]
            hits = np.array([each in known for each in guess], np.float64)
            precisions = np.cumsum(hits) / np.arange(1, k + 1) * hits
            relevant = len(set(known)) if sparse else sum(label >= 0 for label in known)
            with np.errstate(invalid="ignore", divide="ignore"):
                found.append(np.divide(precisions.sum(), min(relevant, k)))
        share = _share(weight, best.shape[:-1]).ravel()
        return share.sum(), (np.array(found) * share).sum()

    first, *others = _inputs(labels, best, weights)
    if scores:
        get_default_graph().unique_name("Max")  # TensorFlow's node of that name gives the first variable its number
    counters = counter("max", dtype="float64"), counter("total", dtype="float64")
    largest, total = add_batch("AveragePrecisionAtK", batch, [first, *scores, *others], counters)
    return ratio(counters[1], counters[0], "mean"), ratio(total, largest, scope)


sparse_average_precision_at_k = average_precision_at_k
