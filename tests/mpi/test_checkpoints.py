"""A checkpoint is one file, the same for any number of ranks, and goes on on any other number, or without MPI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mpi_worlds import World, gradients
from random_worlds import hooks
from thread_comm import on_ranks

import steepest as st
import steepest.mpi
from steepest.mpi import DistributedOptimizer, RankError, ShardedVariable

LEAVES, ROWS = 4, 9000

RULES: dict[str, Any] = {
    "adam": lambda: st.AdamOptimizer(0.1),
    "lamb": lambda: st.LAMBOptimizer(0.1),
    "rowwise": lambda: st.RowWiseAdamOptimizer(0.1),
    "async": lambda: st.AdamAsyncOptimizer(0.1),
    "schedule": lambda: st.MomentumOptimizer(st.exponential_decay(0.1, None, 2, 0.5), 0.9, hooks=hooks("norms")),
    "sums": lambda: st.MomentumOptimizer(0.1, 0.9, hooks=[st.Accumulate(3), st.ClipByGlobalNorm(2.0)]),
    "noise": lambda: st.AdagradOptimizer(0.1, hooks=[st.GradientNoise(0.1, seed=3)]),
    "groups": lambda: st.MultiOptimizer(
        [
            (st.LAMBOptimizer(0.1, hooks=[st.ClipByNorm(1.0)]), lambda w: w.shape[0] % 2 == 0),
            (st.AdamOptimizer(0.1, hooks=[st.Accumulate(3)]), lambda w: w.shape[0] % 3 == 0 and w.shape[0] % 2),
            (st.MomentumOptimizer(st.exponential_decay(0.1, None, 2, 0.5), 0.9), None),
        ],
        hooks=[st.GradientNoise(0.1, seed=3), st.ClipByGlobalNorm(2.0)],
    ),
    "two groups": lambda: st.MultiOptimizer(
        [(st.LAMBOptimizer(0.1), lambda w: w.shape[0] % 2 == 0), (st.AdamOptimizer(0.1), None)], hooks=hooks("norms")
    ),
    "in Python": lambda: st.MultiOptimizer(
        [(st.Muon(0.1), lambda w: w.shape in {(7, 5), (3000, 3), (2100, 4)}), (st.AdamOptimizer(0.1), None)],
        hooks=hooks("norms"),
    ),
    "averages": lambda: st.ExponentialMovingAverage(RULES["two groups"](), 0.5),
    "slow weights": lambda: st.Lookahead(st.AdamOptimizer(0.1, hooks=[st.Accumulate(3)]), 2),
    "mean": lambda: st.SWA(st.Lookahead(st.RowWiseAdamOptimizer(0.1), 2), 1, 2),
    "sums of groups": lambda: st.MultiOptimizer(
        [(st.RowWiseAdamOptimizer(0.1), lambda w: w.shape[0] > 99), (st.AdamOptimizer(0.1), None)],
        hooks=[st.Accumulate(3)],
    ),
    "group": lambda: st.GroupFtrlOptimizer(0.1, l21_regularization_strength=0.1),
}


class Run:
    """One rank's part of a run."""

    def __init__(self, comm: Any, world: World, rule: str) -> None:
        self.comm, self.world = comm, world
        self.table = ShardedVariable(ROWS, 2, lambda ids: np.sin(ids)[:, None] * [1.0, 2.0], comm=comm)
        self.opt = DistributedOptimizer(RULES[rule](), comm, micro_batches=LEAVES // comm.Get_size())
        self.step = st.Variable(np.int64(0), trainable=False, name="step")
        self.step._name = "step"

    def train(self, steps: range) -> None:
        share = steepest.mpi.share(LEAVES, self.comm)
        for step in steps:
            for leaf in share:
                with st.GradientTape() as tape:
                    ids = np.random.default_rng([step, leaf]).integers(0, ROWS, 30)
                    loss = np.sum(np.tanh(self.table.lookup(ids)))
                pages = list(tape.watched_variables())
                pairs = list(zip(gradients(step, leaf), self.world.parameters, strict=True))
                self.opt.apply_gradients([*pairs, *zip(tape.gradient(loss, pages), pages, strict=True)], self.step)

    def objects(self) -> dict[str, Any]:
        return {"model": self.world.parameters, "table": self.table, "opt": self.opt, "step": self.step}

    def save(self, path: Path) -> None:
        steepest.mpi.save(path, comm=self.comm, **self.objects())

    def restore(self, path: Path) -> None:
        steepest.mpi.restore(path, comm=self.comm, **self.objects())

    def bits(self) -> bytes:
        values = [*self.world.values(), np.asarray(self.table.lookup(np.arange(ROWS)))]
        return b"".join(value.tobytes() for value in values)


def on(ranks: int, program: Any) -> list[Any]:
    worlds = [World() for _ in range(ranks)]
    return on_ranks(ranks, lambda comm: program(comm, worlds[comm.Get_rank()]))


@pytest.mark.parametrize("rule", RULES)
def test_a_run_goes_on_on_another_number_of_ranks_with_the_same_bits(rule, tmp_path):
    def whole(comm: Any, world: World) -> bytes:
        run = Run(comm, world, rule)
        run.train(range(2))
        run.save(tmp_path / f"{comm.Get_size()}.safetensors")
        run.train(range(2, 5))
        return run.bits()

    def resumed(ranks_before: int) -> Any:
        def program(comm: Any, world: World) -> bytes:
            for w in world.parameters:  # a new process begins with other values
                (w.value if isinstance(w, st.Variable) else w)[...] = 7
            run = Run(comm, world, rule)
            run.restore(tmp_path / f"{ranks_before}.safetensors")
            run.train(range(2, 5))
            return run.bits()

        return program

    (expected,) = on(1, whole)
    assert on(2, whole) == [expected] * 2
    assert on(4, whole) == [expected] * 4
    files = {(tmp_path / f"{ranks}.safetensors").read_bytes() for ranks in (1, 2, 4)}
    assert len(files) == 1
    for before, after in ((1, 2), (2, 4), (4, 1)):
        assert on(after, resumed(before)) == [expected] * after, f"{before} ranks, then {after}"


def test_a_checkpoint_is_read_without_mpi(tmp_path):
    path = tmp_path / "run.safetensors"

    def program(comm: Any, world: World) -> Any:
        run = Run(comm, world, "adam")
        run.train(range(2))
        run.save(path)
        slots = {
            (k, name): slot.numpy()
            for k, w in enumerate(world.parameters)
            for name in ("m", "v")
            if (slot := run.opt.get_slot(w, name)) is not None
        }
        table = np.asarray(run.table.lookup(np.arange(ROWS)))
        return world.values(), table, slots

    values, rows, slots = on(2, program)[0]
    world = World()
    table = st.Variable(np.zeros((ROWS, 2), np.float32), name="sharded")
    opt, step = st.AdamOptimizer(0.1), st.Variable(np.int64(0), trainable=False)
    st.restore(path, model=world.parameters, table=table, opt=opt, step=step)
    for mine, theirs in zip([*world.values(), table.value], [*values, rows], strict=True):
        assert mine.tobytes() == theirs.tobytes()
    for (k, name), slot in slots.items():
        found = opt.get_slot(world.parameters[k], name)
        assert found is not None
        assert found.value.tobytes() == slot.tobytes()
    assert step.value == 2


SINGLE: dict[str, Any] = {
    "one": lambda: st.AdamOptimizer(0.1),
    "several": lambda: RULES["two groups"](),
    "in Python": lambda: st.MultiOptimizer(
        [(st.Muon(0.1), lambda w: w.shape == (3000, 3)), (st.AdamOptimizer(), None)]
    ),
}


@pytest.mark.parametrize("rule", SINGLE)
def test_the_file_is_that_of_the_optimizer_alone_also_where_parameters_come_late(rule, tmp_path):
    """Entries are in the order in which parameters have had their first gradients."""

    def pairs(step: int, world: World) -> list[Any]:
        found = gradients(step, 0)
        late = [None if (p % 3 == 0) == (step == 0) else gradient for p, gradient in enumerate(found)]
        return list(zip(late, world.parameters, strict=True))

    world, plain = World(), SINGLE[rule]()
    for step in range(3):
        plain.apply_gradients(pairs(step, world))
    st.save(tmp_path / "alone.safetensors", model=world.parameters, opt=plain)

    def program(comm: Any, world: World) -> None:
        opt = DistributedOptimizer(SINGLE[rule](), comm)
        nothing = [(None, w) for w in world.parameters]
        for step in range(3):
            opt.apply_gradients(nothing if comm.Get_rank() else pairs(step, world))
        steepest.mpi.save(tmp_path / f"{comm.Get_size()}.safetensors", comm=comm, model=world.parameters, opt=opt)

    for ranks in (1, 2, 3):
        on(ranks, program)
    files = {(tmp_path / f"{name}.safetensors").read_bytes() for name in ("alone", "1", "2", "3")}
    assert len(files) == 1


def test_a_state_in_another_group_is_refused_on_any_number_of_ranks(tmp_path):
    path = tmp_path / "run.safetensors"

    def groups(first: Any) -> st.MultiOptimizer:
        return st.MultiOptimizer([(st.AdamOptimizer(0.1), first), (st.AdamOptimizer(0.1), None)])

    def save(comm: Any, world: World) -> None:
        opt = DistributedOptimizer(groups(lambda w: w.shape[0] == 9000), comm)
        opt.apply_gradients(list(zip(gradients(0, 0, dense=True), world.parameters, strict=True)))
        steepest.mpi.save(path, comm=comm, model=world.parameters, opt=opt)

    def restore(comm: Any, world: World) -> None:
        opt, before = DistributedOptimizer(groups(lambda w: w.shape[0] == 3000), comm), world.values()
        with pytest.raises((ValueError, RankError), match=r"its state in another group: it is of groups.[01]. here"):
            steepest.mpi.restore(path, comm=comm, model=world.parameters, opt=opt)
        assert [a.tobytes() for a in before] == [a.tobytes() for a in world.values()]
        assert not [v for v in opt.variables() if v.shape]

    on(2, save)
    for ranks in (1, 3):
        on(ranks, restore)


def test_every_rank_raises_where_the_file_cannot_be_written_or_read(tmp_path):
    def program(comm: Any, world: World) -> list[str]:
        run = Run(comm, world, "adam")
        run.train(range(1))
        before = run.bits()
        found = []
        good = tmp_path / "good.safetensors"
        run.save(good)
        for attempt in (
            lambda: run.save(tmp_path / "nowhere" / "run.safetensors"),
            lambda: run.restore(good if comm.Get_rank() == 0 else tmp_path / "none.safetensors"),
            lambda: steepest.mpi.restore(good, comm=comm, opt=run.opt),
            lambda: steepest.mpi.save(good, comm=comm, **{f"x{comm.Get_rank()}": 1}),
            lambda: st.save(good, opt=run.opt),
        ):
            try:
                attempt()
            except (OSError, ValueError, TypeError, RankError) as error:
                found.append(f"{type(error).__name__}: {error}")
        run.train(range(1, 2))
        assert run.bits() != before
        return found

    first, second = on(2, program)
    assert first[0].startswith("FileNotFoundError: save: path must be writable")
    assert second[0].startswith("RankError: steepest.mpi: rank 0 has raised")
    assert first[1].startswith("RankError: steepest.mpi: rank 1 has raised")
    assert second[1].startswith("FileNotFoundError: restore: path must be an existing file")
    assert "opt needs its parameters to be restored with it" in first[2]
    assert "x1 on rank 1, where rank 0 has x0" in first[3]
    assert "steepest.mpi.save and restore do so" in first[4]
    assert len(first) == len(second) == 5
