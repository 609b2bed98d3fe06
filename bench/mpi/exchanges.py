"""The exchanges alone: one rank of `mpiexec -n P python -m bench.mpi.exchanges OUT.json SECONDS`.

What docs/scaling.md is calibrated on, and checked against: messages of several sizes, meetings, whole steps of dense
gradients and of rows.
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
from steepest.mpi.meeting import meeting_of

MESSAGES = [1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 21, 1 << 22]  # bytes that a rank sends in one exchange
DENSE = [10_000, 100_000, 1_000_000, 2_000_000, 4_000_000]  # elements of float32
ROWS, WIDTH, IDS = 200_000, 16, [256, 4096, 32_768]
BLOCKS = 5


def per_call(call: Callable[[], Any], seconds: float) -> float:
    """Return a call's seconds in the quickest block of many, since other programs only add; on the slowest rank."""
    call()
    begin = time.perf_counter()
    call()
    count = max(1, int(seconds / BLOCKS / slowest(time.perf_counter() - begin)))
    found = []
    for _ in range(BLOCKS):
        begin = time.perf_counter()
        for _ in range(count):
            call()
        found.append((time.perf_counter() - begin) / count)
    return slowest(min(found))


def slowest(number: float) -> float:
    """Return the largest number of all ranks'."""
    return max(float(each) for each in mpi.allgather(number))


def messages(size: int, seconds: float) -> dict[str, float]:
    """Exchange ``size`` bytes, as many with each other rank."""
    wire = meeting_of("bench", None).wire
    each = size // (wire.size - 1)
    counts = [0 if rank == wire.rank else each for rank in range(wire.size)]
    part = np.zeros(sum(counts), np.uint8)
    return {"sent": float(sum(counts)), "seconds": per_call(lambda: wire.exchange(part, counts, counts), seconds)}


def dense(size: int, compression: str | None, seconds: float) -> dict[str, Any]:
    """Take whole steps of one dense parameter, shared out."""
    w, g = np.zeros(size, np.float32), np.full(size, 1e-3, np.float32)
    opt = mpi.DistributedOptimizer(st.AdamOptimizer(0.01), compression=compression, shards=True)
    return {"bytes": 4 * size, "half": compression is not None, **step_of(opt, lambda: [(g, w)], seconds)}


def step_of(opt: Any, pairs: Callable[[], Any], seconds: float) -> dict[str, float]:
    """Return seconds of a step, and the bytes that a rank sends in it."""
    opt.apply_gradients(pairs())
    before = opt._wire.sent
    opt.apply_gradients(pairs())
    sent = opt._wire.sent - before
    return {"sent": slowest(sent), "seconds": per_call(lambda: opt.apply_gradients(pairs()), seconds)}


def rows(count: int, sharded: bool, rank: int, seconds: float) -> dict[str, Any]:
    """Take whole steps of one table: every rank's own rows, of a replica or fetched by a lookup."""
    ids = np.random.default_rng(rank).integers(0, ROWS, count)
    values = np.full((count, WIDTH), 1e-3, np.float32)
    opt = mpi.DistributedOptimizer(st.AdagradOptimizer(0.01), sparse_as_dense=False)
    found = {"distinct": slowest(len(np.unique(ids))), "rows": ROWS, "width": WIDTH, "sharded": sharded}
    if not sharded:
        w = np.zeros((ROWS, WIDTH), np.float32)
        return {**found, **step_of(opt, lambda: [(st.IndexedSlices(values, ids), w)], seconds)}
    table = mpi.ShardedVariable(ROWS, WIDTH)

    def pairs() -> Any:
        with st.GradientTape() as tape:
            total = np.sum(table.lookup(ids))
        pages = list(tape.watched_variables())
        return list(zip(tape.gradient(total, pages), pages, strict=True))

    return {**found, **step_of(opt, pairs, seconds)}


def plain(size: int, seconds: float) -> dict[str, float]:
    """Update alone, on as many processes at once as there are ranks."""
    w, g, opt = np.zeros(size, np.float32), np.full(size, 1e-3, np.float32), st.AdamOptimizer(0.01)
    return {"bytes": 4 * size, "seconds": per_call(lambda: opt.apply_gradients([(g, w)]), seconds)}


def main() -> None:
    """Measure; the first rank writes."""
    out, seconds = Path(sys.argv[1]), float(sys.argv[2])
    meeting, rank = meeting_of("bench", None), meeting_of("bench", None).wire.rank
    found: dict[str, Any] = {"ranks": meeting.wire.size, "plain": [plain(size, seconds) for size in DENSE]}
    if meeting.wire.size > 1:
        found |= {
            "meeting": per_call(lambda: meeting.meet(1, (), ()), seconds),
            "messages": [messages(size, seconds) for size in MESSAGES],
            "dense": [dense(size, half, seconds) for size in DENSE for half in (None, "bfloat16")],
            "rows": [rows(count, sharded, rank, seconds) for count in IDS for sharded in (False, True)],
        }
    if mpi.is_root():
        out.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
