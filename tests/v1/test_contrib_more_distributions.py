"""``tf.contrib.distributions`` of vectors, mixtures, counts, functions of samples: against SciPy's, or a formula."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

stats = pytest.importorskip("scipy.stats")
ds = tf.contrib.distributions
LOC, L = np.float32([0, 1]), np.float32([[1, 0], [0.5, 2]])
X = np.float32([[0.1, 0.2], [1.0, -1.0]])


@pytest.fixture(autouse=True)
def session() -> Any:
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def close(got: Any, want: Any, rtol: float = 2e-5, atol: float = 1e-6) -> None:
    np.testing.assert_allclose(tf.get_default_session().run(got), want, rtol=rtol, atol=atol)


@pytest.mark.parametrize("full", [False, True])
def test_vectors_with_a_covariance(full: bool):
    kind = ds.MultivariateNormalFullCovariance if full else ds.MultivariateNormalTriL
    vectors = kind(LOC, L @ L.T if full else L + np.triu(np.ones((2, 2), "f"), 1))
    right = stats.multivariate_normal(LOC, L @ L.T)
    close(vectors.log_prob(X), right.logpdf(X))
    close(vectors.entropy(), right.entropy())
    close(vectors.covariance(), L @ L.T)
    close(vectors.stddev(), np.sqrt(np.diag(L @ L.T)))
    close(vectors.mean(), LOC)
    drawn = tf.get_default_session().run(vectors.sample(100000, seed=1))
    np.testing.assert_allclose(np.cov(drawn.T), L @ L.T, atol=0.1)


def test_divergences_of_vectors():
    other, where = np.float32([[2, 0], [-0.3, 1]]), np.float32([1, 1])
    inverse, apart = np.linalg.inv(other @ other.T), where - LOC
    ratio = np.linalg.slogdet(other @ other.T)[1] - np.linalg.slogdet(L @ L.T)[1]
    right = 0.5 * (np.trace(inverse @ L @ L.T) + apart @ inverse @ apart - 2 + ratio)
    first, second = ds.MultivariateNormalTriL(LOC, L), ds.MultivariateNormalTriL(where, other)
    close(ds.kl_divergence(first, second), right)
    triangle = ds.MultivariateNormalTriL(LOC, np.float32([[1, 0], [0, 2]]))
    close(ds.MultivariateNormalDiag(LOC, [1.0, 2.0]).kl_divergence(triangle), 0.0)
    soft = ds.MultivariateNormalDiagWithSoftplusScale([0.0], ds.softplus_inverse([2.0]))
    close(soft.stddev(), [2.0])
    with pytest.raises(ValueError, match="Must specify one or both of `loc`, `scale_tril`"):
        ds.MultivariateNormalTriL()


@pytest.mark.parametrize("same", [False, True])
def test_mixtures(same: bool):
    cat = ds.Categorical(probs=[0.3, 0.7])
    if same:
        mixed = ds.MixtureSameFamily(cat, ds.Normal([-1.0, 1.0], [0.5, 2.0]))
    else:
        mixed = ds.Mixture(cat, [ds.Normal(-1.0, 0.5), ds.Normal(1.0, 2.0)])
    first, second, x = stats.norm(-1, 0.5), stats.norm(1, 2), np.float32([0.1, 2.0])
    close(mixed.log_prob(x), np.log(0.3 * first.pdf(x) + 0.7 * second.pdf(x)))
    close(mixed.cdf(x), 0.3 * first.cdf(x) + 0.7 * second.cdf(x))
    close(mixed.mean(), 0.4)
    close(mixed.variance(), 0.3 * (1 + 0.25) + 0.7 * (1 + 4) - 0.16)
    drawn = tf.get_default_session().run(mixed.sample(20000, seed=3))
    np.testing.assert_allclose([drawn.mean(), drawn.var()], [0.4, 3.715], atol=0.1)


def test_mixtures_of_vectors_and_batches():
    parts = ds.MultivariateNormalDiag([[0.0, 0.0], [1.0, 1.0]], [[1.0, 1.0], [2.0, 2.0]])
    mixed = ds.MixtureSameFamily(ds.Categorical(probs=[0.3, 0.7]), parts)
    first, second = stats.multivariate_normal([0, 0], np.eye(2)), stats.multivariate_normal([1, 1], 4 * np.eye(2))
    close(mixed.log_prob(X[0]), np.log(0.3 * first.pdf(X[0]) + 0.7 * second.pdf(X[0])))
    close(mixed.mean(), [0.7, 0.7])
    assert (mixed.batch_shape.as_list(), mixed.event_shape.as_list()) == ([], [2])
    assert mixed.sample(5).shape.as_list() == [5, 2]
    several = ds.Mixture(
        ds.Categorical(probs=[[0.3, 0.7]] * 4),
        [ds.MultivariateNormalDiag(tf.zeros([4, 2])), ds.MultivariateNormalDiag(tf.ones([4, 2]))],
    )
    session = tf.get_default_session()
    shapes = [session.run(each).shape for each in (several.sample(3), several.log_prob(tf.zeros([4, 2])))]
    assert shapes == [(3, 4, 2), (4,)]
    close(several.entropy_lower_bound(), [math.log(2 * math.pi * math.e)] * 4)
    with pytest.raises(ValueError, match=r"cat.num_classes != len"):
        ds.Mixture(ds.Categorical(probs=[0.3, 0.7]), [ds.Normal(0.0, 1.0)])
    with pytest.raises(TypeError, match="cat must be a Categorical"):
        ds.Mixture([0.3, 0.7], [ds.Normal(0.0, 1.0)])


def test_counts_classes_and_the_logistic_distribution():
    close(ds.Poisson([1.0, 4.0]).log_prob([1.0, 3.0]), stats.poisson([1, 4]).logpmf([1, 3]))
    found = ds.Poisson([[1.0], [4.0]], interpolate_nondiscrete=False).log_prob([1.0, 2.5, -1.0])
    close(found, stats.poisson([[1], [4]]).logpmf([1.0, 2.5, -1.0]))
    close(ds.Poisson(log_rate=0.0).kl_divergence(ds.Poisson(2.0)), 1.0 - math.log(2))
    right, logistic = stats.logistic(0.5, 2.0), ds.Logistic(0.5, 2.0)
    close(logistic.log_prob(0.3), right.logpdf(0.3))
    close([logistic.entropy(), logistic.cdf(0.3), logistic.stddev()], [right.entropy(), right.cdf(0.3), right.std()])
    hot = ds.OneHotCategorical(logits=[1.0, 2.0])
    close(hot.log_prob([0.0, 1.0]), -math.log(1 + math.exp(-1)))
    close(hot.mode(), [0, 1])
    drawn = tf.get_default_session().run(hot.sample(9))
    assert drawn.shape == (9, 2)
    assert (drawn.sum(1) == 1).all()
    with pytest.raises(ValueError, match="exactly one of `rate` and `log_rate`"):
        ds.Poisson()


def test_shares_of_one_hot_classes_count_by_their_share():
    hot = ds.OneHotCategorical(probs=[0.2, 0.3, 0.5])
    close(hot.log_prob([[0.5, 0.0, 0.5], [0, 1, 0]]), [0.5 * (math.log(0.2) + math.log(0.5)), math.log(0.3)])
    p = np.array([0.2, 0.3, 0.5])
    close(hot.covariance(), np.diag(p) - np.outer(p, p))
    strict = ds.OneHotCategorical(probs=[0.5, 0.5], validate_args=True)
    close(strict.log_prob([1, 0]), math.log(0.5))
    with pytest.raises(tf.errors.InvalidArgumentError):
        close(strict.log_prob([1, 1]), 0.0)


def test_poisson_counts_up_to_a_number():
    right, n = stats.poisson([1, 4]), [2.0, 3.0]
    counts = ds.Poisson([1.0, 4.0])
    close([counts.cdf(n), counts.survival_function(n)], [right.cdf(n), right.sf(n)])
    strict = ds.Poisson(1.0, None, True)  # as in TensorFlow 1.15, third
    for method in (strict.log_prob, strict.cdf):
        for value, message in ((-1.0, "must be non-negative"), (1.5, "cannot contain fractional components")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=message):
                close(method(value), 0.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="x > 0"):
        close(ds.Poisson(-1.0, validate_args=True).rate, 0.0)


def test_numbers_outside_of_their_distributions():
    half = ds.HalfNormal(2.0)
    for method in (half.prob, half.cdf, half.log_prob):
        assert np.isnan(tf.get_default_session().run(method(math.nan)))
    close([half.prob(-1.0), half.cdf(-1.0)], [0.0, 0.0])
    curve = ds.Kumaraswamy([2.0, 3.0], 2.0, validate_args=True)
    assert isinstance(curve, ds.TransformedDistribution)
    assert curve.sample(5).shape.as_list() == [5, 2]
    close(curve.quantile(curve.cdf([0.25, 0.5])), [0.25, 0.5])
    for value, message in ((-0.5, "must be non-negative"), (1.5, "must be no larger than")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            close(curve.log_prob(value), 0.0)


def test_relaxed_classes_have_gradients_through_samples():
    logits = tf.constant([1.0, 2.0, 3.0])
    relaxed, w = ds.RelaxedOneHotCategorical(0.5, logits=logits), np.float32([0.2, 0.3, 0.5])
    p = np.exp([1, 2, 3]) / np.exp([1, 2, 3]).sum()
    right = math.lgamma(3) + 2 * math.log(0.5) + np.log(p * w**-1.5).sum() - 3 * math.log((p * w**-0.5).sum())
    close(relaxed.log_prob(w), right)
    sample = relaxed.sample(4, seed=1)
    assert tf.gradients(sample, logits)[0] is not None
    close(tf.reduce_sum(sample, -1), [1.0] * 4)
    grid = np.linspace(1e-4, 1 - 1e-4, 200001)
    density = tf.get_default_session().run(ds.RelaxedBernoulli(1.5, probs=0.3).prob(grid.astype("f")))
    assert abs(density.mean() - 1.0) < 0.01


def test_functions_of_samples():
    lognormal, right = ds.TransformedDistribution(ds.Normal(0.0, 1.0), ds.bijectors.Exp()), stats.lognorm(1.0)
    close(lognormal.log_prob([0.5, 2.0]), right.logpdf([0.5, 2.0]))
    close([lognormal.cdf(2.0), lognormal.quantile(0.3)], [right.cdf(2.0), right.ppf(0.3)])
    chain = ds.bijectors.Chain([ds.bijectors.AffineScalar(1.0, 2.0), ds.bijectors.Exp()])
    z = np.log((np.float32([2, 5]) - 1) / 2)
    moved = chain(ds.MultivariateNormalDiag([0.0, 0.0]))
    close(moved.log_prob([2.0, 5.0]), (stats.norm.logpdf(z) - z - math.log(2)).sum())
    rows = ds.Independent(ds.Normal(tf.zeros([4, 3]), 1.0))
    assert (rows.batch_shape.as_list(), rows.event_shape.as_list()) == ([4], [3])
    close(rows.log_prob(tf.zeros([4, 3])), [3 * stats.norm.logpdf(0)] * 4)
    close(ds.kl_divergence(rows, ds.Independent(ds.Normal(tf.ones([4, 3]), 1.0))), [1.5] * 4)


@pytest.mark.parametrize("name", ["Exp", "Identity", "Sigmoid", "Softplus", "inverse", "line"])
def test_bijectors_stretch_as_their_derivatives_do(name: str):
    own = {"inverse": ds.bijectors.Invert(ds.bijectors.Softplus()), "line": ds.bijectors.AffineScalar(1.0, -3.0)}
    bijector = own[name] if name in own else getattr(ds.bijectors, name)()
    x = tf.constant([0.3, 0.8])
    y = bijector.forward(x)
    close(bijector.inverse(y), [0.3, 0.8], atol=1e-5)
    slope = np.log(np.abs(tf.get_default_session().run(tf.gradients(y, x)[0])))
    close(bijector.forward_log_det_jacobian(x, 0), slope, atol=1e-5)
    close(bijector.inverse_log_det_jacobian(y, 1), -slope.sum(), atol=1e-5)


def test_numbers_fill_triangles_in_tensorflows_order():
    close(ds.fill_triangular([1.0, 2, 3, 4, 5, 6]), [[4, 0, 0], [6, 5, 0], [3, 2, 1]])
    close(ds.fill_triangular([1.0, 2, 3, 4, 5, 6], upper=True), [[1, 2, 3], [0, 5, 6], [0, 0, 4]])
    fed = tf.placeholder(tf.float32)
    got = tf.get_default_session().run(ds.fill_triangular(fed), {fed: np.arange(1, 7).reshape(2, 3)})
    np.testing.assert_array_equal(got, [[[3, 0], [2, 1]], [[6, 0], [5, 4]]])
    with pytest.raises(ValueError, match="does not correspond to a triangular matrix"):
        ds.fill_triangular([1.0, 2.0])
