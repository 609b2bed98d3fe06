"""Derivatives by steepest, by hand, torch, autograd, TensorFlow and jax: the same three models in each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import data
from ..case import Job, Work, contender
from ..cases import tape


@contender("steepest", "tape", runtime="steepest")
def steepest(work: Work) -> Job:
    import steepest as st

    from .ours import optimizer

    if work.kind == "chain":
        return chain(st, st.Variable(tape.CHAIN_FACTOR), tape.CHAIN_START, np.sum, np.asarray)
    if work.kind == "mlp":
        x, y, values = tape.mlp_data(work.batch)
        parameters = [st.Variable(p) for p in values]

        def gradients() -> list[Any]:
            w1, b1, w2, b2 = parameters
            with st.GradientTape() as recorded:
                z = np.maximum(x @ w1 + b1, 0) @ w2 + b2
                loss = np.mean(st.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=z))
            return list(recorded.gradient(loss, parameters))

        return Job(gradients, lambda: tape.shown(gradients()))
    table = st.Variable(np.full((work.rows, work.width), data.START, np.float32))
    ids, target = data.ids(work.rows, work.batch, work.law), tape.embedding_target(work)
    opt = optimizer("adagrad")

    def loss() -> Any:
        return st.nn.l2_loss(st.gather(table, ids) - target)

    return Job(lambda: opt.minimize(loss), lambda: tape.embedding_answer(table.value, work))


def chain(library: Any, a: Any, start: Any, total: Callable[[Any], Any], plain: Callable[[Any], Any]) -> Job:
    """The chain under a library that has GradientTape."""

    def step() -> Any:
        with library.GradientTape() as recorded:
            t = start
            for _ in range(tape.LINKS):
                t = t * a + a
            loss = total(t)
        return recorded.gradient(loss, a)

    return Job(step, lambda: plain(step()))


@contender("NumPy", "tape", runtime="numpy")
def by_hand(work: Work) -> Job | None:
    if work.kind != "mlp":
        return None
    x, y, parameters = tape.mlp_data(work.batch)
    return Job(lambda: tape.mlp_by_hand(x, y, parameters), lambda: tape.shown(tape.mlp_by_hand(x, y, parameters)[1]))


@contender("torch", "tape", runtime="torch")
def torch(work: Work) -> Job:
    import torch

    torch.set_num_threads(work.threads)
    if work.kind == "chain":
        a, start = torch.from_numpy(tape.CHAIN_FACTOR).requires_grad_(), torch.from_numpy(tape.CHAIN_START)

        def links() -> Any:
            t = start
            for _ in range(tape.LINKS):
                t = t * a + a
            return torch.autograd.grad(t.sum(), a)[0]

        return Job(links, lambda: links().numpy())
    if work.kind == "mlp":
        x, y, values = tape.mlp_data(work.batch)
        inputs, labels = torch.from_numpy(x), torch.from_numpy(y)
        parameters = [torch.from_numpy(p).requires_grad_() for p in values]

        def gradients() -> list[Any]:
            w1, b1, w2, b2 = parameters
            z = torch.addmm(b2, torch.relu(torch.addmm(b1, inputs, w1)), w2)
            return list(torch.autograd.grad(torch.nn.functional.cross_entropy(z, labels), parameters))

        return Job(gradients, lambda: tape.shown([g.numpy() for g in gradients()]))
    from .torch_optim import optimizer

    embedding = torch.nn.Embedding(work.rows, work.width, sparse=True)
    torch.nn.init.constant_(embedding.weight, data.START)
    ids = torch.from_numpy(data.ids(work.rows, work.batch, work.law))
    target = torch.from_numpy(tape.embedding_target(work))
    opt = optimizer(torch, "adagrad", [embedding.weight])

    def step() -> None:
        opt.zero_grad()
        (((embedding(ids) - target) ** 2).sum() / 2).backward()
        opt.step()

    return Job(step, lambda: tape.embedding_answer(embedding.weight.detach().numpy(), work))


@contender("autograd", "tape", runtime="autograd")
def autograd(work: Work) -> Job | None:
    import autograd
    import autograd.numpy as anp

    if work.kind == "chain":

        def links(a: Any) -> Any:
            t = tape.CHAIN_START
            for _ in range(tape.LINKS):
                t = t * a + a
            return anp.sum(t)

        derivative = autograd.grad(links)
        return Job(lambda: derivative(tape.CHAIN_FACTOR), lambda: derivative(tape.CHAIN_FACTOR))
    if work.kind != "mlp":
        return None
    x, y, parameters = tape.mlp_data(work.batch)
    rows = np.arange(len(y))

    def loss(parameters: Any) -> Any:
        w1, b1, w2, b2 = parameters
        z = anp.dot(anp.maximum(anp.dot(x, w1) + b1, 0), w2) + b2
        z = z - anp.max(z, axis=1, keepdims=True)
        return anp.mean(anp.log(anp.sum(anp.exp(z), axis=1)) - z[rows, y])

    derivative = autograd.grad(loss)
    return Job(lambda: derivative(parameters), lambda: tape.shown(derivative(parameters)))


def tensorflow_job(work: Work, function: bool) -> Job:
    from .tensorflow_apply import optimizer, tensorflow

    tf = tensorflow()
    within = tf.function if function else lambda step: step
    if work.kind == "chain":
        made = chain(
            tf, tf.Variable(tape.CHAIN_FACTOR), tf.constant(tape.CHAIN_START), tf.reduce_sum, lambda g: g.numpy()
        )
        step = within(made.step)
        return Job(step, lambda: step().numpy())
    if work.kind == "mlp":
        x, y, values = tape.mlp_data(work.batch)
        inputs, labels = tf.constant(x), tf.constant(y)
        parameters = [tf.Variable(p) for p in values]

        @within
        def gradients() -> list[Any]:
            w1, b1, w2, b2 = parameters
            with tf.GradientTape() as recorded:
                z = tf.nn.relu(inputs @ w1 + b1) @ w2 + b2
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, z))
            return list(recorded.gradient(loss, parameters))

        return Job(gradients, lambda: tape.shown([g.numpy() for g in gradients()]))
    table = tf.Variable(np.full((work.rows, work.width), data.START, np.float32))
    ids, target = tf.constant(data.ids(work.rows, work.batch, work.law)), tf.constant(tape.embedding_target(work))
    opt = optimizer("adagrad")

    @within
    def train() -> None:
        with tf.GradientTape() as recorded:
            loss = tf.nn.l2_loss(tf.gather(table, ids) - target)
        opt.apply_gradients([(recorded.gradient(loss, table), table)])

    return Job(train, lambda: tape.embedding_answer(table.numpy(), work))


contender("TF eager", "tape", runtime="tensorflow")(lambda work: tensorflow_job(work, function=False))
contender("TF function", "tape", runtime="tensorflow")(lambda work: tensorflow_job(work, function=True))


@contender("jax jit", "tape", runtime="jax")
def jax(work: Work) -> Job | None:
    from .jax_optax import jax_module

    if work.kind == "embedding":
        return None
    jax = jax_module()
    jnp = jax.numpy
    if work.kind == "chain":

        def links(a: Any, start: Any) -> Any:
            t = start
            for _ in range(tape.LINKS):
                t = t * a + a
            return jnp.sum(t)

        derivative, given = jax.jit(jax.grad(links)), (jnp.asarray(tape.CHAIN_FACTOR), jnp.asarray(tape.CHAIN_START))
        return Job(lambda: jax.block_until_ready(derivative(*given)), lambda: np.asarray(derivative(*given)))
    x, y, values = tape.mlp_data(work.batch)

    def loss(parameters: Any, x: Any, y: Any) -> Any:
        w1, b1, w2, b2 = parameters
        z = jax.nn.relu(x @ w1 + b1) @ w2 + b2
        return jnp.mean(jax.nn.logsumexp(z, axis=1) - jnp.take_along_axis(z, y[:, None], 1)[:, 0])

    derivative = jax.jit(jax.grad(loss))
    given = ([jnp.asarray(p) for p in values], jnp.asarray(x), jnp.asarray(y))
    return Job(
        lambda: jax.block_until_ready(derivative(*given)), lambda: tape.shown([*map(np.asarray, derivative(*given))])
    )
