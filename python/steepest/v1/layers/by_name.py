"""Initializers and activations of layers that are given by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import nn as _nn
from ..ops import math_ops as _math
from ..training import initializers as _initializers

__all__ = ["activation_of", "initializer_of"]

_INITIALIZERS: dict[str, Callable[[], Any]] = {
    "zeros": _initializers.Zeros,
    "ones": _initializers.Ones,
    "glorot_uniform": _initializers.GlorotUniform,
    "glorot_normal": _initializers.GlorotNormal,
    "he_normal": _initializers.he_normal,
    "he_uniform": _initializers.he_uniform,
    "lecun_normal": _initializers.lecun_normal,
    "lecun_uniform": _initializers.lecun_uniform,
    "orthogonal": _initializers.Orthogonal,
    "identity": _initializers.Identity,
    "random_normal": lambda: _initializers.RandomNormal(stddev=0.05),
    "random_uniform": lambda: _initializers.RandomUniform(-0.05, 0.05),
    "truncated_normal": lambda: _initializers.TruncatedNormal(stddev=0.05),
}
_ACTIVATIONS: dict[str, Callable[..., Any] | None] = {
    "linear": None,
    "relu": _nn.relu,
    "sigmoid": _math.sigmoid,
    "tanh": _math.tanh,
    "softmax": _nn.softmax,
    "elu": _nn.elu,
    "selu": _nn.selu,
    "softplus": _nn.softplus,
    "softsign": _nn.softsign,
    "exponential": _math.exp,
}


def initializer_of(given: Any) -> Any:
    """Return an initializer for its name, and anything else as it is; ValueError for an unknown name."""
    if not isinstance(given, str):
        return given
    if given not in _INITIALIZERS:
        raise ValueError(f"Unknown initializer: {given!r}; known are {', '.join(_INITIALIZERS)}")
    return _INITIALIZERS[given]()


def activation_of(given: Any) -> Any:
    """Return an activation for its name, and anything else as it is; ValueError for an unknown name."""
    if not isinstance(given, str):
        return given
    if given not in _ACTIVATIONS:
        raise ValueError(f"Unknown activation function: {given!r}; known are {', '.join(_ACTIVATIONS)}")
    return _ACTIVATIONS[given]
