"""Functions of ``tf.contrib.layers`` and of metric learning: in eager mode they give what they give in graph mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly

layers, learning = tf.contrib.layers, tf.contrib.losses.metric_learning
ROWS = np.array([[1.0, 2.0], [3.0, 5.0], [0.5, -1.0]], np.float32)
BLOCK = np.arange(8.0, dtype=np.float32).reshape(1, 2, 2, 2)
IDS = np.array([[1, 0]])
ONES: dict[str, Any] = {"weights_initializer": tf.ones_initializer()}
LABELS = np.array([0, 1, 0])

CASES: dict[str, Callable[[], Any]] = {
    "fully_connected": lambda: layers.fully_connected(ROWS, 2, **ONES),
    "normalized": lambda: layers.fully_connected(ROWS, 2, normalizer_fn=layers.layer_norm, **ONES),
    "legacy": lambda: layers.legacy_fully_connected(ROWS, 2, weight_init=tf.ones_initializer()),
    "stack": lambda: layers.stack(ROWS, layers.fully_connected, [2, 3], **ONES),
    "batch_norm": lambda: layers.batch_norm(ROWS),
    "batch_norm, moved before": lambda: layers.batch_norm(ROWS, updates_collections=None, scale=True),
    "batch_norm, not training": lambda: layers.batch_norm(ROWS, is_training=False),
    "group_norm": lambda: layers.group_norm(BLOCK, groups=2),
    "instance_norm": lambda: layers.instance_norm(BLOCK),
    "unit_norm": lambda: layers.unit_norm(ROWS, 1),
    "bias_add": lambda: layers.bias_add(ROWS, initializer=tf.ones_initializer()),
    "flatten": lambda: layers.flatten(BLOCK),
    "dropout": lambda: layers.dropout(ROWS, is_training=False),
    "softmax": lambda: layers.softmax(ROWS),
    "one_hot_encoding": lambda: layers.one_hot_encoding(np.array([1, 0]), 3),
    "bow_encoder": lambda: layers.bow_encoder(IDS, 3, 2, initializer=tf.ones_initializer()),
    "dense_to_sparse": lambda: layers.dense_to_sparse(IDS).values,
    "spatial_softmax": lambda: layers.spatial_softmax(BLOCK),
    "maxout": lambda: layers.maxout(ROWS, 1),
    "regularizers": lambda: layers.sum_regularizer([layers.l1_regularizer(0.1), layers.l2_regularizer(0.1)])(
        tf.constant(ROWS)
    ),
    "apply_regularization": lambda: layers.apply_regularization(layers.l2_regularizer(0.1), [tf.constant(ROWS)]),
    "contrastive_loss": lambda: learning.contrastive_loss(np.array([0, 1, 1]), ROWS, ROWS * 2),
    "triplet_semihard_loss": lambda: learning.triplet_semihard_loss(LABELS, ROWS),
    "lifted_struct_loss": lambda: learning.lifted_struct_loss(LABELS, ROWS),
    "npairs_loss": lambda: learning.npairs_loss(LABELS, ROWS, ROWS),
}


@pytest.mark.parametrize("name", CASES)
def test_it_gives_the_same_in_both_modes(name: str):
    with tf.Graph().as_default(), tf.Session() as session:
        made = CASES[name]()
        session.run(tf.global_variables_initializer())
        wanted = session.run(made)
    with eagerly():
        found = CASES[name]()
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-6)
