"""``tf.contrib.layers``: initializers, regularizers, layers and ``optimize_loss``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .... import (
    AdagradOptimizer,
    AdamOptimizer,
    FtrlOptimizer,
    GradientDescentOptimizer,
    MomentumOptimizer,
    RMSPropOptimizer,
)
from ....ops.indexed_slices import IndexedSlices
from ....optim.optimizer import Optimizer
from ....variables.collections import GraphKeys
from ...graph.build import convert
from ...graph.graph import get_default_graph
from ...graph.missing import namespace
from ...graph.scopes import variable_scope
from ...nn import safe_embedding_lookup_sparse
from ...ops.array_ops import identity, shape
from ...ops.clip_ops import clip_by_global_norm
from ...ops.control_flow_ops import with_dependencies
from ...ops.matmul_ops import add_n
from ...ops.random_ops import truncated_normal
from ...train import get_global_step
from . import initializers, regularizers
from .batch_normalization import batch_norm
from .functions import (
    bias_add,
    dropout,
    elu,
    embed_sequence,
    fully_connected,
    linear,
    relu,
    relu6,
    repeat,
    stack,
)
from .initializers import variance_scaling_initializer, xavier_initializer, xavier_initializer_conv2d
from .legacy import legacy_fully_connected, legacy_linear, legacy_relu
from .normalization import group_norm, instance_norm, layer_norm
from .regularizers import l1_l2_regularizer, l1_regularizer, l2_regularizer, sum_regularizer
from .reshaping import _inner_flatten as _inner_flatten  # TensorFlow's own modules use it
from .reshaping import (
    dense_to_sparse,
    flatten,
    images_to_sequence,
    maxout,
    one_hot_encoding,
    sequence_to_images,
)
from .scaling import poincare_normalize, scale_gradient, softmax, spatial_softmax, unit_norm
from .summaries import (
    summarize_activation,
    summarize_activations,
    summarize_collection,
    summarize_tensor,
    summarize_tensors,
)

__all__ = [
    "OPTIMIZER_CLS_NAMES",
    "apply_regularization",
    "batch_norm",
    "bias_add",
    "dense_to_sparse",
    "dropout",
    "elu",
    "embed_sequence",
    "flatten",
    "fully_connected",
    "group_norm",
    "images_to_sequence",
    "initializers",
    "instance_norm",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "layer_norm",
    "legacy_fully_connected",
    "legacy_linear",
    "legacy_relu",
    "linear",
    "maxout",
    "one_hot_encoding",
    "optimize_loss",
    "poincare_normalize",
    "regularizers",
    "relu",
    "relu6",
    "repeat",
    "safe_embedding_lookup_sparse",
    "scale_gradient",
    "sequence_to_images",
    "softmax",
    "spatial_softmax",
    "stack",
    "sum_regularizer",
    "summarize_activation",
    "summarize_activations",
    "summarize_collection",
    "summarize_tensor",
    "summarize_tensors",
    "unit_norm",
    "variance_scaling_initializer",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]

__getattr__, __dir__ = namespace(
    __name__, "embedding_ops encoders initializers layers normalization optimizers regularizers summaries utils"
)

OPTIMIZER_CLS_NAMES: dict[str, Any] = {
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "Momentum": lambda learning_rate: MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}


def apply_regularization(regularizer: Any, weights_list: Any = None) -> Any:
    """Return the sum of a regularizer over variables, and put it into REGULARIZATION_LOSSES.

    Raises ValueError for no variables, and for what is no scalar.
    """
    graph = get_default_graph()
    weights = list(weights_list or graph.get_collection(GraphKeys.WEIGHTS))
    if not weights:
        raise ValueError("No weights to regularize.")
    losses = [convert(0.0 if (loss := regularizer(w)) is None else loss) for w in weights]
    if any(loss._shape not in ((), None) for loss in losses):
        raise ValueError(f"regularizer must return a scalar, got {losses}")
    total = add_n(losses)
    graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
    return total


def optimize_loss(
    loss: Any,
    global_step: Any,
    learning_rate: Any,
    optimizer: Any,
    gradient_noise_scale: Any = None,
    gradient_multipliers: Any = None,
    clip_gradients: Any = None,
    learning_rate_decay_fn: Callable[..., Any] | None = None,
    update_ops: Any = None,
    variables: Any = None,
    name: str | None = None,
    summaries: Any = None,
    colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Any:
    """Return the loss once an update by ``optimizer`` is done: gradients, multipliers, clipping, apply.

    Args:
        optimizer: a name in ``OPTIMIZER_CLS_NAMES``, a class, an object, or a function of the learning rate.
        clip_gradients: a global norm, or a function of the list of pairs.
        gradient_noise_scale: the size of normal noise that is added to the gradients.
        gradient_multipliers: factors by variable or name.

    Raises ValueError for an optimizer or a rate of another kind. Source: ``tf.contrib.layers.optimize_loss``;
    ``summaries`` are not made.
    """
    if isinstance(learning_rate, (int, float)) and learning_rate < 0.0:
        raise ValueError(f"Invalid learning_rate {learning_rate}.")
    if isinstance(learning_rate, (str, bytes)):
        raise ValueError(f"Learning rate should be 0d Tensor or float. Got {learning_rate!r}")
    del summaries, colocate_gradients_with_ops
    graph = get_default_graph()
    step = get_global_step() if global_step is None else global_step
    with variable_scope(name, "OptimizeLoss"):
        ready = graph.get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else list(update_ops)
        if ready:
            loss = with_dependencies(ready, loss)
        rate = learning_rate
        if learning_rate_decay_fn is not None:
            rate = learning_rate_decay_fn(rate, step)
        opt = _optimizer(optimizer, rate)
        trained = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES) if variables is None else variables
        pairs = opt.compute_gradients(loss, trained)
        if gradient_noise_scale is not None:
            pairs = [(_noisy(gradient, gradient_noise_scale), variable) for gradient, variable in pairs]
        if gradient_multipliers:
            pairs = [(_times(g, gradient_multipliers.get(v, gradient_multipliers.get(v.name))), v) for g, v in pairs]
        if callable(clip_gradients):
            pairs = clip_gradients(pairs)
        elif clip_gradients is not None:
            clipped, _ = clip_by_global_norm([g for g, _ in pairs], clip_gradients)
            pairs = [(g, v) for g, (_, v) in zip(clipped, pairs, strict=True)]
        update = opt.apply_gradients(pairs, step if increment_global_step else None, name="train")
        with graph.control_dependencies([update]):
            return identity(loss)


def _optimizer(optimizer: Any, rate: Any) -> Any:
    if isinstance(optimizer, str):
        if optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError(
                f"Optimizer name should be one of [{', '.join(OPTIMIZER_CLS_NAMES)}], you provided {optimizer}."
            )
        optimizer = OPTIMIZER_CLS_NAMES[optimizer]
    if isinstance(optimizer, Optimizer):
        return optimizer
    if isinstance(optimizer, type) or callable(optimizer):
        if isinstance(optimizer, type) and not issubclass(optimizer, Optimizer):
            raise ValueError(f"Optimizer should be a subclass of Optimizer, got {optimizer}.")
        if isinstance(optimizer, type):
            return optimizer(learning_rate=rate)
        made = optimizer() if rate is None else optimizer(rate)
        if not isinstance(made, Optimizer):
            raise ValueError(f"Unrecognized optimizer: function should return subclass of Optimizer. Got {made}.")
        return made
    raise ValueError(
        f"Unrecognized optimizer: should be string, subclass of Optimizer, instance or a function. Got {optimizer}."
    )


def _noisy(gradient: Any, scale: Any) -> Any:
    if gradient is None:
        return None
    dense = convert(gradient)
    return dense + truncated_normal(shape(dense), dtype=dense.dtype.base_dtype) * scale


def _times(gradient: Any, factor: Any) -> Any:
    if gradient is None or factor is None:
        return gradient
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
    return gradient * factor
