"""Layers that own variables: dense ones, dropout, batch normalization. Each makes its variables at its first call."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from ..graph.build import convert, dtype_of, shape_of
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.scopes import name_scope, variable_scope
from ..graph.shapes import TensorShape
from ..nn import batch_normalization, bias_add, dropout, moments
from ..ops.array_ops import reshape, shape
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond
from ..ops.matmul_ops import matmul
from ..ops.reduce_ops import reduce_prod
from ..ops.sparse_ops import convert_to_tensor
from ..training.get_variable import get_variable
from ..training.initializers import Ones, Zeros
from ..training.state_ops import assign_sub

__all__ = ["BatchNormalization", "Dense", "Dropout", "Flatten", "Layer"]


class Layer:
    """Base class: ``call(inputs)`` inside the layer's variable scope, which later calls open again.

    Args:
        name: of the scope; by default the class's name in lower case, made unique.
        trainable: whether variables are put into TRAINABLE_VARIABLES.

    Source: ``tf.layers.Layer``.
    """

    _DEFAULT_NAME = "layer"

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        self.trainable, self._given_name, self._dtype = trainable, name, dtype
        self._reuse = kwargs.pop("_reuse", None)
        self._open_scope = kwargs.pop("_scope", None)
        self._scope: Any = None
        self._variables: list[Any] = []
        self.built = False
        if kwargs:
            raise TypeError(f"Keyword argument not understood: {sorted(kwargs)[0]}")

    @property
    def name(self) -> str:
        """The name of the scope."""
        given = self._given_name or self._DEFAULT_NAME
        return given if self._scope is None else str(self._scope.name).rpartition("/")[2]

    @property
    def variables(self) -> list[Any]:
        """The variables that were made."""
        return list(self._variables)

    weights = variables

    @property
    def trainable_variables(self) -> list[Any]:
        """Those that are trained."""
        return [variable for variable in self._variables if variable.trainable]

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """Those that are not trained."""
        return [variable for variable in self._variables if not variable.trainable]

    non_trainable_weights = non_trainable_variables

    def count_params(self) -> int:
        """Return the number of elements of all variables."""
        return sum(math.prod(variable.shape.as_list()) for variable in self._variables)

    def add_variable(
        self,
        name: str,
        shape: Any,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool = True,
        constraint: Any = None,
    ) -> Any:
        """Return the layer's variable ``name``, made where it is missing."""
        variable = get_variable(
            name,
            shape,
            dtype or self._dtype or "float32",
            initializer,
            regularizer,
            trainable and self.trainable,
            constraint=constraint,
        )
        if not any(variable is other for other in self._variables):
            self._variables.append(variable)
        return variable

    add_weight = add_variable

    def build(self, input_shape: Any) -> None:
        """Make the variables; called before the first call of `call`."""

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the layer's outputs."""
        return inputs

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        x = convert_to_tensor(inputs)
        self._dtype = self._dtype or dtype_of(x)
        again = self._scope is not None
        scope = self._scope if again else self._given_name if self._open_scope is None else self._open_scope
        with variable_scope(scope, self._DEFAULT_NAME, reuse=True if again else self._reuse) as opened:
            self._scope = opened
            if not self.built:
                self.build(TensorShape(shape_of(x)))
                self.built = True
            return self.call(x, *args, **kwargs)

    apply = __call__


class Dense(Layer):
    """``activation(inputs @ kernel + bias)`` along the last axis. Arguments as for `tf.layers.dense`."""

    _DEFAULT_NAME = "dense"

    def __init__(
        self,
        units: int,
        activation: Callable[..., Any] | None = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        kernel_regularizer: Callable[[Any], Any] | None = None,
        bias_regularizer: Callable[[Any], Any] | None = None,
        activity_regularizer: Callable[[Any], Any] | None = None,
        kernel_constraint: Callable[[Any], Any] | None = None,
        bias_constraint: Callable[[Any], Any] | None = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable, name, **kwargs)
        del activity_regularizer
        self.units, self.activation, self.use_bias = int(units), activation, use_bias
        self.kernel_initializer, self.bias_initializer = kernel_initializer, bias_initializer or Zeros()
        self.kernel_regularizer, self.bias_regularizer = kernel_regularizer, bias_regularizer
        self.kernel_constraint, self.bias_constraint = kernel_constraint, bias_constraint
        self.kernel: Any = None
        self.bias: Any = None

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        x = convert_to_tensor(inputs)
        dtype = dtype_of(x)
        if not dtype.is_floating:
            raise TypeError(f"Unable to build `Dense` layer with non-floating point dtype {dtype.name}")
        sizes = shape_of(x)
        if sizes is None or not sizes or sizes[-1] is None:
            raise ValueError("The last dimension of the inputs to a Dense layer should be defined. Found None.")
        return super().__call__(x, *args, **kwargs)

    def build(self, input_shape: Any) -> None:
        """Make ``kernel`` and ``bias``."""
        self.kernel = self.add_variable(
            "kernel",
            [input_shape[-1].value, self.units],
            None,
            self.kernel_initializer,
            self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )
        if self.use_bias:
            self.bias = self.add_variable(
                "bias",
                [self.units],
                None,
                self.bias_initializer,
                self.bias_regularizer,
                constraint=self.bias_constraint,
            )

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the outputs."""
        sizes: Any = shape_of(inputs)
        if len(sizes) == 2:
            outputs = matmul(inputs, self.kernel)
        else:
            lead = shape(inputs)[:-1]
            flat = matmul(reshape(inputs, [-1, sizes[-1]]), self.kernel)
            outputs = reshape(flat, [*(lead[i] for i in range(len(sizes) - 1)), self.units])
            if isinstance(outputs, Tensor):
                outputs.set_shape([*sizes[:-1], self.units])
        if self.bias is not None:
            outputs = bias_add(outputs, self.bias) if len(sizes) == 2 else outputs + self.bias
        return outputs if self.activation is None else self.activation(outputs)


class Flatten(Layer):
    """The inputs with all axes but the first made one."""

    _DEFAULT_NAME = "flatten"

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the outputs."""
        sizes: Any = shape_of(inputs)
        if sizes is not None and None not in sizes[1:]:
            rows = -1 if sizes[0] is None else sizes[0]
            return reshape(inputs, [rows, math.prod(size or 0 for size in sizes[1:])])
        parts = shape(inputs)
        return reshape(inputs, [parts[0], reduce_prod(parts[1:])])


class Dropout(Layer):
    """`tf.nn.dropout` where ``training`` is true, else the inputs."""

    _DEFAULT_NAME = "dropout"

    def __init__(
        self, rate: Any = 0.5, noise_shape: Any = None, seed: int | None = None, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(True, name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs: Any, *args: Any, training: Any = False, **kwargs: Any) -> Any:
        """Return the outputs; ``training`` is a bool or a node."""
        training = args[0] if args else training
        if isinstance(training, Node):
            dropped = lambda: dropout(inputs, None, self.noise_shape, self.seed, rate=self.rate)  # noqa: E731
            return cond(training, dropped, lambda: convert(inputs))
        return dropout(inputs, None, self.noise_shape, self.seed, rate=self.rate) if training else inputs


class BatchNormalization(Layer):
    """``gamma * (x - mean) / sqrt(variance + epsilon) + beta`` along an axis, by the batch's moments in training.

    In training the moments of the batch are used, and operations in UPDATE_OPS move their averages; else these are.
    Arguments as for `tf.layers.batch_normalization`.
    """

    _DEFAULT_NAME = "batch_normalization"

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = None,
        gamma_initializer: Any = None,
        moving_mean_initializer: Any = None,
        moving_variance_initializer: Any = None,
        regularizers: tuple[Any, Any] = (None, None),
        constraints: tuple[Any, Any] = (None, None),
        fused: bool | None = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable, name, **kwargs)
        self.axis, self.momentum, self.epsilon, self.fused = axis, momentum, epsilon, fused
        # Names in the order in which TensorFlow makes the variables.
        self._forms = {
            "gamma": (scale, gamma_initializer or Ones(), regularizers[1], constraints[1], True),
            "beta": (center, beta_initializer or Zeros(), regularizers[0], constraints[0], True),
            "moving_mean": (True, moving_mean_initializer or Zeros(), None, None, False),
            "moving_variance": (True, moving_variance_initializer or Ones(), None, None, False),
        }
        self._made: dict[str, Any] = {}

    def build(self, input_shape: Any) -> None:
        """Make gamma, beta and the moving averages."""
        size = input_shape[self.axis].value
        if size is None:
            raise ValueError(f"Input has undefined `axis` dimension. Input shape: {input_shape}")
        for name, (wanted, initializer, regularizer, constraint, trainable) in self._forms.items():
            self._made[name] = None
            if wanted:
                form = initializer, regularizer, trainable, constraint
                self._made[name] = self.add_variable(name, [size], None, *form)

    def call(self, inputs: Any, *args: Any, training: Any = False, **kwargs: Any) -> Any:
        """Return the outputs; ``training`` is a bool or a node."""
        training = args[0] if args else training
        rank = len(shape_of(inputs) or ())
        axis = self.axis % rank
        others = [k for k in range(rank) if k != axis]
        gamma, beta, moving_mean, moving_variance = self._made.values()
        if training is False or training is None or (not isinstance(training, Node) and not training):
            mean, variance = convert_to_tensor(moving_mean), convert_to_tensor(moving_variance)
        else:
            mean, variance = moments(inputs, others)
            self._update(inputs, others, training, mean, variance)
            if isinstance(training, Node):
                of_batch = mean, variance
                mean = cond(training, lambda: of_batch[0], lambda: convert(moving_mean))
                variance = cond(training, lambda: of_batch[1], lambda: convert(moving_variance))

        def along(value: Any) -> Any:
            return value if value is None or axis == rank - 1 else reshape(value, [-1] + [1] * (rank - 1 - axis))

        return batch_normalization(inputs, along(mean), along(variance), along(beta), along(gamma), self.epsilon)

    def _update(self, inputs: Any, others: list[int], training: Any, mean: Any, variance: Any) -> None:
        """Put the operations that move the averages into UPDATE_OPS."""
        if len(others) == 3 and self.fused is not False:  # the fused kernel of images averages the unbiased variance
            sizes = shape(inputs)
            count = cast(reduce_prod([sizes[k] for k in others]), variance.dtype)
            variance = variance * (count / (count - 1))
        share: Any = np.asarray(1 - self.momentum, dtype_of(mean).as_numpy_dtype)
        if isinstance(training, Node):
            share = cond(training, lambda: convert(share), lambda: convert(np.zeros_like(share)))
        for name, value in (("moving_mean", mean), ("moving_variance", variance)):
            variable = self._made[name]
            with name_scope("AssignMovingAvg"):
                moved = assign_sub(variable, (convert_to_tensor(variable) - value) * share)
            if not executing_eagerly():
                get_default_graph().add_to_collection(GraphKeys.UPDATE_OPS, moved)
