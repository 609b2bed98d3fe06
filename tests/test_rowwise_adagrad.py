"""Row-wise Adagrad beyond what every rule is tested for: what is averaged, and when."""

from __future__ import annotations

import numpy as np
import pytest
from catalogue import DTYPES
from reference import mean_of_squares

import steepest as st


def test_numbers_worked_out_by_hand():
    w = np.array([[1.0, 1.0], [5.0, 5.0]])
    opt = st.RowWiseAdagradOptimizer(0.5, initial_accumulator_value=2.0, epsilon=0.5)
    opt.apply_gradients([(st.IndexedSlices(np.array([[1.0, 3.0], [0.0, 2.0]]), [0, 0]), w)])
    a = 2 + (1.0**2 + 5.0**2) / 2  # of the sum (1, 5)
    np.testing.assert_array_equal(opt.get_slot(w, "accumulator").value, [a, 2])
    np.testing.assert_allclose(w, [[1 - 0.5 / (np.sqrt(a) + 0.5), 1 - 2.5 / (np.sqrt(a) + 0.5)], [5, 5]], rtol=1e-15)


def test_by_default_the_first_step_is_the_gradient_over_its_root_mean_square():
    w, g = np.zeros((3, 4)), np.array([[3.0, -4.0, 0, 0], [1e-3, 1e-3, 1e-3, 1e-3], [0, 0, 0, 0]])
    st.RowWiseAdagradOptimizer(0.1).apply_gradients([(g, w)])
    np.testing.assert_allclose(w[0], [-0.12, 0.16, 0, 0], rtol=1e-7)
    np.testing.assert_allclose(w[1], -0.1, rtol=1e-4)
    np.testing.assert_array_equal(w[2], 0)  # not NaN: epsilon is positive


@pytest.mark.parametrize("shape", [(6,), (6, 5), (6, 2, 3)], ids=str)
def test_the_accumulator_has_one_number_for_each_row(shape):
    w, opt = np.ones(shape, np.float16), st.RowWiseAdagradOptimizer(0.1)
    opt.apply_gradients([(np.ones(shape), w)])
    slot = opt.get_slot(w, "accumulator")
    assert (slot.shape, slot.dtype) == (shape[:1], np.float32)
    np.testing.assert_array_equal(slot.value, 1)


def test_narrow_rows_are_plain_adagrad():
    rng = np.random.default_rng(0)
    rows, flat = np.ones((50, 1)), np.ones(50)
    a = st.RowWiseAdagradOptimizer(0.1, 0.1, 1e-300)
    b = st.AdagradOptimizer(0.1, 0.1)
    for _ in range(5):
        g = rng.normal(size=50)
        a.apply_gradients([(g[:, None], rows)])
        b.apply_gradients([(g, flat)])
    np.testing.assert_allclose(rows[:, 0], flat, rtol=1e-14)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("width", [1, 3, 8, 13, 64, 1000, 1024, 1025, 3000])
def test_repeats_are_summed_before_they_are_squared(width, dtype):
    rng = np.random.default_rng(width)
    values, ids = rng.normal(size=(9, width)).astype(dtype), np.array([4, 1, 4, 0, 4, 1, 4, 4, 4])
    once, twice = np.ones((6, width), dtype), np.ones((6, width), dtype)
    a, b = st.RowWiseAdagradOptimizer(0.1), st.RowWiseAdagradOptimizer(0.1)
    summed = np.zeros((6, width), np.float64 if dtype == np.float64 else np.float32)
    for row, value in zip(ids, values, strict=True):
        summed[row] += value
    a.apply_gradients([(st.IndexedSlices(values, ids), twice)])
    b.apply_gradients([(st.IndexedSlices(summed[[0, 1, 4]], [0, 1, 4]), once)])
    np.testing.assert_array_equal(twice, once)
    accumulator = a.get_slot(twice, "accumulator").value
    np.testing.assert_array_equal(accumulator, b.get_slot(once, "accumulator").value)
    np.testing.assert_array_equal(accumulator[[0, 1, 4]], mean_of_squares(summed[[0, 1, 4]]).astype(accumulator.dtype))


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_what_is_averaged_is_the_gradient_after_hooks(sparse):
    rng = np.random.default_rng(2)
    w = rng.normal(size=(5, 7))
    expected, g = w.copy(), rng.normal(size=(5, 7)) * 3
    hooks = [st.ClipByValue(-1.0, 1.0), st.WeightDecay(0.5), st.WeightDecay(0.2, decoupled=True)]
    opt = st.RowWiseAdagradOptimizer(0.1, hooks=hooks)
    opt.apply_gradients([(st.IndexedSlices(g, np.arange(5)) if sparse else g, w)])
    g = np.clip(g, -1, 1) + 0.5 * expected
    expected -= expected * (0.1 * 0.2)
    a = (g * g).mean(axis=1, keepdims=True)
    np.testing.assert_allclose(w, expected - 0.1 * g / (np.sqrt(a) + 1e-8), rtol=1e-13)
    np.testing.assert_allclose(opt.get_slot(w, "accumulator").value, a[:, 0], rtol=1e-14)
