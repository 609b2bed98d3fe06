"""The seven differences from TensorFlow 1 that the README lists, by its numbers."""

from __future__ import annotations

import numpy as np
import pytest
from ml_dtypes import bfloat16

import steepest as st


def test_1_all_or_nothing_when_the_last_pair_is_bad():
    w, v = np.ones(3), np.ones(3)
    step = st.Variable(np.int64(0), trainable=False)
    opt = st.AdamOptimizer()
    with pytest.raises(ValueError, match="gradient 1"):
        opt.apply_gradients([(np.ones(3), w), (np.ones(2), v)], step)
    assert (w == 1).all()
    assert opt.variables() == []
    assert step.value == 0


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int64, np.int8, np.bool_])
def test_2_gradients_convert_as_numpy_converts_them(dtype):
    w, g = np.ones(3, np.float32), np.array([0, 1, 1], dtype)
    expected = w.copy()
    expected -= g.astype(np.float32)
    st.GradientDescentOptimizer(1.0).apply_gradients([(g, w)])
    np.testing.assert_array_equal(w, expected)


def test_2_lists_and_scalars_convert_and_nothing_is_broadcast():
    w, s = np.ones(2), np.ones(())
    st.GradientDescentOptimizer(1.0).apply_gradients([([1, 2.0], w), (3, s)])
    np.testing.assert_array_equal(w, [0, -1])
    assert s == -2
    with pytest.raises(ValueError, match="not broadcast"):
        st.GradientDescentOptimizer(1.0).apply_gradients([(1.0, w)])


def test_3_norms_of_slices_sum_duplicates_first():
    slices = st.IndexedSlices(np.array([[3.0, 0], [3, 0], [0, 4]]), [7, 7, 2], (9, 2))
    assert st.global_norm([slices]) == pytest.approx(np.hypot(6, 4))  # TensorFlow: 5.83
    w = np.zeros((9, 2))
    st.GradientDescentOptimizer(1.0, hooks=[st.ClipByGlobalNorm(1.0)]).apply_gradients([(slices, w)])
    assert np.linalg.norm(w) == pytest.approx(1)


def test_3_none_passes_and_nan_surfaces():
    assert st.clip_by_value(None, 0, 1) is None
    assert st.clip_by_norm(None, 1) is None
    assert st.clip_by_average_norm(None, 1) is None
    clipped, norm = st.clip_by_global_norm([None, np.array([3.0, 4.0])], 1.0)
    assert clipped[0] is None
    assert norm == 5
    for bad in (np.nan, np.inf):
        clipped, norm = st.clip_by_global_norm([np.array([1.0, bad]), np.ones(2)], 1.0)
        assert not np.isfinite(norm)
        assert np.isnan(clipped[0]).all()
        assert np.isnan(clipped[1]).all()


def test_4_a_variable_that_comes_twice_is_updated_twice_in_order():
    w = st.Variable(np.zeros(1))
    st.MomentumOptimizer(1.0, 0.5).apply_gradients([(np.ones(1), w), (np.ones(1), w)])
    np.testing.assert_allclose(w.value, -(1 + 1.5))
    both, one = np.zeros(100_000), np.zeros(100_000)
    opt = st.AdagradOptimizer(1.0)
    opt.apply_gradients([(np.full(100_000, 2.0), both), (np.ones(100_000), both)])
    other = st.AdagradOptimizer(1.0)
    other.apply_gradients([(np.full(100_000, 2.0), one)])
    other.apply_gradients([(np.ones(100_000), one)])
    np.testing.assert_array_equal(both, one)


def test_4_a_bare_variable_is_a_list_of_one():
    w = st.Variable(np.ones(3))
    (pair,) = st.AdamOptimizer().compute_gradients(lambda: np.sum(w * w), var_list=w)
    assert pair[1] is w
    np.testing.assert_array_equal(pair[0], 2 * w.value)


@pytest.mark.parametrize("dtype", [np.float16, bfloat16])
def test_5_half_parameters_have_float32_slots_and_arithmetic(dtype):
    w = np.ones(4, dtype)
    opt = st.AdagradOptimizer(0.1)
    for _ in range(50):
        opt.apply_gradients([(np.full(4, 1e-3, dtype), w)])
    accumulator = opt.get_slot(w, "accumulator")
    assert accumulator.dtype == np.float32
    # 1e-6 is nothing to a half accumulator of 0.1.
    np.testing.assert_allclose(accumulator.value, 0.1 + 50 * float(dtype(1e-3)) ** 2, rtol=1e-5)


def test_5_hyper_parameters_are_rounded_once():
    w, v = np.zeros(1), np.zeros(1)
    st.GradientDescentOptimizer(0.1).apply_gradients([(np.ones(1), w)])
    st.GradientDescentOptimizer(np.float32(0.1)).apply_gradients([(np.ones(1), v)])
    assert w[0] == -0.1
    assert v[0] == -float(np.float32(0.1))


def test_6_sparse_adam_is_adam_on_the_densified_gradient():
    a, b = np.ones((5, 2)), np.ones((5, 2))
    sparse, dense = st.AdamOptimizer(0.1), st.AdamOptimizer(0.1)
    for row in (0, 3, 3, 1):
        g = np.zeros((5, 2))
        g[row] = 1.5
        sparse.apply_gradients([(st.IndexedSlices(g[[row]], [row]), a)])
        dense.apply_gradients([(g, b)])
    np.testing.assert_array_equal(a, b)


def test_7_adagrad_decay_counts_by_itself_and_exports_the_original_layout():
    w, opt = np.ones((4, 3)), st.AdagradDecayOptimizer(0.1, accumulator_decay_step=2)
    for _ in range(5):
        opt.apply_gradients([(st.IndexedSlices(np.ones((1, 3)), [2]), w)])
    counts = opt.get_slot(w, "accumulator_decay_power")
    assert (counts.shape, counts.dtype) == ((4,), np.int64)
    np.testing.assert_array_equal(counts.value, [0, 0, 2, 0])
    exported = opt.export_slot(w, "accumulator_decay_power")
    assert exported.shape == (4, 3)
    assert exported.reshape(-1).tolist() == [0, 0, 2, 0] + [0] * 8
    with pytest.raises(ValueError, match="integer of at least 1"):
        st.AdagradDecayOptimizer(0.1, accumulator_decay_step=0.9)
