"""Lengths and parts of strings, in bytes or in characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call, dtype_of, shape_of
from ..graph.run_values import array_of
from .string_ops import as_bytes, each

__all__ = ["string_length", "substr"]


def _checked(unit: str, op_type: str) -> str:
    if unit not in ("BYTE", "UTF8_CHAR"):
        raise ValueError(f"Attr 'unit' of '{op_type}' Op passed string '{unit}' not in: \"BYTE\", \"UTF8_CHAR\".")
    return unit


def string_length(input: Any, name: str | None = None, unit: str = "BYTE") -> Any:
    """Return the lengths of strings, in bytes or, for the unit ``"UTF8_CHAR"``, in characters."""
    count: Callable[[bytes], int] = len if _checked(unit, "StringLength") == "BYTE" else _count
    lengths = each(count, np.int32)
    return call(
        "StringLength", lengths, (input,), name=name, shape=shape_inference.same, dtype="int32", differentiable=False
    )


def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE") -> Any:
    """Return parts of strings: ``len`` bytes from ``pos``, which counts from the end where it is negative.

    For the unit ``"UTF8_CHAR"`` both count characters. InvalidArgumentError, when a session runs, for a position that
    is not in the string.
    """
    _check_places(pos, len)
    part = _part if _checked(unit, "Substr") == "BYTE" else _characters

    def cut(x: Any, starts: Any, lengths: Any) -> Any:
        strings, begins, sizes = np.broadcast_arrays(array_of(x), array_of(starts), array_of(lengths))
        out = np.empty(strings.size, object)
        rows = zip(strings.reshape(-1).tolist(), begins.reshape(-1).tolist(), sizes.reshape(-1).tolist(), strict=True)
        out[:] = [part(as_bytes(s), at, size, place) for place, (s, at, size) in enumerate(rows)]
        return out.reshape(strings.shape)

    return call(
        "Substr",
        cut,
        (input, pos, len),
        name=name,
        shape=shape_inference.broadcast,
        dtype="string",
        same=False,
        differentiable=False,
    )


def _check_places(pos: Any, size: Any) -> None:
    """Refuse positions that are no integers, and lengths of another shape, before a session runs."""
    for what, value in (("pos", pos), ("len", size)):
        found = dtype_of(value)
        if found.name not in ("int32", "int64"):
            raise TypeError(
                f"Value passed to parameter '{what}' has DataType {found.name} not in list of allowed values: "
                "int32, int64"
            )
    first, second = shape_of(pos), shape_of(size)
    if first is None or second is None:
        return
    if len(first) != len(second) or any(a != b and None not in (a, b) for a, b in zip(first, second, strict=True)):
        raise ValueError(f"pos and len shapes must match: {list(first)} vs. {list(second)}")


def _part(text: bytes, at: int, size: int, place: int) -> bytes:
    if not -len(text) <= at <= len(text):
        raise ValueError(f"pos {at} out of range for string b'{text.decode(errors='replace')}' at index {place}")
    begin = at + len(text) if at < 0 else at
    return text[begin : begin + size if size >= 0 else None]


def _characters(text: bytes, at: int, size: int, place: int) -> bytes:
    begins = [k for k, byte in enumerate(text) if k == 0 or not _goes_on(byte)]
    if not -len(begins) <= at <= len(begins):
        raise ValueError(f"pos {at} out of range for string at index {place}")
    begins.append(len(text))
    first = at + len(begins) - 1 if at < 0 else at
    return text[begins[first] : begins[min(first + max(size, 0), len(begins) - 1)]]


def _goes_on(byte: int) -> bool:
    """Tell whether a byte is one of a character after its first."""
    return byte & 0xC0 == 0x80


def _count(text: bytes) -> int:
    return sum(not _goes_on(byte) for byte in text)
