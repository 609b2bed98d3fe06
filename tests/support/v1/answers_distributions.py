"""Programs of `tf.distributions`: probabilities, statistics, divergences, shapes of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


def normal(tf: Any) -> Any:
    return tf.distributions.Normal(loc=[0.0, 1.0], scale=[[1.0], [2.0]])


@graph
def a_normal_distribution(tf: Any) -> Any:
    n, m = normal(tf), tf.distributions.Normal(0.5, 2.0)
    values = [
        n.log_prob(0.3),
        n.prob([0.3, 1.0]),
        n.cdf(0.4),
        n.survival_function(0.2),
        n.log_cdf(0.2),
        n.quantile(0.3),
    ]
    values += [n.entropy(), n.mean(), n.stddev(), n.variance(), n.mode(), n.kl_divergence(m), n.cross_entropy(m)]
    return run(tf, values)


@graph
def shapes_of_normal_samples(tf: Any) -> Any:
    n = normal(tf)
    shapes = [n.batch_shape, n.event_shape, n.sample().shape, n.sample(3).shape, n.sample([2, 3]).shape]
    fed = tf.placeholder(tf.float32, [None])
    open_shape = tf.distributions.Normal(fed, 1.0).sample(2)
    return (
        [shape.as_list() for shape in shapes],
        run(tf, [n.batch_shape_tensor(), n.is_scalar_batch()]),
        run(tf, tf.shape(open_shape), {fed: [1.0, 2.0, 3.0]}),
    )


@graph
def gradients_through_a_normal_distribution(tf: Any) -> Any:
    n = normal(tf)
    gradients = tf.gradients(n.log_prob(2.0), [n.loc, n.scale])
    return run(tf, [gradients, tf.gradients(n.sample(5), n.loc), tf.gradients(n.entropy(), n.scale)])


@graph
def a_categorical_distribution(tf: Any) -> Any:
    c = tf.distributions.Categorical(logits=[[0.1, 2.0, -1.0], [1.0, 0.0, 3.0]])
    d = tf.distributions.Categorical(probs=[0.2, 0.3, 0.5])
    values = [c.log_prob([0, 2]), c.log_prob([[0, 2], [1, 1]]), c.prob(1), c.entropy(), c.mode(), c.cdf(1)]
    values += [c.kl_divergence(d), d.log_prob(1), c.event_size, tf.gradients(c.log_prob([0, 2]), c.logits)]
    certain = tf.distributions.Categorical(probs=[0.0, 1.0])
    samples = [c.sample(4), c.sample(), d.sample([2, 2])]
    told = [[sample.shape.as_list(), sample.dtype.name] for sample in samples]
    return run(tf, [values, certain.log_prob(1), certain.sample(3)]), told


@graph
def a_bernoulli_distribution(tf: Any) -> Any:
    b, d = tf.distributions.Bernoulli(probs=[0.2, 0.7]), tf.distributions.Bernoulli(logits=1.0)
    values = [b.log_prob([1, 0]), b.log_prob([[1.0], [0.0]]), b.prob(1), b.entropy(), b.mean(), b.mode(), b.variance()]
    values += [b.kl_divergence(d), d.logits, d.probs, tf.gradients(d.log_prob(1), d.logits)]
    return run(tf, values), b.sample(2).dtype.name, b.sample([2, 3]).shape.as_list()


@graph
def other_distributions(tf: Any) -> Any:
    space = tf.distributions
    u, v, e = space.Uniform(1.0, [3.0, 4.0]), space.Laplace(0.0, 2.0), space.Exponential([1.0, 2.0])
    values = [u.log_prob([0.5, 2.0]), u.prob(3.0), u.cdf(2.0), u.entropy(), u.mean(), u.variance(), u.stddev()]
    values += [v.log_prob(0.3), v.cdf([-1.0, 2.0]), v.entropy(), v.mean(), v.stddev(), v.variance()]
    values += [e.log_prob(2.0), e.cdf(1.0), e.entropy(), e.mean(), e.variance()]
    shapes = [d.sample(3).shape.as_list() for d in (u, v, e)]
    return run(tf, values), shapes


@graph
def names_of_distributions(tf: Any) -> Any:
    space = tf.distributions
    made = [space.Normal(0.0, 1.0), space.Normal(0.0, 1.0), space.Bernoulli(probs=0.5, name="b")]
    return [d.name for d in made], [d.dtype.name for d in made], made[0].allow_nan_stats, made[0].validate_args


@graph
def distributions_that_cannot_be(tf: Any) -> Any:
    space = tf.distributions
    return tried(
        lambda: space.Bernoulli(),
        lambda: space.Categorical(logits=[1.0], probs=[1.0]),
        lambda: space.Normal([1], 2.0),
        lambda: normal(tf).kl_divergence(space.Bernoulli(probs=0.2)),
        lambda: space.Normal(np.float32(1.0), np.float64(1.0)),
        lambda: space.RegisterKL(space.Normal, space.Normal)(lambda a, b, name=None: 0),
    )


def _told(tf: Any, made: Any, value: Any, other: Any) -> Any:
    """Return what a distribution says of a value, of itself, and of another one."""
    values = [made.log_prob(value), made.prob(value), made.entropy(), made.mean(), made.variance(), made.stddev()]
    values += [made.mode()] if other is None else [made.mode(), made.kl_divergence(other), made.cross_entropy(other)]
    shapes = [made.batch_shape, made.event_shape, made.sample().shape, made.sample([2, 3]).shape]
    return run(tf, values), [shape.as_list() for shape in shapes], run(tf, tf.shape(made.sample([5])))


@graph
def gamma_distributions(tf: Any) -> Any:
    made = tf.distributions.Gamma([[0.5], [3.0]], [1.0, 2.0])
    return _told(tf, made, [0.3, 2.0], tf.distributions.Gamma(2.0, 1.5)), run(tf, made.cdf([0.3, 2.0]))


@graph
def beta_distributions(tf: Any) -> Any:
    made = tf.distributions.Beta([0.5, 3.0], 2.0)
    return _told(tf, made, [0.3, 0.9], tf.distributions.Beta(2.0, 1.5)), run(tf, made.cdf([0.3, 0.9]))


@graph
def dirichlet_distributions(tf: Any) -> Any:
    made = tf.distributions.Dirichlet([1.25, 2.0, 3.0])
    batch = tf.distributions.Dirichlet([[1.0, 2.0, 3.0], [4.0, 1.5, 2.5]])
    told = _told(tf, made, [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]], tf.distributions.Dirichlet([1.0, 1.0, 2.0]))
    shapes = [batch.batch_shape.as_list(), batch.event_shape.as_list(), batch.sample([2, 4]).shape.as_list()]
    return told, run(tf, [batch.log_prob([0.2, 0.3, 0.5]), batch.entropy(), batch.variance()]), shapes


@graph
def students_distributions(tf: Any) -> Any:
    made = tf.distributions.StudentT([0.5, 1.5, 6.0], [0.0, 1.0, 0.5], 2.0)
    return _told(tf, made, [0.3, 2.0, -1.0], None), run(tf, made.cdf([0.3, 2.0, -1.0]))


@graph
def gradients_through_gamma_distributions(tf: Any) -> Any:
    weights = tf.constant([1.0, 2.0, 3.0])
    made = tf.distributions.Dirichlet(weights)
    samples = made.sample(4000, seed=1)
    # The mean of shares moves with the weights as the mean of the distribution does.
    slope = tf.gradients(samples[:, 0], weights)[0] / 4000 - tf.gradients(made.mean()[0], weights)[0]
    return run(tf, [tf.round(10 * tf.abs(slope)), tf.gradients(made.log_prob([0.2, 0.3, 0.5]), weights)])


@graph
def tails_of_distributions(tf: Any) -> Any:
    x, space = tf.constant([-200.0, -12.0, -5.0, 0.0, 5.0, 6.0, 40.0]), tf.distributions
    values = []
    for d in (space.Normal(0.0, 1.0), space.Laplace(0.0, 1.0)):
        values += [d.log_cdf(x), d.log_survival_function(x), d.survival_function(x)]
        values += [tf.gradients(d.log_cdf(x)[1:], x)[0], tf.gradients(d.log_survival_function(x)[:-1], x)[0]]
    e = space.Exponential([1.0, 2.0])
    values += [e.log_survival_function([0.5, 60.0]), e.log_cdf([0.5, 1.0]), space.Normal(0.0, 1.0).quantile(1e-10)]
    values += [e.kl_divergence(space.Gamma(2.0, 3.0)), e.mode(), space.Categorical(probs=[0.2, 0.8]).log_cdf(1)]
    a, b = tf.constant(1.0), tf.constant(1.0)
    at_one = space.Beta(a, b).log_prob(0.3)
    return run(tf, values), run(tf, tf.gradients(at_one, [b])), run(tf, space.Dirichlet([1.0, 2.0, 3.0]).covariance())


@graph
def checked_distributions(tf: Any) -> Any:
    space, checked = tf.distributions, {"validate_args": True}
    programs = [
        lambda: space.Normal(0.0, -1.0, **checked).log_prob(0.0),
        lambda: space.Laplace(0.0, -1.0, **checked).log_prob(0.0),
        lambda: space.Uniform(3.0, 1.0, **checked).log_prob(2.0),
        lambda: space.Gamma(-1.0, 1.0, **checked).log_prob(1.0),
        lambda: space.Gamma(1.0, 1.0, **checked).log_prob(-1.0),
        lambda: space.Exponential(-1.0, **checked).log_prob(1.0),
        lambda: space.Beta(1.0, -1.0, **checked).log_prob(0.5),
        lambda: space.Beta(1.0, 1.0, **checked).log_prob(1.5),
        lambda: space.Dirichlet([1.0, -2.0], **checked).log_prob([0.5, 0.5]),
        lambda: space.Dirichlet([1.0, 2.0], **checked).log_prob([0.5, 0.9]),
        lambda: space.StudentT(-1.0, 0.0, 1.0, **checked).log_prob(0.0),
        lambda: space.Bernoulli(probs=[1.5], **checked).log_prob([1]),
        lambda: space.Bernoulli(probs=[0.5], **checked).log_prob([2]),
        lambda: space.Categorical(probs=[0.5, 0.9], **checked).log_prob(1),
        lambda: space.StudentT(0.5, 0.0, 1.0, allow_nan_stats=False).mean(),
        lambda: space.StudentT([1.5, 3.0], 0.0, 1.0, allow_nan_stats=False).variance(),
        lambda: space.Beta(0.5, 0.5, allow_nan_stats=False).mode(),
        lambda: space.Gamma(0.5, 1.0, allow_nan_stats=False).mode(),
        lambda: space.Dirichlet([0.5, 2.0], allow_nan_stats=False).mode(),
        lambda: space.Normal(0.0, 1.0, **checked).log_prob(0.5),
        lambda: space.Categorical(probs=[0.5, 0.5], **checked).entropy(),
        lambda: space.kl_divergence(space.Beta(1.0, 2.0), space.Beta(2.0, 1.0), allow_nan_stats=False),
    ]
    return [tried(lambda make=make: run(tf, make())) for make in programs]


@graph
def a_distribution_of_a_users_own(tf: Any) -> Any:
    space = tf.distributions

    class Own(space.Distribution):
        def __init__(self, rate: Any) -> None:
            self._rate = tf.convert_to_tensor(rate)
            options = {"validate_args": False, "allow_nan_stats": True, "parameters": {"rate": rate}, "name": "Own"}
            super().__init__(tf.float32, space.NOT_REPARAMETERIZED, **options)

        def _log_prob(self, x: Any) -> Any:
            return -self._rate * x

        def _batch_shape(self) -> Any:
            return self._rate.shape

        def _event_shape(self) -> Any:
            return tf.TensorShape([])

        def _variance(self) -> Any:
            return self._rate * 4.0

        def _sample_n(self, n: Any, seed: Any = None) -> Any:
            return tf.ones([n, 2]) * self._rate

    own, far = Own([1.0, 4.0]), space.Normal(0.0, 1.0).copy(scale=3.0)
    values = [own.prob(1.0), own.stddev(), own.sample([2, 3]), own.sample(), far.scale, far.log_prob(1.0)]
    missing = [tried(lambda name=name: getattr(own, name)()) for name in ("mean", "entropy", "covariance", "mode")]
    shapes = [
        own.batch_shape.as_list(),
        own.sample([2, 3]).shape.as_list(),
        space.Normal.param_static_shapes([4])["loc"].as_list(),
    ]
    return run(tf, values), missing, shapes, far.name, own.name, repr(far), str(own), sorted(far.parameters)


@graph
def counts_of_classes(tf: Any) -> Any:
    ds, shares = tf.distributions, tf.constant([[1.0, 2.0, 3.0], [4.0, 1.0, 2.5]])
    one = ds.Multinomial(4.0, probs=[0.2, 0.3, 0.5])
    two = ds.Multinomial(total_count=[4.0, 2.0], logits=[[1.0, 2.0], [3.0, 4.0]])
    mixed = ds.DirichletMultinomial(5.0, shares)  # TensorFlow takes one number of draws alone
    strict = [ds.Multinomial(2.0, probs=[0.5, 0.5], validate_args=True), ds.DirichletMultinomial(2.0, [1.0, 1.0], True)]
    counts = tf.constant([[1.0, 1.0, 0.0], [2.0, 0.0, 3.0]])
    told = [[each.batch_shape.as_list(), each.event_shape.as_list(), each.dtype.name] for each in (one, two, mixed)]
    draws = [each.sample([6, 2], seed=3) for each in (one, two, mixed)]
    return [
        told,
        run(tf, [one.log_prob([1.0, 1.0, 2.0]), one.mean(), one.variance(), one.covariance(), one.logits]),
        run(tf, [two.log_prob([[1.0, 3.0], [1.0, 1.0]]), two.mean(), two.covariance(), two.stddev(), two.probs]),
        run(tf, [mixed.log_prob(counts), mixed.mean(), mixed.variance(), mixed.covariance()]),
        run(tf, [mixed.total_concentration, mixed.prob(counts), tf.gradients(mixed.log_prob(counts), shares)[0]]),
        [each.shape.as_list() for each in draws],
        run(tf, [tf.reduce_sum(each, -1) for each in draws]),
        run(tf, [tf.round(tf.reduce_mean(each.sample(9000, seed=1), 0)) for each in (one, mixed)]),
        [
            tried(lambda each=each, value=value: run(tf, each.log_prob(value)))[0]
            for each in strict
            for value in ([1.0, 2.0], [0.5, 1.5], [-1.0, 3.0])
        ],
        tried(lambda: ds.Multinomial(1.0))[0],
        sorted(one.parameters),
        sorted(mixed.parameters),
    ]


@graph
def classes_that_are_not_there(tf: Any) -> Any:
    loose, strict = (tf.distributions.Categorical([[1.0, 2.0]], validate_args=checked) for checked in (False, True))
    values = [[2], [-1], [1.0], [1]]
    found = [tried(lambda of=of, k=k: run(tf, of.log_prob(k)))[0] for of in (loose, strict) for k in values]
    own = tf.distributions
    more = tried(
        lambda: run(tf, own.Dirichlet([1.0], validate_args=True).sample(2)),
        lambda: run(tf, own.Categorical([1.0], validate_args=True).sample(2)),
        lambda: run(tf, own.Multinomial(2.0, probs=[0.5, 0.6], validate_args=True).sample()),
    )
    return found, more


@graph
def ends_of_a_beta_distribution(tf: Any) -> Any:
    beta = tf.distributions.Beta(1.0, 2.0, validate_args=True)
    return run(tf, beta.cdf([0.0, 0.5, 1.0])), tried(lambda: run(tf, beta.log_prob(1.0)))


@graph
def modes_of_several_tails(tf: Any) -> Any:
    tails = tf.distributions.StudentT(df=[1.0, 3.0], loc=2.0, scale=[[1.0], [2.0]])
    return run(tf, [tails.mode(), tails.mean()])
