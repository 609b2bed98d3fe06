"""``autograph.core.ag_ctx``: whether TensorFlow rewrites functions. Here no function's code is changed."""

from __future__ import annotations

import enum
from contextlib import AbstractContextManager
from typing import Any

__all__ = ["ControlStatusCtx", "NullCtx", "Status", "control_status_ctx"]

_stack: list[ControlStatusCtx] = []


class Status(enum.Enum):
    """Whether functions are rewritten: not said, they are, they are not."""

    UNSPECIFIED = 0
    ENABLED = 1
    DISABLED = 2


class ControlStatusCtx(AbstractContextManager["ControlStatusCtx"]):
    """Says inside ``with`` that functions shall be rewritten, or not; `control_status_ctx` tells it.

    Source: ``tensorflow.python.autograph.core.ag_ctx.ControlStatusCtx``.
    """

    def __init__(self, status: Status, options: Any = None) -> None:
        self.status, self.options = status, options

    def __enter__(self) -> ControlStatusCtx:
        _stack.append(self)
        return self

    def __exit__(self, *details: object) -> None:
        _stack.pop()


class NullCtx(AbstractContextManager[None]):
    """Says nothing."""

    def __exit__(self, *details: object) -> None:
        """Do nothing."""


def control_status_ctx() -> ControlStatusCtx:
    """Return the context of the innermost ``with``."""
    return _stack[-1] if _stack else ControlStatusCtx(Status.UNSPECIFIED)
