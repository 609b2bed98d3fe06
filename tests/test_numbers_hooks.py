"""docs/numbers.md: what hooks and clip functions make of NaN, infinity, huge and tiny gradients; and TensorFlow's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from catalogue import ROWS, Row
from special_numbers import CLIPPED, special
from state_order import variables_in_order

import steepest as st

NAN, INF = float("nan"), float("inf")
RECORDED = json.loads((Path(__file__).parent / "data" / "numbers.json").read_text())["clip"]
CASES = [(dtype, name) for dtype in CLIPPED for name in CLIPPED[dtype]]
each_case = pytest.mark.parametrize(("dtype", "name"), CASES, ids=lambda value: value)
RIGHT_HERE = {"huge", "subnormal"}
"""Where TensorFlow's squares overflow, or its threads take a subnormal for 0."""


def through(hook: Any, *gradients: Any) -> list[np.ndarray]:
    """What hooks fused into an update make of gradients: with a rate of 1 the update of 0 is minus that."""
    zeros = [np.zeros(g.shape if isinstance(g, np.ndarray) else g.dense_shape, g.dtype) for g in gradients]
    st.GradientDescentOptimizer(1.0, hooks=[hook]).apply_gradients(zip(gradients, zeros, strict=True))
    return [-w for w in zeros]


def equal(got: Any, expected: Any, rtol: float = 0.0) -> None:
    np.testing.assert_allclose(got, np.asarray(expected), rtol=rtol, atol=0)


@each_case
def test_clips_of_special_numbers_are_tensorflows(dtype: str, name: str):
    t, ones, theirs = np.array(CLIPPED[dtype][name], dtype), np.ones(2, dtype), RECORDED[dtype][name]
    flushes = name == "subnormal"
    equal(st.clip_by_value(t, -1.0, 1.0), t if flushes else theirs["clip_by_value"])
    equal(through(st.ClipByValue(-1.0, 1.0), t)[0], t if flushes else theirs["clip_by_value"])
    clipped, norm = st.clip_by_global_norm([t, ones], 1.0)
    if name in RIGHT_HERE:
        wide = t.astype(np.longdouble)
        exact = np.sqrt(np.sum(wide * wide))
        equal(st.clip_by_norm(t, 1.0), (wide / max(exact, 1)).astype(dtype), 1e-6)
        whole = np.sqrt(exact**2 + 2)
        equal(float(norm), float(whole), 1e-12)
        equal(clipped[0], (wide / whole).astype(dtype), 1e-6)
        assert name == "subnormal" or not np.isfinite(theirs["global_norm"])
    else:
        equal(st.clip_by_norm(t, 1.0), theirs["clip_by_norm"], 1e-6)
        equal(norm, theirs["global_norm"], 1e-6)
        for got, expected in zip(clipped, theirs["clip_by_global_norm"], strict=True):
            equal(got, expected, 1e-6)


@each_case
def test_fused_hooks_make_the_same_of_special_numbers_as_the_functions(dtype: str, name: str):
    t, ones = np.array(CLIPPED[dtype][name], dtype), np.ones(2, dtype)
    rows = st.IndexedSlices(t[:, None], [3, 1], (5, 1))
    for hook, function in [
        (st.ClipByNorm(1.0), lambda *ts: [st.clip_by_norm(x, 1.0) for x in ts]),
        (st.ClipByGlobalNorm(1.0), lambda *ts: st.clip_by_global_norm(list(ts), 1.0)[0]),
    ]:
        with np.errstate(all="ignore"):
            expected = function(t, ones)
            for got, want in zip(through(hook, t, ones), expected, strict=True):
                equal(got, want)
            (sparse,) = function(rows)
            equal(through(hook, rows)[0], sparse.to_dense())


def test_one_bad_gradient_spoils_its_own_norm_or_the_common_one():
    good, bad = np.array([3.0, 4.0]), np.array([INF, 1.0])
    for hook in (st.ClipByNorm(1.0), lambda pairs: [(st.clip_by_norm(g, 1.0), v) for g, v in pairs]):
        clipped = through(hook, good, bad)
        equal(clipped[0], [0.6, 0.8], 1e-15)
        equal(clipped[1], [NAN, 0.0])
    for spoil in (bad, np.array([NAN, 1.0])):
        assert np.isnan(through(st.ClipByGlobalNorm(1.0), good, spoil)).all()
        assert np.isnan(through(st.ClipByGlobalNorm(1e300), good, spoil)).all()  # whatever the limit is


def test_norms_of_parts_and_over_the_size_are_spoiled_in_the_same_way():
    with np.errstate(all="ignore"):
        equal(st.clip_by_average_norm(np.array([INF, 1.0]), 1.0), [NAN, 0.0])
        equal(st.clip_by_average_norm(np.array([NAN, 1.0]), 1.0), [NAN, NAN])
        rows = np.array([[INF, 1.0], [3.0, 4.0], [NAN, 1.0]])
        equal(st.clip_by_norm(rows, 1.0, axes=1), [[NAN, 0.0], [0.6, 0.8], [NAN, NAN]], 1e-15)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_elementwise_hooks_leave_other_elements_alone(dtype: str):
    g = special(np.dtype(dtype))
    w = np.random.default_rng(0).normal(size=g.size).astype(dtype)
    with np.errstate(all="ignore"):
        got, want = w.copy(), w - (g + w * g.dtype.type(0.5))
        st.GradientDescentOptimizer(1.0, hooks=[st.WeightDecay(0.5)]).apply_gradients([(g, got)])
        equal(got, want)
        got, want = w.copy(), (w - w * g.dtype.type(0.5)) - g
        st.GradientDescentOptimizer(1.0, hooks=[st.WeightDecay(0.5, decoupled=True)]).apply_gradients([(g, got)])
        equal(got, want)
        fine = np.where(np.isfinite(g), g, 0)
        noisy, quiet = through(st.GradientNoise(0.1, seed=0), g)[0], through(st.GradientNoise(0.1, seed=0), fine)[0]
        equal(noisy[np.isfinite(g)], quiet[np.isfinite(g)])
        equal(noisy[~np.isfinite(g)], g[~np.isfinite(g)])
        equal(through(st.ClipByValue(-2.0, 2.0), g)[0], np.clip(g, -2, 2))


def test_a_nan_weight_spoils_its_own_element_in_weight_decay():
    for decoupled in (False, True):
        w = np.array([NAN, 1.0])
        opt = st.GradientDescentOptimizer(1.0, hooks=[st.WeightDecay(0.5, decoupled=decoupled)])
        opt.apply_gradients([(np.zeros(2), w)])
        equal(w, [NAN, 0.5])


def test_a_nan_stays_in_the_sum_until_its_update_is_made():
    w, opt = np.zeros(2), st.GradientDescentOptimizer(1.0, hooks=[st.Accumulate(2)])
    for g, expected in [
        ([NAN, 1.0], [0, 0]),
        ([1.0, 1.0], [NAN, -1.0]),
    ]:
        opt.apply_gradients([(np.array(g), w)])
        equal(w, expected)
    w[0] = 0
    for _ in range(2):
        opt.apply_gradients([(np.ones(2), w)])
    equal(w, [-1, -2])  # the next sum begins anew


# CheckFinite ----------------------------------------------------------------------------------------


def world(row: Row, hook: Any, dtype: str) -> tuple[st.Optimizer, st.Variable, np.ndarray, st.Variable]:
    st.reset_default_store()
    step = st.Variable(np.int64(0), trainable=False, name="step")
    opt = row.make(hooks=[hook])
    return opt, st.Variable(np.ones((4, 2), dtype), name="w"), np.ones(3, dtype), step


def state(opt: st.Optimizer, *parameters: Any) -> list[bytes]:
    arrays = [p.numpy() if isinstance(p, st.Variable) else p for p in parameters]
    return [array.tobytes() for array in (*arrays, *(v.numpy() for v in variables_in_order(opt)))]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("bad", [NAN, INF, -INF], ids=str)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_refused_step_is_left_out_whole_and_counted(row: Row, bad: float, dtype: str):
    rng = np.random.default_rng(0)
    good = [(rng.normal(size=(2, 2)), rng.normal(size=3)) for _ in range(4)]
    spoiled_rows, spoiled = np.ones((2, 2)), np.ones(3)
    spoiled_rows[1, 0] = spoiled[2] = bad

    def train(bad_ones: bool, hook: Any) -> list[bytes]:
        opt, w, a, step = world(row, hook, dtype)
        for rows, dense in good:
            if bad_ones:
                for pair in ((spoiled_rows, dense), (rows, spoiled)):
                    before = state(opt, w, a, step)
                    opt.apply_gradients([(st.IndexedSlices(pair[0], [1, 3]), w), (pair[1], a)], step)
                    assert state(opt, w, a, step) == before
            opt.apply_gradients([(st.IndexedSlices(rows, [1, 3]), w), (dense, a)], step)
        return state(opt, w, a, step)

    skips = st.CheckFinite("skip")
    assert train(True, skips) == train(False, st.CheckFinite())
    assert skips.skipped == 2 * len(good)
    opt, w, a, step = world(row, st.CheckFinite(), dtype)
    for pair in ((spoiled_rows, good[0][1]), (good[0][0], spoiled)):
        before = state(opt, w, a, step)
        with pytest.raises(ValueError, match="must be finite, got a NaN or an infinity in it"):
            opt.apply_gradients([(st.IndexedSlices(pair[0], [1, 3]), w), (pair[1], a)], step)
        assert state(opt, w, a, step) == before


def test_a_skipped_step_advances_no_schedule():
    def train(bad: bool) -> list[float]:
        w, check = np.zeros(1), st.CheckFinite("skip")
        opt = st.GradientDescentOptimizer(st.exponential_decay(1.0, None, 1, 0.5), hooks=[check])
        for _ in range(3):
            if bad:
                opt.apply_gradients([(np.array([NAN]), w)])
            opt.apply_gradients([(np.ones(1), w)])
        return w.tolist()

    assert train(True) == train(False) == [-1.75]


def test_huge_gradients_are_finite():
    for g in (np.float32([3e38] * 50), np.array([1e200, 1e-200]), np.float16([65504] * 9)):
        through(st.CheckFinite(), g)
    with np.errstate(over="ignore"):
        assert np.isinf(st.global_norm([np.full(4, 1.7e308)]))
    with pytest.raises(ValueError, match="must be finite"):
        through(st.CheckFinite(), np.full(4, 1.7e308))  # their norm is beyond float64
