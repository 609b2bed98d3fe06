"""Every rule, type, size and alignment against the formula in NumPy: the same bits, and near the exact value."""

from __future__ import annotations

import numpy as np
import pytest
from catalogue import DTYPES, ROWS, Row, compute_dtype, misaligned
from reference import RULES
from tolerance import ULP, ulps

# Nothing, one element, up to two packets and a bit, blocks with one element less and more, several threads.
SIZES = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 1000, 40_001]
STEPS = 7  # RAdam's first five are another formula


def gradients(shape: tuple[int, ...], dtype: np.dtype, steps: int = STEPS) -> list[np.ndarray]:
    rng = np.random.default_rng([len(shape), *shape])
    return [rng.normal(size=shape).astype(dtype) for _ in range(steps)]


def start(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    return np.random.default_rng(9).normal(size=shape).astype(dtype)


def narrow_steps(row: Row, w: np.ndarray, steps: list[np.ndarray]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The reference in the type of the arithmetic, the parameter rounded to its own after each step."""
    wide = compute_dtype(w.dtype)
    slots = row.new_slots(w, wide)
    for t, g in enumerate(steps):
        value = w.astype(wide)
        RULES[row.rule](row.hyper, t, value, g.astype(wide), slots)
        w = value.astype(w.dtype)
    return w, slots


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_bits_are_those_of_the_formula_in_numpy(row: Row, dtype: np.dtype):
    for size in SIZES:
        for shift in (0, 1, 3) if size < 200 else (1,):
            steps = gradients((size,), dtype)
            expected, slots = narrow_steps(row, start((size,), dtype), steps)
            w = misaligned(start((size,), dtype), shift)
            opt = row.make()
            for k, g in enumerate(steps):
                opt.apply_gradients([(misaligned(g, (shift + k) % 4), w)])
            np.testing.assert_array_equal(w, expected, err_msg=f"{size} elements, shifted by {shift}")
            for name, slot in slots.items():
                np.testing.assert_array_equal(opt.get_slot(w, name).value, slot, err_msg=name)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_step_is_near_its_exact_value(row: Row, dtype: np.dtype):
    w, (g,) = start((3000,), dtype), gradients((3000,), dtype, 1)
    before, exact = w.copy(), w.astype(np.longdouble)
    RULES[row.rule](row.hyper, 0, exact, g.astype(np.longdouble), row.new_slots(w, np.longdouble))
    row.make().apply_gradients([(g, w)])
    assert ulps(before, w, exact) <= ULP[dtype.name] * row.cancels


@pytest.mark.parametrize("shape", [(), (1,), (5, 3), (2, 3, 4), (0, 4), (4, 0)], ids=str)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_shapes_of_any_dimension(row: Row, shape: tuple[int, ...]):
    steps = gradients(shape, np.dtype(np.float64))
    w, opt = np.array(start(shape, np.dtype(np.float64))), row.make()
    if row.needs_rows and shape == ():
        before = w.copy()
        with pytest.raises(ValueError, match="must have at least one axis for a rule of rows, got a scalar"):
            opt.apply_gradients([(steps[0], w)])
        assert (w.tobytes(), opt.variables()) == (before.tobytes(), [])
        return
    expected, _ = narrow_steps(row, start(shape, np.dtype(np.float64)), steps)
    for g in steps:
        opt.apply_gradients([(g, w)])
    np.testing.assert_array_equal(w, expected)


@pytest.mark.parametrize("dtype", DTYPES[2:], ids=str)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_half_parameters_take_float32_gradients_unrounded(row: Row, dtype: np.dtype):
    steps = gradients((100,), np.dtype(np.float32))
    expected, _ = narrow_steps(row, start((100,), dtype), steps)
    w, opt = start((100,), dtype), row.make()
    for g in steps:
        opt.apply_gradients([(g, w)])
    np.testing.assert_array_equal(w, expected)
