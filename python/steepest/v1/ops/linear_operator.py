"""The base class of matrices as operators: what follows from the products and the elements of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import expand_dims, shape, size, squeeze
from .decomposition_ops import adjoint as transposed
from .decomposition_ops import cholesky, cholesky_solve, slogdet
from .linalg_ops import matrix_determinant, matrix_diag_part, matrix_solve
from .math_ops import exp, log
from .reduce_ops import reduce_sum
from .sparse_ops import convert_to_tensor

__all__ = ["LinearOperator"]


class LinearOperator:
    """A matrix, or a batch of matrices, that is known by what it does.

    A subclass defines ``_shape``, ``_matmul(x, adjoint, adjoint_arg)`` and ``_to_dense``; the others follow from these,
    and may be defined where there is a shorter way.

    Args:
        dtype: The type of the elements.
        is_non_singular: What the caller knows, as the next three: kept, not checked. A self-adjoint positive definite
            operator is solved by its Cholesky factor.

    Source: ``tf.linalg.LinearOperator``.
    """

    def __init__(
        self,
        dtype: Any,
        graph_parents: Any = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
        parameters: Any = None,
    ) -> None:
        del parameters
        if is_positive_definite and is_non_singular is False:
            raise ValueError("A positive definite matrix is always non-singular.")
        if is_square is False and (is_self_adjoint or is_positive_definite):
            raise ValueError("is_self_adjoint or is_positive_definite requires is_square to be True.")
        self.dtype, self.name = dtype, name or type(self).__name__
        self.graph_parents = list(graph_parents or ())
        self.is_non_singular = True if is_positive_definite else is_non_singular
        self.is_self_adjoint, self.is_positive_definite = is_self_adjoint, is_positive_definite
        self._square = True if is_self_adjoint or is_positive_definite else is_square

    @property
    def is_square(self) -> bool | None:
        """Whether there are as many rows as columns; None where that is not known."""
        rows, columns = self.shape.as_list()[-2:]
        return self._square if rows is None or columns is None else rows == columns

    @contextmanager
    def _name_scope(self, name: str | None = None) -> Iterator[str]:
        with name_scope(self.name), name_scope(name) as scope:
            yield scope

    def _shape(self) -> TensorShape:
        raise NotImplementedError("_shape is not implemented.")

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        raise NotImplementedError("_matmul is not implemented.")

    def _to_dense(self) -> Any:
        raise NotImplementedError("_to_dense is not implemented.")

    def _by_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    def _shape_tensor(self) -> Any:
        return shape(self._to_dense())

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        right = transposed(rhs) if adjoint_arg else rhs
        if self._by_cholesky():
            return cholesky_solve(cholesky(self._to_dense()), right)
        return matrix_solve(self._to_dense(), right, adjoint=adjoint)

    def _determinant(self) -> Any:
        return exp(self._log_abs_determinant()) if self._by_cholesky() else matrix_determinant(self._to_dense())

    def _log_abs_determinant(self) -> Any:
        if self._by_cholesky():
            return 2.0 * reduce_sum(log(matrix_diag_part(cholesky(self._to_dense()))), -1)
        return slogdet(self._to_dense())[1]

    def _diag_part(self) -> Any:
        return matrix_diag_part(self._to_dense())

    def _add_to_tensor(self, x: Any) -> Any:
        return self._to_dense() + x

    def _check_input_dtype(self, x: Any) -> None:
        if x.dtype.base_dtype != self.dtype:
            raise TypeError(f"Input argument x had dtype {x.dtype}, expected {self.dtype}")

    def _argument(self, x: Any, rows: Any, adjoint_arg: bool = False) -> Any:
        x = convert_to_tensor(x, dtype=self.dtype, name="x")
        self._check_input_dtype(x)
        if x.shape.ndims is not None:
            rows.assert_is_compatible_with(x.shape[-1 if adjoint_arg else -2])
        return x

    def _by_column(self, function: Any, vector: Any, *args: Any) -> Any:
        return squeeze(function(expand_dims(convert_to_tensor(vector, dtype=self.dtype), -1), *args), axis=[-1])

    @property
    def shape(self) -> TensorShape:
        """The shape of the matrix, as far as it is known."""
        return self._shape()

    @property
    def batch_shape(self) -> TensorShape:
        """The shape of the batch of matrices."""
        return TensorShape(self.shape[:-2])

    @property
    def tensor_rank(self) -> int | None:
        """The number of axes."""
        return self.shape.ndims

    @property
    def domain_dimension(self) -> Any:
        """The number of columns."""
        return self.shape[-1]

    @property
    def range_dimension(self) -> Any:
        """The number of rows."""
        return self.shape[-2]

    def shape_tensor(self, name: str = "shape_tensor") -> Any:
        """Return the shape of the matrix as a tensor."""
        with self._name_scope(name):
            if self.shape.is_fully_defined():
                return convert_to_tensor(self.shape.as_list(), dtype="int32")
            return self._shape_tensor()

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """Return the shape of the batch of matrices as a tensor."""
        with self._name_scope(name):
            return self.shape_tensor()[:-2]

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Any:
        """Return the number of axes as a tensor."""
        with self._name_scope(name):
            return size(self.shape_tensor())

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Any:
        """Return the number of columns as a tensor."""
        with self._name_scope(name):
            return self.shape_tensor()[-1]

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Any:
        """Return the number of rows as a tensor."""
        with self._name_scope(name):
            return self.shape_tensor()[-2]

    def to_dense(self, name: str = "to_dense") -> Any:
        """Return the matrix."""
        with self._name_scope(name):
            return self._to_dense()

    def diag_part(self, name: str = "diag_part") -> Any:
        """Return the diagonal."""
        with self._name_scope(name):
            return self._diag_part()

    def trace(self, name: str = "trace") -> Any:
        """Return the sum of the diagonal."""
        with self._name_scope(name):
            return reduce_sum(self._diag_part(), -1)

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Any:
        """Return the sum of the matrix and a tensor."""
        with self._name_scope(name):
            return self._add_to_tensor(convert_to_tensor(x, dtype=self.dtype, name="x"))

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """Return the product with a matrix."""
        with self._name_scope(name):
            x = self._argument(x, self.shape[-2 if adjoint else -1], adjoint_arg)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """Return the product with a vector."""
        with self._name_scope(name):
            return self._by_column(self._matmul, x, adjoint)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """Return the X of ``self @ X = rhs``."""
        self._must_be_square()
        with self._name_scope(name):
            rhs = self._argument(rhs, self.shape[-1 if adjoint else -2], adjoint_arg)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """Return the x of ``self @ x = rhs``."""
        self._must_be_square()
        with self._name_scope(name):
            return self._by_column(self._solve, rhs, adjoint)

    def determinant(self, name: str = "det") -> Any:
        """Return the determinant."""
        self._must_be_square()
        with self._name_scope(name):
            return self._determinant()

    def log_abs_determinant(self, name: str = "log_abs_det") -> Any:
        """Return the logarithm of the determinant's absolute value."""
        self._must_be_square()
        with self._name_scope(name):
            return self._log_abs_determinant()

    def _must_be_square(self) -> None:
        if self.is_square is False:
            raise NotImplementedError(f"{self.name}: the operator must be square, got one of shape {self.shape}")
        if self.is_non_singular is False:
            raise NotImplementedError(f"{self.name}: the operator must not be one that is known to be singular")
