"""Functions that TensorFlow has under two signatures: the second ones, which its internal modules call ``..._v2``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor as EagerTensor
from .. import math as _math
from .. import nn as _nn
from ..ops.concat_ops import concat
from ..ops.dropout_ops import general_dropout, stateless_dropout
from ..ops.isotonic_ops import isotonic_regression
from ..ops.matmul_ops import matmul as _math_matmul
from ..ops.norm_ops import norm
from ..ops.random_ops import random_poisson
from ..ops.script_ops import check_numerics
from ..ops.sparse_ops import convert_to_tensor
from ..ops.sparse_segment_ops import sparse_segment_mean, sparse_segment_sqrt_n, sparse_segment_sum
from ..ops.statistics_ops import sufficient_statistics, weighted_moments
from ..ops.string_split_ops import string_split_v2 as strings_split_v1
from ..variables.initializers import Identity as identity_initializer
from ..variables.partitioned_variable import PartitionedVariable

__all__ = [
    "EagerTensor",
    "PartitionedVariable",
    "aggregate_indexed_slices_gradients",
    "batch_mat_mul",
    "bias_add_v1",
    "convert_n_to_tensor",
    "dropout_v2",
    "general_dropout",
    "identity_initializer",
    "isotonic_regression",
    "l2_normalize_v2",
    "log_softmax_v2",
    "moments_v2",
    "nce_loss_v2",
    "norm_v2",
    "random_poisson_v2",
    "sampled_softmax_loss_v2",
    "softmax_v2",
    "sparse_segment_mean_with_num_segments",
    "sparse_segment_sqrt_n_with_num_segments",
    "sparse_segment_sum_with_num_segments",
    "stateless_dropout",
    "strings_split_v1",
    "sufficient_statistics_v2",
    "verify_tensor_all_finite_v2",
    "weighted_moments_v2",
]


def convert_n_to_tensor(values: Sequence[Any], dtype: Any = None, name: str | None = None, **accepted: Any) -> Any:
    """Return values as tensors."""
    return [convert_to_tensor(each, dtype, name and f"{name}_{k}") for k, each in enumerate(values)]


def dropout_v2(x: Any, rate: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None) -> Any:
    """Do what `tf.nn.dropout` does with ``rate``."""
    return _nn.dropout(x, None, noise_shape, seed, name, rate)


def softmax_v2(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    """Do what `tf.nn.softmax` does."""
    return _nn.softmax(logits, axis, name)


def log_softmax_v2(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    """Do what `tf.nn.log_softmax` does."""
    return _nn.log_softmax(logits, axis, name)


def l2_normalize_v2(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None) -> Any:
    """Do what `tf.nn.l2_normalize` does."""
    return _nn.l2_normalize(x, axis, epsilon, name)


def moments_v2(x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Do what `tf.nn.moments` does."""
    return _nn.moments(x, axes, shift, name, keepdims=keepdims)


def sufficient_statistics_v2(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Do what `tf.nn.sufficient_statistics` does."""
    return sufficient_statistics(x, axes, shift, keepdims, name)


def weighted_moments_v2(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> Any:
    """Do what `tf.nn.weighted_moments` does."""
    return weighted_moments(x, axes, frequency_weights, name, keepdims)


def random_poisson_v2(
    shape: Any, lam: Any, dtype: Any = "float32", seed: int | None = None, name: str | None = None
) -> Any:
    """Do what `tf.random_poisson` does."""
    return random_poisson(lam, shape, dtype, seed, name)


def verify_tensor_all_finite_v2(x: Any, message: str, name: str | None = None) -> Any:
    """Do what `tf.verify_tensor_all_finite` does."""
    return check_numerics(x, message, name)


def bias_add_v1(value: Any, bias: Any, name: str | None = None) -> Any:
    """Do what `tf.nn.bias_add` does, for channels along the last axis."""
    return _nn.bias_add(value, bias, name=name)


def batch_mat_mul(x: Any, y: Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None) -> Any:
    """Do what `tf.matmul` does with adjoint matrices."""
    return _math_matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, name=name)


def norm_v2(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: Any = None, name: str | None = None
) -> Any:
    """Do what `tf.norm` does."""
    return norm(tensor, ord, axis, bool(keepdims), name)


def nce_loss_v2(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    name: str = "nce_loss",
) -> Any:
    """Do what `tf.nn.nce_loss` does, with parts of weights by "div"."""
    sizes = num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits
    return _nn.nce_loss(weights, biases, labels, inputs, *sizes, partition_strategy="div", name=name)


def sampled_softmax_loss_v2(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    seed: int | None = None,
    name: str = "sampled_softmax_loss",
) -> Any:
    """Do what `tf.nn.sampled_softmax_loss` does, with parts of weights by "div"."""
    sizes = num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits
    return _nn.sampled_softmax_loss(weights, biases, labels, inputs, *sizes, "div", name, seed)


def _of_a_number(function: Any) -> Any:
    def operation(
        data: Any,
        indices: Any,
        segment_ids: Any,
        num_segments: Any,
        name: str | None = None,
        sparse_gradient: bool = False,
    ) -> Any:
        return function(data, indices, segment_ids, name, num_segments, sparse_gradient)

    operation.__doc__ = f"Do what `{function.__name__}` does with ``num_segments``."
    return operation


sparse_segment_sum_with_num_segments = _of_a_number(sparse_segment_sum)
sparse_segment_mean_with_num_segments = _of_a_number(sparse_segment_mean)
sparse_segment_sqrt_n_with_num_segments = _of_a_number(sparse_segment_sqrt_n)


def aggregate_indexed_slices_gradients(grads: Any) -> Any:
    """Return the sum of gradients: `IndexedSlices` where all of them are, None where there are none."""
    present = [grad for grad in grads or () if grad is not None]
    if not all(isinstance(grad, IndexedSlices) for grad in present):
        return _math.add_n([convert_to_tensor(grad) for grad in present])
    if len(present) < 2:
        return present[0] if present else None
    values, indices = concat([grad.values for grad in present], 0), concat([grad.indices for grad in present], 0)
    return IndexedSlices(values, indices, present[0].dense_shape)
