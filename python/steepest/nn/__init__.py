"""Activations, losses and lookups of ``tf.nn``, stable for any finite logits, each with a derivative of its own."""

from .activations import leaky_relu, log_softmax, logsumexp, relu, sigmoid, softmax, softplus
from .embedding import embedding_bag, embedding_lookup
from .layers import dropout
from .losses import (
    l2_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)

__all__ = [
    "dropout",
    "embedding_bag",
    "embedding_lookup",
    "l2_loss",
    "leaky_relu",
    "log_softmax",
    "logsumexp",
    "relu",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "sparse_softmax_cross_entropy_with_logits",
]


def __dir__() -> list[str]:
    return list(__all__)
