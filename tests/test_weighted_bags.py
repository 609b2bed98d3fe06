"""Gradients of weighted bags: an update multiplies as it adds, with the bits of a row of products for each id."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from bag_world import DTYPES, state_of, tables_of
from catalogue import ROWS, Row

import steepest as st
from steepest import nn
from steepest.ops.bag_slices import BagSlices
from test_strided_gradients import CHAINS

SOME = [1.0, 0.0, -0.0, -2.5, 0.3, 1e-8, 7.0]  # weights: ones, zeros, negative ones, inexact products


@pytest.fixture(params=[1, 2, 3, 7])
def threads(request: pytest.FixtureRequest):
    before = st.get_num_threads()
    st.set_num_threads(request.param)
    yield request.param
    st.set_num_threads(before)


def both_forms(
    rng: Any, table: Any, bags: int = 8, ids: int = 30, weights: Any = SOME, dtype: Any = None
) -> tuple[BagSlices, st.IndexedSlices]:
    """Return slices by weighted bags, some of them empty, and the same with a row of products for each id."""
    dtype = dtype or table.dtype
    values = rng.normal(size=(bags, 3, table.shape[1])).astype(dtype)[:, 1]  # rows that lie apart
    numbers = np.sort(rng.choice(rng.integers(0, bags, 1 + bags // 2), ids)).astype(np.int32)
    indices = rng.integers(0, len(table), ids) if rng.random() < 0.7 else np.arange(ids) % len(table)
    factors = rng.choice(np.array(weights), ids).astype(dtype)
    rows = values[numbers] * factors[:, None]
    assert rows.dtype == dtype
    return BagSlices(values, numbers, indices, table.shape, factors), st.IndexedSlices(rows, indices, table.shape)


def assert_native(slices: BagSlices) -> None:
    """Nobody has made a row for each id."""
    assert slices._parts[2] is not None


@pytest.mark.parametrize("hooks", CHAINS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_every_rule_has_the_bits_of_a_row_for_each_id(row: Row, hooks: str):
    rng = np.random.default_rng(7)
    worlds = [(row.make(hooks=CHAINS[hooks]()), np.ones((50, 5), np.float32), np.ones((40, 20))) for _ in range(2)]
    fused = all(isinstance(hook, st.hooks.Hook) for hook in worlds[0][0].hooks)
    for _ in range(5):
        dense = rng.normal(size=(40, 20))
        forms = both_forms(rng, worlds[0][1])
        for (opt, table, w), slices in zip(worlds, forms, strict=True):
            opt.apply_gradients([(slices, table), (dense, w)])
        if fused:
            assert_native(forms[0])
    assert state_of(*worlds[0]) == state_of(*worlds[1])


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_type_and_number_of_threads(dtype: Any, wide: bool):
    """Also with a float32 gradient of a half type, and more than a chunk of one row's occurrences."""
    rng = np.random.default_rng(8)
    for width in (1, 3, 16, 64, 70):
        worlds = [
            (st.AdagradOptimizer(0.1, hooks=[st.ClipByGlobalNorm(9.0)]), np.ones((900, width), dtype)) for _ in range(2)
        ]
        for ids in (5000, 40, 20_000, 0):
            gradient_type = np.float32 if wide and dtype.itemsize == 2 else dtype
            forms = both_forms(rng, worlds[0][1][: 900 if ids < 20_000 else 9], 400, ids, dtype=gradient_type)
            for (opt, table), slices in zip(worlds, forms, strict=True):
                slices.dense_shape = table.shape
                opt.apply_gradients([(slices, table)])
            assert_native(forms[0])
        assert worlds[0][1].tobytes() == worlds[1][1].tobytes()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("weight", [np.nan, np.inf, -np.inf, 3e38, 1e-44])
def test_weights_that_are_not_finite_or_hardly(dtype: Any, weight: float):
    rng = np.random.default_rng(9)
    worlds = [(st.GradientDescentOptimizer(0.5), np.ones((20, 5), dtype)) for _ in range(2)]
    with np.errstate(all="ignore"):
        for _ in range(2):
            forms = both_forms(rng, worlds[0][1], weights=[1.0, 0.5, weight])
            for (opt, table), slices in zip(worlds, forms, strict=True):
                opt.apply_gradients([(slices, table)])
            assert_native(forms[0])
    a, b = (np.asarray(table, np.float64) for _, table in worlds)
    np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
    np.testing.assert_array_equal(a[~np.isnan(a)], b[~np.isnan(b)])
    if weight != weight:
        with pytest.raises(ValueError, match="must be finite"):
            st.AdamOptimizer(hooks=[st.CheckFinite()]).apply_gradients([(forms[0], np.ones((20, 5), dtype))])


@pytest.mark.parametrize("given", [np.float64, np.float32])
def test_products_of_another_type_are_converted_and_not_their_factors(given: Any):
    rng = np.random.default_rng(10)
    worlds = [(st.GradientDescentOptimizer(0.5), np.ones((20, 5), np.float32)) for _ in range(2)]
    by_bags, by_rows = both_forms(rng, worlds[0][1], dtype=np.float64)
    if given == np.float32:  # of the weights alone
        values, numbers, weights = by_bags.by_bags
        by_bags = BagSlices(values, numbers, by_bags.indices, (20, 5), weights.astype(np.float32))
        by_rows = st.IndexedSlices(values[numbers] * weights.astype(np.float32)[:, None], by_bags.indices, (20, 5))
    for (opt, table), slices in zip(worlds, (by_bags, by_rows), strict=True):
        opt.apply_gradients([(slices, table)])
    assert worlds[0][1].tobytes() == worlds[1][1].tobytes()


def test_an_id_a_bag_and_deferred_rows_and_several_optimizers():
    def deferred() -> Any:
        return st.AdamOptimizer(0.1, sparse_update="deferred")

    def groups() -> Any:
        return st.MultiOptimizer([(st.AdagradOptimizer(0.1), lambda v: False), (st.AdamOptimizer(0.1), None)])

    for make in (deferred, groups, lambda: st.LAMBOptimizer(0.1)):
        rng = np.random.default_rng(11)
        worlds = [(make(), st.Variable(np.ones((50, 4), np.float32))) for _ in range(2)]
        for step in range(6):
            forms = both_forms(rng, np.empty((50, 4), np.float32), 30, 30)  # a table that is read makes its moves
            if step % 2:  # index k has row k
                values, _, weights = forms[0].by_bags
                rows = st.IndexedSlices(values * weights[:, None], forms[0].indices, (50, 4))
                forms = BagSlices(values, None, forms[0].indices, (50, 4), weights), rows
            for (opt, table), slices in zip(worlds, forms, strict=True):
                opt.apply_gradients([(slices, table)])
            assert_native(forms[0])
        assert worlds[0][1].numpy().tobytes() == worlds[1][1].numpy().tobytes()


@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
def test_training_makes_no_row_for_an_id_and_is_repeated_natively(monkeypatch: pytest.MonkeyPatch, combiner: str):
    def train(expand: bool) -> list[np.ndarray]:
        rng, opt = np.random.default_rng(10), st.AdagradOptimizer(0.1)
        tables = [st.Variable(t) for t in tables_of(np.float32, (4, 8, 16))]
        for _ in range(4):
            ids = [rng.integers(0, 30, (20, 5)) for _ in tables]
            weights = [rng.choice([0.5, 2.0, -0.25], (20, 5)) for _ in tables]
            with st.GradientTape() as tape:
                loss = np.sum(np.tanh(nn.embedding_bag(tables, ids, combiner=combiner, weights=weights)))
            gradients = tape.gradient(loss, tables)
            if expand:
                gradients = [st.IndexedSlices(g.values, g.indices, g.dense_shape) for g in gradients]
            opt.apply_gradients(list(zip(gradients, tables, strict=True)))
        return [t.numpy() for t in tables]

    expected = train(expand=True)

    def expanded(slices: BagSlices) -> Any:
        raise AssertionError("a row for each id")

    checked = []
    whole = st.optim.optimizer.apply_gradients
    with monkeypatch.context() as patched:
        patched.setattr(BagSlices, "values", property(expanded))
        patched.setattr(
            "steepest.optim.optimizer.apply_gradients", lambda *args: (checked.append(args), whole(*args))[1]
        )
        ours = train(expand=False)
    assert len(checked) == 1  # the first step
    for a, b in zip(ours, expected, strict=True):
        assert a.tobytes() == b.tobytes()


def test_a_rule_in_python_gets_a_row_for_each_id():
    class Descent(st.Optimizer):
        def _apply_sparse(self, grad: Any, var: Any) -> None:
            np.subtract.at(var.value, grad.indices, 0.5 * grad.values)

    rng = np.random.default_rng(9)
    variables = [st.Variable(np.ones((20, 3))) for _ in range(2)]
    for v, slices in zip(variables, both_forms(rng, variables[0].value), strict=True):
        Descent(use_locking=False, name="descent").apply_gradients([(slices, v)])
    np.testing.assert_array_equal(variables[0].value, variables[1].value)


def test_weights_that_do_not_fit_are_refused_and_nothing_changes():
    table = np.ones((4, 2))
    opt = st.AdagradOptimizer(0.1)
    bags, indices = np.array([0, 2], np.int32), np.array([1, 1])
    good = BagSlices(np.ones((3, 2)), bags, indices, (4, 2), np.ones(2))
    for _ in range(2):  # the second step is compared with the first natively
        opt.apply_gradients([(good, table)])
    before = table.copy()
    for count in (1, 3):
        with pytest.raises(ValueError, match="weights must be one for each index"):
            opt.apply_gradients([(BagSlices(np.ones((3, 2)), bags, indices, (4, 2), np.ones(count)), table)])
    np.testing.assert_array_equal(table, before)


MEMORY = """
import re
from pathlib import Path
import numpy as np
import steepest as st
from steepest import nn

def memory(of):  # bytes that lie in memory now (VmRSS), or have at most (VmHWM)
    return 1024 * int(re.search(of + r":\\s*(\\d+)", Path("/proc/self/status").read_text())[1])

table, opt = st.Variable(np.ones((1000, 64), np.float32)), st.AdagradOptimizer(0.1)
ids, weights = np.random.default_rng(0).integers(0, 1000, (2000, 100)), np.full((2000, 100), 0.5, np.float32)
with st.GradientTape() as tape:
    loss = np.sum(nn.embedding_bag(table, ids, combiner="sum", weights=weights))
gradient = tape.gradient(loss, table)
before = memory("VmRSS")
Path("/proc/self/clear_refs").write_text("5")  # the most so far is now what there is
for _ in range(3):
    opt.apply_gradients([(gradient, table)])
print(memory("VmHWM") - before)
"""


def test_the_memory_is_that_of_the_ids_and_not_of_a_row_for_each():
    text = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    ids, row = 200_000, 64 * 4
    assert int(text.stdout) <= 48 * ids < ids * row  # grouping: 32 bytes an id and 4 of its weight, and some pages
