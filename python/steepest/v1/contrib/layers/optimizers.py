"""``tf.contrib.layers.optimizers``: a step of training as one function, and clipping by norms that it has seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from ...graph.composites import with_values
from ...graph.graph import get_default_graph
from ...graph.missing import namespace
from ...graph.node import Node
from ...graph.scopes import variable_scope
from ...ops.cast_ops import cast
from ...ops.check_ops import assert_scalar
from ...ops.clip_ops import clip_by_global_norm, global_norm
from ...ops.control_flow_ops import with_dependencies
from ...ops.gather_ops import where
from ...ops.math_ops import exp, log, maximum, minimum, sqrt, square
from ...ops.random_ops import truncated_normal
from ...optim.moving_average import assign_moving_average
from ...summary import histogram, scalar
from ...train import assert_global_step, get_global_step
from ...variables.get_variable import get_variable
from ...variables.initializers import Constant, Zeros

__all__ = ["OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "adaptive_clipping_fn", "optimize_loss"]

__getattr__, __dir__ = namespace(__name__)

OPTIMIZER_CLS_NAMES: dict[str, Any] = {
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "Momentum": lambda learning_rate: MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}
OPTIMIZER_SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"]


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
    """Return the loss once an update by ``optimizer`` is done: gradients, noise, multipliers, clipping, apply.

    Args:
        learning_rate: a float, which is kept in the variable ``OptimizeLoss/learning_rate``, a scalar tensor, or None.
        optimizer: a name in ``OPTIMIZER_CLS_NAMES``, a class, an object, or a function of the learning rate.
        clip_gradients: a global norm as float, or a function of the list of pairs.
        gradient_noise_scale: the size of normal noise that is added to the gradients.
        gradient_multipliers: factors by variable or name.
        summaries: some of ``OPTIMIZER_SUMMARIES``; by default the loss, the rate and the global norm.

    Raises ValueError for a loss, an optimizer, a rate, a norm or a summary of another kind, TypeError for a step that
    is no integer scalar. Source: ``tf.contrib.layers.optimize_loss``.
    """
    del colocate_gradients_with_ops
    loss = convert(loss)
    assert_scalar(loss)
    graph = get_default_graph()
    if global_step is None:
        global_step = get_global_step()
    else:
        assert_global_step(global_step)
    with variable_scope(name, "OptimizeLoss"):
        ready = graph.get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else list(update_ops)
        if ready:
            loss = with_dependencies(list(dict.fromkeys(ready)), loss)
        rate = _rate(learning_rate)
        told = ["loss", "learning_rate", "global_gradient_norm"] if summaries is None else list(summaries)
        for each in told:
            if each not in OPTIMIZER_SUMMARIES:
                words = ", ".join(OPTIMIZER_SUMMARIES)
                raise ValueError(f"Summaries should be one of [{words}], you provided {each}.")
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in told:
                scalar("learning_rate", rate)
        opt = _optimizer(optimizer, rate)
        trained = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES) if variables is None else variables
        pairs = opt.compute_gradients(loss, trained)
        if gradient_noise_scale is not None:
            pairs = [(_noisy(gradient, gradient_noise_scale), variable) for gradient, variable in pairs]
        if gradient_multipliers is not None:
            pairs = [(_multiplied(g, v, gradient_multipliers), v) for g, v in pairs]
        if "global_gradient_norm" in told or "gradient_norm" in told:
            scalar("global_norm/gradient_norm", global_norm([g for g, _ in pairs]))
        if isinstance(clip_gradients, float):
            clipped, _ = clip_by_global_norm([g for g, _ in pairs], clip_gradients)
            pairs = [(g, v) for g, (_, v) in zip(clipped, pairs, strict=True)]
        elif callable(clip_gradients):
            pairs = clip_gradients(pairs)
        elif clip_gradients is not None:
            raise ValueError(f"Unknown type {type(clip_gradients)} for clip_gradients")
        _summarize(loss, pairs, told, clip_gradients is not None)
        update = opt.apply_gradients(pairs, global_step if increment_global_step else None, name="train")
        return with_dependencies([update], loss)


def _rate(learning_rate: Any) -> Any:
    if learning_rate is None or (isinstance(learning_rate, Node) and learning_rate.get_shape().ndims == 0):
        return learning_rate
    if not isinstance(learning_rate, float):
        raise ValueError(
            f"Learning rate should be 0d Tensor or float. Got {learning_rate} of type {type(learning_rate)}"
        )
    if learning_rate < 0.0:
        raise ValueError(f"Invalid learning_rate {learning_rate}.")
    return get_variable("learning_rate", [], trainable=False, initializer=Constant(learning_rate))


def _optimizer(optimizer: Any, rate: Any) -> Any:
    if isinstance(optimizer, Optimizer):
        return optimizer
    made_by_class = isinstance(optimizer, type) and issubclass(optimizer, Optimizer)
    if isinstance(optimizer, str) or made_by_class:
        if rate is None:
            kind = "class" if made_by_class else "string"
            raise ValueError(f"Learning rate is None, but should be specified if optimizer is {kind} ({optimizer}).")
        if made_by_class:
            return optimizer(learning_rate=rate)
        if optimizer not in OPTIMIZER_CLS_NAMES:
            words = ", ".join(OPTIMIZER_CLS_NAMES)
            raise ValueError(f"Optimizer name should be one of [{words}], you provided {optimizer}.")
        return OPTIMIZER_CLS_NAMES[optimizer](learning_rate=rate)
    if callable(optimizer):
        made = optimizer() if rate is None else optimizer(rate)
        if not isinstance(made, Optimizer):
            raise ValueError(f"Unrecognized optimizer: function should return subclass of Optimizer. Got {made}.")
        return made
    raise ValueError(
        "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass of Optimizer or "
        f"function with one argument. Got {optimizer}."
    )


def _summarize(loss: Any, pairs: Any, told: list[str], clipped: bool) -> None:
    if "loss" in told:
        scalar("loss", loss)
    for gradient, variable in pairs:
        if gradient is None:
            continue
        values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
        tag = variable.name.replace(":", "_")
        if "gradients" in told:
            histogram(f"gradients/{tag}", values)
        if "gradient_norm" in told:
            scalar(f"gradient_norm/{tag}", global_norm([values]))
    if clipped and ("global_gradient_norm" in told or "gradient_norm" in told):
        scalar("global_norm/clipped_gradient_norm", global_norm([g for g, _ in pairs]))


def _noisy(gradient: Any, scale: Any) -> Any:
    if gradient is None:
        return None
    dense = convert(gradient)
    return dense + truncated_normal(dense.get_shape(), dtype=dense.dtype.base_dtype) * scale


def _multiplied(gradient: Any, variable: Any, factors: Mapping[Any, Any]) -> Any:
    key = variable if variable in factors else variable.name
    return _times(gradient, factors[key]) if key in factors else gradient


def _times(gradient: Any, factor: Any) -> Any:
    if gradient is None:
        return None
    if isinstance(gradient, IndexedSlices):
        return with_values(gradient, _times(gradient.values, factor))
    return gradient * cast(factor, gradient.dtype.base_dtype)


def adaptive_clipping_fn(
    std_factor: float = 2.0,
    decay: float = 0.95,
    static_max_norm: float | None = None,
    global_step: Any = None,
    report_summary: bool = False,
    epsilon: float = 1e-8,
    name: str | None = None,
) -> Callable[[Any], list[tuple[Any, Any]]]:
    """Return a function for ``clip_gradients``: norms far above the usual one are brought to it.

    The logarithm of the norm has a moving mean m and a standard deviation s; a norm above exp(m + std_factor s)
    becomes exp(m). ``global_step`` makes the averages those of all steps at first.

    Source: ``tf.contrib.layers.adaptive_clipping_fn``.
    """

    def averaged(which: str, value: Any, rate: Any) -> Any:
        kept = get_variable(which, value.get_shape(), value.dtype, Zeros(), trainable=False)
        return assign_moving_average(kept, value, rate, zero_debias=False)

    def clipped(grads_and_vars: Any) -> list[tuple[Any, Any]]:
        norm = global_norm([g for g, _ in grads_and_vars])
        with variable_scope(name, "AdaptiveMaxNorm"):
            logarithm, rate = log(norm + epsilon), decay
            if global_step is not None:
                steps = cast(global_step, "float32")
                rate = minimum(decay, steps / (steps + 1.0))
            mean = averaged("mean", logarithm, rate)
            spread = averaged("sq_mean", square(logarithm), rate) - square(mean)
            largest = exp(mean + std_factor * sqrt(maximum(epsilon, spread)))
        if report_summary:
            scalar("global_norm/adaptive_max_gradient_norm", largest)
        factor = where(norm < largest, norm * 0 + 1, exp(mean) / norm)
        if static_max_norm is not None:
            factor = minimum(static_max_norm / norm, factor)
        return [(_times(g, factor), v) for g, v in grads_and_vars]

    return clipped
