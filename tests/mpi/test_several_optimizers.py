"""Several optimizers inside a distributed one: each rank keeps its share of the slots of all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from mpi_worlds import assert_same_bits, errors_of, gradients, run, variables
from random_worlds import CHAINS, hooks
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, RankError, ShardedVariable, allreduce, share


def small(w: Any) -> bool:
    return bool(w.shape[0] < 100)


def even(w: Any) -> bool:
    return w.shape[0] % 2 == 0


def groups(*chains: str, common: Any = ()) -> st.MultiOptimizer:
    """Three rules: rows and dense parameters, small and large ones, norms of whole parameters, powers of betas."""
    makers: list[Any] = [
        lambda own: st.AdagradOptimizer(0.1, hooks=own),
        lambda own: st.LAMBOptimizer(0.1, hooks=own),
        lambda own: st.AdamOptimizer(0.1, hooks=own),
    ]
    names = chains or ("none",) * 3
    first, second, third = (make(hooks(name)) for make, name in zip(makers, names, strict=True))
    choices = [(first, lambda w: small(w) and even(w)), (second, lambda w: not small(w) and even(w)), (third, None)]
    return st.MultiOptimizer(choices, hooks=common)


def muon(first: str, second: str, rate: Any = 0.1, common: Any = ()) -> st.MultiOptimizer:
    """A rule that needs whole matrices, for those whose gradients are dense, and Adam for the rest."""
    matrices = {(7, 5), (2, 1), (3000, 3), (2100, 4)}
    whole = st.Muon(rate, hooks=hooks(first))
    pairs = [(whole, lambda w: w.shape in matrices), (st.AdamOptimizer(rate, hooks=hooks(second)), None)]
    return st.MultiOptimizer(pairs, hooks=common)


CASES: dict[str, Any] = {
    "none": groups,
    **{f"common {name}": lambda name=name: groups(common=hooks(name)) for name in CHAINS if name != "decoupled"},
    "own": lambda: groups("norms", "chain", "decoupled"),
    "sums of one": lambda: groups("norms", "sums", "none"),
    "of all kinds": lambda: groups("noise", "decay", "chain", common=hooks("norms")),
    "sums of all": lambda: groups("decoupled", "norms", "sums", common=[st.Accumulate(2), st.WeightDecay(0.1)]),
    "rows counted": lambda: groups(common=[st.CowClip(0.5, 0.1)]),
    "in Python": lambda: muon("none", "none"),
    "in Python, hooks": lambda: muon("chain", "decoupled", common=hooks("norms")),
    "in Python, sums": lambda: muon("norms", "sums", common=hooks("decay")),
    "in Python, schedules": lambda: muon("none", "none", st.exponential_decay(0.1, None, 2, 0.5)),
    "averages": lambda: st.ExponentialMovingAverage(groups("norms", "sums", "decay"), 0.5),
    "mean": lambda: st.SWA(st.LAMBOptimizer(0.1), start=2, period=2),
    "slow weights": lambda: st.Lookahead(st.LazyAdamOptimizer(0.1), 2),
    "slow weights of all": lambda: st.ExponentialMovingAverage(st.Lookahead(groups(common=hooks("sums")), 1), 0.5),
    "around Python": lambda: st.Lookahead(muon("none", "none"), 2),
    "one group": lambda: st.MultiOptimizer([(st.RowWiseAdamOptimizer(0.1), None)], hooks=hooks("norms")),
    "schedules": lambda: st.MultiOptimizer(
        [
            (st.MomentumOptimizer(st.exponential_decay(0.1, None, 2, 0.5), 0.9), even),
            (st.ScheduleFreeAdamW(st.exponential_decay(0.1, None, 1, 0.5)), None),
        ]
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_bits_on_any_number_of_ranks(case):
    (alone,) = run((4,), CASES[case])
    for blocks, shards in (((2, 2), "auto"), ((1, 2, 1), "auto"), ((1, 1, 1, 1), "auto"), ((1, 3), False)):
        for rank, outcome in enumerate(run(blocks, CASES[case], shards=shards)):
            assert_same_bits(outcome, alone, f"{blocks}, rank {rank}")


@pytest.mark.parametrize(
    "options",
    [
        {"average": False},
        {"compression": "bfloat16"},
        {"compression": "float16", "bucket_bytes": 20_000},
        {"sparse_as_dense": True},
        {"sparse_as_dense": False},
    ],
    ids=str,
)
def test_every_option(options):
    (alone,) = run((6,), CASES["of all kinds"], steps=2, **options)
    for blocks in ((3, 3), (1, 4, 1), (2, 1, 1, 2)):
        for outcome in run(blocks, CASES["of all kinds"], steps=2, shards=True, **options):
            assert_same_bits(outcome, alone, f"{blocks}")


@settings(max_examples=12, deadline=None)
@given(
    blocks=some.lists(some.integers(1, 3), min_size=2, max_size=4),
    empty=some.sets(some.integers(0, 11)),
    missing=some.lists(some.sets(some.integers(0, 10)), min_size=2, max_size=2),
    case=some.sampled_from(sorted(CASES)),
)
def test_any_deal_and_gradients_missing_anywhere(blocks, empty, missing, case):
    """Parameters, micro-batches and whole groups without a gradient in a step."""

    def leaves(step: int, leaf: int) -> list[Any]:
        left_out = () if empty.issuperset(range(sum(blocks))) else tuple(empty)
        found = gradients(step, leaf, empty=left_out)
        lost = [None if p in missing[step] else gradient for p, gradient in enumerate(found)]
        return found if all(gradient is None for gradient in lost) else lost

    (alone,) = run((sum(blocks),), CASES[case], steps=2, leaves=leaves)
    for outcome in run(blocks, CASES[case], steps=2, leaves=leaves):
        assert_same_bits(outcome, alone, f"{blocks}")


def test_what_is_sent_and_kept_is_that_of_single_optimizers():
    """1/P of the slots of both rules on each rank, and not one byte more on the way than Adam alone sends."""
    sizes = [(64, 4096), (100_000,), (8192, 3)]

    def measured(ranks: int, make: Any) -> tuple[list[int], list[int]]:
        worlds = [[np.zeros(size, np.float32) for size in sizes] for _ in range(ranks)]

        def program(comm: Any) -> tuple[int, int]:
            mine = worlds[comm.Get_rank()]
            opt = DistributedOptimizer(make(mine), comm)
            for _ in range(2):
                opt.apply_gradients([(np.ones_like(w), w) for w in mine])
            return opt._wire.sent, sum(variable.value.nbytes for variable in opt.variables() if variable.shape)

        found = on_ranks(ranks, program)
        return [sent for sent, _ in found], [kept for _, kept in found]

    size, chunk = sum(4 * int(np.prod(size)) for size in sizes), 4096 * 4
    for ranks in (2, 3, 4):
        sent, _ = measured(ranks, lambda mine: st.AdamOptimizer())
        for around, slots in ((lambda opt: opt, 2), (st.ExponentialMovingAverage, 3)):

            def make(mine: Any, around: Any = around) -> Any:
                return around(st.MultiOptimizer([(st.AdamOptimizer(), mine[:1]), (st.AdaMaxOptimizer(), None)]))

            both, kept = measured(ranks, make)
            assert both == sent
            assert sum(kept) == slots * size
            assert max(kept) <= slots * (size / ranks + chunk * len(sizes))


def test_matrices_that_lie_with_one_rank_are_shared_out_evenly():
    worlds = [[np.random.default_rng(k).normal(size=(64, 96)) for k in range(12)] for _ in range(4)]

    def program(comm: Any) -> tuple[int, list[int], Any]:
        mine = worlds[comm.Get_rank()]
        opt = DistributedOptimizer(st.MultiOptimizer([(st.Muon(), mine[:8]), (st.AdamOptimizer(), None)]), comm)
        opt.apply_gradients([(w * 0.5, w) for w in mine])
        slots = [v.value.nbytes for v in opt.variables() if v.shape]
        whole = opt.get_slot(mine[3], "momentum")
        assert whole is not None
        return sum(slots), slots, whole.numpy().tolist()

    found = on_ranks(4, program)
    size = 64 * 96 * 8
    assert [kept for kept, _, _ in found] == [(2 + 2) * size] * 4
    assert all(slots == [size] * 4 for _, slots, _ in found)  # whole matrices
    assert found[0][2] == found[1][2] == found[2][2] == found[3][2]


# Tables --------------------------------------------------------------------------------------------

ROWS, LEAVES = 9000, 4
TABLES: dict[str, Any] = {
    "adagrad": lambda: st.AdagradOptimizer(0.1),
    "lamb": lambda: st.LAMBOptimizer(0.1),
    "deferred": lambda: st.AdamOptimizer(0.1, sparse_update="deferred"),
}


@pytest.mark.parametrize("common", ["none", "norms"])
@pytest.mark.parametrize("rule", TABLES)
def test_a_sharded_table_trained_by_one_of_them(rule, common):
    def trained(ranks: int) -> set[bytes]:
        dense = variables([np.full((9000, 2), 0.5)] * ranks)

        def program(comm: Any) -> bytes:
            w, mine = dense[comm.Get_rank()], share(LEAVES, comm)
            table = ShardedVariable(ROWS, 2, lambda ids: np.sin(ids)[:, None] * [1.0, 2.0], comm=comm)
            pairs = [(TABLES[rule](), [table]), (st.LAMBOptimizer(0.1), None)]
            opt = DistributedOptimizer(st.MultiOptimizer(pairs, hooks=hooks(common)), comm, micro_batches=len(mine))
            losses = []
            for step in range(3):
                found = []
                for leaf in mine:
                    ids = np.random.default_rng([step, leaf]).integers(0, ROWS, 30)
                    found.append(opt.minimize(lambda ids=ids: np.sum(np.tanh(table.lookup(ids))) * np.sum(w[ids[0]])))
                losses.append(allreduce(found, comm=comm))
            slots = [opt.get_slot(w, "m"), *(opt.get_slot(table, name) for name in opt.get_slot_names())]
            arrays = [*losses, table.lookup(np.arange(ROWS)), w.value, *(s.numpy() for s in slots if s is not None)]
            held = sum(v.value.nbytes for v in opt.variables() if v.shape)
            assert held <= (2 * ROWS * 2 * 4 + 2 * w.value.nbytes) / comm.Get_size() + 4 * 4096 * 4
            return b"".join(np.asarray(array).tobytes() for array in arrays)

        return set(on_ranks(ranks, program))

    assert len(trained(1) | trained(2) | trained(3) | trained(4)) == 1


# All or nothing ------------------------------------------------------------------------------------


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
