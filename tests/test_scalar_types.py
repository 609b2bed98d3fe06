"""A Python number beside a scalar takes the scalar's type, with NumPy 1.26 too, which by itself would widen it."""

import numpy as np
import pytest

import steepest as st

OPERATORS = {
    "x ** 3": lambda x: x**3,
    "x ** 2": lambda x: x**2,
    "2 ** x": lambda x: 2**x,
    "x // 2": lambda x: x // 2,
    "7 // x": lambda x: 7 // x,
    "x % 2": lambda x: x % 2,
    "x * 2": lambda x: x * 2,
    "1 - x": lambda x: 1 - x,
}


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_keep_the_type_of_a_scalar(name, dtype):
    function = OPERATORS[name]
    found = np.asarray(function(st.Variable(dtype(3))))
    assert found.dtype == dtype
    assert found == function(3)


@pytest.mark.parametrize("power", [3, 4.0, 0.5])
def test_slopes_of_powers_are_of_the_scalars_type(power):
    x = st.Variable(np.float32(2.0))
    with st.GradientTape(persistent=True) as tape:
        y = x**power
        (slope,) = tape.gradient(y, [x])
    assert np.asarray(y).dtype == np.asarray(slope).dtype == np.float32
    np.testing.assert_allclose(
        np.asarray(tape.gradient(slope, [x])[0]), power * (power - 1) * 2.0 ** (power - 2), rtol=1e-6
    )
