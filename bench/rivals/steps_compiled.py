"""Whole training steps by TensorFlow's tf.function, and by jax's jit with optax."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..case import Job, Work, contender
from ..cases import steps
from .steps import job


@contender("TF function", "steps", runtime="tensorflow")
def tensorflow_function(work: Work) -> Job:
    from .tensorflow_apply import optimizer, tensorflow

    tf = tensorflow()
    tables = [tf.Variable(table) for table in steps.first_tables(work)]
    dense = [tf.Variable(p) for p in steps.first_dense(work)]
    parameters, opt = [*tables, *dense], optimizer(steps.RULES[work.kind])

    def layers(x: Any) -> Any:
        for w, b in zip(dense[:-2:2], dense[1:-2:2], strict=True):
            x = tf.nn.relu(x @ w + b)
        return x @ dense[-2] + dense[-1]

    def clicks(logits: Any, labels: Any) -> Any:
        return tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))

    def recommender(ids: Any, numbers: Any, labels: Any) -> Any:
        rows = [tf.nn.embedding_lookup(table, ids[:, k]) for k, table in enumerate(tables)]
        return clicks(layers(tf.concat([*rows, numbers], axis=1))[:, 0], labels)

    def machine(ids: Any, labels: Any) -> Any:
        v = tf.nn.embedding_lookup(tables[0], ids)
        total = tf.reduce_sum(v, axis=1)
        pairs = tf.reduce_sum(total * total - tf.reduce_sum(v * v, axis=1), axis=1) / 2
        return clicks(dense[0] + tf.reduce_sum(tf.nn.embedding_lookup(tables[1], ids), axis=(1, 2)) + pairs, labels)

    def perceptron(x: Any, labels: Any) -> Any:
        return tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=layers(x)))

    loss = {"recommender": recommender, "machine": machine, "perceptron": perceptron}[work.kind]

    @tf.function
    def step(*batch: Any) -> Any:
        with tf.GradientTape() as tape:
            value = loss(*batch)
        opt.apply_gradients(zip(tape.gradient(value, parameters), parameters, strict=True))
        return value

    def now() -> tuple[list[Any], list[Any]]:
        return [table.numpy() for table in tables], [p.numpy() for p in dense]

    return job(work, step, now, tf.constant)


@contender("jax jit", "steps", runtime="jax")
def jax_jit(work: Work) -> Job:
    import optax

    from .jax_optax import jax_module, transformation

    jax = jax_module()
    jnp = jax.numpy
    tx = transformation(steps.RULES[work.kind])
    parameters = [[jnp.asarray(p) for p in each] for each in (steps.first_tables(work), steps.first_dense(work))]
    now = [parameters, tx.init(parameters)]

    def layers(dense: Any, x: Any) -> Any:
        for w, b in zip(dense[:-2:2], dense[1:-2:2], strict=True):
            x = jax.nn.relu(x @ w + b)
        return x @ dense[-2] + dense[-1]

    def clicks(logits: Any, labels: Any) -> Any:
        return jnp.sum(optax.sigmoid_binary_cross_entropy(logits, labels))

    def recommender(tables: Any, dense: Any, ids: Any, numbers: Any, labels: Any) -> Any:
        rows = [table[ids[:, k]] for k, table in enumerate(tables)]
        return clicks(layers(dense, jnp.concatenate([*rows, numbers], axis=1))[:, 0], labels)

    def machine(tables: Any, dense: Any, ids: Any, labels: Any) -> Any:
        v = tables[0][ids]
        total = jnp.sum(v, axis=1)
        pairs = jnp.sum(total * total - jnp.sum(v * v, axis=1), axis=1) / 2
        return clicks(dense[0] + jnp.sum(tables[1][ids], axis=(1, 2)) + pairs, labels)

    def perceptron(tables: Any, dense: Any, x: Any, labels: Any) -> Any:
        return jnp.sum(optax.softmax_cross_entropy_with_integer_labels(layers(dense, x), labels))

    loss = {"recommender": recommender, "machine": machine, "perceptron": perceptron}[work.kind]

    def update(parameters: Any, state: Any, *batch: Any) -> Any:
        value, gradients = jax.value_and_grad(lambda parameters: loss(*parameters, *batch))(parameters)
        moves, state = tx.update(gradients, state, parameters)
        return optax.apply_updates(parameters, moves), state, value

    compiled = jax.jit(update, donate_argnums=(0, 1))

    def step(*batch: Any) -> Any:
        *now[:], value = compiled(*now, *batch)
        return jax.block_until_ready(value)

    def values() -> tuple[list[Any], list[Any]]:
        return [np.asarray(table) for table in now[0][0]], [np.asarray(p) for p in now[0][1]]

    return job(work, step, values, jnp.asarray)
