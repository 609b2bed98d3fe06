"""Activations: element by element, or along an axis."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ... import nn as _nn
from ...nn.activations import RELU
from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ...ops.vjps.elementwise import beside
from ..graph import shape_inference
from ..graph.arguments import as_axis, call_with
from ..graph.bound_names import name_functions
from ..graph.build import call, convert, shape_of
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor

__all__ = [
    "crelu",
    "elu",
    "leaky_relu",
    "log_softmax",
    "relu",
    "relu6",
    "selu",
    "softmax",
    "softplus",
    "softsign",
    "swish",
]


def _activation(op_type: str, function: Callable[[Any], Any], text: str) -> Callable[..., Any]:
    def operation(features: Any, name: str | None = None) -> Any:
        return call(op_type, function, (features,), name=name, shape=shape_inference.same)

    operation.__doc__ = text
    return operation


def _elu(x: Any) -> Any:
    below = unwrap(x) < 0  # its slope is 1 where the value is no number, too
    return np.where(below, np.expm1(np.where(below, x, x.dtype.type(0))), x)


def _selu(x: Any) -> Any:
    scale, alpha = x.dtype.type(1.0507009873554805), x.dtype.type(1.6732632423543772)
    below = unwrap(x) < 0
    return scale * np.where(below, alpha * np.expm1(np.where(below, x, x.dtype.type(0))), x)


def _relu(x: Any) -> Any:
    if x.dtype.kind == "f":
        return apply(RELU, (x,))
    return _nn.relu(x) if x.dtype.kind not in "iu" else np.maximum(unwrap(x), 0)


_RELU6 = Primitive(
    lambda x: np.minimum(np.maximum(x, x.dtype.type(0)), x.dtype.type(6)),
    (lambda g, y, x: beside(g * ((unwrap(y) > 0) & (unwrap(y) < 6)), x),),  # 0 at both ends, as in TensorFlow
    name="relu6",
)


def _relu6(x: Any) -> Any:
    return apply(_RELU6, (x,))


_SOFTSIGN = Primitive(
    lambda x: x / (np.absolute(x) + x.dtype.type(1)),
    (lambda g, y, x: g / np.square(np.absolute(x) + 1),),
    name="softsign",
)


def _softsign(x: Any) -> Any:
    return apply(_SOFTSIGN, (x,))


relu = _activation("Relu", _relu, "Return ``max(x, 0)``.")
relu6 = _activation("Relu6", _relu6, "Return ``min(max(x, 0), 6)``.")
elu = _activation("Elu", _elu, "Return x where it is positive, else ``exp(x) - 1``.")
selu = _activation("Selu", _selu, "Return the scaled `elu` of Klambauer et al., 2017.")
softplus = _activation("Softplus", _nn.softplus, "Return ``log(1 + exp(x))``.")
softsign = _activation("Softsign", _softsign, "Return ``x / (1 + |x|)``.")


def swish(features: Any, beta: Any = 1.0) -> Any:
    """Return ``x * sigmoid(beta * x)``."""
    if isinstance(beta, (int, float)):
        return call("Swish", lambda x: x * _nn.sigmoid(x * x.dtype.type(beta)), (features,), shape=shape_inference.same)
    return call("Swish", lambda x, by: x * _nn.sigmoid(x * by), (features, beta), shape=shape_inference.same)


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Any:
    """Return x where it is positive, else ``alpha * x``."""
    slope = float(np.float32(alpha))
    features = features if executing_eagerly() else convert(features)
    dtype = "float32" if isinstance(features, Tensor) and features.dtype.is_integer else None

    def leaky(x: Any) -> Any:
        return _nn.leaky_relu(x.astype(np.float32) if x.dtype.kind in "iu" else x, slope)

    return call("LeakyRelu", leaky, (features,), name=name, shape=shape_inference.same, dtype=dtype)


def crelu(features: Any, name: str | None = None, axis: Any = -1) -> Any:
    """Return ``relu(x)`` and ``relu(-x)``, joined along an axis, by default the last."""

    def both(axis: int, x: Any) -> Any:
        return np.concatenate([_relu(x), _relu(-x)], axis=axis)

    def shape_fn(axis: Any, shape: Any) -> Any:
        if shape is None or isinstance(axis, Tensor):
            return None if shape is None else (None,) * len(shape)
        (at,) = shape_inference.axes_of(axis, len(shape))
        return (*shape[:at], None if shape[at] is None else 2 * shape[at], *shape[at + 1 :])

    return call_with("CRelu", [(axis, as_axis)], both, (features,), name=name, shape=shape_fn)


def softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """Return ``exp(x) / sum(exp(x))`` along ``axis``, by default the last; InvalidArgumentError for one not there."""
    return _along_axis("Softmax", _nn.softmax, logits, axis, dim, name)


def log_softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """Return ``log(softmax(logits))`` along ``axis``, by default the last; InvalidArgumentError for one not there."""
    return _along_axis("LogSoftmax", _nn.log_softmax, logits, axis, dim, name)


def _along_axis(op_type: str, function: Any, logits: Any, axis: Any, dim: Any, name: str | None) -> Any:
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'axis' and 'dim'.")
    given = dim if axis is None else axis

    def computed(along: int, x: Any) -> Any:
        _check_axis(along, x.ndim)
        return function(x, along)

    def shape_fn(along: Any, shape: Any) -> Any:
        if shape == ():
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        return shape

    along = -1 if given is None else given
    if not isinstance(along, Node):
        shape = shape_of(logits)
        if shape and along != -1:
            _check_axis(int(along), len(shape))
        options: dict[str, Any] = {"shape": partial(shape_fn, along), "attributes": {"axis": int(along)}}
        return call(op_type, partial(computed, int(along)), (logits,), name=name, **options)
    return call_with(op_type, [(along, as_axis)], computed, (logits,), name=name, shape=shape_fn)


def _check_axis(axis: int, rank: int) -> None:
    if not -rank <= axis < rank:
        among = f"[{-rank}, {rank}) where {rank} is the number of dimensions in the input."
        raise InvalidArgumentError(None, None, f"Dimension ({axis}) must be in the range {among}")


name_functions(__name__)
