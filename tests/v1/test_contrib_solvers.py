"""``tf.contrib.solvers`` and ``tf.contrib.bayesflow.monte_carlo`` against what NumPy and integrals give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

_A = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
_B = np.array([1.0, 2.0, 3.0])
_TALL = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, 1.0], [1.0, 0.0]])

solvers = tf.contrib.solvers
monte_carlo = tf.contrib.bayesflow.monte_carlo


def _run(fetches: Any, feed_dict: Any = None) -> Any:
    with tf.Session() as session:
        return session.run(fetches, feed_dict)


@pytest.mark.parametrize("known", [True, False], ids=["known", "fed"])
@pytest.mark.parametrize("conditioned", [True, False], ids=["jacobi", "plain"])
def test_conjugate_gradients_solve_in_as_many_steps_as_there_are_rows(known: bool, conditioned: bool) -> None:
    with tf.Graph().as_default():
        a = tf.constant(_A) if known else tf.placeholder(tf.float64)
        jacobi = solvers.util.create_operator(tf.constant(np.diag(1 / np.diag(_A)))) if conditioned else None
        operator = solvers.util.create_operator(a)
        state = solvers.linear_equations.conjugate_gradient(operator, _B, preconditioner=jacobi, tol=1e-12)
        got = _run(state, None if known else {a: _A})
    assert got.i == 3
    np.testing.assert_allclose(got.x, np.linalg.solve(_A, _B))
    np.testing.assert_allclose(got.r, _B - _A @ got.x, atol=1e-12)


def test_conjugate_gradients_stop_at_once_where_the_start_solves() -> None:
    with tf.Graph().as_default():
        operator = solvers.util.create_operator(tf.constant(_A))
        start = tf.constant(np.linalg.solve(_A, _B))
        state = _run(solvers.linear_equations.conjugate_gradient(operator, _B, x=start, tol=2.0))
    assert state.i == 0


def test_cgls_finds_the_least_squares() -> None:
    with tf.Graph().as_default():
        rhs = np.array([1.0, 0.0, 2.0, 5.0])
        state = _run(solvers.least_squares.cgls(solvers.util.create_operator(tf.constant(_TALL)), rhs, tol=1e-10))
    np.testing.assert_allclose(state.x, np.linalg.lstsq(_TALL, rhs, rcond=None)[0])
    np.testing.assert_allclose(state.r, rhs - _TALL @ state.x)


@pytest.mark.parametrize("orthogonalize", [True, False])
def test_lanczos_steps_give_the_bidiagonal_form(orthogonalize: bool) -> None:
    with tf.Graph().as_default():
        operator = solvers.util.create_operator(tf.constant(_TALL))
        start = tf.constant(np.array([1.0, 2.0, 0.0, 1.0]))[:, tf.newaxis]
        form = solvers.lanczos.lanczos_bidiag(operator, 2, orthogonalize=orthogonalize, starting_vector=start)
        product = solvers.lanczos.bidiag_matmul(form.u, form.alpha, form.beta)
        back = solvers.lanczos.bidiag_matmul(form.v, form.alpha, form.beta, adjoint_b=True)
        u, v, av, atu = _run([form.u, form.v, product, back])
    np.testing.assert_allclose(av, _TALL @ v, atol=1e-12)
    np.testing.assert_allclose(atu, _TALL.T @ u[:, :-1], atol=1e-12)
    np.testing.assert_allclose(u.T @ u, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(v.T @ v, np.eye(2), atol=1e-12)


def test_importance_samples_weigh_what_is_above_and_below_zero() -> None:
    with tf.Graph().as_default():
        p, q = tf.distributions.Normal(1.0, 0.5), tf.distributions.Normal(0.0, 2.0)
        z = np.linspace(-8, 8, 4001).astype(np.float32)
        values = {"f": lambda x: x - 2.0, "log_p": p.log_prob, "sampling_dist_q": q, "z": z}
        mean = monte_carlo.expectation_importance_sampler(**values)
        log_square = monte_carlo.expectation_importance_sampler_logspace(
            lambda x: 2 * tf.log(tf.abs(x) + 1e-30), p.log_prob, q, z=z
        )
        got, got_square, ratio = _run([mean, log_square, p.prob(z) / q.prob(z)])
    assert got == pytest.approx(np.mean((z - 2) * ratio), rel=1e-4)
    assert got_square == pytest.approx(np.log(np.mean(z**2 * ratio)), rel=1e-4)
    with pytest.raises(ValueError, match='exactly one of arguments "n" and "z"'):
        monte_carlo.expectation_importance_sampler(**{**values, "n": 3})


def test_the_gradient_of_an_expectation_comes_by_the_samples_or_by_the_score() -> None:
    with tf.Graph().as_default():
        mean = tf.constant(2.0)
        normal = tf.distributions.Normal(mean, 1.0)
        samples = normal.sample(20000, seed=1)
        by_samples = monte_carlo.expectation(tf.square, samples)
        by_score = monte_carlo.expectation(tf.square, samples, normal.log_prob, use_reparametrization=False)
        values = _run([by_samples, by_score, *tf.gradients(by_samples, mean), *tf.gradients(by_score, mean)])
    assert values[0] == values[1] == pytest.approx(5, rel=0.02)
    assert values[2] == pytest.approx(4, rel=0.02)
    assert values[3] == pytest.approx(4, rel=0.1)
