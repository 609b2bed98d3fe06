"""docs/scaling.md: its tables are those of its model, and the model's bytes are those that ranks count."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, ShardedVariable

SCRIPT = Path(__file__).parents[2] / "docs" / "scaling.py"


@pytest.fixture(scope="module")
def model():
    spec = importlib.util.spec_from_file_location("docs_scaling", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_model_gives(model):
    assert model.PAGE.read_text("utf-8") == model.page(), "run: python docs/scaling.py"


def counted(ranks: int, step_of: Any, meetings: int) -> float:
    """The mean bytes that a rank sends in its second step, but for meetings."""

    def program(comm: Any) -> int:
        opt, step = step_of(comm)
        step()
        before = opt._wire.sent
        step()
        return opt._wire.sent - before - meetings * 512 * (ranks - 1)

    return float(np.mean(on_ranks(ranks, program)))


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("half", [False, True])
def test_dense_bytes(model, ranks, half):
    size = 4096 * 120  # shares of whole chunks on 2, 3 and 4 ranks
    worlds = [np.zeros(size, np.float32) for _ in range(ranks)]

    def step_of(comm: Any) -> Any:
        compression = "bfloat16" if half else None
        opt = DistributedOptimizer(st.AdamOptimizer(), comm, compression=compression, shards=True)
        return opt, lambda: opt.apply_gradients([(np.ones(size, np.float32), worlds[comm.Get_rank()])])

    assert counted(ranks, step_of, 2) == model.dense_bytes(ranks, 4 * size, half)


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("sharded", [False, True])
def test_rows_bytes(model, ranks, sharded):
    rows, width, distinct = 4096 * 12, 8, 1200
    worlds = [np.zeros((rows, width), np.float32) for _ in range(ranks)]

    def step_of(comm: Any) -> Any:
        rank = comm.Get_rank()
        ids = np.arange(rank, rows, rows // distinct)[:distinct]  # as many of each owner, and of each rank its own
        opt = DistributedOptimizer(st.AdagradOptimizer(0.1), comm)
        if sharded:
            table = ShardedVariable(rows, width, comm=comm)
            return opt, lambda: opt.minimize(lambda: np.sum(table.lookup(np.repeat(ids, 3))))
        slices = st.IndexedSlices(np.ones((distinct, width), np.float32), ids)
        return opt, lambda: opt.apply_gradients([(slices, worlds[rank])])

    found = counted(ranks, step_of, 3 if sharded else 2)
    expected = model.rows_bytes(ranks, distinct, width, None if sharded else distinct * ranks)
    assert expected <= found <= 1.01 * expected + 64 * ranks  # and counts of rows
