"""Linear operators follow the variables that they are made of, and refuse what does not fit in TensorFlow's words."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.eager.context import eager_mode
from steepest.v1.python.ops.linalg import linear_operator_circulant, linear_operator_test_util

import steepest.v1 as tf

linalg = tf.linalg


def _identity():
    return linalg.LinearOperatorIdentity(2)


MADE = {
    "diag": ([1.0, 2.0], [3.0, 4.0], linalg.LinearOperatorDiag),
    "full": (np.eye(2), [[1.0, 2.0], [3.0, 4.0]], linalg.LinearOperatorFullMatrix),
    "lower": (np.eye(2), [[1.0, 2.0], [3.0, 4.0]], linalg.LinearOperatorLowerTriangular),
    "scaled": (1.0, 3.0, lambda v: linalg.LinearOperatorScaledIdentity(2, v)),
    "reflection": ([1.0, 0.0], [3.0, 4.0], linalg.LinearOperatorHouseholder),
    "columns": ([[1.0], [0.0]], [[3.0], [4.0]], lambda v: linalg.LinearOperatorLowRankUpdate(_identity(), v)),
    "weights": (
        [1.0],
        [5.0],
        lambda v: linalg.LinearOperatorLowRankUpdate(_identity(), np.ones((2, 1), np.float32), v),
    ),
    "adjoint": ([1.0, 2.0], [3.0, 4.0], lambda v: linalg.LinearOperatorDiag(v).adjoint()),
    "block": ([1.0, 2.0], [3.0, 4.0], lambda v: linalg.LinearOperatorBlockDiag([linalg.LinearOperatorDiag(v)])),
}


@pytest.mark.parametrize("name", MADE)
def test_operators_follow_variables(name):
    with eager_mode():
        start, later, make = MADE[name]
        variable = tf.Variable(start, dtype=tf.float32)
        operator = make(variable)
        variable.assign(later)
        expected = make(tf.constant(later, tf.float32)).to_dense().numpy()
        np.testing.assert_allclose(np.asarray(operator.to_dense()), expected, rtol=1e-6)
        assert [each is variable for each in operator.variables] == [True]
        assert len(operator.trainable_variables) == 1
        assert make(tf.constant(start, tf.float32)).variables == ()
        with tf.GradientTape() as tape:
            told = operator.matmul(tf.ones([2, 2]))
        assert tape.gradient(told, variable) is not None


def test_tapes_reach_variables_of_operators():
    with eager_mode():
        case = linear_operator_test_util.SquareLinearOperatorDerivedClassTest()
        case.check_tape_safe(linalg.LinearOperatorDiag(tf.Variable([1.0, 2.0]), is_positive_definite=True))
        with pytest.raises(AssertionError, match="was empty"):
            case.check_tape_safe(linalg.LinearOperatorDiag([1.0, 2.0]))


@pytest.fixture
def graph():
    with tf.Graph().as_default():
        yield


REFUSED = [
    (lambda: linalg.LinearOperatorIdentity(2, batch_shape=2), ValueError, "batch_shape must be a 1-D Tensor"),
    (lambda: linalg.LinearOperatorIdentity(2, batch_shape=[2.0]), TypeError, "batch_shape must be integer type"),
    (lambda: linalg.LinearOperatorZeros(2, batch_shape=[-2]), ValueError, "batch_shape must be non-negative"),
    (lambda: linalg.LinearOperatorZeros(2, num_columns=3), ValueError, r"num_rows\(2\) != num_columns\(3\)"),
    (lambda: linalg.LinearOperatorScaledIdentity(2, 1.0, is_self_adjoint=False), ValueError, "always self adjoint"),
    (lambda: linalg.LinearOperatorFullMatrix([[1, 2]]), TypeError, "must have dtype in"),
    (lambda: linalg.LinearOperatorFullMatrix(np.eye(2), is_square=False).is_square, ValueError, "was square"),
    (
        lambda: linalg.LinearOperatorFullMatrix(np.eye(2), is_square=False, is_self_adjoint=True),
        ValueError,
        "always sq",
    ),
    (lambda: linalg.LinearOperatorFullMatrix(np.eye(2)).assert_positive_definite(), NotImplementedError, "implemented"),
    (lambda: linalg.LinearOperatorFullMatrix(np.eye(2)).matmul(np.eye(2, dtype="f")), TypeError, "to have dtype"),
    (lambda: linalg.LinearOperatorBlockDiag([]), ValueError, "non-empty list of operators"),
    (lambda: linalg.LinearOperatorKronecker([]), ValueError, "list of >=1 operators"),
    (
        lambda: linalg.LinearOperatorInversion(linalg.LinearOperatorDiag([0.0], is_non_singular=False)),
        ValueError,
        "`is_non_singular` equal to `True` or `None`.  Found False, None",
    ),
    (
        lambda: linalg.LinearOperatorLowRankUpdate(_identity(), np.ones((5, 2, 1)), v=np.ones((4, 2, 1))),
        ValueError,
        r"Incompatible shapes for broadcasting: \(5, 2, 1\) and \(4, 2, 1\)",
    ),
]


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize(("make", "error", "words"), REFUSED)
def test_operators_are_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()


FED = [
    (lambda n: linalg.LinearOperatorIdentity(n, assert_proper_shapes=True), [2], "num_rows must be a 0-D"),
    (lambda n: linalg.LinearOperatorScaledIdentity(n, 2.0, assert_proper_shapes=True), -2, "must be non-negative"),
    (lambda n: linalg.LinearOperatorIdentity(2, n, assert_proper_shapes=True), 2, "batch_shape must be a 1-D"),
    (lambda n: linalg.LinearOperatorZeros(2, batch_shape=n, assert_proper_shapes=True), [-2], "must be non-negative"),
]


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize(("make", "fed", "words"), FED)
def test_sizes_are_checked_in_runs(make, fed, words):
    size = tf.placeholder(tf.int32)
    dense = make(size).to_dense()
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=words):
        session.run(dense, {size: fed})


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize(
    "make",
    [
        lambda n: linalg.LinearOperatorIdentity(n, assert_proper_shapes=True),
        lambda n: linalg.LinearOperatorScaledIdentity(n, 2.0, assert_proper_shapes=True),
    ],
)
def test_rows_of_arguments_are_checked_in_runs(make):
    size, x = tf.placeholder(tf.int32), tf.placeholder(tf.float32)
    product = make(size).matmul(x)
    with tf.Session() as session:
        assert session.run(product, {size: 3, x: np.ones((3, 2))}).shape == (3, 2)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Dimensions are not compatible"):
            session.run(product, {size: 2, x: np.ones((3, 2))})


@pytest.mark.usefixtures("graph")
def test_asserts_of_diagonals_say_what_is_wrong():
    fed = tf.placeholder_with_default([1.0, -2.0], [2])
    real = linalg.LinearOperatorDiag(fed).assert_positive_definite()
    both = linalg.LinearOperatorDiag(tf.complex(fed, fed)).assert_positive_definite()
    with tf.Session() as session:
        for check, words in ((real, "non-positive diagonal entries"), (both, "non-positive real part")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                session.run(check)


@pytest.mark.usefixtures("graph")
def test_spectra_become_complex():
    assert linear_operator_circulant._to_complex(tf.constant([1.0])).dtype == tf.complex64


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize("batch", [(), [], tf.TensorShape([]), np.array([], np.int32), [3], tf.TensorShape([3])])
def test_shapes_of_batches(batch):
    with tf.Session() as session:
        for make in (linalg.LinearOperatorIdentity, linalg.LinearOperatorZeros):
            assert session.run(make(2, batch_shape=batch).to_dense()).shape == (*np.array(batch, int), 2, 2)


@pytest.mark.usefixtures("graph")
def test_a_spectrum_of_nothing_is_a_matrix_of_nothing():
    dense = linalg.LinearOperatorCirculant(tf.placeholder_with_default(tf.zeros([0]), None)).to_dense()
    with tf.Session() as session:
        assert session.run(dense).shape == (0, 0)


def test_a_product_with_its_own_adjoint_is_known_to_be_self_adjoint():
    wide = tf.linalg.LinearOperatorFullMatrix(tf.placeholder_with_default(np.ones((2, 3)), None), is_square=False)
    hints = dict.fromkeys(("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square"), True)
    definite = tf.linalg.LinearOperatorFullMatrix(tf.placeholder_with_default(np.eye(2), None), **hints)
    product = wide.matmul(wide, adjoint_arg=True)
    assert (product.is_square, product.is_self_adjoint, product.is_positive_definite) == (True, True, None)
    assert wide.matmul(tf.linalg.LinearOperatorFullMatrix(np.ones((3, 2)))).is_self_adjoint is None
    square = definite.matmul(definite)
    assert (square.is_self_adjoint, square.is_positive_definite, square.is_non_singular) == (True, True, True)


def test_three_diagonals_follow_variables():
    with tf.Graph().as_default(), tf.Session() as session:
        middle = tf.Variable([2.0, 4.0])
        operator = tf.linalg.LinearOperatorTridiag([[1.0, 0.0], middle, [0.0, 1.0]], diagonals_format="sequence")
        assert operator.variables == (middle,)
        session.run(middle.initializer)
        before = session.run(operator.to_dense())
        session.run(middle.assign([5.0, 6.0]))
        np.testing.assert_array_equal(session.run(operator.to_dense()) - before, [[3.0, 0.0], [0.0, 2.0]])
