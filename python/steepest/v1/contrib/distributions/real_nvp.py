"""Bijectors that shift and scale some elements by the others, and batch normalization as a bijector.

Source: Dinh et al., Density Estimation using Real NVP, 2016.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...graph.scopes import name_scope
from ...layers import BatchNormalization as BatchNormalizationLayer
from ...layers import dense
from ...nn import moments
from ...ops.activation_ops import relu
from ...ops.array_ops import reshape
from ...ops.concat_ops import concat, split
from ...ops.math_ops import log, negative, sqrt
from ...ops.reduce_ops import reduce_sum
from ...variables.templates import make_template
from .autoregressive_bijectors import ShiftAndLogScale, known_depth, moved, moved_back, negative_stretch
from .bijector import Bijector

__all__ = ["BatchNormalization", "RealNVP", "real_nvp_default_template"]


class RealNVP(Bijector):
    """The first elements of vectors stay; the others become ``x1 * exp(log_scale(x0)) + shift(x0)``.

    Args:
        num_masked: how many elements stay, at least 1 and fewer than a vector has.
        shift_and_log_scale_fn: from those, and the number of the others, to the shift and the logarithm of the scale
            of the others; either may be None (without a scale: NICE).
        is_constant_jacobian: whether it gives no scale.
        validate_args: checks of the number of axes are added to the graph.
        name: of the scope in which nodes are made.

    Raises:
        ValueError: ``num_masked`` is below 1; when called, if it is not below the size of a vector.
        NotImplementedError: when called, if the size of a vector is not known.

    Source: ``tf.contrib.distributions.bijectors.RealNVP``.
    """

    def __init__(
        self,
        num_masked: int,
        shift_and_log_scale_fn: ShiftAndLogScale,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        if num_masked <= 0:
            raise ValueError("num_masked must be a positive integer.")
        self._num_masked, self._shift_and_log_scale_fn = num_masked, shift_and_log_scale_fn
        super().__init__(
            forward_min_event_ndims=1,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name or "real_nvp",
        )

    def _parts(self, x: Any) -> tuple[Any, Any, Any, Any]:
        """Return the elements that stay, the others, and the shift and log scale of the others."""
        others = known_depth(x) - self._num_masked
        if others <= 0:
            raise ValueError("Number of masked units must be smaller than the event size.")
        staying = x[..., : self._num_masked]
        return staying, x[..., self._num_masked :], *self._shift_and_log_scale_fn(staying, others)

    def _forward(self, x: Any) -> Any:
        staying, others, shift, log_scale = self._parts(x)
        return concat([staying, moved(others, shift, log_scale)], axis=-1)

    def _inverse(self, y: Any) -> Any:
        staying, others, shift, log_scale = self._parts(y)
        return concat([staying, moved_back(others, shift, log_scale)], axis=-1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return negative_stretch(y, self._parts(y)[-1])

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return negative(self._inverse_log_det_jacobian(x))  # what stays, and so the scale, is the same in both


def real_nvp_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: Any = relu,
    name: str | None = None,
    **kwargs: Any,
) -> Callable[..., tuple[Any, Any]]:
    """Return a template of dense layers from some elements to the shift and log scale of others.

    Args:
        hidden_layers: the sizes of the layers.
        shift_only: whether there is no scale: None.
        activation: of the hidden layers.
        name: of the scope of nodes. The variables' scope is "real_nvp_default_template", as in TensorFlow.
        kwargs: for `tf.layers.dense`.

    Source: ``tf.contrib.distributions.bijectors.real_nvp_default_template``.
    """

    def shift_and_log_scale(x: Any, output_units: int) -> tuple[Any, Any]:
        for units in hidden_layers:
            x = dense(x, units, activation=activation, **kwargs)
        x = dense(x, (1 if shift_only else 2) * output_units, activation=None, **kwargs)
        if shift_only:
            return x, None
        shift, log_scale = split(x, 2, axis=-1)
        return shift, log_scale

    with name_scope(name, "real_nvp_default_template"):
        template: Callable[..., tuple[Any, Any]] = make_template("real_nvp_default_template", shift_and_log_scale)
    return template


class BatchNormalization(Bijector):
    """Batch normalization, undone: the inverse normalizes, by the batch's moments in training.

    Forward, and where it is not training, the moving averages are taken: the layer's ``updates`` are to be run.

    Args:
        batchnorm_layer: a `tf.layers.BatchNormalization`; by default one whose gamma is kept above 0.
        training: whether the inverse takes the moments of the batch.
        validate_args: checks of the number of axes are added to the graph.
        name: of the scope in which nodes are made.

    Raises:
        ValueError: for another layer, or one with ``renorm`` or ``virtual_batch_size``; when called, for a batch whose
            shape is not known.

    Source: ``tf.contrib.distributions.bijectors.BatchNormalization``.
    """

    def __init__(
        self,
        batchnorm_layer: Any = None,
        training: bool = True,
        validate_args: bool = False,
        name: str = "batch_normalization",
    ) -> None:
        layer = batchnorm_layer or BatchNormalizationLayer(gamma_constraint=lambda gamma: relu(gamma) + 1e-6)
        if not isinstance(layer, BatchNormalizationLayer):
            raise ValueError("batchnorm_layer must be an instance of BatchNormalization layer.")
        if layer.renorm:
            raise ValueError("BatchNorm Bijector does not support renormalization.")
        if layer.virtual_batch_size:
            raise ValueError("BatchNorm Bijector does not support virtual batch sizes.")
        self.batchnorm, self._training = layer, training
        axes = 1 if isinstance(layer.axis, int) else len(layer.axis)
        super().__init__(forward_min_event_ndims=axes, validate_args=validate_args, name=name)

    def _built_for(self, x: Any) -> tuple[tuple[int, ...], list[int]]:
        """Return the sizes of ``x``, and the axes of its batch; the layer has its variables then."""
        if not x.shape.is_fully_defined():
            raise ValueError("Input must have shape known at graph construction.")
        if not self.batchnorm.built:
            self.batchnorm.build(x.shape)
        axis = self.batchnorm.axis
        own = {k % x.shape.ndims for k in ([axis] if isinstance(axis, int) else axis)}
        return tuple(x.shape.as_list()), [k for k in range(x.shape.ndims) if k not in own]

    def _forward(self, x: Any) -> Any:
        sizes, reduced = self._built_for(x)
        layer = self.batchnorm
        wide = [1 if k in reduced else n for k, n in enumerate(sizes)]
        mean, variance = (reshape(part, wide) for part in (layer.moving_mean, layer.moving_variance))
        beta, gamma = (None if part is None else reshape(part, wide) for part in (layer.beta, layer.gamma))
        rescale = sqrt(variance + layer.epsilon)
        rescale = rescale if gamma is None else rescale / gamma
        return x * rescale + (mean if beta is None else mean - beta * rescale)

    def _inverse(self, y: Any) -> Any:
        return self.batchnorm.apply(y, training=self._training)

    def _stretch(self, y: Any, saved: bool) -> Any:
        """Return by what the inverse stretches a value, by the moving averages or by the moments of the batch."""
        _, reduced = self._built_for(y)
        layer = self.batchnorm
        variance = layer.moving_variance if saved else moments(y, axes=reduced, keep_dims=True)[1]
        stretch = negative(0.5 * reduce_sum(log(variance + layer.epsilon)))
        return stretch if layer.gamma is None else reduce_sum(log(layer.gamma)) + stretch

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return self._stretch(y, not self._training)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return negative(self._stretch(x, True))
