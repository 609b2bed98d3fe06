"""TensorFlow's ``tensorflow.python.eager.execution_callbacks``: what its functions are asked to do about a value."""

from __future__ import annotations

import enum

__all__ = ["ExecutionCallback"]


class ExecutionCallback(enum.Enum):
    """What is done about an infinity or a NaN. `tf.check_numerics` finds them here."""

    IGNORE = "ignore"
    PRINT = "print"
    RAISE = "raise"
    WARN = "warn"
