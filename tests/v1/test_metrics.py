"""``tf.metrics`` against NumPy over several batches; ``tf.test``, ``tf.print`` and small names."""

from __future__ import annotations

import io
import sys
import unittest
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

RNG = np.random.default_rng(0)
BATCHES = [(RNG.integers(0, 2, 7), RNG.integers(0, 2, 7), RNG.uniform(0, 2, 7)) for _ in range(3)]


def over_batches(make: Callable[..., Any], weighted: bool, batches: Any = BATCHES) -> tuple[list[float], float]:
    """Return what each update gave, and the value at the end."""
    kinds = [np.asarray(array).dtype for array in batches[0]]
    labels, predictions = (tf.placeholder(tf.float32 if kind.kind == "f" else tf.int32, [None]) for kind in kinds[:2])
    weights = tf.placeholder(tf.float32, [None])
    value, update = make(labels, predictions, weights if weighted else None)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        updates = [session.run(update, {labels: a, predictions: b, weights: c}) for a, b, c in batches]
        return updates, session.run(value)


def so_far(number: int, weighted: bool, batches: Any = BATCHES) -> tuple[Any, Any, Any]:
    labels, predictions, weights = (np.concatenate(parts) for parts in zip(*batches[:number], strict=True))
    return labels, predictions, weights if weighted else np.ones(len(labels))


FORMULAS: dict[str, Any] = {
    "accuracy": lambda a, b, w: np.average(a == b, weights=w),
    "mean_squared_error": lambda a, b, w: np.average((a - b) ** 2, weights=w),
    "mean_absolute_error": lambda a, b, w: np.average(abs(a - b), weights=w),
    "root_mean_squared_error": lambda a, b, w: np.sqrt(np.average((a - b) ** 2, weights=w)),
    "true_positives": lambda a, b, w: w[(a == 1) & (b == 1)].sum(),
    "true_negatives": lambda a, b, w: w[(a == 0) & (b == 0)].sum(),
    "false_positives": lambda a, b, w: w[(a == 0) & (b == 1)].sum(),
    "false_negatives": lambda a, b, w: w[(a == 1) & (b == 0)].sum(),
    "precision": lambda a, b, w: w[(a == 1) & (b == 1)].sum() / w[b == 1].sum(),
    "recall": lambda a, b, w: w[(a == 1) & (b == 1)].sum() / w[a == 1].sum(),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", FORMULAS)
def test_metrics_are_those_of_all_batches_so_far(name: str, weighted: bool):
    updates, value = over_batches(getattr(tf.metrics, name), weighted)
    expected = [FORMULAS[name](*so_far(number, weighted)) for number in (1, 2, 3)]
    np.testing.assert_allclose(updates, expected, rtol=1e-5)
    np.testing.assert_allclose(value, expected[-1], rtol=1e-5)
    assert all(v.name.startswith(f"{name}/") for v in tf.local_variables())
    assert tf.global_variables() == []


@pytest.mark.parametrize("weighted", [False, True])
def test_the_area_under_the_roc_curve_is_that_of_all_pairs(weighted: bool):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 600)
    score = np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0, 1).astype(np.float32)
    weight = rng.uniform(0.5, 2, 600) if weighted else np.ones(600)
    batches = [(truth[k::3], score[k::3], weight[k::3]) for k in range(3)]
    _, value = over_batches(lambda a, b, c: tf.metrics.auc(a, b, c), weighted, batches)
    pairs = np.outer(weight[truth == 1], weight[truth == 0])
    above = score[truth == 1][:, None] > score[truth == 0]
    np.testing.assert_allclose(value, (pairs * above).sum() / pairs.sum(), atol=0.01)
    with pytest.raises(ValueError, match="curve must be either ROC or PR"):
        tf.metrics.auc([0], [0.5], curve="X")


def test_means_and_collections():
    value, update = tf.metrics.mean(
        [1.0, 2.0, 6.0], [1.0, 1.0, 0.0], metrics_collections="m", updates_collections=["u"]
    )
    assert (tf.get_collection("m"), tf.get_collection("u")) == ([value], [update])
    distance, moved = tf.metrics.mean_cosine_distance([[1.0, 0.0]], [[0.6, 0.8]], 1)
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        assert session.run([value, update]) == [0, 1.5] or session.run(value) == 1.5
        np.testing.assert_allclose(session.run(moved), 0.4, rtol=1e-6)
        np.testing.assert_allclose(session.run(distance), 0.4, rtol=1e-6)


class Case(tf.test.TestCase):
    __test__ = False  # run below

    def test_all(self) -> None:
        v = tf.Variable([1.0, 2.0], name="v")
        with self.cached_session() as session:
            session.run(tf.global_variables_initializer())
            self.assertAllEqual(v * 2, [2, 4])
            self.assertAllClose({"a": [1.0, 2.0]}, {"a": self.evaluate(v)})
            with self.assertRaisesOpError("must have shape|shape"):
                session.run(tf.reshape(tf.placeholder_with_default([1.0, 2.0], [None]), [3]))
        with self.cached_session() as again:
            assert again is session
        self.assertShapeEqual(np.zeros(2), v)
        self.assertNear(1.0, 1.05, 0.1)

    def test_differences_fail(self) -> None:
        for check, a, b in [
            (self.assertAllEqual, [1], [2]),
            (self.assertAllEqual, [1], [[1]]),
            (self.assertAllClose, [1.0], [1.1]),
            (self.assertAllClose, {"a": 1}, {"b": 1}),
        ]:
            with pytest.raises(AssertionError):
                check(a, b)
        assert [v.name for v in tf.global_variables()] == []


@pytest.mark.parametrize("name", ["test_all", "test_differences_fail"])
def test_the_test_case(name: str):
    result = unittest.TestResult()
    Case(name).run(result)
    assert [*result.errors, *result.failures] == []


def test_values_are_printed_in_a_run(tmp_path):
    x, path = tf.constant([1.5, 2.0]), tmp_path / "out.txt"
    shown = tf.print("x is", x, {"a": tf.constant(3)}, [x, b"text"], output_stream=f"file://{path}")
    long = tf.print(tf.range(100), output_stream=f"file://{path}", summarize=2, end="|")
    with tf.Session() as session:
        session.run(shown)
        session.run(long)
        out = io.StringIO()
        with redirect_stderr(out):
            session.run(tf.print("ä", sep="", output_stream=sys.stderr))
    assert (
        path.read_text() == "x is [1.5 2. ] {'a': 3} [[1.5 2. ], text]\n[ 0  1 ... 98 99]|" or "..." in path.read_text()
    )
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print("x", output_stream=3)
    with pytest.raises(ValueError, match="Unrecognized keyword arguments"):
        tf.print("x", flush=True)


def test_a_branch_by_number():
    index = tf.placeholder(tf.int32, [])
    functions = [lambda: tf.constant(10), lambda: tf.constant(20), lambda: tf.constant(30)]
    plain, with_default = (
        tf.switch_case(index, functions),
        tf.switch_case(index, dict(enumerate(functions[:2])), functions[2]),
    )
    with tf.Session() as session:
        assert [int(session.run(plain, {index: k})) for k in (0, 1, 2, 7, -1)] == [10, 20, 30, 30, 30]
        assert [int(session.run(with_default, {index: k})) for k in (0, 1, 2)] == [10, 20, 30]
    for bad, error in [([3], TypeError), ([], ValueError), ({0: functions[0], 2: functions[1]}, ValueError)]:
        with pytest.raises(error):
            tf.switch_case(index, bad)


def test_small_names():
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([5.0]), np.array([2, 2]))
    with tf.Session() as session:
        assert session.run(tf.sparse_tensor_to_dense(tf.SparseTensor.from_value(value))).tolist() == [[0, 5], [0, 0]]
        assert {node.name for node in session.graph_def.node} >= {"SparseTensor/values"}
    with pytest.raises(TypeError, match="Neither a SparseTensor nor SparseTensorValue"):
        tf.SparseTensor.from_value([1])
    with tf.variable_scope("s") as scope:
        scope.set_initializer(tf.constant_initializer(3.0))
        scope.set_regularizer(tf.contrib.layers.l2_regularizer(0.5))
        v = tf.get_variable("v", [2])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(v).tolist() == [3, 3]
        assert session.run(tf.losses.get_regularization_loss()) == 0.5 * 9
