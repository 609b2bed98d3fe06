"""``tf.nn``: activations, losses of logits, normalisation, embeddings, sampled losses."""

from __future__ import annotations

import numpy as np
from op_cases import A64, COLUMN, CUBE, EMPTY, ODD, ROW, A, B, Var, case, draw, op, words

LOGITS, SOFT = draw(50, 2, 3, low=-4.0, high=4.0), np.array([[0.2, 0.3, 0.5], [0.0, 1.0, 0.0]], np.float32)
LABELS = np.array([2, 0], np.int32)
BINARY = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]], np.float32)
LARGE = np.array([[1e3, -1e3, 0.0], [90.0, -90.0, 100.0]], np.float32)

for name in words("relu relu6 elu selu leaky_relu softplus softsign sigmoid tanh softmax log_softmax"):
    op(f"nn.{name}", LOGITS * np.float32(2.1))
    op(f"nn.{name}", A64)
    op(f"nn.{name}", EMPTY)
for name in words("relu softplus sigmoid tanh softmax log_softmax"):
    op(f"nn.{name}", LARGE, label="of large numbers")
    op(f"nn.{name}", CUBE)
op("nn.relu", np.array([-3, 0, 4], np.int32))
op("nn.relu", ODD, label="of special values", grad=False)
op("nn.leaky_relu", A, 0.1)
op("nn.leaky_relu", A, alpha=0.3)
op("nn.softmax", A, axis=0)
op("nn.softmax", A, dim=0)
op("nn.log_softmax", CUBE, axis=1)
op("nn.softmax", ROW)
op("nn.crelu", A)
op("log_sigmoid", A)
op("nn.swish", A)
op("sigmoid", LARGE, label="of large numbers")

for name in ("softmax_cross_entropy_with_logits", "softmax_cross_entropy_with_logits_v2"):
    op(f"nn.{name}", labels=SOFT, logits=LOGITS)
    op(f"nn.{name}", labels=SOFT.astype(np.float64), logits=LOGITS.astype(np.float64))
    op(f"nn.{name}", labels=SOFT, logits=LARGE, label="of large numbers", grad=False)
    op(f"nn.{name}", labels=np.tile(SOFT, (2, 1, 1)), logits=np.tile(LOGITS, (2, 1, 1)))
op("nn.sparse_softmax_cross_entropy_with_logits", labels=LABELS, logits=LOGITS)
op("nn.sparse_softmax_cross_entropy_with_logits", labels=LABELS.astype(np.int64), logits=LOGITS.astype(np.float64))
op("nn.sparse_softmax_cross_entropy_with_logits", labels=LABELS, logits=LARGE, label="of large numbers")
op("nn.sparse_softmax_cross_entropy_with_logits", labels=np.array([[0, 1, 3], [2, 2, 0]], np.int32), logits=CUBE)
op("nn.sparse_softmax_cross_entropy_with_logits", labels=1, logits=ROW)
op("nn.sigmoid_cross_entropy_with_logits", labels=BINARY, logits=LOGITS)
op("nn.sigmoid_cross_entropy_with_logits", labels=SOFT, logits=LARGE, label="of large numbers")
op("nn.weighted_cross_entropy_with_logits", BINARY, LOGITS, 2.5)
op("nn.weighted_cross_entropy_with_logits", labels=BINARY, logits=LOGITS, pos_weight=0.5)
op("nn.l2_loss", A)
op("nn.l2_loss", A64)
op("nn.l2_normalize", A, 1)
op("nn.l2_normalize", A, axis=0)
op("nn.l2_normalize", A, dim=1, epsilon=4.0)
op("nn.l2_normalize", CUBE, [1, 2])
op("nn.bias_add", A, ROW)
op("nn.bias_add", draw(51, 2, 2, 2, 3), ROW)
op("nn.bias_add", draw(51, 2, 3, 2, 2), ROW, data_format="NCHW")
op("nn.xw_plus_b", A, draw(52, 3, 4), draw(53, 4))
op("nn.relu_layer", A, draw(52, 3, 4), draw(53, 4))
op("nn.moments", A, [0])
op("nn.moments", CUBE, [0, 1])
op("nn.moments", CUBE, axes=[1], keep_dims=True)
op("nn.moments", A, [1], keepdims=True)
op("nn.batch_normalization", A, ROW, np.abs(ROW) + np.float32(0.1), B[0], B[1], 1e-3)
op("nn.batch_normalization", A, ROW, np.abs(ROW) + np.float32(0.1), None, None, 1e-3)
op("nn.dropout", A, keep_prob=1.0)
op("nn.dropout", A, rate=0.0)
op("nn.zero_fraction", np.array([0.0, 1.0, 0.0, 0.0], np.float32), grad=False)
op("nn.softmax", A, name="probabilities")

TABLE, IDS = draw(60, 6, 2), np.array([[5, 0], [2, 5]], np.int32)
FIRST, SECOND, THIRD = draw(61, 3, 2), draw(62, 2, 2), draw(63, 2, 2)
op("nn.embedding_lookup", TABLE, IDS)
op("nn.embedding_lookup", Var(TABLE), IDS)
op("nn.embedding_lookup", Var(TABLE), IDS[0].astype(np.int64))
op("nn.embedding_lookup", [TABLE], IDS)
op("nn.embedding_lookup", TABLE, 3)
op("nn.embedding_lookup", Var(TABLE), IDS, max_norm=1.0)
for strategy in ("mod", "div"):
    op("nn.embedding_lookup", [FIRST, SECOND, THIRD], IDS, partition_strategy=strategy)
    op("nn.embedding_lookup", [Var(FIRST), Var(SECOND), Var(THIRD)], IDS[0], partition_strategy=strategy)
    op("nn.embedding_lookup", [FIRST, SECOND, THIRD], np.array([6, 6, 1], np.int64), partition_strategy=strategy)


def sparse_ids(tf, values=(4, 0, 0, 3), dtype=np.int64):
    positions = [[0, 0], [0, 1], [2, 0], [2, 1]]
    return tf.SparseTensor(tf.constant(positions, tf.int64), tf.constant(np.array(values, dtype)), [3, 2])


def lookups(combiner, weighted, table):
    def build(tf, params):
        weights = sparse_ids(tf, (0.5, 2.0, 1.0, 3.0), np.float32) if weighted else None
        return tf.nn.embedding_lookup_sparse(params, sparse_ids(tf), weights, combiner=combiner)

    kind = "variable" if isinstance(table, Var) else "constant"
    build.__name__ = f"embedding_lookup_sparse {combiner} {'weighted' if weighted else 'plain'} {kind}"
    case(table, feed=False)(build)


for combiner in ("sum", "mean", "sqrtn"):
    for weighted in (False, True):
        lookups(combiner, weighted, TABLE)
        lookups(combiner, weighted, Var(TABLE))


@case(FIRST, SECOND, THIRD, feed=False)
def embedding_lookup_sparse_of_partitions(tf, *parts):
    return tf.nn.embedding_lookup_sparse(list(parts), sparse_ids(tf), None, "mod", combiner="sum")


@case(A, feed=False)
def sparse_tensors(tf, x):
    sparse = sparse_ids(tf)
    values = tf.SparseTensor(sparse.indices, tf.cast(sparse.values, tf.float32), sparse.dense_shape)
    dense = tf.sparse_tensor_to_dense(values)
    product = tf.sparse_tensor_dense_matmul(values, x)
    return [sparse.indices, sparse.values, sparse.dense_shape, dense, product]


WEIGHTS, BIASES, INPUTS = draw(64, 7, 3), draw(65, 7), draw(66, 2, 3)
TARGETS, SAMPLED = np.array([[1], [4]], np.int64), np.array([0, 4, 6], np.int64)


def sampled(tf):
    return tf.constant(SAMPLED), tf.constant([[0.4], [0.2]]), tf.constant([0.5, 0.2, 0.1])


def sampled_losses(name, table, **kwargs):
    def build(tf, weights, biases, inputs):
        function = getattr(tf.nn, name)
        return function(weights, biases, tf.constant(TARGETS), inputs, 3, 7, sampled_values=sampled(tf), **kwargs)

    kind = "variable" if isinstance(table, Var) else "constant"
    build.__name__ = f"{name} {kind} {kwargs or ''}".strip()
    case(table, Var(BIASES) if isinstance(table, Var) else BIASES, INPUTS, feed=False)(build)


for name in ("nce_loss", "sampled_softmax_loss"):
    for table in (WEIGHTS, Var(WEIGHTS)):
        sampled_losses(name, table)
    for remove in (False, True):
        sampled_losses(name, WEIGHTS, remove_accidental_hits=remove)


@case(Var(WEIGHTS), Var(BIASES), INPUTS, feed=False)
def nce_loss_by_keywords(tf, weights, biases, inputs):
    return tf.nn.nce_loss(
        weights=weights,
        biases=biases,
        labels=tf.constant(TARGETS),
        inputs=inputs,
        num_sampled=3,
        num_classes=7,
        num_true=1,
        sampled_values=sampled(tf),
    )


@case(WEIGHTS, BIASES, INPUTS, feed=False)
def nce_loss_with_two_true_classes(tf, weights, biases, inputs):
    values = tf.constant(SAMPLED), tf.constant([[0.4, 0.1], [0.2, 0.3]]), tf.constant([0.5, 0.2, 0.1])
    labels = tf.constant([[1, 2], [4, 0]], tf.int64)
    return tf.nn.nce_loss(weights, biases, labels, inputs, 3, 7, num_true=2, sampled_values=values)


@case(TARGETS, values=False, grad=False, feed=False)
def candidate_samplers(tf, targets):
    log_uniform = tf.nn.log_uniform_candidate_sampler(targets, 1, 4, True, 9)
    uniform = tf.nn.uniform_candidate_sampler(targets, 1, 4, False, 9)
    learned = tf.nn.learned_unigram_candidate_sampler(targets, 1, 4, True, 9)
    return [*log_uniform, *uniform, *learned]


@case(values=False, grad=False)
def random_nodes(tf):
    return [
        tf.random_normal([2, 3]),
        tf.random_uniform([2], -1.0, 1.0, tf.float64),
        tf.random_uniform([2], maxval=10, dtype=tf.int32),
        tf.truncated_normal([4], stddev=0.1),
        tf.random_shuffle(tf.constant([1, 2, 3])),
        tf.multinomial(tf.constant([[0.0, 1.0]]), 3),
        tf.nn.dropout(tf.ones([2, 2]), 0.5),
        tf.random.normal([2], seed=3),
        tf.random_gamma([2], 1.0),
    ]


@case(COLUMN, ROW, values=False, grad=False)
def random_nodes_of_shapes_of_nodes(tf, x, y):
    return [tf.random_normal(tf.shape(x)), tf.random_uniform([tf.shape(y)[0], 2]), tf.nn.dropout(x, keep_prob=0.5)]
