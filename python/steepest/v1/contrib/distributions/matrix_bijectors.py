"""Bijectors of matrices: triangles of vectors, products of Cholesky factors, inverses of triangles."""

from __future__ import annotations

import math
from typing import Any

from ...distributions.checks import checked
from ...distributions.util import fill_triangular_inverse
from ...graph.build import dtype_of
from ...graph.shapes import TensorShape
from ...ops.array_ops import shape
from ...ops.cast_ops import cast
from ...ops.check_ops import assert_rank_at_least
from ...ops.compare_checks import assert_equal, assert_none_equal, assert_positive
from ...ops.concat_ops import concat
from ...ops.creation_ops import range as _range
from ...ops.creation_ops import zeros, zeros_like
from ...ops.decomposition_ops import cholesky
from ...ops.diagonal_ops import matrix_diag_part, matrix_set_diag
from ...ops.linalg_ops import matrix_band_part
from ...ops.math_ops import abs as _abs
from ...ops.math_ops import log, sqrt
from ...ops.matmul_ops import eye, matmul
from ...ops.reduce_ops import reduce_sum
from ...ops.triangular_ops import matrix_triangular_solve
from .bijector import Bijector
from .triangles import fill_triangular

__all__ = ["CholeskyOuterProduct", "FillTriangular", "MatrixInverseTriL"]


class CholeskyOuterProduct(Bijector):
    """``y = x x'`` of lower triangles x with a positive diagonal; the inverse is the Cholesky factor."""

    def __init__(self, validate_args: bool = False, name: str = "cholesky_outer_product") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=2, name=name)

    def _forward(self, x: Any) -> Any:
        sizes = shape(x)
        rules = lambda: [assert_rank_at_least(x, 2), assert_equal(sizes[-2], sizes[-1])]  # noqa: E731
        lower = matrix_band_part(checked(x, self._validate_args, rules), -1, 0)
        return matmul(lower, lower, adjoint_b=True)

    def _inverse(self, y: Any) -> Any:
        return cholesky(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        diagonal = matrix_diag_part(x)

        def rules() -> list[Any]:
            sizes = shape(x)
            return [
                assert_rank_at_least(x, 2, message="Input must be a (batch of) matrix."),
                assert_equal(sizes[-2], sizes[-1], message="Input must be a (batch of) square matrix."),
                assert_positive(diagonal, message="Input must be positive definite."),
            ]

        rows = shape(checked(x, self._validate_args, rules))[-1]
        exponents = cast(_range(rows, 0, -1), dtype_of(x))
        return cast(rows, dtype_of(x)) * math.log(2.0) + reduce_sum(exponents * log(diagonal), -1)


class FillTriangular(Bijector):
    """n x n triangles of the n (n + 1) / 2 numbers along the last axis, as `fill_triangular` orders them."""

    def __init__(self, upper: bool = False, validate_args: bool = False, name: str = "fill_triangular") -> None:
        self._upper = upper
        super().__init__(validate_args=validate_args, forward_min_event_ndims=1, inverse_min_event_ndims=2, name=name)

    def _forward(self, x: Any) -> Any:
        return fill_triangular(x, upper=self._upper)

    def _inverse(self, y: Any) -> Any:
        return fill_triangular_inverse(y, upper=self._upper)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return zeros_like(x[..., 0])

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return zeros_like(y[..., 0, 0])

    def _forward_event_shape(self, input_shape: Any) -> Any:
        numbers = TensorShape(input_shape)[-1].value
        rows = None
        if numbers is not None:
            rows = (math.isqrt(8 * numbers + 1) - 1) // 2
            if rows * (rows + 1) // 2 != numbers:
                raise ValueError("Vector length is not a triangular number.")
        return TensorShape(input_shape)[:-1].concatenate([rows, rows])

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        sizes = TensorShape(output_shape)
        rows, columns = sizes[-2].value, sizes[-1].value
        if rows is None or columns is None:
            return sizes[:-2].concatenate([None])
        if rows != columns:
            raise ValueError(f"Matrix must be square. (saw [{rows}, {columns}])")
        return sizes[:-2].concatenate([rows * (rows + 1) // 2])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        rows = (sqrt(1 + 8.0 * cast(input_shape[-1], "float32")) - 1.0) / 2.0
        message = "Vector length is not a triangular number"
        rules = lambda: [assert_equal(cast(cast(rows, "int32"), "float32"), rows, message=message)]  # noqa: E731
        size = cast(checked(rows, self._validate_args, rules), dtype_of(input_shape))
        return concat([input_shape[:-1], [size, size]], 0)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        rows, columns = output_shape[-1], output_shape[-2]
        message = "Matrix must be square."
        rows = checked(rows, self._validate_args, lambda: [assert_equal(rows, columns, message=message)])
        return concat([output_shape[:-2], [rows * (rows + 1) // 2]], 0)


class MatrixInverseTriL(Bijector):
    """``y = inv(x)`` of lower triangles x without a 0 on the diagonal; it is said to stretch as that of any matrix."""

    def __init__(self, validate_args: bool = False, name: str = "matrix_inverse_tril") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=2, name=name)

    def _checked(self, x: Any) -> Any:
        def rules() -> list[Any]:
            sizes = shape(x)
            diagonal = matrix_diag_part(x)
            above = matrix_band_part(matrix_set_diag(x, zeros(sizes[:-1], dtype_of(x))), 0, -1)
            return [
                assert_rank_at_least(x, 2, message="Input must have rank at least 2."),
                assert_equal(sizes[-2], sizes[-1], message="Input must be a square matrix."),
                assert_equal(above, zeros_like(above), message="Input must be lower triangular."),
                assert_none_equal(
                    diagonal, zeros_like(diagonal), message="Input must have all diagonal entries nonzero."
                ),
            ]

        return checked(x, self._validate_args, rules)

    def _forward(self, x: Any) -> Any:
        x = self._checked(x)
        sizes = shape(x)
        identity = eye(sizes[-1], batch_shape=sizes[:-2], dtype=dtype_of(x))
        # What is above the diagonal is rounded to other than 0 by some solvers.
        return matrix_band_part(matrix_triangular_solve(x, identity, lower=True), -1, 0)

    def _inverse(self, y: Any) -> Any:
        return self._forward(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._checked(x)
        rows = cast(shape(x)[-1], dtype_of(x))
        return -2.0 * rows * reduce_sum(log(_abs(matrix_diag_part(x))), -1)
