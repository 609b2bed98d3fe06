"""``tensorflow.examples.tutorials.mnist.mnist``: the tutorial's network of two hidden layers for MNIST."""

from __future__ import annotations

import math
from typing import Any

from .... import nn, summary
from ....graph.scopes import name_scope
from ....losses import sparse_softmax_cross_entropy
from ....ops.activation_ops import relu
from ....ops.cast_ops import to_int32, to_int64
from ....ops.creation_ops import zeros
from ....ops.matmul_ops import matmul
from ....ops.random_ops import truncated_normal
from ....ops.reduce_ops import reduce_sum
from ....train import GradientDescentOptimizer
from ....variables.variables import Variable

__all__ = ["IMAGE_PIXELS", "IMAGE_SIZE", "NUM_CLASSES", "evaluation", "inference", "loss", "training"]

NUM_CLASSES = 10
IMAGE_SIZE = 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def inference(images: Any, hidden1_units: int, hidden2_units: int) -> Any:
    """Return the logits for rows of pixels; variables are below ``hidden1``, ``hidden2`` and ``softmax_linear``."""
    first = relu(_layer("hidden1", images, IMAGE_PIXELS, hidden1_units))
    second = relu(_layer("hidden2", first, hidden1_units, hidden2_units))
    return _layer("softmax_linear", second, hidden2_units, NUM_CLASSES)


def _layer(scope: str, inputs: Any, rows: int, columns: int) -> Any:
    with name_scope(scope):
        spread = truncated_normal([rows, columns], stddev=1.0 / math.sqrt(rows))
        weights, biases = Variable(spread, name="weights"), Variable(zeros([columns]), name="biases")
        return matmul(inputs, weights) + biases


def loss(logits: Any, labels: Any) -> Any:
    """Return the mean cross entropy with the labels, which are numbers of classes."""
    return sparse_softmax_cross_entropy(labels=to_int64(labels), logits=logits)


def training(loss: Any, learning_rate: float) -> Any:
    """Return the step of gradient descent, which counts ``global_step``; the loss becomes a summary."""
    summary.scalar("loss", loss)
    steps = Variable(0, name="global_step", trainable=False)
    return GradientDescentOptimizer(learning_rate).minimize(loss, global_step=steps)


def evaluation(logits: Any, labels: Any) -> Any:
    """Return how many rows have their largest logit at the label."""
    return reduce_sum(to_int32(nn.in_top_k(logits, labels, 1)))
