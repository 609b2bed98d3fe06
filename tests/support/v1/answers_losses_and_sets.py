"""Programs of sets whose places are wrong, of losses over a batch's size, and of how bright summaries show images."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def places_of_sets_that_are_wrong(tf: Any) -> Any:
    far, flat = tf.SparseTensor([[0, 7]], [1], [2, 3]), tf.SparseTensor([[0]], [1], [3])
    return tried(
        lambda: run(tf, tf.sets.set_size(far, validate_indices=False)),
        lambda: run(tf, tf.sets.set_union(tf.constant([[1], [2]]), far, validate_indices=False).values),
        lambda: run(tf, tf.sets.set_size(far)),
        lambda: run(tf, tf.sets.set_size(flat)),
    )


@graph
def losses_over_the_size_of_a_batch(tf: Any) -> Any:
    losses = [1, 2, 3, 4, 5]
    mean = tf.nn.compute_average_loss
    unknown = tf.placeholder_with_default(3.0, None)
    wrong = tried(
        lambda: mean(losses, global_batch_size=[10]),
        lambda: mean(losses, global_batch_size=10.0),
        lambda: mean(losses, global_batch_size=-1),
        lambda: mean(tf.constant(2.0)),
        lambda: run(tf, mean(unknown)),
    )
    return wrong, run(tf, mean(losses, global_batch_size=10))


def _brightness(serialized: bytes, tf: Any) -> list[int]:
    """Return the bytes of a row of a picture of one channel, whose file has it as it is, or less what is before."""
    file = tf.Summary.FromString(serialized).value[0].image.encoded_image_string
    at = file.index(b"IDAT")
    row = list(zlib.decompress(file[at + 4 : at + 4 + int.from_bytes(file[at - 4 : at], "big")]))
    return [int(each) % 256 for each in (np.cumsum(row[1:]) if row[0] == 1 else row[1:])]


@graph
def images_of_each_type_are_scaled_by_a_float(tf: Any) -> Any:
    values = np.array([[-0.95, 0.31, 0.7, 2.31, -1.7, 0.02]])[None, ..., None]
    found = []
    for kind in ("float16", "float32", "float64"):
        for shown in (values, np.abs(values), values * 1.7):
            found.append(_brightness(run(tf, tf.summary.image("i", shown.astype(kind), max_outputs=1)), tf))
    return found


def _of_two_runs(tf: Any, metric: tuple[Any, Any]) -> Any:
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        updates = [session.run(metric[1]) for _ in range(2)]
        return updates, session.run(metric[0])


@graph
def errors_of_metrics_are_of_their_type(tf: Any) -> Any:
    labels, predictions = tf.constant([1e8, 1e8], tf.float64), tf.constant([1e8 + 1, 1e8 + 3], tf.float64)
    found = [
        _of_two_runs(tf, metric(labels, predictions))
        for metric in (tf.metrics.mean_absolute_error, tf.metrics.mean_squared_error)
    ]
    return found, tried(
        lambda: tf.metrics.mean_absolute_error(tf.constant([1]), tf.constant([2.0])),
        lambda: tf.metrics.mean_squared_error(tf.constant([1]), tf.constant([2.0])),
        lambda: tf.metrics.root_mean_squared_error(tf.constant([1], tf.uint8), tf.constant([2], tf.uint8)),
        lambda: tf.metrics.mean_relative_error([1.0], [2.0], tf.constant([1.0], tf.float64)),
    )


@graph
def thresholds_of_metrics(tf: Any) -> Any:
    below = tf.metrics.percentage_below
    known = _of_two_runs(tf, below([1, 2, 3], tf.constant(2)))
    area = tf.metrics.auc(
        tf.constant([0, 1]), tf.constant([0.1, 0.9]), curve="PR", summation_method="careful_interpolation"
    )
    return (
        known,
        [each.op.name for each in area],
        tried(
            lambda: below([1, 2, 3], 2.5),
            lambda: tf.metrics.auc(tf.constant([0, 1]), tf.constant([0.1, 1.9])),
        ),
    )


@graph
def losses_that_are_nothing_or_of_other_shapes(tf: Any) -> Any:
    logits, labels = tf.constant([[1.0, 2.0, -3.0], [0.5, 0.0, 4.0]]), tf.constant([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]])
    delta = tf.constant(1.5)
    known = [
        tf.losses.compute_weighted_loss([1.0, float("nan")], 0.0),
        tf.losses.log_loss(labels, logits, weights=0),
        tf.losses.huber_loss(labels, logits, delta=delta),
    ]
    slopes = tf.gradients(known[2], [logits, delta]) + tf.gradients(known[1], logits)
    return run(tf, [*known, *slopes]), tried(
        lambda: tf.losses.softmax_cross_entropy(labels[0], logits),
        lambda: tf.losses.sigmoid_cross_entropy(tf.constant([1]), tf.constant([2])),
        lambda: tf.losses.sparse_softmax_cross_entropy(tf.constant([0, 1], tf.uint8), logits),
    )
