"""``tf.compat``: text and bytes, ``tf.compat.v1``, which is `steepest.v1` itself, and ``tf.compat.v2``."""

from __future__ import annotations

import datetime
import numbers
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .graph.missing import namespace
from .graph.shape_makers import dimension_at_index
from .ops.composite_ops import dimension_value

__all__ = [
    "as_bytes",
    "as_str",
    "as_str_any",
    "as_text",
    "bytes_or_text_types",
    "complex_types",
    "dimension_at_index",
    "dimension_value",
    "forward_compatibility_horizon",
    "forward_compatible",
    "integral_types",
    "path_to_str",
    "real_types",
    "v1",
    "v2",
]

__getattr__, __dir__ = namespace(__name__)

integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
bytes_or_text_types = (bytes, str)

v1: Any = sys.modules[__package__ or "steepest.v1"]
v2: Any = None  # `python.compat_v2`, once that is imported


def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Return text as bytes, and bytes as they are. Raises TypeError for anything else."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Return bytes as text, and text as it is. Raises TypeError for anything else."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text).decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: Any) -> str:
    """Return text of anything: bytes and text as by `as_text`, else ``str(value)``."""
    return as_text(value) if isinstance(value, (bytes, str)) else str(value)


def path_to_str(path: Any) -> Any:
    """Return the path of a path object as text, anything else as it is."""
    return as_str_any(path.__fspath__()) if hasattr(path, "__fspath__") else path


_horizons = [datetime.date(2019, 8, 21)]  # that of TensorFlow 1.15


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Tell whether a date lies before the horizon: what is of a later one is not in TensorFlow 1.15.

    Programs ask it before they use what a later TensorFlow has. Source: ``tf.compat.forward_compatible``.
    """
    return _horizons[-1] > datetime.date(year, month, day)


@contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Set another horizon inside ``with``. Source: ``tf.compat.forward_compatibility_horizon``."""
    _horizons.append(datetime.date(year, month, day))
    try:
        yield
    finally:
        _horizons.pop()
