"""NumPy's functions on recorded values: the same numbers, no silent loss of a gradient."""

from __future__ import annotations

import numpy as np
import pytest
from tape_cases import CASES, IDS, draw

from steepest.autodiff.tape import GradientTape
from steepest.ops.conversion import constant
from steepest.ops.dispatch import unwrap
from steepest.ops.registry import COMPOSITES, NONDIFFERENTIABLE, PRIMITIVES
from steepest.ops.tensor import Tensor
from steepest.variables.variable import Variable


def listed(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_values_equal_numpys(case):
    _, _, f, shapes, low, high = case
    rng = np.random.default_rng(7)
    arrays = [draw(rng, shape, low, high) for shape in shapes]
    expected = listed(f(*arrays))
    outside = listed(f(*(Variable(a) for a in arrays)))
    tensors = [constant(a) for a in arrays]
    with GradientTape() as tape:
        tape.watch(tensors)
        recorded = listed(f(*tensors))
    for e, o, r in zip(expected, outside, recorded, strict=True):
        assert not isinstance(o, Tensor)
        assert np.asarray(e).dtype == np.asarray(o).dtype == r.dtype
        np.testing.assert_array_equal(o, e, strict=True)  # bit for bit
        assert isinstance(r, Tensor)
        assert r.shape == np.shape(e)
        np.testing.assert_allclose(unwrap(r), e, rtol=1e-14, atol=1e-15)


NO_RULE = {
    "reduce": lambda x: np.arctan2.reduce(x),
    "where of a reduction": lambda x: np.hypot.reduce(x, where=np.array([True, True, True]), initial=0),
    "a function that pads": lambda x: np.pad(x, 1, lambda *arguments: None),
    "order": lambda x: np.ravel(x, order="K"),
    "all singular vectors": lambda x: np.linalg.svd(x[None]),
    "complete QR": lambda x: np.linalg.qr(x[:, None], "complete"),
    "coefficients of a quotient": lambda x: np.polydiv(x, [1.0, 2.0]),
    "bins of the values": lambda x: np.histogram(x, 2),
    "weights of a quantile": lambda x: np.quantile(x, 0.5, weights=[1, 2, 3], method="inverted_cdf"),
    "where of a ufunc": lambda x: np.log(x, out=None, where=np.array([True, True, True])),
    "a value put into an array": lambda x: np.copyto(np.zeros(3), x),
    "a complex number": lambda x: np.sign(x * 1j),
    "complex numbers for a function made of others": lambda x: np.corrcoef(np.stack([x, x * 1j])),
}
if np.lib.NumpyVersion(np.__version__) < "2.0.0":
    del NO_RULE["weights of a quantile"]


@pytest.mark.filterwarnings("ignore:'where' used without 'out'")
@pytest.mark.parametrize("name", NO_RULE)
def test_functions_without_a_rule_say_so(name):
    x = constant(np.array([1.0, 2.0, 3.0]))
    NO_RULE[name](x)
    with GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(TypeError, match="recorded value"):
            NO_RULE[name](x)


@pytest.mark.parametrize("name", ["sort", "partition", "fill", "put", "resize"])
@pytest.mark.parametrize("kind", [Variable, constant])
def test_methods_that_change_elements_in_place_are_refused(name, kind):
    x = kind(np.array([2.0, 1.0]))
    with pytest.raises(TypeError, match=rf"method must not be one that changes .*got {name}; use the result of np\."):
        getattr(x, name)(0)
    assert x.numpy().tolist() == [2, 1]


def test_arrays_of_recorded_values_are_refused_with_a_way_out():
    v = Variable(np.array([2.0, 1.0]))
    with GradientTape() as tape:
        for make in (lambda: np.array([v[0], v[1]]), lambda: np.sum([v[0], 1.0]), lambda: np.r_[v, v]):
            with pytest.raises(TypeError, match=r"np\.stack or np\.block"):
                make()
        y = np.sum(np.block([[np.cos(v[0]), -v[1]], [v[1], 1.0]]) ** 2)
    np.testing.assert_allclose(tape.gradient(y, v), [-2 * np.cos(2.0) * np.sin(2.0), 4.0])


def test_rounding_and_sizes_are_plain():
    v = Variable(np.array([2.25, 1.0]))
    with GradientTape():
        assert type(round(v[0])) is int
        assert round(v[0], 1) == 2.2
        assert round(v, 1).tolist() == [2.2, 1.0]
        assert (v.nbytes, v.itemsize) == (16, 8)
        assert v.conjugate().numpy().tolist() == [2.25, 1.0]


def test_the_message_names_the_function_and_the_way_out():
    v = Variable(np.ones(3))
    with GradientTape(), pytest.raises(TypeError) as caught:
        np.i0(v)
    for word in ("i0", "stop_gradient", ".numpy()", "custom_gradient"):
        assert word in str(caught.value)


def test_values_that_are_not_followed_may_use_anything():
    v = Variable(np.ones(3), trainable=False)
    with GradientTape():
        assert np.median(v) == 1
        assert np.fft.fft(v).shape == (3,)
        assert type(np.exp(v)) is np.ndarray


def test_functions_without_derivative_give_plain_values():
    x = constant(np.array([1.5, -2.5, 3.0]))
    with GradientTape() as tape:
        tape.watch(x)
        for function in [
            "floor",
            "ceil",
            "trunc",
            "rint",
            "round",
            "isfinite",
            "isnan",
            "signbit",
            "argmax",
            "argmin",
            "argsort",
            "zeros_like",
            "ones_like",
            "shape",
            "size",
            "ndim",
            "count_nonzero",
            "nonzero",
            "flatnonzero",
            "any",
            "all",
        ]:
            got = getattr(np, function)(x)
            assert not isinstance(got, Tensor)
            np.testing.assert_array_equal(got, getattr(np, function)(x.value))
        assert np.linalg.norm(x, 0) == 3
        for got in (x > 0, x <= x, x == 1.5, x != 1.5, np.greater(x, 0), np.isclose(x, 1.5), x.astype(int), x // 2):
            assert type(got) is np.ndarray
        assert np.full_like(x, 2.0).tolist() == [2, 2, 2]
        y = np.sum(np.sign(x) + x * (x > 0))
        assert x[0].item() == 1.5
        assert f"{x[0]:.1f}" == "1.5"
        assert x.tolist() == [1.5, -2.5, 3]
    assert tape.gradient(y, x).tolist() == [1, 0, 1]


def test_the_lists_do_not_overlap():
    assert not NONDIFFERENTIABLE & set(PRIMITIVES)
    assert not NONDIFFERENTIABLE & set(COMPOSITES)
    assert not set(COMPOSITES) & set(PRIMITIVES)


def test_arguments_by_keyword():
    x = constant(np.arange(6.0).reshape(2, 3))
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        ys = [
            np.sum(a=x, axis=0),
            np.clip(a=x, a_min=1.0, a_max=4.0),
            np.take(a=x, indices=[0], axis=1),
            np.mean(x, axis=(0, 1), dtype=np.float64, keepdims=True),
            np.add(x, x, dtype=np.float32),
        ]
    sums = [tape.gradient(y, x).sum() for y in ys]
    np.testing.assert_allclose(sums, [6, 4, 2, 1, 12])


def test_a_recorded_value_where_no_derivative_is_known_is_an_error():
    x = constant(np.array([1.0, 2.0]))
    with GradientTape() as tape:
        tape.watch(x)
        y = np.where(x, x, 0.0)
    assert tape.gradient(y, x).tolist() == [1, 1]


def test_methods_record():
    x = constant(np.arange(1.0, 7.0).reshape(2, 3))
    calls = [
        lambda x: x.sum(), lambda x: x.sum(axis=1), lambda x: x.mean(0), lambda x: x.max(axis=1), lambda x: x.min(),
        lambda x: x.prod(axis=0), lambda x: x.std(), lambda x: x.var(1), lambda x: x.reshape(3, 2),
        lambda x: x.reshape((3, -1)), lambda x: x.transpose(), lambda x: x.transpose(1, 0),
        lambda x: x.transpose((1, 0)),
        lambda x: x.swapaxes(0, 1), lambda x: x[None].squeeze(0), lambda x: x.ravel(), lambda x: x.flatten(),
        lambda x: x.dot(np.ones(3)), lambda x: x.clip(2, 5), lambda x: x.cumsum(1), lambda x: x.take([0, 1], axis=1),
        lambda x: x.repeat(2, axis=0), lambda x: x.astype(np.float32), lambda x: x.copy(), lambda x: x.diagonal(),
        lambda x: x.trace(), lambda x: x.T,
        lambda x: x.flat if isinstance(x, Tensor) else np.ravel(x), lambda x: x.real, lambda x: x.conj(),
        lambda x: x.cumprod(0), lambda x: x.compress([True, False], axis=0), lambda x: divmod(x, 0.7)[1],
    ]  # fmt: skip
    for f in calls:
        with GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert isinstance(y, Tensor)
        np.testing.assert_array_equal(y.value, f(x.value), strict=True)
        assert tape.gradient(y, x).shape == (2, 3)
