"""Bytes that a rank sends, and bytes that it keeps: counted, not guessed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpiexec import mpiexec
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, ShardedVariable
from steepest.mpi.meeting import HEAD

MEETING = HEAD * 8  # bytes to each other rank


def sent_in_a_step(ranks: int, pairs: Any, make: Any, **options: Any) -> tuple[int, int]:
    """The most bytes that a rank sends in its second step, without meetings, and the slot bytes that it keeps."""

    def program(comm: Any) -> tuple[int, int]:
        opt = DistributedOptimizer(make(), comm, **options)
        opt.apply_gradients(pairs(comm.Get_rank()))
        before = opt._wire.sent
        opt.apply_gradients(pairs(comm.Get_rank()))
        meetings = 2 if opt._joint.shards else 1
        kept = sum(variable.value.nbytes for variable in opt.variables() if variable.shape)
        return opt._wire.sent - before - meetings * MEETING * (ranks - 1), kept

    found = on_ranks(ranks, program)
    return max(sent for sent, _ in found), max(kept for _, kept in found)


SIZES = [(64, 4096), (100_000,), (8192, 3)]  # 1.5 MB


def dense_pairs(ranks: int) -> Any:
    worlds = [[np.zeros(size, np.float32) for size in SIZES] for _ in range(ranks)]
    return lambda rank: [(np.ones_like(w), w) for w in worlds[rank]]


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("shards", [False, True])
def test_dense_gradients_cost_what_a_ring_all_reduce_does(ranks, shards):
    size = sum(4 * int(np.prod(size)) for size in SIZES)
    sent, kept = sent_in_a_step(ranks, dense_pairs(ranks), lambda: st.AdamOptimizer(0.1), shards=shards)
    chunk = 4096 * 4
    assert sent <= 2 * (ranks - 1) / ranks * size + 2 * ranks * chunk
    assert kept <= (2 * size / ranks + 2 * chunk * len(SIZES) if shards else 2 * size)


@pytest.mark.parametrize("ranks", [2, 4])
def test_norms_of_whole_parameters_cost_two_numbers_for_each_chunk(ranks):
    adam, _ = sent_in_a_step(ranks, dense_pairs(ranks), lambda: st.AdamOptimizer(0.1), shards=True)
    lamb, kept = sent_in_a_step(ranks, dense_pairs(ranks), lambda: st.LAMBOptimizer(0.1), shards=True)
    size = sum(4 * int(np.prod(size)) for size in SIZES)
    chunks = size / 4 / 4096 / ranks + 2 * len(SIZES)  # a rank's own: each parameter's last one is no whole chunk
    assert lamb - adam <= (16 * chunks + 16 * len(SIZES)) * (ranks - 1)  # and how many there are of each number
    assert kept <= 2 * size / ranks + 2 * 4096 * 4 * len(SIZES)


def test_a_half_type_halves_what_gradients_cost():
    size = sum(4 * int(np.prod(size)) for size in SIZES)
    sent, _ = sent_in_a_step(2, dense_pairs(2), lambda: st.AdamOptimizer(0.1), compression="bfloat16")
    assert sent <= 0.5 * size / 2 + size / 2 + 4 * 4096 * 4


@pytest.mark.parametrize("width", [1, 16])
@pytest.mark.parametrize("shards", [False, True])
def test_rows_cost_eight_bytes_and_the_row_for_each_distinct_id_and_direction(width, shards):
    ids = np.array([7, 3, 3, 3, 90_000, 7, 45_000] * 20)  # four rows, each many times
    tables = [np.zeros((100_000, width), np.float32) for _ in range(2)]

    def pairs(rank: int) -> Any:
        return [(st.IndexedSlices(np.ones((len(ids), width), np.float32), ids), tables[rank])]

    sent, _ = sent_in_a_step(2, pairs, lambda: st.AdagradOptimizer(0.1), shards=shards)
    there, back = 4 * (8 + 4 * width), 4 * (8 + 4 * width)  # at most: to the other owner, and from this one
    assert sent <= there + back + 16 + 2 * 8 * 2  # counts of rows, and messages that begin at eighths


def test_a_table_that_is_touched_all_over_travels_densely_and_has_the_same_bits():
    rows = 30_000

    def outcome(as_dense: Any) -> tuple[int, bytes]:
        tables = [np.full((rows, 1), -0.0, np.float32) for _ in range(2)]  # minus -0.0 it is 0.0, minus 0.0 itself

        def program(comm: Any) -> tuple[int, bytes]:
            rng = np.random.default_rng(comm.Get_rank())
            opt = DistributedOptimizer(st.GradientDescentOptimizer(0.1), comm, sparse_as_dense=as_dense)
            for share in (0.9, 0.01):
                ids = np.flatnonzero(rng.random(rows) < share)
                values = rng.normal(size=(len(ids), 1)).astype(np.float32)
                values[::3] = -0.0
                opt.apply_gradients([(st.IndexedSlices(values, ids), tables[comm.Get_rank()])])
            return opt._wire.sent, tables[comm.Get_rank()].tobytes()

        found = on_ranks(2, program)
        assert found[0][1] == found[1][1]
        return max(sent for sent, _ in found), found[0][1]

    (as_rows, a), (densely, b), (chosen, c) = outcome(False), outcome(True), outcome("auto")
    assert a == b == c
    assert chosen < as_rows
    assert chosen < densely


def test_a_sharded_table_sends_nothing_back():
    def program(comm: Any) -> int:
        table = ShardedVariable(100_000, 16, comm=comm)
        opt = DistributedOptimizer(st.AdagradOptimizer(0.1), comm)
        before = 0
        for _ in range(2):
            before = opt._wire.sent
            opt.minimize(lambda: np.sum(table.lookup([1, 1, 99_999])))
        return opt._wire.sent - before

    # For a lookup ids and rows, for the gradient ids and rows: one id to the other rank in each, and one row.
    assert max(on_ranks(2, program)) <= 2 * (8 + 64) + 2 * 8 + 3 * MEETING


STEPS = """
import re, sys
from pathlib import Path
from mpi4py import MPI
import numpy as np
import steepest as st
from steepest.mpi import DistributedOptimizer

def memory(of):  # bytes that lie in memory now (VmRSS), or have at most (VmHWM)
    return 1024 * int(re.search(of + r":\\s*(\\d+)", Path("/proc/self/status").read_text())[1])

def step(size, bucket):
    w, gradient = np.full(size // 4, 0.5, np.float32), np.ones(size // 4, np.float32)
    opt = DistributedOptimizer(st.GradientDescentOptimizer(0.1), bucket_bytes=bucket, shards=True)
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the most so far is now what there is
    for _ in range(2):
        opt.apply_gradients([(gradient, w)])
    return memory("VmHWM") - before

step(1 << 20, 1 << 18)  # what every program needs
print(step(int(sys.argv[1]), int(sys.argv[2])))
"""


def test_a_step_needs_two_buckets_and_its_share():
    size, bucket = 1 << 26, 1 << 23
    done = mpiexec(2, STEPS, str(size), str(bucket))
    assert done.returncode == 0, done.stderr
    for text in done.stdout:  # and 2 MiB for what allocators and MPI keep
        assert int(text) <= size / 2 + 2 * bucket + (2 << 20)
