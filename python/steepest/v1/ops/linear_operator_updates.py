"""Operators that are near to others: reflections, and updates of a low rank."""

from __future__ import annotations

from typing import Any, ClassVar

from ..graph.errors import InvalidArgumentError
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import expand_dims, shape
from .cast_ops import cast
from .complex_ops import conj
from .concat_ops import concat
from .control_flow_ops import no_op
from .creation_ops import ones, zeros
from .decomposition_ops import adjoint as transposed
from .decomposition_ops import cholesky
from .diagonal_ops import matrix_diag_part, matrix_set_diag
from .linalg_ops import matrix_determinant
from .linear_operator import LinearOperator
from .linear_operator_identity import LinearOperatorIdentity
from .linear_operator_ops import LinearOperatorDiag
from .linear_operator_util import Followed, cholesky_solve_with_broadcast, is_variable, matrix_solve_with_broadcast
from .math_ops import abs as _abs
from .math_ops import exp, log
from .matmul_ops import matmul
from .norm_ops import norm
from .rearranging_ops import broadcast_dynamic_shape, broadcast_static_shape
from .reduce_ops import reduce_sum

__all__ = ["LinearOperatorHouseholder", "LinearOperatorLowRankUpdate"]


class LinearOperatorHouseholder(LinearOperator):
    """The reflection at the plane through 0 that a vector is orthogonal to: ``I - 2 v v^H`` of the unit vector v.

    Args:
        reflection_axis: ``[..., n]``, of any length but 0. The other arguments are those of `LinearOperator`.

    Source: ``tf.linalg.LinearOperatorHouseholder``.
    """

    _parts: ClassVar[dict[str, Any]] = {"reflection_axis": 1}

    _reflection_axis = Followed("reflection_axis")

    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        with name_scope(name):
            self._reflection_axis = reflection_axis
        if self._reflection_axis.shape.ndims == 0:
            raise ValueError(
                f"Argument reflection_axis must have at least 1 dimension.  Found: {self._reflection_axis}"
            )
        if is_self_adjoint is False:
            raise ValueError("A Householder operator is always self adjoint.")
        if is_positive_definite:
            raise ValueError("A Householder operator is always non-positive definite.")
        if is_square is False:
            raise ValueError("A Householder operator is always square.")
        kind = self._reflection_axis.dtype
        super().__init__(kind, [self._reflection_axis], is_non_singular, True, False, True, name)

    @property
    def reflection_axis(self) -> Any:
        """The vector."""
        return self._reflection_axis

    def _unit(self) -> Any:
        return self._reflection_axis / norm(self._reflection_axis, axis=-1, keepdims=True)

    def _shape(self) -> TensorShape:
        known: TensorShape = self._reflection_axis.shape
        return known.concatenate(known[-1:])

    def _shape_tensor(self) -> Any:
        sizes = shape(self._reflection_axis)
        return concat([sizes, sizes[-1:]], 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x, unit = transposed(x) if adjoint_arg else x, expand_dims(self._unit(), -1)
        return x - 2.0 * unit * matmul(unit, x, adjoint_a=True)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _to_dense(self) -> Any:
        unit = expand_dims(self._unit(), -1)
        away = -2.0 * matmul(unit, unit, adjoint_b=True)
        return matrix_set_diag(away, 1.0 + matrix_diag_part(away))

    def _diag_part(self) -> Any:
        return 1.0 - 2.0 * self._unit() * conj(self._unit())

    def _trace(self) -> Any:
        return cast(self.domain_dimension_tensor() - 2, self.dtype) * ones(self.batch_shape_tensor(), self.dtype)

    def _determinant(self) -> Any:
        return -ones(self.batch_shape_tensor(), self.dtype)

    def _log_abs_determinant(self) -> Any:
        return zeros(self.batch_shape_tensor(), self.dtype)

    def _assert_non_singular(self) -> Any:
        return no_op("assert_non_singular")

    def _assert_self_adjoint(self) -> Any:
        return no_op("assert_self_adjoint")

    def _assert_positive_definite(self) -> Any:
        raise InvalidArgumentError(None, None, "Householder operators are always non-positive definite.")


class LinearOperatorLowRankUpdate(LinearOperator):
    """``L + U D V^H`` of an operator L, matrices U and V of few columns, and a diagonal D.

    It is solved by Woodbury's identity, so that only a matrix as large as D is decomposed.

    Args:
        base_operator: L.
        u: U, ``[..., m, k]``.
        diag_update: the diagonal of D, ``[..., k]``; ones where it is None.
        v: V, ``[..., n, k]``; U where it is None.
        is_diag_update_positive: what the caller knows of D. The other arguments are those of `LinearOperator`.

    Raises ValueError for a hint that is not so, or sizes that do not fit.

    Source: ``tf.linalg.LinearOperatorLowRankUpdate``.
    """

    _parts: ClassVar[dict[str, Any]] = {"base_operator": 0, "u": 2, "diag_update": 1, "v": 2}

    _u, _v, _diag_update = Followed("u"), Followed("v"), Followed("diag_update")

    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        is_diag_update_positive: bool | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:
        dtype, base = base_operator.dtype, base_operator
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError(
                    "Default diagonal is the identity, which is positive.  However, user set "
                    "'is_diag_update_positive' to False."
                )
            is_diag_update_positive = True
        definite = base.is_positive_definite and base.is_self_adjoint and is_diag_update_positive and v is None
        self._use_cholesky = bool(definite)
        if base.is_self_adjoint and v is None and not dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError(
                    "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is self-adjoint, this must "
                    "be a self-adjoint operator."
                )
            is_self_adjoint = True
        if self._use_cholesky:
            if False in (is_positive_definite, is_self_adjoint, is_non_singular):
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            is_positive_definite = is_self_adjoint = True
        with name_scope(name):
            self._u, self._diag_update = u, diag_update
            diagonal = diag_update if is_variable(diag_update) else self._diag_update
            self._v = (u if is_variable(u) else self._u) if v is None else v
            rank = self._u.shape[-1].value
            self._diag_operator: LinearOperator = (
                LinearOperatorIdentity(shape(self._u)[-1] if rank is None else rank, dtype=dtype)
                if self._diag_update is None
                else LinearOperatorDiag(diagonal, is_positive_definite=is_diag_update_positive)
            )
        self._base_operator, self._is_diag_update_positive = base, is_diag_update_positive
        parents = [each for each in (self._u, self._diag_update, self._v) if each is not None]
        known = is_non_singular, is_self_adjoint, is_positive_definite, is_square
        super().__init__(dtype, [*base.graph_parents, *parents], *known, name)
        self._check_shapes()

    def _check_shapes(self) -> None:
        both = broadcast_static_shape(self._u.shape, self._v.shape)
        batch = broadcast_static_shape(self._base_operator.batch_shape, both[:-2])
        self._base_operator.domain_dimension.assert_is_compatible_with(both[-2])
        if self._diag_update is not None:
            both[-1].assert_is_compatible_with(self._diag_update.shape[-1])
            broadcast_static_shape(batch, self._diag_update.shape[:-1])

    @property
    def base_operator(self) -> LinearOperator:
        """The operator that is updated."""
        return self._base_operator

    @property
    def u(self) -> Any:
        """The matrix on the left."""
        return self._u

    @property
    def v(self) -> Any:
        """The matrix on the right, of which the adjoint is taken."""
        return self._v

    @property
    def diag_update(self) -> Any:
        """The diagonal between them; None for ones."""
        return self._diag_update

    @property
    def diag_operator(self) -> LinearOperator:
        """The diagonal as an operator."""
        return self._diag_operator

    @property
    def is_diag_update_positive(self) -> bool | None:
        """Whether the diagonal is known to be positive."""
        return self._is_diag_update_positive

    def _shape(self) -> TensorShape:
        batch = broadcast_static_shape(self._base_operator.batch_shape, self._u.shape[:-2])
        return batch.concatenate(self._base_operator.shape[-2:])

    def _shape_tensor(self) -> Any:
        batch = broadcast_dynamic_shape(self._base_operator.batch_shape_tensor(), shape(self._u)[:-2])
        return concat([batch, self._base_operator.shape_tensor()[-2:]], 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        inner = matmul(right, x, adjoint_a=True, adjoint_b=adjoint_arg)
        update = matmul(left, self._diag_operator.matmul(inner, adjoint=adjoint))
        return self._base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg) + update

    def _capacitance(self) -> Any:
        """Return ``D^-1 + V^H L^-1 U``."""
        inner = matmul(self._v, self._base_operator.solve(self._u), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(inner)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        base = self._base_operator
        if base.is_non_singular is False:
            raise ValueError("Solve not implemented unless this is a perturbation of a non-singular LinearOperator.")
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        first = base.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = matmul(right, first, adjoint_a=True)
        if self._use_cholesky:
            solved = cholesky_solve_with_broadcast(cholesky(self._capacitance()), inner)
        else:
            solved = matrix_solve_with_broadcast(self._capacitance(), inner, adjoint=adjoint)
        return first - base.solve(matmul(left, solved), adjoint=adjoint)

    def _determinant(self) -> Any:
        if self.is_positive_definite:
            return exp(self.log_abs_determinant())
        parts = self._diag_operator.determinant() * self._base_operator.determinant()
        return matrix_determinant(self._capacitance()) * parts

    def _log_abs_determinant(self) -> Any:
        parts = self._diag_operator.log_abs_determinant() + self._base_operator.log_abs_determinant()
        if self._use_cholesky:
            return 2.0 * reduce_sum(log(matrix_diag_part(cholesky(self._capacitance()))), [-1]) + parts
        return cast(log(_abs(matrix_determinant(self._capacitance()))), self.dtype) + parts
