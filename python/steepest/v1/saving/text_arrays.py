"""Arrays of texts, of complex numbers and of types of few bits in checkpoints, whose files hold real numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..graph.dtypes import as_dtype

__all__ = ["as_numbers", "with_texts"]

_LENGTHS = ".text_lengths"
_PARTS = ".complex_parts"
_TYPE = ".element_type"


def as_numbers(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays in which those of texts are two: ``name``, the bytes, and ``name.text_lengths``, in the shape.

    Complex numbers are their parts along a last axis, and ``name.complex_parts``, how many these are. Those of types
    that NumPy and the files do not know, as int4 and qint8, are integers of their size, and ``name.element_type``.
    """
    found: dict[str, Any] = {}
    for name, array in arrays.items():
        own = np.asarray(array).dtype
        kind = own.kind
        if own.names or (own.type.__module__ != "numpy" and own.name != "bfloat16"):
            found[name] = np.asarray(array).view(f"i{own.itemsize}")
            found[name + _TYPE] = np.frombuffer(as_dtype(own).name.encode(), np.uint8)
            continue
        if kind == "c":
            whole = np.asarray(array)
            found[name], found[name + _PARTS] = np.stack([whole.real, whole.imag], -1), np.int64(2)
            continue
        if kind != "O":
            found[name] = array
            continue
        texts = [bytes(item) for item in np.asarray(array).ravel().tolist()]
        found[name] = np.frombuffer(b"".join(texts), np.uint8)
        found[name + _LENGTHS] = np.array([len(text) for text in texts], np.int64).reshape(np.shape(array))
    return found


def with_texts(arrays: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what `as_numbers` was given."""
    names = [name.removesuffix(_LENGTHS) for name in arrays if name.endswith(_LENGTHS)]
    pairs = [name.removesuffix(_PARTS) for name in arrays if name.endswith(_PARTS)]
    typed = [name.removesuffix(_TYPE) for name in arrays if name.endswith(_TYPE)]
    if not names and not pairs and not typed:
        return arrays
    found = {name: array for name, array in arrays.items() if not name.endswith((_LENGTHS, _PARTS, _TYPE))}
    for name in typed:
        found[name] = found[name].view(as_dtype(bytes(arrays[name + _TYPE]).decode()).dtype)
    for name in pairs:
        found[name] = found[name][..., 0] + 1j * found[name][..., 1]
    for name in names:
        lengths, joined = arrays[name + _LENGTHS], bytes(arrays[name])
        ends = np.cumsum(lengths).tolist()
        texts = np.empty(lengths.size, object)
        texts[:] = [joined[end - size : end] for end, size in zip(ends, lengths.ravel().tolist(), strict=True)]
        found[name] = texts.reshape(lengths.shape)
    return found
