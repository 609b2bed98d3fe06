"""Gradients whose rows lie apart, and columns of ids, are read where they lie, with the bits of their packed copies."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from catalogue import ROWS, Row
from hypothesis import given, settings
from hypothesis import strategies as some
from state_order import variables_in_order

import steepest as st
from steepest.base.arrays import with_packed_rows
from steepest.optim import updates

CHAINS: dict[str, Any] = {
    "no hooks": list,
    "value": lambda: [st.ClipByValue(-0.5, 0.25)],
    "norms": lambda: [st.WeightDecay(0.1), st.ClipByNorm(0.75), st.ClipByGlobalNorm(0.5)],
    "called": lambda: [lambda pairs: pairs, st.ClipByGlobalNorm(0.5)],
}


def apart(values: np.ndarray, how: str) -> np.ndarray:
    """Return the same values in other places, with something else around them."""
    count, *rest = values.shape
    other = np.nan if values.dtype.kind != "i" else -1
    if how == "columns":  # as the derivative of a concatenation cuts them out
        wide = np.full((count, 3, *rest), other, values.dtype)
        view = wide[:, 1]
    elif how == "backwards":
        view = np.full_like(values, other)[::-1]
    else:
        view = np.full((3 * count, *rest), other, values.dtype)[::3]
    view[...] = values
    assert not view.flags.c_contiguous or count < 2
    return view


@pytest.fixture
def no_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_in_place(array: Any) -> Any:
        packed = with_packed_rows(array)
        assert packed is array, "a copy"
        return packed

    monkeypatch.setattr(updates, "with_packed_rows", read_in_place)


@pytest.mark.usefixtures("no_copies")
@pytest.mark.parametrize("how", ["columns", "backwards", "every third"])
@pytest.mark.parametrize("hooks", CHAINS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_rows_apart_have_the_bits_of_packed_ones(row: Row, hooks: str, how: str):
    rng = np.random.default_rng(0)
    worlds = [(row.make(hooks=CHAINS[hooks]()), np.ones((9, 5), np.float32), np.ones((40, 20))) for _ in range(2)]
    for number in range(4):
        ids = rng.integers(0, 9, 12) if number % 2 else rng.permutation(9)
        values = rng.normal(size=(len(ids), 5)).astype(np.float32)
        dense = rng.normal(size=(40, 20))
        for (opt, table, w), view in zip(worlds, (np.copy, lambda a: apart(a, how)), strict=True):
            opt.apply_gradients([(st.IndexedSlices(view(values), view(ids)), table), (view(dense), w)])
    first, second = ([opt, table, w] for opt, table, w in worlds)
    assert first[1].tobytes() == second[1].tobytes()
    assert first[2].tobytes() == second[2].tobytes()
    for a, b in zip(variables_in_order(first[0]), variables_in_order(second[0]), strict=True):
        assert a.numpy().tobytes() == b.numpy().tobytes()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("width", [1, 2, 3, 4, 8, 11, 16, 64, 1500])
def test_every_type_and_width(dtype: str, wide: bool, width: int):
    real = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    rng = np.random.default_rng(1)
    given = np.float32 if wide and real.itemsize == 2 else real
    tables = [np.ones((7, width)).astype(real) for _ in range(2)]
    opts = [st.MomentumOptimizer(0.25, 0.5), st.MomentumOptimizer(0.25, 0.5)]
    for _ in range(3):
        ids = rng.integers(0, 7, 600).astype(np.int32)  # rows with more than one chunk of duplicates
        values = rng.normal(size=(600, width)).astype(given)
        opts[0].apply_gradients([(st.IndexedSlices(values, ids), tables[0])])
        opts[1].apply_gradients([(st.IndexedSlices(apart(values, "columns"), apart(ids, "backwards")), tables[1])])
    assert tables[0].tobytes() == tables[1].tobytes()


@given(some.data())
@settings(max_examples=60, deadline=None)
def test_any_strides(data: Any):
    base = np.arange(4.0 * 6 * 5 * 3).reshape(4, 6, 5, 3) % 7
    axes = data.draw(some.permutations(range(4)))
    steps = [slice(None, None, data.draw(some.sampled_from([1, 2, -1, -2]))) for _ in range(4)]
    gradient = base.transpose(axes)[tuple(steps)]
    for view in (gradient, gradient[0], gradient[0, 0], np.broadcast_to(gradient[:1], gradient.shape)):
        w, other = np.ones(view.shape), np.ones(view.shape)
        st.AdagradOptimizer(0.5).apply_gradients([(view, w)])
        st.AdagradOptimizer(0.5).apply_gradients([(view.copy(), other)])
        assert w.tobytes() == other.tobytes()
        ids = np.arange(20)[:: data.draw(some.sampled_from([1, 3, -1]))][: len(view)] % 5
        table, packed = np.ones((5, *view.shape[1:])), np.ones((5, *view.shape[1:]))
        ids = np.resize(ids, len(view))[::-1]
        st.AdagradOptimizer(0.5).apply_gradients([(st.IndexedSlices(view, ids), table)])
        st.AdagradOptimizer(0.5).apply_gradients([(st.IndexedSlices(view.copy(), ids.copy()), packed)])
        assert table.tobytes() == packed.tobytes()
        assert st.global_norm([view]) == st.global_norm([view.copy()])
        assert st.clip_by_value(view, 1.0, 3.0).tobytes() == np.clip(view, 1.0, 3.0).tobytes()
        assert st.clip_by_norm(view, 2.0).tobytes() == st.clip_by_norm(view.copy(), 2.0).tobytes()


def test_the_work_list_takes_rows_apart(monkeypatch: pytest.MonkeyPatch):
    table, w, opt = np.ones((9, 4)), np.ones((6, 4)), st.AdagradOptimizer(0.5)
    wide, dense, ids = np.random.default_rng(0).normal(size=(5, 12)), np.ones((6, 9)), np.arange(15).reshape(5, 3) % 9
    opt.apply_gradients([(st.IndexedSlices(wide[:, 4:8], ids[:, 1]), table), (dense[:, 2:6], w)])
    checked = []
    monkeypatch.setattr("steepest.optim.optimizer.apply_gradients", lambda *args: checked.append(args))
    for columns in (slice(0, 4), slice(8, 12)):
        opt.apply_gradients([(st.IndexedSlices(wide[:, columns], ids[:, 0]), table), (dense[:, 5:9], w)])
        opt.apply_gradients(
            [(st.IndexedSlices(wide[:, columns].copy(), ids[:, 0].copy()), table), (np.ones((6, 4)), w)]
        )
    assert checked == []


def test_rows_apart_that_are_written_mean_their_values_before():
    memory = np.arange(60.0).reshape(10, 6)
    expected = memory[:5, :3] - 0.5 * memory[4::-1, 3:]
    both = memory.copy()
    st.SGD(0.5).apply_gradients([(both[4::-1, 3:], both[:5, :3]), (both[:5, :3], both[:5, 3:])])
    np.testing.assert_array_equal(both[:5, :3], expected)
    np.testing.assert_array_equal(both[:5, 3:], memory[:5, 3:] - 0.5 * memory[:5, :3])


def test_bad_ids_in_a_column_are_named():
    ids = np.array([[0, 1], [2, 9], [1, 0]])
    with pytest.raises(IndexError, match=r"be in \[0, 5\), got 9 at position 1"):
        st.SGD(0.5).apply_gradients([(st.IndexedSlices(np.ones((3, 2)), ids[:, 1]), np.ones((5, 2)))])
