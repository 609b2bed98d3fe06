"""What a session costs: the same training steps run eagerly, by steepest.v1's Session and by TensorFlow's."""

from __future__ import annotations

import importlib.util
import itertools
import os
from collections.abc import Callable
from typing import Any

import numpy as np

import steepest as st
import steepest.v1 as v1

from .contenders import RATE, Contender

CASES = {"mlp 8-8-8-8-8, batch 4": ([8] * 5, 4), "mlp 784-128-10, batch 64": ([784, 128, 10], 64)}


def has_tensorflow() -> bool:
    return importlib.util.find_spec("tensorflow") is not None


def tensorflow() -> Any:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    return tf


def _data(sizes: list[int], batch: int) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    weights = [rng.normal(0, 0.1, pair).astype(np.float32) for pair in itertools.pairwise(sizes)]
    return weights, rng.normal(size=(batch, sizes[0])).astype(np.float32), rng.integers(0, sizes[-1], batch)


def eager(sizes: list[int], batch: int) -> Contender:
    start, x, y = _data(sizes, batch)
    layers = [(st.Variable(w), st.Variable(np.zeros(w.shape[1], np.float32))) for w in start]
    optimizer = st.GradientDescentOptimizer(RATE)

    def loss() -> Any:
        h = x
        for w, b in layers[:-1]:
            h = st.nn.relu(h @ w + b)
        w, b = layers[-1]
        return np.mean(st.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=h @ w + b))

    return Contender("steepest", lambda: optimizer.minimize(loss), lambda: layers[0][0].value)


def session(tf: Any, name: str, sizes: list[int], batch: int) -> tuple[Contender, Callable[[], int]]:
    """Return the contender, and a function that counts the nodes that a step evaluates."""
    start, x, y = _data(sizes, batch)
    graph = tf.Graph()
    with graph.as_default():
        inputs, labels = tf.placeholder(tf.float32, [None, sizes[0]]), tf.placeholder(tf.int64, [None])
        h, first = inputs, None
        for k, w in enumerate(start):
            kernel, bias = tf.Variable(w), tf.Variable(np.zeros(w.shape[1], np.float32))
            first = kernel if first is None else first
            h = tf.matmul(h, kernel) + bias
            h = tf.nn.relu(h) if k < len(start) - 1 else h
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=h))
        train = tf.train.GradientDescentOptimizer(RATE).minimize(loss)
        run = tf.Session(graph=graph)
        run.run(tf.global_variables_initializer())
    feeds = {inputs: x, labels: y}

    def nodes() -> int:
        seen, stack = set(), [train]
        while stack:
            op = stack.pop()
            if op not in seen:
                seen.add(op)
                stack += [t.op for t in op.inputs] + list(op.control_inputs)
        return len(seen)

    return Contender(name, lambda: run.run(train, feeds), lambda: run.run(first)), nodes


def rows(measure: Callable[[list[Callable[[], Contender]], float], dict[str, float]], seconds: float) -> list[Any]:
    found = []
    for case, (sizes, batch) in CASES.items():
        ours, nodes = session(v1, "steepest.v1 Session", sizes, batch)
        makers = [lambda s=sizes, b=batch: eager(s, b), lambda ours=ours: ours]
        if has_tensorflow():
            makers.append(lambda s=sizes, b=batch: session(tensorflow(), "TensorFlow Session", s, b)[0])
        times = measure(makers, seconds)
        extra = (times["steepest.v1 Session"] - times["steepest"]) / nodes()
        found.append({"case": case, "nodes": nodes(), "seconds": times, "overhead": extra})
    return found


def table(found: list[Any]) -> list[str]:
    names = list(found[0]["seconds"])
    head = ["training step", "nodes", *(f"{name}, us" for name in names), "session's own, us a node"]
    lines = ["### Graph mode, gradient descent", "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in found:
        cells = [row["case"], str(row["nodes"]), *(f"{1e6 * row['seconds'][name]:.0f}" for name in names)]
        lines.append("| " + " | ".join([*cells, f"{1e6 * row['overhead']:.2f}"]) + " |")
    return [*lines, ""]
