"""The normal distribution of vectors whose elements depend on each other."""

from __future__ import annotations

import math
from typing import Any

from ...distributions.checks import parameter, same_float
from ...distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from ...distributions.kullback_leibler import RegisterKL
from ...distributions.multivariate_normal import MultivariateNormalDiag
from ...graph.build import shape_of
from ...graph.scopes import name_scope
from ...graph.shapes import Shape
from ...ops.activation_ops import softplus
from ...ops.array_ops import shape
from ...ops.concat_ops import concat
from ...ops.creation_ops import ones, zeros
from ...ops.decomposition_ops import cholesky, matrix_triangular_solve
from ...ops.diagonal_ops import matrix_diag, matrix_diag_part
from ...ops.linalg_ops import matrix_band_part
from ...ops.math_ops import abs as _abs
from ...ops.math_ops import log, square
from ...ops.matmul_ops import matmul
from ...ops.random_ops import random_normal
from ...ops.reduce_ops import reduce_sum

__all__ = ["MultivariateNormalDiagWithSoftplusScale", "MultivariateNormalFullCovariance", "MultivariateNormalTriL"]


class MultivariateNormalTriL(Distribution):
    """The normal distribution of vectors ``loc + L z``, z independent and standard, so with the covariance ``L L'``.

    Args:
        loc: the means, zeros by default; the last axis is that of the vectors.
        scale_tril: L; what is above its diagonal is taken for 0.

    Raises ValueError where neither is given.

    Source: ``tf.contrib.distributions.MultivariateNormalTriL``.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_tril: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalTriL",
    ) -> None:
        if loc is None and scale_tril is None:
            raise ValueError("MultivariateNormalTriL: expected loc or scale_tril, got neither")
        with name_scope(name) as scope:
            mean: Any = None if loc is None else parameter(loc, "loc")
            if scale_tril is None:
                lower = matrix_diag(ones(shape(mean), mean.dtype))
            else:
                lower = matrix_band_part(parameter(scale_tril, "scale_tril"), -1, 0)
            self._set(zeros(shape(lower)[-1:], lower.dtype) if mean is None else mean, lower)
        given = {"loc": loc, "scale_tril": scale_tril}
        dtype = same_float(self._loc, self._tril)
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

    def _set(self, mean: Any, lower: Any) -> None:
        self._tril = lower + 0 * mean[..., None]
        self._loc = mean + 0 * self._tril[..., 0]

    @property
    def loc(self) -> Any:
        """The mean."""
        return self._loc

    @property
    def scale_tril(self) -> Any:
        """The lower triangle L."""
        return self._tril

    def covariance(self, name: str = "covariance") -> Any:
        """Return the covariance."""
        with self._scope(name):
            return matmul(self._tril, self._tril, transpose_b=True)

    def _batch_values(self) -> Any:
        return self._loc[..., 0]

    def _event(self) -> Shape:
        known = shape_of(self._loc)
        return None if known is None else known[-1:]

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Any:
        """Return the shape of one sample as a tensor."""
        return shape(self._loc, name=name)[-1:]

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        z = random_normal(concat([sample_shape, shape(self._loc)], 0), dtype=self.dtype, seed=seed)
        return self._loc + reduce_sum(self._tril * z[..., None, :], -1)

    def _log_size(self) -> Any:
        """Return the logarithm of the determinant of L."""
        return reduce_sum(log(_abs(matrix_diag_part(self._tril))), -1)

    def _log_prob(self, value: Any) -> Any:
        apart = (value - self._loc)[..., None]
        z = matrix_triangular_solve(self._tril + 0 * apart, apart)
        each = square(z[..., 0]) + math.log(2 * math.pi)
        return -0.5 * reduce_sum(each, -1) - self._log_size()

    def _mean(self) -> Any:
        return self._loc

    _mode = _mean

    def _variance(self) -> Any:
        return reduce_sum(square(self._tril), -1)

    def _entropy(self) -> Any:
        return reduce_sum(0.5 + 0.5 * math.log(2 * math.pi) + 0 * self._loc, -1) + self._log_size()


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """The normal distribution of vectors with mean ``loc`` and covariance ``covariance_matrix``.

    Source: ``tf.contrib.distributions.MultivariateNormalFullCovariance``.
    """

    def __init__(
        self,
        loc: Any = None,
        covariance_matrix: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalFullCovariance",
    ) -> None:
        given = {"loc": loc, "covariance_matrix": covariance_matrix}
        lower = None if covariance_matrix is None else cholesky(parameter(covariance_matrix, "covariance_matrix"))
        super().__init__(loc, lower, validate_args, allow_nan_stats, name)
        self._parameters = given


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """The normal distribution of independent elements, with the standard deviations ``softplus(scale_diag)``.

    Source: ``tf.contrib.distributions.MultivariateNormalDiagWithSoftplusScale``.
    """

    def __init__(
        self,
        loc: Any,
        scale_diag: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagWithSoftplusScale",
    ) -> None:
        super().__init__(loc, softplus(parameter(scale_diag, "scale_diag")), None, validate_args, allow_nan_stats, name)


def _lower(of: Any) -> Any:
    return of.scale_tril if isinstance(of, MultivariateNormalTriL) else matrix_diag(of.stddev())


def _normals(a: Any, b: Any, name: str | None = None) -> Any:
    first, second = _lower(a), _lower(b)
    apart = matrix_triangular_solve(second + 0 * first, (b.loc - a.loc)[..., None])
    spread = matrix_triangular_solve(second + 0 * first, first + 0 * second)
    sizes = [reduce_sum(log(_abs(matrix_diag_part(each))), -1) for each in (first, second)]
    total = reduce_sum(square(spread), [-2, -1]) + reduce_sum(square(apart), [-2, -1])
    return 0.5 * (total - reduce_sum(1.0 + 0 * a.loc, -1)) + sizes[1] - sizes[0]


RegisterKL(MultivariateNormalTriL, MultivariateNormalTriL)(_normals)
RegisterKL(MultivariateNormalTriL, MultivariateNormalDiag)(_normals)
RegisterKL(MultivariateNormalDiag, MultivariateNormalTriL)(_normals)
