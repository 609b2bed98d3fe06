"""What GradientTape.gradient returns, and derivatives of derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from steepest.autodiff.custom import stop_gradient
from steepest.autodiff.tape import GradientTape
from steepest.ops.conversion import constant
from steepest.ops.indexed_slices import IndexedSlices
from steepest.variables.variable import Variable


def variable(value=(1.0, 2.0, 3.0), **options):
    return Variable(np.array(value), **options)


# Results


def test_structures():
    a, b = variable(), variable()
    with GradientTape(persistent=True) as tape:
        loss = np.sum(a * b)
    assert tape.gradient(loss, a).shape == (3,)
    assert isinstance(tape.gradient(loss, [a]), list)
    assert isinstance(tape.gradient(loss, (a, b)), tuple)
    nested = tape.gradient(loss, {"x": [a, {"y": b}], "z": ()})
    np.testing.assert_array_equal(nested["x"][1]["y"], a.numpy())
    assert nested["z"] == ()
    twice = tape.gradient(loss, [a, a])
    twice[0][:] = 0
    np.testing.assert_array_equal(twice[1], b.numpy())


def test_targets_are_summed_and_output_gradients_weigh():
    x = variable()
    with GradientTape(persistent=True) as tape:
        y, z = x * x, np.sum(x)
    np.testing.assert_array_equal(tape.gradient([y, {"k": z}], x), 2 * x.numpy() + 1)
    np.testing.assert_array_equal(tape.gradient([y, y], x), 4 * x.numpy())
    np.testing.assert_array_equal(tape.gradient(y, x, output_gradients=[1.0, 0.0, 2.0]), [2, 0, 12])
    np.testing.assert_array_equal(tape.gradient([y, z], x, output_gradients=[np.zeros(3), 5.0]), [5, 5, 5])
    np.testing.assert_array_equal(tape.gradient([y, z], x, output_gradients=[None, 5.0]), 2 * x.numpy() + 5)
    with pytest.raises(ValueError, match="output_gradients must have the target's shape"):
        tape.gradient(y, x, output_gradients=[1.0])


def test_a_source_as_target():
    x, w = constant([1.0, 2.0]), variable()
    with GradientTape(persistent=True) as tape:
        tape.watch([x, w])
        y = x * 2
    assert tape.gradient(x, x).tolist() == [1, 1]
    assert tape.gradient(w, w).tolist() == [1, 1, 1]
    assert tape.gradient([x, y], x).tolist() == [3, 3]
    assert tape.gradient(y, y).tolist() == [1, 1]


def test_intermediate_sources_get_the_full_gradient():
    x = variable()
    with GradientTape() as tape:
        y = x * x
        loss = np.sum(y * y) + np.sum(y)
    gx, gy = tape.gradient(loss, [x, y])
    np.testing.assert_allclose(gy, 2 * x.numpy() ** 2 + 1)
    np.testing.assert_allclose(gx, (2 * x.numpy() ** 2 + 1) * 2 * x.numpy())


def test_unconnected():
    a, b = variable(), Variable(np.ones((2, 2), np.float16))
    with GradientTape(persistent=True) as tape:
        loss = np.sum(a)
        stopped = np.sum(stop_gradient(a))
    assert tape.gradient(loss, b) is None
    zeros = tape.gradient(loss, [b], unconnected_gradients="zero")[0]
    assert zeros.shape == (2, 2)
    assert zeros.dtype == np.float16
    assert not zeros.any()
    assert tape.gradient(stopped, a) is None
    assert tape.gradient(3.0, a) is None
    assert tape.gradient(np.ones(3), a) is None


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_gradients_have_the_type_of_their_source(dtype):
    x = Variable(np.array([0.5, 0.25], dtype))
    y = constant(np.array(2.0, np.float64))
    with GradientTape() as tape:
        tape.watch(y)
        loss = np.sum(np.exp(x * 2.0) / 3 + x * y) + np.mean(x) ** 2 + np.var(x) * 0.5
    gx, gy = tape.gradient(loss, [x, y])
    assert gx.dtype == dtype
    assert gy.dtype == np.float64


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = Variable(np.array([0.5, 0.25], ml_dtypes.bfloat16))
    assert x.dtype.name == "bfloat16"
    with GradientTape() as tape:
        loss = np.sum(np.tanh(x * x))
    g = tape.gradient(loss, x)
    assert g.dtype == ml_dtypes.bfloat16
    np.testing.assert_allclose(g.astype(float), [0.94, 0.498], rtol=0.02)


FRESH = {
    "sum": lambda v, a: np.sum(v),
    "identity": lambda v, a: v + 0,
    "plus itself": lambda v, a: v + v,
    "times": lambda v, a: v * a,
    "array plus": lambda v, a: a + v,
    "reshape": lambda v, a: np.reshape(v, (3, 1)),
    "transpose": lambda v, a: np.reshape(v, (1, 3)).T,
    "broadcast": lambda v, a: np.broadcast_to(v, (2, 3)),
    "slice": lambda v, a: v[:],
    "take": lambda v, a: v[np.arange(3)],
    "concatenate": lambda v, a: np.concatenate([v, v]),
    "where": lambda v, a: np.where(a > 0, v, 0),
    "copy": lambda v, a: v.copy(),
    "itself": lambda v, a: v,
}


@pytest.mark.parametrize("name", FRESH)
def test_gradients_are_arrays_of_their_own(name):
    v, w, a = variable(), variable(), np.array([1.0, 2.0, 3.0])
    with GradientTape(persistent=True) as tape:
        y = FRESH[name](v, a)
        z = FRESH[name](w, a)
        total = y + z
    seed = np.full(total.shape, 2.0)
    found = [tape.gradient(total, [v, w], seed), tape.gradient(y, [v], seed)]
    arrays = [g.values if isinstance(g, IndexedSlices) else g for pair in found for g in pair]
    held = [v.value, w.value, a, seed]
    for i, g in enumerate(arrays):
        assert type(g) is np.ndarray
        assert g.flags.writeable
        assert not any(np.shares_memory(g, other) for other in held + arrays[:i])
    before = [h.copy() for h in held]
    for g in arrays:
        g += 100
    for array, copy in zip(held, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_accumulation_never_changes_what_others_hold():
    x = variable()
    with GradientTape() as tape:
        u = x * 1
        y = u + u + u + x + x[:2].sum() + u[0] + u[1]
    seed = np.ones(3)
    gx, gu = tape.gradient(y, [x, u], seed)
    np.testing.assert_array_equal(seed, 1)
    np.testing.assert_array_equal(gu, [6, 6, 3])
    np.testing.assert_array_equal(gx, [10, 10, 4])


def test_one_gradient_that_goes_two_ways():
    x = variable()
    with GradientTape() as tape:
        u = x * 1
        v = x * 2
        w = u * 3
        y = (u + v) * 5 + w
    gx, gv = tape.gradient(y, [x, v])
    np.testing.assert_array_equal(gv, [5, 5, 5])
    np.testing.assert_array_equal(gx, [18, 18, 18])


# Higher order


def test_nested_tapes_give_higher_derivatives():
    x = constant(2.0)
    with GradientTape() as third:
        third.watch(x)
        with GradientTape() as second:
            second.watch(x)
            with GradientTape() as first:
                first.watch(x)
                y = x**4
            dy = first.gradient(y, x)
        d2y = second.gradient(dy, x)
    assert (float(dy), float(d2y), float(third.gradient(d2y, x))) == (32.0, 48.0, 48.0)


def test_a_persistent_tape_differentiates_its_own_gradient():
    x = constant(np.array([1.0, 2.0]))
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x**3
        dy = tape.gradient(y, x)
    np.testing.assert_allclose(tape.gradient(dy, x), 6 * x.value)


def test_the_hessian_of_variables():
    w = Variable(np.array([[1.0, 2.0], [3.0, 4.0]]))
    with GradientTape(persistent=True) as outer:
        with GradientTape() as inner:
            loss = np.sum((w @ w) ** 2)
        g = inner.gradient(loss, w)
        parts = [g[i, j] for i in range(2) for j in range(2)]
    hessian = np.stack([outer.gradient(part, w).ravel() for part in parts])
    np.testing.assert_allclose(hessian, hessian.T)
