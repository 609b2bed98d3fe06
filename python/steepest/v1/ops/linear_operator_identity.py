"""The identity, multiples of it, and zeros, as operators."""

from __future__ import annotations

from typing import Any, ClassVar

from ..graph.build import dtype_of
from ..graph.errors import InvalidArgumentError
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import expand_dims
from .cast_ops import cast
from .compare_checks import assert_positive
from .complex_ops import conj, real
from .concat_ops import concat
from .control_flow_ops import no_op
from .creation_ops import ones, zeros
from .decomposition_ops import adjoint as transposed
from .linear_operator import LinearOperator
from .linear_operator_slicing import of_other_batch
from .linear_operator_util import Followed, assert_zero_imag_part, batch_of, size_of, with_proper_rows
from .math_ops import abs as _abs
from .math_ops import log
from .matmul_ops import eye, matmul

__all__ = ["LinearOperatorIdentity", "LinearOperatorScaledIdentity", "LinearOperatorZeros"]


class LinearOperatorIdentity(LinearOperator):
    """The identity of ``num_rows`` rows, for each element of ``batch_shape``.

    The other arguments are those of `LinearOperator`; each hint is true.

    Source: ``tf.linalg.LinearOperatorIdentity``.
    """

    def __init__(
        self,
        num_rows: Any,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = True,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = True,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:
        for hint, what in (
            (is_self_adjoint, "self adjoint"),
            (is_non_singular, "non-singular"),
            (is_positive_definite, "positive-definite"),
            (is_square, "square"),
        ):
            if not hint:
                raise ValueError(f"An identity operator is always {what}.")
        with name_scope(name):
            self._num_rows = size_of(num_rows, "num_rows", assert_proper_shapes)
            self._batch = None if batch_shape is None else batch_of(batch_shape, assert_proper_shapes)
            self._matrix = eye(self._num_rows, batch_shape=self._batch, dtype=dtype or "float32")
        self._proper = assert_proper_shapes
        super().__init__(self._matrix.dtype, [], True, True, True, True, name)

    def __getitem__(self, slices: Any) -> Any:
        """Return the operators of a part of the batch."""
        return of_other_batch(self, slices)

    def _shape(self) -> TensorShape:
        shape: TensorShape = self._matrix.shape
        return shape

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = with_proper_rows(self, transposed(x) if adjoint_arg else x, -2, self._proper)
        if self._batch is None:
            return x
        return x + expand_dims(expand_dims(zeros(self._batch, self._matrix.dtype), -1), -1)  # in the batch's shape

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _to_dense(self) -> Any:
        return self._matrix

    def _determinant(self) -> Any:
        return ones(self.batch_shape_tensor(), self.dtype)

    def _log_abs_determinant(self) -> Any:
        return zeros(self.batch_shape_tensor(), self.dtype)

    def _assert_non_singular(self) -> Any:
        return no_op("assert_non_singular")

    def _assert_positive_definite(self) -> Any:
        return no_op("assert_positive_definite")

    def _assert_self_adjoint(self) -> Any:
        return no_op("assert_self_adjoint")

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor", mat: Any = None) -> Any:
        """Return the sum of the matrix and a tensor, once called ``mat``."""
        return super().add_to_tensor(x if mat is None else mat, name)


class LinearOperatorScaledIdentity(LinearOperator):
    """The identity of ``num_rows`` rows times a multiplier, or times each of several.

    The other arguments are those of `LinearOperator`.

    Source: ``tf.linalg.LinearOperatorScaledIdentity``.
    """

    _parts: ClassVar[dict[str, Any]] = {"multiplier": 0}

    _multiplier = Followed("multiplier")

    def __init__(
        self,
        num_rows: Any,
        multiplier: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ) -> None:
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        with name_scope(name):
            self._multiplier = multiplier
            kind = dtype_of(self._multiplier).base_dtype
            self._num_rows = size_of(num_rows, "num_rows", assert_proper_shapes)
            self._identity = eye(self._num_rows, dtype=kind)
        self._proper = assert_proper_shapes
        if not kind.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        known = is_non_singular, is_self_adjoint, is_positive_definite, is_square
        super().__init__(kind, [self._multiplier], *known, name)

    @property
    def multiplier(self) -> Any:
        """The factor of the identity, or one for each element of the batch."""
        return self._multiplier

    @property
    def _wide(self) -> Any:
        return expand_dims(expand_dims(self._multiplier, -1), -1)

    @property
    def _matrix(self) -> Any:
        return self._wide * self._identity

    def _shape(self) -> TensorShape:
        return TensorShape(self._multiplier.shape.concatenate(self._identity.shape))

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = with_proper_rows(self, transposed(x) if adjoint_arg else x, -2, self._proper)
        return (conj(self._wide) if adjoint else self._wide) * x

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = with_proper_rows(self, transposed(rhs) if adjoint_arg else rhs, -2, self._proper)
        return rhs / (conj(self._wide) if adjoint else self._wide)

    def _to_dense(self) -> Any:
        return self._matrix

    def _determinant(self) -> Any:
        return self._multiplier ** cast(self.domain_dimension_tensor(), self._multiplier.dtype)

    def _log_abs_determinant(self) -> Any:
        return cast(self.domain_dimension_tensor(), self._multiplier.dtype.real_dtype) * log(_abs(self._multiplier))

    def _assert_non_singular(self) -> Any:
        return assert_positive(_abs(self._multiplier), message="LinearOperator was singular")

    def _assert_positive_definite(self) -> Any:
        return assert_positive(real(self._multiplier), message="LinearOperator was not positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return assert_zero_imag_part(self._multiplier, message="LinearOperator was not self-adjoint")


class LinearOperatorZeros(LinearOperator):
    """``num_rows`` rows of ``num_columns`` zeros, for each element of ``batch_shape``.

    Raises ValueError for a hint that is not so, TypeError for sizes that are no integers.

    Source: ``tf.linalg.LinearOperatorZeros``.
    """

    def __init__(
        self,
        num_rows: Any,
        num_columns: Any = None,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = False,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = False,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:
        if is_non_singular:
            raise ValueError("A zeros operator is always singular.")
        if is_positive_definite:
            raise ValueError("A zeros operator is always not positive-definite.")
        if is_self_adjoint is False and is_square:
            raise ValueError("A zeros operator is always self adjoint.")
        with name_scope(name):
            rows = size_of(num_rows, "num_rows", assert_proper_shapes)
            columns = rows if num_columns is None else size_of(num_columns, "num_columns", assert_proper_shapes)
            if isinstance(rows, int) and isinstance(columns, int) and (rows == columns) != bool(is_square):
                sizes = f"num_rows({rows}) {'!=' if is_square else '=='} num_columns({columns})"
                raise ValueError(f"LinearOperatorZeros initialized as is_square={is_square}, but got {sizes}")
            both = [rows, columns]
            if batch_shape is not None:
                batch = cast(batch_of(batch_shape, assert_proper_shapes), "int32")
                both = concat([batch, both], 0)
            self._matrix = zeros(both, dtype or "float32")
        self._proper = assert_proper_shapes
        super().__init__(self._matrix.dtype, [], False, is_self_adjoint, False, is_square, name)

    def __getitem__(self, slices: Any) -> Any:
        """Return the operators of a part of the batch."""
        return of_other_batch(self, slices)

    def _shape(self) -> TensorShape:
        return TensorShape(self._matrix.shape)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Any:
        return self._matrix

    def _determinant(self) -> Any:
        return zeros(self.batch_shape_tensor(), self.dtype)

    def _trace(self) -> Any:
        return zeros(self.batch_shape_tensor(), self.dtype)

    def _add_to_tensor(self, x: Any) -> Any:
        return x

    def _assert_non_singular(self) -> Any:
        raise InvalidArgumentError(None, None, "Zeros operators are always non-invertible.")

    def _assert_positive_definite(self) -> Any:
        raise InvalidArgumentError(None, None, "Zeros operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return no_op("assert_self_adjoint")
