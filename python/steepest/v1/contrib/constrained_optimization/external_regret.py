"""Lagrange multipliers that rise by what constraints are above 0: for constraints that have gradients themselves."""

from __future__ import annotations

from typing import Any

from ....optim.optimizer import Optimizer
from ...ops.cast_ops import cast
from ...ops.creation_ops import zeros
from ...ops.math_ops import maximum, minimum
from ...ops.matmul_ops import tensordot
from ...ops.reduce_ops import reduce_sum
from ...variables.state_ops import assign
from .optimizer import RegretOptimizer, raised_above_zero

__all__ = ["AdditiveExternalRegretOptimizer"]


def _project_multipliers_wrt_euclidean_norm(multipliers: Any, radius: float) -> Any:
    """Return the nearest multipliers that are at least 0 and have at most the sum ``radius``.

    Raises ValueError for multipliers that are no vector of floating-point numbers of a known size.
    """
    if not multipliers.dtype.is_floating:
        raise ValueError("multipliers must have a floating-point dtype")
    shape = multipliers.get_shape()
    if shape.ndims is None:
        raise ValueError("multipliers must have known shape")
    if shape.ndims != 1:
        raise ValueError(f"multipliers must be one dimensional (instead is {shape.ndims}-dimensional)")
    if shape[0].value is None:
        raise ValueError("multipliers must have fully-known shape")

    def shift(values: Any, above: Any) -> Any:
        return minimum(0.0, (radius - reduce_sum(values)) / maximum(1.0, reduce_sum(above)))

    return raised_above_zero(multipliers, shape[0].value, shift)


class AdditiveExternalRegretOptimizer(RegretOptimizer):
    """Minimizes the Lagrangian over the variables, and raises the multipliers by the constraints.

    Args:
        optimizer: the optimizer of the variables.
        constraint_optimizer: that of the multipliers; ``optimizer`` where it is None.
        maximum_multiplier_radius: the greatest sum of the multipliers; None for any.

    Raises:
        ValueError: for a sum that is not above 0.

    Source: ``tf.contrib.constrained_optimization.AdditiveExternalRegretOptimizer``.
    """

    _state_name = "external_regret_optimizer_state"

    def __init__(
        self,
        optimizer: Optimizer,
        constraint_optimizer: Optimizer | None = None,
        maximum_multiplier_radius: float | None = None,
    ) -> None:
        super().__init__(optimizer, constraint_optimizer)
        if maximum_multiplier_radius and maximum_multiplier_radius <= 0.0:
            raise ValueError("maximum_multiplier_radius must be strictly positive")
        self._maximum_multiplier_radius = maximum_multiplier_radius

    def _initial_state(self, num_constraints: int) -> Any:
        return zeros([num_constraints], "float32")

    def _lagrange_multipliers(self, state: Any) -> Any:
        return state

    def _loss_and_gradient(self, state: Any, objective: Any, constraints: Any, proxies: Any) -> tuple[Any, Any]:
        multipliers = self._lagrange_multipliers(state)
        loss = objective + tensordot(cast(multipliers, proxies.dtype), proxies, 1)
        return loss, cast(constraints, multipliers.dtype)

    def _projection_op(self, state: Any, name: str | None = None) -> Any:
        if self._maximum_multiplier_radius:
            return assign(
                state, _project_multipliers_wrt_euclidean_norm(state, self._maximum_multiplier_radius), name=name
            )
        return assign(state, maximum(state, 0.0), name=name)
