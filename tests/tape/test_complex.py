"""Complex numbers between real variables and a real loss: right where a derivative holds for them, else refused."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from complex_cases import OF_PARTS, complex_cases, on_parts
from tape_cases import CASES, draw

import steepest as st
from steepest.ops.dispatch import unwrap, weakened
from steepest.ops.registry import COMPLEX, COMPOSITES, PRIMITIVES
from steepest.testing import check_vjp

# What each function does with a complex number, to second order


def _function_of(entry):
    return next((function for function, primitive in PRIMITIVES.items() if primitive is entry), entry)


def _is_own(function):
    return (getattr(function, "__module__", None) or "").startswith("steepest")


def _name(function):
    owner = getattr(function, "__self__", None)
    return f"{owner.__name__}.{function.__name__}" if isinstance(owner, np.ufunc) else function.__name__


DECLARED = {_function_of(entry) for entry in COMPLEX}
PUBLIC = {f for f in (*PRIMITIVES, *COMPOSITES) if not _is_own(f)}
ALL = [*(case for case in CASES if not case[1].startswith(OF_PARTS)), *complex_cases()]


@functools.cache
def cases_of(function):
    """Give the cases of a function that NumPy evaluates for complex numbers, and the arrays."""
    found = []
    for case in ALL:
        if case[0] != function:  # a method of a ufunc is a new object each time
            continue
        _, _, f, shapes, low, high = case
        rng = np.random.default_rng(7)
        real = [draw(rng, shape, low, high) for shape in shapes]
        imaginary = [draw(rng, shape, low, high) / 2 for shape in shapes]
        try:
            value = f(*(a + b * 1j for a, b in zip(real, imaginary, strict=True)))
        except (TypeError, ValueError, np.exceptions.ComplexWarning):
            continue  # NumPy itself refuses
        found.append((case[1], f, [*real, *imaginary], value))
    return found


def _listed(y):
    return list(y) if isinstance(y, (list, tuple)) else [y]


OF_REAL_NUMBERS = {np.fft.rfft}  # NumPy has no other; what it gives is complex
PHASES = {np.linalg.eigh, np.linalg.svd, np.linalg.eig}


@pytest.mark.parametrize("function", sorted(DECLARED & PUBLIC, key=_name), ids=_name)
def test_a_function_that_is_declared_for_complex_numbers_is_right_for_them(function):
    checked = 0
    for _, f, arrays, value in cases_of(function):
        tensors = [st.constant(array) for array in arrays]
        half = len(arrays) // 2
        try:
            with st.GradientTape() as tape:
                tape.watch(tensors)
                y = f(*(a + b * 1j for a, b in zip(tensors[:half], tensors[half:], strict=True)))
            for got, expected in zip(_listed(y), _listed(value), strict=True):
                np.testing.assert_allclose(unwrap(got), expected, rtol=1e-10, atol=1e-12)
            check_vjp(on_parts(f), *arrays, order=2)
        except ValueError:  # of a case that depends on the phases
            if function not in PHASES:
                raise
            continue
        checked += 1
    assert checked or function in OF_REAL_NUMBERS


@pytest.mark.parametrize("function", sorted(PUBLIC - DECLARED, key=_name), ids=_name)
def test_any_other_function_refuses_them_at_the_call(function):
    for _, f, arrays, _ in cases_of(function):
        tensors = [st.constant(array) for array in arrays]
        half = len(arrays) // 2
        with st.GradientTape() as tape:
            tape.watch(tensors)
            with pytest.raises(TypeError, match=r"real on recorded values|ufunc"):
                f(*(a + b * 1j for a, b in zip(tensors[:half], tensors[half:], strict=True)))


# Between real numbers and a real loss

X = np.array([0.5, -1.2, 0.3, 2.0])
THROUGH = {  # and the gradient at X that JAX gives
    "spectrum": (
        lambda x: np.sum(np.abs(np.fft.fft(x * x)) ** 2 * np.arange(4.0)),
        [-19.119999999999997, 0.19200000000000442, -13.008, 163.51999999999998],
    ),
    "phase": (
        lambda x: np.sum(np.angle(np.exp(1j * x) + 0.5)),
        [0.6762563797603275, 0.7325786562931342, 0.6700420783173473, 0.949719466731028],
    ),
    "filter": (
        lambda x: np.sum(np.fft.irfft(np.fft.rfft(x) * np.array([1.0, 0.5j, -0.25]), 4) ** 3),
        [1.2646875000000004, 0.7228125000000004, 1.1446875000000003, 2.642812500000001],
    ),
    "impedance": (
        lambda x: np.abs(1 / (1 / (x[0] + 1j * x[1]) + 1 / (x[2] - 1j / x[3]))),
        [0.027930846611145768, -0.09217855673363605, 0.26455536190159673, -0.09975451543112941],
    ),
    "power": (
        lambda x: np.real(np.sum((x + 1j) ** (2 - 0.5j))),
        [2.774857310433871, -4.343509987309485, 2.1605137831815235, 5.714663445016563],
    ),
    "matrix": (
        lambda x: np.real(np.linalg.det(np.linalg.inv(np.outer(x, x) * 1j + np.diag([1.0, 2, 3, 4])))),
        [-0.0066666666666666645, 0.008, -0.0013333333333333322, -0.006666666666666663],
    ),
    "conjugate": (
        lambda x: np.imag(np.vdot(np.exp(1j * x), np.sqrt(x + 0.1j))),
        [-1.051957130354359, 0.8580418006996979, -0.9523369307786276, 0.2390539588714672],
    ),
}


@pytest.mark.parametrize("name", THROUGH)
def test_gradients_through_complex_numbers_are_jaxs(name):
    f, expected = THROUGH[name]
    (gradient,) = st.gradients_function(f)(X)
    assert gradient.dtype == np.float64
    np.testing.assert_allclose(gradient, expected, rtol=1e-12)
    check_vjp(f, X)


def test_single_precision_stays():
    v = st.Variable(np.array([0.5, -1.2], np.float32))
    with st.GradientTape() as tape:
        z = v * 1j + 2
        y = np.sum(np.abs(z))
    assert z.dtype == np.complex64
    assert y.dtype == np.float32
    gradient = tape.gradient(y, v)
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, v.numpy() / np.abs(v.numpy() * 1j + 2), rtol=1e-6)


def test_a_python_number_beside_scalars_takes_their_precision():
    """NumPy 2 does so by itself."""
    single, double = np.float32(2), np.float64(2)
    assert [type(value) for value in weakened([single, 3j])] == [np.float32, np.complex64]
    assert [type(value) for value in weakened([1 + 2j, double])] == [np.complex128, np.float64]
    assert [type(value) for value in weakened([np.complex64(1j), 0.5])] == [np.complex64, np.complex64]
    v = st.Variable(np.float32(0.5))
    with st.GradientTape() as tape:
        y = np.abs(v * 1j + (2 + 1j))
    assert tape.gradient(y, v).dtype == y.dtype == np.float32


def test_the_gradient_of_a_complex_number_is_that_of_its_parts():
    """dL/da - i dL/db of a + ib: a function with a complex derivative is differentiated as a real one."""
    a, b = st.constant(np.float64(0.3)), st.constant(np.float64(-0.7))
    with st.GradientTape(persistent=True) as tape:
        tape.watch([a, b])
        z = a + 1j * b
        y = np.real(z**3)
    assert tape.gradient(y, z) == pytest.approx(3 * (0.3 - 0.7j) ** 2)
    assert tape.gradient(y, z) == pytest.approx(tape.gradient(y, a) - 1j * tape.gradient(y, b))


def test_at_zero_the_size_and_the_angle_have_no_slope():
    for function in (np.abs, np.angle):
        a = st.Variable(np.zeros(2))
        with st.GradientTape() as tape:
            y = np.sum(function(a * (1 + 2j)))
        if function is np.abs:
            assert tape.gradient(y, a).tolist() == [0, 0]
        else:
            assert np.isfinite(tape.gradient(y, a)).all()


def test_rows_of_complex_numbers():
    v = st.Variable(np.arange(6.0).reshape(3, 2))
    with st.GradientTape() as tape:
        z = (v * (1 - 1j))[[2, 0, 2]]
        y = np.sum(np.abs(z) ** 2)
    np.testing.assert_allclose(tape.gradient(y, v), [[0, 4], [0, 0], [32, 40]])


def test_of_a_real_value_the_parts_are_itself_and_plain_zeros():
    v = st.Variable(np.array([1.0, -2.0]))
    with st.GradientTape() as tape:
        assert v.imag.tolist() == np.imag(v).tolist() == [0, 0]
        assert np.angle(v).tolist() == [0, np.pi]
        y = np.sum(v.real * v.real + np.imag(v))
    assert tape.gradient(y, v).tolist() == [2, -4]


# What is refused


def test_a_complex_target_needs_a_gradient_that_arrives_at_it():
    v = st.Variable(np.array([1.0, 2.0]))
    with st.GradientTape(persistent=True) as tape:
        z = v * (3 + 4j)
    with pytest.raises(TypeError, match=r"target must be real, .*np\.real"):
        tape.gradient(z, v)
    assert tape.gradient(z, v, np.array([1, 1j])).tolist() == [3, -4]
    assert tape.gradient(z, v, np.array([1.0, 2.0])).tolist() == [3, 6]
    with pytest.raises(TypeError, match="output_gradients must be real"):
        tape.gradient(v, v, np.array([1, 1j]))


@pytest.mark.parametrize("function", [st.jacobian, st.jvp], ids=["jacobian", "jvp"])
def test_the_jacobian_of_a_complex_value_is_refused(function):
    with pytest.raises(TypeError, match=rf"{function.__name__}: value must be real"):
        function(lambda x: x * 1j)(*[np.ones(2)] * (2 if function is st.jvp else 1))


def test_a_gradient_of_ones_own_must_be_real_for_a_real_argument():
    @st.custom_gradient
    def f(x):
        return x * 2, lambda g: g * 2j

    with pytest.raises(TypeError, match="gradient must be real, as argument 0"):
        st.gradients_function(f)(np.ones(2))


def test_ones_own_gradient_of_complex_numbers():
    @st.custom_gradient
    def size(z):
        value = np.abs(z)
        return value, lambda g: g * np.conjugate(z) / value

    check_vjp(lambda x: size(x * (1 + 2j) + 1j), X)


@pytest.mark.parametrize("of", ["eigh", "svd", "eig"])
def test_a_loss_that_depends_on_the_phases_of_vectors_is_refused(of):
    v = st.Variable(np.array([[2.0, 0.3], [0.1, 4.0]]))
    turn = np.array([[1.0, 0.5j], [-0.5j, 1.0]])
    with st.GradientTape(persistent=True) as tape:
        vectors = getattr(np.linalg, of)(v * turn)[0 if of == "svd" else 1]
        arbitrary, fixed = np.sum(np.imag(vectors) * [[1.0, 2.0], [3.0, 4.0]]), np.sum(np.abs(vectors) ** 3)
    with pytest.raises(ValueError, match=rf"linalg\.{of}: target must not depend on the phases .*np\.abs"):
        tape.gradient(arbitrary, v)
    assert np.isfinite(tape.gradient(fixed, v)).all()


def test_debug_names_what_makes_a_complex_number_that_is_not_finite():
    v = st.Variable(np.array([1.0, 0.0]))
    with st.debug(), np.errstate(all="ignore"):
        with st.GradientTape() as tape:
            y = np.sum(np.abs(1j / (v + 0j)))
        with pytest.raises(FloatingPointError, match=r"divide .*0j"):
            tape.gradient(y, v)


def test_a_full_decomposition_of_complex_numbers_is_square():
    x = st.constant(np.eye(3, 2))
    with st.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(ValueError, match="full_matrices must be False for complex values, got 3 x 2"):
            np.linalg.svd(x + 0.5j)
