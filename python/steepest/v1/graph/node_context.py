"""What new nodes and variables of a graph get from the blocks in which they are made."""

from __future__ import annotations

from typing import Any

from .node import Operation

__all__ = ["NodeContext"]


class NodeContext:
    """What new nodes get: the control inputs in force, the branch of a ``cond``, gradients, makers of variables."""

    def __init__(self) -> None:
        self.controls: list[Operation] = []
        self.branch: Any = None
        self.overrides: dict[str, str] = {}
        self.creators: list[Any] = []  # functions that take part when a variable is made
