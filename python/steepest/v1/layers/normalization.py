"""Batch normalization as a layer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import convert, dtype_of, shape_of
from ..graph.node import Node
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from ..nn import batch_normalization, moments
from ..ops.array_ops import reshape, shape
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond
from ..ops.math_ops import maximum
from ..ops.reduce_ops import reduce_mean, reduce_prod
from ..ops.sparse_ops import convert_to_tensor
from ..variables.get_variable import no_partitioner
from ..variables.initializers import Ones, Zeros
from ..variables.state_ops import assign_sub
from .base import Layer
from .phases import decided

__all__ = ["BatchNormalization"]


class BatchNormalization(Layer):
    """``gamma * (x - mean) / sqrt(variance + epsilon) + beta`` along an axis, by the batch's moments in training.

    In training the moments of the batch are used, and operations in UPDATE_OPS move their averages; else these are.
    Arguments as for `tf.layers.batch_normalization`.
    """

    def __init__(
        self,
        axis: Any = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = None,
        gamma_initializer: Any = None,
        moving_mean_initializer: Any = None,
        moving_variance_initializer: Any = None,
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        renorm: bool = False,
        renorm_clipping: Any = None,
        renorm_momentum: float = 0.99,
        fused: bool | None = None,
        trainable: bool = True,
        virtual_batch_size: Any = None,
        adjustment: Any = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable, name, **kwargs)
        for what, value in (("renorm", renorm), ("adjustment", adjustment)):
            if value:
                raise ValueError(f"batch_normalization: {what} must be off, got {value!r}")
        self.beta_regularizer, self.gamma_regularizer = beta_regularizer, gamma_regularizer
        self.beta_constraint, self.gamma_constraint = beta_constraint, gamma_constraint
        self.axis, self.momentum, self.epsilon, self.fused = axis, momentum, epsilon, fused
        self.virtual_batch_size = virtual_batch_size
        if virtual_batch_size is not None and fused:
            raise ValueError("When using fused=True, virtual_batch_size is not supported")
        # Names in the order in which TensorFlow makes the variables.
        self._forms = {
            "gamma": (scale, gamma_initializer or Ones(), gamma_regularizer, gamma_constraint, True),
            "beta": (center, beta_initializer or Zeros(), beta_regularizer, beta_constraint, True),
            "moving_mean": (True, moving_mean_initializer or Zeros(), None, None, False),
            "moving_variance": (True, moving_variance_initializer or Ones(), None, None, False),
        }
        self._made: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        made = self.__dict__.get("_made", {})
        if name in made or name in self.__dict__.get("_forms", {}):
            return made.get(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def build(self, input_shape: Any) -> None:
        """Make gamma, beta and the moving averages."""
        input_shape = TensorShape(input_shape)
        if input_shape.ndims is None:
            raise ValueError(f"Input has undefined rank: {input_shape}")
        axes = self._axes(input_shape.ndims)
        sizes = input_shape.as_list()
        if any(sizes[k] is None for k in axes):
            raise ValueError(f"Input has undefined `axis` dimension. Input shape: {input_shape}")
        form_shape = [n if k in axes else 1 for k, n in enumerate(sizes)]
        if self.virtual_batch_size is not None:
            form_shape.insert(1, 1)
        elif len(axes) == 1:
            form_shape = [sizes[axes[0]]]
        for name, (wanted, initializer, regularizer, constraint, trainable) in self._forms.items():
            self._made[name] = None
            if wanted:
                form = initializer, regularizer, trainable, constraint
                cuts = None if trainable else no_partitioner  # the averages are assigned as wholes
                self._made[name] = self.add_variable(name, form_shape, None, *form, partitioner=cuts)
        self.built = True

    def _axes(self, rank: int) -> list[int]:
        """Return the axes that keep their moments apart, from 0. Raises ValueError for one that is not there."""
        axes = list(self.axis) if isinstance(self.axis, (list, tuple)) else [self.axis]
        if any(not -rank <= axis < rank for axis in axes):
            raise ValueError(f"Invalid axis: {self.axis}")
        return [axis % rank for axis in axes]

    def call(self, inputs: Any, *args: Any, training: Any = False, **kwargs: Any) -> Any:
        """Return the outputs; ``training`` is a bool or a node."""
        training = decided(args[0] if args else training)
        if self.virtual_batch_size is None:
            rank = len(shape_of(inputs) or ())
            return self._normalized(inputs, training, rank, self._axes(rank))
        row = list(shape_of(inputs) or ())[1:]
        axes = [axis + 1 for axis in self._axes(len(row) + 1)]
        parts = reshape(inputs, [self.virtual_batch_size, -1, *row])  # of n parts, part k has the rows k, k + n, ...
        return reshape(self._normalized(parts, training, len(row) + 2, axes), [-1, *row])

    def _normalized(self, inputs: Any, training: Any, rank: int, axes: list[int]) -> Any:
        is_cut = self.virtual_batch_size is not None
        others, several = [k for k in range(rank) if k not in axes and not (is_cut and k == 1)], is_cut or len(axes) > 1
        gamma, beta, moving_mean, moving_variance = self._made.values()
        if not isinstance(training, Node) and not training:
            mean, variance = convert_to_tensor(moving_mean), convert_to_tensor(moving_variance)
        else:
            mean, variance = moments(inputs, others, keep_dims=several)
            self._update(inputs, others, training, mean, variance)
            if isinstance(training, Node):
                of_batch = mean, variance
                mean = cond(training, lambda: of_batch[0], lambda: convert(moving_mean))
                variance = cond(training, lambda: of_batch[1], lambda: convert(moving_variance))

        def along(value: Any) -> Any:
            inner = rank - 1 - axes[0]
            return value if value is None or several or not inner else reshape(value, [-1] + [1] * inner)

        epsilon = max(self.epsilon, 1.001e-5) if self._is_fused(others) else self.epsilon
        return batch_normalization(inputs, along(mean), along(variance), along(beta), along(gamma), epsilon)

    def _is_fused(self, others: list[int]) -> bool:
        return len(others) == 3 and self.fused is not False and self.virtual_batch_size is None

    def _update(self, inputs: Any, others: list[int], training: Any, mean: Any, variance: Any) -> None:
        """Put the operations that move the averages into UPDATE_OPS."""
        if self.virtual_batch_size is not None:
            mean, variance = (reduce_mean(each, axis=1, keepdims=True) for each in (mean, variance))
        if self._is_fused(others):  # the fused kernel of images averages the unbiased variance
            sizes = shape(inputs)
            count = cast(reduce_prod([sizes[k] for k in others]), variance.dtype)
            variance = variance * (count / maximum(count - 1, 1))
        share: Any = np.asarray(1 - self.momentum, dtype_of(mean).as_numpy_dtype)
        if isinstance(training, Node):
            share = cond(training, lambda: convert(share), lambda: convert(np.zeros_like(share)))
        for name, value in (("moving_mean", mean), ("moving_variance", variance)):
            variable = self._made[name]
            with name_scope("AssignMovingAvg"):
                moved = assign_sub(variable, (convert_to_tensor(variable) - value) * share)
            self.add_update(moved, inputs)
