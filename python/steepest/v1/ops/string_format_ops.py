"""Values of tensors put into a text, as `tf.print` shows them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.run_values import array_of
from .string_ops import as_bytes

__all__ = ["string_format"]

_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}


def string_format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Any:
    """Return the text ``template`` with the values of ``inputs`` in the places of ``placeholder``.

    Args:
        inputs: a tensor, or a list of as many as there are places.
        summarize: so many first and last elements of each axis are shown; -1: all.

    Raises:
        ValueError: for another number of tensors than there are places.

    Source: ``tf.strings.format``.
    """
    items = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    pieces = template.split(placeholder)
    if len(pieces) != len(items) + 1:
        raise ValueError(
            f"The template expects {len(pieces) - 1} tensors, but the inputs only has {len(items)}. Please ensure the "
            f"number of placeholders in template matches inputs length: {len(pieces) - 1} placeholder(s) in template "
            f"does not match {len(items)} tensor(s) provided as input"
        )

    def filled(*values: Any) -> Any:
        shown = [_shown(np.asarray(array_of(value)), summarize) for value in values]
        text = "".join(part for pair in zip(pieces, [*shown, ""], strict=True) for part in pair)
        return text.encode(errors="surrogateescape")

    return call("StringFormat", filled, items, name=name, shape=(), dtype="string", same=False, differentiable=False)


def _shown(array: Any, summarize: int, depth: int = 0, axes: int | None = None) -> str:
    axes = array.ndim if axes is None else axes
    if array.ndim == 0:
        return _element(array[()])
    count = len(array)
    every = summarize < 0 or count <= 2 * summarize
    which = range(count) if every else [*range(summarize), None, *range(count - summarize, count)]
    parts = ["..." if k is None else _shown(np.asarray(array[k]), summarize, depth + 1, axes) for k in which]
    between = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * (depth + 1)
    return f"[{between.join(parts)}]"


def _element(value: Any) -> str:
    if isinstance(value, (bytes, str)):
        text = as_bytes(value).decode(errors="surrogateescape")  # what is no text stays as it is
        return '"' + re.sub(r"[\x00-\x1f\x7f\"'\\]", _escaped, text) + '"'
    if isinstance(value, np.bool_):
        return str(int(value))
    if isinstance(value, np.floating):
        return _number(value)
    return str(value)


def _escaped(found: re.Match[str]) -> str:
    mark = found.group()
    return _ESCAPES.get(mark, f"\\{ord(mark):03o}")


def _number(value: Any) -> str:
    """Return the shorter of two texts of a number, if that is the number when it is read."""
    value = np.float32(value) if value.dtype.itemsize == 2 else value
    short, long = (15, 17) if value.dtype == np.float64 else (6, 9)
    text = f"{value:.{short}g}"
    return text if value.dtype.type(text) == value or value != value else f"{value:.{long}g}"
