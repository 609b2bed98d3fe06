"""Two processes of torch.distributed (gloo) with the same dense gradients: `python bench/mpi/torch_steps.py OUT.json`.

What DistributedDataParallel does without its overlap with the backward pass: one all_reduce of the flat gradients, then
Adam on every rank; and ZeroRedundancyOptimizer after the same all_reduce.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.multiprocessing as processes
from torch.distributed.optim import ZeroRedundancyOptimizer

DENSE = [10_000, 100_000, 1_000_000, 4_000_000]


def least(step: Callable[[], None], repeats: int) -> float:
    """Return the least seconds that a step takes on the slowest rank."""
    step()
    found = []
    for _ in range(repeats):
        dist.barrier()
        begin = time.perf_counter()
        step()
        took = torch.tensor([time.perf_counter() - begin])
        dist.all_reduce(took, op=dist.ReduceOp.MAX)
        found.append(float(took))
    return min(found)


def rank_of(rank: int, ranks: int, out: str) -> None:
    """Measure as one rank."""
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29417", GLOO_SOCKET_IFNAME="lo")
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=ranks)
    found: list[dict[str, Any]] = []
    for size in DENSE:
        for kind in ("ddp", "zero"):
            parts = [torch.nn.Parameter(torch.zeros(size // 4)) for _ in range(4)]  # ZeRO deals out whole parameters
            flat = torch.ones(size)
            for part, gradient in zip(parts, flat.chunk(4), strict=True):
                part.grad = gradient
            if kind == "ddp":
                opt: Any = torch.optim.Adam(parts, lr=0.01, foreach=True)
            else:
                opt = ZeroRedundancyOptimizer(parts, torch.optim.Adam, lr=0.01, foreach=True)

            def step(flat: torch.Tensor = flat, opt: Any = opt) -> None:
                dist.all_reduce(flat)
                flat.div_(ranks)
                opt.step()

            found.append({"size": size, "kind": kind, "seconds": least(step, 30 if size < 1_000_000 else 12)})
    if rank == 0:
        Path(out).write_text(json.dumps({"ranks": ranks, "torch": torch.__version__, "dense": found}))
    dist.destroy_process_group()


if __name__ == "__main__":
    processes.spawn(rank_of, args=(2, sys.argv[1]), nprocs=2)
