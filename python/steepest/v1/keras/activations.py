"""``tf.keras.activations``: functions of one tensor, by name too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.missing import namespace
from ..ops.activation_ops import elu as _elu
from ..ops.activation_ops import leaky_relu, relu6, selu, softplus, softsign, swish
from ..ops.activation_ops import relu as _relu
from ..ops.activation_ops import softmax as _softmax
from ..ops.cast_ops import cast
from ..ops.clip_ops import clip_by_value
from ..ops.gather_ops import where
from ..ops.math_ops import exp, sigmoid, tanh
from ..ops.sparse_ops import convert_to_tensor
from .by_name import found, serialized

__all__ = [
    "deserialize",
    "elu",
    "exponential",
    "get",
    "hard_sigmoid",
    "linear",
    "relu",
    "selu",
    "serialize",
    "sigmoid",
    "softmax",
    "softplus",
    "softsign",
    "swish",
    "tanh",
]


def linear(x: Any) -> Any:
    """Return x as it is."""
    return x


def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0.0) -> Any:
    """Return x from ``threshold`` to ``max_value``, and ``alpha * (x - threshold)`` below.

    The slope at the ends is that of `tf.nn.leaky_relu` and `tf.nn.relu6` where these are the same function.
    """
    x = convert_to_tensor(x)
    if alpha and not threshold and max_value is None:
        return leaky_relu(x, alpha)
    rest = alpha * _relu(threshold - x) if alpha else None
    if max_value == 6 and not threshold:
        kept = relu6(x)
    else:
        kept = x * cast(x > threshold, x.dtype) if threshold else _relu(x)
        kept = kept if max_value is None else clip_by_value(kept, 0.0, max_value)
    return kept if rest is None else kept - rest


def elu(x: Any, alpha: float = 1.0) -> Any:
    """Return x where it is positive, else ``alpha * (exp(x) - 1)``."""
    x = convert_to_tensor(x)
    found = _elu(x)
    return found if alpha == 1 else where(x > 0, found, alpha * found)


def softmax(x: Any, axis: int = -1) -> Any:
    """Return ``exp(x)`` over its sum along an axis. Raises ValueError for a vector."""
    x = convert_to_tensor(x)
    if x.shape.ndims is not None and x.shape.ndims < 2:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")
    return _softmax(x, axis)


def exponential(x: Any) -> Any:
    """Return ``exp(x)``."""
    return exp(x)


def hard_sigmoid(x: Any) -> Any:
    """Return ``0.2 * x + 0.5`` between 0 and 1."""
    return clip_by_value(convert_to_tensor(x) * 0.2 + 0.5, 0.0, 1.0)


_KNOWN: dict[str, Callable[..., Any]] = {
    "linear": linear,
    "relu": relu,
    "sigmoid": sigmoid,
    "tanh": tanh,
    "softmax": softmax,
    "elu": elu,
    "selu": selu,
    "softplus": softplus,
    "softsign": softsign,
    "exponential": exponential,
    "hard_sigmoid": hard_sigmoid,
    "swish": swish,
}


def get(identifier: Any) -> Any:
    """Return an activation by its name; `linear` for None, a callable as it is. Raises ValueError for others."""
    return linear if identifier is None else found("activation function", _KNOWN, identifier, makes=False)


deserialize, serialize = get, serialized

__getattr__, __dir__ = namespace(__name__)
