"""Boxes on images by chance, which keep a share of an object and have an area and a ratio within bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import call, shape_of
from ..graph.determinism import check_determinism
from ..graph.eager_call import RunSession
from ..graph.run_values import array_of
from .random_sequences import Sequence
from .seed_pairs import check_pair, draws_of
from .sparse_ops import convert_to_tensor

__all__ = [
    "sample_distorted_bounding_box",
    "sample_distorted_bounding_box_v2",
    "stateless_sample_distorted_bounding_box",
]


def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: int | None = None,
    seed2: int | None = None,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Return where a random part of an image begins, how large it is, and its box, [1, 1, 4], as shares of the image.

    Args:
        image_size: height, width and channels.
        bounding_boxes: [batch, n, 4]: the objects, as shares of the image: y1, x1, y2, x2.
        min_object_covered: the share of some object's area that is in the part.
        aspect_ratio_range: of width to height, by default from 0.75 to 1.33.
        area_range: of the part to the image, by default from 0.05 to 1.
        max_attempts: how often a part is drawn before the whole image is taken, by default 100.
        use_image_if_no_bounding_boxes: let the whole image be the object where there is none.

    Raises InvalidArgumentError in a run without an object, unless the image is one. The part is what ``tf.slice``
    takes. Source: ``tf.image.sample_distorted_bounding_box``.
    """
    check_determinism(
        not seed and not seed2,
        'tf.compat.v1.image.sample_distorted_bounding_box requires "seed" or "seed2" to be non-zero when determinism '
        'is enabled. Please pass in a non-zero seed, e.g. by passing "seed=1". '
        f"Got seed={seed} and seed2={seed2}",
    )
    sequence = Sequence("SampleDistortedBoundingBoxV2", None, seed if seed or not seed2 else seed2)
    drawn = _drawer(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes)

    def sampled(session: RunSession, *values: Any) -> Any:
        return drawn(sequence.draws(session), *values)

    inputs = _inputs(image_size, bounding_boxes, min_object_covered)
    return _sampled("SampleDistortedBoundingBoxV2", sampled, inputs, name, contextual=True)


def stateless_sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: Any,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Return what `sample_distorted_bounding_box` does, as follows from ``seed``, two integers, alone."""
    drawn = _drawer(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes)
    inputs = _inputs(image_size, bounding_boxes, min_object_covered)
    pair = convert_to_tensor(seed)
    check_pair(shape_of(pair))

    def sampled(sizes: Any, objects: Any, covered: Any, own: Any) -> Any:
        return drawn(draws_of(own), sizes, objects, covered)

    name = name or "stateless_sample_distorted_bounding_box"
    return _sampled("StatelessSampleDistortedBoundingBox", sampled, (*inputs, pair), name)


def _inputs(image_size: Any, bounding_boxes: Any, covered: Any) -> tuple[Any, Any, Any]:
    boxes = convert_to_tensor(bounding_boxes, "float32")
    return convert_to_tensor(image_size), boxes, convert_to_tensor(covered, "float32")


def _sampled(op_type: str, function: Any, inputs: Any, name: str | None, **options: Any) -> tuple[Any, Any, Any]:
    shapes: list[Any] = [(3,), (3,), (1, 1, 4)]
    own = inputs[0].dtype
    options |= {"dtype": [own, own, "float32"], "outputs": 3, "same": False, "differentiable": False}
    name = name or "sample_distorted_bounding_box"
    begin, size, box = call(op_type, function, inputs, name=name, shape=lambda *_: shapes, **options)
    return begin, size, box


def _drawer(aspect_ratio_range: Any, area_range: Any, attempts: int | None, whole: bool | None) -> Callable[..., Any]:
    """Return what draws a part of an image with a generator, of sizes, objects and the share of one that it keeps."""
    ratios, areas = aspect_ratio_range or (0.75, 1.33), area_range or (0.05, 1.0)

    def drawn(rng: np.random.Generator, sizes: Any, objects: Any, covered: Any) -> Any:
        height, width = (int(size) for size in array_of(sizes)[:2])
        boxes = np.reshape(array_of(objects), (-1, 4)).astype(np.float64)
        if not len(boxes):
            if not whole:
                raise ValueError("No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes")
            boxes = np.array([[0.0, 0.0, 1.0, 1.0]])
        corners = np.rint(boxes * [height, width, height, width])
        box = (0, 0, height, width)
        for _ in range(100 if attempts is None else attempts):
            found = _drawn(rng, height, width, rng.uniform(*ratios), areas)
            if found is not None and _covers(found, corners, float(covered)):
                box = found
                break
        top, left, rows, columns = box
        share = np.array([top / height, left / width, (top + rows) / height, (left + columns) / width], np.float32)
        own = array_of(sizes).dtype
        return np.array([top, left, 0], own), np.array([rows, columns, -1], own), share.reshape(1, 1, 4)

    return drawn


def sample_distorted_bounding_box_v2(image_size: Any, bounding_boxes: Any, seed: int = 0, **options: Any) -> Any:
    """Return what `sample_distorted_bounding_box` does; a seed of 0 is none."""
    check_determinism(
        not seed,
        "tf.image.sample_distorted_bounding_box requires a non-zero seed to be passed in when determinism is enabled, "
        f'but got seed={seed}. Please pass in a non-zero seed, e.g. by passing "seed=1".',
    )
    return sample_distorted_bounding_box(image_size, bounding_boxes, seed or None, **options)


def _drawn(rng: Any, height: int, width: int, ratio: float, areas: Any) -> tuple[int, int, int, int] | None:
    """Return a part with a ratio of width to height: its top, left, height and width; None where none fits."""
    least, most = areas[0] * width * height, areas[1] * width * height
    rows, limit = round(math.sqrt(least / ratio)), round(math.sqrt(most / ratio))
    if round(limit * ratio) > width:
        limit = int((width + 0.5 - 1e-7) / ratio)
        limit -= round(limit * ratio) > width
    limit = min(limit, height)
    rows = min(rows, limit)
    rows += int(rng.integers(limit - rows + 1))
    columns = round(rows * ratio)
    if rows * columns < least:
        rows, columns = rows + 1, round((rows + 1) * ratio)
    if rows * columns > most:
        rows, columns = rows - 1, round((rows - 1) * ratio)
    if not (least <= rows * columns <= most and 0 < columns <= width and 0 < rows <= height):
        return None
    top, left = (int(rng.integers(max(whole - part, 1))) for whole, part in ((height, rows), (width, columns)))
    return top, left, rows, columns


def _covers(part: tuple[int, int, int, int], objects: Any, share: float) -> bool:
    """Tell whether a part has at least a share of the area of one of the objects."""
    top, left, rows, columns = part
    sides = np.minimum(objects[:, 2:], [top + rows, left + columns]) - np.maximum(objects[:, :2], [top, left])
    common = np.prod(np.maximum(sides, 0), axis=1)
    area = np.prod(objects[:, 2:] - objects[:, :2], axis=1)
    return bool(np.any((area > 0) & (common >= share * area)))
