"""``tf.contrib.distributions``: positive numbers, counts of trials, one value, statistics; against SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

stats = pytest.importorskip("scipy.stats")
ds = tf.contrib.distributions
X = np.float32([0.2, 0.9, 2.5])
A, B = np.float32([2.5, 3.0, 4.0]), np.float32([0.5, 2.0, 3.0])
N, P, K = np.float32([4, 9, 3]), np.float32([0.2, 0.5, 0.7]), np.float32([0, 3, 3])

FAMILIES: dict[str, tuple[Any, Any, Any]] = {
    "Cauchy": (lambda: ds.Cauchy(A, B), stats.cauchy(A, B), X),
    "Chi2": (lambda: ds.Chi2(A), stats.chi2(A), X),
    "HalfNormal": (lambda: ds.HalfNormal(B), stats.halfnorm(scale=B), X),
    "InverseGamma": (lambda: ds.InverseGamma(A, B), stats.invgamma(A, scale=B), X),
    "Binomial": (lambda: ds.Binomial(N, probs=P), stats.binom(N, P), K),
    "Geometric": (lambda: ds.Geometric(probs=P), stats.geom(P, loc=-1), K),
    "NegativeBinomial": (lambda: ds.NegativeBinomial(N, probs=P), stats.nbinom(N, 1 - P), K),
}
UNDEFINED = {"Cauchy": ("mean", "stddev")}
NOT_DRAWN = {"Binomial"}  # TensorFlow has no samples of it
NO_ENTROPY = {"Binomial", "NegativeBinomial"}


@pytest.fixture(autouse=True)
def session() -> Any:
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def run(what: Any) -> Any:
    return tf.get_default_session().run(what)


def close(got: Any, want: Any, rtol: float = 3e-5, atol: float = 1e-6) -> None:
    np.testing.assert_allclose(run(got), want, rtol=rtol, atol=atol)


@pytest.mark.parametrize("family", FAMILIES)
def test_probabilities_and_statistics(family: str) -> None:
    make, right, x = FAMILIES[family]
    ours = make()
    log_prob = getattr(right, "logpmf", None) if hasattr(right.dist, "pmf") else right.logpdf
    close(ours.log_prob(x), log_prob(x))
    close(ours.prob(x), np.exp(log_prob(x)))
    close(ours.cdf(x), right.cdf(x))
    if family in UNDEFINED:
        assert all(np.isnan(run(getattr(ours, name)())).all() for name in UNDEFINED[family])
    else:
        close(ours.mean(), right.mean())
        close(ours.variance(), right.var())
    if family not in NO_ENTROPY:
        close(ours.entropy(), right.entropy(), 1e-4)
    assert (ours.batch_shape.as_list(), ours.event_shape.as_list()) == ([3], [])


@pytest.mark.parametrize("family", [each for each in FAMILIES if each not in NOT_DRAWN])
def test_samples_have_the_distribution(family: str) -> None:
    make, right, _ = FAMILIES[family]
    drawn = run(make().sample(4000, seed=3))
    assert (drawn.shape, drawn.dtype) == ((4000, 3), np.float32)
    for k in range(3):
        points = np.quantile(drawn[:, k], [0.1, 0.4, 0.7, 0.95])
        share = np.array([(drawn[:, k] <= point).mean() for point in points])
        np.testing.assert_allclose(share, right.cdf(np.float64(points)[:, None])[:, k], atol=0.03)


def test_quantiles_are_the_inverse_of_cdf() -> None:
    q = np.float32([0.1, 0.5, 0.8])
    for ours in (ds.Cauchy(A, B), ds.HalfNormal(B), ds.Kumaraswamy(A, B)):
        close(ours.cdf(ours.quantile(q)), q, 1e-4)


def test_kumaraswamy() -> None:
    ours, x = ds.Kumaraswamy(A, B), np.float32([0.1, 0.5, 0.9])
    a, b, share = np.float64(A), np.float64(B), (np.arange(200000)[:, None] + 0.5) / 200000
    close(ours.cdf(x), 1 - (1 - x**a) ** b)
    close(ours.prob(x), a * b * x ** (a - 1) * (1 - x**a) ** (b - 1), 1e-4)
    sample = (1 - (1 - share) ** (1 / b)) ** (1 / a)  # as evenly spread as samples can be
    close(ours.mean(), sample.mean(0), 1e-4)
    close(ours.variance(), sample.var(0), 1e-3)
    density = a * b * sample ** (a - 1) * (1 - sample**a) ** (b - 1)
    close(ours.entropy(), -np.log(density).mean(0), 1e-3, 1e-3)
    close(ours.mode(), [np.nan, *((a[1:] - 1) / (a[1:] * b[1:] - 1)) ** (1 / a[1:])])
    assert run(ours.sample(7)).shape == (7, 3)


def test_modes_and_wrong_parameters() -> None:
    close(ds.Binomial(N, probs=P).mode(), np.floor((1 + N) * P))
    close(ds.NegativeBinomial(N, probs=P).mode(), np.floor((N - 1) * P / (1 - P)))
    close(ds.Geometric(probs=P).mode(), [0, 0, 0])
    close(ds.InverseGamma(A, B).mode(), B / (A + 1))
    assert np.isnan(run(ds.InverseGamma([1.0], [1.0]).mean())).all()
    with pytest.raises(ValueError, match="`mean` is undefined for Cauchy"):
        ds.Cauchy(0.0, 1.0, allow_nan_stats=False).mean()
    checked = [
        lambda: ds.Binomial([4.5], probs=[0.5], validate_args=True).mean(),
        lambda: ds.Binomial([4.0], probs=[0.5], validate_args=True).prob([5.0]),
        lambda: ds.Geometric(probs=[1.0], validate_args=True).entropy(),
        lambda: ds.HalfNormal([-1.0], validate_args=True).mean(),
        lambda: ds.Deterministic([1.0], atol=-1.0, validate_args=True).prob([1.0]),
    ]
    for each in checked:
        with pytest.raises(tf.errors.InvalidArgumentError):
            run(each())
    with pytest.raises(ValueError, match="logits"):
        ds.Geometric()


def test_parameters_by_softplus() -> None:
    rate = np.float32([0.3, -1.0, 2.0])
    close(
        ds.InverseGammaWithSoftplusConcentrationRate(rate + 5, rate).mode(),
        run(tf.nn.softplus(rate) / (1 + tf.nn.softplus(rate + 5))),
    )
    close(ds.GammaWithSoftplusConcentrationRate(rate, rate).mean(), [1, 1, 1])
    close(ds.Chi2WithAbsDf([-3.7]).mean(), [3.0])


def test_one_value() -> None:
    one = ds.Deterministic([1.0, 2.0], rtol=0.1)
    close(one.prob([1.05, 2.5]), [1, 0])
    close(one.cdf([0.5, 2.5]), [0, 1])
    assert run(one.sample([3])).tolist() == [[1.0, 2.0]] * 3
    vectors = ds.VectorDeterministic([[1.0, 2.0], [3.0, 4.0]])
    close(ds.VectorDeterministic(tf.placeholder_with_default([1.0, 2.0], None)).event_shape_tensor(), [2])
    close(vectors.prob([[1.0, 2.0], [3.0, 5.0]]), [1, 0])
    assert (vectors.batch_shape.as_list(), vectors.event_shape.as_list()) == ([2], [2])
    assert run(vectors.sample()).shape == (2, 2)
    with pytest.raises(ValueError, match="rank at least 1"):
        ds.VectorDeterministic(1.0)


@pytest.mark.parametrize("interpolation", ["lower", "higher", "nearest"])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2)])
def test_percentiles(interpolation: str, axis: Any) -> None:
    x = np.random.default_rng(0).standard_normal((4, 3, 5)).astype(np.float32)
    for q in (0.0, 31.0, 72.5, 100.0):
        right = np.percentile(x, q, axis=axis, method=interpolation)
        close(ds.percentile(x, q, axis, interpolation), right)
        kept = ds.percentile(x, q, axis, interpolation, keep_dims=True)
        close(kept, np.percentile(x, q, axis=axis, method=interpolation, keepdims=True))
    with pytest.raises(ValueError, match="interpolation"):
        ds.percentile(x, 3.0, interpolation="linear")


def test_a_mean_and_a_variance_that_move() -> None:
    value = tf.placeholder(tf.float32, [2])
    mean, variance = ds.moving_mean_variance(value, 0.75)
    run(tf.global_variables_initializer())
    m, v = np.zeros(2), np.zeros(2)
    for each in ([1.0, -2.0], [0.5, 3.0], [0.0, 1.0]):
        v = 0.75 * (v + 0.25 * (np.array(each) - m) ** 2)
        m = 0.75 * m + 0.25 * np.array(each)
        got = tf.get_default_session().run([mean, variance], {value: each})
        np.testing.assert_allclose(got, [m, v], rtol=1e-5)
    assert [each.op.name for each in tf.global_variables()] == [
        "moving_mean_variance/moving_mean",
        "moving_mean_variance/moving_variance",
    ]


def test_what_samples_tell_of_a_mean() -> None:
    prior, samples = ds.Normal(1.0, 2.0), np.float32([3.0, 4.0, 2.5])
    after = ds.normal_conjugates_known_scale_posterior(prior, 0.5, samples.sum(), 3)
    precision = 1 / 4 + 3 / 0.25
    close(after.loc, (1 / 4 + samples.sum() / 0.25) / precision)
    close(after.scale, precision**-0.5)
    following = ds.normal_conjugates_known_scale_predictive(prior, 0.5, samples.sum(), 3)
    close(following.stddev(), (1 / precision + 0.25) ** 0.5)
    with pytest.raises(TypeError, match="Normal"):
        ds.normal_conjugates_known_scale_posterior(ds.Laplace(0.0, 1.0), 0.5, 1.0, 3)
