"""The clip functions against NumPy in wider type."""

from __future__ import annotations

import numpy as np
import pytest
from catalogue import DTYPES
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

import steepest as st

SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6)
FINITE = some.floats(-1e6, 1e6, width=32)


@settings(max_examples=150, deadline=None)
@given(t=arrays.arrays(np.float64, SHAPES, elements=FINITE), limit=some.floats(0, 1e6))
def test_by_norm_is_scaling_to_the_limit(t, limit):
    got = st.clip_by_norm(t, limit)
    norm = np.linalg.norm(t.astype(np.longdouble).reshape(-1))
    if norm <= limit:
        np.testing.assert_array_equal(got, t)
        assert not np.shares_memory(got, t)
    else:
        np.testing.assert_allclose(got, t * (limit / np.float64(norm)), rtol=1e-12, atol=1e-300)


@settings(max_examples=100, deadline=None)
@given(
    t=arrays.arrays(np.float32, SHAPES, elements=some.floats(width=32)),
    low=some.floats(-10, 10),
    high=some.floats(-10, 10),
)
def test_by_value_is_max_of_min(t, low, high):
    low, high = np.float32(low), np.float32(high)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(st.clip_by_value(t, low, high), np.maximum(np.minimum(t, high), low))


@settings(max_examples=60, deadline=None)
@given(
    parts=some.lists(arrays.arrays(np.float32, SHAPES, elements=FINITE), max_size=4),
    limit=some.floats(0, 1e4),
)
def test_global_norm_is_the_norm_of_everything(parts, limit):
    squares = sum((np.sum(np.square(p.astype(np.longdouble))) for p in parts), np.longdouble(0))
    clipped, norm = st.clip_by_global_norm(parts, limit)
    assert float(norm) == pytest.approx(float(np.sqrt(squares)), rel=1e-12)
    assert isinstance(clipped, list)
    factor = 1 if norm <= limit else limit / norm
    for got, part in zip(clipped, parts, strict=True):
        np.testing.assert_allclose(got, part * factor, rtol=1e-6, atol=1e-37)


@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        (np.float32, 1e30),
        (np.float32, 1e-30),
        (np.float64, 1e200),
        (np.float64, 1e-200),
        (np.float64, 5e-324),
        (np.float16, 300),
    ],
)
def test_norms_neither_overflow_nor_vanish(dtype, size):
    t = np.array([3, 4], dtype) * dtype(size)
    wide = t.astype(np.longdouble)
    norm = np.sqrt(np.sum(wide * wide))
    assert float(st.global_norm([t])) == pytest.approx(float(norm), rel=1e-12)
    half = st.clip_by_norm(t, float(norm) / 2).astype(np.longdouble)
    np.testing.assert_allclose(half, wide / 2, rtol=2e-3, atol=float(np.finfo(dtype).smallest_subnormal))


def test_by_norm_along_axes():
    t = np.array([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0]])
    np.testing.assert_allclose(st.clip_by_norm(t, 1.0, axes=1), [[0.6, 0.8], [0.3, 0.4], [0, 0]])
    np.testing.assert_allclose(st.clip_by_norm(t, 1.0, axes=[0, 1]), st.clip_by_norm(t, 1.0))
    np.testing.assert_allclose(st.clip_by_norm(t * 1e200, 1.0, axes=-1)[0], [0.6, 0.8])


def test_special_values():
    inf, nan = np.inf, np.nan
    np.testing.assert_array_equal(st.clip_by_value(np.array([nan, inf, -inf]), -1, 1), [nan, 1, -1])
    np.testing.assert_array_equal(st.clip_by_value(np.zeros(2), 2, -2), 2)  # TensorFlow: the minimum wins
    assert np.isnan(st.clip_by_norm(np.array([nan, 1.0]), 1.0)).all()
    np.testing.assert_array_equal(st.clip_by_norm(np.array([inf, 1.0]), 1.0), [nan, 0])
    np.testing.assert_array_equal(st.clip_by_norm(np.zeros(3), 0.0), 0)
    np.testing.assert_array_equal(st.clip_by_norm(np.ones(3), -1.0), 0)  # a negative limit counts as 0
    assert st.global_norm([]) == 0
    assert st.global_norm([None]) == 0


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_types_shapes_and_slices_are_kept(dtype):
    t = np.arange(6).reshape(2, 3).astype(dtype)
    slices = st.IndexedSlices(t, [3, 3], (9, 3))
    for got in (st.clip_by_value(t, 1, 2), st.clip_by_norm(t, 1), st.clip_by_average_norm(t, 0.1)):
        assert (got.dtype, got.shape) == (dtype, (2, 3))
    for got in (st.clip_by_value(slices, 1, 2), st.clip_by_norm(slices, 1), st.clip_by_global_norm([slices], 1)[0][0]):
        assert isinstance(got, st.IndexedSlices)
        assert got.values.dtype == dtype
        assert list(got.indices) == [3, 3]  # duplicates are kept
        assert tuple(got.dense_shape) == (9, 3)
    np.testing.assert_array_equal(st.clip_by_value(slices, 1, 2).values.astype(float), np.clip(t.astype(float), 1, 2))


def test_average_norm():
    t = np.array([3.0, 4.0])
    np.testing.assert_allclose(st.clip_by_average_norm(t, 1.0), t * 1.0 / 2.5)
    np.testing.assert_array_equal(st.clip_by_average_norm(t, 2.5), t)


def test_variables_lists_and_integers_are_taken():
    np.testing.assert_allclose(st.clip_by_norm(st.Variable([3.0, 4.0]), 1.0), [0.6, 0.8], rtol=1e-6)
    np.testing.assert_allclose(st.clip_by_norm([3, 4], 1.0), [0.6, 0.8])
    got = st.clip_by_value(np.array([1, 5, 9]), 2, 6)
    np.testing.assert_array_equal(got, [2, 5, 6])
    assert got.dtype.kind == "i"


@pytest.mark.parametrize(
    "f",
    [
        lambda x: st.clip_by_value(x, -1.5, 1.5),
        lambda x: st.clip_by_norm(x, 1.0),
        lambda x: st.clip_by_norm(x, 100.0),
        lambda x: st.clip_by_norm(x, 1.0, axes=1),
        lambda x: st.clip_by_average_norm(x, 0.1),
        lambda x: st.clip_by_global_norm([x, 2 * x], 1.0)[0][1],
        lambda x: st.global_norm([x, x * x]),
    ],
    ids=["value", "norm", "norm-off", "axes", "average", "global", "global_norm"],
)
def test_clipping_is_differentiated_under_a_tape(f):
    from steepest.testing import check_vjp

    check_vjp(f, np.random.default_rng(0).normal(size=(3, 2)) * 2)


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2"])
def test_results_in_memory_that_has_left_the_caches(dtype: str):
    """Lists of 48 MB, so that every array is made of a block that others have pushed out of any cache."""
    count, size = 16, (3 << 20) // np.dtype(dtype).itemsize - 1001
    g = np.random.default_rng(5).standard_normal(size).astype(dtype)
    g[:: size // 7] = np.nan
    by_value, by_norm = np.clip(g, g.dtype.type(-0.5), g.dtype.type(0.5)), None
    for _ in range(4):
        clipped = [st.clip_by_value(g, -0.5, 0.5) for _ in range(count)]
        assert all(c.tobytes() == by_value.tobytes() for c in clipped)
    finite = np.nan_to_num(g)
    for _ in range(4):
        clipped = [st.clip_by_norm(finite, 1.0) for _ in range(count)]
        by_norm = clipped[0].tobytes() if by_norm is None else by_norm  # the first of all is made in fresh memory
        assert all(c.tobytes() == by_norm for c in clipped)
