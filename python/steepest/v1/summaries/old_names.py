"""Summaries under the names of TensorFlow before 1.0; the tag is given as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from ..graph.graph import get_default_graph
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from ..graph.static_values import constant_value
from .checked import at_least_one, one_number
from .nodes import merged, summary_node
from .values import audio_value, histogram_value, image_value, scalar_value

__all__ = [
    "audio_summary",
    "histogram_summary",
    "image_summary",
    "merge_all_summaries",
    "merge_summary",
    "scalar_summary",
]


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

        def of_one(tag: str, number: Any) -> bytes:
            return scalar_value(tag, one_number(tag, number))

        return _tagged("ScalarSummary", tags, values, of_one, collections, name)
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

    at_least_one("max_images", "ImageSummary", max_images)

    def make(text: str, images: Any) -> bytes:
        return image_value(text, images, max_images)

    return _tagged("ImageSummary", tag, tensor, make, collections, name)


def audio_summary(
    tag: Any, tensor: Any, sample_rate: Any, max_outputs: int = 3, collections: Any = None, name: str | None = None
) -> Any:
    """Return the summary of the first sounds of a batch under a tag; today's ``tf.summary.audio``."""
    at_least_one("max_outputs", "AudioSummary", max_outputs)

    def make(text: str, sounds: Any) -> bytes:
        return audio_value(text, sounds, float(sample_rate), max_outputs)

    return _tagged("AudioSummary", tag, tensor, make, collections, name)


def merge_summary(inputs: Any, collections: Any = None, name: str | None = None) -> Any:
    """Return one summary of several; today's ``tf.summary.merge``."""
    return merged(inputs, collections, name, "MergeSummary")


def merge_all_summaries(key: str = GraphKeys.SUMMARIES) -> Any:
    """Return one summary of all in a collection, None where there are none; today's ``tf.summary.merge_all``."""
    found = get_default_graph().get_collection(key)
    return merge_summary(found) if found else None
