"""Matrices as operators: the lower triangular ones of ``tf.linalg``."""

from __future__ import annotations

from typing import Any

from ..graph.build import convert
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import matrix_transpose, shape
from .decomposition_ops import matrix_triangular_solve
from .linalg_ops import matrix_band_part, matrix_diag_part
from .math_ops import abs as _abs
from .math_ops import log
from .matmul_ops import matmul
from .reduce_ops import reduce_prod, reduce_sum

__all__ = ["LinearOperatorLowerTriangular"]


class LinearOperatorLowerTriangular:
    """The lower triangle of a square matrix, or of a batch of them; what is above the diagonal is not looked at.

    Args:
        tril: ``[..., n, n]``. The other arguments are what the caller knows of it; they are kept, not checked.

    Source: ``tf.linalg.LinearOperatorLowerTriangular``.

    Example:
        >>> import steepest.v1 as tf
        >>> mask = tf.linalg.LinearOperatorLowerTriangular(tf.ones([3, 3])).to_dense()
        >>> with tf.Session() as session:
        ...     session.run(mask).tolist()
        [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
    """

    def __init__(
        self,
        tril: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        self.name = name
        self.is_non_singular, self.is_self_adjoint = is_non_singular, is_self_adjoint
        self.is_positive_definite, self.is_square = is_positive_definite, is_square is not False
        with name_scope(name):
            self._tril = matrix_band_part(convert(tril), -1, 0)

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self._tril.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of the matrix, as far as it is known."""
        return TensorShape(self._tril.shape)

    def shape_tensor(self, name: str = "shape_tensor") -> Any:
        """Return the shape of the matrix as a tensor."""
        return shape(self._tril, name=name)

    def to_dense(self, name: str = "to_dense") -> Any:
        """Return the matrix, with zeros above the diagonal."""
        del name
        return self._tril

    def diag_part(self, name: str = "diag_part") -> Any:
        """Return the diagonal."""
        return matrix_diag_part(self._tril, name=name)

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """Return the product with a matrix."""
        return matmul(self._tril, x, adjoint_a=adjoint, adjoint_b=adjoint_arg, name=name)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """Return the X of ``self @ X = rhs``."""
        right = matrix_transpose(rhs) if adjoint_arg else rhs
        return matrix_triangular_solve(self._tril, right, lower=True, adjoint=adjoint, name=name)

    def determinant(self, name: str = "det") -> Any:
        """Return the product of the diagonal."""
        return reduce_prod(self.diag_part(), -1, name=name)

    def log_abs_determinant(self, name: str = "log_abs_det") -> Any:
        """Return the logarithm of the determinant's absolute value."""
        return reduce_sum(log(_abs(self.diag_part())), -1, name=name)
