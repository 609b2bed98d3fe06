"""Normal distributions of vectors, whose scale is a linear operator."""

from __future__ import annotations

from typing import Any

from ...distributions.checks import checked, parameter
from ...distributions.distribution import Distribution
from ...distributions.kullback_leibler import RegisterKL
from ...distributions.location_scale import Normal
from ...distributions.util import dimension_size
from ...graph.build import dtype_of
from ...graph.mode import executing_eagerly
from ...graph.scopes import name_scope
from ...ops.activation_ops import softplus
from ...ops.array_ops import matrix_transpose
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_near
from ...ops.creation_ops import ones, zeros
from ...ops.decomposition_ops import cholesky
from ...ops.linear_operator_identity import LinearOperatorIdentity
from ...ops.linear_operator_ops import LinearOperatorLowerTriangular
from ...ops.linear_operator_updates import LinearOperatorLowRankUpdate
from ...ops.math_ops import square
from ...ops.rearranging_ops import broadcast_static_shape
from ...ops.reduce_ops import reduce_sum
from .operator_scales import is_diagonal_scale, make_diag_scale
from .vector_by_operator import VectorByOperator

__all__ = [
    "MultivariateNormalDiag",
    "MultivariateNormalDiagPlusLowRank",
    "MultivariateNormalDiagWithSoftplusScale",
    "MultivariateNormalFullCovariance",
    "MultivariateNormalLinearOperator",
    "MultivariateNormalTriL",
]


class MultivariateNormalLinearOperator(VectorByOperator):
    """The normal distribution of vectors ``loc + scale @ z``, z independent and standard.

    Args:
        loc: the means, zeros by default; the last axis is that of the vectors.
        scale: a linear operator; the covariance is ``scale @ scale'``.

    Raises ValueError for no scale, TypeError for one that is not of floating point.

    Source: TensorFlow's ``contrib.distributions.python.ops.mvn_linear_operator``.
    """

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ) -> None:
        given = dict(locals())
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._made_with(given)

    def _standard(self, dtype: Any, allow_nan_stats: bool) -> Distribution:
        return Normal(zeros([], dtype), ones([], dtype), allow_nan_stats=allow_nan_stats)


class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """The normal distribution of vectors of independent elements; element k has the deviation ``scale_diag[k]``.

    Args:
        loc: the means, zeros by default; the last axis is that of the vectors.
        scale_diag: the standard deviations, ones by default.
        scale_identity_multiplier: a number for each vector, which is added to ``scale_diag``, or stands for it.

    Raises ValueError where neither a mean nor a deviation says how long the vectors are.

    Source: ``tf.contrib.distributions.MultivariateNormalDiag``.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiag",
    ) -> None:
        given = dict(locals())
        with name_scope(name) as scope:
            loc = None if loc is None else parameter(loc, "loc")
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._made_with(given)


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
        given = dict(locals())
        with name_scope(name) as scope:
            widths = softplus(parameter(scale_diag, "scale_diag"))
        super().__init__(loc, widths, None, validate_args, allow_nan_stats, scope)
        self._made_with(given)


class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """The normal distribution whose scale is ``diag(scale_diag) + m I + V diag(d) V'``.

    Args:
        loc: the means, zeros by default.
        scale_diag: a diagonal, ones by default.
        scale_identity_multiplier: the number m.
        scale_perturb_factor: V, ``[..., n, r]``.
        scale_perturb_diag: d, ones by default.

    Source: ``tf.contrib.distributions.MultivariateNormalDiagPlusLowRank``.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagPlusLowRank",
    ) -> None:
        given = dict(locals())
        low_rank = scale_perturb_factor is not None or scale_perturb_diag is not None
        with name_scope(name) as scope:
            loc = None if loc is None else parameter(loc, "loc")
            scale = make_diag_scale(
                loc, scale_diag, scale_identity_multiplier, None, validate_args, assert_positive=low_rank
            )
            if low_rank:
                diagonal = None if scale_perturb_diag is None else parameter(scale_perturb_diag, "scale_perturb_diag")
                scale = LinearOperatorLowRankUpdate(
                    scale,
                    u=parameter(scale_perturb_factor, "scale_perturb_factor"),
                    diag_update=diagonal,
                    is_diag_update_positive=diagonal is None,
                    is_non_singular=True,
                    is_self_adjoint=True,
                    is_positive_definite=True,
                    is_square=True,
                )
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._made_with(given)


class MultivariateNormalTriL(MultivariateNormalLinearOperator):
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
        given = dict(locals())
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with name_scope(name) as scope:
            loc = None if loc is None else parameter(loc, "loc")
            if scale_tril is None:
                rows, dtype = dimension_size(loc, -1), dtype_of(loc)
                scale: Any = LinearOperatorIdentity(rows, dtype=dtype, assert_proper_shapes=validate_args)
            else:
                lower = parameter(scale_tril, "scale_tril")
                scale = LinearOperatorLowerTriangular(
                    lower, is_non_singular=True, is_self_adjoint=False, is_positive_definite=False
                )
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._made_with(given)


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
        given = dict(locals())
        lower = None
        with name_scope(name) as scope:
            if covariance_matrix is not None:
                matrix = parameter(covariance_matrix, "covariance_matrix")
                turned, message = matrix_transpose(matrix), "Matrix was not symmetric"
                lower = cholesky(checked(matrix, validate_args, lambda: [assert_near(matrix, turned, message=message)]))
        super().__init__(loc, lower, validate_args, allow_nan_stats, scope)
        self._made_with(given)


@RegisterKL(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)
def _normals(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name, "kl_mvn"):
        if is_diagonal_scale(a.scale) and is_diagonal_scale(b.scale):
            ratio = (a.stddev() / b.stddev())[..., None]
        else:
            ratio = b.scale.solve(a.scale.to_dense())
        apart = b.scale.solve((b.mean() - a.mean())[..., None])
        sums = reduce_sum(square(ratio), [-2, -1]) + reduce_sum(square(apart), [-2, -1])
        rows = cast(a.scale.domain_dimension_tensor(), a.dtype)
        sizes = b.scale.log_abs_determinant() - a.scale.log_abs_determinant()
        found = sizes + 0.5 * (sums - rows)
        if not executing_eagerly():
            found.set_shape(broadcast_static_shape(a.batch_shape, b.batch_shape))
        return found
