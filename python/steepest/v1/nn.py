"""``tf.nn``: activations, losses, normalisation, lookups."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import nn as _nn
from .graph import shape_inference
from .graph.arguments import as_axes, call_with
from .graph.build import call, dtype_of
from .graph.dtypes import DType, as_dtype
from .graph.missing import namespace
from .graph.mode import executing_eagerly
from .graph.node import Tensor
from .graph.run_values import array_of
from .graph.scopes import name_scope
from .graph.shapes import text
from .ops.accidental_hits_ops import compute_accidental_hits
from .ops.activation_ops import (
    crelu,
    elu,
    leaky_relu,
    log_softmax,
    relu,
    relu6,
    selu,
    softmax,
    softplus,
    softsign,
    swish,
)
from .ops.array_ops import squeeze, stop_gradient
from .ops.candidate_sampling_ops import (
    all_candidate_sampler,
    fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler,
    log_uniform_candidate_sampler,
    nce_loss,
    sampled_softmax_loss,
    uniform_candidate_sampler,
)
from .ops.cast_ops import cast
from .ops.cross_entropy_ops import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from .ops.dropout_ops import dropout
from .ops.embedding_ops import embedding_lookup, embedding_lookup_sparse
from .ops.fused_batch_norm_ops import fused_batch_norm
from .ops.math_ops import log_sigmoid, sigmoid, squared_difference, tanh
from .ops.matmul_ops import matmul
from .ops.reduce_ops import reduce_mean
from .ops.safe_lookup_ops import safe_embedding_lookup_sparse
from .ops.sort_ops import in_top_k, top_k
from .ops.space_ops import depth_to_space, space_to_batch, space_to_depth
from .ops.statistics_ops import (
    batch_norm_with_global_normalization,
    log_poisson_loss,
    normalize_moments,
    sufficient_statistics,
    weighted_moments,
)
from .ops.weighted_loss_ops import compute_average_loss, scale_regularization_loss

__all__ = [
    "all_candidate_sampler",
    "batch_norm_with_global_normalization",
    "batch_normalization",
    "bias_add",
    "compute_accidental_hits",
    "compute_average_loss",
    "crelu",
    "depth_to_space",
    "dropout",
    "elu",
    "embedding_lookup",
    "embedding_lookup_sparse",
    "fixed_unigram_candidate_sampler",
    "fused_batch_norm",
    "in_top_k",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "learned_unigram_candidate_sampler",
    "log_poisson_loss",
    "log_sigmoid",
    "log_softmax",
    "log_uniform_candidate_sampler",
    "moments",
    "nce_loss",
    "normalize_moments",
    "relu",
    "relu6",
    "relu_layer",
    "safe_embedding_lookup_sparse",
    "sampled_softmax_loss",
    "scale_regularization_loss",
    "selu",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "uniform_candidate_sampler",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "xw_plus_b",
    "zero_fraction",
]

__getattr__, __dir__ = namespace(__name__)

silu = swish


def l2_loss(t: Any, name: str | None = None) -> Any:
    """Return ``sum(t ** 2) / 2``."""
    return call("L2Loss", _nn.l2_loss, (t,), name=name, shape=())


# Normalisation


def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None) -> Any:
    """Return ``x / sqrt(max(sum(|x| ** 2), epsilon))`` along ``axis``. Raises TypeError for integers."""
    if not executing_eagerly():
        _check_normed(dtype_of(x))

    def normal(along: Any, value: Any) -> Any:
        _check_normed(as_dtype(value.dtype))
        squares = np.square(np.absolute(value)) if value.dtype.kind == "c" else np.square(value)
        total = np.sum(squares, axis=along, keepdims=True)
        length = np.sqrt(np.maximum(total, np.dtype(total.dtype).type(epsilon)))
        return value / (length if value.dtype.kind == "f" else length.astype(value.dtype))

    def shape_fn(along: Any, shape: Any) -> Any:
        if shape is not None and along is not None and not isinstance(along, Tensor):
            shape_inference.axes_of(along, len(shape))
        return shape

    axes = [(dim if axis is None else axis, as_axes)]
    return call_with("l2_normalize", axes, normal, (x,), name=name, shape=shape_fn)


def _check_normed(dtype: DType) -> None:
    if dtype.is_integer:  # beside which epsilon, a float, is no value
        expected = f"Expected {dtype.name} passed to parameter 'y' of op 'Maximum', got 1e-12 of type 'float' instead."
        raise TypeError(f"{expected} Cannot convert 1e-12 to EagerTensor of dtype {dtype.name}")


def moments(
    x: Any, axes: Any, shift: Any = None, name: str | None = None, keep_dims: Any = None, keepdims: Any = None
) -> Any:
    """Return mean and variance along ``axes``."""
    del shift
    if dtype_of(x).name == "float16":  # whose sums overflow and whose squares have no digits
        wide = moments(cast(x, "float32"), axes, None, name, keep_dims, keepdims)
        return tuple(cast(each, "float16") for each in wide)
    with name_scope(name, "moments"):
        mean = reduce_mean(x, axes, True, name="mean")
        still = stop_gradient(mean)  # the gradients through the mean sum to zero
        variance = reduce_mean(squared_difference(x, still), axes, True, name="variance")
        if keep_dims if keepdims is None else keepdims:
            return mean, variance
        return squeeze(mean, axes), squeeze(variance, axes)


def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> Any:
    """Return ``(x - mean) / sqrt(variance + epsilon) * scale + offset``; scale and offset may be None.

    It is computed as ``x * inverse + (offset - mean * inverse)``, in the type of the variance, and has that of x.
    """
    types = dtype_of(x), dtype_of(variance)
    if types[0] != types[1]:
        wide = batch_normalization(cast(x, types[1]), mean, variance, offset, scale, variance_epsilon, name)
        return cast(wide, types[0])
    with name_scope(name, "batchnorm"):
        inverse = call("Rsqrt", lambda v: 1 / np.sqrt(v), (variance + variance_epsilon,), shape=shape_inference.same)
        inverse = inverse if scale is None else inverse * scale
        shift = -mean * inverse if offset is None else offset - mean * inverse
        return x * inverse + shift


def bias_add(value: Any, bias: Any, data_format: Any = None, name: str | None = None) -> Any:
    """Return ``value + bias`` for a vector along the channels: the last axis, of ``data_format`` ``NC...`` the second.

    Raises ValueError for a bias of another shape, and for too few axes.
    """
    if data_format is not None and not data_format.startswith("N"):
        raise ValueError("`data_format` must be of the form `N...C` or `NC...`")
    first = data_format is not None and data_format.startswith("NC")
    axis, least = (1, 3) if first else (-1, 2)

    def shape_fn(x: Any, b: Any) -> Any:
        if b is not None and len(b) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(b)}")
        if x is not None and len(x) < least:
            raise ValueError(f"Shape must be at least rank {least} but is rank {len(x)}")
        if x is None or b is None or b[0] is None:
            return x
        if x[axis] not in (None, b[0]):
            raise ValueError(f"Dimensions must be equal, but are {x[axis]} and {b[0]}")
        sizes = list(x)
        sizes[axis] = b[0]
        return tuple(sizes)

    def added(x: Any, b: Any) -> Any:
        if x.ndim < least - (not first) or b.ndim != 1 or x.shape[axis] != b.shape[0]:
            biases = f"{text(b.shape)} vs. {text(x.shape)}"
            which = "second" if first else "last"
            raise ValueError(f"Must provide as many biases as the {which} dimension of the input tensor: {biases}")
        return x + (np.reshape(b, (-1, *([1] * (x.ndim - 2)))) if first else b)

    return call("BiasAdd", added, (value, bias), name=name, shape=shape_fn)


def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Any:
    """Return ``matmul(x, weights) + biases``."""
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as scope:
        return bias_add(matmul(x, weights), biases, name=scope)


def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Any:
    """Return ``relu(matmul(x, weights) + biases)``."""
    with name_scope(name, "relu_layer", [x, weights, biases]) as scope:
        return relu(bias_add(matmul(x, weights), biases), name=scope)


def zero_fraction(value: Any, name: str | None = None) -> Any:
    """Return the share of elements that are zero."""
    return call(
        "zero_fraction",
        lambda x: np.mean(array_of(x) == 0, dtype=np.float32),
        (value,),
        name=name,
        shape=(),
        dtype="float32",
        differentiable=False,
    )
