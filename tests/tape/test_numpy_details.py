"""What the catalogue of rules cannot say: which kind of gradient, what is refused, points where care is needed."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import scipy.special

import steepest as st
from steepest.ops import registry
from steepest.testing import check_vjp


def gradient(f, *args):
    gradients = st.gradients_function(f)(*(np.array(a, float) for a in args))
    return gradients[0] if len(args) == 1 else gradients


ROWS = {
    "ids": lambda x: x[np.array([1, 1])],
    "list": lambda x: x[[0, 1]],
    "take": lambda x: np.take(x, [0, 1], axis=0),
    "method": lambda x: x.take([0, 1], axis=0),
    "gather": lambda x: st.gather(x, [0, 1]),
    "lookup": lambda x: st.nn.embedding_lookup(x, [0, 1]),
}
ARRAYS = {
    "sort": np.sort,
    "sort rows": lambda x: np.sort(x, axis=0),
    "partition": lambda x: np.partition(x, 1, axis=0),
    "unique": np.unique,
    "take_along_axis": lambda x: np.take_along_axis(x, np.argsort(x, axis=0), 0),
    "repeat": lambda x: np.repeat(x, 2, axis=0),
    "delete": lambda x: np.delete(x, 0, axis=0),
    "compress": lambda x: np.compress([True, False, True], x, axis=0),
    "insert": lambda x: np.insert(x, 0, 1.0, axis=0),
    "slice": lambda x: x[1:],
    "row": lambda x: x[1],
    "mask": lambda x: x[x > 0],
    "median": lambda x: np.median(x, axis=0),
    "maximum so far": np.maximum.accumulate,
    "diff": lambda x: np.diff(x, axis=0),
}


@pytest.mark.parametrize("shape", [(3,), (3, 2)])
@pytest.mark.parametrize("name", [*ROWS, *ARRAYS])
def test_reading_rows_gives_slices_and_all_else_gives_arrays(name, shape):
    v = st.Variable(np.random.default_rng(0).standard_normal(shape))
    with st.GradientTape() as tape:
        y = np.sum((ROWS | ARRAYS)[name](v))
    assert type(tape.gradient(y, v)) is (st.IndexedSlices if name in ROWS else np.ndarray)


LISTS = {
    "matmul": lambda x, b: x @ b,
    "matmul from the left": lambda x, b: b @ x,
    "dot": lambda x, b: np.dot(x, b),
    "dot from the left": lambda x, b: np.dot(b, x),
    "power": lambda x, b: x**b,
    "np.power": lambda x, b: np.power(x, b),
    "base": lambda x, b: b**x,
    "np.float_power": lambda x, b: np.float_power(b, x),
    "arctan2": lambda x, b: np.arctan2(x, b),
    "arctan2 from the left": lambda x, b: np.arctan2(b, x),
    "multiply": lambda x, b: b * x,
    "divide": lambda x, b: b / x + x / b,
    "hypot": lambda x, b: np.hypot(x, b) + np.hypot(b, x),
    "maximum": lambda x, b: np.maximum(x, b) + np.minimum(b, x),
    "logaddexp": lambda x, b: np.logaddexp(b, x) + np.logaddexp2(x, b),
    "remainder": lambda x, b: np.remainder(b, x) + np.fmod(x, b),
    "where": lambda x, b: np.where([True, False, True], x, b),
    "concatenate": lambda x, b: np.concatenate([x, b]),
    "inner": lambda x, b: np.inner(b, x) + np.vdot(x, b) + np.sum(np.outer(b, x)),
    "einsum": lambda x, b: np.einsum("i,i->i", x, b),
    "average": lambda x, b: np.average(x, weights=b),
    "interp": lambda x, b: np.interp(b, x, [1.0, 3.0, 2.0]),
    "convolve": lambda x, b: np.convolve(b, x),
    "kron": lambda x, b: np.kron(b, x),
    "cross": lambda x, b: np.cross(x, b),
    "clip": lambda x, b: np.clip(x, 0, b),
    "diff": lambda x, b: np.diff(x, prepend=b),
    "polyval": lambda x, b: np.polyval(b, x),
}


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_an_array(name, kind):
    b = [0.31, 2.0, 1.3]
    x = np.array([0.5, 0.7, 1.9])
    f = LISTS[name]
    check_vjp(lambda x: f(x, kind(b)), x)
    np.testing.assert_array_equal(gradient(lambda x: f(x, kind(b)), x), gradient(lambda x: f(x, np.array(b)), x))


REFUSED = {
    "softmax of SciPy": (lambda x: scipy.special.softmax(x), "steepest.nn"),
    "logsumexp of SciPy": (lambda x: scipy.special.logsumexp(x), "steepest.nn"),
    "the order of a Bessel function": (lambda x: scipy.special.jv(x, 1.0), None),
    "SciPy without a rule": (lambda x: scipy.special.sici(x), "sici"),
    "edges from the values": (lambda x: np.histogram(x, 4), "range="),
    "recorded edges": (lambda x: np.histogram([1.0], x), "edges"),
    "the level of a quantile": (lambda x: np.quantile([1.0, 2.0], x), "stop_gradient"),
    "complex": (lambda x: np.sign(x * 1j), "np.real"),
    "a value to fill with": (lambda x: np.full_like([1.0, 1.0], x[0]), "copyto"),
    "at": (lambda x: np.add.at(np.zeros(3), [0, 1, 2], x), "add.at"),
    "out of a reduction": (lambda x: np.sum(x, out=np.zeros(())), "out"),
    "out of a method of a ufunc": (lambda x: np.add.reduce(x, out=np.zeros(())), "out"),
}


@pytest.mark.parametrize("name", [name for name, (_, words) in REFUSED.items() if words])
def test_what_has_no_derivative_is_refused_at_the_call(name):
    f, words = REFUSED[name]
    v = st.Variable(np.array([0.1, 0.5, 0.9]))
    with st.GradientTape(), pytest.raises(TypeError, match=words):
        f(v)


def test_what_has_one_argument_without_a_derivative_is_refused_by_gradient():
    v = st.Variable(np.float64(1.0))
    with st.GradientTape() as tape:
        y = scipy.special.jv(v, 1.0)
    with pytest.raises(TypeError, match="position 0"):
        tape.gradient(y, v)


def test_a_histogram_of_values_in_given_bins_is_plain_counts():
    v = st.Variable(np.array([0.1, 0.5, 0.9]))
    with st.GradientTape():
        counts, edges = np.histogram(v, [0.0, 0.5, 1.0])
    assert type(counts) is type(edges) is np.ndarray
    assert counts.tolist() == [1, 2]


def test_what_was_detached_in_silence_has_its_gradient():
    x = [3.0, 1.0, 2.0]
    assert gradient(lambda x: np.bincount([0, 1, 1], weights=x)[1], x).tolist() == [0, 1, 1]
    assert gradient(lambda x: np.histogram([0.1, 0.2, 0.9], 2, (0, 1), weights=x)[0][0], x).tolist() == [1, 1, 0]
    assert gradient(lambda x: np.unique(x)[0] * 2, x).tolist() == [0, 2, 0]
    assert gradient(lambda x: np.nextafter(x, 9), x).tolist() == [1, 1, 1]
    assert gradient(lambda x: np.full_like(x, x[0]), x).tolist() == [3, 0, 0]


def test_slices_become_a_tensor():
    slices = st.IndexedSlices(np.array([[1.0], [2.0]]), [2, 2], (3, 1))
    assert st.convert_to_tensor(slices).numpy().tolist() == [[0], [0], [3]]
    assert st.convert_to_tensor(slices).dtype == np.float64
    v = st.Variable(np.array([[1.0], [2.0]]))
    with st.GradientTape(persistent=True) as tape:
        with st.GradientTape() as inner:
            y = np.sum(v[[0, 0]] ** 2)
        dense = st.convert_to_tensor(inner.gradient(y, v))
        z = np.sum(dense)
    assert dense.numpy().tolist() == [[4], [0]]
    assert np.asarray(tape.gradient(z, v)).tolist() == [[4], [0]]


# Points where care is needed


@pytest.mark.parametrize("order", [None, 1, 2, 3, 1.5, np.inf])
def test_the_norm_of_nothing_has_no_slope(order):
    assert np.all(gradient(lambda x: np.linalg.norm(x, order), np.zeros(3)) == 0) or order == np.inf
    assert np.all(np.isfinite(gradient(lambda x: np.linalg.norm(x, order), np.zeros(3))))


def test_beside_a_zero():
    assert gradient(lambda x: np.cumprod(x)[2], [2.0, 0.0, 3.0]).tolist() == [0, 6, 0]
    assert gradient(lambda x: np.cumprod(x)[2], [0.0, 0.0, 3.0]).tolist() == [0, 0, 0]
    assert gradient(np.sinc, 0.0) == 0
    check_vjp(np.sinc, np.array([0.0, 0.04, 0.149, 0.151, 1.0]), order=3)
    assert gradient(scipy.special.xlogy, 0.0, 0.0) == [0, 0]
    assert gradient(lambda x: np.std(x, where=[True, True, False]), [2.0, 2.0, 5.0]).tolist() == [0, 0, 0]
    assert gradient(lambda x: np.linalg.svd(x, compute_uv=False)[0], [[2.0, 0.0], [0.0, 0.0]]).tolist() == [
        [1, 0],
        [0, 0],
    ]


def test_what_is_left_out_may_be_a_nan():
    x = [1.0, np.nan, 3.0]
    for f in (np.nansum, np.nanmean, np.nanprod, np.nanstd, np.nanmax, np.nanmedian, np.nancumsum):
        slope = gradient(f, x)
        assert np.all(np.isfinite(slope))
        assert slope[1] == 0
    assert np.isnan(st.value_and_gradients_function(np.median)(np.array(x))[0])
    with np.errstate(invalid="ignore"):
        assert np.isnan(st.value_and_gradients_function(np.nanmean)(np.array([np.nan]))[0])


def test_ties_of_an_order_go_to_the_first():
    assert gradient(lambda x: np.median(x), [2.0, 1.0, 2.0, 2.0]).tolist() == [0.5, 0, 0.5, 0]
    assert gradient(lambda x: np.maximum.accumulate(x)[-1], [2.0, 5.0, 1.0]).tolist() == [0, 1, 0]


@pytest.mark.parametrize("name", ["eigh", "svd", "qr", "slogdet"])
def test_parts_have_numpys_names(name):
    function = getattr(np.linalg, name)
    v = st.Variable(np.diag([1.0, 2.0]))
    with st.GradientTape():
        parts = function(v)
    assert type(parts) is type(function(np.eye(2)))
    for part, plain in zip(parts, function(v.numpy()), strict=True):
        np.testing.assert_allclose(np.asarray(getattr(part, "value", part)), plain)


def test_float32_stays():
    x = np.array([[2.0, 0.5], [0.5, 1.0]], np.float32)
    calls = [
        np.linalg.cholesky, np.linalg.norm, np.linalg.pinv, np.cumprod, np.sinc, np.median, np.cov, np.nanmean,
        lambda x: np.linalg.eigh(x)[1], lambda x: np.linalg.svd(x)[0], lambda x: np.linalg.qr(x)[0],
        lambda x: np.linalg.slogdet(x)[1], lambda x: np.pad(x, 1, "linear_ramp"), lambda x: np.average(x, weights=x),
        lambda x: np.interp(x, [0, 1], [0, 1]), scipy.special.expit, lambda x: np.sum(x, where=x > 1),
    ]  # fmt: skip
    for f in calls:
        (slope,) = st.gradients_function(f)(x)
        assert slope.dtype == np.float32
        assert np.all(np.isfinite(slope))


def test_functions_of_modules_that_are_imported_late_have_their_rules():
    # In a process of its own: here something may have declared them already.
    program = """
import numpy as np, steepest as st
for function in (np.fft.fftshift, np.fft.ifftshift):
    (gradient,) = st.gradients_function(lambda x: np.sum(function(x) * [1.0, 2.0, 3.0]))(np.zeros(3))
    print(gradient)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[2. 3. 1.]", "[3. 1. 2.]"]


def test_two_threads_may_need_rules_that_are_declared_late(monkeypatch):
    rule, declaring, gradients = registry.COMPOSITES[np.copysign], threading.Event(), []

    def declare():
        declaring.set()
        time.sleep(0.1)  # the other thread comes now
        registry.COMPOSITES[np.copysign] = rule

    def differentiate():
        gradients.append(float(gradient(lambda x: np.copysign(x, -1.0), 2.0)))

    monkeypatch.delitem(registry.COMPOSITES, np.copysign)
    monkeypatch.setitem(registry.LATE_RULES, "numpy", declare)
    first, second = (threading.Thread(target=differentiate) for _ in range(2))
    first.start()
    assert declaring.wait(60)
    second.start()
    first.join()
    second.join()
    assert gradients == [-1.0, -1.0]
