"""Arrays of texts in checkpoints, whose files hold numbers: the bytes of all texts, and the length of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["as_numbers", "with_texts"]

_LENGTHS = ".text_lengths"


def as_numbers(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays in which those of texts are two: ``name``, the bytes, and ``name.text_lengths``, in the shape."""
    found: dict[str, Any] = {}
    for name, array in arrays.items():
        if np.asarray(array).dtype.kind != "O":
            found[name] = array
            continue
        texts = [bytes(item) for item in np.asarray(array).ravel().tolist()]
        found[name] = np.frombuffer(b"".join(texts), np.uint8)
        found[name + _LENGTHS] = np.array([len(text) for text in texts], np.int64).reshape(np.shape(array))
    return found


def with_texts(arrays: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what `as_numbers` was given."""
    names = [name.removesuffix(_LENGTHS) for name in arrays if name.endswith(_LENGTHS)]
    if not names:
        return arrays
    found = {name: array for name, array in arrays.items() if not name.endswith(_LENGTHS)}
    for name in names:
        lengths, joined = arrays[name + _LENGTHS], bytes(arrays[name])
        ends = np.cumsum(lengths).tolist()
        texts = np.empty(lengths.size, object)
        texts[:] = [joined[end - size : end] for end, size in zip(ends, lengths.ravel().tolist(), strict=True)]
        found[name] = texts.reshape(lengths.shape)
    return found
