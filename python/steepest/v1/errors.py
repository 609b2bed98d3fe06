"""``tf.errors``: what goes wrong while a session runs. The messages name the node."""

from __future__ import annotations

from typing import Any

from .missing import namespace

__all__ = [
    "DataLossError",
    "FailedPreconditionError",
    "InternalError",
    "InvalidArgumentError",
    "NotFoundError",
    "OpError",
    "OutOfRangeError",
    "UnimplementedError",
    "UnknownError",
]

__getattr__, __dir__ = namespace(__name__)


class OpError(Exception):
    """Base class: ``message``, and ``op``, the operation that failed (None where there is none).

    ``node_def`` is the operation too: it has the ``name`` and ``op`` type that programs read from it.
    """

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(message)
        self.node_def = node_def
        self.op = op
        self.message = message


class InvalidArgumentError(OpError):
    """A value that an operation cannot take: a shape, an index, a missing feed."""


class FailedPreconditionError(OpError):
    """A variable that is used before it is initialised."""


class NotFoundError(OpError):
    """A checkpoint, or a name in it, that is not there."""


class OutOfRangeError(OpError):
    """The end of a sequence."""


class DataLossError(OpError):
    """A checkpoint that cannot be read."""


class UnimplementedError(OpError):
    """What no operation does."""


class UnknownError(OpError):
    """What a Python function inside an operation raised."""


class InternalError(OpError):
    """An invariant that does not hold."""
