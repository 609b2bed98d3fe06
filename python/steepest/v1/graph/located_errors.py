"""Errors of a run as TensorFlow raises them: of its kinds, in its words, with the operation's name."""

from __future__ import annotations

import re

from .errors import FailedPreconditionError, InvalidArgumentError, OpError
from .node import Operation

__all__ = ["located", "of_eager_call"]


_WORDS = (
    (r"matmul: (Input operand .*)", r"Matrix size-incompatible: \1"),
    (r"index (-?\d+) is out of bounds for axis (\d+) .*", r"slice index \1 of dimension \2 out of bounds."),
    (
        r"too many indices for array: array is (\d+)-.*",
        r"Index out of range using input dim \1; input has only \1 dims",
    ),
)
_BROADCAST = "operands could not be broadcast together with "


def _in_words(message: str) -> str:
    """Return NumPy's message for shapes and places that do not fit as TensorFlow has it, and others as they are."""
    if message.startswith(_BROADCAST):
        shapes = re.findall(r"\(([\d,]*)\)", message)
        return f"Incompatible shapes: {' vs. '.join(f'[{sizes.rstrip(chr(44))}]' for sizes in shapes[:2])}"
    for pattern, words in _WORDS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return found.expand(words)
    return message


def of_eager_call(error: Exception) -> InvalidArgumentError:
    """Return the error that TensorFlow's kernels raise in eager mode."""
    return InvalidArgumentError(None, None, _in_words(str(error)))


def located(error: Exception, op: Operation | None) -> Exception:
    """Return the error that TensorFlow would raise: its message has the operation's name, and the line that made it."""
    if op is None:
        return error
    message = error.message if isinstance(error, OpError) else _in_words(str(error))
    if f"node {op.name}" not in message:
        made = op.traceback[-1]
        message = f"{message}\n\t [[node {op.name} (type {op.type}) (defined at {made.filename}:{made.lineno})]]"
    if isinstance(error, (FailedPreconditionError, OpError)):
        return type(error)(error.node_def or op, error.op or op, message)
    return InvalidArgumentError(op, op, message)
