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
    (lambda: metrics.BinaryAccuracy(1.5), [([0, 1], [1.0, 2.0])], 1.0),
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
    with pytest.raises(tf.errors.InvalidArgumentError, match="labels and predictions are unequal"):
        metrics.Accuracy()(tf.constant([1, 2]), tf.constant([1, 2, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"int32 tensor but is a float tensor \[Op:Equal\]$"):
        metrics.Accuracy()(tf.constant([1]), tf.constant([1.0]))
    with pytest.raises(NotImplementedError, match="Metric must have build"):
        metrics.Metric()(1.0)
    assert metrics.Mean("loss").name == "loss"


def test_metrics_of_a_graph_have_names_and_collections_of_their_own():
    with tf.Graph().as_default(), tf.Session() as session:
        mean, apart = metrics.Mean("has space"), metrics.Mean(use_global_variables=True)
        mean(1000), apart(1.0)
        assert (mean.name, mean.numer.name) == ("has space", "has_space/numer:0")
        assert tf.get_collection("local_variables") == mean.variables
        assert tf.get_collection("variables") == apart.variables
        assert tf.get_collection("metric_variables") == mean.variables + apart.variables
        with pytest.raises(ValueError, match="already exists"):
            metrics.Mean(use_global_variables=True)(2.0)
        looped = metrics.Mean("looped")

        def body(i):
            with tf.control_dependencies([looped(i)]):
                return i + 1

        end = tf.while_loop(lambda i: i < 3, body, [1])
        session.run([looped.init_variables(), tf.local_variables_initializer()])
        assert [session.run(end), session.run(looped.value())] == [3, 1.5]


def test_metrics_of_eager_mode_begin_anew_and_are_saved(tmp_path):
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        mean = metrics.Mean()
        mean.build()
        variable = mean.numer
        mean(100.0), mean(200.0)
        assert variable is mean.numer
        checkpoint = tf.train.Checkpoint(mean=mean)
        path = checkpoint.save(str(tmp_path / "ckpt"))
        mean.init_variables()
        assert np.isnan(mean.value()().numpy())
        checkpoint.restore(path).assert_consumed()
        mean(300.0)
        assert float(mean.value()()) == 200.0
        later = metrics.Mean()
        status = tf.train.Checkpoint(mean=later).restore(path)
        later(300.0)  # makes the variables, with the values of the checkpoint
        status.assert_consumed()
        assert float(later.result()) == 200.0
        total = metrics.Mean()
        total(0.0), total.aggregate([later, later])
        assert (float(total.numer), float(total.denom)) == (1200.0, 7.0)
        with pytest.raises(ValueError, match="variables in the same order"):
            total.aggregate([mean])  # those of `build` alone have other names
        with pytest.raises(TypeError, match="must be the same type"):
            mean.aggregate([metrics.Accuracy()])


class Total(metrics.Metric):
    def build(self, value):
        self.total = self.add_variable("total", (), tf.float32, tf.zeros_initializer())

    def call(self, value):
        self.total.assign_add(value)
        return value

    def result(self):
        return self.total.read_value()


def test_a_metric_of_a_programs_own_is_updated_by_what_its_call_returns_in_a_graph():
    total = Total()
    updates = [total(1.0), total(2.0)]
    with tf.Session() as session:
        session.run(total.init_variables())
        assert session.run(updates) == [1.0, 2.0]
        assert session.run(total.result()) == 3.0
    with pytest.raises(RuntimeError, match="except in build"):
        total.add_variable("late", ())


def test_variables_are_made_with_the_values_of_a_checkpoint(tmp_path):
    eager = tf.contrib.eager
    with (
        pytest.raises(ValueError, match="can only be used with eager execution"),
        eager.restore_variables_on_create(""),
    ):
        pass
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        v, optimizer = tf.Variable(1.0, name="v1"), tf.train.MomentumOptimizer(0.1, 0.9)
        optimizer.minimize(lambda: v * v)
        assert len(eager.get_optimizer_variables(optimizer)) == 1
        v.assign(3.0)
        path = eager.Saver([v, v]).save(str(tmp_path / "ckpt"))
        with eager.restore_variables_on_create(path, lambda name: {"v3": "v1"}.get(name, name)):
            assert float(tf.Variable(7.0, name="v3")) == 3.0
            with pytest.raises(tf.errors.NotFoundError, match="v2 not found in checkpoint"):
                tf.Variable(7.0, name="v2")
        assert float(tf.Variable(7.0, name="v3")) == 7.0
    assert len(eager.list_devices()) == 1
