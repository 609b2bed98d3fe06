"""The base class of matrices as operators: what follows from the products and the elements of one."""

from __future__ import annotations

from typing import Any

from . import linear_operator_algebra as algebra
from .array_ops import expand_dims, squeeze
from .cast_ops import cast
from .check_ops import assert_proper_iterable
from .compare_checks import assert_equal, assert_positive
from .complex_ops import real
from .decomposition_ops import adjoint as transposed
from .decomposition_ops import cholesky, slogdet
from .diagonal_ops import matrix_diag_part
from .linalg_ops import matrix_determinant
from .linear_operator_specs import OperatorOfTensors
from .linear_operator_spectrum import OperatorSpectrum
from .linear_operator_util import cholesky_solve_with_broadcast, is_variable, matrix_solve_with_broadcast
from .math_ops import exp, log
from .matmul_ops import eye
from .reduce_ops import reduce_sum
from .sparse_ops import convert_to_tensor

__all__ = ["LinearOperator"]


class LinearOperator(OperatorSpectrum, OperatorOfTensors):
    """A matrix, or a batch of matrices, that is known by what it does.

    A subclass defines ``_shape``, ``_matmul(x, adjoint, adjoint_arg)`` and perhaps ``_shape_tensor`` and ``_to_dense``;
    the others follow from these, and may be defined where there is a shorter way.

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
        if is_square is False and (is_non_singular or is_positive_definite):
            raise ValueError("A non-singular matrix is always square.")
        if is_square is False and is_self_adjoint:
            raise ValueError("A self-adjoint matrix is always square.")
        if graph_parents is not None:
            assert_proper_iterable(graph_parents)
        self.dtype, self.name = dtype, name or type(self).__name__
        self.graph_parents = list(graph_parents or ())
        self.is_non_singular = True if is_positive_definite else is_non_singular
        self.is_self_adjoint, self.is_positive_definite = is_self_adjoint, is_positive_definite
        self._square = True if self.is_non_singular or is_self_adjoint or is_positive_definite else is_square

    @property
    def is_square(self) -> bool | None:
        """Whether there are as many rows as columns; None where that is not known.

        Raises ValueError for an operator that is square, and of which the caller said that it is not.
        """
        rows, columns = self.range_dimension.value, self.domain_dimension.value
        found = None if rows is None or columns is None else bool(rows == columns)
        if self._square is False and found:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return found if self._square is None else self._square

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that the operator is made of: it follows their values."""
        found: dict[int, Any] = {}
        for _, value in sorted(vars(self).items()):
            for each in value if isinstance(value, (list, tuple)) else [value]:
                parts = each.variables if isinstance(each, LinearOperator) else [each] if is_variable(each) else []
                found.update((id(part), part) for part in parts)
        return tuple(found.values())

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of the variables that are trainable."""
        return tuple(each for each in self.variables if each.trainable)

    # What a subclass may define -------------------------------------------------------------------

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        raise NotImplementedError("_matmul is not implemented.")

    def _to_dense(self) -> Any:
        batch, rows = self.batch_shape, self.domain_dimension.value
        sizes = batch.as_list() if batch.is_fully_defined() else self.batch_shape_tensor()
        count = self.domain_dimension_tensor() if rows is None else rows
        return self.matmul(eye(count, batch_shape=sizes, dtype=self.dtype))

    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        right = transposed(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return cholesky_solve_with_broadcast(cholesky(self.to_dense()), right)
        return matrix_solve_with_broadcast(self.to_dense(), right, adjoint=adjoint)

    def _determinant(self) -> Any:
        if self._can_use_cholesky():
            return exp(self.log_abs_determinant())
        return matrix_determinant(self.to_dense())

    def _log_abs_determinant(self) -> Any:
        if self._can_use_cholesky():
            return 2.0 * reduce_sum(log(matrix_diag_part(cholesky(self.to_dense()))), -1)
        return slogdet(self.to_dense())[1]

    def _diag_part(self) -> Any:
        return matrix_diag_part(self.to_dense())

    def _trace(self) -> Any:
        return reduce_sum(self.diag_part(), -1)

    def _add_to_tensor(self, x: Any) -> Any:
        return self.to_dense() + x

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return squeeze(self.matmul(expand_dims(x, -1), adjoint=adjoint), axis=[-1])

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return squeeze(self.solve(expand_dims(rhs, -1), adjoint=adjoint), axis=[-1])

    def _assert_positive_definite(self) -> Any:
        if not self.is_self_adjoint:  # the decomposition looks at one triangle
            raise NotImplementedError("assert_positive_definite is not implemented.")
        diagonal = real(matrix_diag_part(cholesky(self.to_dense())))  # NaN where there is no factor
        return assert_positive(diagonal, message="Matrix was not positive definite.")

    def _assert_self_adjoint(self) -> Any:
        dense = self.to_dense()
        return assert_equal(dense, transposed(dense), message="Matrix was not equal to its adjoint.")

    # Arguments ------------------------------------------------------------------------------------

    def _check_input_dtype(self, x: Any) -> None:
        if x.dtype.base_dtype != self.dtype:
            raise TypeError(f"Expected argument to have dtype {self.dtype!r}.  Found: {x.dtype!r} in tensor {x}")

    def _argument(self, x: Any, name: str, rows: Any = None, axis: int = -1) -> Any:
        x = convert_to_tensor(x, name=name)
        self._check_input_dtype(x)
        if rows is not None and x.shape.ndims is not None:
            rows.assert_is_compatible_with(x.shape[axis])
        return x

    def _pair(self, other: LinearOperator, adjoint: bool, adjoint_arg: bool, what: str) -> tuple[Any, Any]:
        left, right = (self.adjoint() if adjoint else self), (other.adjoint() if adjoint_arg else other)
        columns, rows = left.domain_dimension.value, right.range_dimension.value
        if None not in (columns, rows) and columns != rows:
            raise ValueError(
                f"Operators are incompatible. Expected `{what}` to have dimension {columns} but got {rows}."
            )
        return left, right

    # What users call ------------------------------------------------------------------------------

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
            return self._trace()

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Any:
        """Return the sum of the matrix and a tensor."""
        with self._name_scope(name):
            return self._add_to_tensor(self._argument(x, "x"))

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """Return the product with a matrix, or the operator that is the product with another operator."""
        if isinstance(x, LinearOperator):
            both = self._pair(x, adjoint, adjoint_arg, "x")
            with self._name_scope(name):
                return algebra.matmul(*both)
        with self._name_scope(name):
            x = self._argument(x, "x", self.range_dimension if adjoint else self.domain_dimension, adjoint_arg - 2)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    __matmul__ = matmul

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """Return the product with a vector."""
        with self._name_scope(name):
            x = self._argument(x, "x", self.range_dimension if adjoint else self.domain_dimension)
            return self._matvec(x, adjoint=adjoint)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """Return the X of ``self @ X = rhs``, an operator where ``rhs`` is one."""
        self._must_be_square("Exact solve")
        if isinstance(rhs, LinearOperator):
            both = self._pair(rhs, adjoint, adjoint_arg, "rhs")
            with self._name_scope(name):
                return algebra.solve(*both)
        with self._name_scope(name):
            rows = self.domain_dimension if adjoint else self.range_dimension
            rhs = self._argument(rhs, "rhs", rows, adjoint_arg - 2)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """Return the x of ``self @ x = rhs``."""
        self._must_be_square("Exact solve")
        with self._name_scope(name):
            rhs = self._argument(rhs, "rhs", self.domain_dimension if adjoint else self.range_dimension)
            return self._solvevec(rhs, adjoint=adjoint)

    def determinant(self, name: str = "det") -> Any:
        """Return the determinant."""
        self._must_be_square("Determinant", singular=True)
        with self._name_scope(name):
            return self._determinant()

    def log_abs_determinant(self, name: str = "log_abs_det") -> Any:
        """Return the logarithm of the determinant's absolute value."""
        self._must_be_square("Determinant", singular=True)
        with self._name_scope(name):
            return cast(self._log_abs_determinant(), self.dtype)

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """Return the adjoint as an operator."""
        if self.is_self_adjoint is True:
            return self
        with self._name_scope(name):
            made: LinearOperator = algebra.adjoint(self)
            return made

    H = property(adjoint)

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """Return the inverse as an operator. Raises ValueError for one that is known to have none."""
        for hint, what in ((self.is_square, "non square"), (self.is_non_singular, "singular")):
            if hint is False:
                raise ValueError(f"Cannot take the Inverse: This operator represents a {what} matrix.")
        with self._name_scope(name):
            made: LinearOperator = algebra.inverse(self)
            return made

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """Return the lower triangular factor. Raises ValueError unless the operator is known to have one."""
        if not self._can_use_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        with self._name_scope(name):
            made: LinearOperator = algebra.cholesky(self)
            return made

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        """Return an operation that raises InvalidArgumentError unless ``x^H A x`` is positive for all x but 0."""
        with self._name_scope(name):
            return self._assert_positive_definite()

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Any:
        """Return an operation that raises InvalidArgumentError unless the operator is its own adjoint."""
        with self._name_scope(name):
            return self._assert_self_adjoint()

    def _must_be_square(self, what: str, singular: bool = False) -> None:
        if self.is_non_singular is False and not singular:
            raise NotImplementedError(f"{what} not implemented for an operator that is expected to be singular.")
        if self.is_square is False:
            raise NotImplementedError(f"{what} not implemented for an operator that is expected to not be square.")
