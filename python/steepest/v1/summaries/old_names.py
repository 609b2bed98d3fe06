"""Summaries under the names of TensorFlow before 1.0; the tag is given as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.constants import constant_value
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
    """Return the summary of a number under a tag; today's ``tf.summary.scalar``."""
    return _tagged("ScalarSummary", tags, values, scalar_value, collections, name)


def histogram_summary(tag: Any, values: Any, collections: Any = None, name: str | None = None) -> Any:
    """Return the summary of how values are spread under a tag; today's ``tf.summary.histogram``."""
    return _tagged("HistogramSummary", tag, values, histogram_value, collections, name)


def image_summary(tag: Any, tensor: Any, max_images: int = 3, collections: Any = None, name: str | None = None) -> Any:
    """Return the summary of the first images of a batch under a tag; today's ``tf.summary.image``."""

    def make(text: str, images: Any) -> bytes:
        return image_value(text, images, max_images)

    return _tagged("ImageSummary", tag, tensor, make, collections, name)
