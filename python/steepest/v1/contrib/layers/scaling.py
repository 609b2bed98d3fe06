"""Layers that scale their inputs: softmax, of images to the places of their features too, and to unit length."""

from __future__ import annotations

from typing import Any

from ...autodiff.custom_gradients import custom_gradient
from ...graph.build import shape_of
from ...graph.scopes import name_scope, variable_scope
from ...ops.activation_ops import softmax as _softmax
from ...ops.array_ops import reshape, shape, transpose
from ...ops.concat_ops import concat
from ...ops.creation_ops import linspace
from ...ops.grid_ops import meshgrid
from ...ops.math_ops import minimum, multiply, rsqrt, sqrt, square
from ...ops.reduce_ops import reduce_sum
from ...ops.sparse_ops import convert_to_tensor
from ...variables.initializers import Constant, Ones
from ..arg_scopes import add_arg_scope
from .model_variables import model_variable, named
from .utils import check_data_format

__all__ = ["poincare_normalize", "scale_gradient", "softmax", "spatial_softmax", "unit_norm"]


@add_arg_scope
def softmax(logits: Any, scope: str | None = None) -> Any:
    """Return the softmax along the last axis. Raises ValueError for fewer than two axes, or a last of unknown size."""
    with variable_scope(scope, "softmax", [logits]):
        x = convert_to_tensor(logits)
        sizes = shape_of(x)
        if sizes is None or len(sizes) < 2:
            raise ValueError(f"rank of shape must be at least 2 not: {None if sizes is None else len(sizes)}")
        if sizes[-1] is None:
            raise ValueError("last dimension shape must be known but is None")
        made = reshape(_softmax(reshape(x, [-1, sizes[-1]])), shape(x))
        made.set_shape(x.shape)
        return made


@add_arg_scope
def spatial_softmax(
    features: Any,
    temperature: Any = None,
    name: str | None = None,
    variables_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
) -> Any:
    """Return for each channel of images where it is, ``[batch, 2 * channels]``: the mean place under its softmax.

    Places run from -1 to 1. The features are divided by a variable ``temperature``, 1 at first. Raises ValueError for
    another ``data_format`` than NHWC and NCHW, or an unknown number of channels.

    Source: ``tf.contrib.layers.spatial_softmax``; Finn and others, 2015.
    """
    with variable_scope(name, "spatial_softmax"):
        check_data_format(data_format)
        x = convert_to_tensor(features)
        x = x if data_format == "NCHW" else transpose(x, [0, 3, 1, 2])
        channels = x.shape.as_list()[1]
        if channels is None:
            what = "The num_channels dimension of the inputs to `spatial_softmax` should be defined."
            raise ValueError(f"{what} Found `None`.")
        height, width = shape(x)[2], shape(x)[3]
        kept = named(variables_collections, "temperature") if trainable else None
        first = Ones() if temperature is None else Constant(temperature)
        heat = model_variable("temperature", [], "float32", first, None, trainable, kept)
        with name_scope("spatial_softmax_op", "spatial_softmax_op", [x]):
            places = meshgrid(linspace(-1.0, 1.0, height), linspace(-1.0, 1.0, width), indexing="ij")
            share = _softmax(reshape(x, [-1, height * width]) / heat)
            means = [reduce_sum(reshape(place, [height * width]) * share, [1], True) for place in places]
            found = reshape(concat(means, 1), [-1, channels * 2])
            found.set_shape([None, channels * 2])
            return found


@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: str | None = None) -> Any:
    """Return the inputs divided by ``sqrt(epsilon + sum of squares)`` along an axis.

    Raises ValueError for an unknown number of axes, or an axis that is not there.
    """
    with variable_scope(scope, "UnitNorm", [inputs]):
        x = convert_to_tensor(inputs)
        sizes = shape_of(x)
        if not sizes:
            raise ValueError("The input rank must be known.")
        if not 0 <= dim < len(sizes):
            raise ValueError("dim must be positive but smaller than the input rank.")
        return x / sqrt(epsilon + reduce_sum(square(x), dim, True))


def poincare_normalize(x: Any, axis: int = 1, epsilon: float = 1e-5, name: str | None = None) -> Any:
    """Return vectors along an axis whose length is at most ``1 - epsilon``: longer ones are scaled to it.

    Source: Nickel and Kiela, 2017.
    """
    with name_scope(name, "poincare_normalize", [x]) as name:
        x = convert_to_tensor(x)
        inverse = rsqrt(reduce_sum(square(x), axis, True))
        return multiply(x, minimum((1.0 - epsilon) * inverse, 1.0), name=name)


@custom_gradient
def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """Return the inputs; their gradient is multiplied by a number."""
    return inputs, lambda dy: [dy * gradient_multiplier, None]
