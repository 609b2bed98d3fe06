"""What is read of an optimizer whose slots ranks share out: whole averages of all of them, or an error."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from mpi_worlds import SHAPES, World, gradients
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, ShardedVariable, share

MAKERS: dict[str, Any] = {
    "sgd": lambda: st.ScheduleFreeSGD(0.1),
    "adam": lambda: st.ScheduleFreeAdamW(0.1),
    "around": lambda: st.ExponentialMovingAverage(st.AdamOptimizer(0.1), 0.5),
}


@pytest.mark.parametrize("name", MAKERS)
def test_averages_are_those_of_one_process(name):
    def trained(ranks: int) -> list[list[bytes]]:
        worlds = [World() for _ in range(ranks)]

        def program(comm: Any) -> list[bytes]:
            world, mine = worlds[comm.Get_rank()], share(4, comm)
            opt = DistributedOptimizer(MAKERS[name](), comm, micro_batches=len(mine))
            for step in range(2):
                for leaf in mine:
                    opt.apply_gradients(list(zip(gradients(step, leaf), world.parameters, strict=True)))
            unknown = np.ones(3)
            assert opt.averaged_value(unknown).tolist() == [1.0] * 3
            before, averages = world.values(), [opt.averaged_value(w) for w in world.parameters]
            assert any(a.tobytes() != b.tobytes() for a, b in zip(averages, before, strict=True))
            with opt.averaged_weights(*(w for w in world.parameters if isinstance(w, np.ndarray))):
                assert [a.tobytes() for a in world.values()] == [a.tobytes() for a in averages]
            assert [a.tobytes() for a in world.values()] == [a.tobytes() for a in before]
            return [average.tobytes() for average in averages]

        return on_ranks(ranks, program)

    (alone,) = trained(1)
    assert len(alone) == len(SHAPES)
    for ranks in (2, 4):
        assert trained(ranks) == [alone] * ranks


def test_rows_of_a_table_have_their_averages_inside():
    def program(comm: Any) -> tuple[bytes, bytes]:
        table = ShardedVariable(9000, 2, lambda ids: np.sin(ids)[:, None] * [1.0, 2.0], comm=comm)
        opt = DistributedOptimizer(st.ScheduleFreeSGD(0.1), comm, average=False)
        for _ in range(2):
            ids = [1, 8999] if comm.Get_rank() == 0 else []
            opt.minimize(lambda ids=ids: np.sum(table.lookup(ids) ** 2))
        with pytest.raises(TypeError, match="var must be whole on every rank, got the ShardedVariable 'sharded'"):
            opt.averaged_value(table)
        before = np.asarray(table.lookup(np.arange(9000)))
        with opt.averaged_weights():
            inside = np.asarray(table.lookup(np.arange(9000)))
        assert np.asarray(table.lookup(np.arange(9000))).tobytes() == before.tobytes()
        assert inside.tobytes() != before.tobytes()
        return before.tobytes(), inside.tobytes()

    assert len({found for ranks in (1, 2, 3) for found in on_ranks(ranks, program)}) == 1


PARTS: dict[str, Any] = {
    "average": lambda inner, w, path: inner.averaged_value(w),
    "averages": lambda inner, w, path: inner.averaged_weights(),
    "state": lambda inner, w, path: inner.state_dict(),
    "load": lambda inner, w, path: inner.load_state_dict(st.ScheduleFreeSGD(0.1).state_dict()),
    "copy": lambda inner, w, path: copy.deepcopy(inner),
    "save": lambda inner, w, path: st.save(path, opt=inner),
    "save of all": lambda inner, w, path: st.save(path, opt=st.MultiOptimizer([(inner, None)])),
}


@pytest.mark.parametrize("part", PARTS)
def test_nobody_reads_one_ranks_part_for_the_whole(part, tmp_path):
    worlds = [World() for _ in range(2)]

    def program(comm: Any) -> None:
        w, inner = worlds[comm.Get_rank()].parameters[8], st.ScheduleFreeSGD(0.1)
        opt = DistributedOptimizer(inner, comm)
        opt.apply_gradients([(np.ones(w.shape), w)])
        state = opt.state_dict()
        with pytest.raises(TypeError, match="be read and saved by all ranks together, got a call for one rank's part"):
            PARTS[part](inner, w, tmp_path / f"{comm.Get_rank()}.safetensors")
        opt.load_state_dict(state)
        opt.apply_gradients([(np.ones(w.shape), w)])

    on_ranks(2, program)
