"""Windows of signals: raised cosines."""

from __future__ import annotations

import math
from typing import Any

from ..graph import dtypes
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .cast_ops import cast
from .control_flow_ops import cond
from .creation_ops import ones
from .creation_ops import range as sequence
from .math_ops import cos, equal, mod
from .sparse_ops import convert_to_tensor

__all__ = ["hamming_window", "hann_window"]


def hann_window(window_length: Any, periodic: Any = True, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return a Hann window: half of one less a cosine."""
    return _raised_cosine(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(window_length: Any, periodic: Any = True, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return a Hamming window: a raised cosine whose ends are 0.08."""
    return _raised_cosine(name, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)


def _raised_cosine(
    name: str | None, default: str, window_length: Any, periodic: Any, dtype: Any, base: float, swing: float
) -> Any:
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype!r}")
    with name_scope(name, default, [window_length, periodic]):
        length = convert_to_tensor(window_length, dtype="int32", name="window_length")
        length.shape.assert_has_rank(0)
        known = constant_value(length)
        if known == 1:
            return ones([1], dtype=dtype)
        periods = cast(convert_to_tensor(periodic, dtype="bool", name="periodic"), "int32")
        periods.shape.assert_has_rank(0)
        last = cast(length + periods * (1 - mod(length, 2)) - 1, dtype)
        angle = 2 * math.pi * cast(sequence(length), dtype) / last

        def window() -> Any:
            return cast(base - swing * cos(angle), dtype)

        if known is not None:
            return window()
        return cond(equal(length, 1), lambda: ones([length], dtype=dtype), window)
