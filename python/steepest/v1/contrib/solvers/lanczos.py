"""``tf.contrib.solvers.lanczos``: the bidiagonal form of an operator by Golub, Kahan and Lanczos' steps.

Source: Björck, Numerical Methods for Least Squares Problems, section 7.6.1; Daniel et al., Reorthogonalization and
stable algorithms for updating the Gram-Schmidt QR factorization, 1976 (when to orthogonalize twice).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...graph.constants import constant
from ...graph.missing import namespace
from ...graph.scopes import name_scope
from ...ops.array_ops import expand_dims, matrix_transpose, shape, squeeze
from ...ops.concat_ops import concat
from ...ops.control_flow_ops import cond
from ...ops.creation_ops import zeros
from ...ops.loop_ops import while_loop
from ...ops.matmul_ops import matmul
from ...ops.random_ops import random_uniform
from ...ops.tensor_array_ops import TensorArray
from .util import LinearOperator, l2norm, l2normalize

__all__ = ["bidiag_matmul", "lanczos_bidiag"]

__getattr__, __dir__ = namespace(__name__)

# A column that loses more of its length than this when the basis is taken out of it has lost digits: once more.
_KEPT = 0.7071


class LanczosBidiagState(NamedTuple):
    """U [m, k + 1], V [n, k], and the diagonals alpha [k] and beta [k] of the B for which A V = U B."""

    u: Any
    v: Any
    alpha: Any
    beta: Any


def _column(basis: TensorArray, i: Any) -> Any:
    return expand_dims(basis.read(i), -1)


def _with_column(basis: TensorArray, i: Any, column: Any) -> TensorArray:
    return basis.write(i, squeeze(column))


def _orthogonalized(i: Any, basis: TensorArray, v: Any) -> tuple[Any, Any]:
    """Return v without its parts along the first i + 1 columns, scaled to length 1, and its length before that."""

    def without(j: Any, basis: TensorArray, v: Any) -> tuple[Any, TensorArray, Any]:
        at = _column(basis, j)
        known = v.get_shape()
        v -= matmul(at, v, adjoint_a=True) * at
        v.set_shape(known)
        return j + 1, basis, v

    def once() -> tuple[Any, Any]:
        _, _, rest = while_loop(lambda j, basis, v: j < i, without, [constant(0), basis, v])
        return l2normalize(rest)

    rest, rest_length = once()
    unit, length = cond(rest_length < _KEPT * l2norm(v), once, lambda: (rest, rest_length))
    return unit, length


def lanczos_bidiag(
    operator: LinearOperator,
    k: int,
    orthogonalize: bool = True,
    starting_vector: Any = None,
    name: str = "lanczos_bidiag",
) -> LanczosBidiagState:
    """Find the first ``k`` columns of a bidiagonal form A V = U B, with orthonormal columns in U and V.

    Args:
        operator: A, [m, n]: what has ``shape``, ``dtype``, ``apply`` and ``apply_adjoint`` (as of `create_operator`).
        k: The number of steps.
        orthogonalize: Whether each new column is made orthogonal to all before it, against rounding.
        starting_vector: The column to start from, [m, 1] or [m]. None for a random one.

    Returns:
        A `LanczosBidiagState` (u, v, alpha, beta).

    See: ``tf.contrib.solvers.lanczos.lanczos_bidiag``.
    """

    def unit(i: Any, basis: TensorArray, column: Any) -> tuple[Any, Any]:
        return _orthogonalized(i, basis, column) if orthogonalize else l2normalize(column)

    def array(size: int, name: str) -> TensorArray:
        return TensorArray(dtype=operator.dtype, size=size, tensor_array_name=name, clear_after_read=False)

    def step(i: Any, state: LanczosBidiagState) -> tuple[Any, LanczosBidiagState]:
        u = _column(state.u, i)
        r = operator.apply_adjoint(u)
        known = r.get_shape()
        r = cond(i > 0, lambda: r - state.beta.read(i - 1) * _column(state.v, i - 1), lambda: r)
        r.set_shape(known)
        v, alpha = unit(i - 1, state.v, r)
        u, beta = unit(i, state.u, operator.apply(v) - alpha * u)
        columns = (_with_column(state.u, i + 1, u), _with_column(state.v, i, v))
        return i + 1, LanczosBidiagState(*columns, state.alpha.write(i, alpha), state.beta.write(i, beta))

    with name_scope(name):
        if starting_vector is None:
            starting_vector = random_uniform(operator.shape[:1], -1, 1, dtype=operator.dtype)
        u0, _ = l2normalize(starting_vector)
        columns = _with_column(array(k + 1, "u"), 0, u0), array(k, "v")
        state = LanczosBidiagState(*columns, array(k, "alpha"), array(k, "beta"))
        _, state = while_loop(lambda i, state: i < k, step, [constant(0), state])
        u, v = (matrix_transpose(rows.stack()) for rows in (state.u, state.v))
        return LanczosBidiagState(u, v, state.alpha.stack(), state.beta.stack())


def bidiag_matmul(matrix: Any, alpha: Any, beta: Any, adjoint_b: bool = False, name: str = "bidiag_matmul") -> Any:
    """Return the product of a matrix and the lower bidiagonal B [k + 1, k] of diagonals alpha and beta.

    Args:
        matrix: [m, k + 1]; with ``adjoint_b`` [m, k].
        alpha: The diagonal, [k].
        beta: The diagonal below it, [k].
        adjoint_b: Whether to multiply by B' instead. As in TensorFlow, the first k rows of B then: the last of
            ``beta`` does not count, and the product is [m, k].

    See: ``tf.contrib.solvers.lanczos.bidiag_matmul``.
    """
    with name_scope(name):
        if not adjoint_b:
            return matrix[:, :-1] * expand_dims(alpha, 0) + matrix[:, 1:] * expand_dims(beta, 0)
        before = expand_dims(zeros(shape(matrix)[:1], dtype=matrix.dtype), 1)
        return matrix * expand_dims(alpha, 0) + concat([before, matrix[:, :-1] * expand_dims(beta[:-1], 0)], 1)
