"""Serialized summaries of arrays: scalars, histograms, images, sounds, tensors, text."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.dtypes import as_dtype
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from ..ops.png_files import png_of
from .buckets import counts_of, limits
from .protos import protos

__all__ = [
    "audio_value",
    "bytes_of",
    "histogram_value",
    "image_value",
    "joined",
    "scalar_value",
    "tensor_value",
    "text_value",
]


def joined(*summaries: Any) -> bytes:
    """Return one message of several: repeated fields follow each other. Raises ValueError for a tag in two of them."""
    parts = [part for summary in summaries for part in np.ravel(array_of(summary)).tolist()]
    messages = protos()
    if messages is not None:
        tags = [value.tag for part in parts for value in _parsed(messages, part).value]
        for tag in tags:
            if tags.count(tag) > 1:
                raise ValueError(f"Duplicate tag {tag} found in summary inputs")
    return b"".join(parts)


def _parsed(messages: Any, part: bytes) -> Any:
    try:
        return messages.summary.Summary.FromString(part)
    except Exception as error:  # the messages' own class
        raise ValueError("Could not parse one of the summary inputs") from error


def _serialized(fill: Callable[[Any], None]) -> bytes:
    messages = protos()
    if messages is None:
        return b""
    summary = messages.summary.Summary()
    fill(summary)
    serialized: bytes = summary.SerializeToString()
    return serialized


def scalar_value(tag: str, value: Any) -> bytes:
    """Return the summary of one number. Raises ValueError for an array of several."""
    array = array_of(value)
    if array.size != 1:
        raise ValueError(f"tags and values not the same shape: [] != {bracketed(array.shape)} (tag {tag!r})")
    return _serialized(lambda summary: summary.value.add(tag=tag, simple_value=float(array.reshape(()))))


def histogram_value(tag: str, values: Any) -> bytes:
    """Return the summary of how values are spread. Raises ValueError where one is not finite."""
    flat = array_of(values).astype(np.float64).ravel()
    low, high = (flat.min(), flat.max()) if flat.size else (limits()[-1], -limits()[-1])
    if flat.size and not np.isfinite([low, high]).all():
        kind = "Nan" if np.isnan(low) else "Infinity"
        raise ValueError(f"{kind} in summary histogram for: {tag}")

    def fill(summary: Any) -> None:
        histogram = summary.value.add(tag=tag).histo
        counts = counts_of(flat)
        histogram.min, histogram.max = low, high
        histogram.num, histogram.sum, histogram.sum_squares = flat.size, flat.sum(), np.dot(flat, flat)
        written = _written(counts)
        histogram.bucket_limit.extend(limits()[written].tolist())
        histogram.bucket.extend(counts[written].tolist())

    return _serialized(fill)


def _written(counts: Any) -> Any:
    """Return which buckets a histogram lists: of a stretch of empty ones, only the last."""
    filled = np.flatnonzero(counts)
    first = max(filled[0] - 1, 0) if filled.size else 0
    stretch = counts[first:] > 0
    listed = stretch.copy()
    listed[:-1] |= stretch[1:]
    listed[-1] = True
    return np.flatnonzero(listed) + first


def text_value(tag: str, value: Any) -> bytes:
    """Return the summary of text."""

    def fill(summary: Any) -> None:
        entry = summary.value.add(tag=tag)
        entry.metadata.plugin_data.plugin_name = "text"
        _fill_tensor(entry.tensor, array_of(value))

    return _serialized(fill)


def _fill_tensor(message: Any, array: Any) -> None:
    message.tensor_shape.SetInParent()  # also that of a scalar
    for size in array.shape:
        message.tensor_shape.dim.add(size=size)
    if array.dtype.kind in "OSU":
        message.dtype = 7  # DT_STRING
        items = array.ravel().tolist()
        message.string_val.extend(item if isinstance(item, bytes) else str(item).encode() for item in items)
    else:
        message.dtype = as_dtype(array.dtype).as_datatype_enum
        message.tensor_content = np.ascontiguousarray(array).tobytes()


def bytes_of(metadata: Any) -> Any:
    """Return the bytes of a ``SummaryMetadata``, none for None; bytes, and tensors of them, as they are."""
    return b"" if metadata is None else getattr(metadata, "SerializeToString", lambda: metadata)()


def tensor_value(
    tag: str, value: Any, metadata: Any, display_name: str | None = None, description: str | None = None
) -> bytes:
    """Return the summary of a tensor as it is, with what plugins of TensorBoard are told."""
    told = bytes_of(metadata)
    told = told if isinstance(told, bytes) else array_of(told).item()

    def fill(summary: Any) -> None:
        entry = summary.value.add(tag=tag)
        entry.metadata.ParseFromString(told)
        entry.metadata.SetInParent()
        if description is not None:
            entry.metadata.summary_description = description
        if display_name is not None:
            entry.metadata.display_name = display_name
        _fill_tensor(entry.tensor, array_of(value))

    return _serialized(fill)


def audio_value(tag: str, sounds: Any, rate: float, most: int) -> bytes:
    """Return the summary of the first sounds of a batch ``[B, frames, channels]`` or ``[B, frames]``, as WAV files."""
    batch = array_of(sounds)
    if batch.ndim not in (2, 3):
        raise ValueError(f"Tensor must be 3-D or 2-D, got: {bracketed(batch.shape)}")
    if rate <= 0:
        raise ValueError("sample_rate must be > 0")
    batch = batch[..., None] if batch.ndim == 2 else batch
    if len(batch) and not batch[0].size:
        raise ValueError("audio is null")

    def fill(summary: Any) -> None:
        for number, sound in enumerate(batch[:most]):
            entry = summary.value.add(tag=f"{tag}/audio" if most == 1 else f"{tag}/audio/{number}").audio
            entry.sample_rate, entry.content_type = rate, "audio/wav"
            entry.length_frames, entry.num_channels = sound.shape
            entry.encoded_audio_string = _wav(sound, round(rate))

    return _serialized(fill)


def _wav(sound: Any, rate: int) -> bytes:
    """Return a WAV file of numbers from -1 to 1: frames, channels."""
    channels = sound.shape[1]
    numbers = np.clip(np.round(sound.astype(np.float64) * (1 << 15)), -(1 << 15), (1 << 15) - 1).astype("<i2").tobytes()
    form = struct.pack("<HHIIHH", 1, channels, rate, rate * channels * 2, channels * 2, 16)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(numbers)) + numbers
    file: bytes = b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks
    return file


_DARK = 1e-6  # what is not brighter is black
_RED = (255, 0, 0, 255)


def _bytes_of_image(image: Any, bad_color: Any) -> Any:
    """Return values from 0 to 255: floats are scaled as TensorFlow does; a pixel that is not finite has a colour."""
    if image.dtype == np.uint8:
        return image
    shown = np.isfinite(image).all(-1, keepdims=True)
    finite = image[shown[..., 0]]
    low, high = np.array([finite.min(), finite.max()] if finite.size else [0, 0], np.float32)
    brightest, offset = (max(abs(low), abs(high)), 128) if low < 0 else (high, 0)
    factor = np.float32(127 if offset else 255) / brightest if brightest >= _DARK else np.float32(0)
    scaled = image * image.dtype.type(factor) + image.dtype.type(offset)  # of the image's type, the factor of a float
    bad = np.asarray(bad_color, np.uint8)[: image.shape[-1]]
    return np.where(shown, np.clip(np.where(shown, scaled, 0), 0, 255).astype(np.uint8), bad)


def image_value(tag: str, images: Any, most: int, bad_color: Any = _RED) -> bytes:
    """Return the summary of the first images of a batch ``[B, height, width, 1, 3 or 4 channels]``.

    Pixels that are not finite have ``bad_color``.
    """
    batch = array_of(images)
    if batch.ndim != 4 or batch.shape[-1] not in (1, 3, 4):
        raise ValueError(f"Tensor must be 4-D with last dim 1, 3, or 4, not {bracketed(batch.shape)}")
    if 0 in batch.shape[1:]:
        raise ValueError(f"input tensor must have non-zero dims. Found: {list(batch.shape)}.")

    def fill(summary: Any) -> None:
        shown = batch[:most]
        for number, image in enumerate(shown):
            entry = summary.value.add(tag=f"{tag}/image" if most == 1 else f"{tag}/image/{number}").image
            entry.height, entry.width, entry.colorspace = image.shape
            entry.encoded_image_string = png_of(_bytes_of_image(image, bad_color))

    return _serialized(fill)
