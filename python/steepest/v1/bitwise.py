"""``tf.bitwise``: integers bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .graph import shape_inference
from .graph.bound_names import name_functions
from .graph.build import call, dtype_of
from .graph.missing import namespace
from .graph.run_values import array_of

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]

__getattr__, __dir__ = namespace(__name__)


def _of_bits(op_type: str, function: Callable[..., Any], text: str) -> Callable[..., Any]:
    def operation(x: Any, y: Any, name: str | None = None) -> Any:
        return _called(op_type, function, (x, y), name)

    operation.__doc__ = f"{text} TypeError for tensors that do not hold integers."
    return operation


def _called(op_type: str, function: Callable[..., Any], inputs: tuple[Any, ...], name: str | None) -> Any:
    for value in inputs:
        if not dtype_of(value).is_integer:
            raise TypeError(f"{op_type}: the tensors must hold integers, got {dtype_of(value).name}")

    def compute(*values: Any) -> Any:
        return function(*(array_of(value) for value in values))

    return call(op_type, compute, inputs, name=name, shape=shape_inference.broadcast, differentiable=False)


def _shifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a shift by as many places as there are at most: TensorFlow takes 0 for fewer, all but one for more."""

    def shift(x: Any, y: Any) -> Any:
        return function(x, np.clip(y, 0, x.dtype.itemsize * 8 - 1))

    return shift


def invert(x: Any, name: str | None = None) -> Any:
    """Return every bit turned over. TypeError for a tensor that does not hold integers."""
    return _called("Invert", np.invert, (x,), name)


def population_count(x: Any, name: str | None = None) -> Any:
    """Return how many bits are set, as uint8. TypeError for a tensor that does not hold integers."""
    if not dtype_of(x).is_integer:
        raise TypeError(f"PopulationCount: the tensor must hold integers, got {dtype_of(x).name}")

    def counts(value: Any) -> Any:
        whole = array_of(value)
        parts = np.ascontiguousarray(whole).view(np.uint8).reshape(*whole.shape, whole.itemsize)
        return np.unpackbits(parts, axis=-1).sum(-1, dtype=np.uint8)

    return call(
        "PopulationCount", counts, (x,), name=name, shape=shape_inference.same, dtype="uint8", differentiable=False
    )


bitwise_and = _of_bits("BitwiseAnd", np.bitwise_and, "Return the bits that both have.")
bitwise_or = _of_bits("BitwiseOr", np.bitwise_or, "Return the bits that either has.")
bitwise_xor = _of_bits("BitwiseXor", np.bitwise_xor, "Return the bits that one of both has.")
left_shift = _of_bits("LeftShift", _shifted(np.left_shift), "Return the bits of x moved up by y places.")
right_shift = _of_bits("RightShift", _shifted(np.right_shift), "Return the bits of x moved down by y places.")

name_functions(__name__)
