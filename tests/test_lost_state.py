"""State that would be lost says so: once, and only where it is lost."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import steepest as st


def told(run: Any) -> list[Any]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run()
    return [warning for warning in caught if issubclass(warning.category, st.StateWarning)]


def fresh_each_step(opt: Any, steps: int = 6, **more: Any) -> None:
    w = np.ones((3, 2), np.float32)
    for _ in range(steps):
        w = w * np.float32(1)
        opt.apply_gradients([(np.ones((3, 2)), w)])


@pytest.mark.parametrize("make", [st.AdamOptimizer, lambda: st.MomentumOptimizer(0.1, 0.9, use_locking=True)])
def test_a_new_array_at_each_step_is_told_once(make: Any):
    opt = make()
    [warning] = told(lambda: fresh_each_step(opt))
    assert warning.filename == __file__  # where the user calls
    assert str(warning.message).startswith("apply_gradients: variable must be the same array at each step")
    assert "a new float32 array of shape (3, 2) in the place of one that is gone" in str(warning.message)
    assert told(lambda: fresh_each_step(opt)) == []
    assert len(told(lambda: fresh_each_step(make()))) == 1  # another optimizer


def test_views_of_memory_whose_owner_is_made_anew_are_told():
    memory = bytearray(16)

    class Tensor:  # as torch's: each export of the same memory has an owner of its own
        def __init__(self) -> None:
            self.__array_interface__ = np.frombuffer(memory).__array_interface__

    opt = st.AdamOptimizer()
    assert len(told(lambda: [opt.apply_gradients([(np.ones(2), np.asarray(Tensor()))]) for _ in range(5)])) == 1


def test_one_replaced_array_among_others_is_told_at_the_third_time():
    opt, kept = st.AdamOptimizer(), np.ones(4)

    def step() -> None:
        opt.apply_gradients([(np.ones(4), kept), (np.ones(3), np.ones(3))])

    assert [len(told(step)) for _ in range(6)] == [0, 0, 0, 1, 0, 0]


def test_no_state_no_warning():
    assert told(lambda: fresh_each_step(st.GradientDescentOptimizer(0.1))) == []
    w, views = np.ones(4), st.AdamOptimizer()
    assert told(lambda: [views.apply_gradients([(np.ones(2), w[:2])]) for _ in range(5)]) == []


def test_other_arrays_beside_the_old_ones_are_no_loss():
    opt, kept = st.AdamOptimizer(), [np.ones(3) for _ in range(6)]
    assert told(lambda: [opt.apply_gradients([(np.ones(3), w)]) for w in kept]) == []
    arrays = [np.ones(n) for n in (1, 2, 3)]

    def shrink() -> None:  # parameters that go one by one
        other = st.AdamOptimizer()
        while arrays:
            other.apply_gradients([(np.ones(w.size), w) for w in arrays])
            arrays.pop()

    assert told(shrink) == []


def test_as_an_error_it_changes_nothing():
    opt, w = st.AdamOptimizer(), np.ones(2)
    opt.apply_gradients([(np.ones(2), w)])
    powers = [v.numpy() for v in opt.variables() if "power" in v.name]
    w = w * 1.0
    before = w.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error", st.StateWarning)
        with pytest.raises(st.StateWarning):
            opt.apply_gradients([(np.ones(2), w)])
    np.testing.assert_array_equal(w, before)
    assert [v.numpy() for v in opt.variables()] == powers
    opt.apply_gradients([(np.ones(2), w)])
