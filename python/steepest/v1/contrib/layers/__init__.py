"""``tf.contrib.layers``: initializers, regularizers, layers and ``optimize_loss``."""

from ...graph.missing import namespace
from ...nn import safe_embedding_lookup_sparse
from ...ops.sparse_cross_ops import DEFAULT_KEY as SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
from ...ops.sparse_cross_ops import feature_cross as sparse_feature_cross
from . import initializers, optimizers, regularizers, utils
from .batch_normalization import batch_norm
from .embeddings import bow_encoder, embedding_lookup_unique
from .functions import (
    bias_add,
    dropout,
    elu,
    embed_sequence,
    fully_connected,
    linear,
    relu,
    relu6,
    repeat,
    stack,
)
from .initializers import variance_scaling_initializer, xavier_initializer, xavier_initializer_conv2d
from .legacy import legacy_fully_connected, legacy_linear, legacy_relu
from .normalization import group_norm, instance_norm, layer_norm
from .optimizers import OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES, adaptive_clipping_fn, optimize_loss
from .regularizers import (
    apply_regularization,
    l1_l2_regularizer,
    l1_regularizer,
    l2_regularizer,
    sum_regularizer,
)
from .reshaping import _inner_flatten as _inner_flatten  # TensorFlow's own modules use it
from .reshaping import (
    dense_to_sparse,
    flatten,
    images_to_sequence,
    maxout,
    one_hot_encoding,
    sequence_to_images,
)
from .reversible import RevBlock, recompute_grad, rev_block
from .scaling import poincare_normalize, scale_gradient, softmax, spatial_softmax, unit_norm
from .scattered import _sampled_scattered_embedding_lookup as _sampled_scattered_embedding_lookup
from .scattered import _sampled_scattered_embedding_lookup_sparse as _sampled_scattered_embedding_lookup_sparse
from .scattered import scattered_embedding_lookup, scattered_embedding_lookup_sparse
from .sparse_ops import dense_to_sparse_tensor, indicators_to_sparse_ids, sparse_row_envelope
from .summaries import (
    summarize_activation,
    summarize_activations,
    summarize_collection,
    summarize_tensor,
    summarize_tensors,
)

__all__ = [
    "OPTIMIZER_CLS_NAMES",
    "OPTIMIZER_SUMMARIES",
    "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY",
    "RevBlock",
    "adaptive_clipping_fn",
    "apply_regularization",
    "batch_norm",
    "bias_add",
    "bow_encoder",
    "dense_to_sparse",
    "dense_to_sparse_tensor",
    "dropout",
    "elu",
    "embed_sequence",
    "embedding_lookup_unique",
    "flatten",
    "fully_connected",
    "group_norm",
    "images_to_sequence",
    "indicators_to_sparse_ids",
    "initializers",
    "instance_norm",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "layer_norm",
    "legacy_fully_connected",
    "legacy_linear",
    "legacy_relu",
    "linear",
    "maxout",
    "one_hot_encoding",
    "optimize_loss",
    "optimizers",
    "poincare_normalize",
    "recompute_grad",
    "regularizers",
    "relu",
    "relu6",
    "repeat",
    "rev_block",
    "safe_embedding_lookup_sparse",
    "scale_gradient",
    "scattered_embedding_lookup",
    "scattered_embedding_lookup_sparse",
    "sequence_to_images",
    "softmax",
    "sparse_feature_cross",
    "sparse_row_envelope",
    "spatial_softmax",
    "stack",
    "sum_regularizer",
    "summarize_activation",
    "summarize_activations",
    "summarize_collection",
    "summarize_tensor",
    "summarize_tensors",
    "unit_norm",
    "utils",
    "variance_scaling_initializer",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]

__getattr__, __dir__ = namespace(
    __name__,
    "embedding_ops encoders initializers layers normalization optimizers regularizers rev_block_lib "
    "sparse_feature_cross_op summaries utils",
)
