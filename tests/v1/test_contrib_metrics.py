"""``tf.contrib.metrics``: what is not in ``tf.metrics``, by NumPy's own formulas over several batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

metrics = tf.contrib.metrics
LABELS = np.array([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0]], bool)
SCORES = np.array([[0.9, 0.4, 0.35, 0.8], [0.1, 0.6, 0.7, 0.2], [0.55, 0.3, 0.45, 0.05]], np.float32)
WEIGHTS = np.array([[1, 2, 0.5, 1], [1, 1, 3, 1], [2, 1, 1, 0.5]], np.float32)


def fed(metric: Any, *arrays: Any, **more: Any) -> tuple[Any, Any]:
    """Return the value and the last update of a metric of arrays whose rows are its batches."""
    nodes = [tf.placeholder(array.dtype, array.shape[1:]) for array in arrays]
    value, update = metric(*nodes, **more)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        for rows in zip(*arrays, strict=True):
            last = session.run(update, dict(zip(nodes, rows, strict=True)))
        return session.run(value, dict(zip(nodes, rows, strict=True))), last


def local_names() -> list[str]:
    return [v.op.name for v in tf.local_variables()]


def test_rates_of_what_was_taken_for_the_other():
    guesses = SCORES > 0.5
    for weights in (None, WEIGHTS):
        share = np.ones_like(WEIGHTS) if weights is None else weights
        arrays = [guesses, LABELS, *([] if weights is None else [weights])]
        wrong, right = (share * (guesses & ~LABELS)).sum(), (share * (~guesses & ~LABELS)).sum()
        assert fed(metrics.streaming_false_positive_rate, *arrays) == pytest.approx((wrong / (wrong + right),) * 2)
        wrong, right = (share * (~guesses & LABELS)).sum(), (share * (guesses & LABELS)).sum()
        assert fed(metrics.streaming_false_negative_rate, *arrays) == pytest.approx((wrong / (wrong + right),) * 2)
    nothing = np.zeros((1, 3), bool)
    assert fed(metrics.streaming_false_negative_rate, nothing, nothing) == (0, 0)


def test_cells_and_rates_at_thresholds():
    above = SCORES[..., None] > np.array([0.25, 0.5], np.float32)
    truth = LABELS[..., None]
    wanted = {"true_positives": above & truth, "false_negatives": ~above & truth}
    wanted |= {"false_positives": above & ~truth, "true_negatives": ~above & ~truth}
    counts = {name: cells.sum((0, 1)) for name, cells in wanted.items()}
    for name, count in counts.items():
        tf.reset_default_graph()
        metric = getattr(metrics, f"streaming_{name}_at_thresholds")
        for made in fed(metric, SCORES, LABELS, thresholds=[0.25, 0.5]):
            np.testing.assert_array_equal(made, count)
        assert local_names() == [name]
    rate = counts["false_positives"] / (counts["false_positives"] + counts["true_negatives"])
    for made in fed(metrics.streaming_false_positive_rate_at_thresholds, SCORES, LABELS, thresholds=[0.25, 0.5]):
        np.testing.assert_allclose(made, rate, rtol=1e-5)
    rate = counts["false_negatives"] / (counts["false_negatives"] + counts["true_positives"])
    for made in fed(metrics.streaming_false_negative_rate_at_thresholds, SCORES, LABELS, thresholds=[0.25, 0.5]):
        np.testing.assert_allclose(made, rate, rtol=1e-5)


def cells_at(limits: Any) -> tuple[Any, Any, Any, Any]:
    above, truth = SCORES.ravel() > limits[:, None], LABELS.ravel()
    return (above & truth).sum(1), (~above & truth).sum(1), (~above & ~truth).sum(1), (above & ~truth).sum(1)


def test_points_and_best_places_of_curves():
    limits = np.array([-1e-7, 0.25, 0.5, 0.75, 1 + 1e-7])
    tp, fn, tn, fp = cells_at(limits)
    recall, precision = tp / (tp + fn), (tp + 1e-6) / (tp + fp + 1e-6)
    points = fed(metrics.streaming_curve_points, LABELS, SCORES, num_thresholds=5)[0]
    np.testing.assert_allclose(points, np.stack([fp / (fp + tn), recall], 1), rtol=1e-4, atol=1e-5)
    points = fed(metrics.streaming_curve_points, LABELS, SCORES, num_thresholds=5, curve="PR")[0]
    np.testing.assert_allclose(points, np.stack([recall, precision], 1), rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="curve must be either ROC or PR, X unknown"):
        metrics.streaming_curve_points(LABELS, SCORES, curve="X")

    f1 = (2 * precision * recall / np.maximum(precision + recall, 1e-9)).max()
    assert fed(metrics.f1_score, LABELS, SCORES, num_thresholds=5) == pytest.approx((f1, f1), rel=1e-4)
    nearest = recall[np.abs(tp / np.maximum(tp + fp, 1) - 0.7).argmin()]
    made = fed(metrics.recall_at_precision, LABELS, SCORES, precision=0.7, num_thresholds=5)
    assert made == pytest.approx((nearest, nearest), rel=1e-4)
    strict = fed(metrics.recall_at_precision, LABELS, ~LABELS * np.float32(0.5), precision=0.9, strict_mode=True)
    assert strict == (0, 0)
    at = np.flatnonzero(recall >= 0.5)[-1]
    made = fed(metrics.precision_at_recall, LABELS, SCORES, target_recall=0.5, num_thresholds=5)
    assert made == pytest.approx((precision[at],) * 2, rel=1e-4)
    one = np.array([[1, 0]]), np.array([[0.9, 0.95]], np.float32)  # a recall of 1 / (1 + 1e-7) is not 1
    assert fed(metrics.precision_at_recall, *one, target_recall=1.0) == (1, 1)
    for metric, given in ((metrics.recall_at_precision, "precision"), (metrics.precision_at_recall, "target_recall")):
        with pytest.raises(ValueError, match=rf"`{given}` must be in the range \[0, 1\]"):
            metric(LABELS, SCORES, 1.5)


def test_cells_at_even_thresholds_in_one_pass():
    data = fed(metrics.precision_recall_at_equal_thresholds, LABELS, SCORES, WEIGHTS, num_thresholds=11)[0]
    above, truth = SCORES.ravel() >= data.thresholds[:, None] - 1e-6, LABELS.ravel()
    share = WEIGHTS.ravel()
    np.testing.assert_allclose(data.thresholds, np.linspace(0, 1, 11), rtol=1e-6)
    for made, cells in ((data.tp, above & truth), (data.fn, ~above & truth), (data.fp, above & ~truth)):
        np.testing.assert_allclose(made, (cells * share).sum(1), rtol=1e-6)
    np.testing.assert_allclose(data.recall, data.tp / (data.tp + data.fn), rtol=1e-6)
    assert data.precision.dtype == np.float32
    with pytest.raises(TypeError, match="labels must be of type bool"):
        metrics.precision_recall_at_equal_thresholds(SCORES, SCORES)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"predictions must be in \[0, 1\]"):
        fed(metrics.precision_recall_at_equal_thresholds, LABELS, SCORES + 1)


def test_covariance_and_correlation_over_batches():
    other = (SCORES**2 - 0.3 * LABELS).astype(np.float32)
    weighted = np.cov(SCORES.ravel(), other.ravel(), aweights=None, fweights=(WEIGHTS * 2).ravel().astype(int))
    plain = np.cov(SCORES.ravel(), other.ravel())
    assert fed(metrics.streaming_covariance, SCORES, other) == pytest.approx((plain[0, 1],) * 2, rel=1e-5)
    made = fed(metrics.streaming_covariance, SCORES, other, WEIGHTS * 2)
    assert made == pytest.approx((weighted[0, 1],) * 2, rel=1e-5)
    r = np.corrcoef(SCORES.ravel(), other.ravel())[0, 1]
    assert fed(metrics.streaming_pearson_correlation, SCORES, other) == pytest.approx((r, r), rel=1e-5)
    assert np.isnan(fed(metrics.streaming_covariance, SCORES[:1, :1], other[:1, :1])).all()
    tf.reset_default_graph()
    metrics.streaming_pearson_correlation(tf.ones([3]), tf.ones([3]))
    assert local_names()[:4] == [
        f"pearson_r/covariance/{name}" for name in ("count", "mean_prediction", "mean_label", "comoment")
    ]


def test_counts_and_kappa():
    assert fed(metrics.count, SCORES) == (12, 12)
    assert fed(metrics.count, SCORES, WEIGHTS) == (WEIGHTS.sum(),) * 2
    labels, guesses = np.array([[0, 1, 2, 1], [2, 2, 0, 1]]), np.array([[0, 1, 1, 1], [2, 0, 0, 1]])
    table = np.zeros((3, 3))
    np.add.at(table, (labels, guesses), 1)
    chance = (table.sum(0) * table.sum(1)).sum() / table.sum()
    kappa = (np.trace(table) - chance) / (table.sum() - chance)
    assert fed(metrics.cohen_kappa, labels, guesses, num_classes=3) == pytest.approx((kappa, kappa))
    with pytest.raises(ValueError, match="`num_classes` must be >= 2"):
        metrics.cohen_kappa(labels, guesses, 1)


def test_all_values_one_behind_another():
    whole, count = fed(metrics.streaming_concat, SCORES)
    np.testing.assert_array_equal(whole, SCORES.ravel())
    assert count == 12
    whole, count = fed(metrics.streaming_concat, SCORES.reshape(3, 2, 2), axis=-1, max_size=5)
    np.testing.assert_array_equal(whole, np.concatenate(list(SCORES.reshape(3, 2, 2)), 1)[:, :5])
    assert count == 5
    with pytest.raises(ValueError, match=r"axis = 2 not in \[0, 1\)"):
        metrics.streaming_concat(tf.ones([3]), 2)
    with pytest.raises(ValueError, match="statically known rank"):
        metrics.streaming_concat(tf.placeholder(tf.float32))
    with pytest.raises(ValueError, match="must have statically known size"):
        metrics.streaming_concat(tf.placeholder(tf.float32, [None, None]))


def area_by_pairs(labels: Any, scores: Any) -> float:
    right, wrong = scores[labels.astype(bool)], scores[~labels.astype(bool)]
    return float(((right[:, None] > wrong) + 0.5 * (right[:, None] == wrong)).mean())


def test_areas_of_all_scores():
    scores = np.round(SCORES, 1)
    want = area_by_pairs(LABELS.ravel(), scores.ravel())
    value = fed(metrics.streaming_dynamic_auc, LABELS.astype(int), scores)[0]
    assert value == pytest.approx(want)
    assert fed(metrics.streaming_dynamic_auc, np.ones((2, 3), int), scores[:2, :3])[0] == 0
    found = fed(metrics.streaming_dynamic_auc, np.array([[1, 0, 1]]), np.array([[3.0, 2.0, 1.0]]), curve="PR")[0]
    assert found == pytest.approx(0.5 + 0.5 * (0.5 + 2 / 3) / 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="labels must be 0 or 1, at least one is >1"):
        fed(metrics.streaming_dynamic_auc, np.full((1, 2), 2), scores[:1, :2])
    with pytest.raises(ValueError, match="curve must be either ROC or PR"):
        metrics.streaming_dynamic_auc(tf.ones([2]), tf.ones([2]), "X")

    data = fed(metrics.auc_with_confidence_intervals, LABELS.astype(int), scores, logit_transformation=False)[0]
    assert data.auc == pytest.approx(want, rel=1e-5)
    assert data.lower == pytest.approx(2 * want - data.upper, rel=1e-5)
    assert data.lower < want < fed(metrics.auc_with_confidence_intervals, LABELS.astype(int), scores)[0].upper < 1
    with pytest.raises(ValueError, match=r"alpha must be between 0 and 1; currently 1\.50"):
        metrics.auc_with_confidence_intervals(tf.ones([2]), tf.ones([2]), alpha=1.5)


def test_the_area_of_a_histogram():
    value = fed(metrics.auc_using_histogram, LABELS, SCORES, score_range=[0.0, 1.0], nbins=1000)[0]
    assert value == pytest.approx(area_by_pairs(LABELS.ravel(), SCORES.ravel()), rel=1e-5)
    with pytest.raises(ValueError, match="boolean_labels should have dtype bool"):
        metrics.auc_using_histogram(SCORES, SCORES, [0.0, 1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="should have rank 1"):
        fed(metrics.auc_using_histogram, LABELS[None], SCORES[None], score_range=[0.0, 1.0])


def test_metrics_of_the_k_best_classes():
    scores = np.array([[[0.1, 0.5, 0.2, 0.3], [0.7, 0.1, 0.2, 0.0]]], np.float32)
    labels = np.array([[3, 2]])
    assert fed(metrics.streaming_recall_at_k, scores, labels, k=2) == (1, 1)
    assert fed(metrics.streaming_recall_at_k, scores, labels, k=1) == (0, 0)
    best, sets = np.array([[[1, 3], [0, 2]]]), np.array([[[3, 0], [1, 3]]])
    assert fed(metrics.streaming_sparse_precision_at_top_k, best, sets) == (0.25, 0.25)
    assert fed(metrics.sparse_recall_at_top_k, sets, best) == (0.25, 0.25)
    assert fed(metrics.streaming_sparse_precision_at_k, scores, sets, k=2) == (0.25, 0.25)
    assert fed(metrics.streaming_sparse_average_precision_at_top_k, best, sets) == pytest.approx((0.125, 0.125))
    made = metrics.streaming_sparse_average_precision_at_top_k(top_k_predictions=tf.constant(best[0]), labels=sets[0])
    assert made[1].shape == ()
    sparse = tf.SparseTensorValue(np.array([[0], [1]]), np.array([2, 7]), np.array([10]))
    with pytest.raises(ValueError, match="at least rank 2"):
        metrics.streaming_sparse_precision_at_top_k(tf.constant([9, 4, 6]), sparse)
