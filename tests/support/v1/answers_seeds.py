"""Programs of random values that seeds fix: TensorFlow's own numbers, run after run."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from answers import eager, graph, tried


def _draws(tf: Any, seed: int) -> list[Any]:
    """Return draws of all kinds whose numbers are TensorFlow's."""
    floats = (tf.float16, tf.float32, tf.float64)
    return [
        *(tf.random_uniform([5], -2.5, 7, dtype, seed=seed) for dtype in floats),
        *(tf.random_uniform([5], -3, 70, dtype, seed=seed) for dtype in (tf.int32, tf.int64)),
        *(tf.random_normal([2, 3], 1.0, 0.3, dtype, seed=seed) for dtype in floats),
        *(tf.truncated_normal([41], dtype=dtype, seed=seed) for dtype in floats),
        tf.random_shuffle(np.arange(11), seed=seed),
        tf.random_shuffle(np.arange(12).reshape(6, 2), seed=seed),
        tf.multinomial([[0.0, 1.0, 2.0], [2.0, float("-inf"), 0.0]], 7, seed=seed),
        tf.multinomial(np.zeros([4, 5]), 3, seed=seed),
        tf.random_crop(np.arange(100).reshape(10, 10), [3, 2], seed=seed),
        tf.nn.dropout(np.ones([4, 5], np.float32), rate=0.3, seed=seed),
        tf.nn.dropout(np.ones([4, 2], np.float32), rate=0.7, noise_shape=[4, 1], seed=seed),
        tf.image.random_flip_left_right(np.arange(12).reshape(2, 2, 3), seed=seed),
    ]


def _initial_values(tf: Any, seed: int) -> list[Any]:
    makers = [
        tf.glorot_uniform_initializer,
        tf.glorot_normal_initializer,
        tf.initializers.he_normal,
        tf.initializers.he_uniform,
        tf.initializers.lecun_normal,
        tf.orthogonal_initializer,
        tf.random_normal_initializer,
        tf.random_uniform_initializer,
        tf.truncated_normal_initializer,
        tf.variance_scaling_initializer,
    ]
    return [make(seed=seed)([4, 6]) for make in makers]


@graph
def draws_of_operations_with_seeds(tf: Any) -> Any:
    drawn = _draws(tf, 3)
    tf.set_random_seed(9)
    drawn += _draws(tf, 2**33 + 5)
    found = []
    for _ in range(2):  # each session begins anew, each run goes on
        with tf.Session() as session:
            found += [session.run(drawn), session.run(drawn)]
    return found


@graph
def initial_values_of_seeds(tf: Any) -> Any:
    made = _initial_values(tf, 4)
    with tf.Session() as session:
        return session.run(made), session.run(made)


@graph
def draws_of_pairs_alone(tf: Any) -> Any:
    pair = [3, -7]
    drawn = [
        tf.random.stateless_uniform([5], pair, -1.0, 4.0),
        *(tf.random.stateless_uniform([5], pair, 1, 90, dtype) for dtype in (tf.int32, tf.int64)),
        tf.random.stateless_normal([5], pair, 2.0, 3.0, tf.float64),
        tf.random.stateless_truncated_normal([33], pair),
        tf.random.stateless_categorical([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]], 5, pair),
    ]
    with tf.Session() as session:
        return session.run(drawn)


@eager
def calls_of_a_seed_go_on(tf: Any) -> Any:
    found = []
    for seed in (7, None, 7):
        tf.set_random_seed(seed)
        found += [[value.numpy() for value in _draws(tf, 3)] for _ in range(2)]
    return found


@eager
def initial_values_differ_from_call_to_call(tf: Any) -> Any:
    tf.set_random_seed(1)
    return [[value.numpy() for value in _initial_values(tf, 4)] for _ in range(2)]


@eager
def what_a_graph_seed_alone_fixes(tf: Any) -> Any:
    found = []
    for _ in range(2):
        tf.set_random_seed(11)
        for _ in range(3):
            found += [tf.random_normal([3]).numpy(), tf.random_uniform([3]).numpy(), tf.random_shuffle([1, 2, 3, 4])]
            found += [tf.glorot_uniform_initializer()([2, 2]).numpy(), tf.nn.dropout(tf.ones([6]), rate=0.5)]
    return found


def _module(tf: Any, path: str) -> Any:
    return import_module(f"{'steepest.v1' if tf.__name__.startswith('steepest') else 'tensorflow'}.python.{path}")


@graph
def both_seeds_of_generated_modules(tf: Any) -> Any:
    raw = _module(tf, "ops.gen_random_ops")
    tf.set_random_seed(3)  # which they do not ask
    found = []
    for seeds in ({"seed": 5}, {"seed": 5, "seed2": 7}, {"seed2": 7}):
        found += [
            raw.random_standard_normal([2], tf.float32, **seeds),
            raw.random_uniform([2], tf.float64, **seeds),
            raw.random_uniform_int([3], 0, 100, **seeds),
            raw.truncated_normal([2], tf.float32, **seeds),
            raw.random_shuffle([1, 2, 3, 4, 5], **seeds),
            raw.multinomial([[1.0, 2.0, 3.0]], 5, **seeds),
        ]
    with tf.Session() as session, tf.Session() as other:
        unseeded = raw.random_uniform([4], tf.float32)
        return [*session.run(found), bool((session.run(unseeded) == other.run(unseeded)).all())]


@graph
def parts_cut_by_seeds(tf: Any) -> Any:
    crop = _module(tf, "ops.random_crop_ops").stateless_random_crop
    found = [crop(np.arange(60).reshape(3, 4, 5), [2, 2, 2], seed) for seed in ((1, 2), (3, 4))]
    (failed,) = tried(lambda: crop(tf.zeros([3, 4]), [2, 2], [1, 2, 3]))
    with tf.Session() as session:
        infinite = session.run(tf.random_poisson([np.inf, np.inf], [2], seed=3))
        return [*session.run(found), crop(tf.zeros([3, 4]), [2, 1], [1, 2]).shape.as_list(), infinite, failed]


@graph
def draws_that_are_refused(tf: Any) -> Any:
    tf.config.experimental.enable_op_determinism()
    try:
        return tried(
            lambda: tf.random_normal([1]),
            lambda: tf.Session().run(_module(tf, "ops.gen_random_ops").truncated_normal([1], tf.float32)),
            lambda: tf.random_uniform([2], [1, 2], 3, tf.int32, seed=1),
            lambda: tf.random_uniform([2], 1, [3, 4], tf.int64, seed=1),
        )
    finally:
        _module(tf, "framework.config").disable_op_determinism()


@graph
def names_of_draws_from_pairs(tf: Any) -> Any:
    new, pair = tf.random.experimental, (1, 2)
    drawn = [
        new.stateless_split(pair, 2),
        new.stateless_fold_in(pair, 3),
        tf.random.split(pair),
        tf.random.fold_in(pair, 7),
        new.stateless_shuffle([1, 2, 3, 4], pair),
        new.index_shuffle(2, pair, 10),
        tf.distributions.Exponential([2.0, 3.0]).sample(3, seed=2),
    ]
    shapes = [
        tf.random.stateless_gamma([2], pair, [1.0, 2.0]),
        tf.random.stateless_poisson([3, 2], pair, [1.0, 2.0]),
        tf.random.stateless_binomial([2], pair, [10.0, 2.0], 0.5),
        tf.random.stateless_parameterized_truncated_normal([2], pair, 0.0, 1.0, -1.0, 1.0),
    ]
    with tf.Session() as session:
        values = session.run(drawn)
        failed = tried(
            lambda: tf.random.stateless_uniform([3], pair, minval=None),
            lambda: tf.multinomial([[1.0, 2.0]], [5]),
        )
        (wrong,) = tried(lambda: session.run(tf.random_normal([-1], seed=1)))
        return [
            *values,
            [[each.dtype.name, each.shape.as_list()] for each in shapes],
            failed,
            type(wrong.error).__name__,
        ]


@graph
def a_network_trained_with_seeds(tf: Any) -> Any:
    data = np.random.RandomState(0)  # the same numbers in each version of NumPy
    rows = data.randn(64, 6).astype(np.float32)
    labels = (rows[:, :3].sum(axis=1) > 0).astype(np.int32)
    x, y = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int32, [None])
    w = tf.get_variable("w", [6, 16], initializer=tf.glorot_uniform_initializer(seed=1))
    u = tf.get_variable("u", [16, 2], initializer=tf.truncated_normal_initializer(stddev=0.5, seed=2))
    hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(x, w)), rate=0.5, seed=3)
    scores = tf.matmul(hidden + tf.random_normal(tf.shape(hidden), stddev=0.1, seed=4), u)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=scores))
    step, order = tf.train.AdamOptimizer(0.05).minimize(loss), tf.random_shuffle(tf.range(64), seed=5)
    losses = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            places = session.run(order)
            for part in np.split(places, 4):
                losses.append(session.run([loss, step], {x: rows[part], y: labels[part]})[0])
    return np.round(np.array(losses, np.float64), 4)


@graph
def dropout_in_double_precision(tf: Any) -> Any:
    x = tf.constant(np.linspace(0.1, 1.1, 12))
    dropped = [tf.nn.dropout(x, keep_prob=0.8, seed=3), tf.nn.dropout(x, rate=0.9, seed=4)]
    with tf.Session() as session:
        return [session.run(dropped) for _ in range(2)]


@graph
def draws_of_the_graphs_seed(tf: Any) -> Any:
    """Operations without a seed of their own are numbered, whatever other operations there are."""
    tf.set_random_seed(42)
    x = tf.constant(np.ones((3, 4), np.float32))
    first = tf.Variable(tf.random_normal([3, 2]))
    with tf.variable_scope("layer"):
        kernel = tf.get_variable("kernel", [4, 3])
        near = tf.get_variable("near", [3], initializer=tf.truncated_normal_initializer(stddev=0.1))
    drawn = [
        *(tf.random_uniform([3], 0, 9, dtype) for dtype in (tf.int32, tf.float32)),
        tf.random_normal([2], seed=7),
        tf.nn.dropout(tf.matmul(x, kernel), rate=0.5),
        tf.cond(tf.constant(True), lambda: tf.random_normal([2]), lambda: tf.random_normal([2])),
        tf.random_shuffle(np.arange(7)),
        tf.multinomial(x, 5),
        tf.nn.log_uniform_candidate_sampler([[1]], 1, 3, True, 50).sampled_candidates,
        tf.random_normal([2], tf.constant([1.0, 2.0])),
    ]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run([first, kernel, near]), session.run(drawn), session.run(drawn)]


@graph
def a_network_trained_with_the_graphs_seed(tf: Any) -> Any:
    tf.set_random_seed(1)
    random = np.random.RandomState(0)
    x, y = random.randn(20, 3).astype(np.float32), random.randn(20, 1).astype(np.float32)
    hidden = tf.nn.relu(tf.matmul(x, tf.Variable(tf.random_normal([3, 8]))) + tf.Variable(tf.zeros([8])))
    result = tf.matmul(tf.nn.dropout(hidden, rate=0.2), tf.Variable(tf.truncated_normal([8, 1])))
    loss = tf.reduce_mean(tf.square(result - y))
    step = tf.train.AdamOptimizer(0.01).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return np.round([session.run([loss, step])[0] for _ in range(20)], 3)
