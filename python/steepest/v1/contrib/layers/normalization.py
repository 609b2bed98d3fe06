"""Layers that normalize: over the batch, or over each row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....variables.collections import GraphKeys
from ...graph.build import convert
from ...graph.graph import get_default_graph
from ...graph.node import Node
from ...graph.scopes import variable_scope
from ...nn import batch_normalization, moments
from ...ops.array_ops import identity
from ...ops.control_flow_ops import cond
from ...training.get_variable import no_partitioner
from ...training.initializers import Ones, Zeros
from ...training.moving_average import assign_moving_average
from ..arg_scopes import add_arg_scope
from .model_variables import collected, model_variable, named

__all__ = ["batch_norm", "layer_norm"]


@add_arg_scope
def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: Callable[..., Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: Any = None,
) -> Any:
    """Return the inputs, normalized over all axes from ``begin_norm_axis`` on, times ``gamma``, plus ``beta``.

    Source: ``tf.contrib.layers.layer_norm``; Ba, Kiros and Hinton, 2016.
    """
    x = convert(inputs)
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse):
        dtype, rank = x.dtype.base_dtype, len(x.shape.as_list())
        sizes = x.shape.as_list()[begin_params_axis:]

        def made(name: str, start: Any) -> Any:
            return model_variable(name, sizes, dtype, start, None, trainable, named(variables_collections, name))

        beta, gamma = made("beta", Zeros()) if center else None, made("gamma", Ones()) if scale else None
        mean, variance = moments(x, list(range(begin_norm_axis % rank, rank)), keep_dims=True)
        outputs = batch_normalization(x, mean, variance, beta, gamma, 1e-12)
        outputs.set_shape(x.shape)
        return collected(outputs_collections, outputs if activation_fn is None else activation_fn(outputs))


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
) -> Any:
    """Return the inputs, normalized by the batch's moments in training, by their moving averages else.

    The variables are ``beta``, ``gamma`` (with ``scale``), ``moving_mean`` and ``moving_variance``. The operations that
    move the averages are put into ``updates_collections``; with None they are done before the outputs are there.

    Source: ``tf.contrib.layers.batch_norm``; Ioffe and Szegedy, 2015.
    """
    del fused
    if batch_weights is not None or data_format != "NHWC":
        raise ValueError("batch_norm: batch_weights must be None and data_format 'NHWC' in steepest.v1")
    x = convert(inputs)
    initial, penalty = dict(param_initializers or {}), dict(param_regularizers or {})

    def made(name: str, default: Any, trained: bool) -> Any:
        start = initial.get(name, default)
        kept, trained = named(variables_collections, name), trained and trainable
        cuts = no_partitioner if name.startswith("moving") else None  # the averages are assigned as wholes
        return model_variable(name, [sizes[-1]], dtype, start, penalty.get(name), trained, kept, partitioner=cuts)

    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse):
        dtype, sizes = x.dtype.base_dtype, x.shape.as_list()
        beta = made("beta", Zeros(), True) if center else None
        gamma = made("gamma", Ones(), True) if scale else None
        moving_mean = made("moving_mean", Zeros(), False)
        moving_variance = made("moving_variance", Ones(), False)
        mean, variance = convert(moving_mean), convert(moving_variance)
        if isinstance(is_training, Node) or is_training:
            of_batch = moments(x, list(range(len(sizes) - 1)))
            share: Any = decay
            if isinstance(is_training, Node):
                one, kept = np.ones((), dtype.as_numpy_dtype), np.asarray(decay, dtype.as_numpy_dtype)
                share = cond(is_training, lambda: convert(kept), lambda: convert(one))
                mean = cond(is_training, lambda: of_batch[0], lambda: convert(moving_mean))
                variance = cond(is_training, lambda: of_batch[1], lambda: convert(moving_variance))
            else:
                mean, variance = of_batch
            updates = [
                assign_moving_average(moving_mean, of_batch[0], share, zero_debias=zero_debias_moving_mean),
                assign_moving_average(moving_variance, of_batch[1], share, zero_debias=False),
            ]
            if updates_collections is None:
                with get_default_graph().control_dependencies(updates):
                    mean, variance = identity(mean), identity(variance)
            else:
                for update in updates:
                    get_default_graph().add_to_collection(updates_collections, update)
        outputs = batch_normalization(x, mean, variance, beta, gamma, epsilon)
        return collected(outputs_collections, outputs if activation_fn is None else activation_fn(outputs))
