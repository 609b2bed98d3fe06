"""Errors of a run as TensorFlow raises them: of its kinds, in its words, with the operation's name."""

from __future__ import annotations

import re

from .errors import FailedPreconditionError, InvalidArgumentError, OpError
from .node import Operation

__all__ = ["located", "of_eager_call"]


def _in_words(message: str) -> str:
    """Return NumPy's message for shapes that do not fit each other as TensorFlow has it, and others as they are."""
    if message.startswith("matmul: Input operand"):
        return f"Matrix size-incompatible: {message.removeprefix('matmul: ')}"
    start = "operands could not be broadcast together with shapes "
    if not message.startswith(start):
        return message
    shapes = re.findall(r"\(([\d,]*)\)", message.removeprefix(start))
    return f"Incompatible shapes: {' vs. '.join(f'[{sizes.rstrip(chr(44))}]' for sizes in shapes[:2])}"


def of_eager_call(error: Exception) -> InvalidArgumentError:
    """Return the error that TensorFlow's kernels raise in eager mode."""
    return InvalidArgumentError(None, None, _in_words(str(error)))


def located(error: Exception, op: Operation | None) -> Exception:
    """Return the error that TensorFlow would raise, with the operation's name in the message."""
    if op is None:
        return error
    message = error.message if isinstance(error, OpError) else _in_words(str(error))
    if f"node {op.name}" not in message:
        message = f"{message}\n\t [[node {op.name} (type {op.type})]]"
    if isinstance(error, (FailedPreconditionError, OpError)):
        return type(error)(error.node_def or op, error.op or op, message)
    return InvalidArgumentError(op, op, message)
