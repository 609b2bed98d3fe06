"""Layers with variables as functions: dense ones, biases, embeddings; dropout, and layers one after another."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...graph.build import shape_of
from ...graph.scopes import variable_scope
from ...layers import Dense, Dropout
from ...nn import bias_add as _bias_add
from ...nn import embedding_lookup
from ...ops.activation_ops import elu as _elu
from ...ops.activation_ops import relu as _relu
from ...ops.activation_ops import relu6 as _relu6
from ...ops.sparse_ops import convert_to_tensor
from ...variables.initializers import GlorotUniform, Zeros
from ..arg_scopes import add_arg_scope
from .model_variables import activated, collected, into_collections, model_variable, named, of_model
from .utils import check_data_format

__all__ = [
    "bias_add",
    "dropout",
    "elu",
    "embed_sequence",
    "fully_connected",
    "linear",
    "relu",
    "relu6",
    "repeat",
    "stack",
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
    """Return a dense layer with variables ``weights`` and ``biases``; ReLU is the default activation.

    With a ``normalizer_fn``, such as `batch_norm`, there are no biases.

    Raises ValueError for a number of outputs that is no int, or inputs whose last size is not known.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs type should be one of [int], got {type(num_outputs)}.")
    getter = of_model({"kernel": "weights", "bias": "biases"})
    with variable_scope(scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter) as opened:
        x = convert_to_tensor(inputs)
        layer = Dense(
            num_outputs,
            use_bias=normalizer_fn is None and biases_initializer is not None,
            kernel_initializer=weights_initializer or GlorotUniform(),
            bias_initializer=Zeros() if isinstance(biases_initializer, str) else biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=opened.name,
            dtype=x.dtype.base_dtype,
            _scope=opened,
            _reuse=reuse,
        )
        result = layer.apply(x)
        into_collections(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            into_collections(layer.bias, variables_collections, "biases")
        if normalizer_fn is not None:
            result = normalizer_fn(result, **(normalizer_params or {}))
        return activated(result, activation_fn, outputs_collections, opened.name)


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
    data_format: str = "NHWC",
    scope: Any = None,
) -> Any:
    """Return the inputs plus a variable ``biases`` along the channels, zeros at first.

    Raises ValueError for another ``data_format`` than NHWC and, of four axes, NCHW, or channels of unknown number.
    """
    check_data_format(data_format)
    with variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as opened:
        x = convert_to_tensor(inputs)
        sizes = shape_of(x)
        if sizes is None:
            raise ValueError("Dims of shape must be known but is None")
        if len(sizes) != 4 and data_format == "NCHW":
            raise ValueError("Data format NCHW only supports 4D Tensor")
        size = sizes[1 if data_format == "NCHW" else -1]
        if size is None:
            raise ValueError("`C` dimension must be known but is None")
        kept, start = named(variables_collections, "biases"), initializer or Zeros()
        biases = model_variable("biases", [size], x.dtype.base_dtype, start, regularizer, trainable, kept)
        result = _bias_add(x, biases, data_format=data_format)
        return activated(result, activation_fn, outputs_collections, opened.name)


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
    with variable_scope(scope, "Dropout", [inputs]) as opened:
        layer = Dropout(1 - keep_prob, noise_shape, seed, name=opened.name, _scope=opened)
        return collected(outputs_collections, layer.apply(convert_to_tensor(inputs), training=is_training), opened.name)


elu = functools.partial(fully_connected, activation_fn=_elu)
linear = functools.partial(fully_connected, activation_fn=None)
relu = functools.partial(fully_connected, activation_fn=_relu)
relu6 = functools.partial(fully_connected, activation_fn=_relu6)


def _named_by(layer: Callable[..., Any], other: str) -> str:
    """Return the name of a layer, of a partial one that of its function."""
    return str(getattr(layer, "__name__", getattr(getattr(layer, "func", None), "__name__", other)))


def stack(inputs: Any, layer: Callable[..., Any], stack_args: Any, **kwargs: Any) -> Any:
    """Return the inputs after one layer for each of ``stack_args``, its own arguments: a tuple, or a single one."""
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError("stack_args need to be a list or tuple")
    scope = kwargs.pop("scope", None)
    name = scope or _named_by(layer, "stack")
    with variable_scope(scope, "Stack", [inputs]):
        outputs = convert_to_tensor(inputs)
        for number, args in enumerate(stack_args, 1):
            given = args if isinstance(args, (list, tuple)) else [args]
            outputs = layer(outputs, *given, scope=f"{name}_{number}", **kwargs)
        return outputs


def repeat(inputs: Any, repetitions: int, layer: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return the inputs after the same layer, with variables of its own each time."""
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        name = scope or _named_by(layer, "repeat")
        outputs = convert_to_tensor(inputs)
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
