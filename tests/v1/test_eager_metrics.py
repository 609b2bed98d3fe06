"""``tf.contrib.eager.metrics``: the same numbers in both modes, which are those of the formulas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set

metrics = tf.contrib.eager.metrics

CASES = [
    (metrics.Mean, [([1.0, 2.0, 6.0],), ([3.0],)], 3.0),
    (metrics.Mean, [([1.0, 2.0], [1.0, 3.0]), ([5.0], 0.0)], 1.75),
    (metrics.Accuracy, [([0, 1, 2], [0, 1, 1]), ([5], [5])], 0.75),
    (metrics.Accuracy, [([0, 1], [0, 0], [3.0, 1.0])], 0.75),
    (metrics.SparseAccuracy, [([0, 1], [[0.9, 0.1], [0.8, 0.2]])], 0.5),
    (metrics.CategoricalAccuracy, [([[0.0, 1.0], [1.0, 0.0]], [[0.1, 0.9], [0.7, 0.3]])], 1.0),
    (lambda: metrics.BinaryAccuracy(0.5), [([0, 1, 1, 0], [0.2, 0.7, 0.4, 0.6])], 0.5),
]


@pytest.fixture
def eager() -> Iterator[None]:
    with eager_execution_set(True):
        yield


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(("make", "batches", "want"), CASES)
def test_metrics_in_eager_mode(make: Any, batches: Any, want: float):
    metric = make()
    for batch in batches:
        metric(*batch)
    result = metric.result()
    assert (result.numpy(), result.dtype) == (want, tf.float64)
    assert [variable.numpy() > 0 for variable in metric.variables] == [True, True]
    metric.init_variables()
    metric(*batches[-1])
    again = make()
    again(*batches[-1])
    np.testing.assert_array_equal(metric.result().numpy(), again.result().numpy())


@pytest.mark.parametrize(("make", "batches", "want"), CASES)
def test_metrics_in_graph_mode(make: Any, batches: Any, want: float):
    metric = make()
    updates = [metric(*map(tf.constant, batch)) for batch in batches]
    result = metric.result()
    with tf.Session() as session:
        session.run(metric.init_variables())
        for update in updates:
            session.run(update)
        assert session.run(result) == want
    assert metric.variables == tf.local_variables()


@pytest.mark.usefixtures("eager")
def test_labels_must_fit_and_subclasses_say_what_they_need():
    for labels, predictions in (([1, 2], [1, 2, 3]), ([1], [[1]]), ([1], [1.0])):
        with pytest.raises(ValueError, match="labels and predictions"):
            metrics.Accuracy("hits")(tf.constant(labels), tf.constant(predictions))
    with pytest.raises(NotImplementedError, match="Metric must have build"):
        metrics.Metric()(1.0)
    assert metrics.Mean("loss").name == "loss"
