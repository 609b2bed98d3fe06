"""Tables of which every rank has some rows: what they are after training is what one Variable would be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from catalogue import DTYPES
from catalogue import ROWS as RULE_ROWS
from random_worlds import hooks
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, RankError, ShardedVariable, agreed, share
from steepest.v1.contrib.opt import MovingAverageOptimizer

ROWS, WIDTH, LEAVES = 10_000, 3, 4  # shares begin at multiples of 4,096 rows

RULES: dict[str, Any] = {row.id or row.rule: row.make for row in RULE_ROWS} | {
    "deferred": lambda: st.AdamOptimizer(0.1, sparse_update="deferred"),
    "lazy": lambda: st.LazyAdamOptimizer(0.1, hooks=[st.ClipByGlobalNorm(0.5)]),
    "decayed": lambda: st.LAMBOptimizer(0.1, hooks=[st.ClipByNorm(0.5), st.WeightDecay(0.1), st.ClipByValue(-1, 1)]),
    "norms": lambda: st.MomentumOptimizer(0.1, 0.9, hooks=hooks("norms")),
    "noise": lambda: st.MomentumOptimizer(0.1, 0.9, hooks=hooks("noise")),
    "sums": lambda: st.MomentumOptimizer(0.1, 0.9, hooks=hooks("sums")),
}


def first_rows(ids: np.ndarray) -> np.ndarray:
    return np.random.default_rng(int(ids[0])).normal(size=(len(ids), WIDTH)).astype(np.float32)


def rows_of_size(dtype: Any, size: float) -> Any:
    return lambda ids: (first_rows(ids).astype(np.float64) * size).astype(dtype)


def batch(step: int, leaf: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([step, leaf])
    count = int(rng.integers(0, 200))
    return rng.integers(0, ROWS, (count, 2)), rng.normal(size=(count, 2, WIDTH)).astype(np.float32)


def trained(ranks: int, make: Any, rows: int = ROWS, dtype: Any = np.float32, size: float = 1.0) -> list[bytes]:
    """What each rank finds of the table, its slots and a dense parameter."""
    st.reset_default_store()
    dense = [st.Variable(np.full((5, WIDTH), 0.5, np.float32), name="dense") for _ in range(ranks)]
    for variable in dense:  # each rank's is the only one of its program
        variable._name = dense[0].name

    def program(comm: Any) -> bytes:
        w = dense[comm.Get_rank()]
        table = ShardedVariable(rows, WIDTH, rows_of_size(dtype, size), dtype, comm=comm)
        mine = share(LEAVES, comm)
        opt = DistributedOptimizer(make(), comm, micro_batches=len(mine))
        for step in range(3):
            for leaf in mine:
                ids, weights = batch(step, leaf)
                weights = (weights.astype(np.float64) * size).astype(dtype)

                def loss(ids: Any = ids % rows, weights: Any = weights) -> Any:
                    found = table.lookup(ids[:, :1])
                    again = table.lookup(ids[:, 1:])
                    return np.sum(np.tanh(found) * weights[:, :1]) + np.sum(again * weights[:, 1:]) + np.sum(w * w)

                with np.errstate(over="ignore", invalid="ignore"):  # of the loss: its gradients are finite
                    opt.minimize(loss)
        assert table.part.shape[0] == table.end - table.begin
        slots = [opt.get_slot(table, name) for name in opt.get_slot_names()]
        found = [table.lookup(np.arange(rows)), *(slot.numpy() for slot in slots if slot is not None), w.numpy()]
        return b"".join(np.asarray(array).tobytes() for array in found)

    return on_ranks(ranks, program)


@pytest.mark.parametrize("rule", RULES)
def test_the_same_bits_on_any_number_of_ranks(rule):
    (alone,) = trained(1, RULES[rule])
    for ranks in (2, 3, 4):
        assert trained(ranks, RULES[rule]) == [alone] * ranks


@pytest.mark.parametrize("size", [1.0, 1e-180, 1e180])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_norms_of_every_type_also_where_squares_vanish_or_overflow(dtype, size):
    if size != 1.0 and dtype != np.float64:
        size = 100.0 if size > 1 else 0.01
    (alone,) = trained(1, RULES["lamb"], dtype=dtype, size=size)
    for ranks in (2, 4):
        assert trained(ranks, RULES["lamb"], dtype=dtype, size=size) == [alone] * ranks


@pytest.mark.parametrize("rule", ["adam", "lamb", "adam_async"])
def test_a_table_so_small_that_ranks_have_no_rows(rule):
    (alone,) = trained(1, RULES[rule], rows=7)
    assert trained(4, RULES[rule], rows=7) == [alone] * 4


def test_the_norm_of_one_ranks_rows_is_not_that_of_the_table(monkeypatch):
    """The laws above see it."""
    (alone,) = trained(1, RULES["lamb"])

    def of_own_rows(wire: Any, wide: Any, sums: Any) -> list[float]:
        return [float(np.sqrt(part.sum())) for part in sums([1.0] * len(wide))]

    monkeypatch.setattr(agreed, "roots", of_own_rows)
    assert all(found != alone for found in trained(2, RULES["lamb"]))


@pytest.mark.parametrize("blocks", [(1, 3), (3, 1), (1, 1, 2), (2, 1, 1)])
def test_ranks_with_fewer_micro_batches_take_part_in_the_others_lookups(blocks):
    def outcome(blocks: tuple[int, ...]) -> set[bytes]:
        def program(comm: Any) -> bytes:
            rank = comm.Get_rank()
            users, items = (ShardedVariable(rows, WIDTH, first_rows, comm=comm) for rows in (ROWS, 7000))
            opt = DistributedOptimizer(st.AdamOptimizer(0.1), comm, micro_batches=blocks[rank])
            for step in range(2):
                for leaf in range(sum(blocks[:rank]), sum(blocks[: rank + 1])):
                    ids, weights = batch(step, leaf)

                    def loss(ids: Any = ids, weights: Any = weights) -> Any:
                        both = np.tanh(users.lookup(ids)) * weights
                        return np.sum(both) + np.sum(np.tanh(items.lookup(ids % 7000)) * weights)

                    opt.minimize(loss)
            found = (table.lookup(np.arange(table.shape[0])) for table in (users, items))
            return b"".join(np.asarray(rows).tobytes() for rows in found)

        return set(on_ranks(len(blocks), program))

    assert outcome(blocks) == outcome((4,))


def test_a_rank_without_examples_waits_and_takes_part():
    def program(comm: Any) -> list[Any]:
        w = st.Variable._unlisted(np.ones(2, np.float32), True, "w")
        table = ShardedVariable(9000, 2, 1.0, comm=comm)
        opt = DistributedOptimizer(st.GradientDescentOptimizer(1.0), comm)
        for _ in range(3):
            if comm.Get_rank() == 0:
                opt.minimize(lambda: np.sum(table.lookup([8999]) * w))
            else:
                opt.apply_gradients([(None, w), (None, table)])
        return np.asarray(table.lookup([8999, 8998])).tolist()

    assert on_ranks(2, program) == on_ranks(1, program) * 2

    def itself(comm: Any) -> None:
        table = ShardedVariable(10, 2, comm=comm)
        opt = DistributedOptimizer(st.GradientDescentOptimizer(1.0), comm)
        with pytest.raises(TypeError, match="gradient 0 of 'sharded' must be None for the table itself, got float64"):
            opt.apply_gradients([(np.ones((10, 2)), table)])

    on_ranks(1, itself)


def test_lookups_that_differ_are_an_error_also_while_others_wait():
    def program(comm: Any) -> str:
        rank, w = comm.Get_rank(), np.ones(2, np.float32)
        one, two = (ShardedVariable(9000, 2, 1.0, name=name, comm=comm) for name in ("one", "two"))
        opt = DistributedOptimizer(st.GradientDescentOptimizer(1.0), comm)
        does = [lambda: opt.apply_gradients([(w, w)]), lambda: one.lookup([1]), lambda: two.lookup([1])]
        with pytest.raises(ValueError, match="program must be the same on all ranks") as found:
            does[rank]()
        return str(found.value)

    assert all("a lookup in 'one' of shape (9000, 2) on rank 1" in text for text in on_ranks(3, program))


@pytest.mark.parametrize("rule", [row.id or row.rule for row in RULE_ROWS])
def test_a_table_is_trained_as_a_variable_is(rule):
    """One lookup a micro-batch, one micro-batch a step: an ordinary embedding."""
    table = st.Variable(np.concatenate([first_rows(np.arange(0, ROWS))]))
    plain = RULES[rule]()
    batches = [batch(step, 0) for step in range(3)]
    for ids, weights in batches:
        plain.minimize(lambda ids=ids, weights=weights: np.sum(np.tanh(st.gather(table, ids)) * weights))

    def program(comm: Any) -> np.ndarray:
        mine = ShardedVariable(ROWS, WIDTH, first_rows, comm=comm)
        opt = DistributedOptimizer(RULES[rule](), comm, average=False)
        for ids, weights in batches:
            here = slice(None) if comm.Get_rank() == 0 else slice(0, 0)  # the other ranks have no examples
            opt.minimize(lambda ids=ids[here], weights=weights[here]: np.sum(np.tanh(mine.lookup(ids)) * weights))
        return np.asarray(mine.lookup(np.arange(ROWS)))

    for ranks in (1, 3):
        for found in on_ranks(ranks, program):
            assert found.tobytes() == table.value.tobytes()


def test_each_rank_holds_its_share_and_its_slots():
    def program(comm: Any) -> tuple[int, int]:
        table = ShardedVariable(40_960, 8, comm=comm)
        opt = DistributedOptimizer(st.AdamOptimizer(0.1), comm)
        opt.minimize(lambda: np.sum(table.lookup([1, 40_959])))
        slots = sum(v.value.nbytes for v in opt.variables() if v.shape)
        return table.part.value.nbytes, slots

    for ranks in (1, 2, 4):
        found = on_ranks(ranks, program)
        assert sum(own for own, _ in found) == 40_960 * 8 * 4
        assert max(own for own, _ in found) <= 40_960 * 8 * 4 // ranks + 4096 * 4
        assert all(slots == 2 * own for own, slots in found)


def test_mistakes_leave_everything_as_it_was():
    def program(comm: Any) -> str:
        table = ShardedVariable(100, 2, 1.0, comm=comm)
        try:
            table.lookup([3, 100] if comm.Get_rank() == 1 else [3])
        except (IndexError, RankError) as error:
            found = f"{type(error).__name__}: {error}"
        assert np.asarray(table.lookup([0, 99])).tolist() == [[1, 1], [1, 1]]
        return found

    first, second = on_ranks(2, program)
    assert second == "IndexError: sharded.lookup: ids must be in [0, 100), got 100 at position 1"
    assert first.startswith("RankError: steepest.mpi: rank 1 has raised:\nTraceback")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: st.Muon(), "must be one that updates shards, got a rule written in Python"),
        (
            lambda: MovingAverageOptimizer(st.AdamOptimizer()),
            "must be one that updates shards, got an optimizer around others",
        ),
        (lambda: st.Lookahead(st.Muon()), "must be one that updates shards, got a rule written in Python"),
        (lambda: st.AdamOptimizer(hooks=[list]), "got the hook type, which sees whole gradients"),
    ],
)
def test_optimizers_that_need_whole_parameters_are_refused_on_any_number_of_ranks(make, message):
    def program(comm: Any) -> None:
        table = ShardedVariable(ROWS, WIDTH, 1.0, comm=comm)
        opt = DistributedOptimizer(make(), comm)
        with pytest.raises(TypeError, match=message):
            opt.minimize(lambda: np.sum(table.lookup([1, 9000])))
        assert np.asarray(table.lookup([1, 9000])).tolist() == [[1.0] * WIDTH] * 2

    for ranks in (1, 2):
        on_ranks(ranks, program)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, 2), ValueError, "rows must be an integer of at least 1, got 0"),
        ((2, True), ValueError, "width must be an integer of at least 1, got True"),
        ((2, 2, 0.0, np.int32), TypeError, "dtype must be float32, float64, float16 or bfloat16"),
        ((2, 2, lambda ids: np.zeros((3, 2))), ValueError, r"initializer must return rows of shape \(2, 2\)"),
    ],
)
def test_arguments(arguments, error, message):
    def program(comm: Any) -> None:
        with pytest.raises(error, match=message):
            ShardedVariable(*arguments, comm=comm)

    on_ranks(1, program)


def test_a_lookup_that_fails_in_a_loss_is_told_once():
    def program(comm: Any) -> str:
        table = ShardedVariable(100, 2, 1.0, comm=comm)
        opt = DistributedOptimizer(st.GradientDescentOptimizer(1.0), comm)
        try:
            opt.minimize(lambda: np.sum(table.lookup([100 * comm.Get_rank()])))
        except (IndexError, RankError) as error:
            found = type(error).__name__
        opt.minimize(lambda: np.sum(table.lookup([comm.Get_rank()])))
        assert np.asarray(table.lookup([0, 1, 2])).tolist() == [[0.5, 0.5], [0.5, 0.5], [1, 1]]
        return found

    assert on_ranks(2, program) == ["RankError", "IndexError"]
