"""The distribution of a function of samples; and what makes lower triangles and positive numbers of parameters."""

from __future__ import annotations

import math
from typing import Any

from ...distributions.distribution import Distribution
from ...graph.build import shape_of
from ...graph.scopes import name_scope
from ...graph.shapes import Shape
from ...ops.array_ops import reshape, shape
from ...ops.cast_ops import cast
from ...ops.concat_ops import concat
from ...ops.linalg_ops import matrix_band_part
from ...ops.math_ops import expm1, log, sqrt
from ...ops.rearranging_ops import reverse
from ...ops.sparse_ops import convert_to_tensor
from .bijector import Bijector
from .bijectors import Identity

__all__ = ["TransformedDistribution", "fill_triangular", "softplus_inverse"]


class TransformedDistribution(Distribution):
    """The distribution of ``bijector(sample)``, for samples of another distribution.

    ``batch_shape`` and ``event_shape`` must be left at None.

    Source: ``tf.contrib.distributions.TransformedDistribution``.
    """

    def __init__(
        self,
        distribution: Distribution,
        bijector: Bijector | None = None,
        batch_shape: Any = None,
        event_shape: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        if batch_shape is not None or event_shape is not None:
            raise NotImplementedError("TransformedDistribution: batch_shape and event_shape must be None")
        self._distribution, self._bijector = distribution, Identity() if bijector is None else bijector
        base = distribution.name.strip("/").rpartition("/")[2]
        given = {"distribution": distribution, "bijector": bijector}
        with name_scope(name or f"{self._bijector.name}{base}") as scope:
            kind = distribution.reparameterization_type
            super().__init__(distribution.dtype, kind, validate_args, distribution.allow_nan_stats, given, name=scope)

    @property
    def distribution(self) -> Distribution:
        """The other distribution."""
        return self._distribution

    @property
    def bijector(self) -> Bijector:
        """The function."""
        return self._bijector

    def _batch_values(self) -> Any:
        return self._distribution._batch_values()

    def _event(self) -> Shape:
        return self._distribution._event()

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return self._bijector.forward(self._distribution._draw(sample_shape, seed))

    def _log_prob(self, value: Any) -> Any:
        ranks = self._distribution.event_shape.ndims or 0
        x = self._bijector.inverse(value)
        return self._distribution.log_prob(x) + self._bijector.inverse_log_det_jacobian(value, ranks)

    def _cdf(self, value: Any) -> Any:
        return self._distribution.cdf(self._bijector.inverse(value))

    def _quantile(self, value: Any) -> Any:
        return self._bijector.forward(self._distribution.quantile(value))


def _transformed(self: Distribution, bijector: Bijector, name: str | None) -> TransformedDistribution:
    return TransformedDistribution(self, bijector, name=name)


Distribution._transformed = _transformed  # type: ignore[attr-defined]  # what a bijector makes of a distribution


def fill_triangular(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """Return n x n triangles of the n (n + 1) / 2 numbers along the last axis, in the order of TensorFlow's.

    Raises ValueError for another count.

    Source: ``tf.contrib.distributions.fill_triangular``.
    """
    with name_scope(name, "fill_triangular"):
        x = convert_to_tensor(x)
        known = shape_of(x)
        if known is None or known[-1] is None:
            count = cast(shape(x)[-1], "float32")
            size: Any = cast(sqrt(0.25 + 2.0 * count), "int32")
        else:
            size = (math.isqrt(8 * known[-1] + 1) - 1) // 2
            if size * (size + 1) // 2 != known[-1]:
                raise ValueError(f"Input right-most shape ({known[-1]}) does not correspond to a triangular matrix.")
        rest = x[..., size:]
        both = concat([x, reverse(rest, [-1])] if upper else [rest, reverse(x, [-1])], -1)
        whole = known is not None and None not in known
        sizes = [*known[:-1], size, size] if known and whole else concat([shape(x)[:-1], [size, size]], 0)
        return matrix_band_part(reshape(both, sizes), 0 if upper else -1, -1 if upper else 0)


def softplus_inverse(x: Any, name: str | None = None) -> Any:
    """Return the y for which ``log(1 + exp(y))`` is ``x``. Source: ``tf.contrib.distributions.softplus_inverse``."""
    with name_scope(name, "softplus_inverse"):
        x = convert_to_tensor(x)
        return x + log(-expm1(-x))
