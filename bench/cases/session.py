"""What a session costs: the same training steps run eagerly, by steepest.v1's Session and by TensorFlow's."""

from __future__ import annotations

import functools
import itertools
import os
from typing import Any

import numpy as np

from ..case import STEPS_CHECKED, Case, Job, Work, case, contender

RATE = 0.01


def works(quick: bool) -> list[Work]:
    found = [
        Work("session", "MLP 8-8-8-8-8, batch 4", 1, {"sizes": [8] * 5, "batch": 4}),
        Work("session", "MLP 784-128-10, batch 64", 1, {"sizes": [784, 128, 10], "batch": 64}),
    ]
    return found[:1] if quick else found


def start(work: Work) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    # Small ones: saturated, a softmax has subnormal gradients, which some processors are slow at.
    weights = [rng.normal(0, pair[0] ** -0.5, pair).astype(np.float32) for pair in itertools.pairwise(work.sizes)]
    return weights, rng.normal(size=(work.batch, work.sizes[0])).astype(np.float32), rng.integers(0, 8, work.batch)


def expected(work: Work) -> np.ndarray:
    """Return the first weights' moves after gradient descent, written by hand in float64."""
    weights, x, y = start(work)
    w, b = [p.astype(np.float64) for p in weights], [np.zeros(p.shape[1]) for p in weights]
    for _ in range(STEPS_CHECKED):
        hidden = [x.astype(np.float64)]
        for k in range(len(w) - 1):
            hidden.append(np.maximum(hidden[-1] @ w[k] + b[k], 0))
        z = hidden[-1] @ w[-1] + b[-1]
        d = np.exp(z - z.max(axis=1, keepdims=True))
        d /= d.sum(axis=1, keepdims=True)
        d[np.arange(len(y)), y] -= 1
        d /= len(y)
        for k in reversed(range(len(w))):
            back = (d @ w[k].T) * (hidden[k] > 0)
            w[k] -= RATE * hidden[k].T @ d
            b[k] -= RATE * d.sum(axis=0)
            d = back
    return answer(w[0], work)


def answer(w: np.ndarray, work: Work) -> np.ndarray:
    return (np.asarray(w, np.float64) - start(work)[0][0]).ravel()


@contender("steepest", "session", runtime="steepest")
def eager(work: Work) -> Job:
    import steepest as st

    weights, x, y = start(work)
    layers = [(st.Variable(w), st.Variable(np.zeros(w.shape[1], np.float32))) for w in weights]
    optimizer = st.GradientDescentOptimizer(RATE)

    def loss() -> Any:
        h = x
        for w, b in layers[:-1]:
            h = st.nn.relu(h @ w + b)
        w, b = layers[-1]
        return np.mean(st.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=h @ w + b))

    return Job(lambda: optimizer.minimize(loss), lambda: answer(layers[0][0].value, work))


def graph(tf: Any, work: Work) -> Job:
    weights, x, y = start(work)
    built = tf.Graph()
    with built.as_default():
        inputs, labels = tf.placeholder(tf.float32, [None, work.sizes[0]]), tf.placeholder(tf.int64, [None])
        h, kernels = inputs, []
        for k, w in enumerate(weights):
            kernels.append(tf.Variable(w))
            h = tf.matmul(h, kernels[-1]) + tf.Variable(np.zeros(w.shape[1], np.float32))
            h = tf.nn.relu(h) if k < len(weights) - 1 else h
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=h))
        train = tf.train.GradientDescentOptimizer(RATE).minimize(loss)
        session = tf.Session(graph=built)
        session.run(tf.global_variables_initializer())
    feeds = {inputs: x, labels: y}
    return Job(
        lambda: session.run(train, feeds), lambda: answer(session.run(kernels[0]), work), extras={"nodes": nodes(train)}
    )


def nodes(train: Any) -> int:
    """Return how many operations a step evaluates."""
    seen, stack = set(), [train]
    while stack:
        op = stack.pop()
        if op not in seen:
            seen.add(op)
            stack += [t.op for t in op.inputs] + list(op.control_inputs)
    return len(seen)


@contender("steepest.v1 Session", "session", runtime="steepest")
def ours(work: Work) -> Job:
    import steepest.v1 as v1

    return graph(v1, work)


@functools.cache
def version_1() -> Any:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    return tf


@contender("TF Session", "session", runtime="tensorflow 1")
def theirs(work: Work) -> Job:
    return graph(version_1(), work)


case(
    Case(
        name="session",
        title="Graph mode",
        works=works,
        unit="us per step",
        figure=lambda work, seconds: 1e6 * seconds,
        expected=expected,
        tolerance=lambda work: (2e-3, 1e-6),
        order=46,
        seconds=0.2,
        note="float32, gradient descent. *steepest* is the eager step, *steepest.v1 Session* the same in a session.",
    )
)
