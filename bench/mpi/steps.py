"""One rank of the measurement: `mpiexec -n P python bench/mpi/steps.py OUT.json`; the first rank writes what was taken.

Every figure is the least of some steps, because other programs only add to it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import steepest as st
from steepest import mpi

DENSE = [10_000, 100_000, 1_000_000, 4_000_000]  # elements of float32
ROWS, WIDTH, IDS = 200_000, 16, [256, 4096, 32_768]


def least(step: Callable[[], None], repeats: int) -> float:
    """Return the least seconds that a step takes on the slowest rank."""
    step()
    found = []
    for _ in range(repeats):
        mpi.allgather(0)
        begin = time.perf_counter()
        step()
        found.append(max(float(t) for t in mpi.allgather(time.perf_counter() - begin)))
    return min(found)


def sent_by(wire: Any, step: Callable[[], None]) -> int:
    before = wire.sent
    step()
    return int(wire.sent - before)


def dense(size: int, shards: bool) -> dict[str, Any]:
    w, g = np.zeros(size, np.float32), np.ones(size, np.float32)
    opt = mpi.DistributedOptimizer(st.AdamOptimizer(0.01), shards=shards)

    def step() -> None:
        opt.apply_gradients([(g, w)])

    seconds = least(step, 30 if size < 1_000_000 else 12)
    return {"size": size, "shards": shards, "seconds": seconds, "sent": sent_by(opt._wire, step)}


def plain(size: int) -> dict[str, Any]:
    w, g, opt = np.zeros(size, np.float32), np.ones(size, np.float32), st.AdamOptimizer(0.01)
    return {"size": size, "seconds": least(lambda: opt.apply_gradients([(g, w)]), 30)}


def rows(count: int, sharded: bool) -> dict[str, Any]:
    rank = mpi.allgather(0)
    rng = np.random.default_rng(len(rank))
    ids = rng.integers(0, ROWS, count)
    values = rng.normal(size=(count, WIDTH)).astype(np.float32)
    opt = mpi.DistributedOptimizer(st.AdagradOptimizer(0.01), sparse_as_dense=False)
    if sharded:
        table = mpi.ShardedVariable(ROWS, WIDTH)

        def step() -> None:
            opt.minimize(lambda: np.sum(table.lookup(ids)))
    else:
        w = np.zeros((ROWS, WIDTH), np.float32)

        def step() -> None:
            opt.apply_gradients([(st.IndexedSlices(values, ids), w)])

    seconds = least(step, 12)
    found = {"ids": count, "sharded": sharded, "seconds": seconds, "sent": sent_by(opt._wire, step)}
    return {**found, "distinct": len(np.unique(ids))}


def meeting() -> float:
    """Return the seconds of one agreement of all ranks."""
    return least(lambda: [mpi.allgather(0) for _ in range(20)] and None, 10) / 20


def main() -> None:
    """Measure, and write on the first rank."""
    st.set_num_threads(1)
    found = {
        "ranks": len(mpi.allgather(0)),
        "meeting": meeting(),
        "plain": [plain(size) for size in DENSE],
        "dense": [dense(size, shards) for size in DENSE for shards in (False, True)],
        "rows": [rows(count, sharded) for count in IDS for sharded in (False, True)],
    }
    if mpi.is_root():
        Path(sys.argv[1]).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
