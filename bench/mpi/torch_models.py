"""The models on torch: `python -m bench.mpi.torch_models OUT.json SECONDS RANKS`, processes that talk by gloo.

DistributedDataParallel with the optimizer on every rank, and with ZeroRedundancyOptimizer around it.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.multiprocessing as processes
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

from .clock import measured
from .problems import ACCUMULATOR, PROBLEMS, RATE, Problem, joined
from .sockets import bytes_sent

KINDS = ("ddp", "zero")


class Model(nn.Module):
    """A model; called with a batch it returns the loss."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem = problem
        for name, value in problem.initial().items():
            if name in problem.tables:
                self.add_module(name, nn.Embedding.from_pretrained(torch.from_numpy(value), freeze=False, sparse=True))
            else:
                self.register_parameter(name, nn.Parameter(torch.from_numpy(value)))

    def forward(self, *batch: Any) -> Any:
        """Return the loss."""
        return getattr(self, f"_{self.problem.name}")(*batch)

    def _words(self, words: Any, others: Any) -> Any:
        logits = torch.einsum("bkd,bd->bk", self.outputs(others), self.inputs(words))
        labels = torch.zeros_like(logits)
        labels[:, 0] = 1
        return functional.binary_cross_entropy_with_logits(logits, labels, reduction="sum") / len(words)

    def _mlp(self, h: Any, labels: Any) -> Any:
        for k in range(3):
            h = torch.addmm(self.get_parameter(f"b{k}"), h, self.get_parameter(f"w{k}"))
            h = functional.relu(h) if k < 2 else h
        return functional.cross_entropy(h, labels)

    def _recommender(self, users: Any, items: Any, labels: Any) -> Any:
        both = torch.cat([self.users(users), self.items(items)], dim=1)
        logits = (functional.relu(torch.addmm(self.b0, both, self.w0)) @ self.w1).reshape(-1)
        return functional.binary_cross_entropy_with_logits(logits, labels)


def optimizer(problem: Problem, kind: str, parameters: Any) -> Any:
    """Return the optimizer of a model."""
    if problem.rule == "adam":
        rule, arguments = torch.optim.Adam, {"lr": 1e-3, "eps": 1e-8, "foreach": True}
    else:
        rule, arguments = torch.optim.Adagrad, {"lr": RATE, "initial_accumulator_value": ACCUMULATOR, "eps": 0.0}
    if kind == "zero":
        return ZeroRedundancyOptimizer(list(parameters), rule, **arguments)
    return rule(parameters, **arguments)


def trained(problem: Problem, kind: str, seconds: float, rank: int, ranks: int) -> dict[str, Any]:
    """Measure one kind on this rank, or without ranks."""
    model: Any = Model(problem)
    batches = [joined(parts) if ranks == 1 else parts[rank] for parts in problem.batches()]
    ready = [[torch.from_numpy(part) for part in batch] for batch in batches]
    if ranks > 1:
        model = DistributedDataParallel(model)
    opt = optimizer(problem, kind, model.parameters())

    def step(k: int) -> float:
        opt.zero_grad()
        loss = model(*ready[k % len(ready)])
        loss.backward()
        opt.step()
        return float(loss.detach())

    def every(number: float) -> list[float]:
        if ranks == 1:
            return [number]
        found = [torch.zeros(1, dtype=torch.float64) for _ in range(ranks)]
        dist.all_gather(found, torch.tensor([number], dtype=torch.float64))
        return [float(each) for each in found]

    return measured(step, lambda loss: sum(every(loss)) / ranks, every, bytes_sent, seconds)


def rank_of(rank: int, ranks: int, port: int, out: str, seconds: float) -> None:
    """Measure as one rank; the first one writes."""
    torch.set_num_threads(1)
    if ranks > 1:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo")
        dist.init_process_group("gloo", rank=rank, world_size=ranks)
    found: dict[str, Any] = {}
    for name, problem in PROBLEMS.items():
        found[name] = {}
        for kind in KINDS if ranks > 1 else ("plain",):
            try:
                found[name][kind] = trained(problem, kind, seconds, rank, ranks)
            except (RuntimeError, ValueError, TypeError, NotImplementedError) as error:  # on all ranks alike
                found[name][kind] = {"absent": f"{type(error).__name__}: {str(error).splitlines()[0]}"}
    if rank == 0:
        Path(out).write_text(json.dumps({"ranks": ranks, "torch": torch.__version__, "models": found}))
    if ranks > 1:
        dist.destroy_process_group()


def main() -> None:
    """Start the ranks."""
    out, seconds, ranks = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    if ranks == 1:
        rank_of(0, 1, port, out, seconds)
    else:
        processes.spawn(rank_of, args=(ranks, port, out, seconds), nprocs=ranks)


if __name__ == "__main__":
    main()
