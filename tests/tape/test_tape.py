"""GradientTape: what it follows, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from steepest.autodiff.tape import GradientTape
from steepest.ops.conversion import constant
from steepest.ops.tensor import Tensor
from steepest.variables.variable import Variable


def variable(value=(1.0, 2.0, 3.0), **options):
    return Variable(np.array(value), **options)


# What is followed


def test_trainable_variables_are_watched_when_read_and_others_are_not():
    a, b, c = variable(), variable(trainable=False), variable()
    with GradientTape() as tape:
        loss = np.sum(a * b)
    assert tape.watched_variables() == (a,)
    grads = tape.gradient(loss, [a, b, c])
    np.testing.assert_array_equal(grads[0], [1, 2, 3])
    assert grads[1:] == [None, None]


def test_without_watching_accessed_variables_only_watch_counts():
    a, b = variable(), variable(trainable=False)
    with GradientTape(watch_accessed_variables=False) as tape:
        assert type(a * 2) is np.ndarray
        tape.watch(b)
        loss = np.sum(a * b)
    ga, gb = tape.gradient(loss, (a, b))
    assert ga is None
    np.testing.assert_array_equal(gb, a.numpy())


def test_a_variable_that_was_read_before_is_followed_after_watch():
    v = variable()
    with GradientTape(watch_accessed_variables=False) as tape:
        assert type(v * 1) is np.ndarray
        tape.watch(v)
        y = v * v
    np.testing.assert_array_equal(tape.gradient(y, v), [2, 4, 6])


def test_a_variable_that_only_the_outer_tape_watches():
    v = variable()
    with GradientTape() as outer:
        with GradientTape(watch_accessed_variables=False) as inner:
            y = v * v
        assert inner.gradient(y, v) is None
    np.testing.assert_array_equal(outer.gradient(y, v), [2, 4, 6])


def test_tensors_are_followed_after_watch_only():
    x = constant([1.0, 2.0])
    with GradientTape(persistent=True) as tape:
        before = x * x
        tape.watch(x)
        after = x * x
    assert type(before) is np.ndarray
    assert isinstance(after, Tensor)
    assert tape.gradient(before, x) is None
    np.testing.assert_array_equal(tape.gradient(after, x), [2, 4])


def test_watched_variables_are_in_the_order_of_creation():
    variables = [variable() for _ in range(5)]
    with GradientTape() as tape:
        for v in reversed(variables):
            v * 1
    assert tape.watched_variables() == tuple(variables)


def test_integer_variables_have_no_gradient():
    n = Variable([1, 2])
    x = variable((1.0, 2.0))
    with GradientTape() as tape:
        loss = np.sum(x * n)
    gx, gn = tape.gradient(loss, [x, n])
    np.testing.assert_array_equal(gx, [1, 2])
    assert gn is None


def test_stop_recording_and_reset():
    x = variable()
    with GradientTape() as tape:
        y = x * x
        with tape.stop_recording():
            z = y * x
            assert type(z) is np.ndarray
        loss = np.sum(y * z)
    np.testing.assert_allclose(tape.gradient(loss, x), 2 * x.numpy() * x.numpy() ** 3)
    with GradientTape() as tape:
        y = x * x
        tape.reset()
        z = x * 3
    assert tape.gradient([y, z], x).tolist() == [3, 3, 3]


def test_a_tape_entered_again_goes_on():
    x = variable()
    tape = GradientTape()
    with tape:
        y = x * x
    outside = x * 1
    with tape:
        z = y * 2
    assert type(outside) is np.ndarray
    np.testing.assert_array_equal(tape.gradient(z, x), 4 * x.numpy())


def test_operations_after_the_tape_are_not_part_of_it():
    x = constant(2.0)
    with GradientTape() as outer:
        outer.watch(x)
        with GradientTape() as inner:
            inner.watch(x)
            y = x * x
        z = y * 3
    assert inner.gradient(z, x) is None
    assert outer.gradient(z, x) == 12


def test_inner_tape_sees_only_what_it_watches():
    x = constant(2.0)
    with GradientTape() as outer:
        outer.watch(x)
        y = x * x
        with GradientTape() as inner:
            inner.watch(y)
            z = y * y
        dz = inner.gradient(z, [y, x])
    assert dz[1] is None
    assert dz[0].value == 8
    assert outer.gradient(dz[0], x) == 8  # d(2 x^2)/dx


def test_a_value_of_an_old_tape_is_a_constant_until_watched_again():
    x = constant(3.0)
    with GradientTape(persistent=True) as old:
        old.watch(x)
        y = x * x
    with GradientTape() as new:
        assert not isinstance(y * 2, Tensor)
        new.watch(y)
        z = y * y
    assert new.gradient(z, y) == 18
    assert old.gradient(y, x) == 6


# Errors


def test_errors():
    x = constant(1.0)
    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with pytest.raises(ValueError, match="must not be entered while it records"), tape:
            pass
    with pytest.raises(ValueError, match=r"Unknown value for unconnected_gradients: 'x'"):
        tape.gradient(y, x, unconnected_gradients="x")
    with pytest.raises(TypeError, match="target must"):
        tape.gradient(None, x)
    with pytest.raises(TypeError, match="target must"):
        tape.gradient([y, None], x)
    with pytest.raises(TypeError, match="sources must be Tensors or Variables"):
        tape.gradient(y, np.ones(3))
    with pytest.raises(TypeError, match="sources must be Tensors or Variables"):
        tape.gradient(y, None)
    with pytest.raises(ValueError, match=r"ndarray.*steepest\.constant"):
        tape.watch(np.ones(3))
    with pytest.raises(TypeError, match="tensor must be a Tensor or a Variable"):
        tape.watch("x")
    with pytest.raises(ValueError, match="must be recording"), tape.stop_recording():
        pass
    assert tape.gradient(y, x) == 2
    with pytest.raises(
        RuntimeError,
        match=r"^A non-persistent GradientTape can only .* can only be called once on non-persistent tapes",
    ):
        tape.gradient(y, x)


def test_gradient_inside_the_block_ends_a_tape():
    x = constant(3.0)
    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
        assert tape.gradient(y, x) == 6
        assert not isinstance(x * x, Tensor)


def test_an_exception_inside_the_block_ends_the_recording():
    x = variable()
    with pytest.raises(KeyError), GradientTape():
        raise KeyError
    assert type(x * x) is np.ndarray
