"""The gradients of bags: what they are worth, and that updates need no row for each id."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from bag_world import DTYPES, state_of, tables_of
from catalogue import ROWS, Row

import steepest as st
from steepest import nn
from steepest.ops.bag_slices import BagSlices
from test_strided_gradients import CHAINS


@pytest.fixture(params=[1, 2, 3])
def threads(request: pytest.FixtureRequest):
    before = st.get_num_threads()
    st.set_num_threads(request.param)
    yield request.param
    st.set_num_threads(before)


# Gradients


@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("persistent", [False, True])
def test_gradients_are_those_of_gathered_rows(combiner: str, weighted: bool, persistent: bool):
    rng = np.random.default_rng(4)
    tables = [st.Variable(t) for t in tables_of(np.float64, (3, 5))]
    ids = [rng.integers(0, 30, (11, 4)) for _ in tables]
    weights = [st.Variable(rng.uniform(0.5, 2.0, (11, 4))) for _ in tables]
    seed = rng.normal(size=(11, 8))

    def composed(table: Any, at: Any, weight: Any) -> Any:
        w = weight if weighted else np.ones(at.shape)
        total = np.sum(st.gather(table, at) * np.reshape(w, (11, 4, 1)), axis=1)
        if combiner == "sum":
            return total
        share = np.sum(w, axis=1) if combiner == "mean" else np.sqrt(np.sum(w * w, axis=1))
        return total / np.reshape(share, (11, 1))

    sources = [*tables, *weights] if weighted else tables
    with st.GradientTape(persistent=persistent) as tape:
        out = nn.embedding_bag(tables, ids, combiner=combiner, weights=weights if weighted else None)
        loss = np.sum(out * out * seed)
    with st.GradientTape() as other:
        expected = np.concatenate([composed(*each) for each in zip(tables, ids, weights, strict=True)], axis=1)
        other_loss = np.sum(expected * expected * seed)
    np.testing.assert_allclose(out.value, expected.value, 1e-12)
    for ours, theirs in zip(tape.gradient(loss, sources), other.gradient(other_loss, sources), strict=True):
        np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), 1e-9, 1e-12)


def test_a_gradient_is_some_rows_and_knows_its_bags():
    table = st.Variable(np.ones((6, 2), np.float32))
    with st.GradientTape() as tape:
        loss = np.sum(nn.embedding_bag(table, [1, 1, 5], [0, 2, 2, 3], "sum") * np.array([[1.0], [2.0], [3.0]]))
    gradient = tape.gradient(loss, table)
    assert isinstance(gradient, st.IndexedSlices)
    assert gradient.shape == (6, 2)
    assert gradient.indices.tolist() == [1, 1, 5]
    other = pickle.loads(pickle.dumps(copy.copy(gradient)))
    for slices in (gradient, other):
        assert slices.values.tolist() == [[1, 1], [1, 1], [3, 3]]
        assert slices.to_dense()[1].tolist() == [2, 2]
    gradient.values[0] = 7
    assert gradient.values[0].tolist() == [7, 7]
    gradient.values = gradient.values * 2
    assert gradient.values[2].tolist() == [6, 6]


def test_gradients_that_share_memory_never_show_it():
    rng = np.random.default_rng(5)
    tables = [st.Variable(t) for t in tables_of(np.float64, (3, 4))]
    ids = rng.integers(0, 30, (6, 2))

    def taken(write: bool) -> list[np.ndarray]:
        with st.GradientTape(persistent=True) as tape:
            out = nn.embedding_lookup(tables, ids)
            loss = np.sum(out * out)
        first, second, of_result = tape.gradient(loss, [*tables, out])
        if write:
            first.values[...] = np.nan
        again = tape.gradient(loss, tables)
        return [second.values, of_result, *(g.values for g in again)]

    for a, b in zip(taken(False), taken(True), strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_table_that_is_read_in_several_ways_gets_the_sum():
    rng = np.random.default_rng(6)
    table, other = (st.Variable(t) for t in tables_of(np.float64, (3, 3)))
    ids = rng.integers(0, 30, (6, 3))
    with st.GradientTape() as tape:
        both = nn.embedding_lookup([table, other, table], ids)
        bag = nn.embedding_bag(table, ids, combiner="sum")
        loss = np.sum(np.sin(both)) + np.sum(np.cos(bag)) + np.sum(st.gather(table, [1]) ** 2)
    with st.GradientTape() as plain:
        rows = [st.gather(t, ids[:, k]) for k, t in enumerate((table, other, table))]
        bags = np.sum(st.gather(table, ids), axis=1)
        plain_loss = np.sum(np.sin(np.concatenate(rows, axis=1))) + np.sum(np.cos(bags))
        plain_loss = plain_loss + np.sum(st.gather(table, [1]) ** 2)
    for ours, theirs in zip(
        tape.gradient(loss, [table, other]), plain.gradient(plain_loss, [table, other]), strict=True
    ):
        assert isinstance(ours, st.IndexedSlices)
        np.testing.assert_allclose(ours.to_dense(), theirs.to_dense(), 1e-12)


def test_second_derivatives():
    tables = [st.Variable(t) for t in tables_of(np.float64, (2, 3), rows=4)]
    ids = [np.array([[0, 1, 1], [3, 2, 0]]), np.array([[1, 1, 1], [0, 2, 3]])]

    def hessian_times_ones(combined: Any) -> list[np.ndarray]:
        with st.GradientTape() as outer:
            with st.GradientTape() as inner:
                loss = np.sum(combined() ** 3)
            first = inner.gradient(loss, tables)
            total = sum(np.sum(np.reshape(g.to_dense(), -1)) for g in first)
        return [np.asarray(g) for g in outer.gradient(total, tables)]

    def composed() -> Any:
        return np.concatenate([np.mean(st.gather(t, i), axis=1) for t, i in zip(tables, ids, strict=True)], axis=1)

    ours, theirs = hessian_times_ones(lambda: nn.embedding_bag(tables, ids)), hessian_times_ones(composed)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, 1e-12)
    weights = [st.Variable(np.ones((2, 3))) for _ in ids]
    with pytest.raises(TypeError, match="weights must be constants for a second derivative"):
        hessian_times_ones(lambda: nn.embedding_bag(tables, ids, weights=weights))


# Updates


def bag_gradient(rng: Any, table: Any, bags: int = 8, ids: int = 30) -> tuple[BagSlices, st.IndexedSlices]:
    """Return slices by bags, their rows apart, and the same slices with a row for each id."""
    wide = rng.normal(size=(bags, 3, table.shape[1])).astype(table.dtype)
    numbers = np.sort(rng.integers(0, bags, ids)).astype(np.int32)
    indices = rng.integers(0, len(table), ids) if rng.random() < 0.7 else np.sort(rng.permutation(len(table))[:ids])
    numbers = numbers[: len(indices)]
    by_bags = BagSlices(wide[:, 1], numbers, indices, table.shape)
    return by_bags, st.IndexedSlices(wide[:, 1][numbers], indices, table.shape)


@pytest.mark.parametrize("hooks", CHAINS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_bags_have_the_bits_of_a_row_for_each_id(row: Row, hooks: str):
    rng = np.random.default_rng(7)
    worlds = [(row.make(hooks=CHAINS[hooks]()), np.ones((50, 5), np.float32), np.ones((40, 20))) for _ in range(2)]
    for _ in range(5):
        dense = rng.normal(size=(40, 20))
        for (opt, table, w), slices in zip(worlds, bag_gradient(rng, worlds[0][1]), strict=True):
            opt.apply_gradients([(slices, table), (dense, w)])
    assert state_of(*worlds[0]) == state_of(*worlds[1])


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_bags_of_every_type_are_updated_alike(dtype: Any):
    rng = np.random.default_rng(8)
    worlds = [(st.AdagradOptimizer(0.1), np.ones((900, 64), dtype)) for _ in range(2)]
    for ids in (5000, 40, 20_000, 0):
        for (opt, table), slices in zip(worlds, bag_gradient(rng, worlds[0][1], 400, ids), strict=True):
            opt.apply_gradients([(slices, table)])
    assert worlds[0][1].tobytes() == worlds[1][1].tobytes()


def test_a_rule_in_python_gets_a_row_for_each_id():
    class Descent(st.Optimizer):
        def _apply_sparse(self, grad: Any, var: Any) -> None:
            np.subtract.at(var.value, grad.indices, 0.5 * grad.values)

    rng = np.random.default_rng(9)
    variables = [st.Variable(np.ones((20, 3))) for _ in range(2)]
    for v, slices in zip(variables, bag_gradient(rng, variables[0]), strict=True):
        Descent(use_locking=False, name="descent").apply_gradients([(slices, v)])
    np.testing.assert_array_equal(variables[0].value, variables[1].value)


def train(embed: Any, optimizer: Any, steps: int = 4) -> list[np.ndarray]:
    rng = np.random.default_rng(10)
    tables = [st.Variable(t) for t in tables_of(np.float32, (4, 8, 16))]
    for _ in range(steps):
        ids = [rng.integers(0, 30, (20, 5)) for _ in tables]
        with st.GradientTape() as tape:
            loss = np.sum(np.tanh(embed(tables, ids)))
        optimizer.apply_gradients(list(zip(tape.gradient(loss, tables), tables, strict=True)))
    return [t.numpy() for t in tables]


def test_training_makes_no_row_for_an_id_and_is_repeated_natively(monkeypatch: pytest.MonkeyPatch):
    expected = train(
        lambda tables, ids: np.concatenate(
            [np.sum(st.gather(t, i), axis=1) for t, i in zip(tables, ids, strict=True)], axis=1
        ),
        st.AdagradOptimizer(0.1),
    )

    def expanded(slices: BagSlices) -> Any:
        raise AssertionError("a row for each id")

    monkeypatch.setattr(BagSlices, "values", property(expanded))
    checked = []
    whole = st.optim.optimizer.apply_gradients
    monkeypatch.setattr(
        "steepest.optim.optimizer.apply_gradients", lambda *args: (checked.append(args), whole(*args))[1]
    )
    ours = train(lambda tables, ids: nn.embedding_bag(tables, ids, combiner="sum"), st.AdagradOptimizer(0.1))
    assert len(checked) == 1  # the first step
    for a, b in zip(ours, expected, strict=True):
        np.testing.assert_allclose(a, b, 1e-4, 1e-5)


def test_several_optimizers_and_deferred_rows_take_bags():
    def embed(tables: Any, ids: Any) -> Any:
        return nn.embedding_bag(tables, ids, combiner="sum")

    def deferred() -> Any:
        return st.AdamOptimizer(0.1, sparse_update="deferred")

    for a, b in zip(train(embed, deferred(), 9), train(embed, st.AdamOptimizer(0.1), 9), strict=True):
        np.testing.assert_allclose(a, b, 1e-5, 1e-6)
    one = train(embed, st.AdagradOptimizer(0.1))
    groups = [(st.AdagradOptimizer(0.1), lambda v: v.shape[1] > 4), (st.AdagradOptimizer(0.1), None)]
    for a, b in zip(train(embed, st.MultiOptimizer(groups)), one, strict=True):
        assert a.tobytes() == b.tobytes()


def test_bags_that_do_not_fit_are_refused_and_nothing_changes():
    table = np.ones((4, 2))
    opt = st.AdagradOptimizer(0.1)
    good = BagSlices(np.ones((3, 2)), np.array([0, 2], np.int32), np.array([1, 1]), (4, 2))
    opt.apply_gradients([(good, table)])
    before = table.copy()
    for bags in ([0, 3], [-1, 0], [0, 2**31 - 1]):
        with pytest.raises(IndexError, match="bag"):
            opt.apply_gradients([(BagSlices(np.ones((3, 2)), np.array(bags, np.int32), good.indices, (4, 2)), table)])
    with pytest.raises(ValueError, match="bags must be one for each index"):
        opt.apply_gradients([(BagSlices(np.ones((3, 2)), np.array([0], np.int32), good.indices, (4, 2)), table)])
    np.testing.assert_array_equal(table, before)
