"""Distributions of functions of samples: shapes that stand for others, mixtures, normal distributions by operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

stats = pytest.importorskip("scipy.stats")
ds, bs = tf.contrib.distributions, tf.contrib.distributions.bijectors
LOWER = np.float32([[1.0, 0.0], [2.0, -1.5]])


@pytest.fixture(autouse=True)
def session() -> Any:
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def run(what: Any, feeds: Any = None) -> Any:
    return tf.get_default_session().run(what, feeds)


@pytest.mark.parametrize("fed", [False, True])
@pytest.mark.parametrize("means", [0.0, [0.0, 0.0, 0.0]])
def test_shapes_that_stand_for_those_of_a_distribution(fed: bool, means: Any) -> None:
    batch, event = np.int32([] if np.ndim(means) else [3]), np.int32([2])
    shapes = [tf.placeholder(tf.int32) for _ in range(2)] if fed else [batch, event]
    feeds = dict(zip(shapes, (batch, event), strict=True)) if fed else None
    normal = tf.distributions.Normal(means, np.ones_like(means, np.float32))
    made = ds.TransformedDistribution(normal, bs.Affine([1.0, -1.0], scale_tril=LOWER), *shapes, validate_args=True)
    assert run([made.batch_shape_tensor(), made.event_shape_tensor()], feeds)[0].tolist() == [3]
    draws = run(made.sample(4000, seed=1), feeds)
    assert draws.shape == (4000, 3, 2)
    np.testing.assert_allclose(np.cov(draws[:, 1].T), LOWER @ LOWER.T, atol=0.4)
    right = stats.multivariate_normal([1, -1], LOWER @ LOWER.T)
    np.testing.assert_allclose(run(made.log_prob(draws[:5]), feeds), right.logpdf(draws[:5]), rtol=1e-4)
    np.testing.assert_allclose(run(made.entropy(), feeds), [right.entropy()] * 3, rtol=1e-5)
    with pytest.raises(NotImplementedError, match="cdf is not implemented when overriding event_shape"):
        made.cdf(draws[0])


def test_shapes_that_a_distribution_has_itself_are_refused() -> None:
    vectors = ds.MultivariateNormalDiag([[0.0]], [1.0])
    with pytest.raises(ValueError, match="base distribution not scalar"):
        ds.TransformedDistribution(vectors, batch_shape=[2])
    with pytest.raises(ValueError, match="must have positive elements"):
        ds.TransformedDistribution(tf.distributions.Normal(0.0, 1.0), event_shape=[0])


def test_negative_widths_are_deviations_of_their_size() -> None:
    vectors = ds.MultivariateNormalDiag([0.0, 1.0], [-2.0, 3.0])
    right = stats.multivariate_normal([0, 1], np.diag([4.0, 9.0]))
    got = run([vectors.stddev(), vectors.entropy(), vectors.log_prob([0.5, 0.5]), vectors.covariance()])
    for found, want in zip(got, ([2, 3], right.entropy(), right.logpdf([0.5, 0.5]), np.diag([4, 9])), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-6)


def test_scales_of_a_diagonal_and_an_update_of_low_rank() -> None:
    factor = np.float32([[1.0], [2.0]])
    vectors = ds.MultivariateNormalDiagPlusLowRank([1.0, 2.0], [1.0, 3.0], scale_perturb_factor=factor)
    scale = np.diag([1.0, 3.0]) + factor @ factor.T
    right = stats.multivariate_normal([1, 2], scale @ scale.T)
    got = run([vectors.covariance(), vectors.log_prob([0.0, 0.0]), vectors.scale.to_dense()])
    for found, want in zip(got, (scale @ scale.T, right.logpdf([0, 0]), scale), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-5)


@pytest.mark.parametrize("family", [False, True])
def test_the_component_does_not_depend_on_the_value_that_is_drawn(family: bool) -> None:
    cat = ds.Categorical(probs=[0.5, 0.5])
    parts = [ds.Normal(0.0, 1.0), ds.Normal(100.0, 1.0)]
    mixed = ds.MixtureSameFamily(cat, ds.Normal([0.0, 100.0], 1.0)) if family else ds.Mixture(cat, parts)
    draws = run(mixed.sample(20000, seed=5))
    upper = draws[draws > 50]
    np.testing.assert_allclose([len(upper) / 20000, upper.mean() - 100, upper.std()], [0.5, 0, 1], atol=0.03)


def test_one_choice_for_a_batch_of_mixtures() -> None:
    parts = ds.Normal([[-100.0, 100.0], [-100.0, 100.0], [-100.0, 100.0]], 1.0)
    mixed = ds.MixtureSameFamily(ds.Categorical(probs=[0.25, 0.75]), parts)
    draws = run(mixed.sample(4000, seed=1)) > 0
    assert draws.shape == (4000, 3)
    assert (draws == draws[:, :1]).all()
    np.testing.assert_allclose(draws.mean(), 0.75, atol=0.02)
    vectors = ds.MixtureSameFamily(
        ds.Categorical(probs=[0.25, 0.75]), ds.MultivariateNormalDiag([[0.0, 0.0], [2.0, 4.0]])
    )
    # Of means (0, 0) and (2, 4): 0.25 * 0.75 times the squares, and the identity.
    np.testing.assert_allclose(run(vectors.covariance()), [[1.75, 1.5], [1.5, 4.0]], rtol=1e-6)


def test_mixtures_refuse_components_that_differ() -> None:
    cat = ds.Categorical(probs=[0.5, 0.5])
    with pytest.raises(TypeError, match="same dtype"):
        ds.Mixture(cat, [ds.Normal(0.0, 1.0), ds.Normal(np.float64(0.0), np.float64(1.0))])
    with pytest.raises(ValueError, match="not compatible"):
        ds.Mixture(cat, [ds.Normal(0.0, 1.0), ds.Normal([0.0, 1.0], 1.0)])
    with pytest.raises(ValueError, match=r"components` \(2\) does not equal .* \(3\)"):
        ds.MixtureSameFamily(cat, ds.Normal([0.0, 1.0, 2.0], 1.0))
    means = tf.placeholder(tf.float32)
    late = ds.Mixture(cat, [ds.Normal(means, 1.0), ds.Normal(0.0, 1.0)], validate_args=True)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"components\[0\] batch shape must match"):
        run(late.sample(), {means: [1.0, 2.0]})


def test_numbers_of_draws_with_an_axis_for_the_classes() -> None:
    total, weights = np.float32([[2.0], [3.0]]), np.float32([[1.0, 2.0, 3.0], [1.0, 1.0, 2.0]])
    counts = tf.distributions.DirichletMultinomial(total, weights)
    shares = weights / weights.sum(-1, keepdims=True)
    spread = total * (total + weights.sum(-1, keepdims=True)) / (1 + weights.sum(-1, keepdims=True))
    mean, variance, covariance = run([counts.mean(), counts.variance(), counts.covariance()])
    np.testing.assert_allclose(mean, total * shares, rtol=1e-6)
    np.testing.assert_allclose(variance, spread * shares * (1 - shares), rtol=1e-6)
    assert covariance.shape == (2, 3, 3)


def test_a_session_knows_whether_a_batch_is_one_distribution() -> None:
    means = tf.placeholder(tf.float32)
    normal = tf.distributions.Normal(means, 1.0)
    assert [bool(run(normal.is_scalar_batch(), {means: value})) for value in (0.0, [0.0])] == [True, False]


def test_a_name_is_the_bijectors_and_the_distributions_with_its_scope() -> None:
    with tf.Graph().as_default():
        with tf.name_scope("enc"):
            normal = tf.distributions.Normal(0.0, 1.0)
            inside = ds.TransformedDistribution(normal, bs.Exp())
        outside = ds.TransformedDistribution(normal, bs.Exp(), name="T")
        assert [inside.name, outside.name] == ["expenc/Normal/", "T/"]
        assert inside.log_prob(1.0).name.startswith("expenc/Normal/log_prob/")
