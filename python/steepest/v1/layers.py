"""``tf.layers``: dense layers, dropout, flattening."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .graph.build import convert, dtype_of, shape_of
from .graph.missing import namespace
from .graph.node import Node, Tensor
from .graph.scopes import name_scope, variable_scope
from .nn import bias_add
from .nn import dropout as _dropout
from .ops.array_ops import reshape, shape
from .ops.control_flow_ops import cond
from .ops.matmul_ops import matmul
from .ops.reduce_ops import reduce_prod
from .ops.sparse_ops import convert_to_tensor
from .training.get_variable import get_variable
from .training.initializers import Zeros

__all__ = ["dense", "dropout", "flatten"]

__getattr__, __dir__ = namespace(__name__)


def dense(
    inputs: Any,
    units: int,
    activation: Callable[..., Any] | None = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = None,
    kernel_regularizer: Callable[[Any], Any] | None = None,
    bias_regularizer: Callable[[Any], Any] | None = None,
    activity_regularizer: Callable[[Any], Any] | None = None,
    kernel_constraint: Callable[[Any], Any] | None = None,
    bias_constraint: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: Any = None,
) -> Any:
    """Return ``activation(inputs @ kernel + bias)`` along the last axis.

    The variables are ``<name>/kernel`` and ``<name>/bias``; the name is by default ``dense``, ``dense_1``, ...
    Raises ValueError where the last size of the inputs is not known. Source: ``tf.layers.dense``.
    """
    del activity_regularizer
    x = convert_to_tensor(inputs)
    dtype = dtype_of(x)
    if not dtype.is_floating:
        raise TypeError(f"Unable to build `Dense` layer with non-floating point dtype {dtype.name}")
    sizes = shape_of(x)
    if sizes is None or not sizes or sizes[-1] is None:
        raise ValueError("The last dimension of the inputs to a Dense layer should be defined. Found None.")
    with variable_scope(name, "dense", reuse=reuse):
        kernel = get_variable(
            "kernel",
            [sizes[-1], int(units)],
            dtype,
            kernel_initializer,
            kernel_regularizer,
            trainable,
            constraint=kernel_constraint,
        )
        bias = None
        if use_bias:
            bias = get_variable(
                "bias",
                [int(units)],
                dtype,
                bias_initializer or Zeros(),
                bias_regularizer,
                trainable,
                constraint=bias_constraint,
            )
        if len(sizes) == 2:
            outputs = matmul(x, kernel)
        else:
            lead = shape(x)[:-1]
            flat = matmul(reshape(x, [-1, sizes[-1]]), kernel)
            outputs = reshape(flat, [*(lead[i] for i in range(len(sizes) - 1)), int(units)])
            if isinstance(outputs, Tensor):
                outputs.set_shape([*sizes[:-1], int(units)])
        if bias is not None:
            outputs = bias_add(outputs, bias) if len(sizes) == 2 else outputs + bias
        return outputs if activation is None else activation(outputs)


def dropout(
    inputs: Any,
    rate: Any = 0.5,
    noise_shape: Any = None,
    seed: int | None = None,
    training: Any = False,
    name: str | None = None,
) -> Any:
    """Return `tf.nn.dropout` where ``training``, a bool or a node, is true, else the inputs."""
    with name_scope(name, "dropout"):
        if isinstance(training, Node):
            keep = inputs
            return cond(training, lambda: _dropout(keep, None, noise_shape, seed, rate=rate), lambda: convert(keep))
        return _dropout(inputs, None, noise_shape, seed, rate=rate) if training else inputs


def flatten(inputs: Any, name: str | None = None) -> Any:
    """Return the inputs with all axes but the first made one."""
    x = convert_to_tensor(inputs)
    static = shape_of(x)
    if static is not None and None not in static[1:]:
        rows = -1 if static[0] is None else static[0]
        return reshape(x, [rows, math.prod(size or 0 for size in static[1:])], name=name)
    sizes = shape(x)
    return reshape(x, [sizes[0], reduce_prod(sizes[1:])], name=name)
