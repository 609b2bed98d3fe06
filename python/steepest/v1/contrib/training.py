"""``tf.contrib.training``: hyperparameters, and a training operation with what belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...variables.collections import GraphKeys
from ..graph import log
from ..graph.composites import is_composite, with_values
from ..graph.graph import get_default_graph
from ..graph.missing import namespace
from ..ops.array_ops import identity
from ..ops.clip_ops import clip_by_norm, global_norm
from ..ops.control_flow_ops import with_dependencies
from ..ops.script_ops import check_numerics
from ..saving.init_from_checkpoint import wait_for_new_checkpoint
from ..summaries.training_session import MonitoredTrainingSession
from ..summary import histogram, scalar
from ..train import checkpoints_iterator, get_or_create_global_step
from .buckets import bucket, bucket_by_sequence_length
from .evaluation import (
    StopAfterNEvalsHook,
    SummaryAtEndHook,
    evaluate_once,
    evaluate_repeatedly,
    get_or_create_eval_step,
)
from .hparams import HParamDef as HParamDef
from .hparams import HParams, parse_values
from .placements import GreedyLoadBalancingStrategy, RandomStrategy, byte_size_load_fn
from .sampling import _verify_input as _verify_input
from .sampling import rejection_sample, resample_at_rate, stratified_sample, weighted_resample

__all__ = [
    "GreedyLoadBalancingStrategy",
    "HParams",
    "RandomStrategy",
    "StopAfterNEvalsHook",
    "SummaryAtEndHook",
    "add_gradients_summaries",
    "bucket",
    "bucket_by_sequence_length",
    "byte_size_load_fn",
    "checkpoints_iterator",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "evaluate_once",
    "evaluate_repeatedly",
    "get_or_create_eval_step",
    "multiply_gradients",
    "parse_values",
    "rejection_sample",
    "resample_at_rate",
    "stratified_sample",
    "train",
    "wait_for_new_checkpoint",
    "weighted_resample",
]

__getattr__, __dir__ = namespace(__name__, "bucket_ops device_setter evaluation hparam resample sampling_ops training")

_FROM_GRAPH: Any = object()


def add_gradients_summaries(grads_and_vars: Any) -> list[Any]:
    """Return summaries of gradients: how they are spread, and their norms; what has none is told to people."""
    found: list[Any] = []
    for grad, variable in grads_and_vars:
        if grad is None:
            log.info("Var %s has no gradient", variable.op.name)
            continue
        values = grad.values if is_composite(grad) else grad
        found.append(histogram(f"{variable.op.name}_gradient", values))
        found.append(scalar(f"{variable.op.name}_gradient_norm", global_norm([values])))
    return found


def clip_gradient_norms(gradients_to_variables: Any, max_norm: float) -> list[tuple[Any, Any]]:
    """Return pairs of gradient and variable with each gradient's norm at most ``max_norm``."""
    return [(g if g is None else clip_by_norm(g, max_norm), v) for g, v in gradients_to_variables]


def clip_gradient_norms_fn(max_norm: float) -> Callable[[Any], list[tuple[Any, Any]]]:
    """Return the function of pairs that `clip_gradient_norms` is for one norm."""
    return lambda pairs: clip_gradient_norms(pairs, max_norm)


def multiply_gradients(grads_and_vars: Any, gradient_multipliers: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """Return pairs of gradient and variable, multiplied by the factors of variables or their names.

    Raises ValueError for a variable with a factor and no gradient, for no list, and for no factors.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    result: list[tuple[Any, Any]] = []
    for grad, variable in grads_and_vars:
        key = variable if variable in gradient_multipliers else variable.op.name
        if key in gradient_multipliers:
            if grad is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = gradient_multipliers[key]
            grad = with_values(grad, grad.values * factor) if is_composite(grad) else grad * factor
        result.append((grad, variable))
    return result


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = _FROM_GRAPH,
    update_ops: Any = None,
    variables_to_train: Any = None,
    transform_grads_fn: Callable[[Any], Any] | None = None,
    summarize_gradients: bool = False,
    gate_gradients: int = 1,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> Any:
    """Return a node that makes a step of the optimizer and is the loss before it.

    What is in UPDATE_OPS is done before; ``global_step`` is the graph's, or not counted with None.

    Source: ``tf.contrib.training.create_train_op``.
    """
    del summarize_gradients, aggregation_method, colocate_gradients_with_ops
    graph = get_default_graph()
    step = get_or_create_global_step() if global_step is _FROM_GRAPH else global_step
    first = graph.get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else list(update_ops)
    if first:
        total_loss = with_dependencies(first, total_loss)
    pairs = optimizer.compute_gradients(total_loss, variables_to_train, gate_gradients=gate_gradients)
    if transform_grads_fn is not None:
        pairs = transform_grads_fn(pairs)
    update = optimizer.apply_gradients(pairs, global_step=step)
    loss = _checked(total_loss) if check_numerics else total_loss
    with graph.control_dependencies([update]):
        train = identity(loss, name="train_op")
    graph.add_to_collection(GraphKeys.TRAIN_OP, train)
    return train


def _checked(loss: Any) -> Any:
    return check_numerics(loss, "LossTensor is inf or nan")


def train(
    train_op: Any,
    logdir: str | None,
    master: str = "",
    is_chief: bool = True,
    scaffold: Any = None,
    hooks: Any = None,
    chief_only_hooks: Any = None,
    save_checkpoint_secs: float | None = 600,
    save_summaries_steps: int | None = 100,
    config: Any = None,
    max_wait_secs: float = 7200,
    run_metadata: Any = None,
) -> Any:
    """Run ``train_op`` until a hook stops, and return its last value; see `tf.train.MonitoredTrainingSession`.

    Raises ValueError for what would be saved without a folder.

    Source: ``tf.contrib.training.train``.
    """
    del run_metadata
    often = {"save_checkpoint_secs": save_checkpoint_secs, "save_summaries_steps": save_summaries_steps}
    for what, every in often.items():
        if every and logdir is None and is_chief:
            raise ValueError(f"logdir cannot be None when {what} is not None")
    options: Any = {"config": config, "max_wait_secs": max_wait_secs, **often}
    given = [scaffold, hooks, chief_only_hooks]
    loss = None
    with MonitoredTrainingSession(master, is_chief, logdir, *given, **options) as session:
        while not session.should_stop():
            loss = session.run(train_op)
    return loss
