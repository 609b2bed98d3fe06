"""Floats that are scaled to integers of few bits and back, as a network's that runs in such integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive
from ..graph.bound_names import name_functions
from ..graph.build import call
from ..graph.run_values import array_of
from .sparse_ops import convert_to_tensor

__all__ = ["quantize_and_dequantize", "quantize_and_dequantize_v2"]

_ROUNDED: dict[str, Callable[[Any], Any]] = {
    "HALF_TO_EVEN": np.rint,
    "HALF_UP": lambda x: np.floor(x + x.dtype.type(0.5)),
}


def _through(x: Any, low: Any, high: Any, bits: int, settings: dict[str, Any]) -> Any:
    """Return the numbers that the bits tell apart: zero is one of them, the scale is of the side that needs most."""
    signed, given, kind = settings["signed"], settings["given"], x.dtype.type
    if not 0 < bits < (62 if signed else 63):
        raise ValueError(f"num_bits is out of range: {bits} with signed_input {int(signed)}")
    if not given:
        low, high = (x.min(), x.max()) if x.size else (kind(0), kind(0))
    elif low > high:
        raise ValueError(f"Invalid range: input_min {float(low):f} > input_max {float(high):f}")
    most = 2 ** (bits - 1) - 1 if signed else 2**bits - 1
    least = (-most if settings["narrow"] else -most - 1) if signed else 0
    none = np.finfo(x.dtype).max
    with np.errstate(all="ignore"):
        from_low = kind(least) / low if least * low > 0 else none
        from_high = kind(most) / high if most * high > 0 else none
        if from_low < from_high:
            scale, back = from_low, low / kind(least)
            high = kind(most) * back
        else:
            scale, back = from_high, high / kind(most)
            low = kind(least) * back
        inside = np.maximum(np.minimum(x, high), low) if given else x
        return (_ROUNDED[settings["round_mode"]](inside * scale) * back).astype(x.dtype)


def quantize_and_dequantize(
    input: Any,
    input_min: Any,
    input_max: Any,
    signed_input: bool = True,
    num_bits: Any = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
) -> Any:
    """Return floats rounded to multiples of a step, so that a range has as many of them as integers of few bits.

    The gradient passes unchanged.

    Args:
        input: floats of any shape.
        input_min, input_max: the range, where ``range_given``; else it is that of the input. What is outside is cut.
        signed_input: whether the integers are signed; else there is nothing below zero in the range.
        num_bits: of the integers, a number or a tensor.
        round_mode: ``HALF_TO_EVEN`` or ``HALF_UP``.
        narrow_range: whether the least integer is left out, so that there are as many below zero as above.
        axis: along which each slice has a range of its own.

    Raises ValueError for another mode and an axis that is not there; InvalidArgumentError in a run for a range that is
    not in order, and for too many bits.

    Source: ``tf.quantization.quantize_and_dequantize``.
    """
    settings = {"signed": signed_input, "given": range_given, "narrow": narrow_range, "round_mode": round_mode}
    return _rounded("QuantizeAndDequantizeV3", input, (input_min, input_max), num_bits, axis, settings, name)


def quantize_and_dequantize_v2(
    input: Any,
    input_min: Any,
    input_max: Any,
    signed_input: bool = True,
    num_bits: Any = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
) -> Any:
    """Return what `quantize_and_dequantize` returns; the gradient passes inside the limits, and is zero outside.

    Source: ``tf.quantization.quantize_and_dequantize_v2``.
    """
    settings = {"signed": signed_input, "given": range_given, "narrow": narrow_range, "round_mode": round_mode}
    settings["inside"] = True
    return _rounded("QuantizeAndDequantizeV4", input, (input_min, input_max), num_bits, axis, settings, name)


def _rounded(
    op_type: str,
    input: Any,
    ends: tuple[Any, Any],
    num_bits: Any,
    axis: int | None,
    settings: dict[str, Any],
    name: str | None,
) -> Any:
    """Return the rounded input. With ``inside`` among the settings the limits decide where the gradient passes."""
    round_mode = settings["round_mode"]
    if round_mode not in _ROUNDED:
        raise ValueError(
            f"Value for attr 'round_mode' of \"{round_mode}\" is not in the list of allowed values: "
            '"HALF_TO_EVEN", "HALF_UP"'
        )
    x = convert_to_tensor(input, preferred_dtype="float32")
    limits = [convert_to_tensor(limit, x.dtype) for limit in ends]

    def function(x: Any, low: Any, high: Any, bits: Any) -> Any:
        count, low, high = int(array_of(bits)), array_of(low), array_of(high)
        along = shape_fn(x.shape) and axis is not None and axis % x.ndim

        def value(x: Any, low: Any, high: Any) -> Any:
            if axis is None:
                return _through(x, low, high, count, settings)
            parts = zip(np.moveaxis(x, along, 0), np.broadcast_to(low, x.shape[along]), high, strict=True)
            return np.stack([_through(*part, count, settings) for part in parts], along)

        def slope(g: Any, y: Any, x: Any, low: Any, high: Any) -> Any:
            if not settings.get("inside"):
                return g
            rest = [1] * (x.ndim - 1 - along) if axis is not None else []
            least, most = np.reshape(low, (*low.shape, *rest)), np.reshape(high, (*high.shape, *rest))
            return np.where((array_of(x) < least) | (array_of(x) > most), np.zeros((), x.dtype), g)

        zeros = (lambda g, y, x, low, high: np.zeros_like(low), lambda g, y, x, low, high: np.zeros_like(high))
        if not settings.get("inside"):
            return apply(Primitive(lambda x: value(x, low, high), (lambda g, y, x: g,)), (x,))
        return apply(Primitive(value, (slope, *zeros)), (x, low, high))

    def shape_fn(x: Any, *ends: Any) -> Any:
        if x is not None and axis is not None and not -len(x) <= axis < len(x):
            raise ValueError(f"Shape must be at least rank {axis + 1} but is rank {len(x)}")
        if x is not None and axis is not None:
            for end in ends[:2]:
                if end and None not in (end[0], x[axis]) and end[0] != x[axis]:
                    raise ValueError(f"Dimensions must be equal, but are {end[0]} and {x[axis]}")
        return x

    inputs = (x, *limits, convert_to_tensor(num_bits, "int32"))
    return call(
        op_type,
        function,
        inputs,
        name=name,
        shape=shape_fn,
        dtype=x.dtype.base_dtype,
        same=False,
    )


name_functions(__name__)
