"""Layers as functions: dense ones, dropout, embeddings of sequences, and layers one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...graph.build import convert
from ...graph.node import Node
from ...graph.scopes import name_scope, variable_scope
from ...layers import flatten as _flatten
from ...nn import bias_add as _bias_add
from ...nn import dropout as _dropout
from ...nn import embedding_lookup
from ...ops.activation_ops import relu as _relu
from ...ops.activation_ops import relu6 as _relu6
from ...ops.activation_ops import softmax as _softmax
from ...ops.array_ops import identity, reshape, shape
from ...ops.control_flow_ops import cond
from ...ops.math_ops import sqrt, square
from ...ops.matmul_ops import matmul
from ...ops.one_hot_ops import one_hot
from ...ops.reduce_ops import reduce_max, reduce_sum
from ...training.initializers import GlorotUniform, Zeros
from ..arg_scopes import add_arg_scope
from .model_variables import collected, model_variable, named

__all__ = [
    "bias_add",
    "dropout",
    "embed_sequence",
    "flatten",
    "fully_connected",
    "linear",
    "maxout",
    "one_hot_encoding",
    "relu",
    "relu6",
    "repeat",
    "softmax",
    "stack",
    "unit_norm",
]


@add_arg_scope
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
    x = convert(inputs)
    if x._shape is None or len(x._shape) < 2 or x._shape[-1] is None:
        raise ValueError(f"fully_connected: inputs must have two axes or more, the last of known size, got {x!r}")
    with variable_scope(scope, "fully_connected", [inputs], reuse=reuse):
        dtype = x.dtype.base_dtype
        sizes = [int(x.shape[-1]), int(num_outputs)]
        start, kept = weights_initializer or GlorotUniform(), named(variables_collections, "weights")
        weights = model_variable("weights", sizes, dtype, start, weights_regularizer, trainable, kept)
        result = matmul(x, weights)
        if normalizer_fn is not None:
            result = normalizer_fn(result, **(normalizer_params or {}))
        elif biases_initializer is not None:
            start = Zeros() if isinstance(biases_initializer, str) else biases_initializer
            kept = named(variables_collections, "biases")
            biases = model_variable("biases", sizes[1:], dtype, start, biases_regularizer, trainable, kept)
            result = _bias_add(result, biases)
        return collected(outputs_collections, result if activation_fn is None else activation_fn(result))


def linear(*args: Any, **kwargs: Any) -> Any:
    """Return a dense layer without activation; arguments as for `fully_connected`."""
    return fully_connected(*args, **{**kwargs, "activation_fn": None})


def relu(*args: Any, **kwargs: Any) -> Any:
    """Return a dense layer with ReLU; arguments as for `fully_connected`."""
    return fully_connected(*args, **{**kwargs, "activation_fn": _relu})


def relu6(*args: Any, **kwargs: Any) -> Any:
    """Return a dense layer with ReLU6; arguments as for `fully_connected`."""
    return fully_connected(*args, **{**kwargs, "activation_fn": _relu6})


@add_arg_scope
def bias_add(
    inputs: Any,
    activation_fn: Any = None,
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Return the inputs plus a variable ``biases`` along the last axis, zeros at first."""
    x = convert(inputs)
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse):
        sizes, start = [int(x.shape[-1])], initializer or Zeros()
        kept = named(variables_collections, "biases")
        biases = model_variable("biases", sizes, x.dtype.base_dtype, start, regularizer, trainable, kept)
        result = _bias_add(x, biases)
        return collected(outputs_collections, result if activation_fn is None else activation_fn(result))


@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: str | None = None) -> Any:
    """Return the largest of each group of neighbours along an axis, so that ``num_units`` are left.

    Raises ValueError where the axis does not divide. Source: Goodfellow and others, 2013.
    """
    with name_scope(scope, "MaxOut"):
        x = convert(inputs)
        sizes = x.shape.as_list()
        along = axis % len(sizes)
        size = int(x.shape[along])
        if size % num_units:
            raise ValueError(f"number of features({size}) is not a multiple of num_units({num_units})")
        known = [shape(x)[k] if size is None else size for k, size in enumerate(sizes)]
        return reduce_max(reshape(x, [*known[:along], num_units, -1, *known[along + 1 :]]), along + 1)


@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """Return the inputs with all axes but the first made one."""
    return collected(outputs_collections, _flatten(inputs, scope))


@add_arg_scope
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
            return collected(outputs_collections, cond(is_training, dropped, lambda: identity(x)))
        return collected(outputs_collections, dropped() if is_training else x)


@add_arg_scope
def softmax(logits: Any, scope: str | None = None) -> Any:
    """Return the softmax along the last axis."""
    with name_scope(scope, "softmax"):
        return _softmax(logits)


@add_arg_scope
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
        return collected(outputs_collections, one_hot(labels, num_classes, on_value=on_value, off_value=off_value))


@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: str | None = None) -> Any:
    """Return the inputs divided by ``epsilon + norm`` along an axis."""
    with name_scope(scope, "UnitNorm"):
        x = convert(inputs)
        return x / (epsilon + sqrt(reduce_sum(square(x), dim, True)))


def stack(inputs: Any, layer: Callable[..., Any], stack_args: Any, **kwargs: Any) -> Any:
    """Return the inputs after one layer for each of ``stack_args``, its own arguments: a tuple, or a single one."""
    scope = kwargs.pop("scope", None)
    name = scope or getattr(layer, "__name__", "stack")
    with variable_scope(scope, "Stack"):
        outputs = inputs
        for number, args in enumerate(stack_args, 1):
            given = args if isinstance(args, (list, tuple)) else [args]
            outputs = layer(outputs, *given, scope=f"{name}_{number}", **kwargs)
        return outputs


def repeat(inputs: Any, repetitions: int, layer: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return the inputs after the same layer, with variables of its own each time."""
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        name = scope or getattr(layer, "__name__", "repeat")
        outputs = inputs
        for number in range(1, repetitions + 1):
            outputs = layer(outputs, *args, **{**kwargs, "scope": f"{name}_{number}"})
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
        table = model_variable("embeddings", sizes, None, initializer, regularizer, trainable)
        return embedding_lookup(table, ids)
