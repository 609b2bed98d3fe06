"""Jacobians, Hessians and products with them, against HIPS autograd, finite differences and each other."""

from __future__ import annotations

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from tape_cases import draw

import steepest as st
from steepest.testing import check_vjp

A = draw(np.random.default_rng(1), (4, 3), -1, 1)
X = draw(np.random.default_rng(2), (3,), -1, 1)
V = draw(np.random.default_rng(3), (3,), -1, 1)


def f(x):
    return np.tanh(A @ x) * np.sum(x * x)


def g(x):
    return np.sum(np.sin(x) ** 2 * np.prod(x) + f(x)[0])


FUNCTIONS = {
    "vector": (lambda np, x: np.tanh(A @ x) * np.sum(x * x), (3,)),
    "matrix": (lambda np, x: np.exp(x @ x.T) + x[0, 0], (2, 3)),
    "scalar": (lambda np, x: np.sum(np.sin(x) ** 3), (2, 3)),
    "of a scalar": (lambda np, x: x ** np.arange(1.0, 4.0), ()),
    "linear": (lambda np, x: np.reshape(2 * x, (3, 2)).T, (2, 3)),
    "rows": (lambda np, x: x[np.array([1, 1, 0])] ** 2, (2, 2)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_jacobian_and_its_products_agree_with_autograd(name):
    function, shape = FUNCTIONS[name]
    x, v = (draw(np.random.default_rng(seed), shape, 0.1, 1) for seed in (4, 5))
    expected = autograd.jacobian(lambda x: function(anp, x))(x)
    got = st.jacobian(lambda x: function(np, x))(x)
    assert type(got) is np.ndarray
    assert got.shape == expected.shape
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14)
    value, slope = st.jvp(lambda x: function(np, x))(x, v)
    np.testing.assert_array_equal(value, function(np, x))
    np.testing.assert_allclose(slope, np.tensordot(expected, v, np.ndim(x)), rtol=1e-12, atol=1e-14)


@pytest.mark.filterwarnings("ignore:Output seems independent of input")
@pytest.mark.parametrize("name", ["scalar", "quadratic", "linear"])
def test_hessian_and_its_product_agree_with_autograd(name):
    loss = {
        "scalar": lambda np, x: np.sum(np.sin(x)) ** 3 + np.prod(x),
        "quadratic": lambda np, x: np.sum(x * (x @ np.ones((3, 3)))),
        "linear": lambda np, x: np.sum(x * 3.0),
    }[name]
    x, v = (draw(np.random.default_rng(seed), (2, 3), 0.1, 1) for seed in (4, 5))
    expected = autograd.hessian(lambda x: loss(anp, x))(x)
    np.testing.assert_allclose(st.hessian(lambda x: loss(np, x))(x), expected, rtol=1e-12, atol=1e-14)
    got = st.hvp(lambda x: loss(np, x))(x, v)
    assert type(got) is np.ndarray
    np.testing.assert_allclose(got, np.tensordot(expected, v, 2), rtol=1e-12, atol=1e-14)


def test_the_hessian_of_an_array_is_the_jacobian_of_its_jacobian():
    got = st.hessian(f)(X)
    assert got.shape == (4, 3, 3)
    for i in range(4):
        np.testing.assert_allclose(got[i], st.hessian(lambda x, i=i: f(x)[i])(X), rtol=1e-13)


def test_the_product_equals_the_matrix_times_the_vector():
    np.testing.assert_allclose(st.jvp(f)(X, V)[1], st.jacobian(f)(X) @ V, rtol=1e-13)
    np.testing.assert_allclose(st.hvp(g)(X, V), st.hessian(g)(X) @ V, rtol=1e-13)


def test_they_can_be_differentiated():
    check_vjp(st.jacobian(f), X)
    check_vjp(lambda x, v: st.jvp(f)(x, v)[1], X, V, order=1)
    check_vjp(lambda x, v: st.jvp(f)(x, v)[0], X, V, order=1)
    check_vjp(lambda x, v: st.hvp(g)(x, v), X, V, order=1)


def test_a_parameter_by_position_and_name_and_arguments_by_keyword():
    def h(a, x, k=1.0):
        return k * (a @ x)

    np.testing.assert_array_equal(st.jacobian(h, 1)(A, X), A)
    np.testing.assert_array_equal(st.jacobian(h, "x")(A, X, k=2.0), 2 * A)
    np.testing.assert_array_equal(st.jvp(h, "x")(A, X, V)[1], A @ V)
    assert st.jacobian(h)(A, X).shape == (4, 4, 3)


def test_variables_and_lists_and_types():
    v = st.Variable(np.float32([1.0, 2.0]))
    assert st.jacobian(lambda v: v * v)(v).tolist() == [[2, 0], [0, 4]]
    assert st.jacobian(lambda v: v * v)(v).dtype == np.float32
    assert st.jacobian(lambda v: v)(v).tolist() == [[1, 0], [0, 1]]
    assert st.hvp(lambda v: np.sum(v**3))(v, [1.0, 0.0]).tolist() == [6, 0]
    assert st.jacobian(np.square)([1.0, 2.0]).dtype == np.float32  # lists of numbers, as everywhere
    assert st.jvp(np.square)(3.0, 1.0) == (9, 6)
    rows = st.Variable(np.eye(3))
    assert st.jacobian(lambda t: np.sum(st.gather(t, [1, 1])))(rows).tolist() == [[0] * 3, [2] * 3, [0] * 3]


def test_what_does_not_depend_has_zeros():
    c = np.ones(2)
    assert st.jacobian(lambda x: c)(X).tolist() == np.zeros((2, 3)).tolist()
    assert st.jacobian(lambda x: x[:0])(X).shape == (0, 3)
    assert st.jvp(lambda x: c)(X, V)[1].tolist() == [0, 0]
    assert st.hvp(lambda x: np.float64(1))(X, V).tolist() == [0, 0, 0]
    assert st.hessian(lambda x: np.sum(x))(X).tolist() == np.zeros((3, 3)).tolist()
    assert st.hvp(lambda x: np.sum(x))(X, V).tolist() == [0, 0, 0]


BAD = {
    "param": (lambda: st.jacobian(f, None)(X), TypeError, "param must be the position or the name"),
    "no such param": (lambda: st.jacobian(f, "y")(X), ValueError, "jacobian: params must be parameters of f"),
    "far param": (lambda: st.jvp(f, 2)(X, V), ValueError, "positions of the 1 arguments"),
    "integers": (lambda: st.hessian(g)(np.arange(3)), TypeError, "argument must be of floats"),
    "nest": (lambda: st.jacobian(lambda d: d["x"])({"x": X}), TypeError, "argument must be one array"),
    "values": (lambda: st.jacobian(lambda x: [x, x])(X), TypeError, "value must be one array"),
    "None": (lambda: st.jvp(lambda x: None)(X, V), ValueError, "returns None"),
    "vector's shape": (lambda: st.hvp(g)(X, V[:2]), ValueError, r"v must have the argument's shape \(3,\)"),
    "vector's type": (lambda: st.jvp(f)(X, V * 1j), TypeError, "v must be real"),
    "no vector": (lambda: st.jvp(f)(X), TypeError, "arguments must be those of the function and a vector"),
    "array": (lambda: st.hvp(f)(X, V), ValueError, r"value must be a scalar, got shape \(4,\); sum it"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    call, error, words = BAD[name]
    with pytest.raises(error, match=words):
        call()
