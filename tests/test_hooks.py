"""Hooks between compute and apply."""

from __future__ import annotations

import gc
from collections.abc import Callable

import numpy as np
import pytest

import steepest as st


def moved(hooks: list, gradient, w: np.ndarray, rate: float = 1.0) -> np.ndarray:
    """How far gradient descent moves w under the hooks."""
    before = w.copy()
    st.GradientDescentOptimizer(rate, hooks=hooks).apply_gradients([(gradient, w)])
    return before - w


def test_hooks_run_in_order():
    order = []

    def named(name):
        def hook(pairs):
            order.append(name)
            return pairs

        return hook

    st.GradientDescentOptimizer(1.0, hooks=[named("a"), st.ClipByValue(-1, 1), named("b")]).apply_gradients(
        [(np.ones(1), np.ones(1))]
    )
    assert order == ["a", "b"]


@pytest.mark.parametrize("fused", [True, False])
def test_the_order_of_hooks_matters(fused: bool):
    tail = [] if fused else [lambda pairs: pairs]
    clip_first = moved([st.ClipByValue(-1, 1), st.WeightDecay(0.5), *tail], np.array([5.0]), np.array([4.0]))
    decay_first = moved([st.WeightDecay(0.5), st.ClipByValue(-1, 1), *tail], np.array([5.0]), np.array([4.0]))
    assert clip_first == 1 + 0.5 * 4
    assert decay_first == 1


def test_callables_see_what_earlier_hooks_did():
    seen = []

    def look(pairs):
        seen.append(pairs[0][0].copy())
        return pairs

    moved([st.ClipByNorm(1.0), look], np.array([3.0, 4.0]), np.zeros(2))
    np.testing.assert_allclose(seen[0], [0.6, 0.8])


def test_a_hook_may_change_gradients_and_drop_pairs():
    w, v = np.zeros(2), np.zeros(2)
    opt = st.GradientDescentOptimizer(1.0, hooks=[lambda pairs: [(2 * pairs[0][0], pairs[0][1])]])
    opt.apply_gradients([(np.ones(2), w), (np.ones(2), v)])
    np.testing.assert_array_equal(w, -2)
    np.testing.assert_array_equal(v, 0)


def test_hooks_never_change_the_gradients_they_are_given():
    g, h = np.array([3.0, 4.0]), st.IndexedSlices(np.array([[9.0, 9.0]] * 2), [0, 0])
    opt = st.AdamOptimizer(
        hooks=[st.ClipByGlobalNorm(0.1), st.WeightDecay(0.1), st.GradientNoise(1.0, seed=0), st.ClipByValue(-1, 1)]
    )
    opt.apply_gradients([(g, np.ones(2)), (h, np.ones((1, 2)))])
    np.testing.assert_array_equal(g, [3.0, 4.0])
    np.testing.assert_array_equal(h.values, 9.0)


def test_clips_act_on_the_sum_of_duplicates():
    slices = st.IndexedSlices(np.array([[0.8], [0.8]]), [1, 1])
    np.testing.assert_allclose(moved([st.ClipByValue(-1, 1)], slices, np.zeros((2, 1))), [[0], [1]])
    np.testing.assert_allclose(moved([st.ClipByNorm(1.0)], slices, np.zeros((2, 1))), [[0], [1]])


def test_weight_decay_is_l2_or_decoupled():
    w, g = np.array([2.0, -4.0]), np.array([1.0, 1.0])
    np.testing.assert_allclose(moved([st.WeightDecay(0.1)], g, w.copy(), 0.5), 0.5 * (g + 0.1 * w))
    np.testing.assert_allclose(moved([st.WeightDecay(0.1, True)], g, w.copy(), 0.5), 0.5 * 0.1 * w + 0.5 * g)
    adam = np.array([2.0])
    st.AdamOptimizer(0.01, hooks=[st.WeightDecay(0.1, decoupled=True)]).apply_gradients([(np.zeros(1), adam)])
    assert adam[0] == pytest.approx(2 - 0.01 * 0.1 * 2)  # AdamW: the moments see nothing of it


def test_decoupled_decay_follows_the_schedule():
    rates = iter([0.5, 0.0])
    w = np.ones(1)
    opt = st.GradientDescentOptimizer(lambda: next(rates), hooks=[lambda p: p])
    opt.apply_gradients([(np.ones(1), w)])
    assert w[0] == 0.5
    variable = st.Variable(0.5)
    v, other = np.ones(1), st.GradientDescentOptimizer(variable, hooks=[st.WeightDecay(1.0, decoupled=True)])
    other.apply_gradients([(np.zeros(1), v)])
    variable.assign(np.float32(0.0))
    other.apply_gradients([(np.zeros(1), v)])
    assert v[0] == 0.5


def test_accumulation_is_one_step_on_the_average():
    rng = np.random.default_rng(0)
    gradients = rng.normal(size=(6, 4))
    w, v = np.ones(4), np.ones(4)
    step = st.Variable(np.int64(0), trainable=False)
    slow, plain = st.AdamOptimizer(0.1, hooks=[st.Accumulate(3)]), st.AdamOptimizer(0.1)
    for k, g in enumerate(gradients):
        before = w.copy()
        slow.apply_gradients([(g, w)], step)
        assert (w == before).all() == (k % 3 != 2)
        assert step.value == (k + 1) // 3
        g[...] = 99  # the caller may use its buffer again
    for group in np.random.default_rng(0).normal(size=(6, 4)).reshape(2, 3, 4):
        plain.apply_gradients([(group.mean(axis=0), v)])
    np.testing.assert_allclose(w, v, rtol=1e-12)


def test_accumulation_keeps_slices_sparse_and_mixes_with_dense():
    table, other = np.zeros((1000, 2)), np.zeros((1000, 2))
    opt = st.GradientDescentOptimizer(1.0, hooks=[st.Accumulate(2, average=False)])
    for ids in ([1, 1], [5, 1]):
        opt.apply_gradients([(st.IndexedSlices(np.ones((2, 2)), ids), table)])
    np.testing.assert_array_equal(table[[1, 5], 0], [-3, -1])
    assert np.count_nonzero(table) == 4
    opt.apply_gradients([(st.IndexedSlices(np.ones((1, 2)), [3]), other)])
    opt.apply_gradients([(np.ones((1000, 2)), other)])
    np.testing.assert_array_equal(other[[0, 3], 0], [-1, -2])


class Memory:
    """Memory that outlives its owners, as an allocator's does that hands it out again."""

    kept = np.zeros(3)

    def __init__(self) -> None:
        self.__array_interface__ = {**self.kept.__array_interface__, "version": 3}


def test_what_was_summed_up_for_an_array_is_not_that_of_the_next_at_its_place():
    opt = st.GradientDescentOptimizer(1.0, hooks=[st.Accumulate(2, average=False)])
    first = np.asarray(Memory())
    opt.apply_gradients([(np.full(3, 100.0), first)])
    del first
    gc.collect()
    second = np.asarray(Memory())
    assert opt.state_dict()["parameters"] == []
    opt.apply_gradients([(np.full(3, 1.0), second)])
    np.testing.assert_array_equal(second, -1)


def test_what_was_summed_up_for_a_variable_is_not_that_of_the_next_at_its_place():
    opt = st.GradientDescentOptimizer(1.0, hooks=[st.Accumulate(2, average=False)])
    for _ in range(20):  # a new object is soon where the last one was
        v = st.Variable(np.zeros(3))
        opt.apply_gradients([(np.full(3, 100.0), v)])
        del v
        gc.collect()
        v = st.Variable(np.zeros(3))
        opt.apply_gradients([(np.full(3, 1.0), v)])
        np.testing.assert_array_equal(v, -1)


def test_noise_is_reproducible_and_has_its_size():
    a, b = np.zeros(20_000), np.zeros(20_000)
    for w in (a, b):
        moved([st.GradientNoise(0.5, seed=3)], np.zeros(20_000), w)
    np.testing.assert_array_equal(a, b)
    assert np.std(a) == pytest.approx(0.5, rel=0.05)
    decaying = st.GradientNoise(1.0, decay=2.0, seed=0)
    sizes = [np.std(decaying([(np.zeros(20_000), None)])[0][0]) for _ in range(3)]
    np.testing.assert_allclose(sizes, [1, 1 / 2, 1 / 3], rtol=0.05)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("fused", [True, False])
def test_check_finite_names_the_variable_and_changes_nothing(bad: float, fused: bool):
    w, v = st.Variable(np.zeros(2), name="good"), st.Variable(np.zeros((3, 2)), name="spoilt")
    tail = [] if fused else [lambda pairs: pairs]
    opt = st.AdamOptimizer(hooks=[st.CheckFinite(), *tail])
    slices = st.IndexedSlices(np.array([[1, bad]]), [2])
    with pytest.raises(ValueError, match="gradient of 'spoilt"):
        opt.apply_gradients([(np.ones(2), w), (slices, v)])
    assert (w.value == 0).all()
    assert opt.variables() == []


def test_check_finite_can_skip_the_step():
    w, hook = np.zeros(2), st.CheckFinite("skip")
    opt = st.AdamOptimizer(0.1, hooks=[hook])
    step = st.Variable(np.int64(0), trainable=False)
    for g in (np.ones(2), np.array([1, np.nan]), np.ones(2)):
        opt.apply_gradients([(g, w)], step)
    assert hook.skipped == 1
    assert step.value == 2
    assert float(opt._get_beta_accumulators()[0].value) == pytest.approx(0.9**3)
    np.testing.assert_allclose(w, -0.2, rtol=1e-6)


def test_check_finite_sees_what_earlier_hooks_left():
    w = np.zeros(2)
    st.GradientDescentOptimizer(1.0, hooks=[st.ClipByValue(-1, 1), st.CheckFinite()]).apply_gradients(
        [(np.array([np.inf, -np.inf]), w)]
    )
    np.testing.assert_array_equal(w, [-1, 1])


def test_hooks_say_what_they_are():
    assert repr(st.ClipByValue(-1, 1)) == "ClipByValue(low=-1.0, high=1.0)"
    assert repr(st.WeightDecay(0.1)) == "WeightDecay(rate=0.1, decoupled=False)"
    assert repr(st.Accumulate(4)) == "Accumulate(steps=4, average=True)"
    assert repr(st.GradientNoise(0.1)) == "GradientNoise(stddev=0.1, decay=0.0)"


def by_hand() -> dict[str, Callable]:
    hooks = [
        st.ClipByValue(-1, 1),
        st.ClipByNorm(1.0),
        st.ClipByGlobalNorm(1.0),
        st.WeightDecay(0.1),
        st.CheckFinite(),
        st.Accumulate(2),
        st.GradientNoise(0.1),
    ]
    return {type(hook).__name__: hook for hook in hooks}


@pytest.mark.parametrize("name", by_hand())
def test_a_hook_that_is_called_by_hand_names_what_is_wrong(name: str):
    hook, good = by_hand()[name], (np.ones(2), np.ones(2))
    for pairs in (5, None, "ab", b"ab", np.ones(2), st.Variable(1.0), object()):
        with pytest.raises(TypeError, match=rf"{name}: pairs must be an iterable of \(gradient, variable\) pairs, got"):
            hook(pairs)
    for pair in (5, None, (1,), (1, 2, 3), "ab"):
        with pytest.raises(ValueError, match=rf"{name}: pairs\[1\] must be a \(gradient, variable\) pair, got"):
            hook([good, pair])
    for gradient in ("ab", object(), 1j, [None], np.array(["a"])):
        with pytest.raises(TypeError, match=rf"{name}: pairs\[1\]\[0\] must be real numbers, got dtype"):
            hook([good, (gradient, np.ones(2))])
    assert [v is good[1] for _, v in hook([good])] == [v is good[1] for _, v in hook((good,))] == [True]
    assert hook([]) == []


def test_weight_decay_by_hand_needs_variables():
    with pytest.raises(TypeError, match="WeightDecay: variable must be a Variable or an array, got 5"):
        st.WeightDecay(0.1)([(np.ones(2), 5)])
