"""``tf.contrib.distributions``: matrices, rounded numbers, skew vectors, batches in other shapes, conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

stats = pytest.importorskip("scipy.stats")
ds = tf.contrib.distributions
SCALE = np.array([[2.0, 0.5], [0.5, 1.0]])
VALUES = np.array([[[3.0, 1.0], [1.0, 2.0]], [[5.0, -1.0], [-1.0, 4.0]]])


@pytest.fixture(autouse=True)
def session() -> Any:
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def run(what: Any, feeds: Any = None) -> Any:
    return tf.get_default_session().run(what, feeds)


@pytest.mark.parametrize("factors", [False, True])
def test_wishart(factors: bool) -> None:
    made = ds.WishartFull(4.0, SCALE, cholesky_input_output_matrices=factors)
    right = stats.wishart(4, SCALE)
    values = np.linalg.cholesky(VALUES) if factors else VALUES
    np.testing.assert_allclose(run(made.log_prob(values)), [right.logpdf(value) for value in VALUES], rtol=1e-9)
    np.testing.assert_allclose(run(made.entropy()), right.entropy(), rtol=1e-9)
    draws = run(made.sample(20000, seed=3))
    draws = draws @ draws.transpose(0, 2, 1) if factors else draws
    np.testing.assert_allclose(draws.mean(0), 4 * SCALE, rtol=0.05)
    np.testing.assert_allclose(draws.var(0), right.var(), rtol=0.1)
    np.testing.assert_allclose(np.linalg.slogdet(draws)[1].mean(), run(made.mean_log_det()), atol=0.05)
    if not factors:
        np.testing.assert_allclose(run(made.variance()), right.var(), rtol=1e-9)
    with pytest.raises(ValueError, match="cannot be less than dimension"):
        ds.WishartCholesky(1.0, np.linalg.cholesky(SCALE))


def test_batches_of_wishart_distributions() -> None:
    factors = np.linalg.cholesky([SCALE, 2 * SCALE])
    made = ds.WishartCholesky([4.0, 5.0], factors)
    right = [stats.wishart(df, scale) for df, scale in ((4, SCALE), (5, 2 * SCALE))]
    np.testing.assert_allclose(run(made.log_prob(VALUES[0])), [each.logpdf(VALUES[0]) for each in right], rtol=1e-9)
    np.testing.assert_allclose(run(made.mean()), [each.mean() for each in right], rtol=1e-9)
    np.testing.assert_allclose(run(made.mode()), [1 * SCALE, 2 * 2 * SCALE], rtol=1e-9)
    reshaped = ds.BatchReshape(made, [2, -1], validate_args=True)
    assert reshaped.event_shape.as_list() == [2, 2]
    assert run(reshaped.batch_shape_tensor()).tolist() == [2, 1]
    np.testing.assert_allclose(run(reshaped.mean())[:, 0], [each.mean() for each in right], rtol=1e-9)
    assert run(reshaped.sample(3)).shape == (3, 2, 1, 2, 2)


def test_numbers_that_are_rounded_up() -> None:
    normal, right = tf.distributions.Normal(0.0, 2.0), stats.norm(0, 2)
    whole, bounded = ds.QuantizedDistribution(normal), ds.QuantizedDistribution(normal, -1.0, 3.0)
    y = np.float32([-1, 0, 2, 3])
    np.testing.assert_allclose(run(whole.prob(y)), right.cdf(y) - right.cdf(y - 1), rtol=1e-5)
    np.testing.assert_allclose(run(whole.log_prob(40.0)), np.log(right.sf(39) - right.sf(40)), rtol=1e-5)
    shares = [right.cdf(-1), right.cdf(0) - right.cdf(-1), right.cdf(2) - right.cdf(1), right.sf(2)]
    np.testing.assert_allclose(run(bounded.prob(y)), shares, rtol=1e-5)
    np.testing.assert_allclose(run(bounded.cdf(np.float32([-2, 0.5, 3]))), [0, right.cdf(0), 1], rtol=1e-5)
    draws = run(bounded.sample(20000, seed=1))
    np.testing.assert_allclose([(draws == each).mean() for each in y], shares, atol=0.015)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be strictly less"):
        run(ds.QuantizedDistribution(normal, 1.0, 1.0, validate_args=True).sample())


def test_vectors_of_other_elements_than_normal_ones() -> None:
    loc, widths = np.float32([1.0, -1.0]), np.float32([2.0, 0.5])
    laplace, late = ds.VectorLaplaceDiag(loc, widths), ds.VectorExponentialDiag(loc, widths)
    x = np.float32([2.0, -0.5])
    wants = [stats.laplace(loc, widths), stats.expon(loc, widths)]
    for made, right in zip((laplace, late), wants, strict=True):
        np.testing.assert_allclose(run(made.log_prob(x)), right.logpdf(x).sum(), rtol=1e-5)
        np.testing.assert_allclose(run(made.mean()), right.mean(), rtol=1e-6)
        np.testing.assert_allclose(run(made.covariance()), np.diag(right.var()), rtol=1e-6)
        draws = run(made.sample(40000, seed=2))
        np.testing.assert_allclose(np.cov(draws.T), np.diag(right.var()), atol=0.2)
    np.testing.assert_allclose(run(late.mode()), loc)


def test_skew_numbers_and_vectors() -> None:
    loc, width, skew, tail = np.float32([1.0, 2.0]), np.float32([0.5, 2.0]), np.float32(0.5), np.float32(2.0)
    numbers = ds.SinhArcsinh(loc, width, skew, tail)
    vectors = ds.VectorSinhArcsinhDiag(loc, width, skewness=skew, tailweight=tail)
    x = np.float32([1.5, 1.0])
    stretch = 2 * width / np.sinh(np.arcsinh(2) * tail)
    z = np.sinh(np.arcsinh((x - loc) / stretch) / tail - skew)
    slopes = (np.sinh((np.arcsinh(z + 1e-4) + skew) * tail) - np.sinh((np.arcsinh(z - 1e-4) + skew) * tail)) / 2e-4
    want = stats.norm.logpdf(z) - np.log(stretch * slopes)
    np.testing.assert_allclose(run(numbers.log_prob(x)), want, rtol=1e-2)
    np.testing.assert_allclose(run(vectors.log_prob(x)), want.sum(), rtol=1e-2)
    assert numbers.batch_shape.as_list() == vectors.event_shape.as_list() == [2]
    plain = ds.SinhArcsinh(loc, width)
    np.testing.assert_allclose(run(plain.log_prob(x)), stats.norm(loc, width).logpdf(x), rtol=1e-5)


def test_near_the_corners() -> None:
    logs = ds.ExpRelaxedOneHotCategorical([0.5, 2.0], [[0.1, 0.2, 0.3], [1.0, 0.0, 2.0]])
    shares = ds.RelaxedOneHotCategorical([0.5, 2.0], [[0.1, 0.2, 0.3], [1.0, 0.0, 2.0]])
    x = run(logs.sample(seed=1))
    np.testing.assert_allclose(np.exp(x).sum(-1), [1, 1], rtol=1e-5)
    np.testing.assert_allclose(run(shares.log_prob(np.exp(x))), run(logs.log_prob(x)) - x.sum(-1), rtol=1e-4)
    assert shares.batch_shape.as_list() == [2]


def test_values_of_batches_in_other_shapes() -> None:
    normal = tf.distributions.Normal([0.0, 1.0, 2.0, 3.0], 1.0)
    square = ds.BatchReshape(normal, [2, 2])
    right = stats.norm([[0, 1], [2, 3]], 1)
    np.testing.assert_allclose(run(square.log_prob([[1.0, 1.0], [1.0, 1.0]])), right.logpdf(1), rtol=1e-5)
    np.testing.assert_allclose(run(square.mean()), right.mean())
    with pytest.raises(NotImplementedError, match="too few batch and event dims"):
        square.log_prob([1.0, 2.0])
    with pytest.raises(ValueError, match=r"size \(6\) must match .* size \(4\)"):
        ds.BatchReshape(normal, [2, 3])


def test_conditions_of_distributions() -> None:
    class Shifted(tf.contrib.distributions.bijectors.ConditionalBijector):
        def __init__(self) -> None:
            super().__init__(is_constant_jacobian=True, forward_min_event_ndims=0, name="shifted")

        def _forward(self, x: Any, by: Any) -> Any:
            return x + by

        def _inverse(self, y: Any, by: Any) -> Any:
            return y - by

        def _inverse_log_det_jacobian(self, y: Any, by: Any) -> Any:
            return tf.zeros([])

    made = ds.ConditionalTransformedDistribution(tf.distributions.Normal(0.0, 1.0), Shifted())
    assert run(made.sample(3, bijector_kwargs={"by": 1000.0})).min() > 900
    np.testing.assert_allclose(run(made.log_prob(3.0, bijector_kwargs={"by": 2.0})), stats.norm.logpdf(1), rtol=1e-6)
    np.testing.assert_allclose(run(made.cdf(3.0, bijector_kwargs={"by": 2.0})), stats.norm.cdf(1), rtol=1e-6)


@pytest.mark.parametrize("axis", [0, -1])
def test_correlations_of_sequences_with_themselves(axis: int) -> None:
    x = np.random.default_rng(1).normal(size=(4, 5))
    centred = x - x.mean(axis, keepdims=True)
    rows = centred.T if axis == 0 else centred
    want = np.array([[(row[: len(row) - k] * row[k:]).mean() for k in range(3)] for row in rows])
    want = want / want[:, :1]
    np.testing.assert_allclose(run(ds.auto_correlation(x, axis, 2)), want.T if axis == 0 else want, rtol=1e-9)


def test_logarithms_of_moving_means_and_seeds() -> None:
    average = tf.Variable(np.log(2.0))
    moved = ds.assign_log_moving_mean_exp(average, np.log(6.0), 0.75)
    run(tf.global_variables_initializer())
    np.testing.assert_allclose(np.exp(run(moved)), 3.0)
    first, again = ds.SeedStream(7, "a"), ds.SeedStream(7, "a")
    seeds = [first(), first()]
    assert seeds == [again(), again()]
    assert len({*seeds, ds.SeedStream(first, "b")()}) == 3
    assert ds.SeedStream(None, "a")() is None
