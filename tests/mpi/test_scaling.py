"""docs/scaling.md: its tables are those of its model and of the measured file, and its bytes those that ranks count."""

from __future__ import annotations

import importlib.util
import socket
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
def scaling():
    spec = importlib.util.spec_from_file_location("docs_scaling", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = before
    return module


@pytest.fixture(scope="module")
def model(scaling):
    return scaling.model


def test_the_page_is_what_the_model_gives(scaling):
    assert scaling.PAGE.read_text("utf-8") == scaling.page(), "run: python docs/scaling.py"


def test_everybody_who_was_measured_has_trained_the_same_models(scaling):
    measured = scaling.Measured()
    assert scaling.same_bits(measured)
    for name in measured.raw["models"]:
        losses = [
            np.array(entry["losses"])
            for job, kind, _ in scaling.CONTENDERS
            for entry in scaling.rounds_of(measured, job, kind, name)
            if "absent" not in entry
        ]
        assert len(losses) >= 3
        for others in losses:
            np.testing.assert_allclose(others, losses[0], rtol=1e-3)


def test_constants_are_found_again(model):
    x = np.array([1.0, 10.0, 100.0, 1000.0])
    assert model.line(x, 3 + 0.5 * x) == pytest.approx((3, 0.5))
    assert model.line(x, 0.5 * x - 0.1)[0] == 0  # nothing costs less than nothing


def test_bytes_of_sockets_are_counted(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parents[1]))
    from bench.mpi.sockets import bytes_sent

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        with socket.create_connection(server.getsockname()) as one, server.accept()[0] as other:
            before = bytes_sent()
            one.sendall(bytes(1000))
            other.sendall(bytes(234))
            assert len(one.recv(234, socket.MSG_WAITALL)) == 234
            assert len(other.recv(1000, socket.MSG_WAITALL)) == 1000
            assert bytes_sent() - before == 1234
    for name in [name for name in sys.modules if name == "bench" or name.startswith("bench.")]:
        del sys.modules[name]


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
