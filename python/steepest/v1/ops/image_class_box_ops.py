"""Boxes of several classes on images of a batch: the best of each class, and the best of these."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from .image_box_ops import best_boxes, overlaps_of
from .sparse_ops import convert_to_tensor

__all__ = ["combined_non_max_suppression"]


class CombinedNonMaxSuppression(NamedTuple):
    """The boxes of each image, best first, with their scores and classes, and how many of them are chosen."""

    nmsed_boxes: Any
    nmsed_scores: Any
    nmsed_classes: Any
    valid_detections: Any


def combined_non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> Any:
    """Return the best boxes of the images of a batch: the best of each class, then the best of all classes.

    Args:
        boxes: [batch, n, classes, 4], or one for all classes, [batch, n, 1, 4]: y1, x1, y2, x2.
        scores: [batch, n, classes].
        max_output_size_per_class, max_total_size: how many there are at most of a class, and of an image.
        iou_threshold: the largest share that the intersection of two of a class may have of their union.
        score_threshold: boxes are left out whose scores are not above it.
        pad_per_class: fill up with zeros to ``max_output_size_per_class * classes``, where this is less than
            ``max_total_size``.
        clip_boxes: keep the boxes that are returned between 0 and 1.

    Returns ``nmsed_boxes`` [batch, m, 4], ``nmsed_scores`` and ``nmsed_classes`` [batch, m], all float32, and
    ``valid_detections`` [batch]. Source: ``tf.image.combined_non_max_suppression``.
    """
    inputs = [convert_to_tensor(boxes, "float32"), convert_to_tensor(scores, "float32")]
    inputs += [convert_to_tensor(max_output_size_per_class, "int32"), convert_to_tensor(max_total_size)]
    if inputs[3].dtype != "int32":
        raise TypeError(
            "Input 'max_total_size' of 'CombinedNonMaxSuppression' Op has type int64 that does not match expected type "
            "of int32."
        )
    inputs += [convert_to_tensor(each, "float32") for each in (iou_threshold, score_threshold)]

    def length(classes: int, of_class: int, total: int) -> int:
        return min(total, of_class * classes) if pad_per_class else total

    def chosen(given: Any, values: Any, of_class: Any, total: Any, largest: Any, least: Any) -> Any:
        corners, score = array_of(given), array_of(values)
        _check(corners.shape, score.shape, int(of_class), int(total), float(largest))
        count = length(score.shape[2], int(of_class), int(total))
        limits = int(of_class), float(least), float(largest)
        parts = [_of_image(*each, limits, int(total)) for each in zip(corners, score, strict=True)]
        result = [np.zeros((len(parts), count, *tail), np.float32) for tail in ((4,), (), ())]
        for image, part in enumerate(parts):
            for array, found in zip(result, part, strict=True):
                array[image, : len(found)] = found[:count]
        if clip_boxes:
            result[0] = np.clip(result[0], 0, 1)
        return *result, np.array([min(len(part[0]), count) for part in parts], np.int32)

    def shape_fn(given: Any, values: Any, *_: Any) -> Any:
        of_class, total = (constant_value(each) for each in inputs[2:4])
        batch = None if given is None else given[0]
        classes = None if values is None else values[2]
        count = None if total is None else int(total)
        if pad_per_class and count is not None:
            count = None if classes is None or of_class is None else length(classes, int(of_class), count)
        return [(batch, count, 4), (batch, count), (batch, count), (batch,)]

    options: Any = {"dtype": ["float32"] * 3 + ["int32"], "outputs": 4, "same": False, "differentiable": False}
    return CombinedNonMaxSuppression(
        *call("CombinedNonMaxSuppression", chosen, inputs, name=name, shape=shape_fn, **options)
    )


def _check(boxes: Any, scores: Any, of_class: int, total: int, largest: float) -> None:
    if of_class <= 0 or total <= 0:
        raise InvalidArgumentError(None, None, f"max_size_per_class, max_total_size must be > 0: {of_class}, {total}")
    if not 0 <= largest <= 1:
        raise InvalidArgumentError(None, None, "iou_threshold must be in [0, 1]")
    if len(boxes) != 4 or boxes[3] != 4 or len(scores) != 3 or boxes[:2] != scores[:2]:
        raise ValueError(f"boxes must be [batch, n, classes, 4] and scores [batch, n, classes]: {boxes} and {scores}")
    if boxes[2] not in (1, scores[2]):
        raise ValueError(f"third dimension of boxes must be either 1 or num classes, got {boxes[2]} of {scores[2]}")


def _of_image(corners: Any, score: Any, limits: tuple[int, float, float], total: int) -> tuple[Any, Any, Any]:
    """Return the boxes of one image, their scores and classes, the best first."""
    most, least, largest = limits
    found = []
    for number in range(score.shape[1]):
        of_class = corners[:, min(number, corners.shape[1] - 1)]
        kept = best_boxes(score[:, number], most, least, overlaps_of(of_class), largest)
        found += [(float(score[k, number]), number, of_class[k]) for k in kept]
    found.sort(key=lambda each: -each[0])
    best = found[:total]
    return (
        np.array([box for _, _, box in best], np.float32).reshape(-1, 4),
        np.array([value for value, _, _ in best], np.float32),
        np.array([number for _, number, _ in best], np.float32),
    )
