"""Gradients through a value that a run is fed: they flow on to what the value would have been made of.

A graph's gradients are made before anything is fed, as in TensorFlow: where a run is fed a value between an x and a y,
what lies before it is still computed, and the fed value takes its place with the gradient of the computed one.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive, also_complex
from .node import Operation, Tensor
from .plan_steps import Step

__all__ = ["fed_step", "followed"]

_FED = Primitive(lambda computed, fed: np.array(fed), (lambda g, y, computed, fed: g, None), name="fed")
also_complex(_FED)

# Functions whose derivative TensorFlow computes from the result, so that a fed result counts: g and the result to the
# gradient of the first input.
_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
_OF_RESULT: dict[str, Callable[..., Any]] = {
    "Tanh": lambda g, y: g * (1 - y * y),
    "Sigmoid": lambda g, y: g * (y * (1 - y)),
    "Exp": lambda g, y: g * y,
    "Sqrt": lambda g, y: g * (y.dtype.type(0.5) / y),
    "Rsqrt": lambda g, y: g * (y.dtype.type(-0.5) * (y * y * y)),
    "Reciprocal": lambda g, y: -g * (y * y),
    "Relu": lambda g, y: g * (y > 0),
    "Relu6": lambda g, y: g * ((y > 0) & (y < 6)),
    "Elu": lambda g, y: g * np.where(y > 0, y.dtype.type(1), y + y.dtype.type(1)),
    "Selu": lambda g, y: g * np.where(y >= 0, y.dtype.type(_SELU_SCALE), y + y.dtype.type(_SELU_SCALE * _SELU_ALPHA)),
}
_ALONG_AXIS: dict[str, Callable[..., Any]] = {
    "Softmax": lambda g, y, axis: (g - np.sum(g * y, axis=axis, keepdims=True)) * y,
    "LogSoftmax": lambda g, y, axis: g - np.exp(y) * np.sum(g, axis=axis, keepdims=True),
}


def followed(fed: Iterable[Tensor], gradient_ops: Iterable[Operation], needed: Container[Any]) -> set[Tensor]:
    """Return the fed tensors through which a gradient flows that is needed."""
    between = [
        ops
        for gradient_op in gradient_ops
        for output, ops in zip(gradient_op.outputs, gradient_op.get_attr("between"), strict=True)
        if output in needed
    ]
    return {tensor for tensor in fed if tensor.dtype.has_gradients and any(tensor.op in ops for ops in between)}


def fed_step(op: Operation, inputs: tuple[int, ...], computed: int, fed: int) -> Step:
    """Return the step that puts a fed value in the place of the computed one, whose gradient it gets.

    A derivative that is computed from the result takes the fed one: then the value comes from the operation's input.
    """
    derivative = _from_result(op)
    if derivative is None:
        return lambda value, given: apply(_FED, (value, given)), (computed, fed), fed
    primitive = Primitive(
        lambda x, given: np.array(given), (lambda g, y, x, given: derivative(g, y), None), name=f"fed {op.type}"
    )
    return lambda x, given: apply(primitive, (x, given)), (inputs[0], fed), fed


def _from_result(op: Operation) -> Callable[..., Any] | None:
    if op.type in _ALONG_AXIS:
        along, axis = _ALONG_AXIS[op.type], op.get_attr("axis")
        return lambda g, y: along(g, y, axis)
    return _OF_RESULT.get(op.type)
