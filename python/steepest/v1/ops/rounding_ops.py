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

__all__ = ["quantize_and_dequantize"]

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

    Raises ValueError for another mode; InvalidArgumentError in a run for a range that is not in order, and for too many
    bits.

    Source: ``tf.quantization.quantize_and_dequantize``.
    """
    if round_mode not in _ROUNDED:
        raise ValueError(
            f"Value for attr 'round_mode' of \"{round_mode}\" is not in the list of allowed values: "
            '"HALF_TO_EVEN", "HALF_UP"'
        )
    settings = {"signed": signed_input, "given": range_given, "narrow": narrow_range, "round_mode": round_mode}
    x = convert_to_tensor(input)
    limits = [convert_to_tensor(limit, x.dtype) for limit in (input_min, input_max)]

    def function(x: Any, low: Any, high: Any, bits: Any) -> Any:
        limits = array_of(low), array_of(high), int(array_of(bits))

        def value(x: Any) -> Any:
            return _through(x, *limits, settings)

        return apply(Primitive(value, (lambda g, y, x: g,)), (x,))

    inputs = (x, *limits, convert_to_tensor(num_bits, "int32"))
    return call(
        "QuantizeAndDequantizeV3",
        function,
        inputs,
        name=name,
        shape=lambda x, *others: x,
        dtype=x.dtype.base_dtype,
        same=False,
    )


name_functions(__name__)
