"""Distributions made skew, or with heavier tails, of numbers and of vectors."""

from __future__ import annotations

from typing import Any

from ...distributions.checks import parameter
from ...distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from ...distributions.location_scale import Normal
from ...distributions.util import prefer_static_broadcast_shape, prefer_static_shape
from ...graph.build import dtype_of
from ...graph.scopes import name_scope
from ...ops.creation_ops import ones, zeros
from ...ops.sparse_ops import convert_to_tensor
from .affine_bijectors import Affine
from .composed_bijectors import Chain
from .curve_bijectors import SinhArcsinh as SinhArcsinhBijector
from .elementwise_bijectors import AffineScalar
from .operator_scales import make_diag_scale, shapes_from_loc_and_scale
from .transformed import TransformedDistribution

__all__ = ["SinhArcsinh", "VectorSinhArcsinhDiag"]


class _SinhArcsinh(TransformedDistribution):
    """What both share: ``y = loc + C sinh((arcsinh(z) + skewness) tailweight)``, ``C = 2 scale / F(2)``."""

    _loc: Any
    _scale: Any

    def _curves(self, skewness: Any, tailweight: Any, dtype: Any) -> tuple[Any, Any]:
        """Set the parameters; return the function of z, and its value at 2 without skewness."""
        self._tailweight = parameter(1.0 if tailweight is None else tailweight, "tailweight", dtype)
        self._skewness = parameter(0.0 if skewness is None else skewness, "skewness", dtype)
        curve = SinhArcsinhBijector(self._skewness, self._tailweight)
        even = curve if skewness is None else SinhArcsinhBijector(zeros([], dtype), self._tailweight)
        return curve, even.forward(convert_to_tensor(2, dtype))

    @property
    def loc(self) -> Any:
        """Where the distribution is."""
        return self._loc

    @property
    def scale(self) -> Any:
        """How wide it is."""
        return self._scale

    @property
    def tailweight(self) -> Any:
        """How heavy the tails are: 1 for those of z."""
        return self._tailweight

    @property
    def skewness(self) -> Any:
        """How skew it is: 0 for not at all."""
        return self._skewness


def _base(distribution: Any, dtype: Any, validate_args: bool, allow_nan_stats: bool) -> Distribution:
    """Return the distribution of z, by default a standard normal one; others must be of one number and that type."""
    if distribution is None:
        return Normal(zeros([], dtype), ones([], dtype), allow_nan_stats=allow_nan_stats)
    found: Distribution = distribution
    if found.dtype != dtype:
        raise TypeError(f'dtype mismatch; distribution.dtype="{found.dtype.name}" is not "{dtype.name}"')
    if validate_args and found.reparameterization_type is not FULLY_REPARAMETERIZED:
        raise ValueError(
            "Base distribution should be reparameterized or be a function of non-trainable variables; "
            f'distribution.reparameterization_type = "{found.reparameterization_type}" != "FULLY_REPARAMETERIZED".'
        )
    for known, which in ((found.event_shape, "is_scalar_event"), (found.batch_shape, "is_scalar_batch")):
        if known.ndims not in (None, 0):
            raise ValueError(f"distribution must be scalar; distribution.{which}=False is not True")
    return found


class SinhArcsinh(_SinhArcsinh):
    """The distribution of ``loc + C sinh((arcsinh(z) + skewness) tailweight)``, z of a standard normal distribution.

    C is such that 2 is mapped two ``scale`` from ``loc`` where there is no skewness.

    Args:
        loc, scale: where the distribution is, and how wide.
        skewness: 0 by default; above it samples are skew to the right.
        tailweight: 1 by default; above it the tails are heavier.
        distribution: that of z, where it is not normal.

    Raises TypeError for another type of z's distribution, ValueError for one that is a batch or of vectors.

    Source: ``tf.contrib.distributions.SinhArcsinh``.
    """

    def __init__(
        self,
        loc: Any,
        scale: Any,
        skewness: Any = None,
        tailweight: Any = None,
        distribution: Distribution | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "SinhArcsinh",
    ) -> None:
        given = dict(locals())
        with name_scope(name) as scope:
            self._loc = parameter(loc, "loc")
            dtype = dtype_of(self._loc)
            self._scale = parameter(scale, "scale", dtype)
            curve, at_two = self._curves(skewness, tailweight, dtype)
            batch = prefer_static_shape(self._loc)
            for each in (self._scale, self._tailweight, self._skewness):
                batch = prefer_static_broadcast_shape(batch, prefer_static_shape(each))
            line = AffineScalar(self._loc, 2 * self._scale / at_two, validate_args)
            base = _base(distribution, dtype, validate_args, allow_nan_stats)
            super().__init__(base, Chain([line, curve]), batch, None, validate_args, scope)
        self._made_with(given)


class VectorSinhArcsinhDiag(_SinhArcsinh):
    """The distribution of vectors whose elements are those of `SinhArcsinh`, independent of each other.

    Args:
        loc: where the distribution is, zeros by default; the last axis is that of the vectors.
        scale_diag, scale_identity_multiplier: as in `MultivariateNormalDiag`.
        skewness, tailweight, distribution: as in `SinhArcsinh`.

    Source: ``tf.contrib.distributions.VectorSinhArcsinhDiag``.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        skewness: Any = None,
        tailweight: Any = None,
        distribution: Distribution | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ) -> None:
        given = dict(locals())
        with name_scope(name) as scope:
            self._loc = None if loc is None else parameter(loc, "loc")
            self._scale = make_diag_scale(self._loc, scale_diag, scale_identity_multiplier)
            batch, event = shapes_from_loc_and_scale(self._loc, self._scale)
            widths = self._scale.diag_part()
            curve, at_two = self._curves(skewness, tailweight, dtype_of(widths))
            line = Affine(self._loc, scale_diag=2 * widths / at_two, validate_args=validate_args)
            base = _base(distribution, dtype_of(widths), validate_args, allow_nan_stats)
            super().__init__(base, Chain([line, curve]), batch, event, validate_args, scope)
        self._made_with(given)
