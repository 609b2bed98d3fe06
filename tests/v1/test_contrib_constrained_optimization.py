"""``tf.contrib.constrained_optimization``: steps worked out with NumPy, and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

co = tf.contrib.constrained_optimization
Sgd = tf.train.GradientDescentOptimizer


class Problem(co.ConstrainedMinimizationProblem):
    """The square of x - (2, 1), where the sum of x is to be at most 1 and x[0] at least 0.2."""

    def __init__(self, *, by_proxies: bool = False, before: Any = None) -> None:
        self.x = tf.Variable([0.0, 0.0])
        self._by_proxies, self.pre_train = by_proxies, before

    @property
    def objective(self) -> Any:
        return tf.reduce_sum(tf.square(self.x - [2.0, 1.0]))

    @property
    def _smooth(self) -> Any:
        return tf.stack([tf.reduce_sum(self.x) - 1.0, 0.2 - self.x[0]])

    @property
    def constraints(self) -> Any:
        return tf.cast(self._smooth > 0, tf.float32) if self._by_proxies else self._smooth

    @property
    def proxy_constraints(self) -> Any:
        return self._smooth if self._by_proxies else None

    @property
    def pre_train_ops(self) -> Any:
        return self.pre_train


@pytest.fixture(autouse=True)
def session() -> Iterator[Any]:
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def states(session: Any, step: Any, problem: Problem, count: int) -> list[tuple[Any, Any]]:
    """Return the variable and the state of the multipliers after each of the steps."""
    (state,) = (v for v in tf.global_variables() if v.op.name.endswith("regret_optimizer_state"))
    session.run(tf.global_variables_initializer())
    found = []
    for _ in range(count):
        session.run(step)
        found.append(tuple(session.run([problem.x, state])))
    return found


@pytest.mark.parametrize("own", [False, True], ids=["one optimizer", "two"])
@pytest.mark.parametrize("proxies", [False, True])
def test_multipliers_rise_by_constraints_and_stay_within_their_radius(session: Any, own: bool, proxies: bool) -> None:
    problem = Problem(by_proxies=proxies)
    optimizer = co.AdditiveExternalRegretOptimizer(Sgd(0.1), Sgd(0.5) if own else None, maximum_multiplier_radius=1.0)
    assert (optimizer.optimizer.__class__, optimizer.constraint_optimizer is None) == (Sgd, not own)
    found = states(session, optimizer.minimize(problem), problem, 12)
    x, m = np.zeros(2), np.zeros(2)
    for got_x, got_m in found:
        smooth = np.array([x.sum() - 1, 0.2 - x[0]])
        above = (smooth > 0).astype(float) if proxies else smooth
        x = x - 0.1 * (2 * (x - [2, 1]) + m[0] - m[1] * np.array([1, 0]))
        m = np.maximum(m + (0.5 if own else 0.1) * above, 0)
        if m.sum() > 1:  # to the nearest point of the simplex
            m = np.maximum(m - (m.sum() - 1) / 2, 0)
            m = m / m.sum()
        np.testing.assert_allclose(got_x, x, rtol=1e-5)
        np.testing.assert_allclose(got_m, m, rtol=1e-5, atol=1e-6)


def _distances(state: Any, rise: Any) -> Any:
    moved = state + rise
    for column in moved.T:
        order = np.sort(column)[::-1]
        excess = (np.cumsum(order) - 1) / np.arange(1, len(order) + 1)
        column[:] = np.maximum(column - excess[np.sum(order > excess) - 1], 0)
    return moved


def _logarithms(state: Any, rise: Any) -> Any:
    moved = np.exp(state + rise)
    return np.log(np.maximum(moved / moved.sum(0), 0.3 / 3))


@pytest.mark.parametrize(
    ("make", "first", "project", "matrix"),
    [
        (co.AdditiveSwapRegretOptimizer, np.eye(3)[:1].T * np.ones(3), _distances, lambda state: state),
        (
            lambda sgd: co.MultiplicativeSwapRegretOptimizer(sgd, None, 0.3, 0.6),
            np.log([[0.6] * 3, [0.2] * 3, [0.2] * 3]),
            _logarithms,
            np.exp,
        ),
    ],
    ids=["additive", "multiplicative"],
)
def test_weights_are_stationary_for_a_matrix_that_rises_by_constraints(
    session: Any, make: Any, first: Any, project: Callable[[Any, Any], Any], matrix: Callable[[Any], Any]
) -> None:
    problem = Problem(by_proxies=True)
    found = states(session, make(Sgd(0.1)).minimize(problem), problem, 8)
    x, state = np.zeros(2), first
    for got_x, got_state in found:
        values, vectors = np.linalg.eig(matrix(state))
        weights = np.abs(vectors[:, np.argmax(values.real)].real)
        weights /= weights.sum()
        smooth = np.array([x.sum() - 1, 0.2 - x[0]])
        slope = weights[0] * 2 * (x - [2, 1]) + weights[1] - weights[2] * np.array([1, 0])
        x, above = x - 0.1 * slope, np.array([0, *(smooth > 0)])
        state = project(state, 0.1 * np.outer(above, weights))
        np.testing.assert_allclose(got_x, x, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(got_state, state, rtol=1e-4, atol=1e-5)


def test_the_first_steps_may_leave_the_constraints_alone(session: Any) -> None:
    step_number, runs = tf.train.get_or_create_global_step(), tf.Variable(0)
    problem = Problem(before=[tf.assign_add(runs, 1)])
    optimizer = co.AdditiveExternalRegretOptimizer(Sgd(0.1))
    step = optimizer.minimize(problem, unconstrained_steps=2, global_step=step_number)
    found = states(session, step, problem, 400)
    np.testing.assert_allclose(found[1][0], 0.36 * np.array([2, 1]), rtol=1e-6)
    assert found[1][1].tolist() == [0.0, 0.0]
    assert session.run([step_number, runs]) == [400, 400]
    np.testing.assert_allclose(found[-1][0], [1.0, 0.0], atol=1e-3)  # the nearest point of sum 1
    np.testing.assert_allclose(found[-1][1], [2.0, 0.0], atol=1e-3)
    with pytest.raises(ValueError, match="global_step cannot be None"):
        optimizer.minimize(problem, unconstrained_steps=2)


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="strictly positive"):
        co.AdditiveExternalRegretOptimizer(Sgd(0.1), maximum_multiplier_radius=-1.0)
    with pytest.raises(ValueError, match=r"range \(0,1\)"):
        co.MultiplicativeSwapRegretOptimizer(Sgd(0.1), minimum_multiplier_radius=1.0)
    with pytest.raises(ValueError, match="initial_multiplier_radius"):
        co.MultiplicativeSwapRegretOptimizer(Sgd(0.1), minimum_multiplier_radius=0.5, initial_multiplier_radius=0.1)


def test_the_best_candidates_are_found() -> None:
    pytest.importorskip("scipy")
    objectives = np.array([1.0, 0.0, 3.0])
    shares = co.find_best_candidate_distribution(objectives, np.array([[-1.0, 1.0, -2.0]]))
    np.testing.assert_allclose(shares, [0.5, 0.5, 0.0], atol=1e-9)
    least = co.find_best_candidate_distribution(objectives, np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]), 1e-6)
    np.testing.assert_allclose(least, [0.5, 0.5, 0.0], atol=1e-5)
    constraints = np.array([[0.5, -1.0, 0.1], [-1.0, 0.9, 0.1]])
    assert co.find_best_candidate_index(objectives, constraints) == 2
    assert co.find_best_candidate_index([1.0, 1.0], np.zeros((0, 2))) == 1
    with pytest.raises(ValueError, match="must have shape"):
        co.find_best_candidate_index(objectives, constraints[:, :2])
