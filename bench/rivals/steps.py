"""Whole training steps by steepest, torch and FBGEMM, and the matrix products of these steps alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..case import Job, Work, contender
from ..cases import steps


def job(
    work: Work,
    step: Callable[..., Any],
    parameters: Callable[[], tuple[Sequence[Any], Sequence[Any]]],
    convert: Callable[[np.ndarray], Any] = lambda array: array,
) -> Job:
    """Make a job of a step that takes a batch and returns its loss; `parameters()` are tables and dense ones."""
    ready = [[convert(array) for array in batch] for batch in steps.batches(work)]
    losses: list[float] = []

    def train() -> None:
        losses.append(float(step(*ready[len(losses) % len(ready)])))

    return Job(train, lambda: steps.answer(work, losses, *parameters()))


def factors(work: Work) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return what a step multiplies: activations by weights, and for the derivatives of both."""
    rng = np.random.default_rng(0)
    pairs = []
    sizes = list(zip(work.layers[:-1], work.layers[1:], strict=True))
    for k, (m, n) in enumerate(sizes):
        x, w, g = (rng.normal(size=shape).astype(np.float32) for shape in ((work.batch, m), (m, n), (work.batch, n)))
        pairs += [(x, w), (x.T, g)]
        if k or work.kind == "recommender":  # the perceptron's input has no derivative
            pairs.append((g, w.T))
    return pairs


def products(multiply: Callable[[Any, Any], Any], convert: Callable[[np.ndarray], Any], work: Work) -> Job | None:
    pairs = [(convert(a), convert(b)) for a, b in factors(work)]
    return Job(lambda: [multiply(a, b) for a, b in pairs]) if pairs else None


@contender("products", "steps", runtime="numpy", roofline=True)
def products_by_numpy(work: Work) -> Job | None:
    return products(np.matmul, np.asarray, work)


@contender("torch's products", "steps", runtime="torch", roofline=True)
def products_by_torch(work: Work) -> Job | None:
    import torch

    torch.set_num_threads(work.threads)
    return products(torch.matmul, torch.from_numpy, work)


@contender("steepest", "steps", runtime="steepest")
def steepest(work: Work) -> Job:
    import steepest as st

    from .ours import optimizer

    tables = [st.Variable(table) for table in steps.first_tables(work)]
    dense = [st.Variable(p) for p in steps.first_dense(work)]
    opt = optimizer(steps.RULES[work.kind])

    def layers(x: Any) -> Any:
        for w, b in zip(dense[:-2:2], dense[1:-2:2], strict=True):
            x = st.nn.relu(x @ w + b)
        return x @ dense[-2] + dense[-1]

    def clicks(logits: Any, labels: Any) -> Any:
        return np.sum(st.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))

    def recommender(ids: Any, numbers: Any, labels: Any) -> Any:
        x = np.concatenate([st.nn.embedding_lookup(tables, ids), numbers], axis=1)
        return clicks(layers(x)[:, 0], labels)

    def machine(ids: Any, labels: Any) -> Any:
        v = st.nn.embedding_lookup(tables[0], ids)
        total = np.sum(v, axis=1)
        pairs = np.sum(total * total - np.sum(v * v, axis=1), axis=1) / 2
        return clicks(dense[0] + np.sum(st.nn.embedding_lookup(tables[1], ids)[..., 0], axis=1) + pairs, labels)

    def perceptron(x: Any, labels: Any) -> Any:
        return np.sum(st.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=layers(x)))

    loss = {"recommender": recommender, "machine": machine, "perceptron": perceptron}[work.kind]
    return job(
        work,
        lambda *batch: opt.minimize(lambda: loss(*batch)),
        lambda: ([table.value for table in tables], [p.value for p in dense]),
    )


def in_torch(work: Work, tables: Sequence[Any], lookup: Callable[[Any], Any], opt: Any, dense: Sequence[Any]) -> Job:
    """Make the job of torch; `lookup(ids)` is [B, T, D] or, of the machine, [B, F, 1 + D], weights before factors."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, linear, relu

    def layers(x: Any) -> Any:
        for w, b in zip(dense[:-2:2], dense[1:-2:2], strict=True):
            x = relu(linear(x, w, b))
        return linear(x, dense[-2], dense[-1])

    def recommender(ids: Any, numbers: Any, labels: Any) -> Any:
        logits = layers(torch.cat([*lookup(ids), numbers], dim=1))
        return binary_cross_entropy_with_logits(logits[:, 0], labels, reduction="sum")

    def machine(ids: Any, labels: Any) -> Any:
        v, weights = lookup(ids)
        total = v.sum(dim=1)
        pairs = (total * total - (v * v).sum(dim=1)).sum(dim=1) / 2
        logits = dense[0] + weights.sum(dim=(1, 2)) + pairs
        return binary_cross_entropy_with_logits(logits, labels, reduction="sum")

    def perceptron(x: Any, labels: Any) -> Any:
        return cross_entropy(layers(x), labels, reduction="sum")

    loss = {"recommender": recommender, "machine": machine, "perceptron": perceptron}[work.kind]

    def step(*batch: Any) -> Any:
        opt.zero_grad()
        value = loss(*batch)
        value.backward()
        opt.step()
        return value.item()

    def parameters() -> tuple[list[Any], list[Any]]:
        return [t.detach().numpy() for t in tables], [p.detach().numpy().T for p in dense]

    return job(work, step, parameters, torch.from_numpy)


def torch_dense(work: Work) -> list[Any]:
    """Return the dense parameters, weights as torch's layers have them: [outputs, inputs]."""
    import torch

    torch.set_num_threads(work.threads)
    return [torch.nn.Parameter(torch.from_numpy(np.ascontiguousarray(p.T))) for p in steps.first_dense(work)]


@contender("torch", "steps", runtime="torch")
def torch_eager(work: Work) -> Job:
    import torch

    from .torch_optim import optimizer

    dense = torch_dense(work)
    tables = [
        torch.nn.Embedding.from_pretrained(torch.from_numpy(table), freeze=False, sparse=True)
        for table in steps.first_tables(work)
    ]

    def lookup(ids: Any) -> list[Any]:
        if work.kind == "machine":
            return [table(ids) for table in tables]
        return [table(ids[:, k]) for k, table in enumerate(tables)]

    weights = [table.weight for table in tables]
    return in_torch(work, weights, lookup, optimizer(torch, steps.RULES[work.kind], [*weights, *dense]), dense)


@contender("FBGEMM", "steps", runtime="fbgemm")
def fbgemm(work: Work) -> Job | None:
    """All tables of a recommender as one; bags have one id each."""
    if work.kind != "recommender":
        return None
    import torch

    from .fbgemm import batched
    from .torch_optim import optimizer

    dense = torch_dense(work)
    tables = batched([(work.rows, work.width)] * work.tables)
    weights = tables.split_embedding_weights()
    with torch.no_grad():
        for table, first in zip(weights, steps.first_tables(work), strict=True):
            table.copy_(torch.from_numpy(first))
    offsets = torch.arange(work.batch * work.tables + 1)

    def lookup(ids: Any) -> list[Any]:
        return [tables(ids.T.reshape(-1), offsets)]

    return in_torch(work, weights, lookup, optimizer(torch, "adagrad", dense), dense)
