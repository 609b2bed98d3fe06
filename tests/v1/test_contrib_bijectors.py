"""Bijectors: inverses give places back, what they stretch is what differences say, and wrong values are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

bs = tf.contrib.distributions.bijectors
SHARES, POSITIVE, ANY = [0.2, 0.5, 0.9], [0.3, 1.0, 2.5], [-1.5, 0.25, 2.0]
LOWER = np.array([[1.5, 0.0, 0.0], [0.5, 2.0, 0.0], [-1.0, 0.3, 0.7]])

NUMBERS: dict[str, tuple[Any, Any]] = {
    "Exp": (lambda: bs.Exp(validate_args=True), ANY),
    "Gumbel": (lambda: bs.Gumbel(np.float64(0.5), np.float64(2.0), validate_args=True), ANY),
    "Kumaraswamy": (lambda: bs.Kumaraswamy(np.float64(2.0), np.float64(0.5), validate_args=True), SHARES),
    "PowerTransform": (lambda: bs.PowerTransform(np.float64(0.5), validate_args=True), ANY),
    "Sigmoid": (bs.Sigmoid, ANY),
    "SinhArcsinh": (lambda: bs.SinhArcsinh(np.float64(0.5), np.float64(2.0), validate_args=True), ANY),
    "Softplus": (lambda: bs.Softplus(np.float64(0.7), validate_args=True), ANY),
    "Softsign": (lambda: bs.Softsign(validate_args=True), ANY),
    "Square": (lambda: bs.Square(validate_args=True), POSITIVE),
    "AffineScalar": (lambda: bs.AffineScalar(np.float64(1.0), np.float64(-3.0), validate_args=True), ANY),
}
EVENTS: dict[str, tuple[Any, Any]] = {
    "Affine": (lambda: bs.Affine(np.array([1.0, 2.0, 3.0]), scale_tril=LOWER, scale_diag=np.ones(3)), ANY),
    "Affine, an update": (
        lambda: bs.Affine(scale_tril=LOWER, scale_perturb_factor=np.array([[1.0], [0.5], [0.0]])),
        ANY,
    ),
    "Ordered": (lambda: bs.Ordered(validate_args=True), POSITIVE),
    "Permute": (lambda: bs.Permute([2, 0, 1]), ANY),
    "SoftmaxCentered": (bs.SoftmaxCentered, ANY),
    "Chain": (lambda: bs.Chain([bs.Exp(), bs.Affine(scale_diag=np.array([1.0, 2.0, 3.0]))]), ANY),
    "ScaleTriL": (lambda: bs.ScaleTriL(diag_shift=None), ANY),
}


@pytest.fixture(autouse=True)
def session() -> Any:
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def run(what: Any, feeds: Any = None) -> Any:
    return tf.get_default_session().run(what, feeds)


@pytest.mark.parametrize("name", NUMBERS)
def test_functions_of_numbers(name: str) -> None:
    make, places = NUMBERS[name]
    bijector, x = make(), np.array(places)
    y = run(bijector.forward(x))
    np.testing.assert_allclose(run(bijector.inverse(y)), x, rtol=1e-9)
    slope = (run(bijector.forward(x + 1e-6)) - run(bijector.forward(x - 1e-6))) / 2e-6
    logs = run([bijector.forward_log_det_jacobian(x, 0), bijector.inverse_log_det_jacobian(y, 0)])
    for got, want in zip(logs, (np.log(abs(slope)), -np.log(abs(slope))), strict=True):
        np.testing.assert_allclose(got + 0 * want, want, rtol=1e-6)


@pytest.mark.parametrize("name", EVENTS)
def test_functions_of_vectors(name: str) -> None:
    make, place = EVENTS[name]
    bijector, x = make(), np.array(place)
    y = run(bijector.forward(x))
    np.testing.assert_allclose(run(bijector.inverse(y)), x, rtol=1e-6, atol=1e-9)
    fed = tf.placeholder(tf.float64)
    np.testing.assert_allclose(run(bijector.forward(fed), {fed: [x, x]}), [y, y])
    steps = np.eye(3) * 1e-6
    parts = [(run(bijector.forward(x + step)) - run(bijector.forward(x - step))).ravel() / 2e-6 for step in steps]
    jacobian = np.array(parts)[:, np.abs(parts).any(0)][:, :3]  # of shares that sum to 1, the first three
    log = np.linalg.slogdet(jacobian)[1]
    np.testing.assert_allclose(run(bijector.forward_log_det_jacobian(x, 1)), log, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(run(bijector.inverse_log_det_jacobian(y, y.ndim)), -log, rtol=1e-5, atol=1e-8)


def test_products_of_cholesky_factors_and_inverses_of_triangles() -> None:
    for bijector, want in (
        (bs.CholeskyOuterProduct(validate_args=True), LOWER @ LOWER.T),
        (bs.MatrixInverseTriL(validate_args=True), np.tril(np.linalg.inv(LOWER))),
    ):
        places = np.tril_indices(3)
        np.testing.assert_allclose(run(bijector.forward(LOWER)), want, atol=1e-12)
        np.testing.assert_allclose(run(bijector.inverse(want)), LOWER, atol=1e-12)
        rows = []
        for row, column in zip(*places, strict=True):
            step = np.zeros((3, 3))
            step[row, column] = 1e-6
            rows.append((run(bijector.forward(LOWER + step)) - run(bijector.forward(LOWER - step)))[places] / 2e-6)
        log = np.linalg.slogdet(np.array(rows))[1]
        if isinstance(bijector, bs.MatrixInverseTriL):
            log *= 6 / 4  # TensorFlow's is that of all 3 x 3 matrices, not of triangles
        np.testing.assert_allclose(run(bijector.forward_log_det_jacobian(LOWER, 2)), log, rtol=1e-6)
        np.testing.assert_allclose(run(bijector.inverse_log_det_jacobian(want, 2)), -log, rtol=1e-6)


def test_what_is_not_one_to_one_has_two_places() -> None:
    y = tf.constant([0.5, 2.0])
    size = bs.AbsoluteValue()
    assert [place.tolist() for place in run(size.inverse(y))] == [[-0.5, -2.0], [0.5, 2.0]]
    normal = tf.distributions.Normal(1.0, 1.0)
    np.testing.assert_allclose(*run([size(normal).prob(y), normal.prob(y) + normal.prob(-y)]), rtol=1e-6)
    for refused in (lambda: bs.Invert(size), lambda: bs.Chain([size]), lambda: size.forward_log_det_jacobian(y, 0)):
        with pytest.raises(NotImplementedError, match="njective"):
            refused()


def test_functions_and_conditions_of_a_program_s_own() -> None:
    double = bs.Inline(lambda x: 2 * x, lambda y: y / 2, forward_min_event_ndims=0)
    assert run(bs.Invert(double).forward(3.0)) == 1.5
    with pytest.raises(NotImplementedError, match="forward_log_det_jacobian_fn is not a callable"):
        double.forward_log_det_jacobian(1.0, 0)

    class Shifted(bs.ConditionalBijector):
        def __init__(self) -> None:
            super().__init__(forward_min_event_ndims=0, name="shifted")

        def _forward(self, x: Any, by: float) -> Any:
            return x + by

        def _inverse(self, y: Any, by: float) -> Any:
            return y - by

    shifted, x = Shifted(), tf.constant(1.0)
    assert run([shifted.forward(x, by=2.0), shifted.forward(x, by=3.0), shifted.inverse(x, by=1.0)]) == [3, 4, 0]


def test_shapes_of_events() -> None:
    triangle, centered = bs.FillTriangular(validate_args=True), bs.SoftmaxCentered(validate_args=True)
    assert triangle.forward_event_shape([5, 6]).as_list() == [5, 3, 3]
    assert run(triangle.inverse_event_shape_tensor([5, 3, 3])).tolist() == [5, 6]
    assert centered.inverse_event_shape(centered.forward_event_shape([4])).as_list() == [4]
    chain = bs.Chain([bs.Affine(), bs.Reshape([3], [3, 1]), triangle])
    assert (chain.forward_min_event_ndims, chain.inverse_min_event_ndims) == (1, 2)
    column, rows = bs.Reshape([3, 1], [3]), tf.placeholder(tf.float32, [None, None])
    assert run(column.forward(rows), {rows: [[1, 2, 3], [4, 5, 6]]}).tolist() == [[[1], [2], [3]], [[4], [5], [6]]]
    with pytest.raises(ValueError, match="does not match `event_shape_in`"):
        column.forward([1.0, 2.0])
    with pytest.raises(ValueError, match="not a triangular number"):
        triangle.forward_event_shape([5])
    with pytest.raises(tf.errors.InvalidArgumentError, match="not a triangular number"):
        run(triangle.forward_event_shape_tensor([5]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bs.Softsign(validate_args=True).inverse(2.0), "less than 1"),
        (lambda: bs.Ordered(validate_args=True).forward([2.0, 1.0]), "strictly increasing"),
        (lambda: bs.PowerTransform(2.0, validate_args=True).forward(-1.0), "at least -0.5"),
        (lambda: bs.Affine(scale_diag=[1.0, 0.0], validate_args=True).forward([1.0, 1.0]), "must be non-zero"),
    ],
)
def test_values_outside_are_refused_in_a_run(make: Any, message: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        run(make())
