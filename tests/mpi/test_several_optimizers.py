"""Several optimizers inside a distributed one: each rank keeps its share of the slots of all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from mpi_worlds import assert_same_bits, gradients, run, variables
from random_worlds import CHAINS, hooks
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, ShardedVariable, allreduce, share


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
