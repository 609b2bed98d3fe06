"""``tf.contrib.factorization.WALSModel``: each side against the weighted least squares of the other one, in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.contrib.factorization import WALSModel

DRAWS = np.random.default_rng(3)
KNOWN = DRAWS.random((7, 5)) < 0.6
A = np.where(KNOWN, DRAWS.random((7, 5)), 0.0)
U, V = DRAWS.random((7, 3)), DRAWS.random((5, 3))
ROW_WEIGHTS, COL_WEIGHTS = DRAWS.random(7), DRAWS.random(5)


def sparse(matrix: Any, known: Any) -> Any:
    return tf.SparseTensor(np.argwhere(known), matrix[known].astype("f"), matrix.shape)


def weights_of(row_weights: Any, col_weights: Any, unobserved: float) -> Any:
    return unobserved + KNOWN * np.outer(row_weights, col_weights)


def solved(a: Any, weights: Any, fixed: Any, regularization: float) -> Any:
    """Return for each row the factors u that make ``sum_j w[j] (a[j] - u v[j])^2 + regularization u^2`` least."""
    eye = np.eye(fixed.shape[1])
    return np.stack(
        [
            np.linalg.solve((fixed.T * w) @ fixed + regularization * eye, (fixed.T * w) @ row)
            for row, w in zip(a, weights, strict=True)
        ]
    )


def loss_of(a: Any, weights: Any, left: Any, right: Any) -> float:
    return float(np.sum(weights * np.square(a - left @ right.T)))


def swept(model: Any, session: Any, rows: bool) -> None:
    session.run(model.row_update_prep_gramian_op if rows else model.col_update_prep_gramian_op)
    session.run(model.initialize_row_update_op if rows else model.initialize_col_update_op)


def begun(model: Any) -> Any:
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    session.run(model.initialize_op)
    session.run(model.worker_init)
    return session


@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_each_side_is_the_least_squares_of_the_other(shards, cached, weighted):
    given = {}
    for key, values in {"row_weights": ROW_WEIGHTS, "col_weights": COL_WEIGHTS}.items():
        parts = [part.tolist() for part in np.array_split(values, shards)]
        given[key] = (parts if shards > 1 else parts[0]) if weighted else None
    for key, factors in {"row_init": U, "col_init": V}.items():
        given[key] = np.array_split(factors.astype("f"), shards) if shards > 1 else factors.astype("f")
    model = WALSModel(
        7,
        5,
        3,
        unobserved_weight=0.2,
        regularization=0.05,
        num_row_shards=shards,
        num_col_shards=shards,
        use_factors_weights_cache=cached,
        use_gramian_cache=cached,
        **given,
    )
    weights = weights_of(ROW_WEIGHTS, COL_WEIGHTS, 0.2) if weighted else np.full((7, 5), 0.2)
    row_values, row_step, row_loss, row_penalty, total = model.update_row_factors(sparse(A, KNOWN))
    _, col_step, *col_losses = model.update_col_factors(sparse(A.T, KNOWN.T), transpose_input=True)
    with begun(model) as session:
        swept(model, session, rows=True)
        found = session.run([row_values, row_loss, row_penalty, total])
        session.run(row_step)
        left = solved(A, weights, V, 0.05)
        penalty = 0.05 * (np.sum(left**2) + np.sum(V**2))
        for got, want in zip(found, (left, loss_of(A, weights, left, V), penalty, weights.sum()), strict=True):
            np.testing.assert_allclose(got, want, rtol=2e-4, atol=2e-4)
        np.testing.assert_allclose(np.concatenate(session.run(model.row_factors)), left, rtol=2e-4, atol=2e-4)
        swept(model, session, rows=False)
        losses = session.run(col_losses)
        session.run(col_step)
        right = solved(A.T, weights.T, left, 0.05)
        np.testing.assert_allclose(np.concatenate(session.run(model.col_factors)), right, rtol=2e-3, atol=2e-3)
        np.testing.assert_allclose(losses[0], loss_of(A, weights, left, right), rtol=2e-3)


def test_parts_of_the_rows_change_these_alone_and_count_for_all():
    model = WALSModel(7, 5, 3, 0.2, row_init=U.astype("f"), col_init=V.astype("f"), row_weights=2.0, col_weights=0.5)
    some = np.arange(7) >= 4
    values, step, loss, penalty, _ = model.update_row_factors(sparse(A, KNOWN & some[:, None]))
    weights = weights_of(np.full(7, 2.0), np.full(5, 0.5), 0.2)[some]
    with begun(model) as session:
        swept(model, session, rows=True)
        found = session.run([values, loss, penalty])
        session.run(step)
        left = solved(A[some], weights, V, 0.0)
        np.testing.assert_allclose(found[0], left, rtol=2e-4, atol=2e-4)
        np.testing.assert_allclose(found[1], loss_of(A[some], weights, left, V) * 7 / 3, rtol=2e-4)
        assert found[2] == 0
        after = session.run(model.row_factors[0])
    np.testing.assert_array_equal(after[~some], U[~some].astype("f"))
    np.testing.assert_allclose(after[some], left, rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("given", [None, 0.3, [0.5, 1.0, 2.0]])
def test_projections_have_weights_of_their_own_and_write_nothing(given):
    model = WALSModel(
        7, 5, 3, 0.2, 0.1, U.astype("f"), V.astype("f"), row_weights=4.0, col_weights=COL_WEIGHTS.tolist()
    )
    some = np.arange(7) >= 4
    projected = model.project_row_factors(sparse(A, KNOWN & some[:, None]), projection_weights=given)
    row_weights = np.broadcast_to(1.0 if given is None else given, 3)
    of_elements = 0.2 + KNOWN[some] * np.outer(row_weights, COL_WEIGHTS)
    with begun(model) as session:
        swept(model, session, rows=True)
        np.testing.assert_allclose(session.run(projected), solved(A[some], of_elements, V, 0.1), rtol=2e-4, atol=2e-4)
        np.testing.assert_array_equal(session.run(model.row_factors[0]), U.astype("f"))


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="row_weights must be None where col_weights is"):
        WALSModel(7, 5, 3, row_weights=None)
    with pytest.raises(ValueError, match="row_weights must be None, a number that is not negative"):
        WALSModel(7, 5, 3, row_weights=-1)
    with pytest.raises(ValueError, match="col_init must have 2 shards, got 3"):
        WALSModel(7, 5, 3, num_col_shards=2, col_init=[V, V, V])
    with pytest.raises(TypeError, match="sp_input must be a SparseTensor"):
        WALSModel(7, 5, 3).update_row_factors(A)
