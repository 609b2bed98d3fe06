"""Whether a layer is in training, as far as that is known before a session runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops.dispatch import Operand
from ..graph.node import Node
from ..graph.static_values import constant_value
from ..ops.control_flow_ops import cond

__all__ = ["chosen", "decided"]


def decided(training: Any) -> Any:
    """Return whether a layer is in training: a bool where that is known before a session runs, else the node.

    Raises TypeError for what is no tensor, bool, 0 or 1; None is False.
    """
    if not isinstance(training, (Node, Operand)) and training is not None and training not in (0, 1):
        must = "must be a Tensor, or a Python bool, or 1 or 0. Found instead"
        raise TypeError(f"`pred` {must}: {type(training)}")
    known = constant_value(training) if isinstance(training, Node) else None
    return training if known is None else bool(known)


def chosen(training: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """Return what ``yes`` makes in training, ``no`` else; a choice of the run where that is not known before."""
    if isinstance(training, Node):
        return cond(training, yes, no)
    return yes() if training else no()
