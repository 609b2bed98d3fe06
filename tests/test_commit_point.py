"""A step that is refused has changed nothing: counters are checked first, sums kept, threads wait for each other."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import steepest as st


def frozen(dtype: Any = np.int64) -> st.Variable:
    step = st.Variable(np.zeros((), dtype), trainable=False)
    step._array.flags.writeable = False
    return step


@pytest.mark.parametrize("steps_before", [0, 2], ids=["first", "remembered"])
@pytest.mark.parametrize("make", [lambda: st.MomentumOptimizer(0.5, 0.5), lambda: st.AdamOptimizer(0.5)])
@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            lambda: st.Variable(np.zeros(1, np.int64), trainable=False),
            r"global_step must be a scalar, got shape \(1,\)",
        ),
        (lambda: st.Variable(np.zeros((2, 2)), trainable=False), r"global_step must be a scalar, got shape \(2, 2\)"),
        (frozen, "global_step must be writable, got a read-only int64 scalar"),
        (lambda: frozen(np.float32), "global_step must be writable, got a read-only float32 scalar"),
    ],
)
def test_a_bad_step_is_refused_before_the_update(make: Any, step: Any, message: str, steps_before: int):
    w, opt = np.ones(3), make()
    for _ in range(steps_before):
        opt.apply_gradients([(np.ones(3), w)])
    before = w.copy(), [v.numpy() for v in opt.variables()]
    with pytest.raises(ValueError, match=message):
        opt.apply_gradients([(np.ones(3), w)], global_step=step())
    np.testing.assert_array_equal(w, before[0])
    assert [v.numpy().tolist() for v in opt.variables()] == [v.tolist() for v in before[1]]


@pytest.mark.parametrize("steps_before", [1, 2])
@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: st.AdamOptimizer(0.5), "beta2_power"),
        (lambda: st.AdamOptimizer(0.5, beta1=lambda: 0.9), "beta1_power"),
        (lambda: st.AdagradDecayOptimizer(0.5), "AdagradDecay_step"),
    ],
)
@pytest.mark.parametrize("how", ["read-only", "shape"])
def test_a_bad_counter_is_refused_before_the_update(make: Any, name: str, how: str, steps_before: int):
    w, opt = np.ones(3), make()
    for _ in range(steps_before):
        opt.apply_gradients([(np.ones(3), w)])
    counter = opt._get_non_slot_variable(name)
    if how == "read-only":
        counter._array.flags.writeable = False
    else:
        counter._array = np.ones(2, counter.dtype)
    before = w.copy(), [v.numpy() for v in opt.variables()]
    with pytest.raises(ValueError, match=f"{name} must be (writable|a scalar)"):
        opt.apply_gradients([(np.ones(3), w)])
    np.testing.assert_array_equal(w, before[0])
    assert [v.numpy().tolist() for v in opt.variables()] == [v.tolist() for v in before[1]]


def test_get_slot_never_raises():
    w, opt = np.ones(3), st.AdamOptimizer()
    opt.apply_gradients([(np.ones(3), w)])
    for var in (w, None, 3, "w", [w], {}, np.ones(3), st.Variable(1.0)):
        for name in (["m"], {}, None, 3, np.ones(2), "nothing"):
            assert opt.get_slot(var, name) is None


@pytest.mark.parametrize("steps_before", [0, 2])
def test_a_masked_gradient_is_an_error(steps_before: int):
    w, opt = np.ones((3, 1)), st.GradientDescentOptimizer(0.5)
    for _ in range(steps_before):
        opt.apply_gradients([(np.ones((3, 1)), w)])
    before, masked = w.copy(), np.ma.masked_array(np.ones((3, 1)), [[True], [False], [False]])
    for gradient in (masked, st.IndexedSlices(masked, [0, 1, 2])):
        with pytest.raises(TypeError, match=r"must be without a mask, got masked .*write gradient.filled\(0\)"):
            opt.apply_gradients([(gradient, w)])
    np.testing.assert_array_equal(w, before)
    for clip in (
        lambda g: st.clip_by_value(g, -1, 1),
        lambda g: st.clip_by_norm(g, 1.0),
        lambda g: st.global_norm([g]),
    ):
        with pytest.raises(TypeError, match="without a mask"):
            clip(masked)
    opt.apply_gradients([(masked.filled(0), w)])
    assert (w - before).ravel().tolist() == [0, -0.5, -0.5]


@pytest.mark.parametrize("action", ["raise", "skip"])
@pytest.mark.parametrize("fused", [True, False])
def test_accumulated_sums_survive_a_refused_gradient(action: str, fused: bool):
    accumulate, check = st.Accumulate(3), st.CheckFinite(action)
    hooks = [accumulate, check] if fused else [accumulate, check, lambda pairs: pairs]
    w, opt = np.zeros(1), st.GradientDescentOptimizer(1.0, hooks=hooks)
    for gradient in (1.0, 2.0):
        opt.apply_gradients([(np.array([gradient]), w)])
    for _ in range(2):
        if action == "raise":
            with pytest.raises(ValueError, match="must be finite"):
                opt.apply_gradients([(np.array([np.nan]), w)])
        else:
            opt.apply_gradients([(np.array([np.nan]), w)])
    with pytest.raises(ValueError, match="shape"):
        opt.apply_gradients([(np.ones(2), w)])
    opt.apply_gradients([(np.array([6.0]), w)])
    assert w.tolist() == [-3.0]
    assert check.skipped == (2 if action == "skip" else 0)


@pytest.mark.parametrize("make", [st.GradientDescentOptimizer, st.AdamOptimizer])
def test_use_locking_serialises_the_steps_of_threads(make: Any):
    w = np.zeros(20_000, np.float64)  # long enough for threads to meet in it
    opt = make(1.0, use_locking=True)
    step = st.Variable(np.int64(0), trainable=False)

    def train() -> None:
        for _ in range(100):
            opt.apply_gradients([(ones, w)], global_step=step)

    ones = np.ones(w.shape)
    threads = [threading.Thread(target=train) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert step.value == 400
    alone, other = np.zeros(20_000), make(1.0)
    for _ in range(400):
        other.apply_gradients([(ones, alone)])
    np.testing.assert_array_equal(w, alone)


def test_a_lock_is_held_for_the_whole_step():
    inside, most = [0], [0]

    def hook(pairs: Any) -> Any:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        threading.Event().wait(0.002)
        inside[0] -= 1
        return pairs

    w, opt = np.zeros(1), st.GradientDescentOptimizer(1.0, use_locking=True, hooks=[hook])
    threads = [threading.Thread(target=lambda: opt.apply_gradients([(np.ones(1), w)])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most[0], w[0]) == (1, -8)
