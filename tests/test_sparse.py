"""Sparse rows: duplicates, what is touched and what is not, any width and index type."""

from __future__ import annotations

import numpy as np
import pytest
from catalogue import ROWS, Row
from hypothesis import example, given, settings
from hypothesis import strategies as some
from reference import RULES, summed

import steepest as st


def reference_step(row: Row, t: int, w: np.ndarray, slots: dict, values: np.ndarray, ids: np.ndarray) -> None:
    if row.every_row:
        dense = np.zeros_like(w)
        if len(ids):
            rows, sums = summed(values, ids)
            dense[rows] = sums
        before = w.copy()
        RULES[row.rule](row.hyper, t, w, dense, slots)
        if not row.moves_left_out:
            left_out = np.setdiff1d(np.arange(len(w)), ids)
            w[left_out] = before[left_out]
        return
    if not len(ids):
        return
    rows, sums = summed(values, ids)
    if row.whole and not row.sparse_rule:  # norms are those of the table with zeros elsewhere, whose order they keep
        apart = [np.zeros_like(w) for _ in range(2)]
        apart[0][rows], apart[1][rows] = w[rows], sums
        part_slots = {name: np.where(np.isin(np.arange(len(w)), rows), slot.T, 0).T for name, slot in slots.items()}
        RULES[row.rule](row.hyper, t, *apart, part_slots)
        for array, part in ((w, apart[0]), *((slot, part_slots[name]) for name, slot in slots.items())):
            array[rows] = part[rows]
        return
    part, part_slots = w[rows], {name: slot[rows] for name, slot in slots.items()}
    RULES[row.sparse_rule or row.rule](row.hyper, t, part, sums, part_slots)
    w[rows] = part
    for name, slot in slots.items():
        slot[rows] = part_slots[name]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
@settings(max_examples=25, deadline=None)
@example(rows=40, width=80, batch=700, index_type=np.int64, seed=0)  # sums of many rows, in whole blocks
@given(
    rows=some.integers(1, 40),
    width=some.sampled_from([1, 2, 3, 5, 8, 16, 17, 64, 80, 300]),
    batch=some.sampled_from([0, 1, 2, 5, 50, 700]),
    index_type=some.sampled_from([np.int32, np.int64]),
    seed=some.integers(0, 1000),
)
def test_a_sparse_step_is_the_formula_on_summed_rows(row, rows, width, batch, index_type, seed):
    rng = np.random.default_rng(seed)
    w = rng.normal(size=(rows, width)).astype(np.float32)
    expected, slots = w.copy(), row.new_slots(w, np.float32)
    opt = row.make()
    for t in range(3):
        ids = np.minimum(rng.zipf(1.5, batch) - 1, rows - 1).astype(index_type)
        values = rng.normal(size=(batch, width)).astype(np.float32)
        reference_step(row, t, expected, slots, values, ids)
        opt.apply_gradients([(st.IndexedSlices(values, ids), w)])
        np.testing.assert_array_equal(w, expected)
        for name, slot in slots.items():
            np.testing.assert_array_equal(opt.get_slot(w, name).value, slot, err_msg=name)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_rows_outside_the_batch_keep_their_bits(row: Row):
    w = np.random.default_rng(0).normal(size=(1000, 9)).astype(np.float32)
    before, opt = w.copy(), row.make(hooks=[st.ClipByGlobalNorm(1.0), st.WeightDecay(0.1, decoupled=True)])
    if row.every_row and "weight_decay" in row.hyper:
        opt.weight_decay = 0.0  # the rule's own, which all rows have
    ids = np.array([999, 0, 500, 500])
    opt.apply_gradients([(st.IndexedSlices(np.ones((4, 9)), ids), w)])
    moved = np.flatnonzero((w != before).any(axis=1))
    np.testing.assert_array_equal(moved, [0, 500, 999])
    for name, start in row.slots.items():
        slot = opt.get_slot(w, name).value
        rest = np.delete(slot, [0, 500, 999], axis=0)
        first = np.delete(before, [0, 500, 999], axis=0) if name in row.from_parameter else np.float32(start)
        np.testing.assert_array_equal(rest, first)


def test_adam_moves_every_row_and_lazy_adam_the_batchs():
    adam, lazy = np.ones((3, 2)), np.ones((3, 2))
    a, b = st.AdamOptimizer(0.1), st.LazyAdamOptimizer(0.1)
    for ids in ([0], [1]):
        a.apply_gradients([(st.IndexedSlices(np.ones((1, 2)), ids), adam)])
        b.apply_gradients([(st.IndexedSlices(np.ones((1, 2)), ids), lazy)])
    assert lazy[0, 0] == pytest.approx(0.9)
    assert adam[0, 0] < 0.84  # as TensorFlow: 0.9 -> 0.833 without a gradient of its own
    assert (adam[2] == 1).all()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_an_empty_batch_moves_nothing_but_adams_moments(row: Row):
    w = np.ones((4, 2))
    opt = row.make()
    opt.apply_gradients([(np.ones((4, 2)), w)])
    before = w.copy()
    opt.apply_gradients([(st.IndexedSlices(np.zeros((0, 2)), np.zeros(0, np.int64)), w)])
    assert (w == before).all() == (not (row.every_row and row.moves_left_out))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
@pytest.mark.parametrize("shape", [(7,), (4, 2, 3)], ids=str)
def test_vectors_and_tensors_have_rows_too(row: Row, shape: tuple[int, ...]):
    rng = np.random.default_rng(0)
    w = rng.normal(size=shape)
    expected, slots, opt = w.copy(), row.new_slots(w, np.float64), row.make()
    for t in range(3):
        ids = rng.integers(0, shape[0], 5)
        values = rng.normal(size=(5, *shape[1:]))
        reference_step(row, t, expected, slots, values, ids)
        opt.apply_gradients([(st.IndexedSlices(values, ids, None if t else (99, 1)), w)])  # dense_shape is ignored
    np.testing.assert_array_equal(w, expected)


def test_a_hot_row_in_half_precision_is_summed_in_float32():
    w = np.zeros((2, 3), np.float16)
    values = np.full((5000, 3), 0.001, np.float16)
    st.GradientDescentOptimizer(1.0).apply_gradients([(st.IndexedSlices(values, np.zeros(5000, np.int32)), w)])
    np.testing.assert_allclose(-w[0], 5000 * float(np.float16(0.001)), rtol=1e-3)  # half sums would stop at 2 or 4
    assert (w[1] == 0).all()
