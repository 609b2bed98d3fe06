"""Training steps of many tables: `steepest.nn`, FBGEMM's table-batched embedding, torch's EmbeddingBag."""

from __future__ import annotations

import numpy as np

from .. import data
from ..case import Job, Work, contender
from ..cases import bags


@contender("steepest", "bags", runtime="steepest")
def ours(work: Work) -> Job:
    import steepest as st

    tables = [st.Variable(np.full((work.rows, work.width), data.START, np.float32)) for _ in range(work.tables)]
    opt = st.AdagradOptimizer(data.RATE, initial_accumulator_value=data.ACCUMULATOR)
    ids, gradient = bags.ids(work), bags.gradient(work)
    lists, matrix = list(ids), np.ascontiguousarray(ids[:, :, 0].T)

    def forward() -> np.ndarray:
        if work.length == 1:
            return st.nn.embedding_lookup(tables, matrix)
        return st.nn.embedding_bag(tables, lists, combiner="sum")

    def step() -> None:
        with st.GradientTape() as tape:
            loss = np.sum(forward() * gradient)
        gradients = tape.gradient(loss, tables)
        opt.apply_gradients(list(zip(gradients, tables, strict=True)))

    return Job(step, lambda: bags.answer(work, tables[0].value, forward()))


@contender("FBGEMM", "bags", runtime="fbgemm")
def fbgemm(work: Work) -> Job:
    import torch

    from .fbgemm import batched

    torch.set_num_threads(work.threads)
    tables = batched([(work.rows, work.width)] * work.tables)
    ids = torch.from_numpy(bags.ids(work).reshape(-1))
    offsets = torch.arange(0, ids.numel() + 1, work.length)
    gradient = torch.from_numpy(bags.gradient(work))

    def step() -> None:
        (tables(ids, offsets) * gradient).sum().backward()

    def answer() -> np.ndarray:
        weights = tables.split_embedding_weights()[0].detach().numpy()
        return bags.answer(work, weights, tables(ids, offsets).detach().numpy())

    return Job(step, answer)


@contender("torch", "bags", runtime="torch")
def torch_bags(work: Work) -> Job:
    import torch

    from .torch_optim import optimizer

    torch.set_num_threads(work.threads)
    tables = [torch.nn.EmbeddingBag(work.rows, work.width, mode="sum", sparse=True) for _ in range(work.tables)]
    for table in tables:
        torch.nn.init.constant_(table.weight, data.START)
    opt = optimizer(torch, "adagrad", [table.weight for table in tables])
    ids, gradient = [torch.from_numpy(each) for each in bags.ids(work)], torch.from_numpy(bags.gradient(work))

    def forward() -> torch.Tensor:
        return torch.cat([table(each) for table, each in zip(tables, ids, strict=True)], dim=1)

    def step() -> None:
        opt.zero_grad(set_to_none=True)
        (forward() * gradient).sum().backward()
        opt.step()

    return Job(step, lambda: bags.answer(work, tables[0].weight.detach().numpy(), forward().detach().numpy()))
