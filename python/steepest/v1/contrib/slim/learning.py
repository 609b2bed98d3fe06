"""``tf.contrib.slim.learning``: the training operation of a model made with slim."""

from __future__ import annotations

from typing import Any

from ...graph.missing import namespace
from ..training import clip_gradient_norms, multiply_gradients
from ..training import create_train_op as _create_train_op

__all__ = ["clip_gradient_norms", "create_train_op", "multiply_gradients"]

__getattr__, __dir__ = namespace(__name__)

_FROM_GRAPH: Any = object()


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = _FROM_GRAPH,
    update_ops: Any = None,
    variables_to_train: Any = None,
    clip_gradient_norm: float = 0,
    summarize_gradients: bool = False,
    gate_gradients: int = 1,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: Any = None,
    check_numerics: bool = True,
) -> Any:
    """Return `tf.contrib.training.create_train_op`, with gradients multiplied first and then clipped, each by itself.

    Source: ``tf.contrib.slim.learning.create_train_op``.
    """

    def transformed(pairs: Any) -> Any:
        if gradient_multipliers:
            pairs = multiply_gradients(pairs, gradient_multipliers)
        return clip_gradient_norms(pairs, clip_gradient_norm) if clip_gradient_norm > 0 else pairs

    steps = {} if global_step is _FROM_GRAPH else {"global_step": global_step}
    return _create_train_op(
        total_loss,
        optimizer,
        update_ops=update_ops,
        variables_to_train=variables_to_train,
        transform_grads_fn=transformed,
        summarize_gradients=summarize_gradients,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
        check_numerics=check_numerics,
        **steps,
    )
