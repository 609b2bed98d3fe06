"""Summaries under the names of TensorFlow before 1.0; the tag is given as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from ..graph.static_values import constant_value
from .nodes import merge, merge_all, summary_node
from .values import histogram_value, image_value, scalar_value

__all__ = ["histogram_summary", "image_summary", "merge_all_summaries", "merge_summary", "scalar_summary"]

merge_summary = merge
merge_all_summaries = merge_all


def _tagged(op_type: str, tag: Any, values: Any, make: Callable[..., bytes], collections: Any, name: Any) -> Any:
    known = constant_value(tag) if hasattr(tag, "op") else tag
    known = known.item() if hasattr(known, "item") else known
    text = known.decode() if isinstance(known, bytes) else str(known)
    return summary_node(op_type, name, [values], lambda value: make(text, value), collections)


def scalar_summary(tags: Any, values: Any, collections: Any = None, name: str | None = None) -> Any:
    """Return the summary of a number under a tag, or of as many numbers as there are tags.

    Today's ``tf.summary.scalar``.
    """
    if not isinstance(tags, (list, tuple, np.ndarray)):
        return _tagged("ScalarSummary", tags, values, scalar_value, collections, name)
    texts = [tag.decode() if isinstance(tag, bytes) else str(tag) for tag in np.ravel(np.asarray(tags, object))]

    def summary_of(numbers: Any) -> bytes:
        array = array_of(numbers)
        if array.shape != np.shape(tags):
            shapes = f"{bracketed(np.shape(tags))} != {bracketed(array.shape)}"
            raise ValueError(f"tags and values not the same shape: {shapes}")
        return b"".join(scalar_value(text, number) for text, number in zip(texts, array.ravel(), strict=True))

    return summary_node("ScalarSummary", name, [values], summary_of, collections)


def histogram_summary(tag: Any, values: Any, collections: Any = None, name: str | None = None) -> Any:
    """Return the summary of how values are spread under a tag; today's ``tf.summary.histogram``."""
    return _tagged("HistogramSummary", tag, values, histogram_value, collections, name)


def image_summary(tag: Any, tensor: Any, max_images: int = 3, collections: Any = None, name: str | None = None) -> Any:
    """Return the summary of the first images of a batch under a tag; today's ``tf.summary.image``."""

    def make(text: str, images: Any) -> bytes:
        return image_value(text, images, max_images)

    return _tagged("ImageSummary", tag, tensor, make, collections, name)
