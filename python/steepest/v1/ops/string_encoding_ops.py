"""Texts in other encodings, texts of characters' numbers, and texts of a segment joined."""

from __future__ import annotations

import codecs
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.build import call, shape_of
from ..graph.run_values import array_of
from ..graph.shapes import compatible, text
from ..graph.static_values import constant_value
from .string_ops import as_bytes, each

__all__ = ["unicode_encode", "unicode_transcode", "unsorted_segment_join"]

_CODECS = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}
_ERRORS = ("strict", "replace", "ignore")
_REPLACEMENT = 0xFFFD
_BROKEN = "\udc80"  # what stands for bytes that are no character, until it is known what becomes of them

codecs.register_error("steepest_broken", lambda error: (_BROKEN, getattr(error, "end", 0)))


def _codec(encoding: str, op_type: str) -> str:
    return _CODECS[_one_of(encoding, tuple(_CODECS), "output_encoding", op_type)]


def _one_of(given: str, allowed: tuple[str, ...], what: str, op_type: str) -> str:
    if given not in allowed:
        named = ", ".join(f'"{one}"' for one in allowed)
        raise ValueError(f"Attr '{what}' of '{op_type}' Op passed string '{given}' not in: {named}.")
    return given


def _valid(code: int, errors: str, replacement: int) -> str:
    if 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
        return chr(code)
    if errors == "strict":
        raise ValueError(f"Code point is out of range for Unicode, or a noncharacter: {code}")
    return chr(replacement) if errors == "replace" else ""


def unicode_encode(
    input: Any, output_encoding: str, errors: str = "replace", replacement_char: int = _REPLACEMENT, name: Any = None
) -> Any:
    """Return the texts of characters' numbers along the last axis. Source: ``tf.strings.unicode_encode``."""
    codec = _codec(output_encoding, "UnicodeEncode")
    _one_of(errors, _ERRORS, "errors", "UnicodeEncode")

    def encoded(codes: Any) -> Any:
        codes = array_of(codes)
        rows = codes.reshape(-1, codes.shape[-1]).tolist()
        out = np.empty(len(rows), object)
        out[:] = ["".join(_valid(code, errors, replacement_char) for code in row).encode(codec) for row in rows]
        return out.reshape(codes.shape[:-1]) if codes.ndim > 1 else out[0]

    known = shape_of(input)
    shape = None if known is None else known[:-1]
    return call("UnicodeEncode", encoded, (input,), name=name, shape=shape, dtype="string", differentiable=False)


def unicode_transcode(
    input: Any,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """Return texts in another encoding; bytes that are no character become ``replacement_char``.

    With ``replace_control_characters`` the characters below the space are taken for such bytes. Where ``errors`` is
    "ignore", they are left out. InvalidArgumentError, when a session runs, for such bytes where it is "strict", and for
    an unknown encoding.

    Source: ``tf.strings.unicode_transcode``.
    """
    target = _codec(output_encoding, "UnicodeTranscode")
    _one_of(errors, _ERRORS, "errors", "UnicodeTranscode")
    mark = "" if errors == "ignore" else chr(replacement_char)

    def other(text: bytes) -> bytes:
        found = _decoder(input_encoding)(text)
        if replace_control_characters:
            found = "".join(_BROKEN if char < " " else char for char in found)
        if errors == "strict" and _BROKEN in found:
            raise ValueError("Invalid formatting on input string")
        return found.replace(_BROKEN, mark).encode(target, "surrogatepass")

    options: Any = {"shape": shape_inference.same, "dtype": "string", "differentiable": False}
    return call("UnicodeTranscode", each(other), (input,), name=name, **options)


@functools.cache
def _decoder(encoding: str) -> Callable[[bytes], str]:
    """Return the function to texts, in which a mark stands for bytes that are no character."""
    plain = encoding.upper().replace("-", "").replace("_", "")
    marks = {"UTF16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), "UTF32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)}
    if plain not in marks:
        try:
            "".encode(encoding)
        except LookupError:
            raise ValueError(f"Could not create converter for input encoding: {encoding}") from None
        return lambda text: text.decode(encoding, "steepest_broken")
    little, big = marks[plain]

    def of_either_order(text: bytes) -> str:
        order = "le" if text.startswith(little) else "be"
        bare = text.removeprefix(little if order == "le" else big)
        return bare.decode(f"utf-{plain[3:]}-{order}", "steepest_broken")

    return of_either_order


def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: str = "", name: str | None = None
) -> Any:
    """Return for each segment the texts of it, joined in their order."""
    apart = separator.encode()

    def joined(texts: Any, ids: Any, count: Any) -> Any:
        texts, ids, count = array_of(texts), array_of(ids), int(array_of(count))
        if texts.shape[: ids.ndim] != ids.shape:
            raise ValueError(f"segment_ids' shape {list(ids.shape)} must be the beginning of {list(texts.shape)}")
        rows = texts.reshape(ids.size, math.prod(texts.shape[ids.ndim :]))
        found: list[list[list[bytes]]] = [[[] for _ in range(rows.shape[1])] for _ in range(count)]
        for row, segment in zip(rows.tolist(), ids.ravel().tolist(), strict=True):
            if not 0 <= segment < count:
                raise ValueError(f"segment_ids must be in [0, num_segments), that is [0, {count}), got {segment}")
            for k, part in enumerate(row):
                found[segment][k].append(as_bytes(part))
        out = np.empty((count, rows.shape[1]), object)
        for place in np.ndindex(out.shape):
            out[place] = apart.join(found[place[0]][place[1]])
        return out.reshape(count, *texts.shape[ids.ndim :])

    def shape_fn(texts: Any, ids: Any, _: Any) -> Any:
        if texts is None or ids is None:
            return None
        if not compatible(texts[: len(ids)], ids):
            raise ValueError(f"Shape {text(texts)} must have {text(ids)}, that of segment_ids, as its beginning")
        return (None if count is None else int(count), *texts[len(ids) :])

    count = constant_value(num_segments)
    return call(
        "UnsortedSegmentJoin",
        joined,
        (inputs, segment_ids, num_segments),
        name=name,
        shape=shape_fn,
        dtype="string",
        same=False,
        differentiable=False,
    )
