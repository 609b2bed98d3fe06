"""``tf.summary``: scalars, histograms, images and text for TensorBoard; files are written with tensorboardX."""

from __future__ import annotations

from typing import Any

from .graph.missing import namespace
from .summaries.nodes import merge, merge_all, named_summary
from .summaries.protos import event_class, summary_class
from .summaries.values import histogram_value, image_value, scalar_value, text_value
from .summaries.writer import FileWriter, FileWriterCache

__all__ = [
    "FileWriter",
    "FileWriterCache",
    "histogram",
    "image",
    "merge",
    "merge_all",
    "scalar",
    "text",
]

_missing, __dir__ = namespace(__name__)


def __getattr__(name: str) -> Any:
    if name == "Summary":  # its class is tensorboardX's, where that is installed
        return summary_class()
    if name in ("Event", "SessionLog"):
        return event_class(name)
    return _missing(name)


def scalar(name: Any, tensor: Any, collections: Any = None, family: str | None = None) -> Any:
    """Return the summary of a number; its tag is the name, made unique and below the open scopes.

    Args:
        name, tensor: the name, and a scalar of real numbers.
        collections: where the node is put, by default ``GraphKeys.SUMMARIES``.
        family: put before the tag.

    Source: ``tf.summary.scalar``.
    """
    return named_summary("ScalarSummary", name, [tensor], scalar_value, collections, family)


def histogram(name: Any, values: Any, collections: Any = None, family: str | None = None) -> Any:
    """Return the summary of how values are spread, in TensorFlow's buckets. Arguments as for `scalar`."""
    return named_summary("HistogramSummary", name, [values], histogram_value, collections, family)


def image(name: Any, tensor: Any, max_outputs: int = 3, collections: Any = None, family: str | None = None) -> Any:
    """Return the summary of the first ``max_outputs`` images of a batch ``[B, height, width, channels]``.

    Bytes are shown as they are; floats are scaled to the brightest, or about grey where some are negative.
    """

    def value(tag: str, images: Any) -> bytes:
        return image_value(tag, images, max_outputs)

    return named_summary("ImageSummary", name, [tensor], value, collections, family)


def text(name: Any, tensor: Any, collections: Any = None) -> Any:
    """Return the summary of text, one string or an array of them."""
    return named_summary("TextSummary", name, [tensor], text_value, collections, None)
