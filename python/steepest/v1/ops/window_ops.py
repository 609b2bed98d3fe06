"""Windows of signals: raised cosines, Kaiser's, and those whose halves complete each other."""

from __future__ import annotations

import math
from typing import Any

from ..graph import dtypes
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value
from .bessel_ops import bessel_i0e
from .cast_ops import cast
from .concat_ops import concat
from .control_flow_ops import cond
from .creation_ops import ones
from .creation_ops import range as sequence
from .math_ops import cos, equal, exp, maximum, mod, sin, sqrt, square
from .reduce_ops import cumsum
from .sparse_ops import convert_to_tensor

__all__ = ["hamming_window", "hann_window", "kaiser_bessel_derived_window", "kaiser_window", "vorbis_window"]


def hann_window(window_length: Any, periodic: Any = True, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return a Hann window: half of one less a cosine."""
    return _raised_cosine(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(window_length: Any, periodic: Any = True, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return a Hamming window: a raised cosine whose ends are 0.08."""
    return _raised_cosine(name, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)


def _raised_cosine(
    name: str | None, default: str, window_length: Any, periodic: Any, dtype: Any, base: float, swing: float
) -> Any:
    with name_scope(name, default, [window_length, periodic]):
        length, dtype = _length_of(window_length, dtype)
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


def _length_of(window_length: Any, dtype: Any) -> tuple[Any, Any]:
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype!r}")
    length = convert_to_tensor(window_length, dtype="int32", name="window_length")
    length.shape.assert_has_rank(0)
    return length, dtype


def kaiser_window(window_length: Any, beta: Any = 12.0, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return Kaiser's window: ``I0(beta sqrt(1 - x^2)) / I0(beta)`` for x from -1 to 1.

    Source: ``tf.signal.kaiser_window``.
    """
    with name_scope(name, "kaiser_window"):
        length, dtype = _length_of(window_length, dtype)
        if constant_value(length) == 1:
            return ones([1], dtype=dtype)
        half = (cast(length, "float32") - 1.0) / 2.0
        places = cast(sequence(-half, half + 0.1, dtype="float32"), dtype)  # no ranges of 16 bits
        beta, half = cast(beta, dtype), cast(half, dtype)
        sizes = beta * sqrt(maximum(1 - square(places / half), cast(0, dtype)))
        return exp(sizes - beta) * (bessel_i0e(sizes) / bessel_i0e(beta))


def kaiser_bessel_derived_window(
    window_length: Any, beta: Any = 12.0, dtype: Any = "float32", name: str | None = None
) -> Any:
    """Return the window whose squares are the sums of Kaiser's: it and its half turned over complete each other.

    Source: ``tf.signal.kaiser_bessel_derived_window``.
    """
    with name_scope(name, "kaiser_bessel_derived_window"):
        length, dtype = _length_of(window_length, dtype)
        sums = cumsum(kaiser_window(length // 2 + 1, beta, dtype=dtype))
        half = sqrt(sums[:-1] / sums[-1])
        return concat([half, half[::-1]], 0)


def vorbis_window(window_length: Any, dtype: Any = "float32", name: str | None = None) -> Any:
    """Return the window ``sin(pi/2 sin(pi (n + 1/2) / N)^2)`` of Vorbis. Source: ``tf.signal.vorbis_window``."""
    with name_scope(name, "vorbis_window"):
        length, dtype = _length_of(window_length, dtype)
        places = cast(sequence(length), dtype)
        return sin(math.pi / 2.0 * square(sin(math.pi / cast(length, dtype) * (places + 0.5))))
