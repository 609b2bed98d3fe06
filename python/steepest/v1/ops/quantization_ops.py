"""Floats rounded to the numbers that few bits can tell apart, for training what will run in integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import call
from ..graph.run_values import array_of
from ..graph.shapes import compatible, contradiction
from .sparse_ops import convert_to_tensor

__all__ = [
    "fake_quant_with_min_max_args",
    "fake_quant_with_min_max_args_gradient",
    "fake_quant_with_min_max_vars",
    "fake_quant_with_min_max_vars_gradient",
    "fake_quant_with_min_max_vars_per_channel",
    "fake_quant_with_min_max_vars_per_channel_gradient",
]


class RangeGradients(NamedTuple):
    """What the gradients of the forms with variable limits are."""

    backprops_wrt_input: Any
    backprop_wrt_min: Any
    backprop_wrt_max: Any


def _nudged(low: Any, high: Any, bits: int, narrow: bool) -> tuple[Any, Any, Any]:
    """Return limits moved so that zero is one of the numbers, and the step between numbers, in float32."""
    least, most = np.float32(int(narrow)), np.float32(2**bits - 1)
    low, high = np.asarray(low, np.float32), np.asarray(high, np.float32)
    with np.errstate(all="ignore"):
        step = (high - low) / (most - least)
        at = least - low / step
        zero = np.where(at < least, least, np.where(at > most, most, np.floor(at + np.float32(0.5)))).astype(np.float32)
    return (least - zero) * step, (most - zero) * step, step


def _is_nothing(low: Any, high: Any) -> Any:
    """Limits that are both zero: nothing was seen of these numbers yet."""
    return (np.asarray(low) == 0) & (np.asarray(high) == 0)


def _rounded(x: Any, low: Any, high: Any, bits: int, narrow: bool) -> Any:
    start, end, step = _nudged(low, high, bits, narrow)
    inside = np.clip(x, start, end) - start
    numbers = np.floor(inside * (np.float32(1) / step) + np.float32(0.5)) * step + start
    return np.where(_is_nothing(low, high), np.float32(0), numbers).astype(np.float32)


def _slopes(g: Any, x: Any, low: Any, high: Any, bits: int, narrow: bool) -> tuple[Any, Any, Any]:
    """Return the gradient by the input and, of each element, what belongs to the limits."""
    start, end, _ = _nudged(low, high, bits, narrow)
    within, zero = _is_nothing(low, high), np.zeros((), np.float32)
    below, above = (x < start) & ~within, (x > end) & ~within
    return np.where(below | above, zero, g), np.where(below, g, zero), np.where(above, g, zero)


def _checked(who: str, bits: int) -> None:
    if not 2 <= bits <= 16:
        raise ValueError(f"{who}: num_bits must be between 2 and 16, got {bits}")


def _limited(x: Any, low: Any, high: Any, settings: dict[str, Any]) -> Any:
    """Apply the rounding as a primitive whose gradient passes inside the limits and is theirs outside."""

    def value(x: Any, low: Any, high: Any) -> Any:
        return _rounded(x, low, high, **settings)

    def back(which: int) -> Callable[..., Any]:
        def slope(g: Any, y: Any, x: Any, low: Any, high: Any) -> Any:
            limit = array_of(low)
            part = _slopes(array_of(g), array_of(x), limit, array_of(high), **settings)[which]
            return part if which == 0 else part.sum(tuple(range(part.ndim - limit.ndim)), dtype=np.float32)

        return slope

    return apply(Primitive(value, (back(0), back(1), back(2))), (x, low, high))


def fake_quant_with_min_max_args(
    inputs: Any, min: float = -6, max: float = 6, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Any:
    """Return floats between two numbers, rounded to the ``2 ** num_bits`` (one less where narrow) that bits tell apart.

    The limits are moved so that zero is one of the numbers. The gradient passes inside of them. Raises ValueError for
    limits that are not in order, and for other than 2 to 16 bits.

    Source: ``tf.quantization.fake_quant_with_min_max_args``.
    """
    settings = {"bits": num_bits, "narrow": narrow_range}
    limits = np.float32(min), np.float32(max)

    def function(x: Any) -> Any:
        _checked("fake_quant_with_min_max_args", num_bits)
        if min >= max:
            raise ValueError(f"fake_quant_with_min_max_args: min must be smaller than max, was: {min} >= {max}")
        return _limited(x, *limits, settings)

    return call("FakeQuantWithMinMaxArgs", function, (inputs,), name=name, shape=shape_inference.same)


def fake_quant_with_min_max_args_gradient(
    gradients: Any,
    inputs: Any,
    min: float = -6,
    max: float = 6,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Any:
    """Return the gradients where the inputs are inside the limits of `fake_quant_with_min_max_args`, and zeros."""

    def function(g: Any, x: Any) -> Any:
        _checked("fake_quant_with_min_max_args_gradient", num_bits)
        return _slopes(array_of(g), array_of(x), min, max, num_bits, narrow_range)[0]

    inputs = gradients, inputs
    shape = shape_inference.merged
    return call("FakeQuantWithMinMaxArgsGradient", function, inputs, name=name, shape=shape, differentiable=False)


def _of_variables(op_type: str, per_channel: bool, text: str) -> Callable[..., Any]:
    def operation(
        inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
    ) -> Any:
        settings = {"bits": num_bits, "narrow": narrow_range}

        def function(x: Any, low: Any, high: Any) -> Any:
            _checked(op_type, num_bits)
            _check_limits(unwrap(x), unwrap(low), unwrap(high), per_channel)
            return _limited(x, low, high, settings)

        def shape_fn(x: Any, low: Any, high: Any) -> Any:
            _check_ranks(low, high, per_channel)
            sizes = [size for limit in (low, high, x[-1:] if x and per_channel else None) for size in limit or ()]
            if len({size for size in sizes if size is not None}) > 1:
                raise ValueError(f"Dimensions must be equal, but are {' and '.join(map(str, sizes))}")
            limits = shape_inference.merged(low, high)
            wanted = () if not per_channel else None if x is None else x[-1:]
            if None not in (limits, wanted):
                shape_inference.merged(limits, wanted)
            return x

        return call(op_type, function, (inputs, min, max), name=name, shape=shape_fn)

    operation.__doc__ = text
    return operation


def _check_ranks(low: Any, high: Any, per_channel: bool) -> None:
    for limit in (low, high):
        if limit is not None and len(limit) != per_channel:
            raise ValueError(f"Shape must be rank {int(per_channel)} but is rank {len(limit)}")


def _check_limits(x: Any, low: Any, high: Any, per_channel: bool) -> None:
    wanted = x.shape[-1:] if per_channel else ()
    for which, limit in (("min", low), ("max", high)):
        if np.ndim(limit) != per_channel:
            raise ValueError(f"`{which}` must be rank {int(per_channel)} but is rank {np.ndim(limit)}")
        if np.shape(limit) != wanted:
            raise ValueError(f"{which} has incorrect size, expected {x.shape[-1]} was {np.size(limit)}")


def _gradient_of_variables(op_type: str, per_channel: bool, text: str) -> Callable[..., Any]:
    def operation(
        gradients: Any,
        inputs: Any,
        min: Any,
        max: Any,
        num_bits: int = 8,
        narrow_range: bool = False,
        name: str | None = None,
    ) -> RangeGradients:
        def function(g: Any, x: Any, low: Any, high: Any) -> Any:
            _checked(op_type, num_bits)
            g, x, low, high = (array_of(each) for each in (g, x, low, high))
            _check_limits(x, low, high, per_channel)
            own, below, above = _slopes(g, x, low, high, num_bits, narrow_range)
            others = tuple(range(x.ndim - low.ndim))
            return own, below.sum(others, dtype=np.float32), above.sum(others, dtype=np.float32)

        def shape_fn(g: Any, x: Any, low: Any, high: Any) -> Any:
            _check_ranks(low, high, per_channel)
            if not compatible(low, high):
                raise ValueError(contradiction(low, high))
            return [x, low, high]

        parts = call(
            op_type,
            function,
            tuple(convert_to_tensor(each) for each in (gradients, inputs, min, max)),
            name=name,
            shape=shape_fn,
            dtype=["float32"] * 3,
            outputs=3,
            differentiable=False,
        )
        return RangeGradients(*parts)

    operation.__doc__ = text
    return operation


fake_quant_with_min_max_vars = _of_variables(
    "FakeQuantWithMinMaxVars", False, "Do what `fake_quant_with_min_max_args` does with limits that are learned."
)
fake_quant_with_min_max_vars_per_channel = _of_variables(
    "FakeQuantWithMinMaxVarsPerChannel",
    True,
    "Do what `fake_quant_with_min_max_vars` does with limits for each place of the last axis.",
)
fake_quant_with_min_max_vars_gradient = _gradient_of_variables(
    "FakeQuantWithMinMaxVarsGradient", False, "Return the gradients of `fake_quant_with_min_max_vars`."
)
fake_quant_with_min_max_vars_per_channel_gradient = _gradient_of_variables(
    "FakeQuantWithMinMaxVarsPerChannelGradient",
    True,
    "Return the gradients of `fake_quant_with_min_max_vars_per_channel`.",
)

name_functions(__name__)
