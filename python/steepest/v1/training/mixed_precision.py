"""Optimizers whose losses are scaled, as TensorFlow's rewriting of graphs into half types asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...optim.optimizer import Optimizer
from ..graph import log
from ..graph.graph_rewrites import (
    non_mixed_precision_session_created,
    options_of_graphs,
    set_mixed_precision_graph_rewrite_enabled,
)
from .loss_scales import MixedPrecisionLossScaleOptimizer

__all__ = [
    "disable_mixed_precision_graph_rewrite",
    "disable_mixed_precision_graph_rewrite_v1",
    "enable_mixed_precision_graph_rewrite",
    "enable_mixed_precision_graph_rewrite_v1",
    "register_loss_scale_wrapper",
]

# For each class of optimizers, what wraps one of them for a loss scale, and the class of what that gives.
_wrappers: dict[type, tuple[Callable[[Any, Any], Any], type]] = {
    Optimizer: (MixedPrecisionLossScaleOptimizer, MixedPrecisionLossScaleOptimizer)
}


def register_loss_scale_wrapper(optimizer_cls: type, wrapper_fn: Any, wrapper_cls: type | None = None) -> None:
    """Have `enable_mixed_precision_graph_rewrite` wrap optimizers of a class by ``wrapper_fn(optimizer, loss_scale)``.

    ``wrapper_cls`` is the class of what that returns, by default ``wrapper_fn`` itself.
    """
    _wrappers[optimizer_cls] = (wrapper_fn, wrapper_fn if wrapper_cls is None else wrapper_cls)


def enable_mixed_precision_graph_rewrite(opt: Any, loss_scale: Any = "dynamic") -> Any:
    """Return the optimizer with its losses scaled; on a CPU TensorFlow, too, leaves the graph as it is.

    Raises ValueError for what is no optimizer, and for one whose losses are scaled already.

    Source: ``tf.train.experimental.enable_mixed_precision_graph_rewrite``.
    """
    if non_mixed_precision_session_created():
        log.warn(
            "You already have existing Sessions that do not use mixed precision. "
            "enable_mixed_precision_graph_rewrite() will not affect these Sessions."
        )
    for _, wrapped in _wrappers.values():
        if isinstance(opt, wrapped):
            raise ValueError(
                f'"opt" must not already be an instance of a {wrapped.__name__}. '
                f"`enable_mixed_precision_graph_rewrite` will automatically wrap the optimizer with a "
                f"{wrapped.__name__}."
            )
    for kind, (wrap, _) in _wrappers.items():
        if isinstance(opt, kind):
            wrapped_optimizer = wrap(opt, loss_scale)
            options_of_graphs["auto_mixed_precision"] = True
            set_mixed_precision_graph_rewrite_enabled(True)
            return wrapped_optimizer
    raise ValueError(
        f'"opt" must be an instance of a tf.train.Optimizer or a tf.keras.optimizers.Optimizer, but got: {opt}'
    )


def disable_mixed_precision_graph_rewrite() -> None:
    """Say that graphs are to be left as they are, which they always are."""
    options_of_graphs["auto_mixed_precision"] = False
    set_mixed_precision_graph_rewrite_enabled(False)


enable_mixed_precision_graph_rewrite_v1 = enable_mixed_precision_graph_rewrite
disable_mixed_precision_graph_rewrite_v1 = disable_mixed_precision_graph_rewrite
