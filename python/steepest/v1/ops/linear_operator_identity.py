"""The identity, and multiples of it, as operators."""

from __future__ import annotations

from typing import Any

from ..graph.build import dtype_of
from ..graph.constants import constant_value
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import expand_dims
from .complex_ops import conj
from .creation_ops import zeros
from .decomposition_ops import adjoint as transposed
from .linear_operator import LinearOperator
from .matmul_ops import eye
from .sparse_ops import convert_to_tensor

__all__ = ["LinearOperatorIdentity", "LinearOperatorScaledIdentity"]


def _rows(num_rows: Any) -> Any:
    """Return a number of rows as an integer where it is known. Raises TypeError and ValueError for what is none."""
    rows = convert_to_tensor(num_rows, name="num_rows")
    if not dtype_of(rows).is_integer:
        raise TypeError(f"Argument num_rows must be integer type. Found: {num_rows}")
    if rows.shape.ndims not in (None, 0):
        raise ValueError(f"Argument num_rows must be a 0-D Tensor. Found: {num_rows}")
    known = constant_value(rows)
    if known is not None and known < 0:
        raise ValueError(f"Argument num_rows must be non-negative. Found: {num_rows}")
    return rows if known is None else int(known)


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
        del assert_proper_shapes  # an operation that makes the matrix checks them
        for hint, what in (
            (is_self_adjoint, "self adjoint"),
            (is_non_singular, "non-singular"),
            (is_positive_definite, "positive-definite"),
            (is_square, "square"),
        ):
            if not hint:
                raise ValueError(f"An identity operator is always {what}.")
        with name_scope(name):
            self._matrix = eye(_rows(num_rows), batch_shape=batch_shape, dtype=dtype or "float32")
            self._batch = None if batch_shape is None else batch_shape
        super().__init__(self._matrix.dtype, [], True, True, True, True, name)

    def _shape(self) -> TensorShape:
        shape: TensorShape = self._matrix.shape
        return shape

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = transposed(x) if adjoint_arg else x
        if self._batch is None:
            return x
        return x + expand_dims(expand_dims(zeros(self._batch, self._matrix.dtype), -1), -1)  # in the batch's shape

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _to_dense(self) -> Any:
        return self._matrix


class LinearOperatorScaledIdentity(LinearOperator):
    """The identity of ``num_rows`` rows times a multiplier, or times each of several.

    The other arguments are those of `LinearOperator`.

    Source: ``tf.linalg.LinearOperatorScaledIdentity``.
    """

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
        del assert_proper_shapes
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        with name_scope(name):
            self._multiplier = convert_to_tensor(multiplier, name="multiplier")
            kind = dtype_of(self._multiplier)
            self._wide = expand_dims(expand_dims(self._multiplier, -1), -1)
            self._matrix = self._wide * eye(_rows(num_rows), dtype=kind)
        if not kind.is_complex:
            is_self_adjoint = True if is_self_adjoint is None else is_self_adjoint
        known = is_non_singular, is_self_adjoint, is_positive_definite, is_square
        super().__init__(kind, [self._multiplier], *known, name)

    @property
    def multiplier(self) -> Any:
        """The factor of the identity, or one for each element of the batch."""
        return self._multiplier

    def _shape(self) -> TensorShape:
        shape: TensorShape = self._matrix.shape
        return shape

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return (conj(self._wide) if adjoint else self._wide) * (transposed(x) if adjoint_arg else x)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return (transposed(rhs) if adjoint_arg else rhs) / (conj(self._wide) if adjoint else self._wide)

    def _to_dense(self) -> Any:
        return self._matrix
