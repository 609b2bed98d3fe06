"""Matrices as operators: full, lower triangular and diagonal ones of ``tf.linalg``."""

from __future__ import annotations

from typing import Any, ClassVar

from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import expand_dims, shape
from .compare_checks import assert_positive
from .complex_ops import conj, real
from .concat_ops import concat
from .decomposition_ops import adjoint as transposed
from .diagonal_ops import matrix_diag, matrix_diag_part, matrix_set_diag
from .linalg_ops import matrix_band_part
from .linear_operator import LinearOperator
from .linear_operator_util import (
    Followed,
    assert_no_entries_with_modulus_zero,
    assert_zero_imag_part,
    is_variable,
    matrix_triangular_solve_with_broadcast,
)
from .math_ops import abs as _abs
from .math_ops import log
from .matmul_ops import matmul
from .reduce_ops import reduce_prod, reduce_sum
from .sparse_ops import convert_to_tensor

__all__ = ["LinearOperatorDiag", "LinearOperatorFullMatrix", "LinearOperatorLowerTriangular"]


class LinearOperatorFullMatrix(LinearOperator):
    """A matrix of which nothing is known.

    Args:
        matrix: ``[..., m, n]``. The other arguments are those of `LinearOperator`.

    Source: ``tf.linalg.LinearOperatorFullMatrix``.
    """

    _parts: ClassVar[dict[str, Any]] = {"matrix": 2}

    _matrix = Followed("matrix")

    def __init__(
        self,
        matrix: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        with name_scope(name):
            self._matrix = matrix
            if self._matrix.shape.ndims is not None and self._matrix.shape.ndims < 2:
                raise ValueError(f"Argument matrix must have at least 2 dimensions.  Found: {self._matrix}")
        kind = self._matrix.dtype.base_dtype
        if not (kind.is_floating or kind.is_complex):
            kinds = "tf.float16, tf.float32, tf.float64, tf.complex64, tf.complex128"
            raise TypeError(f"Argument matrix must have dtype in [{kinds}].  Found: {kind!r}")
        known = is_non_singular, is_self_adjoint, is_positive_definite, is_square
        super().__init__(kind, [self._matrix], *known, name)

    def _shape(self) -> TensorShape:
        shape: TensorShape = self._matrix.shape
        return shape

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Any:
        return self._matrix


class LinearOperatorLowerTriangular(LinearOperator):
    """The lower triangle of a square matrix, or of a batch of them; what is above the diagonal is not looked at.

    Args:
        tril: ``[..., n, n]``. The other arguments are those of `LinearOperator`.

    Source: ``tf.linalg.LinearOperatorLowerTriangular``.

    Example:
        >>> import steepest.v1 as tf
        >>> mask = tf.linalg.LinearOperatorLowerTriangular(tf.ones([3, 3])).to_dense()
        >>> with tf.Session() as session:
        ...     session.run(mask).tolist()
        [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
    """

    _parts: ClassVar[dict[str, Any]] = {"tril": 2}

    _tril = Followed("tril", lambda matrix: matrix_band_part(matrix, -1, 0))

    def __init__(
        self,
        tril: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        with name_scope(name):
            if not is_variable(tril):
                tril = convert_to_tensor(tril, name="tril")
            if tril.shape.ndims is not None and tril.shape.ndims < 2:
                raise ValueError(f"Argument tril must have at least 2 dimensions.  Found: {tril}")
            self._tril = tril
        super().__init__(
            self._tril.dtype.base_dtype,
            [self._tril],
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            True,
            name,
        )

    def _shape(self) -> TensorShape:
        return TensorShape(self._tril.shape)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return matmul(self._tril, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Any:
        return self._tril

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        right = transposed(rhs) if adjoint_arg else rhs
        return matrix_triangular_solve_with_broadcast(self._tril, right, lower=True, adjoint=adjoint)

    def _determinant(self) -> Any:
        return reduce_prod(self._diag_part(), -1)

    def _log_abs_determinant(self) -> Any:
        return reduce_sum(log(_abs(self._diag_part())), -1)

    def _assert_non_singular(self) -> Any:
        message = "Singular operator:  Diagonal contained zero values."
        return assert_no_entries_with_modulus_zero(self._diag_part(), message=message)


class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix, or a batch of them.

    Args:
        diag: ``[..., n]``. The other arguments are those of `LinearOperator`.

    Source: ``tf.linalg.LinearOperatorDiag``.
    """

    _parts: ClassVar[dict[str, Any]] = {"diag": 1}

    _diag = Followed("diag")

    def __init__(
        self,
        diag: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        if is_square is False:
            raise ValueError("Only square diagonal operators currently supported.")
        with name_scope(name):
            self._diag = diag
            if self._diag.shape.ndims == 0:
                raise ValueError(f"Argument diag must have at least 1 dimension.  Found: {self._diag}")
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        super().__init__(
            self._diag.dtype.base_dtype,
            [self._diag],
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            True,
            name,
        )

    @property
    def diag(self) -> Any:
        """The elements of the diagonal."""
        return self._diag

    def _shape(self) -> TensorShape:
        shape: TensorShape = self._diag.shape.concatenate(self._diag.shape[-1:])
        return shape

    def _shape_tensor(self) -> Any:
        sizes = shape(self._diag)
        return concat([sizes, sizes[-1:]], 0)

    def _factors(self, adjoint: bool) -> Any:
        return conj(self._diag) if adjoint else self._diag

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return expand_dims(self._factors(adjoint), -1) * (transposed(x) if adjoint_arg else x)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return (transposed(rhs) if adjoint_arg else rhs) * expand_dims(1.0 / self._factors(adjoint), -1)

    def _to_dense(self) -> Any:
        return matrix_diag(self._diag)

    def _diag_part(self) -> Any:
        return self._diag

    def _eigvals(self) -> Any:
        return self._diag

    def _add_to_tensor(self, x: Any) -> Any:
        return matrix_set_diag(x, matrix_diag_part(x) + self._diag)

    def _determinant(self) -> Any:
        return reduce_prod(self._diag, -1)

    def _log_abs_determinant(self) -> Any:
        return reduce_sum(log(_abs(self._diag)), -1)

    def _assert_non_singular(self) -> Any:
        message = "Singular operator:  Diagonal contained zero values."
        return assert_no_entries_with_modulus_zero(self._diag, message=message)

    def _assert_positive_definite(self) -> Any:
        if self.dtype.is_complex:
            what = "Diagonal operator had diagonal entries with non-positive real part"
        else:
            what = "Real diagonal operator had non-positive diagonal entries"
        return assert_positive(real(self._diag), message=f"{what}, thus was not positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return assert_zero_imag_part(
            self._diag,
            message="This diagonal operator contained non-zero imaginary values.   Thus it was not self-adjoint.",
        )
