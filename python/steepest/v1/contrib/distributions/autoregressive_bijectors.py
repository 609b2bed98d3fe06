"""Bijectors whose elements are shifted and scaled by what comes before them, and layers that only look back.

Source: Papamakarios et al., Masked Autoregressive Flow for Density Estimation, 2017; Germain et al., MADE: Masked
Autoencoder for Distribution Estimation, 2015.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...graph.build import shape_of
from ...graph.constants import constant
from ...graph.scopes import name_scope
from ...layers.core import Dense
from ...ops.activation_ops import relu
from ...ops.array_ops import reshape, shape, stop_gradient
from ...ops.clip_ops import clip_by_value
from ...ops.concat_ops import concat, unstack
from ...ops.creation_ops import zeros_like
from ...ops.loop_ops import while_loop
from ...ops.math_ops import exp, negative
from ...ops.reduce_ops import reduce_sum
from ...variables.initializers import GlorotNormal
from ...variables.templates import make_template
from .bijector import Bijector

__all__ = [
    "MaskedAutoregressiveFlow",
    "known_depth",
    "masked_autoregressive_default_template",
    "masked_dense",
    "moved",
    "moved_back",
    "negative_stretch",
]

ShiftAndLogScale = Callable[..., Any]


def known_depth(x: Any) -> int:
    """Return the size of the last axis. Raises NotImplementedError where it is not known."""
    sizes = shape_of(x)
    if not sizes or sizes[-1] is None:
        raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
    return int(sizes[-1])


def moved(x: Any, shift: Any, log_scale: Any) -> Any:
    """Return ``x * exp(log_scale) + shift``; either may be None."""
    y = x if log_scale is None else x * exp(log_scale)
    return y if shift is None else y + shift


def moved_back(y: Any, shift: Any, log_scale: Any) -> Any:
    """Return the x of which `moved` makes ``y``."""
    x = y if shift is None else y - shift
    return x if log_scale is None else x * exp(negative(log_scale))


def negative_stretch(y: Any, log_scale: Any) -> Any:
    """Return by what `moved_back` stretches vectors, as a logarithm; 0 for no scale."""
    return constant(0.0, y.dtype, name="ildj") if log_scale is None else negative(reduce_sum(log_scale, axis=-1))


class MaskedAutoregressiveFlow(Bijector):
    """``y[k] = x[k] * exp(log_scale(y[:k])) + shift(y[:k])`` of vectors: as many steps as a vector has elements.

    The inverse takes one step: densities are cheap, samples are not; of ``Invert`` of it (an inverse autoregressive
    flow) it is the other way round.

    Args:
        shift_and_log_scale_fn: from y to the shift and the logarithm of the scale, either of which may be None. Those
            of an element depend only on the elements before it, as `masked_autoregressive_default_template`'s do.
        is_constant_jacobian: whether it gives no scale.
        validate_args: checks of the number of axes are added to the graph.
        unroll_loop: whether the steps are nodes of their own rather than a loop; the size must be known.
        name: of the scope in which nodes are made.

    Source: ``tf.contrib.distributions.bijectors.MaskedAutoregressiveFlow``.
    """

    def __init__(
        self,
        shift_and_log_scale_fn: ShiftAndLogScale,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        unroll_loop: bool = False,
        name: str | None = None,
    ) -> None:
        self._shift_and_log_scale_fn, self._unroll_loop = shift_and_log_scale_fn, unroll_loop
        super().__init__(
            forward_min_event_ndims=1,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name or "masked_autoregressive_flow",
        )

    def _forward(self, x: Any) -> Any:
        y = zeros_like(x, name="y0")
        sizes = shape_of(x)
        size = sizes[-1] if sizes else None
        if self._unroll_loop:
            if size is None:
                message = "The final dimension of `x` must be known at graph construction time if `unroll_loop=True`."
                raise ValueError(f"{message} `x.shape: {x.shape!r}`")
            for _ in range(size):
                y = moved(x, *self._shift_and_log_scale_fn(y))
            return y
        self._shift_and_log_scale_fn(y)  # its variables are made here, outside of the loop

        def step(index: Any, y: Any) -> tuple[Any, Any]:
            return index + 1, moved(x, *self._shift_and_log_scale_fn(y))

        steps = shape(x)[-1]
        _, y = while_loop(lambda index, _: index < steps, step, (0, y), maximum_iterations=size)
        return y

    def _inverse(self, y: Any) -> Any:
        return moved_back(y, *self._shift_and_log_scale_fn(y))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        _, log_scale = self._shift_and_log_scale_fn(y)
        return negative_stretch(y, log_scale)


def _gen_mask(num_blocks: int, n_in: int, n_out: int, mask_type: str = "exclusive", dtype: Any = np.float32) -> Any:
    """Return the matrix of 0 and 1 by which each block of outputs sees the inputs' blocks before it.

    With ``mask_type="inclusive"`` it sees its own block too.
    """
    mask = np.zeros([n_out, n_in], dtype)
    wide, high = n_in // num_blocks, n_out // num_blocks
    for block in range(num_blocks):
        mask[(block + (mask_type == "exclusive")) * high :, block * wide : (block + 1) * wide] = 1
    return mask


def masked_dense(
    inputs: Any,
    units: int,
    num_blocks: int,
    exclusive: bool = False,
    kernel_initializer: Any = None,
    reuse: Any = None,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Return a `tf.layers.dense` in which each block of outputs depends on the blocks of inputs up to it.

    Args:
        inputs: a tensor whose last size is known.
        units: the number of outputs.
        num_blocks: of the inputs and of the outputs.
        exclusive: whether a block of outputs depends only on the blocks of inputs before it.
        kernel_initializer: glorot_normal_initializer by default; its values elsewhere are 0.
        reuse, name, args, kwargs: as for `tf.layers.dense`.

    Raises:
        NotImplementedError: The last size is not known.

    Source: ``tf.contrib.distributions.bijectors.masked_dense``.
    """
    mask = _gen_mask(num_blocks, known_depth(inputs), units, "exclusive" if exclusive else "inclusive").T
    initial = GlorotNormal() if kernel_initializer is None else kernel_initializer

    def masked(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return mask * initial(shape, dtype, partition_info)

    with name_scope(name, "masked_dense"):
        masks = {"kernel_initializer": masked, "kernel_constraint": lambda kernel: mask * kernel}
        options = {"dtype": inputs.dtype.base_dtype, "name": name, "_scope": name, "_reuse": reuse, **kwargs, **masks}
        return Dense(units, *args, **options).apply(inputs)


def masked_autoregressive_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: Any = relu,
    log_scale_min_clip: float = -5.0,
    log_scale_max_clip: float = 3.0,
    log_scale_clip_gradient: bool = False,
    name: str | None = None,
    **kwargs: Any,
) -> Callable[[Any], tuple[Any, Any]]:
    """Return a template of masked layers from a vector to the shift and log scale of each element by those before it.

    Args:
        hidden_layers: the sizes of the layers.
        shift_only: whether there is no scale: None.
        activation: of the hidden layers.
        log_scale_min_clip, log_scale_max_clip: the bounds of the scale's logarithm.
        log_scale_clip_gradient: whether gradients stop at the bounds.
        name: of the template's variable scope.
        kwargs: for `masked_dense`.

    Source: ``tf.contrib.distributions.bijectors.masked_autoregressive_default_template``.
    """

    def shift_and_log_scale(x: Any) -> tuple[Any, Any]:
        depth, input_shape = known_depth(x), shape(x)
        for place, units in enumerate(hidden_layers):
            x = masked_dense(x, units, depth, exclusive=place == 0, activation=activation, **kwargs)
        x = masked_dense(x, (1 if shift_only else 2) * depth, depth, activation=None, **kwargs)
        if shift_only:
            return reshape(x, input_shape), None
        shift, log_scale = unstack(reshape(x, concat([input_shape, [2]], 0)), num=2, axis=-1)
        clipped = clip_by_value(log_scale, log_scale_min_clip, log_scale_max_clip)
        return shift, clipped if log_scale_clip_gradient else log_scale + stop_gradient(clipped - log_scale)

    name = name or "masked_autoregressive_default_template"
    with name_scope(name):
        template: Callable[[Any], tuple[Any, Any]] = make_template(name, shift_and_log_scale)
    return template
