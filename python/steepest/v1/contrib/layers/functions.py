"""Layers as functions: dense ones, batch and layer normalization, dropout, embeddings of sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....variables.collections import GraphKeys
from ...graph.build import convert
from ...graph.graph import get_default_graph
from ...graph.node import Node
from ...graph.scopes import name_scope, variable_scope
from ...layers import flatten as _flatten
from ...nn import batch_normalization, bias_add, embedding_lookup, moments
from ...nn import dropout as _dropout
from ...ops.activation_ops import relu as _relu
from ...ops.activation_ops import softmax as _softmax
from ...ops.array_ops import identity
from ...ops.control_flow_ops import cond
from ...ops.creation_ops import one_hot
from ...ops.math_ops import sqrt, square
from ...ops.matmul_ops import matmul
from ...ops.reduce_ops import reduce_sum
from ...training.get_variable import get_variable
from ...training.initializers import GlorotUniform, Ones, Zeros
from ...training.moving_average import assign_moving_average

__all__ = [
    "batch_norm",
    "dropout",
    "embed_sequence",
    "flatten",
    "fully_connected",
    "layer_norm",
    "linear",
    "one_hot_encoding",
    "relu",
    "softmax",
    "stack",
    "unit_norm",
]


def _collected(collections: Any, value: Any) -> Any:
    """Put a layer's output into collections, and return it."""
    for key in [collections] if isinstance(collections, str) else collections or ():
        get_default_graph().add_to_collection(key, value)
    return value


def fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Any = _relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None,
    weights_initializer: Any = None,
    weights_regularizer: Callable[[Any], Any] | None = None,
    biases_initializer: Any = "zeros",
    biases_regularizer: Callable[[Any], Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Return a dense layer with variables ``weights`` and ``biases``; ReLU is the default activation."""
    del variables_collections
    x = convert(inputs)
    with variable_scope(scope, "fully_connected", reuse=reuse):
        dtype = x.dtype.base_dtype
        sizes = [int(x.shape[-1]), int(num_outputs)]
        weights = get_variable(
            "weights", sizes, dtype, weights_initializer or GlorotUniform(), weights_regularizer, trainable
        )
        result = matmul(x, weights)
        if normalizer_fn is not None:
            result = normalizer_fn(result, **(normalizer_params or {}))
        elif biases_initializer is not None:
            start = Zeros() if biases_initializer == "zeros" else biases_initializer
            biases = get_variable("biases", [int(num_outputs)], dtype, start, biases_regularizer, trainable)
            result = bias_add(result, biases)
        return _collected(outputs_collections, result if activation_fn is None else activation_fn(result))


def linear(*args: Any, **kwargs: Any) -> Any:
    """Return a dense layer without activation; arguments as for `fully_connected`."""
    return fully_connected(*args, **{**kwargs, "activation_fn": None})


def relu(*args: Any, **kwargs: Any) -> Any:
    """Return a dense layer with ReLU; arguments as for `fully_connected`."""
    return fully_connected(*args, **{**kwargs, "activation_fn": _relu})


def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """Return the inputs with all axes but the first made one."""
    return _collected(outputs_collections, _flatten(inputs, scope))


def dropout(
    inputs: Any,
    keep_prob: Any = 0.5,
    noise_shape: Any = None,
    is_training: Any = True,
    outputs_collections: Any = None,
    scope: str | None = None,
    seed: int | None = None,
) -> Any:
    """Return `tf.nn.dropout` where ``is_training``, a bool or a node, is true, else the inputs."""
    with name_scope(scope, "Dropout"):
        x = convert(inputs)

        def dropped() -> Any:
            return _dropout(x, keep_prob, noise_shape, seed)

        if isinstance(is_training, Node):
            return _collected(outputs_collections, cond(is_training, dropped, lambda: identity(x)))
        return _collected(outputs_collections, dropped() if is_training else x)


def softmax(logits: Any, scope: str | None = None) -> Any:
    """Return the softmax along the last axis."""
    with name_scope(scope, "softmax"):
        return _softmax(logits)


def one_hot_encoding(
    labels: Any,
    num_classes: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    outputs_collections: Any = None,
    scope: str | None = None,
) -> Any:
    """Return the one-hot vectors of labels."""
    with name_scope(scope, "OneHotEncoding"):
        return _collected(outputs_collections, one_hot(labels, num_classes, on_value=on_value, off_value=off_value))


def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: str | None = None) -> Any:
    """Return the inputs divided by ``epsilon + norm`` along an axis."""
    with name_scope(scope, "UnitNorm"):
        x = convert(inputs)
        return x / (epsilon + sqrt(reduce_sum(square(x), dim, True)))


def stack(inputs: Any, layer: Callable[..., Any], stack_args: Any, **kwargs: Any) -> Any:
    """Return the inputs after one layer for each of ``stack_args``, its own arguments: a tuple, or a single one."""
    name = getattr(layer, "__name__", "stack")
    with variable_scope(kwargs.pop("scope", None), "Stack"):
        outputs = inputs
        for number, args in enumerate(stack_args, 1):
            given = args if isinstance(args, (list, tuple)) else [args]
            outputs = layer(outputs, *given, scope=f"{name}_{number}", **kwargs)
        return outputs


def embed_sequence(
    ids: Any,
    vocab_size: int | None = None,
    embed_dim: int | None = None,
    unique: bool = False,
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: Any = None,
) -> Any:
    """Return the rows ``ids`` of a table ``embeddings`` of shape ``[vocab_size, embed_dim]``.

    ``unique`` has no effect: each row is read once anyway. Raises ValueError where a size is missing, unless ``reuse``.
    """
    if not (reuse or (vocab_size and embed_dim)):
        rule = "Must specify vocab size and embedding dimension when not reusing."
        raise ValueError(f"{rule} Got vocab_size={vocab_size} and embed_dim={embed_dim}")
    with variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        sizes = None if reuse and vocab_size is None else [vocab_size, embed_dim]
        table = get_variable("embeddings", sizes, None, initializer, regularizer, trainable)
        return embedding_lookup(table, ids)


def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: Callable[..., Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: Any = None,
) -> Any:
    """Return the inputs, normalized over all axes from ``begin_norm_axis`` on, times ``gamma``, plus ``beta``.

    Source: ``tf.contrib.layers.layer_norm``; Ba, Kiros and Hinton, 2016.
    """
    del variables_collections
    x = convert(inputs)
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse):
        dtype, rank = x.dtype.base_dtype, len(x.shape.as_list())
        sizes = x.shape.as_list()[begin_params_axis:]
        beta = get_variable("beta", sizes, dtype, Zeros(), None, trainable) if center else None
        gamma = get_variable("gamma", sizes, dtype, Ones(), None, trainable) if scale else None
        mean, variance = moments(x, list(range(begin_norm_axis % rank, rank)), keep_dims=True)
        outputs = batch_normalization(x, mean, variance, beta, gamma, 1e-12)
        outputs.set_shape(x.shape)
        return _collected(outputs_collections, outputs if activation_fn is None else activation_fn(outputs))


def batch_norm(
    inputs: Any,
    decay: float = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: Any = None,
    param_regularizers: Any = None,
    updates_collections: Any = GraphKeys.UPDATE_OPS,
    is_training: Any = True,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    batch_weights: Any = None,
    fused: bool | None = None,
    data_format: str = "NHWC",
    zero_debias_moving_mean: bool = False,
    scope: Any = None,
) -> Any:
    """Return the inputs, normalized by the batch's moments in training, by their moving averages else.

    The variables are ``beta``, ``gamma`` (with ``scale``), ``moving_mean`` and ``moving_variance``. The operations that
    move the averages are put into ``updates_collections``; with None they are done before the outputs are there.

    Source: ``tf.contrib.layers.batch_norm``; Ioffe and Szegedy, 2015.
    """
    del variables_collections, fused
    if batch_weights is not None or data_format != "NHWC":
        raise ValueError("batch_norm: batch_weights must be None and data_format 'NHWC' in steepest.v1")
    x = convert(inputs)
    initial, penalty = dict(param_initializers or {}), dict(param_regularizers or {})

    def made(name: str, default: Any, trained: bool) -> Any:
        start = initial.get(name, default)
        return get_variable(name, [sizes[-1]], dtype, start, penalty.get(name), trained and trainable)

    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse):
        dtype, sizes = x.dtype.base_dtype, x.shape.as_list()
        beta = made("beta", Zeros(), True) if center else None
        gamma = made("gamma", Ones(), True) if scale else None
        moving_mean = made("moving_mean", Zeros(), False)
        moving_variance = made("moving_variance", Ones(), False)
        mean, variance = convert(moving_mean), convert(moving_variance)
        if isinstance(is_training, Node) or is_training:
            of_batch = moments(x, list(range(len(sizes) - 1)))
            share: Any = decay
            if isinstance(is_training, Node):
                one, kept = np.ones((), dtype.as_numpy_dtype), np.asarray(decay, dtype.as_numpy_dtype)
                share = cond(is_training, lambda: convert(kept), lambda: convert(one))
                mean = cond(is_training, lambda: of_batch[0], lambda: convert(moving_mean))
                variance = cond(is_training, lambda: of_batch[1], lambda: convert(moving_variance))
            else:
                mean, variance = of_batch
            updates = [
                assign_moving_average(moving_mean, of_batch[0], share, zero_debias=zero_debias_moving_mean),
                assign_moving_average(moving_variance, of_batch[1], share, zero_debias=False),
            ]
            if updates_collections is None:
                with get_default_graph().control_dependencies(updates):
                    mean, variance = identity(mean), identity(variance)
            else:
                for update in updates:
                    get_default_graph().add_to_collection(updates_collections, update)
        outputs = batch_normalization(x, mean, variance, beta, gamma, epsilon)
        return _collected(outputs_collections, outputs if activation_fn is None else activation_fn(outputs))
