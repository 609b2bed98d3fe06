"""Floats as integers of few bits, which a range gives their meaning, and back."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.bound_names import name_functions
from ..graph.build import call
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError, UnimplementedError
from ..graph.run_values import array_of
from ..graph.shapes import Shape
from .sparse_ops import convert_to_tensor

__all__ = ["dequantize", "quantize", "quantize_v2"]

QuantizeV2 = namedtuple("QuantizeV2", ["output", "output_min", "output_max"])

_MODES = ("MIN_COMBINED", "MIN_FIRST", "SCALED")
_ROUNDINGS = ("HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN")
FLOAT = np.float32
_TOO_FEW, _NO_SUCH = (
    "Shape must be at least rank {} but is rank {}",
    "Axis must be less than input dimension({1}), got {2}",
)


def quantize(
    input: Any,
    min_range: Any,
    max_range: Any,
    T: Any,
    mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
    ensure_minimum_range: float = 0.01,
) -> QuantizeV2:
    """Return floats as integers of few bits, and the range that gives these their meaning.

    Args:
        input: float32 of any shape; what is outside of the range is cut.
        min_range, max_range: scalars, or one for each place along ``axis``. The range that is used has zero in it, and
            is not narrower than ``ensure_minimum_range`` times the larger of its ends and one.
        T: ``quint8``, ``qint8``, ``quint16``, ``qint16`` or ``qint32``.
        mode: ``MIN_COMBINED`` and ``MIN_FIRST`` spread the integers over the range, ``MIN_FIRST`` so that zero is one
            of them; ``SCALED`` multiplies alone, by the largest scale that keeps the range.
        round_mode: how ``SCALED`` rounds: ``HALF_AWAY_FROM_ZERO`` or ``HALF_TO_EVEN``.
        narrow_range: ``SCALED`` does without the least integer.

    Raises ValueError for another mode, or ranges that are not as many as the places, TypeError for another type;
    InvalidArgumentError in a run for a range that is not in order.

    Source: ``tf.quantization.quantize``.
    """
    _check("quantize", mode, round_mode)
    dtype = _quantized(T)
    x, low, high = (convert_to_tensor(value, "float32") for value in (input, min_range, max_range))
    along = _from_the_front(axis, x)
    if along is not None and mode == "MIN_FIRST":
        raise UnimplementedError(None, None, "MIN_FIRST mode is not implemented for Quantize with axis != -1.")

    def integers(x: Any, low: Any, high: Any) -> tuple[Any, Any, Any]:
        def part(x: Any, low: Any, high: Any) -> tuple[Any, Any, Any]:
            return _integers(x, low, high, dtype, mode, round_mode, narrow_range, FLOAT(ensure_minimum_range))

        values, *ends = _by_place(part, array_of(x), array_of(low), array_of(high), along, _TOO_FEW)
        return values, np.asarray(ends[0], FLOAT), np.asarray(ends[1], FLOAT)

    found = call(
        "QuantizeV2",
        integers,
        (x, low, high),
        name=name,
        shape=lambda x, *ends: [x, *_shapes_of_ends(x, ends, along, _TOO_FEW)],
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
    narrow_range: bool = False,
    axis: int | None = None,
    ensure_minimum_range: float = 0.01,
) -> QuantizeV2:
    """Return what `quantize` returns. Source: ``tf.quantize_v2``."""
    more = narrow_range, axis, ensure_minimum_range
    return quantize(input, min_range, max_range, T, mode, round_mode, name, *more)


def dequantize(
    input: Any,
    min_range: Any,
    max_range: Any,
    mode: str = "MIN_COMBINED",
    name: str | None = None,
    axis: int | None = None,
    narrow_range: bool = False,
    dtype: Any = "float32",
) -> Any:
    """Return the floats that integers of few bits stand for, in the range and the mode that `quantize` had.

    Args:
        min_range, max_range, axis, narrow_range: as `quantize` had them.
        dtype: ``float32``, or ``bfloat16`` where the mode is ``MIN_COMBINED``.

    Raises ValueError for another mode, or ranges that are not as many as the places, TypeError for what has no
    quantized type.

    Source: ``tf.quantization.dequantize``.
    """
    _check("dequantize", mode)
    x = convert_to_tensor(input)
    kind, result = _quantized(x.dtype), as_dtype(dtype)
    low, high = (convert_to_tensor(value, "float32") for value in (min_range, max_range))
    along = _from_the_front(axis, x)
    if along is not None and mode == "MIN_FIRST":
        raise UnimplementedError(None, None, "MIN_FIRST mode is not implemented for Dequantize with axis != -1.")
    if result.name != "float32" and mode != "MIN_COMBINED":
        raise InvalidArgumentError(None, None, f"When output type is {result.name}, only supports MIN_COMBINED mode.")

    def floats(x: Any, low: Any, high: Any) -> Any:
        def part(x: Any, low: Any, high: Any) -> tuple[Any]:
            return (_floats(x, low, high, kind, mode, narrow_range).astype(result.dtype),)

        return _by_place(part, array_of(x), array_of(low), array_of(high), along, _NO_SUCH)[0]

    def shape(x: Shape, *ends: Shape) -> Shape:
        _shapes_of_ends(x, ends, along, _NO_SUCH)
        return x

    return call(
        "Dequantize",
        floats,
        (x, low, high),
        name=name,
        shape=shape,
        dtype=result,
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
    return np.trunc(x + np.copysign(FLOAT(0.5), x))  # 0.5 is exact in either type


def _from_the_front(axis: int | None, x: Any) -> int | None:
    if axis is None or axis >= 0:
        return axis
    if x.shape.ndims is None:
        raise ValueError("input should have known rank to use negative axis.")
    return int(axis + x.shape.ndims)


def _shapes_of_ends(x: Shape, ends: Sequence[Shape], axis: int | None, words: str) -> list[Shape]:
    """Return the shapes of the ends of ranges. Raises ValueError where there are not as many as places."""
    if axis is None:
        for end in ends:
            if end:
                raise ValueError(f"Shape must be rank 0 but is rank {len(end)}")
        return [(), ()]
    if x is None:
        return [(None,), (None,)]
    if axis >= len(x):
        raise ValueError(words.format(axis + 1, len(x), axis))
    for end in ends:
        if end is not None and len(end) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(end)}")
        if end is not None and None not in (end[0], x[axis]) and end[0] != x[axis]:
            raise ValueError(f"Dimensions must be equal, but are {end[0]} and {x[axis]}")
    return [(x[axis],), (x[axis],)]


def _by_place(part: Callable[..., Any], x: Any, low: Any, high: Any, axis: int | None, words: str) -> Any:
    """Return what a function gives of the whole, or of each place along an axis with its own range."""
    _shapes_of_ends(x.shape, (low.shape, high.shape), axis, words)
    if axis is None:
        return part(x, low, high)
    given = zip(np.moveaxis(x, axis, 0), low, high, strict=True)
    found = list(zip(*(part(*each) for each in given), strict=True))
    return [np.moveaxis(np.stack(found[0]), 0, axis), *found[1:]]


def _integers(
    x: Any, low: Any, high: Any, dtype: DType, mode: str, round_mode: str, narrow: bool, share: Any
) -> tuple[Any, Any, Any]:
    if high < low:
        raise ValueError("input_max_range must be larger than input_min_range.")
    kind, least, most = _bounds(dtype)
    least += narrow and mode == "SCALED"
    widest = max(FLOAT(1), abs(low), abs(high)) * share
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


def _floats(x: Any, low: Any, high: Any, dtype: DType, mode: str, narrow: bool) -> Any:
    _, least, most = _bounds(dtype)
    least += narrow and mode == "SCALED"
    numbers = x[dtype.name] if x.dtype.names else x
    if mode == "SCALED":
        scale = max(low / FLOAT(least), high / FLOAT(most)) if least < 0 else high / FLOAT(most)
        return numbers.astype(FLOAT) * scale
    if mode == "MIN_COMBINED":
        half = FLOAT((most - least + 1) / 2 if least else 0)
        return (numbers.astype(FLOAT) + half) * ((high - low) / FLOAT(most - least)) + low
    steps = float(most - least + 1)
    step = float(high - low) * (steps / (steps - 1)) / steps
    first = float(_away(float(low) / step)) * step if low != high else float(low)
    return (first + (numbers.astype(np.float64) - least) * step).astype(FLOAT)


name_functions(__name__)
