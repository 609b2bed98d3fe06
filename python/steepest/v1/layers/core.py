"""Dense layers, flattening and dropout as layers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..graph.build import convert, shape_of
from ..graph.dtypes import as_dtype
from ..graph.node import Node, Tensor
from ..graph.shapes import TensorShape
from ..keras import activations, constraints, initializers, regularizers
from ..nn import bias_add, dropout
from ..ops.array_ops import identity, reshape, shape, transpose
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond
from ..ops.matmul_ops import matmul
from ..ops.reduce_ops import reduce_prod
from ..variables.initializers import Zeros
from .base import Layer
from .input_spec import InputSpec
from .phases import decided
from .utils import normalize_data_format

__all__ = ["Dense", "Dropout", "Flatten"]


class Dense(Layer):
    """``activation(inputs @ kernel + bias)`` along the last axis. Arguments as for `tf.layers.dense`."""

    _settings = (
        "units",
        "activation",
        "use_bias",
        "kernel_initializer",
        "bias_initializer",
        "kernel_regularizer",
        "bias_regularizer",
        "activity_regularizer",
        "kernel_constraint",
        "bias_constraint",
    )

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
        super().__init__(trainable, name, activity_regularizer=activity_regularizer, **kwargs)
        self.units, self.activation, self.use_bias = int(units), activations.get(activation), use_bias
        if self.units < 0:
            raise ValueError(
                f"Received an invalid value for `units`, expected a positive integer. Received: units={units}"
            )
        self.input_spec = InputSpec(min_ndim=2)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer or Zeros())
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint, self.bias_constraint = (
            constraints.get(kernel_constraint),
            constraints.get(bias_constraint),
        )
        self.kernel: Any = None
        self.bias: Any = None

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """Return the shape of the outputs for one of the inputs; ValueError where its last size is not known."""
        sizes = TensorShape(input_shape).with_rank_at_least(2).sizes
        if sizes is None or sizes[-1] is None:
            raise ValueError(f"The innermost dimension of input_shape must be defined, but saw: {input_shape}")
        return TensorShape((*sizes[:-1], self.units))

    def build(self, input_shape: Any) -> None:
        """Make ``kernel`` and ``bias``. Raises ValueError where the last size of the inputs is not known."""
        dtype = as_dtype(self.dtype or "float32")
        if not (dtype.is_floating or dtype.is_complex):
            raise TypeError(
                f"Unable to build `Dense` layer with non-floating point dtype {dtype!r}: a Dense layer can only be "
                f"built with a floating-point dtype. Received: dtype={dtype!r}"
            )
        shape = TensorShape(input_shape)
        if not shape.sizes or shape.sizes[-1] is None:
            raise ValueError(
                "The last dimension of the inputs to `Dense` should be defined. Found `None`. "
                f"Full input shape received: {shape}"
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: shape.sizes[-1]})
        self.kernel = self.add_variable(
            "kernel",
            [shape.sizes[-1], self.units],
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
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Return the outputs, in the type of the layer."""
        inputs = cast(inputs, self.dtype)
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
            outputs = bias_add(outputs, self.bias)
        return outputs if self.activation is None else self.activation(outputs)


class Flatten(Layer):
    """The inputs with all axes but the first made one."""

    _settings = ("data_format",)

    def __init__(
        self, data_format: str | None = None, trainable: bool = True, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(trainable, name, **kwargs)
        self.data_format = normalize_data_format(data_format or "channels_last")

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """Return the shape of the outputs for one of the inputs."""
        sizes = TensorShape(input_shape).with_rank_at_least(1).sizes
        if sizes is None:
            return TensorShape([None, None])
        return TensorShape([sizes[0], None if None in sizes[1:] else math.prod(size or 0 for size in sizes[1:])])

    def call(self, inputs: Any) -> Any:
        """Return the outputs. Raises ValueError for a scalar."""
        sizes: Any = shape_of(inputs)
        if sizes == ():
            InputSpec(min_ndim=1).check(self.name, sizes)
        if self.data_format == "channels_first" and sizes is not None and len(sizes) > 2:
            inputs = transpose(inputs, [0, *range(2, len(sizes)), 1])
            sizes = (sizes[0], *sizes[2:], sizes[1])
        if sizes is not None and None not in sizes[1:]:
            rows = -1 if sizes[0] is None else sizes[0]
            return reshape(inputs, [rows, math.prod(size or 0 for size in sizes[1:])])
        parts = shape(inputs)
        return reshape(inputs, [parts[0], reduce_prod(parts[1:])])


class Dropout(Layer):
    """`tf.nn.dropout` where ``training`` is true, else the inputs."""

    _settings = ("rate", "noise_shape", "seed")

    def __init__(
        self, rate: Any = 0.5, noise_shape: Any = None, seed: int | None = None, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(True, name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs: that of the inputs, as it is given."""
        return input_shape

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Return the outputs; ``training`` is a bool or a node."""
        training = decided(training)
        if isinstance(training, Node):
            dropped = lambda: dropout(inputs, None, self.noise_shape, self.seed, rate=self.rate)  # noqa: E731
            return cond(training, dropped, lambda: convert(inputs))
        return dropout(inputs, None, self.noise_shape, self.seed, rate=self.rate) if training else identity(inputs)
