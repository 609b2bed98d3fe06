"""Distributions whose positive parameters are made of any numbers, by `softplus`."""

from __future__ import annotations

from typing import Any

from ..graph.scopes import name_scope
from ..ops.activation_ops import softplus
from ..ops.math_ops import abs as _abs
from ..ops.math_ops import floor
from ..ops.sparse_ops import convert_to_tensor
from .dirichlet import Beta
from .gamma import Exponential, Gamma
from .location_scale import Laplace
from .student_t import StudentT

__all__ = [
    "BetaWithSoftplusConcentration",
    "ExponentialWithSoftplusRate",
    "GammaWithSoftplusConcentrationRate",
    "LaplaceWithSoftplusScale",
    "StudentTWithAbsDfSoftplusScale",
]


def _positive(value: Any, name: str) -> Any:
    with name_scope(name):
        return softplus(convert_to_tensor(value))


class BetaWithSoftplusConcentration(Beta):
    """`Beta` of the softplus of both concentrations."""

    def __init__(
        self,
        concentration1: Any,
        concentration0: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "BetaWithSoftplusConcentration",
    ) -> None:
        both = _positive(concentration1, name), _positive(concentration0, name)
        super().__init__(*both, validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name)


class ExponentialWithSoftplusRate(Exponential):
    """`Exponential` of the softplus of the rate."""

    def __init__(
        self,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExponentialWithSoftplusRate",
    ) -> None:
        rate = _positive(rate, name)
        super().__init__(rate, validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name)


class GammaWithSoftplusConcentrationRate(Gamma):
    """`Gamma` of the softplus of concentration and rate."""

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "GammaWithSoftplusConcentrationRate",
    ) -> None:
        both = _positive(concentration, name), _positive(rate, name)
        super().__init__(*both, validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name)


class LaplaceWithSoftplusScale(Laplace):
    """`Laplace` of the softplus of the scale."""

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "LaplaceWithSoftplusScale",
    ) -> None:
        super().__init__(loc, _positive(scale, name), validate_args, allow_nan_stats, name)


class StudentTWithAbsDfSoftplusScale(StudentT):
    """`StudentT` of the whole part of ``|df|`` and the softplus of the scale."""

    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentTWithAbsDfSoftplusScale",
    ) -> None:
        whole = floor(_abs(convert_to_tensor(df)))
        scale = _positive(scale, name)
        super().__init__(whole, loc, scale, validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name)
