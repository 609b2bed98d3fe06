"""Bijectors of vectors: ordered ones, others orders, shares that sum to 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...distributions.checks import checked, parameter
from ...distributions.util import maybe_get_static_value
from ...graph.build import dtype_of
from ...graph.scopes import name_scope
from ...graph.shapes import TensorShape
from ...ops.activation_ops import softmax, softplus
from ...ops.array_ops import size
from ...ops.compare_checks import assert_equal, assert_greater, assert_positive
from ...ops.concat_ops import concat
from ...ops.creation_ops import range as _range
from ...ops.creation_ops import zeros, zeros_like
from ...ops.gather_ops import gather
from ...ops.math_ops import exp, log
from ...ops.reduce_ops import cumsum, reduce_logsumexp, reduce_sum
from ...ops.sort_ops import invert_permutation, sort
from .bijector import Bijector

__all__ = ["Ordered", "Permute", "SoftmaxCentered"]


class Ordered(Bijector):
    """``y[0] = x[0]``, ``y[k] = log(x[k] - x[k - 1])`` of vectors whose elements increase."""

    def __init__(self, validate_args: bool = False, name: str = "ordered") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=1, name=name)

    def _steps(self, x: Any) -> Any:
        steps = x[..., 1:] - x[..., :-1]
        message = "Forward transformation input must be strictly increasing."
        return checked(steps, self._validate_args, lambda: [assert_positive(steps, message=message)])

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return input_shape if input_shape.ndims is None else input_shape[-1:]

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape[-1:]

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return _at_least_two(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return _checked_shape(output_shape, self._validate_args)

    def _forward(self, x: Any) -> Any:
        return concat([x[..., :1], log(self._steps(x))], -1)

    def _inverse(self, y: Any) -> Any:
        return cumsum(concat([y[..., :1], exp(y[..., 1:])], -1), axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -reduce_sum(log(self._steps(x)), -1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return reduce_sum(y[..., 1:], -1)


class Permute(Bijector):
    """``y[k] = x[permutation[k]]`` along the last axis.

    Raises TypeError for a permutation that is not of integers, ValueError for one that has not each position once.
    """

    def __init__(self, permutation: Any, validate_args: bool = False, name: str | None = None) -> None:
        message = "Permutation over `d` must contain exactly one of each of `{0, 1, ..., d}`."
        with name_scope(name, "permute"):
            order = parameter(permutation, "permutation")
            if not dtype_of(order).is_integer:
                raise TypeError(f"permutation.dtype ({dtype_of(order).name}) should be `int`-like.")
            known = maybe_get_static_value(order)
            if known is None:
                rules = lambda: [assert_equal(sort(order), _range(size(order)), message=message)]  # noqa: E731
                order = checked(order, validate_args, rules)
            elif set(known.tolist()) != set(range(known.size)):
                raise ValueError(message)
        self._permutation = order
        super().__init__(
            is_constant_jacobian=True, validate_args=validate_args, forward_min_event_ndims=1, name=name or "permute"
        )

    @property
    def permutation(self) -> Any:
        """Where each element comes from."""
        return self._permutation

    def _forward(self, x: Any) -> Any:
        return gather(x, self._permutation, axis=-1)

    def _inverse(self, y: Any) -> Any:
        return gather(y, invert_permutation(self._permutation), axis=-1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return zeros([], dtype_of(x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return self._forward_log_det_jacobian(y)


class SoftmaxCentered(Bijector):
    """The softmax of a vector with a 0 after it: K + 1 positive shares that sum to 1, of K numbers."""

    def __init__(self, validate_args: bool = False, name: str = "softmax_centered") -> None:
        super().__init__(validate_args=validate_args, forward_min_event_ndims=1, name=name)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        if input_shape.ndims is None or input_shape[-1].value is None:
            return input_shape
        return TensorShape([input_shape[-1].value + 1])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape[-1:] + 1

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        known = _at_least_two(output_shape)
        return known if known.ndims is None or known[-1].value is None else TensorShape([known[-1].value - 1])

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return _checked_shape(output_shape, self._validate_args) - 1

    def _forward(self, x: Any) -> Any:
        return softmax(_with_size(concat([x, zeros_like(x[..., :1])], -1), x, 1))

    def _inverse(self, y: Any) -> Any:
        scores = log(y)
        return _with_size(scores[..., :-1] - scores[..., -1:], y, -1)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        whole = softplus(reduce_logsumexp(x, -1, keepdims=True))
        return reduce_sum(x - whole, -1) - whole[..., 0]

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -reduce_sum(log(y), -1)


def _with_size(value: Any, of: Any, more: int) -> Any:
    """Return a value with the static shape of another one, whose last axis is longer."""
    if of.shape.ndims is not None and hasattr(value, "set_shape"):
        last = of.shape[-1].value
        value.set_shape(of.shape[:-1].concatenate([None if last is None else last + more]))
    return value


def _at_least_two(output_shape: Any) -> TensorShape:
    """Return the last axis of a static shape, which must be longer than 1."""
    known = TensorShape(output_shape)
    if known.ndims is None or known[-1].value is None:
        return known
    if known[-1].value <= 1:
        raise ValueError(f"output_shape[-1] = {known[-1].value} <= 1")
    return TensorShape(known[-1:])


def _checked_shape(output_shape: Any, wanted: bool) -> Any:
    """Return the last axis of a shape, which is checked to be longer than 1 where that is wanted."""
    last = output_shape[-1:]
    message = "Need last dimension greater than 1."
    return checked(last, wanted, lambda: [assert_greater(last, np.int32(1), message=message)])
