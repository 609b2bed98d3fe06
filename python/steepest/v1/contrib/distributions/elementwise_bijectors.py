"""Functions of one number that have an inverse, and by what they stretch; they are applied to each element."""

from __future__ import annotations

import math
from typing import Any

from ...distributions.checks import checked, parameter
from ...graph.build import dtype_of
from ...ops.activation_ops import softplus
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_greater, assert_less, assert_non_negative, assert_none_equal
from ...ops.creation_ops import zeros
from ...ops.math_ops import abs as _abs
from ...ops.math_ops import expm1, log, log1p, sigmoid, sqrt, square
from .bijector import Bijector

__all__ = ["AbsoluteValue", "AffineScalar", "Identity", "Sigmoid", "Softplus", "Softsign", "Square"]


class Identity(Bijector):
    """``y = x``."""

    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(is_constant_jacobian=True, validate_args=validate_args, forward_min_event_ndims=0, name=name)

    def _forward(self, x: Any) -> Any:
        return x

    def _inverse(self, y: Any) -> Any:
        return y

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return zeros([], dtype_of(x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return self._forward_log_det_jacobian(y)


class Softplus(Bijector):
    """``y = hinge_softness log(1 + exp(x / hinge_softness))``."""

    def __init__(self, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)
        softness = None if hinge_softness is None else parameter(hinge_softness, "hinge_softness")
        if softness is not None:
            message = "hinge_softness must be non-zero"
            softness = checked(softness, validate_args, lambda: [assert_none_equal(softness, 0, message=message)])
        self._softness = softness

    @property
    def hinge_softness(self) -> Any:
        """How soft the hinge at 0 is, or None for 1."""
        return self._softness

    def _scaled(self, value: Any) -> Any:
        return value if self._softness is None else value / cast(self._softness, dtype_of(value))

    def _back(self, value: Any) -> Any:
        return value if self._softness is None else value * cast(self._softness, dtype_of(value))

    def _forward(self, x: Any) -> Any:
        return self._back(softplus(self._scaled(x)))

    def _inverse(self, y: Any) -> Any:
        scaled = self._scaled(y)
        return self._back(scaled + log(-expm1(-scaled)))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -softplus(-self._scaled(x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -log(-expm1(-self._scaled(y)))


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

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -log(y) - log1p(-y)


class AffineScalar(Bijector):
    """``y = scale x + shift``."""

    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = "affine_scalar"
    ) -> None:
        super().__init__(is_constant_jacobian=True, validate_args=validate_args, forward_min_event_ndims=0, name=name)
        self._shift = None if shift is None else parameter(shift, "shift")
        factor = None if scale is None else parameter(scale, "scale")
        if factor is not None:
            message = "Argument `scale` was zero."
            factor = checked(factor, validate_args, lambda: [assert_none_equal(factor, 0, message=message)])
        self._scale = factor

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
        return zeros([], dtype_of(x)) if self._scale is None else log(_abs(self._scale))


class AbsoluteValue(Bijector):
    """``y = |x|``, which is not one to one: the inverse of ``y`` is the pair ``(-y, y)``."""

    def __init__(self, validate_args: bool = False, name: str = "absolute_value") -> None:
        super().__init__(is_constant_jacobian=True, validate_args=validate_args, forward_min_event_ndims=0, name=name)

    @property
    def _is_injective(self) -> bool:
        return False

    def _checked(self, y: Any, value: Any) -> Any:
        message = "Argument y was negative"
        return checked(value, self._validate_args, lambda: [assert_non_negative(y, message=message)])

    def _forward(self, x: Any) -> Any:
        return _abs(x)

    def _inverse(self, y: Any) -> Any:
        y = self._checked(y, y)
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        nothing = self._checked(y, zeros([], dtype_of(y)))
        return nothing, nothing


class Softsign(Bijector):
    """``y = x / (1 + |x|)``."""

    def __init__(self, validate_args: bool = False, name: str = "softsign") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    def _value(self, y: Any) -> Any:
        def inside() -> list[Any]:
            rule = "Inverse transformation input must be {} than {}."
            return [
                assert_greater(y, cast(-1, dtype_of(y)), message=rule.format("greater", -1)),
                assert_less(y, cast(1, dtype_of(y)), message=rule.format("less", 1)),
            ]

        return checked(y, self._validate_args, inside)

    def _forward(self, x: Any) -> Any:
        return x / (1.0 + _abs(x))

    def _inverse(self, y: Any) -> Any:
        y = self._value(y)
        return y / (1.0 - _abs(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -2.0 * log1p(_abs(x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -2.0 * log1p(-_abs(self._value(y)))


class Square(Bijector):
    """``y = x ** 2`` of numbers that are not negative."""

    def __init__(self, validate_args: bool = False, name: str = "square") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    def _checked(self, value: Any) -> Any:
        message = "All elements must be non-negative."
        return checked(value, self._validate_args, lambda: [assert_non_negative(value, message=message)])

    def _forward(self, x: Any) -> Any:
        return square(self._checked(x))

    def _inverse(self, y: Any) -> Any:
        return sqrt(self._checked(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return math.log(2.0) + log(self._checked(x))
