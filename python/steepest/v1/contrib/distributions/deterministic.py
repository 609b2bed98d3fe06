"""Distributions of one value: every sample is ``loc``."""

from __future__ import annotations

from typing import Any

from ...distributions.checks import checked, parameter
from ...distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from ...graph.build import shape_of
from ...graph.scopes import name_scope
from ...graph.shapes import Shape
from ...ops.array_ops import shape
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_non_negative
from ...ops.concat_ops import concat
from ...ops.creation_ops import ones, zeros_like
from ...ops.math_ops import abs as _abs
from ...ops.reduce_ops import reduce_all
from ...ops.sparse_ops import convert_to_tensor

__all__ = ["Deterministic", "VectorDeterministic"]


class Deterministic(Distribution):
    """The number ``loc``: its probability is 1 at values within ``atol + rtol * |loc|`` of it, 0 elsewhere.

    Source: ``tf.contrib.distributions.Deterministic``.
    """

    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Deterministic",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as scope:
            self._loc = parameter(loc, "loc")
            dtype = self._loc.dtype.base_dtype
            self._atol, self._rtol = (
                _tolerance(each, label, dtype, validate_args) for each, label in ((atol, "atol"), (rtol, "rtol"))
            )
        super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, name=scope)

    @property
    def loc(self) -> Any:
        """The value."""
        return self._loc

    @property
    def atol(self) -> Any:
        """How far a value may be from ``loc``."""
        return self._atol

    @property
    def rtol(self) -> Any:
        """How far it may be in parts of ``|loc|``."""
        return self._rtol

    def _batch_values(self) -> Any:
        return self._loc

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        del seed
        return ones(concat([sample_shape, shape(self._loc)], 0), self.dtype) * self._loc

    @property
    def _slack(self) -> Any:
        return self._atol + self._rtol * _abs(self._loc)

    def _prob(self, value: Any) -> Any:
        return cast(_abs(value - self._loc) <= self._slack, self.dtype)

    def _cdf(self, value: Any) -> Any:
        return cast(value >= self._loc - self._slack, self.dtype)

    def _entropy(self) -> Any:
        return zeros_like(self._batch_values())

    def _mean(self) -> Any:
        return self._loc

    _mode = _mean

    def _variance(self) -> Any:
        return zeros_like(self._loc)


class VectorDeterministic(Deterministic):
    """The vector ``loc``, along its last axis.

    Source: ``tf.contrib.distributions.VectorDeterministic``.
    """

    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorDeterministic",
    ) -> None:
        super().__init__(loc, atol, rtol, validate_args, allow_nan_stats, name)
        if shape_of(self._loc) == ():
            raise ValueError("Argument loc must have rank at least 1.")

    def _batch_values(self) -> Any:
        return self._loc[..., 0]

    def _event(self) -> Shape:
        known = shape_of(self._loc)
        return None if known is None else known[-1:]

    def _event_shape_tensor(self) -> Any:
        return shape(self._loc)[-1:]

    def _prob(self, value: Any) -> Any:
        return cast(reduce_all(_abs(value - self._loc) <= self._slack, -1), self.dtype)

    def _cdf(self, value: Any) -> Any:
        raise NotImplementedError("cdf is not implemented: VectorDeterministic")


def _tolerance(value: Any, name: str, dtype: Any, wanted: bool) -> Any:
    if value is None:
        return convert_to_tensor(0, dtype, name)
    tolerance = convert_to_tensor(value, dtype, name)
    message = f"Argument {name} must be non-negative"
    return checked(tolerance, wanted, lambda: [assert_non_negative(tolerance, message=message)])
