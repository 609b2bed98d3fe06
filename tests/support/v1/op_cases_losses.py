"""``tf.losses``, their weights, reductions and collections."""

from __future__ import annotations

import numpy as np
from op_cases import INTS, A, B, Case, case, draw, op, register, words

PREDICTIONS, TARGETS = draw(70, 2, 3, low=0.05, high=0.95), np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], np.float32)
LOGITS, CLASSES = draw(71, 2, 3, low=-3.0, high=3.0), np.array([2, 0], np.int32)
ELEMENTS, ROWS, NOTHING = (
    np.array([[1.0, 0.0, 2.0], [0.5, 0.0, 1.0]], np.float32),
    np.array([[2.0], [0.0]], np.float32),
    0.0,
)

for name in words("mean_squared_error absolute_difference huber_loss log_loss hinge_loss"):
    logits = "logits" if name == "hinge_loss" else "predictions"
    op(f"losses.{name}", TARGETS, PREDICTIONS)
    op(f"losses.{name}", labels=TARGETS, **{logits: PREDICTIONS})
    for weights in (0.5, ELEMENTS, ROWS, NOTHING):
        op(f"losses.{name}", TARGETS, PREDICTIONS, weights)
    for reduction in words("NONE SUM MEAN SUM_OVER_BATCH_SIZE SUM_BY_NONZERO_WEIGHTS SUM_OVER_NONZERO_WEIGHTS"):

        def build(tf, labels, predictions, weights, name=name, reduction=reduction):
            function = getattr(tf.losses, name)
            return function(labels, predictions, weights=weights, reduction=getattr(tf.losses.Reduction, reduction))

        register(Case(f"losses.{name} {reduction}", build, (TARGETS, PREDICTIONS, ROWS)))
op("losses.huber_loss", A, B, delta=0.5)
op("losses.log_loss", TARGETS, PREDICTIONS, epsilon=0.1)
op("losses.mean_squared_error", INTS, ELEMENTS)
op("losses.mean_squared_error", TARGETS, PREDICTIONS.astype(np.float64), label="of mixed types", grad=False)
op("losses.softmax_cross_entropy", TARGETS, LOGITS)
op("losses.softmax_cross_entropy", onehot_labels=TARGETS, logits=LOGITS, weights=np.array([2.0, 0.0], np.float32))
op("losses.softmax_cross_entropy", TARGETS, LOGITS, label_smoothing=0.1)
op("losses.softmax_cross_entropy", ELEMENTS, LOGITS, label="of labels that do not sum to one")
op("losses.sparse_softmax_cross_entropy", CLASSES, LOGITS)
op("losses.sparse_softmax_cross_entropy", labels=CLASSES.astype(np.int64), logits=LOGITS, weights=0.25)
op("losses.sparse_softmax_cross_entropy", CLASSES, LOGITS, np.array([2.0, 0.0], np.float32))
op("losses.sparse_softmax_cross_entropy", CLASSES[:, None].copy(), LOGITS)
op("losses.sigmoid_cross_entropy", TARGETS, LOGITS)
op("losses.sigmoid_cross_entropy", multi_class_labels=TARGETS, logits=LOGITS, weights=ROWS, label_smoothing=0.2)
op("losses.cosine_distance", TARGETS, PREDICTIONS, axis=1)
op("losses.compute_weighted_loss", PREDICTIONS)
op("losses.compute_weighted_loss", PREDICTIONS, ELEMENTS)


@case(TARGETS, PREDICTIONS)
def total_loss(tf, labels, predictions):
    tf.losses.mean_squared_error(labels, predictions)
    tf.losses.absolute_difference(labels, predictions, 0.5)
    tf.losses.add_loss(tf.reduce_sum(predictions))
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.nn.l2_loss(predictions))
    total = tf.losses.get_total_loss(add_regularization_losses=False)
    return [*tf.losses.get_losses(), total, tf.losses.get_total_loss(), tf.losses.get_regularization_loss()]


@case(grad=False)
def no_losses(tf):
    assert tf.losses.get_losses() == []
    return tf.losses.get_regularization_loss()


@case(TARGETS, PREDICTIONS)
def losses_in_another_collection(tf, labels, predictions):
    mine = tf.losses.mean_squared_error(labels, predictions, loss_collection="mine")
    none = tf.losses.mean_squared_error(labels, predictions, loss_collection=None)
    assert tf.get_collection("mine") == [mine]
    return [mine, none]
