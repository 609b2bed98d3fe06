"""The layer that normalizes over the batch, in the three ways in which ``tf.contrib`` does: their averages differ.

The fused way averages the unbiased variance of the batch, ``n / (n - 1)`` of the one that it divides by.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....variables.collections import GraphKeys
from ...graph.node import Node
from ...graph.scopes import control_dependencies, variable_scope
from ...graph.static_values import constant_value
from ...layers import BatchNormalization
from ...nn import batch_normalization, fused_batch_norm, moments, weighted_moments
from ...ops.array_ops import identity, reshape, shape
from ...ops.control_flow_ops import cond
from ...ops.creation_ops import ones, zeros
from ...ops.sparse_ops import convert_to_tensor
from ...optim.moving_average import assign_moving_average
from ...variables.get_variable import no_partitioner
from ...variables.initializers import Ones, Zeros
from ..arg_scopes import add_arg_scope
from .model_variables import activated, collected, into_collections, model_variable, named, of_model
from .normalization import channels_of, ranked, scale_and_offset
from .utils import check_data_format

__all__ = ["batch_norm"]


@add_arg_scope
def batch_norm(
    inputs: Any,
    decay: float = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: Any = None,
    param_regularizers: Any = None,
    updates_collections: Any = GraphKeys.UPDATE_OPS,
    is_training: Any = True,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    batch_weights: Any = None,
    fused: bool | None = None,
    data_format: str = "NHWC",
    zero_debias_moving_mean: bool = False,
    scope: Any = None,
    renorm: bool = False,
    renorm_clipping: Any = None,
    renorm_decay: float = 0.99,
    adjustment: Any = None,
) -> Any:
    """Return the inputs, normalized by the batch's moments in training, by their moving averages else.

    The variables are ``beta``, ``gamma`` (with ``scale``), ``moving_mean`` and ``moving_variance``. The operations that
    move the averages are put into ``updates_collections``; with None they are done before the outputs are there. As in
    TensorFlow, inputs of two or four axes are normalized by the fused kernel unless ``fused`` is False or there are
    ``batch_weights``: the average is then one of the unbiased variance.

    Raises ValueError for another ``data_format`` than NHWC and NCHW, an unknown number of axes or channels, or
    ``renorm`` with weights, other ``updates_collections`` or ``zero_debias_moving_mean``. `tf.layers` tells what
    ``renorm`` and ``adjustment`` do.

    Source: ``tf.contrib.layers.batch_norm``; Ioffe and Szegedy, 2015.
    """
    check_data_format(data_format)
    x = convert_to_tensor(inputs)
    rank = len(ranked(x))
    is_fused = fused is not False and batch_weights is None and not renorm and adjustment is None and rank in (2, 4)
    by_layer = batch_weights is None and updates_collections == GraphKeys.UPDATE_OPS and not zero_debias_moving_mean
    first = dict(param_initializers or {})
    if by_layer and not (is_fused and rank == 2):
        options: dict[str, Any] = {
            "momentum": decay,
            "epsilon": epsilon,
            "center": center,
            "scale": scale,
            "trainable": trainable,
            "renorm": renorm,
            "renorm_clipping": renorm_clipping,
            "renorm_momentum": renorm_decay,
            "adjustment": adjustment,
        }
        options.update({f"{name}_initializer": start for name, start in first.items()})
        options.update({f"{name}_regularizer": rule for name, rule in (param_regularizers or {}).items()})
        options.update(
            center=center,
            scale=scale,
            fused=fused,
            axis=channels_of(x, data_format)[0] if data_format != "NHWC" else -1,
        )
        outputs, name = _by_layer(x, options, is_training, variables_collections, reuse, scope)
    else:
        if renorm:
            raise ValueError(
                "renorm is not supported with batch_weights, updates_collections or zero_debias_moving_mean"
            )
        getter = None if is_fused else of_model()
        with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=getter) as opened:
            _, channels = channels_of(x, data_format)
            name, dtype = opened.name, "float32" if is_fused else x.dtype.base_dtype
            form = (center, scale), first, variables_collections, trainable, param_regularizers
            beta, gamma = scale_and_offset([channels], dtype, *form)
            moving = [
                model_variable(
                    *(each, [channels], dtype, first.get(each, start), None, False),
                    collections=named(variables_collections, each),
                    partitioner=no_partitioner,  # the averages are assigned as wholes
                )
                for each, start in (("moving_mean", Zeros()), ("moving_variance", Ones()))
            ]
            averages = _Averages(moving, decay, zero_debias_moving_mean, updates_collections, is_training)
            if is_fused:
                outputs = _fused(x, gamma, beta, averages, epsilon, data_format)
            else:
                outputs = _apart(x, gamma, beta, averages, epsilon, data_format, batch_weights)
    return activated(outputs, activation_fn, outputs_collections, name)


class _Averages:
    """The moving averages of a layer, how they move, and whether the layer is in training."""

    def __init__(self, moving: list[Any], decay: Any, debias: bool, collections: Any, is_training: Any) -> None:
        self.moving, self._decay, self._debias, self._collections = moving, decay, debias, collections
        self._pred = is_training
        known = constant_value(is_training) if isinstance(is_training, Node) else is_training
        self.known = None if known is None else bool(known)

    def either(self, training: Callable[[], Any], inference: Callable[[], Any]) -> Any:
        """Return the one in training, the other else; a choice of the run where it is not known before."""
        if self.known is None:
            return cond(self._pred, training, inference)
        return training() if self.known else inference()

    def values(self) -> list[Any]:
        """Return the averages as nodes."""
        return [convert_to_tensor(variable) for variable in self.moving]

    def move(self, moments: Any, results: list[Any]) -> list[Any]:
        """Return results, after the averages have moved where there is no collection for the updates."""
        if self.known is False:
            return results

        def updates() -> list[Any]:
            debiased = self._debias, False
            parts = zip(self.moving, moments, debiased, strict=True)
            return [assign_moving_average(at, value, self._decay, zero_debias=bias) for at, value, bias in parts]

        def forced() -> list[Any]:
            with control_dependencies(updates()):
                return [identity(result) for result in results]

        if self._collections is None:
            found = self.either(forced, lambda: list(results))
            return list(found) if isinstance(found, (list, tuple)) else [found]
        for update in self.either(updates, self.values):
            collected(self._collections, update)
        return results


def _by_layer(x: Any, options: Any, is_training: Any, collections: Any, reuse: Any, scope: Any) -> tuple[Any, str]:
    """Return the outputs of `tf.layers.BatchNormalization` and the name of their scope."""
    with variable_scope(scope, "BatchNorm", [x], reuse=reuse, custom_getter=of_model()) as opened:
        ranked(x)
        layer = BatchNormalization(**options, name=opened.name, _scope=opened, _reuse=reuse)
        outputs = layer.apply(x, training=is_training)
        for name in ("moving_mean", "moving_variance", "beta", "gamma"):
            if (variable := getattr(layer, name)) is not None:
                into_collections(variable, collections, name)
        return outputs, opened.name


def _fused(x: Any, gamma: Any, beta: Any, averages: _Averages, epsilon: float, data_format: str) -> Any:
    channels = channels_of(x, data_format)[1]
    plain = len(ranked(x)) == 2
    images = reshape(x, [-1, channels, 1, 1] if data_format == "NCHW" else [-1, 1, 1, channels]) if plain else x
    scale = ones([channels]) if gamma is None else gamma
    offset = zeros([channels]) if beta is None else beta

    def of_batch() -> Any:
        return fused_batch_norm(images, scale, offset, epsilon=epsilon, data_format=data_format)

    def of_averages() -> Any:
        mean, variance = averages.values()
        return fused_batch_norm(images, scale, offset, mean, variance, epsilon, data_format, is_training=False)

    outputs, mean, variance = averages.either(of_batch, of_averages)
    (outputs,) = averages.move([mean, variance], [outputs])
    if plain:
        sizes = [-1 if size is None else size for size in ranked(x)]
        outputs = reshape(outputs, shape(x) if sizes.count(-1) > 1 else sizes)
    outputs.set_shape(x.shape)
    return outputs


def _apart(x: Any, gamma: Any, beta: Any, averages: _Averages, epsilon: float, data_format: str, weights: Any) -> Any:
    """Return the outputs of operations for each step, with moments of weighted rows where there are weights."""
    axis, channels = channels_of(x, data_format)
    rank = len(ranked(x))
    others = [k for k in range(rank) if k != axis]
    if averages.known is False:
        mean, variance = averages.values()
    else:
        if weights is None:
            of_batch = moments(x, others)
        else:
            weights = convert_to_tensor(weights)
            x.shape[0:1].assert_is_compatible_with(weights.shape)
            of_batch = weighted_moments(x, others, reshape(weights, [-1] + [1] * (rank - 1)))
        mean, variance = averages.move(of_batch, list(of_batch))
        mean, variance = averages.either(lambda: [mean, variance], averages.values)
    along = [1, channels] + [1] * (rank - 2)

    def shaped(value: Any) -> Any:
        return value if value is None or axis != 1 or rank == 2 else reshape(value, along)

    outputs = batch_normalization(x, shaped(mean), shaped(variance), shaped(beta), shaped(gamma), epsilon)
    outputs.set_shape(x.shape)
    return outputs
