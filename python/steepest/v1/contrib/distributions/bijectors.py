"""``tf.contrib.distributions.bijectors``: functions with an inverse, and by what they stretch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...distributions.checks import parameter
from ...graph.build import dtype_of
from ...graph.missing import namespace
from ...ops.activation_ops import softplus
from ...ops.creation_ops import zeros_like
from ...ops.math_ops import abs as _abs
from ...ops.math_ops import exp, expm1, log, log1p, sigmoid
from .bijector import Bijector, _over_event

__all__ = ["AffineScalar", "Bijector", "Chain", "Exp", "Identity", "Invert", "Sigmoid", "Softplus"]

__getattr__, __dir__ = namespace(__name__)


class Identity(Bijector):
    """``y = x``."""

    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    def _forward(self, x: Any) -> Any:
        return x

    def _inverse(self, y: Any) -> Any:
        return y

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return zeros_like(x)


class Exp(Bijector):
    """``y = exp(x)``."""

    def __init__(self, event_ndims: Any = None, validate_args: bool = False, name: str = "exp") -> None:
        del event_ndims
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    def _forward(self, x: Any) -> Any:
        return exp(x)

    def _inverse(self, y: Any) -> Any:
        return log(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return x


class Softplus(Bijector):
    """``y = hinge_softness log(1 + exp(x / hinge_softness))``."""

    def __init__(self, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)
        self._softness = 1.0 if hinge_softness is None else parameter(hinge_softness, "hinge_softness")

    def _forward(self, x: Any) -> Any:
        return self._softness * softplus(x / self._softness)

    def _inverse(self, y: Any) -> Any:
        return y + self._softness * log(-expm1(-y / self._softness))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -softplus(-x / self._softness)


class Sigmoid(Bijector):
    """``y = 1 / (1 + exp(-x))``."""

    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    def _forward(self, x: Any) -> Any:
        return sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return log(y) - log1p(-y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -softplus(-x) - softplus(x)


class AffineScalar(Bijector):
    """``y = scale x + shift``."""

    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = "affine_scalar"
    ) -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)
        self._shift = None if shift is None else parameter(shift, "shift")
        self._scale = None if scale is None else parameter(scale, "scale")

    @property
    def shift(self) -> Any:
        """What is added, or None."""
        return self._shift

    @property
    def scale(self) -> Any:
        """The factor, or None."""
        return self._scale

    def _forward(self, x: Any) -> Any:
        scaled = x if self._scale is None else x * self._scale
        return scaled if self._shift is None else scaled + self._shift

    def _inverse(self, y: Any) -> Any:
        moved = y if self._shift is None else y - self._shift
        return moved if self._scale is None else moved / self._scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return zeros_like(x) if self._scale is None else log(_abs(self._scale)) + zeros_like(x)


class Invert(Bijector):
    """The inverse of another."""

    def __init__(self, bijector: Bijector, validate_args: bool = False, name: str | None = None) -> None:
        super().__init__(
            validate_args=validate_args,
            forward_min_event_ndims=bijector._inverse_ranks,
            inverse_min_event_ndims=bijector._ranks,
            name=name or f"invert_{bijector.name}",
        )
        self._bijector = bijector

    @property
    def bijector(self) -> Bijector:
        """The other one."""
        return self._bijector

    def _forward(self, x: Any) -> Any:
        return self._bijector._inverse(x)

    def _inverse(self, y: Any) -> Any:
        return self._bijector._forward(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._bijector._inverse_log_det_jacobian(x)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return self._bijector._forward_log_det_jacobian(y)


class Chain(Bijector):
    """Several one after another, the last of the list first: ``Chain([f, g])(x) = f(g(x))``."""

    def __init__(
        self, bijectors: Sequence[Bijector] | None = None, validate_args: bool = False, name: str | None = None
    ) -> None:
        self._bijectors = list(bijectors or [])
        ranks = max([each._ranks for each in self._bijectors], default=0)
        joined = "_of_".join(["chain", *(each.name for each in self._bijectors)])
        super().__init__(validate_args=validate_args, forward_min_event_ndims=ranks, name=name or joined)

    @property
    def bijectors(self) -> list[Bijector]:
        """The parts."""
        return self._bijectors

    def _forward(self, x: Any) -> Any:
        for each in reversed(self._bijectors):
            x = each._forward(x)
        return x

    def _inverse(self, y: Any) -> Any:
        for each in self._bijectors:
            y = each._inverse(y)
        return y

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        total: Any = None
        for each in reversed(self._bijectors):
            found = _over_event(x, each._forward_log_det_jacobian(x), each._ranks, self._ranks)
            total, x = (found if total is None else total + found), each._forward(x)
        return zeros_like(x, dtype_of(x)) if total is None else total
