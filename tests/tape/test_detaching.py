"""Nothing detaches silently: what would drop the gradient of a recorded value is an error."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steepest as st

CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "int": int,
    "complex": complex,
    "math.exp": math.exp,
    "math.floor": math.floor,
    "math.fsum": lambda x: math.fsum([x, 1.0]),
    "percent": lambda x: "%f" % x,  # noqa: UP031
    "np.float32": np.float32,
    "np.float64": np.float64,
    "np.int64": np.int64,
    "np.array": lambda x: np.array([x, x]),
    "np.full": lambda x: np.full(2, x),
    "slice": lambda x: np.zeros(2).__setitem__(slice(None), x),
    "generator": lambda x: np.random.default_rng(0).normal(x, 1.0),
}
ASSIGNMENTS: dict[str, Callable[[Any], Any]] = {
    "element": lambda x: np.zeros(2).__setitem__(0, x),
    "fill": lambda x: np.zeros(2).fill(x),
    "fromiter": lambda x: np.fromiter([x], np.float64),
}


@pytest.mark.parametrize("recorded", ["tensor", "variable"])
@pytest.mark.parametrize("name", CONVERSIONS)
def test_a_conversion_of_a_recorded_value_is_a_type_error(name: str, recorded: str):
    w = st.Variable(np.float64(2.0))
    with st.GradientTape(), pytest.raises(TypeError, match=r"must not be recorded, its gradient would be lost.*stop_"):
        CONVERSIONS[name](w * w if recorded == "tensor" else w)
    CONVERSIONS[name](w * w)  # without a tape there is nothing to lose
    with st.GradientTape():
        CONVERSIONS[name](st.stop_gradient(w * w))


@pytest.mark.parametrize("name", ASSIGNMENTS)
@pytest.mark.parametrize("recorded", ["tensor", "variable"])
def test_assignment_to_an_element_is_a_type_error_with_the_way_out(name: str, recorded: str):
    w = st.Variable(np.float64(2.0))
    with st.GradientTape(), pytest.raises(TypeError, match=r"np\.stack or .* of assignment"):
        ASSIGNMENTS[name](w * w if recorded == "tensor" else w)


def test_a_tensor_is_read_as_a_sequence_is_though_it_is_none():
    x = st.constant([1.0, 2.0, 4.0])
    first, *rest = x
    assert [float(v) for v in (first, *rest)] == [1, 2, 4]
    assert [float(v) for v in x] == [1, 2, 4]
    assert [float(v) for v in reversed(x)] == [4, 2, 1]
    assert (2.0 in x, 3.0 in x, len(x)) == (True, False, 3)
    assert operator.getitem(x, -1) == 4
    assert x[1:].tolist() == [2, 4]


def test_assignment_through_flat_is_an_error_too():
    w = st.Variable(np.float64(2.0))
    with st.GradientTape(), pytest.raises(ValueError, match="single item"):  # NumPy drops the cause here
        np.zeros(2).flat[0] = w * w


def test_a_loss_that_collects_elements_does_not_step_by_a_wrong_gradient():
    w, opt = st.Variable(np.array([1.0, 2.0])), st.GradientDescentOptimizer(0.25)

    def loss() -> Any:
        a = np.zeros(2)
        for i in range(2):
            a[i] = w[i] ** 2  # the gradient of w[i] would be lost
        return np.sum(a) + np.sum(w)

    with pytest.raises(TypeError, match="must not be recorded"):
        opt.minimize(loss)
    np.testing.assert_array_equal(w.value, [1.0, 2.0])
    opt.minimize(lambda: np.sum(np.stack([w[i] ** 2 for i in range(2)])) + np.sum(w))
    np.testing.assert_array_equal(w.value, [0.25, 0.75])


def test_explicit_ways_and_control_flow_stay():
    w = st.Variable(np.array([1.0, 2.0]))
    with st.GradientTape() as tape:
        x = w * w
        assert x.numpy().tolist() == x.tolist() == [1.0, 4.0]
        assert x[1].item() == 4.0
        assert f"{x[1]:.1f}" == "4.0"
        y = x[0] if x[1] > x[0] else x[1]
        assert bool(y)
        assert max(x[0], x[1]) is not None
    assert tape.gradient(y, w).tolist() == [2.0, 0.0]
    assert float(y) == 1.0  # the tape is closed


def test_what_no_tape_follows_converts_under_a_tape():
    step = st.Variable(np.int64(3), trainable=False)
    with st.GradientTape():
        assert float(step) == int(step) == complex(st.constant(3.0)) == 3
        assert range(5)[step] == 3
