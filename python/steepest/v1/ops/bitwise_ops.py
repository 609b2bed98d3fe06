"""Integers bit by bit, and the operators of bits, which take truths too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import call, convert
from ..graph.node import Node
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from .math_ops import logical_and, logical_not, logical_or, logical_xor

__all__ = [
    "and_",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "invert_",
    "left_shift",
    "or_",
    "population_count",
    "right_shift",
    "xor",
]


def _of_bits(op_type: str, function: Callable[..., Any], text: str) -> Callable[..., Any]:
    def operation(x: Any, y: Any, name: str | None = None) -> Any:
        return _called(op_type, function, (x, y), name)

    operation.__doc__ = f"{text} TypeError for tensors that do not hold integers."
    return operation


def _called(op_type: str, function: Callable[..., Any], inputs: tuple[Any, ...], name: str | None) -> Any:
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


def _operator(of_bits: Callable[..., Any], of_truths: Callable[..., Any], text: str) -> Callable[..., Any]:
    def operation(x: Any, y: Any, name: str) -> Any:
        if not isinstance(x, Node):
            x = convert(x, name="x", dtype=y.dtype.base_dtype)
        if x.dtype.base_dtype.is_bool:
            return of_truths(x, y, name)
        with name_scope(name):
            return of_bits(x, y)

    operation.__doc__ = f"{text} of integers bit by bit, of truths one by one: Python's operator."
    return operation


and_ = _operator(bitwise_and, logical_and, "Return what both have,")
or_ = _operator(bitwise_or, logical_or, "Return what either has,")
xor = _operator(bitwise_xor, logical_xor, "Return what one of both has,")


def invert_(x: Any, name: str | None = None) -> Any:
    """Return the opposite of integers bit by bit, of truths one by one: Python's operator."""
    return logical_not(x, name) if x.dtype.base_dtype.is_bool else invert(x, name)


name_functions(__name__)
