"""The words job: a step of continuous bag of words with negative sampling on real text, in every library.

The text is Python's own documentation, so that every interpreter has it; batches are made beforehand, the same for all.
A step is the lookup of both tables, the loss, its gradient, and Adagrad on the rows.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from .case import STEPS_CHECKED, Case, Job, Work, case, contender

SIZE, WINDOW, NEGATIVES, BATCHES = 64, 5, 10, 16
RATE, ACCUMULATOR = 0.1, 0.1
SHOWN = 200  # rows of each table that the answer has

Batch = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # context, weight, candidates, mask


@functools.cache
def text() -> tuple[np.ndarray, int]:
    """Return the words of the text as numbers, frequent ones first, and how many different ones there are."""
    from pydoc_data.topics import topics

    words = re.findall(r"[a-z_]+", "\n".join(topics.values()).lower())
    counts = Counter(words)
    known = [word for word, count in counts.most_common() if count >= 5]
    number = {word: i for i, word in enumerate(known)}
    return np.array([number[word] for word in words if word in number], np.int32), len(known)


@functools.cache
def batches(size: int) -> list[Batch]:
    """Return examples: ids around a word, their weights, the word before drawn ones, which of these count."""
    ids, words = text()
    rng = np.random.default_rng(0)
    offsets = np.concatenate([np.arange(-WINDOW, 0), np.arange(1, WINDOW + 1)])
    made = []
    for _ in range(BATCHES):
        places = rng.integers(WINDOW, ids.size - WINDOW, (size, 1))
        inside = np.abs(offsets) <= rng.integers(1, WINDOW + 1, (size, 1))
        context = np.where(inside, ids[places + offsets], words).astype(np.int32)
        weight = inside / inside.sum(axis=1, keepdims=True, dtype=np.float32)
        candidates = np.concatenate([ids[places], ids[rng.integers(0, ids.size, (size, NEGATIVES))]], axis=1)
        mask = (candidates != candidates[:, :1]).astype(np.float32)
        mask[:, 0] = 1
        made.append((context, weight.astype(np.float32), candidates, mask))
    return made


def tables() -> tuple[np.ndarray, np.ndarray]:
    """Return the vectors that everybody begins with: of the words in a context, and of those to predict."""
    words = text()[1]
    rng = np.random.default_rng(1)
    inputs = rng.standard_normal((words + 1, SIZE)) * 0.1
    return inputs.astype(np.float32), (rng.standard_normal((words, SIZE)) * 0.1).astype(np.float32)


def truth(candidates: np.ndarray) -> np.ndarray:
    labels = np.zeros(candidates.shape, np.float32)
    labels[:, 0] = 1
    return labels


def answer(inputs: np.ndarray, outputs: np.ndarray, losses: list[float]) -> np.ndarray:
    """Return what is compared: rows of both tables, and the loss of each step."""
    return np.concatenate([inputs[:SHOWN].ravel(), outputs[:SHOWN].ravel(), losses[:STEPS_CHECKED]])


@functools.cache
def expected(size: int) -> np.ndarray:
    """Take the steps in float64, derivatives by hand."""
    inputs, outputs = (table.astype(np.float64) for table in tables())
    sums = [np.full_like(table, ACCUMULATOR) for table in (inputs, outputs)]
    losses = []
    for context, weight, candidates, mask in batches(size)[:STEPS_CHECKED]:
        rows, others = inputs[context], outputs[candidates]
        hidden = np.einsum("bc,bcd->bd", weight, rows)
        logits = np.einsum("bkd,bd->bk", others, hidden)
        losses.append(float(np.sum(mask * (np.logaddexp(0, logits) - truth(candidates) * logits))))
        slope = mask * (1 / (1 + np.exp(-logits)) - truth(candidates))
        back = np.einsum("bk,bkd->bd", slope, others)
        gradients = [np.zeros_like(inputs), np.zeros_like(outputs)]
        np.add.at(gradients[0], context, weight[..., None] * back[:, None])
        np.add.at(gradients[1], candidates, slope[..., None] * hidden[:, None])
        for table, total, gradient in zip((inputs, outputs), sums, gradients, strict=True):
            total += gradient**2
            table -= RATE * gradient / np.sqrt(total)
    return answer(inputs, outputs, losses)


case(
    Case(
        name="words",
        title="The words job",
        works=lambda quick: [
            Work("words", f"CBOW, {SIZE} wide, batch {batch}", threads, {"batch": batch})
            for batch in ([512] if quick else [512, 4096])
            for threads in ([1] if quick else [1, 2])
        ],
        unit="thousand words a second",
        figure=lambda work, seconds: work.batch / seconds / 1e3,
        more_is_better=True,
        expected=lambda work: expected(work.batch),
        tolerance=lambda work: (1e-3, 1e-4),
        seconds=1.0,
        order=70,
        note="A step of word2vec's continuous bag of words, ten words drawn beside each true one, on Python's "
        "documentation: both lookups, the loss, its gradient, Adagrad on the rows. Each step's loss is compared too.",
    )
)


def job(step: Callable[[Any], Any], tables: Callable[[], Any], size: int, convert: Callable[[Batch], Any]) -> Job:
    """Make a job of a step that takes a batch in the library's form and returns the loss."""
    ready = itertools.cycle([convert(batch) for batch in batches(size)])
    losses: list[float] = []
    return Job(lambda: losses.append(float(step(next(ready)))), lambda: answer(*tables(), losses))


@contender("steepest", "words", runtime="steepest")
def steepest(work: Work) -> Job:
    import steepest as st

    inputs, outputs = (st.Variable(table) for table in tables())
    opt, unused = st.AdagradOptimizer(RATE, ACCUMULATOR), len(inputs) - 1

    def loss(batch: Batch) -> Any:
        context, _, candidates, mask = batch
        hidden = st.nn.embedding_bag(inputs, context, padding_id=unused)
        logits = np.einsum("bkd,bd->bk", st.nn.embedding_lookup(outputs, candidates), hidden)
        losses = st.nn.sigmoid_cross_entropy_with_logits(labels=truth(candidates), logits=logits)
        return np.sum(losses * mask)

    found = st.implicit_value_and_gradients(loss)

    def step(batch: Batch) -> Any:
        value, pairs = found(batch)
        opt.apply_gradients(pairs)
        return value

    return job(step, lambda: (inputs.numpy(), outputs.numpy()), work.batch, lambda batch: batch)


@contender("torch", "words", runtime="torch")
def torch_words(work: Work) -> Job:
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits, embedding, embedding_bag

    torch.set_num_threads(work.threads)
    inputs, outputs = (torch.nn.Parameter(torch.from_numpy(table)) for table in tables())
    opt = torch.optim.Adagrad([inputs, outputs], RATE, initial_accumulator_value=ACCUMULATOR, eps=0.0)
    unused = len(inputs) - 1

    def step(batch: Any) -> Any:
        context, _, candidates, mask, labels = batch
        opt.zero_grad()
        hidden = embedding_bag(context, inputs, mode="mean", sparse=True, padding_idx=unused)
        logits = torch.einsum("bkd,bd->bk", embedding(candidates, outputs, sparse=True), hidden)
        loss = (binary_cross_entropy_with_logits(logits, labels, reduction="none") * mask).sum()
        loss.backward()
        opt.step()
        return loss.detach()

    def convert(batch: Batch) -> Any:
        return [*(torch.from_numpy(part) for part in batch), torch.from_numpy(truth(batch[2]))]

    return job(step, lambda: (inputs.detach().numpy(), outputs.detach().numpy()), work.batch, convert)


def tensorflow_words(function: bool) -> Callable[[Work], Job]:
    def make(work: Work) -> Job:
        from .rivals.tensorflow_apply import tensorflow

        tf = tensorflow()
        inputs, outputs = (tf.Variable(table) for table in tables())
        opt = tf.compat.v1.train.AdagradOptimizer(RATE, ACCUMULATOR)

        def step(context: Any, weight: Any, candidates: Any, mask: Any, labels: Any) -> Any:
            with tf.GradientTape() as tape:
                hidden = tf.einsum("bc,bcd->bd", weight, tf.nn.embedding_lookup(inputs, context))
                logits = tf.einsum("bkd,bd->bk", tf.nn.embedding_lookup(outputs, candidates), hidden)
                losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
                loss = tf.reduce_sum(losses * mask)
            opt.apply_gradients(zip(tape.gradient(loss, [inputs, outputs]), [inputs, outputs], strict=True))
            return loss

        ran = tf.function(step) if function else step

        def convert(batch: Batch) -> Any:
            return [*(tf.constant(part) for part in batch), tf.constant(truth(batch[2]))]

        return job(lambda parts: ran(*parts), lambda: (inputs.numpy(), outputs.numpy()), work.batch, convert)

    return make


contender("TF eager", "words", runtime="tensorflow")(tensorflow_words(function=False))
contender("TF function", "words", runtime="tensorflow")(tensorflow_words(function=True))


@contender("jax jit", "words", runtime="jax")
def jax_words(work: Work) -> Job:
    import optax

    from .rivals.jax_optax import jax_module

    jax = jax_module()
    jnp = jax.numpy
    tx = optax.adagrad(RATE, ACCUMULATOR, eps=1e-12)
    start = [jnp.asarray(table) for table in tables()]
    now = [start, tx.init(start)]

    def loss(tables: Any, context: Any, weight: Any, candidates: Any, mask: Any, labels: Any) -> Any:
        hidden = jnp.einsum("bc,bcd->bd", weight, tables[0][context])
        logits = jnp.einsum("bkd,bd->bk", tables[1][candidates], hidden)
        return jnp.sum(optax.sigmoid_binary_cross_entropy(logits, labels) * mask)

    def update(tables: Any, state: Any, *batch: Any) -> Any:
        value, gradients = jax.value_and_grad(loss)(tables, *batch)
        moves, state = tx.update(gradients, state, tables)
        return optax.apply_updates(tables, moves), state, value

    compiled = jax.jit(update, donate_argnums=(0, 1))

    def step(batch: Any) -> Any:
        *now[:], value = compiled(*now, *batch)
        return jax.block_until_ready(value)

    def convert(batch: Batch) -> Any:
        return [*(jnp.asarray(part) for part in batch), jnp.asarray(truth(batch[2]))]

    return job(step, lambda: tuple(np.asarray(table) for table in now[0]), work.batch, convert)


@contender("FBGEMM", "words", runtime="fbgemm")
def fbgemm_words(work: Work) -> Job:
    """Contexts are bags with weights, candidates bags of one id; the backward pass updates both tables."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits

    from .rivals.fbgemm import batched

    torch.set_num_threads(work.threads)
    both = [batched([table.shape], learning_rate=RATE) for table in tables()]
    weights = [each.split_embedding_weights()[0] for each in both]
    with torch.no_grad():
        for weight, table in zip(weights, tables(), strict=True):
            weight.copy_(torch.from_numpy(table))
    offsets = torch.arange(0, 2 * WINDOW * work.batch + 1, 2 * WINDOW)
    each_alone = torch.arange((1 + NEGATIVES) * work.batch + 1)

    def step(batch: Any) -> Any:
        context, weight, candidates, mask, labels = batch
        hidden = both[0](context, offsets, per_sample_weights=weight)
        rows = both[1](candidates, each_alone).reshape(work.batch, 1 + NEGATIVES, SIZE)
        logits = torch.einsum("bkd,bd->bk", rows, hidden)
        loss = (binary_cross_entropy_with_logits(logits, labels, reduction="none") * mask).sum()
        loss.backward()
        return loss.detach()

    def convert(batch: Batch) -> Any:
        context, weight, candidates, mask = (torch.from_numpy(part) for part in batch)
        flat = [context.reshape(-1).long(), weight.reshape(-1), candidates.reshape(-1).long()]
        return [*flat, mask, torch.from_numpy(truth(batch[2]))]

    return job(step, lambda: tuple(weight.detach().numpy() for weight in weights), work.batch, convert)
