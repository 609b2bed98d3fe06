"""Variable and Tensor as values."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

from steepest.autodiff.tape import GradientTape
from steepest.ops.conversion import constant, convert_to_tensor
from steepest.ops.tensor import Tensor
from steepest.variables.variable import Variable

# Making


@pytest.mark.parametrize(
    ("given", "dtype", "expected"),
    [
        (1.5, None, np.float32),
        ([1.0, 2.0], None, np.float32),
        (3, None, np.int32),
        ([1, 2], None, np.int32),
        (2**40, None, np.int64),
        (True, None, np.bool_),
        (np.float64(1), None, np.float64),
        ([np.float64(1)], None, np.float64),
        (np.arange(3), None, np.int64),
        (np.ones(2, np.float16), None, np.float16),
        (1.5, np.float64, np.float64),
        (np.arange(3), "float32", np.float32),
        (lambda: 2.0, None, np.float32),
        ([], None, np.float32),
    ],
)
def test_types(given, dtype, expected):
    assert Variable(given, dtype=dtype).dtype == expected
    if not callable(given):
        assert constant(given, dtype).dtype == expected


@pytest.mark.parametrize("bad", [1j, "a", object(), [object()], np.ones(2, complex), np.array(["a"]), [[1], [1, 2]]])
def test_other_kinds_are_type_errors(bad):
    with pytest.raises(TypeError, match="must"):
        Variable(bad)
    with pytest.raises(TypeError, match="must"):
        constant(bad)


def test_a_variable_owns_a_contiguous_copy():
    given = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    v = Variable(given)
    assert v.value.flags.c_contiguous
    assert v.value.flags.writeable
    given[0, 0] = 99
    assert v.value[0, 0] == 0
    taken = v.numpy()
    taken[:] = 7
    v.read_value()[:] = 8
    assert v.value[1, 2] == 5
    assert v.value is v.value
    with pytest.raises(ValueError, match="None values are not supported"):
        Variable(None)


def test_attributes_and_repr():
    v = Variable(np.arange(12.0, dtype=np.float32).reshape(3, 4), name="weights_for_repr")
    assert (v.shape, v.ndim, v.size, v.dtype, v.trainable) == ((3, 4), 2, 12, np.float32, True)
    assert repr(v).startswith("<Variable 'weights_for_repr' shape=(3, 4) dtype=float32>")
    assert v.T.shape == (4, 3)
    assert not Variable(1.0, trainable=False).trainable
    assert f"{Variable(1.5):.2f}" == "1.50"


# Assigning


def test_assignment_is_in_place_and_returns_the_variable():
    v = Variable(np.ones(3, np.float32))
    live = v.value
    assert v.assign([1.0, 2.0, 3.0]) is v
    assert v.assign_add(np.ones(3)) is v
    assert v.assign_sub(Variable(np.ones(3))) is v
    assert v.assign_add(constant([1, 1, 1])) is v
    assert v.value is live
    assert live.tolist() == [2, 3, 4]
    assert live.dtype == np.float32
    w = v
    w += np.ones(3)
    w -= [0.5, 0.5, 0.5]
    assert w is v
    assert live.tolist() == [2.5, 3.5, 4.5]


def test_assignment_refuses_and_changes_nothing():
    v, n = Variable(np.ones((2, 3))), Variable([1, 2])
    for method in (v.assign, v.assign_add, v.assign_sub):
        for bad in (1.0, np.ones(3), np.ones((1, 3)), np.ones((3, 2))):
            with pytest.raises(ValueError, match=r"must have the variable's shape \(2, 3\)"):
                method(bad)
        for bad in (np.ones((2, 3), complex), np.full((2, 3), "a"), np.full((2, 3), None)):
            with pytest.raises(TypeError, match="same_kind"):
                method(bad)
    for method in (n.assign, n.assign_add, n.assign_sub):
        with pytest.raises(TypeError, match="same_kind"):
            method(np.ones(2))
        with pytest.raises(TypeError, match="same_kind"):
            method([0.5, 0.5])
    assert (v.value == 1).all()
    assert n.value.tolist() == [1, 2]


def test_adding_a_variable_to_itself():
    v = Variable(np.arange(4.0))
    v.assign_add(v)
    v.assign_sub(v.value[::-1])
    assert v.value.tolist() == [-6, -2, 2, 6]


@pytest.mark.parametrize("operator", ["*=", "/=", "//=", "%=", "**=", "@="])
def test_other_in_place_operators_are_refused(operator):
    scope = {"v": Variable(np.ones(2))}
    with pytest.raises(TypeError, match="assign"):
        exec(f"v {operator} 2", scope)


def test_elements_are_not_assigned():
    v, t = Variable(np.ones(2)), constant([1.0])
    with pytest.raises(TypeError, match="use assign"):
        v[0] = 1
    with pytest.raises(TypeError, match=r"np\.where"):
        t[0] = 1


# As arrays


def test_identity_and_order():
    v, w = Variable([1.0]), Variable([1.0])
    assert v == v
    assert v != w
    assert v in [w, v]
    assert {v: 1}[v] == 1
    assert len({v, w}) == 2
    assert (v <= w).tolist() == [True]
    assert np.equal(v, w).tolist() == [True]
    assert (constant([1.0]) == w).tolist() == [True]
    assert hash(constant(1.0))


def test_outside_tapes_everything_is_plain():
    v = Variable(np.array([3.0, 1.0, 2.0]))
    a = v.numpy()
    for got, expected in [
        (v + 1, a + 1), (1 - v, 1 - a), (v * v, a * a), (2 / v, 2 / a), (v**2, a**2), (2**v, 2**a), (-v, -a), (+v, a),
        (abs(v), a), (v @ v, a @ a), (a @ v, a @ a), (v % 2, a % 2), (v // 2, a // 2), (7 // v, 7 // a), (v[1:], a[1:]),
        (v > 1, a > 1), (v.sum(), a.sum()), (v.mean(), a.mean()), (v.max(), a.max()), (v.min(), a.min()),
        (v.prod(), a.prod()), (v.std(), a.std()), (v.var(), a.var()), (v.reshape(3, 1), a.reshape(3, 1)),
        (v.argmax(), a.argmax()), (v.clip(1, 2), a.clip(1, 2)), (v.cumsum(), a.cumsum()), (v.take([0]), a.take([0])),
        (v.repeat(2), a.repeat(2)), (v.astype(int), a.astype(int)), (v.dot(a), a.dot(a)), (v.flatten(), a),
        (np.sort(v), np.sort(a)), (np.concatenate([v, a]), np.concatenate([a, a])),
        (np.linalg.norm(v), np.linalg.norm(a)),
        (np.fft.rfft(v), np.fft.rfft(a)), (np.add.reduce(v), np.add.reduce(a)),
        (np.percentile(v, 50), np.percentile(a, 50)),
        (a + v, a + a), (np.float64(2) * v, 2 * a), ([1, 2, 3] * v, [1, 2, 3] * a), (v.item(1), 1.0),
        (v.tolist(), a.tolist()),
        (v.all(), True), (v.any(), True), (len(v), 3), (list(v), list(a)), (2.0 in v, True), (v.round(), a.round()),
    ]:  # fmt: skip
        assert not isinstance(got, (Variable, Tensor))
        np.testing.assert_array_equal(got, expected)
        if isinstance(expected, (np.ndarray, np.generic)):
            assert type(got) is type(expected)
            assert got.dtype == expected.dtype


def test_scalars():
    v = Variable(2.5)
    assert float(v) == 2.5
    assert int(v) == 2
    assert bool(v)
    assert range(10)[Variable(3)] == 3
    with pytest.raises(TypeError):
        len(v)
    with pytest.raises(TypeError, match="axis to iterate over"):
        iter(v)


def test_python_scalars_are_weak():
    for value in (np.float32(2), np.array(2, np.float32), np.ones(2, np.float16)):
        x = constant(value)
        with GradientTape() as tape:
            tape.watch(x)
            for y in (x * 2.0, 2.0 * x, x + 1, 1 / x, x**2.0, np.add(x, 1.5), np.maximum(x, 0.5), x - True):
                assert y.dtype == x.dtype
    assert (constant(2) * 2.5).dtype == np.float64


def test_array_protocol():
    v, t = Variable(np.arange(3.0)), constant(np.arange(3.0))
    for x in (v, t):
        a = np.array(x)
        a[:] = 9
        assert x.value.tolist() == [0, 1, 2]
        np.asarray(x)[:] = 9
        assert x.value.tolist() == [0, 1, 2]
        assert np.asarray(x, np.float32).dtype == np.float32
        assert x.__array__(copy=False) is x.value
        with pytest.raises(ValueError, match="copy"):
            x.__array__(np.float32, copy=False)
        with GradientTape() as tape:
            tape.watch(x)
            for convert in (np.asarray, np.array):
                with pytest.raises(TypeError, match="stop_gradient"):
                    convert(x)
            assert x.numpy().tolist() == [0, 1, 2]


def test_out_is_refused():
    v, t, a = Variable(np.ones(3)), constant(np.ones(3)), np.zeros(3)
    np.add(v, t, out=a)
    assert a.tolist() == [2, 2, 2]
    a += v
    assert a.tolist() == [3, 3, 3]
    for target in (v, t):
        with pytest.raises(TypeError, match="out must be a plain array"):
            np.add(a, a, out=target)
        with pytest.raises(TypeError, match="out must be a plain array"):
            np.sum(np.ones((2, 3)), axis=0, out=target)
    with GradientTape():
        with pytest.raises(TypeError, match="drop out="):
            np.add(v, 1, out=a)
        with pytest.raises(TypeError, match="drop out="):
            a += v
        with pytest.raises(TypeError, match="drop out="):
            np.sum(v, axis=0, out=a)


def test_convert_to_tensor():
    t, v = constant([1.0]), Variable([2.0])
    assert convert_to_tensor(t) is t
    assert convert_to_tensor(t, np.float64).dtype == np.float64
    assert convert_to_tensor(3).dtype == np.int32
    assert convert_to_tensor(v).value.tolist() == [2]
    with GradientTape() as tape:
        y = convert_to_tensor(v) * 3
    assert tape.gradient(y, v).tolist() == [3]
    assert "shape=(1,) dtype=float32" in repr(t)
    assert str(t) == "[1.]"


# Life


def test_variables_can_be_pickled_and_copied_deeply():
    v = Variable(np.arange(3.0), trainable=False, name="pickled")
    for other in (pickle.loads(pickle.dumps(v)), copy.deepcopy(v)):
        assert other.value.tolist() == [0, 1, 2]
        assert other.value is not v.value
        assert not other.trainable
        assert other.name != v.name


def test_variables_die():
    v = Variable(np.ones(3))
    with GradientTape() as tape:
        y = np.sum(v * v)
    tape.gradient(y, v)
    alive = weakref.ref(v)
    del v, tape
    gc.collect()
    assert alive() is None
