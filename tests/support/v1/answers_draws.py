"""Programs of random values whose place, width and shape are tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def draws_around_tensors(tf: Any) -> Any:
    mean, width = tf.constant([1.0, 2.0, 3.0]), tf.constant([0.1, 0.2, 0.3])
    drawn = [f([3], mean, width, seed=1) for f in (tf.random_normal, tf.truncated_normal)]
    drawn.append(tf.random_uniform([2, 3], mean, mean + width, seed=1))
    told = [[node.name, node.shape.as_list(), node.dtype.name] for node in drawn]
    slopes = [tf.gradients(node, [mean, width]) for node in drawn]
    # What a gradient of the width should be: how far each value lies from the mean, in widths.
    away = [(node - mean) / width - slope[1] for node, slope in zip(drawn[:2], slopes[:2], strict=True)]
    return told, run(tf, [[slope[0] for slope in slopes], [tf.round(100 * a) for a in away]])


@graph
def draws_of_more_axes_than_asked_for(tf: Any) -> Any:
    mean = tf.placeholder(tf.float32, [None, 3])
    drawn = [f([1, 3], mean, 0.0) for f in (tf.random_normal, tf.truncated_normal)]
    drawn += [tf.random_uniform([1], [1.0, 2.0], [1.0, 2.0]), tf.random_normal([2, 1], [5, 6], [0, 0])]
    told = [node.shape.as_list() for node in drawn]
    wrong = tried(lambda: tf.random_normal([1], tf.constant(1, tf.int32)))
    return told, run(tf, drawn, {mean: [[1.0, 2.0, 3.0]] * 2}), wrong


@graph
def a_model_trained_through_draws(tf: Any) -> Any:
    w = tf.Variable([[1.0, -1.0]])
    z = tf.random_normal([1, 2], w, 0.0)
    step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.square(z)))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(step)
        return session.run(w)


@graph
def gradients_through_draws_of_gammas(tf: Any) -> Any:
    alpha, rate = tf.constant(np.linspace(0.5, 5.0, 4000)), tf.constant(2.0, tf.float64)
    drawn = tf.random_gamma([], alpha, rate, tf.float64, seed=3)
    by_alpha, by_rate = tf.gradients(drawn, [alpha, rate])
    # On the mean a draw grows by 1 / rate where alpha grows by 1, and shrinks by itself over the rate with the rate.
    means = tf.round(10 * tf.reduce_mean(by_alpha)), tf.round(1000 * (by_rate + tf.reduce_sum(drawn) / rate))
    small = tf.random_gamma([100], 1e-3, seed=1)
    told = [tf.random_gamma([3], [1.0, 2.0], [[1.0], [2.0]]).shape.as_list(), small.dtype.name]
    return told, run(tf, [tf.abs(mean) for mean in means]), run(tf, tf.reduce_all(small > 0))


@graph
def bounds_of_integer_draws(tf: Any) -> Any:
    wrong = tried(
        lambda: tf.random_uniform([2], 0, 2.5, tf.int32),
        lambda: tf.random_uniform([2], -1.5, 3, tf.int64),
        lambda: tf.random_uniform([2], 0, tf.constant(2.0), tf.int32),
        lambda: tf.random_uniform([2], 0, [3], tf.int32),
    )
    right = tf.random_uniform([20], np.int64(3), tf.constant(4), tf.int32), tf.random_uniform([2], 6, 7, tf.int64)
    return run(tf, right), wrong, tf.VariableAggregation.ONLY_FIRST_TOWER is tf.VariableAggregation.ONLY_FIRST_REPLICA


@graph
def draws_below_their_upper_bound(tf: Any) -> Any:
    kinds = tf.float16, tf.float32, tf.float64
    drawn = [tf.random_uniform([100_000], -2, 8, kind, seed=1) for kind in kinds]
    drawn += [tf.random.stateless_uniform([100_000], [1, 2], -2, 8, kind) for kind in kinds]
    return run(tf, [[tf.reduce_all(each < 8), tf.reduce_all(each >= -2)] for each in drawn])


@graph
def classes_that_seeds_sample(tf: Any) -> Any:
    true = tf.constant([[1, 3], [0, 2], [6, 5]], tf.int64)
    sampled = []
    for size in (7, 8, 1000):
        for unique in (True, False):
            counts = [(k * 7 % 11) + 1.0 for k in range(size)]
            sampled += [
                tf.nn.log_uniform_candidate_sampler(true, 2, 5, unique, size, seed=3),
                tf.nn.uniform_candidate_sampler(true, 2, 5, unique, size, seed=4),
                tf.nn.learned_unigram_candidate_sampler(true, 2, 5, unique, size, seed=5),
                tf.nn.fixed_unigram_candidate_sampler(true, 2, 5, unique, size, unigrams=counts, seed=6),
            ]
    sampled += [
        tf.nn.log_uniform_candidate_sampler(true, 2, 8, True, 8, seed=4),
        tf.nn.fixed_unigram_candidate_sampler(
            true, 2, 5, False, 9, distortion=0.75, num_reserved_ids=2, unigrams=list(range(1, 8)), seed=6
        ),
        tf.nn.all_candidate_sampler(true, 2, 8, True, seed=4),
    ]
    classes = [tuple(each) for each in sampled]
    with tf.Session() as session:
        return [session.run(classes) for _ in range(3)]


@graph
def losses_of_classes_that_a_seed_samples(tf: Any) -> Any:
    weights = tf.constant(np.sin(np.arange(200.0)).reshape(50, 4), tf.float32)
    rows, labels = (
        tf.constant(np.cos(np.arange(12.0)).reshape(3, 4), tf.float32),
        tf.constant([[3], [7], [1]], tf.int64),
    )
    sampled = tf.nn.log_uniform_candidate_sampler(labels, 1, 9, True, 50, seed=8)
    given = weights, tf.zeros([50]), labels, rows, 9, 50
    losses = [tf.nn.nce_loss(*given, sampled_values=sampled), tf.nn.sampled_softmax_loss(*given, seed=8)]
    with tf.Session() as session:
        return [session.run(losses) for _ in range(3)]


@graph
def elements_that_a_seed_shuffles(tf: Any) -> Any:
    queue = tf.RandomShuffleQueue(200, 3, [tf.int32], [[]], seed=3)
    put, one, some = queue.enqueue_many([list(range(60))]), queue.dequeue(), queue.dequeue_many(30)
    with tf.Session() as session:
        found = []
        for _ in range(3):
            session.run(put)
            found.append([session.run(one), session.run(some), session.run(one)])
        session.run(queue.close())
        return found, session.run(queue.dequeue_up_to(90))


@graph
def shards_of_unigrams(tf: Any) -> Any:
    sample, options = (
        tf.random.fixed_unigram_candidate_sampler,
        {"unigrams": [*range(1, 11)], "num_shards": 2, "seed": 5},
    )
    odd = sample(tf.constant([[0]], tf.int64), 1, 3, True, 5, shard=1, **options)
    even = sample(tf.constant([[4], [5]], tf.int64), 1, 3, True, 6, shard=0, num_reserved_ids=1, **options)
    return [[part.round(4) for part in each] for each in run(tf, [odd, even])]


@graph
def gammas_and_counts_with_seeds(tf: Any) -> Any:
    kinds, found = tf.distributions, []
    for dtype in (tf.float32, tf.float64):
        alphas = tf.constant([0.1, 0.7, 1.0, 1.5, 20.0], dtype)
        found.append(tf.random_gamma([4], alphas, dtype=dtype, seed=3))
        found.append(tf.random_gamma([2], alphas, [[2.0], [5.0]], dtype, seed=8))
        found.append(tf.random_poisson([0.5, 3.0, 10.0, 22.5, 400.0], [4], dtype=dtype, seed=4))
        found.append(tf.random_poisson([9.9, 0.0], [500], dtype=dtype, seed=4))  # some take more words than most
    found.append(tf.random_poisson([0.5, 30.5], [4], dtype=tf.int32, seed=4))
    found.append(tf.random.stateless_gamma([3, 2], (1, 2), [1.0, 2.5]))
    found.append(tf.random.stateless_poisson([3, 2], (1, 2), [1.5, 22.5]))
    for each in (kinds.Beta([1.0, 2.0], 3.0), kinds.StudentT(3.0, [1.0, 2.0], 3.0), kinds.Dirichlet([1.0, 2.0, 0.4])):
        found.append(each.sample(3, seed=3))
    with tf.Session() as session:
        return [part.round(4) for part in session.run(found) + session.run(found)]
