"""`tf.contrib.integrate`, `tf.contrib.sparsemax`, `tf.contrib.nn` and `tf.contrib.stateless`.

TensorFlow 1.15 gave the numbers; later TensorFlows do not have these packages.
"""

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

NOWHERE = float("nan")


def run(*fetches: Any) -> Any:
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches)


def test_steps_are_as_long_as_the_tolerances_allow() -> None:
    with tf.Graph().as_default():
        w = tf.constant([[-0.5, 1.0], [-1.0, -0.3]], tf.float64)
        y, told = tf.contrib.integrate.odeint(
            lambda y, t: tf.tanh(tf.matmul(w, y)) * (1 + t),
            tf.constant([[1.0], [0.0]], tf.float64),
            [0.0, 0.5, 2.0],
            rtol=1e-4,
            atol=1e-6,
            full_output=True,
        )
        assert y.shape.as_list() == [3, 2, 1]
        values, slope, told = run(y, tf.gradients(y[-1], w)[0], told)
    wanted = [[1, 0], [0.6516860114748476, -0.39992106006077777], [-0.18690046722424666, 0.1156076307333384]]
    np.testing.assert_allclose(values[:, :, 0], wanted, rtol=1e-12)
    of_w = [[-0.19758374474806034, 0.4999872919970215], [-0.5441758536447505, -0.22833170100632313]]
    np.testing.assert_allclose(slope, of_w, rtol=1e-10)
    assert told["num_func_evals"] == 79
    np.testing.assert_allclose(told["integrate_points"][:4], [1, 0.5133771837, 1.05501175995, 0.90715667028])
    np.testing.assert_allclose(told["error_ratio"][:3], [16.5588324985, 0.4517139113, 2.9072273865])


@pytest.mark.parametrize(
    ("method", "dt", "wanted"),
    [
        ("rk4", 0.25, [[1, 2], [0.78270417, 1.56540835], [0.60653067, 1.21306133]]),
        ("midpoint", [0.35, 0.3], [[1, 2], [0.77682006, 1.55364013], [0.60145837, 1.20291674]]),
    ],
)
def test_fixed_steps(method: str, dt: Any, wanted: Any) -> None:
    with tf.Graph().as_default():
        start, times = tf.constant([1.0, 2.0]), [0.0, 0.7, 1.0]
        y = tf.contrib.integrate.odeint_fixed(lambda y, t: -y * tf.cast(t, y.dtype), start, times, dt, method)
        np.testing.assert_allclose(run(y)[0], wanted, rtol=1e-6)


def test_equations_that_are_refused() -> None:
    solve, fixed = tf.contrib.integrate.odeint, tf.contrib.integrate.odeint_fixed
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match="invalid method: 'euler'"):
            solve(lambda y, t: y, 1.0, [0, 1], method="euler")
        with pytest.raises(ValueError, match="cannot supply `options` without specifying `method`"):
            solve(lambda y, t: y, 1.0, [0, 1], options={"safety": 0.5})
        with pytest.raises(ValueError, match="method not supported: euler"):
            fixed(lambda y, t: y, 1.0, [0.0, 1.0], method="euler")
        with pytest.raises(TypeError, match="`y0` must have a floating point or complex floating point dtype"):
            solve(lambda y, t: y, 1, [0, 1])
        for made, message in (
            (solve(lambda y, t: -y, 1.0, [1, 0]), "`t` must be monotonic increasing"),
            (
                solve(lambda y, t: -y, 1.0, [0, 9], method="dopri5", options={"max_num_steps": 2}),
                "max_num_steps exceeded",
            ),
            (solve(lambda y, t: y / 0.0, 1.0, [0, 1]), "non-finite|underflow"),
        ):
            with pytest.raises(tf.errors.InvalidArgumentError, match=message):
                run(made)


def test_probabilities_of_which_many_are_zero() -> None:
    logits = np.array([[1.0, 2.0, 0.5], [0.0, 0.0, 5.0], [0.1, 0.2, 0.15]], np.float32)
    labels = np.eye(3, dtype=np.float32)[[0, 2, 1]]
    with tf.Graph().as_default():
        x = tf.constant(logits)
        shares = tf.contrib.sparsemax.sparsemax(x)
        loss = tf.contrib.sparsemax.sparsemax_loss(x, shares, labels)
        values, losses, slope = run(shares, loss, tf.gradients(loss, x)[0])
        odd = tf.constant([[NOWHERE, 1.0], [np.inf, 1.0], [-np.inf, 1.0]])
        (of_odd,) = run(tf.contrib.sparsemax.sparsemax(odd))
    np.testing.assert_allclose(values, [[0, 1, 0], [0, 0, 1], [0.28333333, 0.38333333, 0.33333331]], rtol=1e-6)
    np.testing.assert_allclose(losses, [1, 0, 0.28583336], rtol=1e-6)
    np.testing.assert_allclose(slope, values - labels, atol=1e-6)
    np.testing.assert_array_equal(of_odd, [[NOWHERE] * 2, [NOWHERE] * 2, [0, 1]])


def test_activations_and_losses_of_nn() -> None:
    nn, logits, labels = tf.contrib.nn, np.array([[1.0, 2.0]], np.float32), np.array([[0.0, 1.0]], np.float32)
    with tf.Graph().as_default():
        x = tf.constant([[1.0, 2.0, 0.1]])
        (smooth,) = run(nn.scaled_softplus(x, 0.5, clip=1.5))
        np.testing.assert_allclose(smooth, [[1.06346405, 1.5, 0.3990694]], rtol=1e-6)
        assert nn.alpha_dropout(x, 1.0).op.type == "Const"
        with pytest.raises(ValueError, match="in the range"):
            nn.alpha_dropout(x, 1.5)
        (dropped,) = run(nn.alpha_dropout(tf.random_normal([200, 200], seed=1), 0.9, seed=2))
        assert abs(dropped.mean()) < 0.02
        assert abs(dropped.std() - 1) < 0.02
        losses = run(
            nn.deprecated_flipped_softmax_cross_entropy_with_logits(logits, labels),
            nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(logits, [1]),
            tf.reduce_sum(nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(logits, labels), 1),
        )
    np.testing.assert_allclose(np.ravel(losses), [0.31326169, 0.31326169, 1.44018977], rtol=1e-6)


@pytest.mark.parametrize(("temperature", "kept"), [(1.0, 0), (3.0, 1)])
def test_sampled_classes_with_the_largest_logits_are_kept(temperature: float, kept: int) -> None:
    # Logits are 1 and 10 for the one class, 8 and 9 for the other: which is larger depends on the temperature.
    nn = tf.contrib.nn
    with tf.Graph().as_default():
        weights, inputs = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[6.0, -2.5], [-11.0, 10.5]])
        given = weights, tf.zeros([2]), tf.constant([[0], [1]], tf.int64), inputs
        both, one = ([0, 1], [[1.0], [1.0]], [1.0, 1.0]), ([kept], [[1.0], [1.0]], [1.0])
        ranked = nn.rank_sampled_softmax_loss(*given, 2, 1, 2, 1, both, temperature, False, "div")
        wanted = nn.sampled_sparse_softmax_loss(*given, 1, 2, one, False, "div")
        np.testing.assert_allclose(*run(ranked, wanted), rtol=1e-6)
        for numbers, message in (((3, 1), "cannot be greater"), ((1, 1), "must be less than num_sampled")):
            with pytest.raises(ValueError, match=message):
                nn.rank_sampled_softmax_loss(*given, *numbers, 2, 1, both, 1.0, False, "div")
        with pytest.raises(ValueError, match="unsupported partition_strategy"):
            nn.rank_sampled_softmax_loss(*given, 2, 1, 2, 1, both, 1.0, False, "sum")


def test_stateless_draws_under_their_old_names() -> None:
    stateless, random = tf.contrib.stateless, tf.random
    with tf.Graph().as_default():
        for old, new in (("random_normal", "normal"), ("random_uniform", "uniform"), ("truncated_normal",) * 2):
            under = (stateless, old), (random, new)
            np.testing.assert_array_equal(
                *run(*(getattr(home, f"stateless_{name}")([3], [1, 2]) for home, name in under))
            )
