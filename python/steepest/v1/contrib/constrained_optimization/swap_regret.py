"""Multipliers as the stationary distribution of a stochastic matrix: for constraints that proxies stand for."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

from ....optim.optimizer import Optimizer
from ...graph.constants import constant
from ...ops.array_ops import expand_dims
from ...ops.cast_ops import cast
from ...ops.concat_ops import concat
from ...ops.creation_ops import ones, ones_like, zeros
from ...ops.loop_ops import while_loop
from ...ops.math_ops import abs as absolute
from ...ops.math_ops import exp, log, logical_and, maximum
from ...ops.matmul_ops import matmul, tensordot
from ...ops.norm_ops import norm
from ...ops.reduce_ops import reduce_logsumexp, reduce_sum
from ...variables.state_ops import assign
from .optimizer import RegretOptimizer, raised_above_zero

__all__ = ["AdditiveSwapRegretOptimizer", "MultiplicativeSwapRegretOptimizer"]


def _maximal_eigenvector_power_method(matrix: Any, epsilon: float = 1e-6, maximum_iterations: int = 100) -> Any:
    """Return the eigenvector of length 1 of the greatest eigenvalue, by products with the matrix.

    Raises ValueError for a matrix of no floating-point numbers, or bounds that are not above 0.
    """
    if not matrix.dtype.is_floating:
        raise ValueError("multipliers must have a floating-point dtype")
    if epsilon <= 0.0:
        raise ValueError("epsilon must be strictly positive")
    if maximum_iterations <= 0:
        raise ValueError("maximum_iterations must be strictly positive")

    def step(count: Any, vector: Any, before: Any) -> tuple[Any, Any, Any]:
        del before
        product = matmul(matrix, expand_dims(vector, 1))[:, 0]
        return count + 1, product / norm(product), vector

    def goes_on(count: Any, vector: Any, before: Any) -> Any:
        return logical_and(count < maximum_iterations, norm(vector - before) > epsilon)

    vector = ones_like(matrix[:, 0])
    vector = vector / norm(vector)
    return while_loop(goes_on, step, step(constant(0), vector, vector), name="power_method")[1]


def _project_stochastic_matrix_wrt_euclidean_norm(matrix: Any) -> Any:
    """Return the nearest matrix whose columns are at least 0 and have the sum 1.

    Raises ValueError for what is no square matrix of floating-point numbers of a known size.
    """
    if not matrix.dtype.is_floating:
        raise ValueError("multipliers must have a floating-point dtype")
    shape = matrix.get_shape()
    if shape.ndims is None:
        raise ValueError("matrix must have known shape")
    if shape.ndims != 2:
        raise ValueError(f"matrix must be two dimensional (instead is {shape.ndims}-dimensional)")
    if not shape.is_fully_defined():
        raise ValueError("matrix must have fully-known shape")
    rows, columns = shape.as_list()
    if rows != columns:
        raise ValueError(f"matrix must be square (instead has shape ({rows},{columns}))")

    def shift(values: Any, above: Any) -> Any:
        total, count = (reduce_sum(each, axis=0, keepdims=True) for each in (values, above))
        return (1.0 - total) / maximum(1.0, count)

    return raised_above_zero(matrix, rows, shift)


def _project_log_stochastic_matrix_wrt_kl_divergence(log_matrix: Any) -> Any:
    """Return the logarithms of columns divided by their sums: those that are nearest by the KL divergence."""
    return log_matrix - reduce_logsumexp(log_matrix, axis=0, keepdims=True)


class _SwapRegretOptimizer(RegretOptimizer):
    """Minimizes the objective and the proxies by the weights of a distribution, and raises a matrix by constraints.

    The weights are the matrix' stationary distribution: the first is the objective's.
    """

    _state_name = "swap_regret_optimizer_state"

    @abstractmethod
    def _stochastic_matrix(self, state: Any) -> Any:
        """Return the matrix, whose columns have the sum 1, that the state stands for."""

    def _distribution(self, state: Any) -> Any:
        weights = absolute(_maximal_eigenvector_power_method(self._stochastic_matrix(state)))
        return weights / reduce_sum(weights)

    def _loss_and_gradient(self, state: Any, objective: Any, constraints: Any, proxies: Any) -> tuple[Any, Any]:
        weights = self._distribution(state)
        minimized = concat([expand_dims(objective, 0), proxies], axis=0)
        loss = tensordot(cast(weights, minimized.dtype), minimized, 1)
        above = cast(concat([zeros([1], constraints.dtype), constraints], axis=0), weights.dtype)
        return loss, matmul(expand_dims(above, 1), expand_dims(weights, 0))


class AdditiveSwapRegretOptimizer(_SwapRegretOptimizer):
    """An optimizer under constraints whose stochastic matrix rises by sums, and is projected by distances.

    Args:
        optimizer: the optimizer of the variables.
        constraint_optimizer: that of the matrix; ``optimizer`` where it is None.

    Source: ``tf.contrib.constrained_optimization.AdditiveSwapRegretOptimizer``.
    """

    def _initial_state(self, num_constraints: int) -> Any:
        size = num_constraints + 1
        return concat([ones([1, size]), zeros([size - 1, size])], axis=0)

    def _stochastic_matrix(self, state: Any) -> Any:
        return state

    def _projection_op(self, state: Any, name: str | None = None) -> Any:
        return assign(state, _project_stochastic_matrix_wrt_euclidean_norm(state), name=name)


class MultiplicativeSwapRegretOptimizer(_SwapRegretOptimizer):
    """An optimizer under constraints whose stochastic matrix rises by products, and is projected by KL divergences.

    Args:
        optimizer: the optimizer of the variables.
        constraint_optimizer: that of the matrix' logarithms; ``optimizer`` where it is None.
        minimum_multiplier_radius: times 1 / (constraints + 1) the least element of the matrix, between 0 and 1.
        initial_multiplier_radius: the same for the first matrix' elements but those of the first row; by default
            ``minimum_multiplier_radius``.

    Raises:
        ValueError: for numbers outside of these ranges, or a first one below the least.

    Source: ``tf.contrib.constrained_optimization.MultiplicativeSwapRegretOptimizer``.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        constraint_optimizer: Optimizer | None = None,
        minimum_multiplier_radius: float = 1e-3,
        initial_multiplier_radius: float | None = None,
    ) -> None:
        super().__init__(optimizer, constraint_optimizer)
        if not 0.0 < minimum_multiplier_radius < 1.0:
            raise ValueError("minimum_multiplier_radius must be in the range (0,1)")
        if initial_multiplier_radius is None:
            initial_multiplier_radius = minimum_multiplier_radius
        elif not minimum_multiplier_radius <= initial_multiplier_radius <= 1.0:
            raise ValueError("initial_multiplier_radius must be in the range [minimum_multiplier_radius,1]")
        self._minimum_multiplier_radius = minimum_multiplier_radius
        self._initial_multiplier_radius = initial_multiplier_radius

    def _initial_state(self, num_constraints: int) -> Any:
        size = num_constraints + 1
        share = self._initial_multiplier_radius / size
        first, other = math.log(1.0 - share * (size - 1)), math.log(share)
        return concat([constant(first, "float32", [1, size]), constant(other, "float32", [size - 1, size])], axis=0)

    def _stochastic_matrix(self, state: Any) -> Any:
        return exp(state)

    def _projection_op(self, state: Any, name: str | None = None) -> Any:
        least = log(self._minimum_multiplier_radius / constant(float(state.get_shape()[0].value)))
        return assign(state, maximum(_project_log_stochastic_matrix_wrt_kl_divergence(state), least), name=name)
