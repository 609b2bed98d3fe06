"""``tf.summary``: numbers, histograms, images, sounds, tensors and text for TensorBoard, by tensorboardX."""

from __future__ import annotations

from typing import Any

import numpy as np

from .graph.build import dtype_of
from .graph.missing import namespace
from .summaries.checked import IMAGES, NUMBERS, at_least_one, of_types, one_number
from .summaries.nodes import merge, merge_all, named_summary
from .summaries.protos import event_class, summary_class
from .summaries.recording import all_v2_summary_ops
from .summaries.values import audio_value, histogram_value, image_value, scalar_value, tensor_value, text_value
from .summaries.writer import FileWriter, FileWriterCache
from .summaries.written_tensors import initialize

__all__ = [
    "FileWriter",
    "FileWriterCache",
    "all_v2_summary_ops",
    "audio",
    "histogram",
    "image",
    "initialize",
    "merge",
    "merge_all",
    "scalar",
    "tensor_summary",
    "text",
]

_missing, __dir__ = namespace(__name__)


def __getattr__(name: str) -> Any:
    if name == "Summary":  # its class is tensorboardX's, where that is installed
        return summary_class()
    if name in ("HistogramProto", "SummaryDescription", "SummaryMetadata"):
        return event_class(name, "summary")
    if name in ("Event", "LogMessage", "SessionLog", "TaggedRunMetadata"):
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
    of_types("values", tensor, NUMBERS)

    def value(tag: str, number: Any) -> bytes:
        return scalar_value(tag, one_number(tag, number))

    return named_summary("ScalarSummary", name, [tensor], value, collections, family)


def histogram(name: Any, values: Any, collections: Any = None, family: str | None = None) -> Any:
    """Return the summary of how values are spread, in TensorFlow's buckets. Arguments as for `scalar`."""
    of_types("values", values, NUMBERS)
    return named_summary("HistogramSummary", name, [values], histogram_value, collections, family)


def image(name: Any, tensor: Any, max_outputs: int = 3, collections: Any = None, family: str | None = None) -> Any:
    """Return the summary of the first ``max_outputs`` images of a batch ``[B, height, width, channels]``.

    Bytes are shown as they are; floats are scaled to the brightest, or about grey where some are negative.
    """

    at_least_one("max_images", "ImageSummary", max_outputs)
    of_types("tensor", tensor, IMAGES)

    def value(tag: str, images: Any) -> bytes:
        return image_value(tag, images, max_outputs)

    return named_summary("ImageSummary", name, [tensor], value, collections, family)


def audio(
    name: Any,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Any = None,
    family: str | None = None,
) -> Any:
    """Return the summary of the first ``max_outputs`` sounds of a batch ``[B, frames, channels]`` or ``[B, frames]``.

    Args:
        tensor: floats from -1 to 1.
        sample_rate: frames a second, a number or a tensor.

    Source: ``tf.summary.audio``.
    """

    at_least_one("max_outputs", "AudioSummaryV2", max_outputs)

    def value(tag: str, sounds: Any, rate: Any) -> bytes:
        if np.size(rate) != 1:
            raise ValueError("sample_rate must be rank-0 or contain a single value")
        return audio_value(tag, sounds, float(np.reshape(rate, ())), max_outputs)

    return named_summary("AudioSummaryV2", name, [tensor, sample_rate], value, collections, family)


def tensor_summary(
    name: Any,
    tensor: Any,
    summary_description: Any = None,
    collections: Any = None,
    summary_metadata: Any = None,
    family: str | None = None,
    display_name: str | None = None,
) -> Any:
    """Return the summary of a tensor as it is, with a ``SummaryMetadata`` for TensorBoard's plugins.

    Source: ``tf.summary.tensor_summary``.
    """

    def value(tag: str, array: Any) -> bytes:
        return tensor_value(tag, array, summary_metadata, display_name, summary_description)

    return named_summary("TensorSummaryV2", name, [tensor], value, collections, family)


def text(name: Any, tensor: Any, collections: Any = None) -> Any:
    """Return the summary of text, one string or an array of them. Raises ValueError for anything else."""
    if dtype_of(tensor).name != "string":
        called = getattr(tensor, "name", name)
        raise ValueError(f"Expected tensor {called} to have dtype string, got {dtype_of(tensor)!s}")
    return named_summary("TensorSummaryV2", name, [tensor], text_value, collections, None)
