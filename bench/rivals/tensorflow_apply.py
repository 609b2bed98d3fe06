"""TensorFlow: its version 1 optimizers, called eagerly and from a tf.function."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import data
from ..case import Job, Work, contender
from ..runtimes import threads


@functools.cache
def tensorflow() -> Any:
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(threads())
    tf.config.threading.set_inter_op_parallelism_threads(threads())
    return tf


def optimizer(rule: str) -> Any:
    train = tensorflow().compat.v1.train
    return {
        "sgd": lambda: train.GradientDescentOptimizer(data.RATE),
        "momentum": lambda: train.MomentumOptimizer(data.RATE, data.MOMENTUM),
        "adagrad": lambda: train.AdagradOptimizer(data.RATE, data.ACCUMULATOR),
        "adam": lambda: train.AdamOptimizer(data.RATE, data.BETA1, data.BETA2, data.EPSILON),
    }[rule]()


def with_function(step: Callable[[], Any], wanted: bool) -> Callable[[], Any]:
    """Return the step, or its tf.function, which returns nothing."""
    if not wanted:
        return step

    def silent() -> None:
        step()

    return tensorflow().function(silent)


def dense(function: bool) -> Callable[[Work], Job | None]:
    def make(work: Work) -> Job | None:
        if work.case == "cache" and work.rule != "adam":
            return None
        if work.rule == "adagrad_decay" or work.dtype != "float32" or work.n > 20_000_000:
            return None
        if work.count > 1 and ((work.rule, work.n) != ("adam", 100) or function):
            return None  # traces and steps of many seconds
        tf = tensorflow()
        parameters = [tf.Variable(data.parameter(work.n)) for _ in range(work.count)]
        pairs = [(tf.constant(data.gradient(work.n)), w) for w in parameters]
        opt = optimizer(work.rule)
        step = with_function(lambda: opt.apply_gradients(pairs), function)
        return Job(step, lambda: data.moved(parameters[-1].numpy(), work.n))

    return make


contender("TF eager", "dense", "cache", "small", "many", runtime="tensorflow")(dense(function=False))
contender("TF function", "dense", "cache", "small", "many", runtime="tensorflow")(dense(function=True))


@contender("TF", "sparse", runtime="tensorflow")
def sparse(work: Work) -> Job | None:
    """Its Adam moves every row: another result than lazy Adam's, and here beside it in the table of Adam's ways."""
    if work.rule not in ("sgd", "adagrad") or work.batch > 100_000 or work.width != 64:
        return None
    from ..sparse import moved

    tf = tensorflow()
    w = tf.Variable(np.full((work.rows, work.width), data.START, np.float32))
    slices = tf.IndexedSlices(
        tf.constant(data.row_gradient(work.batch, work.width)),
        tf.constant(data.ids(work.rows, work.batch, work.law)),
        tf.constant([work.rows, work.width], "int64"),
    )
    opt = optimizer(work.rule)
    return Job(lambda: opt.apply_gradients([(slices, w)]), lambda: moved(w.numpy(), work))


@contender("TF function", "clip", runtime="tensorflow")
def clip(work: Work) -> Job:
    tf = tensorflow()
    gradients = [tf.constant(data.gradient(work.n)) for _ in range(work.count)]
    parameters = [tf.Variable(data.parameter(work.n)) for _ in range(work.count)]
    opt = optimizer("adam")

    def clips() -> Any:
        if work.kind == "global":
            return tf.clip_by_global_norm(gradients, data.NORM_LIMIT)[0]
        if work.kind == "norm":
            return [tf.clip_by_norm(g, data.NORM_LIMIT) for g in gradients]
        return [tf.clip_by_value(g, -data.LIMIT, data.LIMIT) for g in gradients]

    if not work.update:
        alone = tf.function(clips)
        return Job(alone, lambda: alone()[-1].numpy()[data.places(work.n)])
    step = with_function(lambda: opt.apply_gradients(list(zip(clips(), parameters, strict=True))), wanted=True)
    return Job(step, lambda: data.moved(parameters[-1].numpy(), work.n))
