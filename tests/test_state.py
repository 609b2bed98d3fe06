"""Slots and their names, Adam's powers, arrays known by their memory, and taking state elsewhere."""

from __future__ import annotations

import gc
import mmap

import numpy as np
import pytest
from catalogue import ROWS, Row
from reference import RULES

import steepest as st


def test_slots_are_named_as_tensorflow_names_them():
    w = st.Variable(np.ones(2), name="w")
    pairs = [(np.ones(2), w)]
    first, second = st.AdamOptimizer(), st.AdamOptimizer()
    for opt in (first, second, st.AdagradDecayOptimizer(0.1)):
        opt.apply_gradients(pairs)
    assert first.get_slot(w, "m").name == "w/Adam"
    assert first.get_slot(w, "v").name == "w/Adam_1"
    assert second.get_slot(w, "m").name == "w/Adam_2"
    assert [v.name for v in first.variables()] == ["beta1_power", "beta2_power", "w/Adam", "w/Adam_1"]
    with st.variable_scope("OptimizeLoss"):
        scoped = st.AdagradDecayOptimizer(0.1, name="Other")
        scoped.apply_gradients(pairs)
    assert scoped.get_slot(w, "accumulator").name == "OptimizeLoss/w/Other"
    assert scoped.get_slot(w, "accumulator_decay_power").name == "OptimizeLoss/w/Other_1"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_slots_have_tensorflows_names_and_initial_values(row: Row):
    w, opt = st.Variable(np.ones((3, 2), np.float32)), row.make()
    assert opt.get_slot_names() == []
    assert opt.get_slot(w, next(iter(row.slots), "m")) is None
    opt.apply_gradients([(np.zeros((3, 2)), w)])
    assert opt.get_slot_names() == sorted([*row.slots, *row.row_slots, *row.row_counters, *row.parameter_slots])
    # What the formula makes of the initial values; many rules leave them alone where the gradient is zero.
    expected = row.new_slots(np.ones((3, 2), np.float32), w.dtype)
    RULES[row.rule](row.hyper, 0, np.ones((3, 2), np.float32), np.zeros((3, 2), np.float32), expected)
    for name in row.slots:
        slot = opt.get_slot(w, name)
        assert (slot.shape, slot.dtype, slot.trainable) == (w.shape, w.dtype, False)
        np.testing.assert_array_equal(slot.value, expected[name])
    for name in row.row_slots:
        assert (opt.get_slot(w, name).shape, opt.get_slot(w, name).dtype) == ((3,), w.dtype)
        np.testing.assert_array_equal(opt.get_slot(w, name).value, expected[name])
    for name in row.row_counters:
        assert (opt.get_slot(w, name).shape, opt.get_slot(w, name).dtype) == ((3,), np.int64)
        np.testing.assert_array_equal(opt.get_slot(w, name).value, expected[name])
    assert opt.get_slot(w, "unheard-of") is None
    assert opt.get_slot(np.ones(3), next(iter(row.slots), "m")) is None
    assert opt.get_slot("w", "m") is None


def test_a_variable_without_a_gradient_gets_no_slots():
    w, v = st.Variable(np.ones(2)), st.Variable(np.ones(2))
    opt = st.MomentumOptimizer(0.1, 0.9)
    opt.apply_gradients([(None, w), (np.ones(2), v)])
    assert opt.get_slot(w, "momentum") is None
    assert opt.get_slot(v, "momentum") is not None
    assert (w.value == 1).all()


def test_powers_advance_once_for_each_call_whatever_is_in_it():
    w, v = st.Variable(np.ones(2)), st.Variable(np.ones(3))
    opt = st.AdamOptimizer(0.1)
    for _ in range(3):
        opt.apply_gradients([(np.ones(2), w), (np.ones(2), w)])
    beta1, beta2 = opt._get_beta_accumulators()
    assert float(beta1.value) == pytest.approx(0.9**4)
    assert float(beta2.value) == pytest.approx(0.999**4)
    opt.apply_gradients([(np.ones(3), v)])  # as TensorFlow: the correction of the fourth step, not of the first
    np.testing.assert_allclose(1 - v.value, 0.0581, atol=1e-4)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_state_taken_to_another_optimizer_goes_on_with_the_same_bits(row: Row):
    rng = np.random.default_rng(0)
    gradients = rng.normal(size=(8, 5, 3))
    w, v = st.Variable(np.ones((5, 3)), name="w"), st.Variable(np.ones((5, 3)), name="w2")
    opt, other = row.make(), row.make()
    for g in gradients[:4]:
        opt.apply_gradients([(g, w)])
    saved = w.numpy(), [variable.numpy() for variable in opt.variables()]
    for g in gradients[4:]:
        opt.apply_gradients([(g, w)])
    other.apply_gradients([(np.zeros((5, 3)), v)])  # makes the slots
    v.assign(saved[0])
    for variable, value in zip(other.variables(), saved[1], strict=True):
        variable.assign(value)
    for g in gradients[4:]:
        other.apply_gradients([(g, v)])
    np.testing.assert_array_equal(w.value, v.value)
    for ours, theirs in zip(opt.variables(), other.variables(), strict=True):
        np.testing.assert_array_equal(ours.value, theirs.value)


def test_a_fresh_view_of_the_same_memory_is_the_same_parameter():
    memory = np.ones((6, 4), np.float32)
    opt = st.MomentumOptimizer(0.1, 0.9)
    for _ in range(3):
        opt.apply_gradients([(np.ones((3, 4)), memory[::2])])
    assert opt.get_slot(memory[::2], "momentum").value[0, 0] == pytest.approx(1 + 0.9 + 0.81)
    assert len(opt.variables()) == 1
    assert opt.get_slot(memory, "momentum") is None
    assert opt.get_slot(memory[::2].view(np.int32), "momentum") is None
    assert opt.get_slot(memory[1::2], "momentum") is None


@pytest.mark.filterwarnings("ignore::steepest.StateWarning")
def test_state_goes_when_the_array_does_and_never_to_another():
    opt = st.MomentumOptimizer(0.1, 0.9)
    for k in range(200):
        w = np.ones(100)  # NumPy hands out the same memory again and again
        opt.apply_gradients([(np.ones(100), w[:])])
        np.testing.assert_allclose(w, 0.9)
        assert len(opt.variables()) == 1, k
        del w
    gc.collect()
    assert opt.variables() == []


def test_state_goes_when_the_variable_does():
    opt, w = st.AdagradOptimizer(0.1), st.Variable(np.ones(3))
    opt.apply_gradients([(np.ones(3), w)])
    del w
    gc.collect()
    assert opt.variables() == []


def test_an_optimizer_does_not_keep_an_array_alive():
    import weakref

    w, opt = np.ones(3), st.AdamOptimizer()
    opt.apply_gradients([(np.ones(3), w)])
    alive = weakref.ref(w)
    del w
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("buffer", [bytearray(24), mmap.mmap(-1, 24)], ids=["bytearray", "mmap"])
def test_arrays_over_other_memory_are_known_too(buffer):
    opt = st.MomentumOptimizer(0.1, 0.9)
    for _ in range(2):
        opt.apply_gradients([(np.ones(3), np.frombuffer(buffer, np.float64))])
    w = np.frombuffer(buffer, np.float64)
    np.testing.assert_allclose(w, -0.1 - 0.19)
    assert len(opt.variables()) == 1
    del w


def test_an_array_that_an_optimizer_knows_cannot_be_resized_under_it():
    opt, w = st.MomentumOptimizer(0.1, 0.9), np.ones(3)
    opt.apply_gradients([(np.ones(3), w)])
    with pytest.raises(ValueError, match="cannot resize"):
        w.resize(5, refcheck=False)
    opt.apply_gradients([(np.ones(3), w)])
    assert opt.get_slot(w, "momentum").value[0] == 1.9


def test_two_optimizers_keep_their_state_apart():
    w = np.ones(2)
    a, b = st.MomentumOptimizer(0.1, 0.9), st.MomentumOptimizer(0.1, 0.9)
    a.apply_gradients([(np.ones(2), w)])
    assert b.get_slot(w, "momentum") is None
    assert a.get_slot(w, "momentum") is not b.get_slot(w, "momentum")
    assert repr(a) == "MomentumOptimizer(learning_rate=0.1, momentum=0.9)"
    assert a.get_name() == "Momentum"


@pytest.mark.parametrize("again", [False, True])
def test_sums_that_wait_end_with_their_update(again: bool):
    def step(opt: st.Optimizer, *pairs: tuple[float, st.Variable]) -> None:
        opt.apply_gradients([(np.array([gradient]), w) for gradient, w in pairs])

    def new() -> st.Optimizer:
        return st.GradientDescentOptimizer(1.0, hooks=[st.Accumulate(2, average=False)])

    a, b, opt = st.Variable([0.0], name="a"), st.Variable([0.0], name="b"), new()
    step(opt, (1.0, a), (2.0, b))
    resumed = new()
    resumed.load_state_dict(opt.state_dict())
    step(resumed, (1.0, a))  # an update, of which b is no part
    if again:  # saved while b still waits
        state, resumed = resumed.state_dict(), new()
        resumed.load_state_dict(state)
    step(resumed, (4.0, b))
    step(resumed, (8.0, b))
    assert (a.numpy().item(), b.numpy().item()) == (-2, -12)
