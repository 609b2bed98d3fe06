"""The same micro-batches give the same bits on any number of ranks, whatever rule, hooks, types and shares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from catalogue import ROWS
from hypothesis import given, settings
from hypothesis import strategies as some
from mpi_worlds import SHAPES, World, assert_same_bits, gradients, run
from random_worlds import CHAINS, hooks
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, share

DEALS = [(12,), (6, 6), (4, 4, 4), (3, 3, 3, 3), (1, 9, 2), (5, 7)]  # twelve micro-batches


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_every_rule(row):
    (alone,) = run((4,), row.make, steps=2)
    for blocks, choices in (((2, 2), (True,)), ((1, 2, 1), (False, True)), ((1, 1, 1, 1), (True,))):
        for shards in choices:
            for rank, outcome in enumerate(run(blocks, row.make, steps=2, shards=shards)):
                assert_same_bits(outcome, alone, f"{blocks}, shards={shards}, rank {rank}")


@pytest.mark.parametrize("chain", CHAINS)
def test_every_chain_of_hooks(chain):
    def make() -> Any:
        return st.MomentumOptimizer(0.1, 0.9, hooks=hooks(chain))

    (alone,) = run((4,), make)
    for blocks in ((2, 2), (1, 2, 1), (1, 1, 1, 1)):
        for rank, outcome in enumerate(run(blocks, make)):
            assert_same_bits(outcome, alone, f"{blocks}, rank {rank}")


@pytest.mark.parametrize("called", [st.Accumulate, lambda steps: st.GradientNoise(0.1, seed=steps)])
def test_a_decay_that_one_process_calls_and_one_that_it_fuses(called):
    """Parameters of half types are multiplied in their own type in the one case, in float32 in the other."""

    def make() -> Any:
        return st.MomentumOptimizer(0.1, 0.9, hooks=[st.WeightDecay(0.1), called(2), st.WeightDecay(0.3)])

    (alone,) = run((4,), make)
    for blocks in ((2, 2), (1, 2, 1)):
        for rank, outcome in enumerate(run(blocks, make, shards=True)):
            assert_same_bits(outcome, alone, f"{blocks}, rank {rank}")


@pytest.mark.parametrize(
    ("average", "compression"), [(True, None), (False, None), (True, "bfloat16"), (False, "float16")]
)
def test_every_deal_of_twelve_micro_batches(average, compression):
    def make() -> Any:
        return st.AdamOptimizer(0.1)

    more = {"average": average, "compression": compression}
    (alone,) = run(DEALS[0], make, steps=2, **more)
    for blocks in DEALS[1:]:
        for shards in (False, True):
            for bucket_bytes in (20_000, 1 << 23):
                for outcome in run(blocks, make, steps=2, shards=shards, bucket_bytes=bucket_bytes, **more):
                    assert_same_bits(outcome, alone, f"{blocks}, shards={shards}, bucket_bytes={bucket_bytes}")


@settings(max_examples=15, deadline=None)
@given(
    blocks=some.lists(some.integers(1, 4), min_size=2, max_size=4),
    empty=some.sets(some.integers(0, 15)),
    row=some.sampled_from(ROWS),
    shards=some.booleans(),
    bucket_bytes=some.sampled_from([7_000, 50_000, 1 << 20]),
)
def test_any_deal_any_rule_any_micro_batches_left_out(blocks, empty, row, shards, bucket_bytes):
    def leaves(step: int, leaf: int) -> list[Any]:
        left_out = () if empty.issuperset(range(sum(blocks))) else tuple(empty)
        return gradients(step, leaf, empty=left_out)

    (alone,) = run((sum(blocks),), row.make, steps=2, leaves=leaves)
    for outcome in run(blocks, row.make, steps=2, leaves=leaves, shards=shards, bucket_bytes=bucket_bytes):
        assert_same_bits(outcome, alone, f"{blocks}")


@pytest.mark.parametrize("shards", [False, True])
def test_a_scalar_and_an_empty_array(shards):
    def trained(ranks: int) -> list[bytes]:
        worlds = [[np.float32([1, 2, 3])[2:].reshape(()), np.zeros((0, 3), np.float32)] for _ in range(ranks)]

        def program(comm: Any) -> bytes:
            scalar, nothing = worlds[comm.Get_rank()]
            opt = DistributedOptimizer(st.AdamOptimizer(0.1), comm, micro_batches=4 // ranks, shards=shards)
            for step in range(2):
                for leaf in share(4, comm):
                    gradient = np.random.default_rng([step, leaf]).normal()
                    opt.apply_gradients([(gradient, scalar), (np.zeros((0, 3)), nothing)])
            return scalar.tobytes()

        return on_ranks(ranks, program)

    assert len({bits for ranks in (1, 2, 4) for bits in trained(ranks)}) == 1


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shards", [False, True])
def test_bags(shards, weighted):
    ids = np.array([[[0, 1, 1], [2, 3, 4]], [[4, 4, 4], [0, 9, 9]], [[5, 6, 7], [0, 0, 1]], [[9, 8, 7], [7, 7, 7]]])
    weights = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)

    def loss(table: Any, leaf: int) -> Any:
        numbers = np.float32(0.3) * (ids[leaf] + 1) if weighted else None
        return lambda: np.sum(st.nn.embedding_bag(table, ids[leaf], combiner="sum", weights=numbers) * weights)

    plain = st.Variable(np.ones((10, 2), np.float32))
    st.AdagradOptimizer(0.1).minimize(lambda: sum(loss(plain, leaf)() for leaf in range(4)) / np.float32(4))
    for ranks in (1, 2, 4):
        tables = [st.Variable(np.ones((10, 2), np.float32)) for _ in range(ranks)]
        for table in tables:
            table._name = tables[0].name

        def program(comm: Any, tables: Any = tables) -> None:
            mine, rank = share(4, comm), comm.Get_rank()
            opt = DistributedOptimizer(st.AdagradOptimizer(0.1), comm, micro_batches=len(mine), shards=shards)
            for leaf in mine:
                opt.minimize(loss(tables[rank], leaf))

        on_ranks(ranks, program)
        for table in tables:
            assert table.value.tobytes() == plain.value.tobytes()


@pytest.mark.parametrize("make", [st.AdamOptimizer, st.ScheduleFreeAdamW, st.RAdamOptimizer])
def test_a_rank_that_owns_nothing_of_a_step_counts_it(make):
    def trained(ranks: int) -> list[bytes]:
        worlds = [[np.ones(5000, np.float32), np.ones(3, np.float32)] for _ in range(ranks)]

        def program(comm: Any) -> bytes:
            large, small = worlds[comm.Get_rank()]
            opt = DistributedOptimizer(make(0.1), comm)
            for step in range(4):  # at first only one of them has a gradient, which one rank owns
                pairs = [(None if step < 2 else large * 0.5, large), (small * 2, small)]
                opt.apply_gradients(pairs)
            return large.tobytes() + small.tobytes()

        return on_ranks(ranks, program)

    assert len({bits for ranks in (1, 2, 4) for bits in trained(ranks)}) == 1


# What the sum is ---------------------------------------------------------------------------------


def tree(leaves: list[Any], start: int, size: int) -> Any:
    """The sum of leaves start to start + size, a power of two, by its definition; None for nothing."""
    if start >= len(leaves):
        return None
    if size == 1:
        return leaves[start]
    left, right = tree(leaves, start, size // 2), tree(leaves, start + size // 2, size // 2)
    return right if left is None else left if right is None else left + right


@pytest.mark.parametrize("count", range(1, 10))
def test_dense_gradients_are_added_in_the_tree_and_divided_once(count):
    def leaves(step: int, leaf: int) -> list[Any]:
        return gradients(step, leaf, dense=True)

    world, plain = World(), st.AdamOptimizer(0.1)
    for step in range(2):
        found = [leaves(step, leaf) for leaf in range(count)]
        pairs: list[Any] = []
        for k, (_, dtype) in enumerate(SHAPES):
            real = np.float64 if dtype is np.float64 else np.float32
            total = tree([None if g[k] is None else g[k].astype(real) for g in found], 0, 16)
            pairs.append((None if total is None else total / real(count), world.parameters[k]))
        plain.apply_gradients(pairs)
    (alone,) = run((count,), lambda: st.AdamOptimizer(0.1), steps=2, leaves=leaves)
    for a, b in zip(alone.parameters, world.values(), strict=True):
        assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
@pytest.mark.parametrize("chain", ["none", "norms", "chain", "decoupled"])
def test_one_micro_batch_on_one_rank_is_the_optimizer_itself(row, chain):
    def make() -> Any:
        return row.make(hooks=hooks(chain))

    world, plain = World(), make()
    if chain == "decoupled" and not hasattr(plain, "_learning_rate"):
        return
    for step in range(3):
        plain.apply_gradients(list(zip(gradients(step, 0), world.parameters, strict=True)))
    (alone,) = run((1,), make)
    for a, b in zip(alone.parameters, world.values(), strict=True):
        assert a.tobytes() == b.tobytes()
    for (k, name), slot in alone.slots.items():
        other = plain.get_slot(world.parameters[k], name)
        assert (slot is None) == (other is None)
        if slot is not None and other is not None:
            assert slot.tobytes() == other.value.tobytes()
