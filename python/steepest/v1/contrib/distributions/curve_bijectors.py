"""Functions of one number whose shape parameters say: powers, cumulative probabilities, skew and heavy tails."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...distributions.checks import checked, parameter, positive, same_float
from ...distributions.util import maybe_get_static_value
from ...graph.build import dtype_of
from ...graph.scopes import name_scope
from ...ops.compare_checks import assert_less_equal, assert_non_negative, assert_positive
from ...ops.gather_ops import where
from ...ops.math_ops import abs as _abs
from ...ops.math_ops import asinh, cosh, exp, expm1, log, log1p, sinh, sqrt, square
from .bijector import Bijector

__all__ = ["Exp", "Gumbel", "Kumaraswamy", "PowerTransform", "SinhArcsinh"]

_FROM_0 = "Inverse transformation input must be greater than 0."


class PowerTransform(Bijector):
    """``y = (1 + power x) ** (1 / power)``; ``exp(x)`` where the power is 0.

    Raises ValueError for a power that is negative, or that is not known when the graph is made.
    """

    def __init__(self, power: Any = 0.0, validate_args: bool = False, name: str = "power_transform") -> None:
        with name_scope(name):
            known = maybe_get_static_value(parameter(power, "power"))
        if known is None or known < 0:
            raise ValueError("`power` must be a non-negative TF constant.")
        self._power = known
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    @property
    def power(self) -> Any:
        """The power, a number."""
        return self._power

    def _place(self, x: Any) -> Any:
        def inside() -> list[Any]:
            message = f"Forward transformation input must be at least {-1.0 / self._power}."
            return [assert_non_negative(1.0 + self._power * x, message=message)]

        return checked(x, self._validate_args and self._power != 0, inside)

    def _value(self, y: Any) -> Any:
        return checked(y, self._validate_args, lambda: [assert_positive(y, message=_FROM_0)])

    def _forward(self, x: Any) -> Any:
        x = self._place(x)
        return exp(x) if self._power == 0 else exp(log1p(x * self._power) / self._power)

    def _inverse(self, y: Any) -> Any:
        y = self._value(y)
        return log(y) if self._power == 0 else expm1(log(y) * self._power) / self._power

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._place(x)
        return x if self._power == 0 else (1.0 / self._power - 1.0) * log1p(x * self._power)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return (self._power - 1.0) * log(self._value(y))


class Exp(PowerTransform):
    """``y = exp(x)``."""

    def __init__(self, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(validate_args=validate_args, name=name)


class Gumbel(Bijector):
    """``y = exp(-exp(-(x - loc) / scale))``, the cumulative probability of the Gumbel distribution."""

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool = False, name: str = "gumbel") -> None:
        with name_scope(name):
            self._loc, width = parameter(loc, "loc"), parameter(scale, "scale")
            same_float(self._loc, width)
            self._scale = positive(width, validate_args, "Argument scale was not positive")
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    @property
    def loc(self) -> Any:
        """Where the distribution is."""
        return self._loc

    @property
    def scale(self) -> Any:
        """How wide it is."""
        return self._scale

    def _value(self, y: Any) -> Any:
        def inside() -> list[Any]:
            to_1 = "Inverse transformation input must be less than or equal to 1."
            return [assert_non_negative(y, message=_FROM_0), assert_less_equal(y, 1.0, message=to_1)]

        return checked(y, self._validate_args, inside)

    def _forward(self, x: Any) -> Any:
        return exp(-exp(-(x - self._loc) / self._scale))

    def _inverse(self, y: Any) -> Any:
        return self._loc - self._scale * log(-log(self._value(y)))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        z = (x - self._loc) / self._scale
        return -z - exp(-z) - log(self._scale)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._value(y)
        return log(self._scale / (-log(y) * y))


class Kumaraswamy(Bijector):
    """``y = (1 - (1 - x) ** (1 / b)) ** (1 / a)`` of numbers between 0 and 1; a, b are the two concentrations."""

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        name: str = "kumaraswamy",
    ) -> None:
        message = "Concentration parameter must be positive."
        with name_scope(name):
            self._concentration1 = positive(parameter(concentration1, "concentration1"), validate_args, message)
            self._concentration0 = positive(parameter(concentration0, "concentration0"), validate_args, message)
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    @property
    def concentration1(self) -> Any:
        """The concentration a."""
        return self._concentration1

    @property
    def concentration0(self) -> Any:
        """The concentration b."""
        return self._concentration0

    def _share(self, value: Any) -> Any:
        def inside() -> list[Any]:
            return [
                assert_non_negative(value, message="sample must be non-negative"),
                assert_less_equal(value, 1.0, message="sample must be no larger than `1`."),
            ]

        return checked(value, self._validate_args, inside)

    def _forward(self, x: Any) -> Any:
        return exp(log1p(-exp(log1p(-self._share(x)) / self._concentration0)) / self._concentration1)

    def _inverse(self, y: Any) -> Any:
        return exp(log1p(-((1 - self._share(y) ** self._concentration1) ** self._concentration0)))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y, a, b = self._share(y), self._concentration1, self._concentration0
        return log(a) + log(b) + (a - 1) * log(y) + (b - 1) * log1p(-(y**a))


class SinhArcsinh(Bijector):
    """``y = sinh((arcsinh(x) + skewness) tailweight)``: of a normal distribution a skew one, or one with other tails.

    Args:
        skewness: 0 by default.
        tailweight: positive, 1 by default; more than 1 for heavier tails.
    """

    def __init__(
        self, skewness: Any = None, tailweight: Any = None, validate_args: bool = False, name: str = "SinhArcsinh"
    ) -> None:
        with name_scope(name):
            self._skewness = parameter(0.0 if skewness is None else skewness, "skewness")
            weight = parameter(1.0 if tailweight is None else tailweight, "tailweight", dtype_of(self._skewness))
            same_float(self._skewness, weight)
            self._tailweight = positive(weight, validate_args, "Argument tailweight was not positive")
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    @property
    def skewness(self) -> Any:
        """How skew."""
        return self._skewness

    @property
    def tailweight(self) -> Any:
        """How heavy the tails are."""
        return self._tailweight

    def _forward(self, x: Any) -> Any:
        return sinh((asinh(x) + self._skewness) * self._tailweight)

    def _inverse(self, y: Any) -> Any:
        return sinh(asinh(y) / self._tailweight - self._skewness)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return log(cosh((asinh(x) + self._skewness) * self._tailweight) / _length(x)) + log(self._tailweight)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return log(cosh(asinh(y) / self._tailweight - self._skewness) / _length(y)) - log(self._tailweight)


def _length(x: Any) -> Any:
    """Return ``sqrt(x ** 2 + 1)``, without an overflow of the square."""
    small = _abs(x) * np.sqrt(np.finfo(dtype_of(x).as_numpy_dtype).eps) <= 1.0
    return where(small, sqrt(square(x) + 1.0), _abs(x))
