"""Adam with powers of beta for each variable, and DeepRec's RMSProp for sparse gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest as st
import steepest.v1 as tf

RNG = np.random.default_rng
HYPER = {"learning_rate": 0.1, "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-3}


def slices(seed: int, rows: int = 5) -> st.IndexedSlices:
    rng = RNG(seed)
    return st.IndexedSlices(rng.normal(size=(4, 3)), rng.integers(0, rows, 4))


def test_each_variable_counts_its_own_steps():
    opt, alone = st.AdamAsyncOptimizer(**HYPER), [st.LazyAdamOptimizer(**HYPER) for _ in range(3)]
    together, expected = [np.ones((5, 3)) for _ in range(3)], [np.ones((5, 3)) for _ in range(3)]
    for step in range(6):
        chosen = [k for k in range(3) if step % (k + 1) == 0]
        opt.apply_gradients([(slices(10 * step + k), together[k]) for k in chosen])
        for k in chosen:
            alone[k].apply_gradients([(slices(10 * step + k), expected[k])])
    np.testing.assert_array_equal(together, expected)
    assert opt.get_slot(together[2], "beta1_power").value == pytest.approx(0.8**3)


def test_a_variable_that_comes_twice_takes_two_steps():
    opt, other = st.AdamAsyncOptimizer(**HYPER), st.LazyAdamOptimizer(**HYPER)
    w, v = np.ones((5, 3)), np.ones((5, 3))
    opt.apply_gradients([(slices(0), w), (slices(1), w)])
    for seed in range(2):
        other.apply_gradients([(slices(seed), v)])
    np.testing.assert_array_equal(w, v)


def test_sparse_gradients_by_rmsprop_do_not_count():
    opt = st.AdamAsyncOptimizer(**HYPER, apply_sparse_rmsprop=True)
    w, expected = np.ones((5, 3)), np.ones((5, 3))
    m, v = np.zeros((5, 3)), np.zeros((5, 3))
    for seed in range(4):
        g = slices(seed)
        opt.apply_gradients([(g, w)])
        for row in set(g.indices.tolist()):
            total = g.values[g.indices == row].sum(0)
            v[row] = v[row] * 0.95 + total**2 * 0.05
            m[row] = m[row] * 0.8 + 0.1 * total / np.sqrt(v[row] + 1e-3)
            expected[row] -= m[row]
    np.testing.assert_allclose(w, expected, rtol=1e-12)
    np.testing.assert_allclose(opt.get_slot(w, "m").value, m, rtol=1e-12)
    np.testing.assert_allclose(opt.get_slot(w, "v").value, v, rtol=1e-12)
    assert opt.get_slot(w, "beta1_power").value == 0.8
    opt.apply_gradients([(np.ones((5, 3)), w)])  # a dense gradient counts
    assert opt.get_slot(w, "beta1_power").value == 0.8 * 0.8


def test_hooks_see_all_gradients_although_variables_are_at_different_steps():
    clipped, plain = st.AdamAsyncOptimizer(**HYPER, hooks=[st.ClipByGlobalNorm(0.5)]), st.AdamAsyncOptimizer(**HYPER)
    a, b, c, d = (np.ones(3) for _ in range(4))
    for gradients in ([np.full(3, 0.1)], [np.full(3, 3.0), np.full(3, 4.0)]):
        clipped.apply_gradients(zip(gradients, (a, b), strict=False))
        plain.apply_gradients(zip(st.clip_by_global_norm(gradients, 0.5)[0], (c, d), strict=False))
    np.testing.assert_allclose([a, b], [c, d], rtol=1e-12)


def test_nothing_changes_on_a_bad_row():
    opt, a, b = st.AdamAsyncOptimizer(**HYPER), np.ones((5, 3)), np.ones((5, 3))
    opt.apply_gradients([(slices(0), a)])
    before = a.copy(), opt.get_slot(a, "beta1_power").value.copy()
    with pytest.raises(IndexError):
        opt.apply_gradients([(slices(1), a), (st.IndexedSlices(np.ones((1, 3)), [5]), b)])
    np.testing.assert_array_equal(a, before[0])
    assert opt.get_slot(a, "beta1_power").value == before[1]
    assert opt.get_slot(b, "m") is None
    np.testing.assert_array_equal(b, 1)


@pytest.mark.parametrize("rmsprop", [False, True])
def test_state_goes_to_another_optimizer(rmsprop: bool):
    opt, w, v = st.AdamAsyncOptimizer(**HYPER, apply_sparse_rmsprop=rmsprop), np.ones((5, 3)), np.ones((5, 3))
    for seed in range(2):
        opt.apply_gradients([(slices(seed), w)])
    other = st.AdamAsyncOptimizer(**HYPER)
    v[...] = w
    other.load_state_dict(opt.state_dict())
    for seed in range(2, 4):
        opt.apply_gradients([(slices(seed), w)])
        other.apply_gradients([(slices(seed), v)])
    np.testing.assert_array_equal(w, v)


def test_graph_mode_counts_for_each_variable_too():
    a, b = np.ones(3), np.ones(3)
    eager = st.AdamAsyncOptimizer(0.1)
    for pairs in ([(a * 0 + 2, a)], [(a * 0 + 2, a), (b * 0 + 3, b)]):
        eager.apply_gradients(pairs)
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.Variable(np.ones(3), name="x"), tf.Variable(np.ones(3), name="y")
        opt = tf.train.AdamAsyncOptimizer(0.1)
        first = opt.apply_gradients([(tf.constant(np.full(3, 2.0)), x)])
        both = opt.apply_gradients([(tf.constant(np.full(3, 2.0)), x), (tf.constant(np.full(3, 3.0)), y)])
        session.run(tf.global_variables_initializer())
        session.run(first)
        session.run(both)
        got = session.run([x, y])
    np.testing.assert_array_equal(got, [a, b])


@pytest.mark.parametrize("hook", [lambda: st.ClipByGlobalNorm(1.0), lambda: st.ClipByNorm(1.0), st.CheckFinite])
def test_hooks_of_a_group_work_on_all_of_its_parameters_whatever_their_powers(hook):
    def trained(grouped: bool) -> list[Any]:
        old, new, other = np.zeros(3), np.zeros(4), np.zeros(2)
        opt = st.AdamAsyncOptimizer(0.1, epsilon=1.0, hooks=[hook()])
        rest = st.GradientDescentOptimizer(0.1)
        both = st.MultiOptimizer([(opt, [old, new]), (rest, [other])])
        pairs = [(np.full(4, 2.0), new), (np.full(2, 9.0), other), (np.full(3, 3.0), old)]
        opt.apply_gradients([(np.ones(3), old)])  # now its powers are others than those of the new one
        if grouped:
            both.apply_gradients(pairs)
        else:
            opt.apply_gradients([pairs[0], pairs[2]])
            rest.apply_gradients([pairs[1]])
        measured = getattr(opt.hooks[0], "last_norms", getattr(opt.hooks[0], "last_norm", None))
        return [array.tolist() for array in (old, new, other)] + [np.array(measured).tolist()]

    assert trained(True) == trained(False)
