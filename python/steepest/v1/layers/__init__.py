"""``tf.layers``: dense layers, dropout, flattening, batch normalization; as functions and as objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.missing import namespace
from .base import Layer
from .core import Dense, Dropout, Flatten
from .input_spec import InputSpec
from .normalization import BatchNormalization

__all__ = [
    "BatchNormalization",
    "Dense",
    "Dropout",
    "Flatten",
    "InputSpec",
    "Layer",
    "batch_normalization",
    "dense",
    "dropout",
    "flatten",
]

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
    layer = Dense(
        units,
        activation,
        use_bias,
        kernel_initializer,
        bias_initializer,
        kernel_regularizer,
        bias_regularizer,
        activity_regularizer,
        kernel_constraint,
        bias_constraint,
        trainable,
        name,
        _reuse=reuse,
        _scope=name,
    )
    return layer(inputs)


def dropout(
    inputs: Any,
    rate: Any = 0.5,
    noise_shape: Any = None,
    seed: int | None = None,
    training: Any = False,
    name: str | None = None,
) -> Any:
    """Return `tf.nn.dropout` where ``training``, a bool or a node, is true, else the inputs."""
    return Dropout(rate, noise_shape, seed, name)(inputs, training=training)


def flatten(inputs: Any, name: str | None = None, data_format: str = "channels_last") -> Any:
    """Return the inputs with all axes but the first made one; of ``channels_first``, channels come last in it."""
    return Flatten(data_format, name=name)(inputs)


def batch_normalization(
    inputs: Any,
    axis: int = -1,
    momentum: float = 0.99,
    epsilon: float = 1e-3,
    center: bool = True,
    scale: bool = True,
    beta_initializer: Any = None,
    gamma_initializer: Any = None,
    moving_mean_initializer: Any = None,
    moving_variance_initializer: Any = None,
    beta_regularizer: Callable[[Any], Any] | None = None,
    gamma_regularizer: Callable[[Any], Any] | None = None,
    beta_constraint: Callable[[Any], Any] | None = None,
    gamma_constraint: Callable[[Any], Any] | None = None,
    training: Any = False,
    trainable: bool = True,
    name: str | None = None,
    reuse: Any = None,
    renorm: bool = False,
    renorm_clipping: Any = None,
    renorm_momentum: float = 0.99,
    fused: bool | None = None,
    virtual_batch_size: int | None = None,
    adjustment: Any = None,
) -> Any:
    """Return ``gamma * (inputs - mean) / sqrt(variance + epsilon) + beta``, the moments being those along other axes.

    Where ``training`` is true they are the batch's, and operations in ``GraphKeys.UPDATE_OPS`` move the averages that
    are used else: ``moving = moving - (1 - momentum) * (moving - moment)``.

    Args:
        inputs: floats whose size along ``axis`` is known.
        center, scale: whether there is a beta, a gamma.
        training: a bool or a node.
        virtual_batch_size: rows are put into parts of so many, each with moments of its own, and their mean moves
            the averages.
        renorm: whether the moments in training are corrected towards averages of them, of ``renorm_momentum``:
            the normalized values become ``x * r + d`` (`Renormalization`). ``renorm_clipping`` is a dict of bounds:
            ``rmin`` and ``rmax`` of r, ``dmax`` of d's absolute value.
        adjustment: None, or a function of the inputs' shape that gives a factor and a shift of the normalized values
            in training, before gamma and beta.

    Raises:
        ValueError: for an axis of unknown size, other keys of ``renorm_clipping``, an ``adjustment`` with a
            ``virtual_batch_size``. TypeError: for an axis that is neither an int nor a list.

    Source: ``tf.layers.batch_normalization``; Ioffe and Szegedy, 2015.
    """
    layer = BatchNormalization(
        axis,
        momentum,
        epsilon,
        center,
        scale,
        beta_initializer,
        gamma_initializer,
        moving_mean_initializer,
        moving_variance_initializer,
        beta_regularizer,
        gamma_regularizer,
        beta_constraint,
        gamma_constraint,
        renorm,
        renorm_clipping,
        renorm_momentum,
        fused=fused,
        trainable=trainable,
        virtual_batch_size=virtual_batch_size,
        adjustment=adjustment,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer(inputs, training=training)
