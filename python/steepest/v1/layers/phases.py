"""Whether a layer is in training, as far as that is known before a session runs."""

from __future__ import annotations

from typing import Any

from ..graph.node import Node
from ..graph.static_values import constant_value

__all__ = ["decided"]


def decided(training: Any) -> Any:
    """Return whether a layer is in training: a bool where that is known before a session runs, else the node."""
    known = constant_value(training) if isinstance(training, Node) else None
    return training if known is None else bool(known)
