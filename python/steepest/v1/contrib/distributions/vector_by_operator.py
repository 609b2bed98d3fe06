"""Distributions of vectors whose elements are independent before a linear operator mixes them."""

from __future__ import annotations

import math
from typing import Any

from ...distributions.checks import parameter
from ...distributions.distribution import Distribution
from ...distributions.gamma import Exponential
from ...distributions.location_scale import Laplace
from ...graph.scopes import name_scope
from ...ops.array_ops import identity
from ...ops.concat_ops import concat
from ...ops.creation_ops import ones, zeros
from ...ops.diagonal_ops import matrix_diag, matrix_diag_part
from ...ops.math_ops import abs as _abs
from ...ops.math_ops import sqrt, square
from .affine_bijectors import AffineLinearOperator
from .operator_scales import is_diagonal_scale, make_diag_scale, shapes_from_loc_and_scale
from .transformed import TransformedDistribution

__all__ = [
    "VectorByOperator",
    "VectorExponentialDiag",
    "VectorExponentialLinearOperator",
    "VectorLaplaceDiag",
    "VectorLaplaceLinearOperator",
]


class VectorByOperator(TransformedDistribution):
    """The distribution of ``loc + scale @ z``: a subclass says that of the elements of z, and their variance."""

    _unit_variance = 1.0

    def __init__(self, loc: Any, scale: Any, validate_args: bool, allow_nan_stats: bool, name: str) -> None:
        if scale is None:
            raise ValueError("Missing required `scale` parameter.")
        if not scale.dtype.is_floating:
            raise TypeError("`scale` parameter must have floating-point dtype.")
        with name_scope(name) as scope:
            moved = None if loc is None else parameter(loc, "loc")
            batch_shape, event_shape = shapes_from_loc_and_scale(moved, scale)
            super().__init__(
                self._standard(scale.dtype, allow_nan_stats),
                AffineLinearOperator(moved, scale, validate_args),
                batch_shape,
                event_shape,
                validate_args,
                scope,
            )

    def _standard(self, dtype: Any, allow_nan_stats: bool) -> Distribution:
        """Return the distribution of the elements of z."""
        raise NotImplementedError

    @property
    def loc(self) -> Any:
        """What is added, or None for zeros."""
        return self.bijector.shift  # type: ignore[attr-defined]  # it is an AffineLinearOperator

    @property
    def scale(self) -> Any:
        """The linear operator."""
        return self.bijector.scale  # type: ignore[attr-defined]

    def _whole_shape(self) -> Any:
        known = self.batch_shape.concatenate(self.event_shape)
        if known.is_fully_defined():
            return known.as_list()
        return concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)

    def _mean(self) -> Any:
        sizes = self._whole_shape()
        if self.loc is None:
            return zeros(sizes, self.dtype)
        known = self.loc.shape
        same = known.is_fully_defined() and known.as_list() == sizes
        return identity(self.loc) if same else self.loc + zeros(sizes, self.dtype)

    def _mode(self) -> Any:
        return VectorByOperator._mean(self)  # where z is 0

    def _covariance(self) -> Any:
        if is_diagonal_scale(self.scale):
            return self._unit_variance * matrix_diag(square(self.scale.diag_part()))
        return self._unit_variance * self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _variance(self) -> Any:
        if is_diagonal_scale(self.scale):
            return self._unit_variance * square(self.scale.diag_part())
        return matrix_diag_part(self._covariance())

    def _stddev(self) -> Any:
        if is_diagonal_scale(self.scale):
            return math.sqrt(self._unit_variance) * _abs(self.scale.diag_part())
        return sqrt(self._variance())


class VectorLaplaceLinearOperator(VectorByOperator):
    """The distribution of vectors ``loc + scale @ z``, the elements of z of the Laplace distribution.

    Source: TensorFlow's ``contrib.distributions.python.ops.vector_laplace_linear_operator``.
    """

    _unit_variance = 2.0

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorLaplaceLinearOperator",
    ) -> None:
        given = dict(locals())
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._made_with(given)

    def _standard(self, dtype: Any, allow_nan_stats: bool) -> Distribution:
        return Laplace(zeros([], dtype), ones([], dtype))


class VectorLaplaceDiag(VectorLaplaceLinearOperator):
    """The distribution of vectors ``loc + scale z``, the elements of z of the Laplace distribution, scale a diagonal.

    Args:
        loc: the means, zeros by default; the last axis is that of the vectors.
        scale_diag: the diagonal, ones by default.
        scale_identity_multiplier: a number for each vector, which is added to ``scale_diag``, or stands for it.

    Source: ``tf.contrib.distributions.VectorLaplaceDiag``.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorLaplaceDiag",
    ) -> None:
        given = dict(locals())
        with name_scope(name) as scope:
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._made_with(given)


class VectorExponentialLinearOperator(VectorByOperator):
    """The distribution of vectors ``loc + scale @ z``, the elements of z of the exponential distribution of rate 1.

    Source: TensorFlow's ``contrib.distributions.python.ops.vector_exponential_linear_operator``.
    """

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorExponentialLinearOperator",
    ) -> None:
        given = dict(locals())
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._made_with(given)

    def _standard(self, dtype: Any, allow_nan_stats: bool) -> Distribution:
        return Exponential(ones([], dtype), allow_nan_stats=allow_nan_stats)

    def _mean(self) -> Any:
        middle = self.scale.matvec(ones(self._whole_shape(), self.dtype))
        return middle if self.loc is None else self.loc + middle


class VectorExponentialDiag(VectorExponentialLinearOperator):
    """The distribution of vectors ``loc + scale z``, the elements of z of the exponential distribution of rate 1.

    Args:
        loc: where z is 0, zeros by default; the last axis is that of the vectors.
        scale_diag: the diagonal of the scale, ones by default.
        scale_identity_multiplier: a number for each vector, which is added to ``scale_diag``, or stands for it.

    Source: ``tf.contrib.distributions.VectorExponentialDiag``.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorExponentialDiag",
    ) -> None:
        given = dict(locals())
        with name_scope(name) as scope:
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, scope)
        self._made_with(given)
