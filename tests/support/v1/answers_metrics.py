"""Programs of `tf.metrics`: values, updates and variables over several batches, and wrong arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from answers import eager, graph, tried

RNG = np.random.default_rng(21)
LABELS = [RNG.integers(0, 2, (4, 3)) for _ in range(3)]
SCORES = [RNG.uniform(0, 1, (4, 3)).astype(np.float32) for _ in range(3)]
WEIGHTS = [RNG.uniform(0, 2, (4, 1)).astype(np.float32) for _ in range(3)]
CLASSES = [(RNG.integers(0, 4, (5, 2)), RNG.integers(0, 4, (5, 2))) for _ in range(3)]
TOP = [RNG.permuted(np.tile(np.linspace(0.0, 0.9, 10, dtype=np.float32), (4, 1)), axis=1) for _ in range(2)]
SEVERAL = [RNG.permuted(np.tile(np.arange(10), (4, 1)), axis=1)[:, :3] for _ in range(2)]


def over(tf: Any, metric: Callable[..., Any], batches: Any, dtypes: Any) -> Any:
    """Return what the updates gave, the value after them, and the names of the variables."""
    fed = [tf.placeholder(dtype, [None, *array.shape[1:]]) for dtype, array in zip(dtypes, batches[0], strict=True)]
    value, update = metric(*fed)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        before = session.run(value)
        updates = [session.run(update, dict(zip(fed, batch, strict=True))) for batch in batches]
        after = session.run(value)
    return [before, updates, after, sorted(v.name for v in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES))]


def scored(tf: Any, metric: Callable[..., Any], weighted: bool) -> Any:
    batches = list(zip(LABELS, SCORES, *([WEIGHTS] if weighted else []), strict=True))
    return over(tf, metric, batches, [tf.int32, tf.float32, *([tf.float32] if weighted else [])])


@graph
def areas_under_curves(tf: Any) -> Any:
    forms = [{}, {"curve": "PR"}, {"curve": "PR", "summation_method": "careful_interpolation"}]
    forms += [{"summation_method": "minoring"}, {"summation_method": "majoring", "num_thresholds": 5}]
    forms += [{"thresholds": [0.7, 0.2]}]
    found = []
    for form in forms:
        found += [scored(tf, lambda a, b, form=form: tf.metrics.auc(a, b, **form), False)]
        found += [scored(tf, lambda a, b, w, form=form: tf.metrics.auc(a, b, w, **form), True)]
    return found


@graph
def shares_and_counts_at_thresholds(tf: Any) -> Any:
    names = ["precision", "recall", "true_positives", "true_negatives", "false_positives", "false_negatives"]
    found = []
    for name in names:
        metric = getattr(tf.metrics, f"{name}_at_thresholds")
        found += [scored(tf, lambda a, b, metric=metric: metric(a, b, [0.0, 0.5, 0.9]), False)]
        found += [scored(tf, lambda a, b, w, metric=metric: metric(a, b, [0.3], weights=w), True)]
    return found


@graph
def sensitivity_and_specificity(tf: Any) -> Any:
    found = []
    for name in ("sensitivity_at_specificity", "specificity_at_sensitivity"):
        metric = getattr(tf.metrics, name)
        found += [scored(tf, lambda a, b, metric=metric: metric(a, b, 0.4), False)]
        found += [scored(tf, lambda a, b, w, metric=metric: metric(a, b, 0.7, w, num_thresholds=20), True)]
        found += [tried(lambda metric=metric: metric(tf.ones([3]), tf.ones([3]), 1.5))]
    return found


@graph
def means_over_classes(tf: Any) -> Any:
    found = []
    for name in ("mean_iou", "mean_per_class_accuracy"):
        metric = getattr(tf.metrics, name)
        found += [over(tf, lambda a, b, metric=metric: metric(a, b, 5), CLASSES, [tf.int32, tf.int32])]
        weighted = [(a, b, np.abs(np.sin(a + b)).astype(np.float32)) for a, b in CLASSES]
        kinds = [tf.int64, tf.int64, tf.float32]
        found += [over(tf, lambda a, b, w, metric=metric: metric(a, b, 5, w), weighted, kinds)]
        found += [tried(lambda metric=metric: metric(tf.ones([10, 3]), tf.ones([10, 4]), num_classes=2))]
    return found


@graph
def means_of_values(tf: Any) -> Any:
    values = list(zip(SCORES, strict=True))
    weighted = list(zip(SCORES, WEIGHTS, strict=True))
    both = [tf.float32, tf.float32]
    return [
        over(tf, tf.metrics.mean, values, [tf.float32]),
        over(tf, tf.metrics.mean, weighted, both),
        over(tf, lambda x: tf.metrics.mean_tensor(tf.reshape(x, [4, 3])), values, [tf.float32]),
        over(tf, lambda x, w: tf.metrics.mean_tensor(tf.reshape(x, [4, 3]), w), weighted, both),
        over(tf, lambda x: tf.metrics.percentage_below(x, 0.5), values, [tf.float32]),
        over(tf, lambda x, w: tf.metrics.percentage_below(x, 0.5, w, name="few"), weighted, both),
    ]


@graph
def relative_errors(tf: Any) -> Any:
    batches = list(zip(SCORES, SCORES[1:] + SCORES[:1], strict=True))
    kinds = [tf.float32, tf.float32]
    found = [over(tf, lambda a, b: tf.metrics.mean_relative_error(a, b, tf.round(a)), batches, kinds)]
    for name in ("mean_squared_error", "root_mean_squared_error", "mean_absolute_error"):
        found.append(over(tf, getattr(tf.metrics, name), batches, kinds))
    found.append(over(tf, lambda a, b: tf.metrics.mean_cosine_distance(a, b, 1), batches, kinds))
    return found


def ranked(tf: Any, metric: Callable[..., Any], weights: Any = None) -> Any:
    kinds = [tf.int64, tf.float32]
    return over(tf, metric, list(zip(SEVERAL, TOP, strict=True)), kinds)


@graph
def precision_and_recall_of_the_best(tf: Any) -> Any:
    metrics = tf.metrics
    return [
        ranked(tf, lambda a, b: metrics.precision_at_k(a, b, 4)),
        ranked(tf, lambda a, b: metrics.precision_at_k(a, b, 4, class_id=3)),
        ranked(tf, lambda a, b: metrics.recall_at_k(a, b, 4, weights=tf.constant([1.0, 2.0, 0.0, 1.0]))),
        ranked(tf, lambda a, b: metrics.recall_at_k(a, b, 2, class_id=5)),
        ranked(tf, lambda a, b: metrics.average_precision_at_k(a, b, 4)),
        ranked(tf, lambda a, b: metrics.average_precision_at_k(a, b, 3, tf.constant([1.0, 2.0, 0.5, 1.0]))),
        ranked(tf, lambda a, b: metrics.precision_at_top_k(a, tf.nn.top_k(b, 3)[1])),
        ranked(tf, lambda a, b: metrics.recall_at_top_k(a, tf.nn.top_k(b, 3)[1], k=3)),
        ranked(tf, lambda a, b: metrics.sparse_precision_at_k(a, b, 1)),
        tried(lambda: metrics.average_precision_at_k(tf.zeros([2, 1], tf.int64), tf.zeros([2, 3]), 0)),
    ]


@graph
def sparse_labels_of_the_best(tf: Any) -> Any:
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0], [3, 0]], np.array([2, 7, 1, 12]), [4, 2])
    found = []
    for metric in (tf.metrics.precision_at_k, tf.metrics.recall_at_k, tf.metrics.average_precision_at_k):
        value, update = metric(labels, tf.constant(TOP[0]), 5)
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            found += [session.run(update), session.run(value)]
    return found


@graph
def metrics_with_a_last_axis_of_one(tf: Any) -> Any:
    labels, guesses = tf.constant([1, 0, 0, 1]), tf.constant([[1], [1], [0], [1]])
    weights = tf.constant([[3.0], [1.0], [1.0], [2.0]])
    found = []
    for name in ("accuracy", "precision", "recall", "true_positives", "mean_absolute_error"):
        kind = tf.float32 if name == "mean_absolute_error" else tf.int32
        value, update = getattr(tf.metrics, name)(tf.cast(labels, kind), tf.cast(guesses, kind), weights=weights)
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            found += [session.run(update), session.run(value)]
    return found


@graph
def weights_that_do_not_fit_a_metric(tf: Any) -> Any:
    values = tf.ones([3, 2, 4, 1])
    shapes = [(1,), (3, 2), (4, 2, 4, 1), (3, 2, 5, 1), (1, 1, 1, 1, 1)]
    found = [tried(lambda shape=shape: tf.metrics.mean(values, np.ones(shape, np.float32))) for shape in shapes]
    fed = tf.placeholder(tf.float32)
    _, update = tf.metrics.mean(fed, np.ones((4, 2, 4, 1), np.float32))
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        found.append(tried(lambda: session.run(update, {fed: np.ones((3, 2, 4, 1))})))
    return found


@graph
def scores_outside_of_the_unit_interval(tf: Any) -> Any:
    scores = tf.placeholder(tf.float32, [2])
    _, update = tf.metrics.auc(tf.constant([0, 1]), scores)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        return [
            tried(lambda: session.run(update, {scores: [0.5, 2.0]})),
            tried(lambda: tf.metrics.auc(tf.ones([2]), tf.ones([2]), curve="X")),
            tried(lambda: tf.metrics.auc(tf.ones([2]), tf.ones([2]), summation_method="X")),
        ]


@graph
def metrics_in_collections(tf: Any) -> Any:
    value, update = tf.metrics.mean(tf.ones([3]), metrics_collections=["a", "b"], updates_collections=["c"])
    return [tf.get_collection(key) == [node] for key, node in (("a", value), ("b", value), ("c", update))]


@graph
def names_of_metrics(tf: Any) -> Any:
    labels, scores = tf.constant([[0], [2]], tf.int64), tf.constant([[0.1, 0.5, 0.4], [0.2, 0.2, 0.6]])
    made = [
        tf.metrics.recall_at_k(labels, scores, 2),
        tf.metrics.precision_at_k(labels, scores, 2, class_id=1),
        tf.metrics.precision_at_top_k(labels, tf.constant([[1], [2]], tf.int64), name="top"),
        tf.metrics.average_precision_at_k(labels, scores, 2),
        tf.metrics.root_mean_squared_error(scores, scores),
        tf.metrics.mean_cosine_distance(scores, scores, 1),
    ]
    return [part.name for pair in made for part in pair], [v.name for v in tf.local_variables()]


@eager
def pairwise_losses_in_eager_mode(tf: Any) -> Any:
    labels, guesses = (
        np.arange(12, dtype=np.float32).reshape(4, 3),
        np.cos(np.arange(12, dtype=np.float32)).reshape(4, 3),
    )
    weights: list[Any] = [1.0, np.float32(2.0), 0.0, [[1.0], [0.0], [2.0], [1.0]]]
    return [tf.losses.mean_pairwise_squared_error(labels, guesses, each) for each in weights]


@eager
def losses_of_other_shapes_in_eager_mode(tf: Any) -> Any:
    column, row = tf.ones([4, 1]), tf.ones([4])
    found = tried(
        lambda: tf.losses.mean_squared_error(column, row),
        lambda: tf.losses.huber_loss(column, row),
        lambda: tf.losses.cosine_distance(column, row, axis=0),
        lambda: tf.losses.mean_pairwise_squared_error(column, row),
        lambda: tf.losses.mean_pairwise_squared_error(column, column, row),
    )
    return [(type(each.error).__name__, str(each.error)[:40]) for each in found]


@eager
def entropies_of_other_shapes_in_eager_mode(tf: Any) -> Any:
    column, row = tf.ones([4, 1]), tf.ones([4])
    found = tried(
        lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=column, logits=row),
        lambda: tf.nn.weighted_cross_entropy_with_logits(column, row, 2.0),
    )
    return [(type(each.error).__name__, "must have the same shape" in str(each.error)) for each in found]
