"""Differentiation of functions, stop_gradient, custom_gradient."""

from __future__ import annotations

import numpy as np
import pytest

from steepest.autodiff.custom import custom_gradient, stop_gradient
from steepest.autodiff.functional import (
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    value_and_gradients_function,
)
from steepest.autodiff.tape import GradientTape
from steepest.ops.conversion import constant
from steepest.ops.tensor import Tensor
from steepest.testing import check_vjp
from steepest.variables.variable import Variable


def test_gradients_function():
    def f(x, y):
        return x * x * y

    assert [float(g) for g in gradients_function(f)(3.0, 4.0)] == [24, 9]
    assert [float(g) for g in gradients_function(f, params=["y"])(3.0, 4.0)] == [9]
    assert [float(g) for g in gradients_function(f, params=[1, 0])(3.0, 4.0)] == [9, 24]
    assert [float(g) for g in gradients_function(f)(3.0, y=4.0, dy=10.0)] == [240, 90]
    value, grads = value_and_gradients_function(f)(np.array([1.0, 2.0]), Variable(2.0))
    assert type(value) is np.ndarray
    assert value.tolist() == [2, 8]
    assert grads[0].tolist() == [4, 8]
    assert grads[1] == 5
    assert gradients_function(f)(3.0, 4.0)[0].dtype == np.float32
    assert gradients_function(f)(np.float64(3), np.float64(4))[0].dtype == np.float64
    assert gradients_function(lambda x, y: x)(1.0, 2.0)[1] is None


def test_one_argument_given_twice_is_two_arguments():
    x = constant(3.0)
    assert [float(g) for g in gradients_function(lambda a, b: a * a * b)(x, x)] == [18, 9]


def test_one_recorded_value_given_twice_is_two_arguments():
    x = Variable(3.0)
    with GradientTape() as tape:
        y = x * 1
        ga, gb = gradients_function(lambda a, b: a * a * b)(y, y)
    assert (float(ga), float(gb)) == (18, 9)
    assert tape.gradient([ga, gb], x) == 12 + 6


def test_values_are_released_and_never_alias_a_variable():
    v = Variable([1.0, 2.0])
    value, _ = implicit_value_and_gradients(lambda: [v, v * 2])()
    assert [type(part) for part in value] == [np.ndarray, np.ndarray]
    assert not np.shares_memory(value[0], v.value)


def test_gradients_function_errors():
    def nothing(x):
        x * 2

    with pytest.raises(
        ValueError,
        match=r"^Cannot differentiate a function that returns None; did you forget to return a value from nothing\?$",
    ):
        gradients_function(nothing)(1.0)
    with pytest.raises(ValueError, match="parameters of"):
        gradients_function(lambda x: x, params=["y"])(1.0)
    with pytest.raises(ValueError, match="positions of the 1 arguments"):
        gradients_function(lambda x: x, params=[1])(1.0)
    with pytest.raises(ValueError, match="at least one"):
        gradients_function(lambda x: x, params=[])(1.0)


def test_nested_gradients_functions():
    third = gradients_function(lambda x: gradients_function(lambda x: gradients_function(lambda x: x**4)(x)[0])(x)[0])
    assert float(third(2.0)[0]) == 48


def test_implicit_gradients_are_in_the_order_of_creation():
    a, b, unused, frozen = Variable([1.0, 2.0]), Variable([3.0, 4.0]), Variable(1.0), Variable(2.0, trainable=False)

    def loss(x):
        unused * 2
        return np.sum(b * x * frozen) + np.sum(a)

    value, pairs = implicit_value_and_gradients(loss)(np.array([1.0, 10.0]))
    assert float(value) == 89
    assert not isinstance(value, Tensor)
    assert [v for _, v in pairs] == [a, b, unused]
    assert pairs[0][0].tolist() == [1, 1]
    assert pairs[1][0].tolist() == [2, 20]
    assert pairs[2][0] is None
    assert implicit_gradients(loss)(np.array([1.0, 10.0]))[0][0].tolist() == [1, 1]


def test_implicit_gradients_of_a_list_are_of_its_sum():
    a = Variable([1.0, 2.0])
    (pair,) = implicit_gradients(lambda: [a * a, np.sum(a)])()
    assert pair[0].tolist() == [3, 5]


def test_implicit_gradients_errors():
    a = Variable(1.0)

    def forgot():
        a * 2

    with pytest.raises(ValueError, match="did you forget to return a value from forgot"):
        implicit_gradients(forgot)()
    text = r"^No trainable variables were accessed while the function was being computed\.$"
    with pytest.raises(ValueError, match=text):
        implicit_gradients(lambda: 1.0)()


def test_implicit_gradients_under_a_tape():
    a = Variable(3.0)
    with GradientTape() as tape:
        ((g, _),) = implicit_gradients(lambda: a**3)()
    assert tape.gradient(g, a) == 18


def test_stop_gradient():
    a, x = Variable([1.0, 2.0]), constant([3.0, 4.0])
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = a * stop_gradient(a) + stop_gradient(x * x)
        assert not isinstance(stop_gradient(a) * 2, Tensor)
    ga, gx = tape.gradient(y, [a, x])
    assert ga.tolist() == [1, 2]
    assert gx is None
    outside = stop_gradient(a)
    assert type(outside) is np.ndarray
    outside[:] = 0
    assert a.value.tolist() == [1, 2]
    assert stop_gradient(3.0) == 3


def test_custom_gradient():
    calls = []

    @custom_gradient
    def log1pexp(x):
        e = np.exp(x)

        def grad(g):
            calls.append(g)
            return g * (1 - 1 / (1 + e))

        return np.log(1 + e), grad

    x = np.array([0.5, -1.0])
    assert type(log1pexp(x)) is np.ndarray
    check_vjp(log1pexp, x)
    v = Variable(x)
    assert type(log1pexp(v)) is np.ndarray
    calls.clear()
    with GradientTape() as tape:
        y = np.sum(log1pexp(v) * 3)
    np.testing.assert_allclose(tape.gradient(y, v), 3 / (1 + np.exp(-x)))
    assert len(calls) == 1


def test_custom_gradient_of_several_arguments():
    calls = []

    @custom_gradient
    def f(x, y, k):
        def grad(g):
            calls.append(1)
            return g * 100, g, None

        return x * y * k, grad

    a, b = Variable([1.0, 2.0]), Variable([3.0, 4.0])
    with GradientTape() as tape:
        z = f(a, b, 2)
    seed = np.ones(2)
    ga, gb = tape.gradient(z, [a, b], seed)
    assert ga.tolist() == [100, 100]
    gb[:] = 7  # grad_fn passed the seed on: what users get is their own
    assert seed.tolist() == [1, 1]
    assert calls == [1]


def test_custom_gradient_errors():
    a = Variable([1.0, 2.0])

    def gradient_of(result):
        with GradientTape() as tape:
            y = custom_gradient(lambda x: result(x))(a)
        return tape.gradient(y, a)

    with pytest.raises(TypeError, match="must be a pair"):
        gradient_of(lambda x: x)
    with pytest.raises(ValueError, match="one gradient for each of 1 arguments, got 2"):
        gradient_of(lambda x: (x * 2, lambda g: (g, g)))
    with pytest.raises(ValueError, match=r"have the shape \(2,\) of argument 0, got shape \(\)"):
        gradient_of(lambda x: (x * 2, lambda g: np.sum(g)))


def test_parameters_may_be_nests():
    layers = [{"w": np.array([1.0, 2.0]), "b": 0.5}, {"w": np.array([3.0, 4.0]), "b": np.float64(1.0)}]

    def f(layers, scale):
        return scale[0] * sum(np.sum(layer["w"] ** 2) + layer["b"] for layer in layers)

    value, (slopes, of_scale) = value_and_gradients_function(f)(layers, (np.float64(2.0), [np.ones(2)]))
    assert value == 63
    assert [slope["w"].tolist() for slope in slopes] == [[4, 8], [12, 16]]
    assert [float(slope["b"]) for slope in slopes] == [2, 2]
    assert slopes[0]["b"].dtype == np.float32  # as Python's floats are everywhere
    assert of_scale[0] == 31.5
    assert of_scale[1] == [None]
    assert layers[0]["b"] == 0.5


def test_a_nest_may_hold_variables_and_recorded_values():
    v = Variable([1.0, 2.0])
    with GradientTape() as tape:
        ((gv, gx),) = gradients_function(lambda p: np.sum(p[0] * p[1] ** 2))([v, v * 3])
        total = np.sum(gv) + np.sum(gx)
    assert gv.value.tolist() == [9, 36]
    assert gx.value.tolist() == [6, 24]
    # The sum is that of x^2 + 2 v x with x = 3 v, of which the Variable in the nest is v itself.
    assert tape.gradient(total, v).tolist() == [18 + 12, 36 + 24]


def test_one_array_in_a_nest_twice_is_two():
    x = np.array([3.0])
    assert [g.tolist() for g in gradients_function(lambda p: p["a"] ** 2 * p["b"])({"a": x, "b": x})[0].values()] == [
        [18],
        [9],
    ]


def test_a_nest_of_what_is_no_array_is_an_error():
    with pytest.raises(TypeError, match="value must"):
        gradients_function(lambda p: p["x"])({"x": np.ones(2), "name": "layer"})
    assert gradients_function(np.sum)([[1.0, 2.0], [3.0, 4.0]])[0].shape == (2, 2)  # numbers: one array
