"""Floats as integers of few bits, which a range gives their meaning, and back."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..graph.bound_names import name_functions
from ..graph.build import call
from ..graph.dtypes import DType, as_dtype
from ..graph.run_values import array_of
from .sparse_ops import convert_to_tensor

__all__ = ["dequantize", "quantize", "quantize_v2"]

QuantizeV2 = namedtuple("QuantizeV2", ["output", "output_min", "output_max"])

_MODES = ("MIN_COMBINED", "MIN_FIRST", "SCALED")
_ROUNDINGS = ("HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN")
FLOAT = np.float32


def quantize(
    input: Any,
    min_range: Any,
    max_range: Any,
    T: Any,
    mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    name: str | None = None,
) -> QuantizeV2:
    """Return floats as integers of few bits, and the range that gives these their meaning.

    Args:
        input: float32 of any shape; what is outside of the range is cut.
        min_range, max_range: scalars. The range that is used has zero in it, and is not narrower than a hundredth of
            the larger of its ends and one.
        T: ``quint8``, ``qint8``, ``quint16``, ``qint16`` or ``qint32``.
        mode: ``MIN_COMBINED`` and ``MIN_FIRST`` spread the integers over the range, ``MIN_FIRST`` so that zero is one
            of them; ``SCALED`` multiplies alone, by the largest scale that keeps the range.
        round_mode: how ``SCALED`` rounds: ``HALF_AWAY_FROM_ZERO`` or ``HALF_TO_EVEN``.

    Raises ValueError for another mode, TypeError for another type; InvalidArgumentError in a run for a range that is
    not in order.

    Source: ``tf.quantization.quantize``.
    """
    _check("quantize", mode, round_mode)
    dtype = _quantized(T)
    x, low, high = (convert_to_tensor(value, "float32") for value in (input, min_range, max_range))
    found = call(
        "QuantizeV2",
        lambda x, low, high: _integers(array_of(x), array_of(low), array_of(high), dtype, mode, round_mode),
        (x, low, high),
        name=name,
        shape=lambda x, *ends: [x, (), ()],
        dtype=[dtype, as_dtype("float32"), as_dtype("float32")],
        outputs=3,
        differentiable=False,
    )
    return QuantizeV2(*found)


def quantize_v2(
    input: Any,
    min_range: Any,
    max_range: Any,
    T: Any,
    mode: str = "MIN_COMBINED",
    name: str | None = None,
    round_mode: str = "HALF_AWAY_FROM_ZERO",
) -> QuantizeV2:
    """Return what `quantize` returns. Source: ``tf.quantize_v2``."""
    return quantize(input, min_range, max_range, T, mode, round_mode, name)


def dequantize(input: Any, min_range: Any, max_range: Any, mode: str = "MIN_COMBINED", name: str | None = None) -> Any:
    """Return the float32 that integers of few bits stand for, in the range and the mode that `quantize` had.

    Raises ValueError for another mode, TypeError for what has no quantized type.

    Source: ``tf.quantization.dequantize``.
    """
    _check("dequantize", mode)
    x = convert_to_tensor(input)
    dtype = _quantized(x.dtype)
    low, high = (convert_to_tensor(value, "float32") for value in (min_range, max_range))
    return call(
        "Dequantize",
        lambda x, low, high: _floats(array_of(x), array_of(low), array_of(high), dtype, mode),
        (x, low, high),
        name=name,
        shape=lambda x, *ends: x,
        dtype=as_dtype("float32"),
        same=False,
        differentiable=False,
    )


def _check(who: str, mode: str, round_mode: str = "HALF_AWAY_FROM_ZERO") -> None:
    for which, value, allowed in (("mode", mode, _MODES), ("round_mode", round_mode, _ROUNDINGS)):
        if value not in allowed:
            names = ", ".join(f'"{each}"' for each in allowed)
            raise ValueError(f"Value for attr '{which}' of \"{value}\" is not in the list of allowed values: {names}")
    if round_mode != "HALF_AWAY_FROM_ZERO" and mode != "SCALED":
        raise ValueError(f"{who}: Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '{mode}'")


def _quantized(kind: Any) -> DType:
    dtype = as_dtype(kind).base_dtype
    if not dtype.is_quantized:
        raise TypeError(f"{dtype.name} is not in list of allowed values: qint8, quint8, qint32, qint16, quint16")
    return dtype


def _bounds(dtype: DType) -> tuple[np.dtype[Any], int, int]:
    """Return the integers of a quantized type, the least and the largest of them."""
    integers = dtype.dtype[dtype.name]
    limits = np.iinfo(integers)
    return integers, int(limits.min), int(limits.max)


def _away(x: Any) -> Any:
    """Round to the nearest, halves away from zero."""
    return np.trunc(x + np.copysign(FLOAT(0.5), x))


def _integers(x: Any, low: Any, high: Any, dtype: DType, mode: str, round_mode: str) -> tuple[Any, Any, Any]:
    if high < low:
        raise ValueError("input_max_range must be larger than input_min_range.")
    kind, least, most = _bounds(dtype)
    widest = max(FLOAT(1), abs(low), abs(high)) / FLOAT(100)
    low = min(FLOAT(0), low)
    high = max(FLOAT(0), high, low + widest)
    if mode == "SCALED":
        none = np.finfo(FLOAT).max
        from_low = FLOAT(least) / low if least * low > 0 else none
        from_high = FLOAT(most) / high if most * high > 0 else none
        scale = min(from_low, from_high)
        low, high = FLOAT(least) / scale, FLOAT(most) / scale
        rounded = (_away if round_mode == "HALF_AWAY_FROM_ZERO" else np.rint)(np.clip(x, low, high) * scale)
    elif mode == "MIN_COMBINED":
        scale = FLOAT(most - least) / (high - low)
        half = FLOAT((most - least + 1) / 2 if least else 0)
        rounded = _away((np.clip(x, low, high) - low) * scale - half)
    else:
        steps = float(most - least + 1)
        scale = FLOAT(steps / (float(high - low) * (steps / (steps - 1))))
        top = FLOAT(most) if int(FLOAT(most)) <= most else np.nextafter(FLOAT(most), FLOAT(0))
        rounded = np.clip(_away(x * scale) - (_away(low * scale) - FLOAT(least)), FLOAT(least), top)
    values = np.empty(np.shape(x), dtype.dtype)
    values[dtype.name] = np.asarray(rounded).astype(np.int64).astype(kind)
    return values, FLOAT(low), FLOAT(high)


def _floats(x: Any, low: Any, high: Any, dtype: DType, mode: str) -> Any:
    _, least, most = _bounds(dtype)
    numbers = x[dtype.name] if x.dtype.names else x
    if mode == "SCALED":
        scale = max(low / FLOAT(least), high / FLOAT(most)) if least else high / FLOAT(most)
        return numbers.astype(FLOAT) * scale
    if mode == "MIN_COMBINED":
        half = FLOAT((most - least + 1) / 2 if least else 0)
        return (numbers.astype(FLOAT) + half) * ((high - low) / FLOAT(most - least)) + low
    steps = float(most - least + 1)
    step = float(high - low) * (steps / (steps - 1)) / steps
    first = np.round(float(low) / step) * step if low != high else float(low)
    return (first + (numbers.astype(np.float64) - least) * step).astype(FLOAT)


name_functions(__name__)
