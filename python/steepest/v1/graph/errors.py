"""``tf.errors``: what goes wrong while a session runs. The messages name the node."""

from __future__ import annotations

import warnings
from typing import Any

__all__ = [
    "ABORTED",
    "ALREADY_EXISTS",
    "CANCELLED",
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "FAILED_PRECONDITION",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "OK",
    "OUT_OF_RANGE",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "UNIMPLEMENTED",
    "UNKNOWN",
    "AbortedError",
    "AlreadyExistsError",
    "CancelledError",
    "DataLossError",
    "DeadlineExceededError",
    "FailedPreconditionError",
    "InternalError",
    "InvalidArgumentError",
    "NotFoundError",
    "OpError",
    "OutOfRangeError",
    "PermissionDeniedError",
    "ResourceExhaustedError",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
    "error_code_from_exception_type",
    "exception_type_from_error_code",
]

OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED = range(8)
RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE = range(8, 15)
DATA_LOSS, UNAUTHENTICATED = 15, 16


class OpError(Exception):
    """Base class: ``message``, ``error_code``, and ``op``, the operation that failed (None where there is none).

    ``node_def`` is the operation too: it has the ``name`` and ``op`` type that programs read from it.
    """

    error_code = UNKNOWN

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int | None = None) -> None:
        super().__init__(message)
        if error_code is not None:
            self.error_code = error_code
        self.node_def = node_def
        self.op = op
        self.message = message

    def __str__(self) -> str:
        calls = getattr(self.op, "traceback", None)  # the operation of a run knows where the program made it
        if not calls:
            return str(self.message)
        return f"{self.message}\n\nOriginal stack trace for {self.op.name!r}:\n{''.join(calls.format())}"

    @property
    def experimental_payloads(self) -> dict[bytes, bytes]:
        """What else is known of the error, by keys: nothing."""
        return {}

    def __reduce__(self) -> Any:
        return type(self), (self.node_def, self.op, self.message, self.error_code)


class InvalidArgumentError(OpError):
    """A value that an operation cannot take: a shape, an index, a missing feed."""

    error_code = INVALID_ARGUMENT


class FailedPreconditionError(OpError):
    """A variable that is used before it is initialised."""

    error_code = FAILED_PRECONDITION


class NotFoundError(OpError):
    """A checkpoint, or a name in it, that is not there."""

    error_code = NOT_FOUND


class OutOfRangeError(OpError):
    """The end of a sequence."""

    error_code = OUT_OF_RANGE


class DataLossError(OpError):
    """A checkpoint that cannot be read."""

    error_code = DATA_LOSS


class UnimplementedError(OpError):
    """What no operation does."""

    error_code = UNIMPLEMENTED


class UnknownError(OpError):
    """What a Python function inside an operation raised."""


class InternalError(OpError):
    """An invariant that does not hold."""

    error_code = INTERNAL


# For programs that catch them; nothing here raises them.


class AbortedError(OpError):
    """An operation that was given up."""

    error_code = ABORTED


class AlreadyExistsError(OpError):
    """What is to be made and is there."""

    error_code = ALREADY_EXISTS


class CancelledError(OpError):
    """A step that was cancelled."""

    error_code = CANCELLED


class DeadlineExceededError(OpError):
    """A step that took too long."""

    error_code = DEADLINE_EXCEEDED


class PermissionDeniedError(OpError):
    """A file that may not be used."""

    error_code = PERMISSION_DENIED


class ResourceExhaustedError(OpError):
    """Memory that does not suffice."""

    error_code = RESOURCE_EXHAUSTED


class UnauthenticatedError(OpError):
    """A caller who is not known."""

    error_code = UNAUTHENTICATED


class UnavailableError(OpError):
    """A machine that does not answer."""

    error_code = UNAVAILABLE


def error_code_from_exception_type(cls: type[OpError]) -> Any:
    """Return the number of a kind of error; for another class an `UnknownError`, after a warning."""
    if cls in OpError.__subclasses__():
        return cls.error_code
    warnings.warn("Unknown class exception", stacklevel=2)
    return UnknownError(None, None, "Unknown class exception")


def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """Return the kind of error with a number; KeyError where there is none."""
    return {cls.error_code: cls for cls in OpError.__subclasses__()}[error_code]


def _make_specific_exception(node_def: Any, op: Any, message: str, error_code: int) -> OpError:
    """Return an error of the kind with a number; an `UnknownError`, after a warning, where there is none."""
    try:
        return exception_type_from_error_code(error_code)(node_def, op, message)
    except KeyError:
        warnings.warn(f"Unknown error code: {error_code}", stacklevel=2)
        return UnknownError(node_def, op, message, error_code)
