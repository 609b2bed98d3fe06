"""The Wishart distribution of positive definite matrices."""

from __future__ import annotations

import math
from typing import Any

from ...distributions.checks import checked, parameter
from ...distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from ...distributions.util import assert_symmetric, gen_new_seed, maybe_get_static_value
from ...graph.build import dtype_of
from ...graph.scopes import name_scope
from ...graph.shapes import TensorShape
from ...ops.array_ops import shape
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_equal, assert_less_equal, assert_positive
from ...ops.concat_ops import concat, stack
from ...ops.creation_ops import ones, zeros_like
from ...ops.creation_ops import range as _range
from ...ops.decomposition_ops import cholesky
from ...ops.diagonal_ops import matrix_diag_part, matrix_set_diag
from ...ops.linalg_ops import matrix_band_part
from ...ops.linear_operator_ops import LinearOperatorLowerTriangular
from ...ops.math_ops import log, sqrt, square
from ...ops.matmul_ops import matmul
from ...ops.random_gamma_ops import random_gamma
from ...ops.random_ops import random_normal
from ...ops.rearranging_ops import where_v2
from ...ops.reduce_ops import reduce_sum
from ...ops.special_math_ops import digamma, lgamma

__all__ = ["WishartCholesky", "WishartFull"]

_LOG_2 = math.log(2.0)


class _Wishart(Distribution):
    """The distribution of sums of ``df`` outer products of normal vectors with the covariance ``scale @ scale'``."""

    def _set(self, df: Any, tril: Any, as_factors: bool, validate_args: bool) -> None:
        if not dtype_of(tril).is_floating:
            raise TypeError(f"scale_operator.dtype={dtype_of(tril)!r} is not a floating-point type")
        self._operator = LinearOperatorLowerTriangular(
            tril, is_non_singular=True, is_positive_definite=True, is_square=True
        )
        self._as_factors, dtype = as_factors, dtype_of(tril)
        self._rows = cast(self._operator.domain_dimension_tensor(), dtype)
        rows, freedom = self._operator.domain_dimension.value, parameter(df, "df", dtype)
        known = maybe_get_static_value(freedom)
        message = "Degrees of freedom (df = {}) cannot be less than dimension of scale matrix (scale.dimension = {})"
        if known is not None and rows is not None:
            if (known < rows).any():
                raise ValueError(message.format(known, rows))
            self._df = freedom
        else:
            words = message.format(freedom, self._rows)
            self._df = checked(freedom, validate_args, lambda: [assert_less_equal(self._rows, freedom, message=words)])

    @property
    def df(self) -> Any:
        """The degrees of freedom."""
        return self._df

    @property
    def dimension(self) -> Any:
        """The number of rows of the matrices, of their type."""
        return self._rows

    @property
    def scale_operator(self) -> Any:
        """The Cholesky factor of the scale as an operator."""
        return self._operator

    @property
    def cholesky_input_output_matrices(self) -> bool:
        """Whether samples and values are Cholesky factors."""
        return self._as_factors

    def scale(self) -> Any:
        """Return the scale, or its Cholesky factor where samples are such factors."""
        return self._operator.to_dense() if self._as_factors else self._squared()

    def _squared(self) -> Any:
        return self._operator.matmul(self._operator.to_dense(), adjoint_arg=True)

    def _batch_shape(self) -> Any:
        return self._operator.batch_shape

    def _batch_shape_tensor(self) -> Any:
        return self._operator.batch_shape_tensor()

    def _event_shape(self) -> Any:
        return TensorShape([self._operator.domain_dimension.value] * 2)

    def _event_shape_tensor(self) -> Any:
        return stack([self._operator.domain_dimension_tensor()] * 2)

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        batch, event = self.batch_shape_tensor(), self.event_shape_tensor()
        x = random_normal(concat([[n], batch, event], 0), dtype=self.dtype, seed=seed)
        half = 0.5 * self._df * ones(batch, self.dtype)
        squares = random_gamma([n], self._steps(half), 0.5, self.dtype, gen_new_seed(seed, "wishart"))
        lower = matrix_set_diag(matrix_band_part(x, -1, 0), sqrt(squares))
        x = matmul(self._operator.to_dense() + zeros_like(lower), lower)
        return x if self._as_factors else matmul(x, x, adjoint_b=True)

    def _log_prob(self, value: Any) -> Any:
        factor = value if self._as_factors else cholesky(value)
        solved = self._operator.solve(factor)
        half_log = reduce_sum(log(matrix_diag_part(factor)), -1)
        found = (self._df - self._rows - 1.0) * half_log - 0.5 * reduce_sum(square(solved), [-2, -1])
        return found - self.log_normalization()

    def _mean(self) -> Any:
        if self._as_factors:
            return sqrt(self._wide_df()) * self._operator.to_dense()
        return self._wide_df() * self._squared()

    def _variance(self) -> Any:
        x = sqrt(self._wide_df()) * self._squared()
        diagonal = matrix_diag_part(x)[..., None]
        spread = square(x) + matmul(diagonal, diagonal, adjoint_b=True)
        return cholesky(spread) if self._as_factors else spread

    def _stddev(self) -> Any:
        if self._as_factors:
            raise ValueError("Computing std. dev. when is cholesky_input_output_matrices=True does not make sense.")
        return cholesky(self.variance())

    def _mode(self) -> Any:
        left = self._df - self._rows - 1.0
        left = self._with_axes(where_v2(left < 0.0, left * float("nan"), left))
        return sqrt(left) * self._operator.to_dense() if self._as_factors else left * self._squared()

    def _entropy(self) -> Any:
        half_rows, half = 0.5 * self._rows + 0.5, 0.5 * self._df
        sizes = self._rows * (half + half_rows * _LOG_2) + 2 * half_rows * self._operator.log_abs_determinant()
        return sizes + self._multi_lgamma(half) + (half_rows - half) * self._multi_digamma(half)

    def mean_log_det(self, name: str = "mean_log_det") -> Any:
        """Return the mean of the logarithm of the determinant of samples."""
        with self._scope(name):
            size = 2 * self._operator.log_abs_determinant()
            return self._multi_digamma(0.5 * self._df) + self._rows * _LOG_2 + size

    def log_normalization(self, name: str = "log_normalization") -> Any:
        """Return the logarithm of what the density is divided by."""
        with self._scope(name):
            size = self._df * self._operator.log_abs_determinant()
            return size + 0.5 * self._df * self._rows * _LOG_2 + self._multi_lgamma(0.5 * self._df)

    def _with_axes(self, values: Any) -> Any:
        return values[..., None, None] if values.shape.ndims else values

    def _wide_df(self) -> Any:
        return self._with_axes(self._df)

    def _steps(self, a: Any) -> Any:
        """Return ``a, a - 1 / 2, ...``, one for each row, along a last axis."""
        return a[..., None] - 0.5 * cast(_range(cast(self._rows, "int32")), self.dtype)

    def _multi_lgamma(self, a: Any) -> Any:
        return 0.25 * self._rows * (self._rows - 1.0) * math.log(math.pi) + reduce_sum(lgamma(self._steps(a)), -1)

    def _multi_digamma(self, a: Any) -> Any:
        return reduce_sum(digamma(self._steps(a)), -1)


class WishartCholesky(_Wishart):
    """The Wishart distribution, whose scale is given by its Cholesky factor.

    Args:
        df: the degrees of freedom, at least as many as rows.
        scale: lower triangles with a positive diagonal.
        cholesky_input_output_matrices: whether samples and values are Cholesky factors too.

    Raises ValueError for too few degrees of freedom, TypeError for a scale that is not of floating point.

    Source: ``tf.contrib.distributions.WishartCholesky``.
    """

    def __init__(
        self,
        df: Any,
        scale: Any,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "WishartCholesky",
    ) -> None:
        given = dict(locals())
        with name_scope(name) as scope:
            tril = parameter(scale, "scale")

            def rules() -> list[Any]:
                positive = assert_positive(matrix_diag_part(tril), message="scale must be positive definite")
                return [positive, assert_equal(shape(tril)[-1], shape(tril)[-2], message="scale must be square")]

            self._set(df, checked(tril, validate_args, rules), cholesky_input_output_matrices, validate_args)
        dtype = self._operator.dtype
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)


class WishartFull(_Wishart):
    """The Wishart distribution of a symmetric positive definite scale.

    Args:
        df: the degrees of freedom, at least as many as rows.
        scale: the scale; its Cholesky factor is computed once.
        cholesky_input_output_matrices: whether samples and values are Cholesky factors.

    Raises ValueError for too few degrees of freedom.

    Source: ``tf.contrib.distributions.WishartFull``.
    """

    def __init__(
        self,
        df: Any,
        scale: Any,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "WishartFull",
    ) -> None:
        given = dict(locals())
        with name_scope(name) as scope:
            matrix = parameter(scale, "scale")
            factor = cholesky(assert_symmetric(matrix) if validate_args else matrix)
            factor = checked(factor, validate_args, lambda: [assert_positive(matrix_diag_part(factor))])
            self._set(df, factor, cholesky_input_output_matrices, validate_args)
        dtype = self._operator.dtype
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)
