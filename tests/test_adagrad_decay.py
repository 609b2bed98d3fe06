"""AdagradDecay's numbers, from DeepRec's own unit tests and from its formula by hand."""

from __future__ import annotations

import numpy as np
import pytest

import steepest as st


def decay(rate: float, period: int, factor: float, floor: float, **more) -> st.AdagradDecayOptimizer:
    return st.AdagradDecayOptimizer(rate, None, floor, period, factor, **more)


def run(opt, w, gradients, ids=None):
    """The first element of w and of the accumulator after each step."""
    seen = []
    for g in gradients:
        gradient = g if ids is None else st.IndexedSlices(g, ids)
        opt.apply_gradients([(gradient, w)])
        row = 0 if ids is None else ids[0]
        seen.append((w[row].flat[0], opt.get_slot(w, "accumulator").value[row].flat[0]))
    return np.array(seen)


def test_basic():
    w, v = np.array([1.0, 2]), np.array([3.0, 4])
    seen = run(decay(1, 3, 0.9, 0.1), w, [np.full(2, 0.1)] * 4)
    np.testing.assert_allclose(
        seen[:, 0], [0.698488655422, 0.409813520827, 0.118702265958, -0.160806231230], atol=1e-12
    )
    np.testing.assert_allclose(seen[:, 1], [0.11, 0.12, 0.118, 0.128], atol=1e-15)
    seen = run(decay(1, 3, 0.9, 0.1), v, [np.full(2, 0.2)] * 4)
    np.testing.assert_allclose(seen[:, 0], [2.465477516175, 1.994072995384, 1.549078835894, 1.142521021803], atol=1e-12)


def test_sparse_rows_have_the_same_numbers_and_leave_the_others():
    w = np.array([[1.0], [2.0]])
    seen = run(decay(1, 3, 0.9, 0.1), w, [np.full((1, 1), 0.1)] * 4, ids=[0])
    np.testing.assert_allclose(seen[-1, 0], -0.160806231230, atol=1e-12)
    assert w[1] == 2


def test_the_floor_is_the_initial_value():
    seen = run(decay(1, 3, 0.6, 1), np.array([1.0, 2]), [np.full(2, 0.1)] * 4)
    np.testing.assert_allclose(seen[:, 1], [1.01, 1.02, 1.01, 1.02], atol=1e-15)
    assert seen[-1, 0] == pytest.approx(0.602963053363, abs=1e-12)


def test_repeated_indices_are_one_visit():
    twice, once = np.full((2, 1), 2.0), np.full((2, 1), 2.0)
    a = run(decay(3, 2, 0.9, 0.1), twice, [np.full((2, 1), 0.1)] * 3, ids=[1, 1])
    b = run(decay(3, 2, 0.9, 0.1), once, [np.full((1, 1), 0.2)] * 3, ids=[1])
    np.testing.assert_array_equal(a, b)
    np.testing.assert_allclose(a[:, 0], [0.396432548525, -1.076209532496, -2.398167480214], atol=1e-12)
    np.testing.assert_allclose(a[:, 1], [0.14, 0.166, 0.206], atol=1e-15)


@pytest.mark.parametrize("catch_up", [False, True])
def test_a_row_that_slept(catch_up: bool):
    w, opt = np.ones((2, 2)), decay(1, 2, 0.5, 0.1, catch_up=catch_up)
    seen = {}
    for step in range(1, 13):
        ids = [0, 1] if step in (1, 8, 9, 10, 11, 12) else [0]
        opt.apply_gradients([(st.IndexedSlices(np.array([[1, -0.5]] * len(ids)), ids), w)])
        counts = opt.get_slot(w, "accumulator_decay_power").value
        seen[step] = (opt.get_slot(w, "accumulator").value[1].copy(), int(counts[1]))
    assert counts[0] == 6
    np.testing.assert_allclose(w[0], [-6.519697888588, 8.328360832185], atol=1e-12)
    if catch_up:
        np.testing.assert_allclose(seen[8][0], [1.1, 0.35])
        assert seen[8][1] == 4
        np.testing.assert_allclose(seen[12][0], [2.525, 0.65])
        np.testing.assert_allclose(w[1], [-3.497336143445, 5.189196263609], atol=1e-12)
    else:
        assert [seen[step][1] for step in (1, 8, 9, 10, 11, 12)] == [0, 1, 2, 3, 4, 5]
        np.testing.assert_allclose(seen[8][0], [1.55, 0.425])
        np.testing.assert_allclose(seen[12][0], [1.971875, 0.4953125])
        np.testing.assert_allclose(w[1], [-3.664540013881, 5.492359279400], atol=1e-12)


def test_a_jump_of_the_global_step_is_caught_up_one_period_a_visit():
    step = st.Variable(np.int64(9), trainable=False)  # the stored step is one behind the formula's
    w, opt = np.zeros(1), st.AdagradDecayOptimizer(1.0, step, 0.1, 3, 0.5)
    accumulators, counts = [], []
    for k in range(6):
        if k == 0:  # the accumulator of the recorded run starts at 8
            probe = np.zeros(1)
            opt.apply_gradients([(np.zeros(1), probe)])
            opt.get_slot(probe, "accumulator").assign(np.array([8.0]))
            opt.get_slot(probe, "accumulator_decay_power").assign(np.array([0]))
            w = probe
        opt.apply_gradients([(np.zeros(1), w)], step)
        accumulators.append(float(opt.get_slot(w, "accumulator").value[0]))
        counts.append(int(opt.get_slot(w, "accumulator_decay_power").value[0]))
    assert accumulators == [4, 2, 1, 0.5, 0.5, 0.25]
    assert counts == [1, 2, 3, 4, 4, 5]


def test_a_period_of_one_decays_at_every_step_the_first_included():
    seen = run(decay(1, 1, 0.9, 0.1), np.ones(1), [np.ones(1)] * 3)
    np.testing.assert_allclose(seen[:, 1], [1.1, 1.99, 2.791])


def test_catching_up_is_the_closed_form():
    for asleep in (1, 2, 5, 40):
        step = st.Variable(np.int64(0), trainable=False)
        opt = st.AdagradDecayOptimizer(1.0, step, 0.1, 1, 0.9, catch_up=True)
        w = np.zeros((1, 2))
        opt.apply_gradients([(np.full((1, 2), 3.0), w)])
        before = opt.get_slot(w, "accumulator").numpy()
        step.assign(np.int64(asleep))
        opt.apply_gradients([(np.zeros((1, 2)), w)])
        np.testing.assert_allclose(opt.get_slot(w, "accumulator").value, np.maximum(before * 0.9**asleep, 0.1))
        assert opt.get_slot(w, "accumulator_decay_power").value[0] == asleep + 1


@pytest.mark.parametrize("shape", [(), (4,), (4, 3)], ids=str)
def test_counters_come_back_from_either_layout(shape):
    w, opt = np.ones(shape), decay(0.1, 1, 0.9, 0.1)
    for _ in range(3):
        opt.apply_gradients([(np.ones(shape), w)])
    counts = opt.get_slot(w, "accumulator_decay_power").numpy()
    exported = opt.export_slot(w)
    assert exported.shape == shape
    for layout in (exported, counts):
        opt.get_slot(w, "accumulator_decay_power").assign(np.zeros_like(counts))
        opt.import_slot(w, layout)
        np.testing.assert_array_equal(opt.get_slot(w, "accumulator_decay_power").value, counts)
    with pytest.raises(ValueError, match="must have shape"):
        opt.import_slot(w, np.zeros((9, 9), np.int64))
    assert opt.export_slot(w, "unheard-of") is None
