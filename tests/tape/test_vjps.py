"""Every derivative rule against finite differences in float64, to second order."""

from __future__ import annotations

import operator

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tape_cases import CASES, IDS, draw

from steepest import _core
from steepest.autodiff.custom import custom_gradient, stop_gradient
from steepest.autodiff.functional import gradients_function
from steepest.ops import scatter
from steepest.ops.indexed_slices import IndexedSlices
from steepest.ops.registry import COMPOSITES, PRIMITIVES
from steepest.testing import check_vjp


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_rule_agrees_with_finite_differences_to_second_order(case):
    _, _, f, shapes_, low, high = case
    rng = np.random.default_rng(7)
    check_vjp(f, *(draw(rng, shape, low, high) for shape in shapes_), order=2)


@pytest.fixture
def dropping():
    before = _core.drop_from(0)
    yield
    _core.drop_from(before)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_rule_agrees_where_the_tape_keeps_no_value_that_it_can_spare(case, dropping):
    # NaNs take the place of values behind a linear operation, and of results that rules are said not to need.
    _, _, f, shapes_, low, high = case
    rng = np.random.default_rng(7)

    def between(*arguments):
        results = f(*(x * 1.0 for x in arguments))
        many = isinstance(results, (list, tuple))
        return [np.add(y, 0.0) + 0.0 for y in results] if many else np.add(results, 0.0) + 0.0

    check_vjp(between, *(draw(rng, shape, low, high) for shape in shapes_), order=2)


def test_third_order():
    check_vjp(lambda x: np.sum(np.tanh(x) ** 3 * np.exp(x)), np.array([0.3, -0.4]), order=3)


# The catalogue is complete


def _is_checked_elsewhere(function):
    # Functions of our own are reached through NumPy's: reshape through np.reshape, and so on.
    return (getattr(function, "__module__", None) or "").startswith("steepest")


def test_every_rule_has_a_case():
    checked = {case[0] for case in CASES}
    registered = {f for f in (*PRIMITIVES, *COMPOSITES) if not _is_checked_elsewhere(f)}
    assert {f.__name__ for f in registered - checked} == set()


OWN = {p.name: p for f, p in PRIMITIVES.items() if _is_checked_elsewhere(f)}


def _check(case):
    rng = np.random.default_rng(7)
    check_vjp(case[2], *(draw(rng, shape, *case[4:]) for shape in case[3]), order=2)


def _changed(patch, primitive, change):
    patch.setattr(primitive, "vjps", tuple(rule and change(rule) for rule in primitive.vjps))
    patch.setattr(primitive, "vjp_argnums", primitive.vjp_argnums and change(primitive.vjp_argnums))


@pytest.fixture(scope="module")
def reaching():
    """For each primitive of our own a case that asks for its rule."""
    reached = {}

    def noting(name, case):
        def change(rule):
            return lambda *args, **kwargs: (reached.setdefault(name, case), rule(*args, **kwargs))[1]

        return change

    one_of_each = list({case[0]: case for case in reversed(CASES)}.values())
    for case in (*one_of_each, *CASES):
        if len(reached) == len(OWN):
            break
        with pytest.MonkeyPatch.context() as patch:
            for name, primitive in OWN.items():
                if name not in reached:
                    _changed(patch, primitive, noting(name, case))
            _check(case)
    return reached


@pytest.mark.parametrize("name", sorted(OWN))
def test_our_own_primitives_are_reached_by_the_catalogue(name, reaching, monkeypatch):
    """A rule of our own that is wrong by 1 % makes a case fail."""
    _changed(monkeypatch, OWN[name], lambda rule: lambda g, *args, **kwargs: _scaled(rule(g, *args, **kwargs), 1.01))
    with pytest.raises(AssertionError):
        _check(reaching[name])


def _scaled(r, factor):
    if r is None:
        return None
    if isinstance(r, list):
        return [_scaled(part, factor) for part in r]
    if isinstance(r, (IndexedSlices, scatter.IndexedCotangent)):
        r.values = r.values * factor
        return r
    return r * factor


# check_vjp itself


@pytest.mark.parametrize("name", ["tanh", "exp", "multiply", "sum", "matmul", "max"])
def test_a_derivative_that_is_off_by_a_twentieth_of_a_percent_fails(name, monkeypatch):
    function = getattr(np, name)
    case = next(c for c in CASES if c[0] is function and c[3][0] in ((2, 3), (2, 3, 4)))
    args = [draw(np.random.default_rng(7), shape, *case[4:]) for shape in case[3]]
    check_vjp(case[2], *args)
    primitive = PRIMITIVES[function]
    for i, rule in enumerate(primitive.vjps):
        wrong = list(primitive.vjps)
        wrong[i] = lambda g, y, *a, rule=rule, **k: rule(g, y, *a, **k) * 1.0005
        with monkeypatch.context() as patch:
            patch.setattr(primitive, "vjps", tuple(wrong))
            with pytest.raises(AssertionError, match="derivative of order 1: the tape gives"):
                check_vjp(case[2], *args, order=1)


def test_a_wrong_second_derivative_fails():
    # The first derivative is right; its own derivative is lost because the value is taken out of the tape.
    @custom_gradient
    def cube(x):
        return x**3, lambda g: g * 3 * stop_gradient(x) ** 2

    x = np.array([0.5, 1.5])
    check_vjp(cube, x, order=1)
    with pytest.raises(AssertionError, match="derivative of order 2"):
        check_vjp(cube, x, order=2)


def test_check_vjp_wants_something_to_differentiate():
    with pytest.raises(ValueError, match="at least one array of floats"):
        check_vjp(np.sum, np.array([1, 2]))


# Laws over random shapes


@settings(max_examples=60, deadline=None)
@given(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3), st.sampled_from("+-*/"))
def test_broadcasting(shapes, sign):
    f = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[sign]
    rng = np.random.default_rng(0)
    check_vjp(f, *(draw(rng, shape, 0.4, 1.2) for shape in shapes.input_shapes))


@settings(max_examples=60, deadline=None)
@given(hnp.mutually_broadcastable_shapes(signature=np.matmul.signature, max_dims=2, max_side=3))
def test_matmul_of_any_shapes(shapes):
    rng = np.random.default_rng(0)
    check_vjp(operator.matmul, *(draw(rng, shape, -1, 1) for shape in shapes.input_shapes))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_reductions_over_any_axes(data):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3))
    axis = data.draw(hnp.valid_tuple_axes(len(shape), min_size=1) | st.none() | st.integers(-len(shape), -1))
    keepdims = data.draw(st.booleans())
    f = data.draw(st.sampled_from([np.sum, np.mean, np.prod, np.max, np.min, np.var]))
    x = draw(np.random.default_rng(data.draw(st.integers(0, 9))), shape, 0.3, 1)
    check_vjp(lambda x: f(x, axis=axis, keepdims=keepdims), x)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_indexing_of_any_kind(data):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4))
    basic = hnp.basic_indices(shape, allow_newaxis=True)
    whole = hnp.integer_array_indices(shape)
    mask = hnp.arrays(bool, shape)
    index = data.draw(st.one_of(basic, whole, mask))
    x = draw(np.random.default_rng(1), shape, -1, 1)
    check_vjp(lambda x: x[index] * 2, x)
    check_vjp(lambda x: (x * x)[index] * np.sum(x), x)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_moving_axes(data):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=3))
    order = data.draw(st.permutations(range(len(shape))))
    order = tuple(i - len(shape) if data.draw(st.booleans()) else i for i in order)
    weights = draw(np.random.default_rng(2), tuple(shape[i] for i in order), 0, 1)
    check_vjp(lambda x: np.transpose(x, order) * weights, draw(np.random.default_rng(1), shape, -1, 1))
    check_vjp(lambda x: np.moveaxis(x, order[0], -1) ** 2, draw(np.random.default_rng(1), shape, -1, 1))


# Points where care is needed


def gradient(f, *args):
    return gradients_function(f)(*(np.array(a, float) for a in args))


def test_where_a_naive_rule_gives_nan():
    assert gradient(lambda x: x**2.0, 0.0)[0] == 0
    assert gradient(lambda x, p: x**p, 0.0, 2.0) == [0.0, 0.0]
    assert gradient(lambda x, p: x**p, -2.0, 3.0) == [12.0, 0.0]
    assert gradient(lambda x, p: x**p, 0.0, 0.0) == [0.0, 0.0]
    assert gradient(lambda x: x**1.0, 0.0)[0] == 1
    assert gradient(np.sqrt, 0.0)[0] == np.inf
    assert gradient(lambda x: np.where(x > 1, np.sqrt(x), x), np.array([0.0, 4.0]))[0].tolist() == [1, 0.25]  # a mask
    assert gradient(np.prod, [0.0, 3.0, 4.0])[0].tolist() == [12, 0, 0]
    assert gradient(np.prod, [0.0, 3.0, 0.0])[0].tolist() == [0, 0, 0]
    assert gradient(np.hypot, 0.0, 0.0) == [0.0, 0.0]
    assert gradient(np.std, [2.0, 2.0])[0].tolist() == [0, 0]
    assert gradient(np.linalg.norm, [0.0, 0.0])[0].tolist() == [0, 0]
    assert gradient(lambda x: np.sum(np.where(x > 0, np.sqrt(np.where(x > 0, x, 1)), 0)), [0.0, 4.0])[0].tolist() == [
        0,
        0.25,
    ]
    assert gradient(np.logaddexp, -np.inf, 0.0) == [0.0, 1.0]
    assert gradient(np.absolute, 0.0)[0] == 0


def test_ties():
    assert gradient(np.maximum, 1.0, 1.0) == [1.0, 0.0]
    assert gradient(np.minimum, 1.0, 1.0) == [1.0, 0.0]
    assert gradient(np.max, [3.0, 1.0, 3.0])[0].tolist() == [0.5, 0, 0.5]
    assert gradient(np.min, [[1.0, 1.0], [1.0, 1.0]])[0].tolist() == [[0.25, 0.25], [0.25, 0.25]]
    assert gradient(lambda x: np.sum(np.clip(x, 1, 3)), [0.0, 1.0, 2.0, 3.0, 4.0])[0].tolist() == [0, 1, 1, 1, 0]
    assert gradient(np.fmax, np.nan, 2.0) == [0.0, 1.0]
    assert gradient(np.fmin, 2.0, np.nan) == [1.0, 0.0]


def test_a_product_beside_a_zero_has_the_right_second_derivative():
    x = np.array([0.0, 3.0, 4.0])
    (h,) = gradients_function(lambda x: np.sum(gradients_function(np.prod)(x)[0] * np.array([1.0, 10.0, 100.0])))(x)
    np.testing.assert_allclose(h, [10 * 4 + 100 * 3, 4, 3])
