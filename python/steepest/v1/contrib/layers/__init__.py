"""``tf.contrib.layers``: initializers, regularizers, layers and ``optimize_loss``."""

from ...graph.missing import namespace
from ...nn import safe_embedding_lookup_sparse
from . import initializers, optimizers, regularizers, utils
from .functions import (
    bias_add,
    dropout,
    embed_sequence,
    flatten,
    fully_connected,
    linear,
    maxout,
    one_hot_encoding,
    relu,
    relu6,
    repeat,
    softmax,
    stack,
    unit_norm,
)
from .initializers import variance_scaling_initializer, xavier_initializer, xavier_initializer_conv2d
from .normalization import batch_norm, layer_norm
from .optimizers import OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES, adaptive_clipping_fn, optimize_loss
from .regularizers import (
    apply_regularization,
    l1_l2_regularizer,
    l1_regularizer,
    l2_regularizer,
    sum_regularizer,
)
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
    "adaptive_clipping_fn",
    "apply_regularization",
    "batch_norm",
    "bias_add",
    "dense_to_sparse_tensor",
    "dropout",
    "embed_sequence",
    "flatten",
    "fully_connected",
    "indicators_to_sparse_ids",
    "initializers",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "layer_norm",
    "linear",
    "maxout",
    "one_hot_encoding",
    "optimize_loss",
    "optimizers",
    "regularizers",
    "relu",
    "relu6",
    "repeat",
    "safe_embedding_lookup_sparse",
    "softmax",
    "sparse_row_envelope",
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
    __name__, "embedding_ops encoders initializers layers normalization optimizers regularizers summaries utils"
)
