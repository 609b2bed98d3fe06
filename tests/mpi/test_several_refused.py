"""Several optimizers inside a distributed one: a step that one of them refuses, and programs that differ by rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpi_worlds import errors_of, variables
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, RankError


def pair_of(w: Any, rate: Any, **more: Any) -> st.MultiOptimizer:
    return st.MultiOptimizer([(st.AdamOptimizer(0.5), w[:1]), (st.AdagradOptimizer(rate, **more), None)])


@pytest.mark.parametrize("shards", [False, True])
@pytest.mark.parametrize("fault", ["rate of all", "rate of one", "gradient", "not finite", "step"])
def test_a_failure_in_the_second_optimizer_leaves_all_ranks_as_they_were(fault, shards):
    first, second = variables([np.ones(9000)] * 3, "a"), variables([np.ones(9000)] * 3, "b")

    def program(comm: Any) -> list[str]:
        rank, rate = comm.Get_rank(), [0.5]
        w = [first[rank], second[rank]]
        opt = DistributedOptimizer(pair_of(w, lambda: rate[0], hooks=[st.CheckFinite()]), comm, shards=shards)
        step, found = st.Variable(np.int64(0), trainable=False), []
        good = [(np.ones(9000), each) for each in w]

        def state() -> list[bytes]:
            whole = opt.state_dict()["inner"]
            slots = [slot for inner in whole for entry in inner["parameters"] for slot in entry["slots"].values()]
            return [
                *(np.asarray(a).tobytes() for a in [*(v.value for v in w), *slots, step.value]),
                repr(whole[0]["own"]).encode(),
            ]

        for turn in range(2):  # at a first step, and after one
            before, pairs = state(), list(good)
            if fault.startswith("rate") and (rank == 1 or fault == "rate of all"):
                rate[0] = np.nan
            if rank == 1 and fault == "gradient":
                pairs[1] = (np.ones(8), w[1])
            if rank == 1 and fault == "not finite":
                pairs[1] = (np.full(9000, np.inf), w[1])
            try:
                opt.apply_gradients(pairs, "no step" if rank == 1 and fault == "step" else step)
            except (TypeError, ValueError, RankError) as error:
                found.append(type(error).__name__)
            assert len(found) == turn + 1
            if turn or shards is False:
                assert state() == before
            assert [v.value.tolist() for v in w] == [[1.0 if not turn else v.value[0]] * 9000 for v in w]
            assert step.value == turn
            rate[0] = 0.5
            opt.apply_gradients(good, step)
        return found

    on_all = {"rate of all": "ValueError", "not finite": "ValueError"}.get(fault)
    for rank, found in enumerate(on_ranks(3, program)):
        own = "TypeError" if fault == "step" else "ValueError"
        assert found == [on_all or (own if rank == 1 else "RankError")] * 2


@pytest.mark.parametrize("ranks", [1, 2])
def test_of_two_groups_that_refuse_a_step_the_first_says_what_happens(ranks):
    worlds = [[variables([np.ones(9000)], name)[0] for name in "ab"] for _ in range(ranks)]

    def program(comm: Any) -> list[int]:
        checks, mine = [st.CheckFinite("skip"), st.CheckFinite("raise")], worlds[comm.Get_rank()]
        first, second = (st.MomentumOptimizer(0.1, 0.9, hooks=[check]) for check in checks)
        opt = DistributedOptimizer(st.MultiOptimizer([(first, [mine[0]]), (second, None)]), comm)
        opt.apply_gradients([(np.full(9000, np.nan), w) for w in mine])
        assert all((w.value == 1).all() for w in mine)
        return [check.skipped for check in checks]

    assert on_ranks(ranks, program) == [[1, 0]] * ranks


def test_a_rule_in_python_that_fails_on_the_rank_that_has_the_matrix():
    """The matrices before it have been updated there: they are put back."""
    worlds = [[variables([np.ones((8, 8))], f"w{k}")[0] for k in range(6)] for _ in range(3)]

    def program(comm: Any) -> str:
        mine, step = worlds[comm.Get_rank()], st.Variable(np.int64(0), trainable=False)
        opt = DistributedOptimizer(st.MultiOptimizer([(st.Muon(), mine[:5]), (st.AdamOptimizer(), None)]), comm)
        good = [(np.eye(8), w) for w in mine]
        opt.apply_gradients(good, step)
        before, state = [w.numpy() for w in mine], repr(opt.state_dict())
        rows = st.IndexedSlices(np.ones((1, 8), np.float32), [3])
        try:
            opt.apply_gradients([*good[:4], (rows, mine[4]), good[5]], step)
        except (TypeError, RankError) as error:
            found = str(error)
        assert [w.value.tobytes() for w in mine] == [a.tobytes() for a in before]
        assert (repr(opt.state_dict()), step.value) == (state, 1)
        opt.apply_gradients(good, step)
        return found

    assert all("Muon: gradient must be dense, got IndexedSlices for 'w4'" in text for text in on_ranks(3, program))


# Programs that differ ------------------------------------------------------------------------------

WHO = "ValueError: steepest.mpi: program must be the same on all ranks, got "


@pytest.mark.parametrize("shards", [False, True])
@pytest.mark.parametrize(
    ("others", "message"),
    [
        (
            lambda a, b: st.MultiOptimizer([(st.AdamOptimizer(0.1), [a]), (st.AdaMaxOptimizer(0.1), None)]),
            "AdaMaxOptimizer with hooks [] on rank 1, where rank 0 has AdagradOptimizer with hooks []",
        ),
        (
            lambda a, b: st.MultiOptimizer([(st.AdamOptimizer(0.1), [b]), (st.AdagradOptimizer(0.1), None)]),
            "'a' of shape (9000,) and float32, in groups[1] on rank 1, "
            "where rank 0 has 'a' of shape (9000,) and float32, in groups[0]",
        ),
        (
            lambda a, b: st.MultiOptimizer([(st.AdamOptimizer(0.1), [a, b]), (st.AdagradOptimizer(0.1), None)]),
            "'b' of shape (9000,) and float32, in groups[0] on rank 1, "
            "where rank 0 has 'b' of shape (9000,) and float32, in groups[1]",
        ),
        (
            lambda a, b: st.MultiOptimizer([(st.AdamOptimizer(0.1), None)]),
            "learning_rate=0.1 in AdamOptimizer with hooks [] on rank 1, "
            "where rank 0 has AdagradOptimizer with hooks []",
        ),
        (
            lambda a, b: st.AdamOptimizer(0.1),
            "AdamOptimizer with average=True, compression=None, sparse_as_dense='auto', "
            "shards={shards}, bucket_bytes=8388608 on rank 1, where rank 0 has MultiOptimizer with average=True",
        ),
    ],
    ids=["another rule", "swapped", "another group", "fewer", "none"],
)
def test_other_optimizers_or_groups_on_one_rank(others, message, shards):
    first, second = variables([np.ones(9000)] * 2, "a"), variables([np.ones(9000)] * 2, "b")

    def attempt(comm: Any) -> None:
        rank = comm.Get_rank()
        a, b = first[rank], second[rank]
        here = st.MultiOptimizer([(st.AdamOptimizer(0.1), [a]), (st.AdagradOptimizer(0.1), None)])
        opt = DistributedOptimizer(others(a, b) if rank else here, comm, shards=shards)
        try:
            opt.apply_gradients([(np.ones(9000), a), (np.ones(9000), b)])
        finally:
            assert a.value.tolist() == b.value.tolist() == [1.0] * 9000
            assert not opt.variables()

    for text in errors_of(2, attempt):
        assert text.startswith(WHO + message.format(shards=shards)), text


def test_a_parameter_in_no_group_on_one_rank():
    first, second = variables([np.ones(3)] * 2, "a"), variables([np.ones(3)] * 2, "b")

    def attempt(comm: Any) -> None:
        a, b = first[comm.Get_rank()], second[comm.Get_rank()]
        opt = DistributedOptimizer(st.MultiOptimizer([(st.AdamOptimizer(), [a, b][: 2 - comm.Get_rank()])]), comm)
        opt.apply_gradients([(np.ones(3), a), (np.ones(3), b)])

    found = errors_of(2, attempt)
    assert found[1].startswith("ValueError: MultiOptimizer: variable 1 (b) must be in one group, got one in none")
    assert found[0].startswith("RankError: steepest.mpi: rank 1 has raised:")


def test_common_hooks_that_cannot_be_common():
    def attempt(comm: Any) -> None:
        opt = st.MultiOptimizer([(st.AdamOptimizer(), None)], hooks=[st.WeightDecay(0.1, decoupled=True)])
        DistributedOptimizer(opt, comm).apply_gradients([(np.ones(3), np.ones(3))])

    for text in errors_of(2, attempt):
        assert "common hooks must take no learning rate, got a decoupled WeightDecay" in text
