"""Boxes on images: the best of those that overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call, shape_of
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from .sparse_ops import convert_to_tensor

__all__ = [
    "best_boxes",
    "non_max_suppression",
    "non_max_suppression_overlaps",
    "non_max_suppression_padded",
    "non_max_suppression_with_scores",
    "overlaps_of",
]


def overlaps_of(corners: Any) -> Any:
    """Return the share that the intersection of each two boxes has of their union; 0 with a box that has no area."""
    low, high = np.minimum(corners[:, :2], corners[:, 2:]), np.maximum(corners[:, :2], corners[:, 2:])
    area = np.prod(high - low, axis=1)

    def shares(k: int, others: list[int]) -> Any:
        sides = np.maximum(np.minimum(high[k], high[others]) - np.maximum(low[k], low[others]), 0)
        shared = np.prod(sides, axis=1)
        real = (area[k] > 0) & (area[others] > 0)
        return np.where(real, shared / np.where(real, area[k] + area[others] - shared, 1), 0)

    return shares


def best_boxes(score: Any, most: int, least: float, shares: Any, largest: float) -> list[int]:
    """Return the numbers of the best, those left out that have more than ``largest`` in common with a better one."""
    kept: list[int] = []
    for k in np.argsort(-score, kind="stable").tolist():
        if len(kept) >= most or not score[k] > least:
            break
        if not (shares(k, kept) > largest).any():
            kept.append(k)
    return kept


def _best_soft(score: Any, most: int, least: float, shares: Any, sigma: float) -> tuple[Any, Any]:
    """Return the numbers of the best and their scores, which fall with what each has in common with better ones."""
    kept: list[int] = []
    falling, left = score.astype(np.float64), set(range(len(score)))
    while left and len(kept) < most:
        k = max(left, key=lambda number: (falling[number], -number))
        if not falling[k] > least:
            break
        left.remove(k)
        kept.append(k)
        others = sorted(left)
        share = shares(k, others)
        falling[others] *= np.exp(-0.5 / sigma * share * share)
    return np.array(kept, np.int32), falling[kept].astype(score.dtype)


def _suppressed(op_type: str, boxes: Any, scores: Any, limits: tuple[Any, ...], choose: Any, **options: Any) -> Any:
    """Return the node of ``choose(scores, most, least, shares, largest)`` for boxes with their limits."""

    def chosen(given: Any, values: Any, most: Any, largest: Any, least: Any) -> Any:
        corners, score = array_of(given), array_of(values)
        if not 0 <= largest <= 1:
            raise InvalidArgumentError(None, None, "iou_threshold must be in [0, 1]")
        if corners.ndim != 2 or corners.shape[1] != 4 or score.shape != corners.shape[:1]:
            raise ValueError(f"boxes must be [n, 4] and scores [n], got {corners.shape} and {score.shape}")
        return choose(score, int(most), float(least), overlaps_of(corners), float(largest))

    inputs = _inputs(boxes, scores, limits)
    _check_shapes(*(shape_of(each) for each in inputs))
    return call(op_type, chosen, inputs, same=False, differentiable=False, **options)


def _check_shapes(boxes: Any, scores: Any, *limits: Any) -> None:
    """Raise ValueError, in TensorFlow's words, for boxes that are not [n, 4], scores not [n], limits not single."""
    ranks = [(boxes, 2), (scores, 1), *((limit, 0) for limit in limits)]
    for shape, rank in ranks:
        if shape is not None and len(shape) != rank:
            raise ValueError(f"Shape must be rank {rank} but is rank {len(shape)}")
    if boxes is not None and boxes[1] not in (4, None):
        raise ValueError(f"Dimension must be 4 but is {boxes[1]}")
    if boxes is not None and scores is not None and None not in (boxes[0], scores[0]) and boxes[0] != scores[0]:
        raise ValueError(f"Dimensions must be equal, but are {boxes[0]} and {scores[0]}")


def _inputs(boxes: Any, scores: Any, limits: tuple[Any, ...]) -> list[Any]:
    """Return boxes or their overlaps, scores, how many at most, and both thresholds, each as the type it has to be."""
    types = ("float32", "float32", "int32", "float32", "float32")
    return [convert_to_tensor(each, dtype) for each, dtype in zip((boxes, scores, *limits), types, strict=True)]


def non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    name: str | None = None,
) -> Any:
    """Return the numbers of boxes, the best scores first, that overlap no better one by more than ``iou_threshold``.

    Args:
        boxes: [n, 4]: two opposite corners of each, y1, x1, y2, x2.
        max_output_size: how many are returned at most.
        iou_threshold: the largest share that the intersection of two may have of their union, from 0 to 1.
        score_threshold: boxes are left out whose scores are not above it.

    Source: ``tf.image.non_max_suppression``.
    """

    def choose(*limits: Any) -> Any:
        return np.array(best_boxes(*limits), np.int32)

    limits = (max_output_size, iou_threshold, score_threshold)
    return _suppressed("NonMaxSuppressionV3", boxes, scores, limits, choose, shape=(None,), dtype="int32", name=name)


def non_max_suppression_with_scores(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    soft_nms_sigma: Any = 0.0,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return the numbers as `non_max_suppression`, and their scores.

    Where ``soft_nms_sigma`` is above 0, a box's score is multiplied by ``exp(-share^2 / (2 sigma))`` for each better
    one, by what the two have in common, in place of ``iou_threshold`` (N. Bodla et al., Soft-NMS, 2017).
    Source: ``tf.image.non_max_suppression_with_scores``.
    """
    sigma = constant_value(soft_nms_sigma)
    if sigma is None or not 0 <= sigma < float("inf"):
        raise ValueError(
            f"non_max_suppression_with_scores: soft_nms_sigma must be >= 0 and known, got {soft_nms_sigma}"
        )

    def choose(score: Any, most: int, least: float, shares: Any, largest: float) -> Any:
        if sigma > 0:
            return _best_soft(score, most, least, shares, float(sigma))
        kept = best_boxes(score, most, least, shares, largest)
        return np.array(kept, np.int32), score[kept]

    limits = (max_output_size, iou_threshold, score_threshold)
    options: Any = {"shape": lambda *_: [(None,), (None,)], "dtype": ["int32", "float32"], "outputs": 2, "name": name}
    numbers, values = _suppressed("NonMaxSuppressionV5", boxes, scores, limits, choose, **options)
    return numbers, values


def non_max_suppression_padded(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    pad_to_max_output_size: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return the numbers as `non_max_suppression`, filled with zeros if asked for, and how many of them are chosen."""

    def choose(score: Any, most: int, *limits: Any) -> Any:
        kept = best_boxes(score, most, *limits)
        missing = most - len(kept) if pad_to_max_output_size else 0
        return np.array(kept + [0] * missing, np.int32), np.int32(len(kept))

    if (kind := convert_to_tensor(max_output_size).dtype) != "int32":
        raise TypeError(f"Input 'max_output_size' has type {kind.name} that does not match type int32.")
    limits = (max_output_size, iou_threshold, score_threshold)
    length = constant_value(convert_to_tensor(max_output_size, "int32")) if pad_to_max_output_size else None
    shapes: list[Any] = [(None if length is None else int(length),), ()]
    options: Any = {"shape": lambda *_: shapes, "dtype": ["int32", "int32"], "outputs": 2, "name": name}
    numbers, valid = _suppressed("NonMaxSuppressionV4", boxes, scores, limits, choose, **options)
    return numbers, valid


def non_max_suppression_overlaps(
    overlaps: Any,
    scores: Any,
    max_output_size: Any,
    overlap_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    name: str | None = None,
) -> Any:
    """Return the numbers of the best scores, those left out whose entry with a better one is above the threshold.

    ``overlaps`` is [n, n]. Source: ``tf.image.non_max_suppression_overlaps``.
    """

    def chosen(given: Any, values: Any, most: Any, largest: Any, least: Any) -> Any:
        table, score = array_of(given), array_of(values)
        if score.ndim != 1 or table.shape != (len(score), len(score)):
            raise ValueError(f"overlaps must be [n, n] and scores [n], got {table.shape} and {score.shape}")
        kept = best_boxes(score, int(most), float(least), lambda k, others: table[k, others], float(largest))
        return np.array(kept, np.int32)

    inputs = _inputs(overlaps, scores, (max_output_size, overlap_threshold, score_threshold))
    options: Any = {"shape": (None,), "dtype": "int32", "same": False, "differentiable": False}
    return call("NonMaxSuppressionWithOverlaps", chosen, inputs, name=name, **options)
