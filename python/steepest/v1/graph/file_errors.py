"""What the system says of files, as TensorFlow's errors."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import wraps
from typing import Any

from .errors import AlreadyExistsError, FailedPreconditionError, NotFoundError, PermissionDeniedError, UnknownError

__all__ = ["translated"]


def translated(function: Callable[..., Any]) -> Callable[..., Any]:
    """Raise TensorFlow's errors for those of the system."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except FileNotFoundError as error:
            raise NotFoundError(None, None, f"{error.filename}; No such file or directory") from error
        except FileExistsError as error:
            raise AlreadyExistsError(None, None, f"{error.filename}; file already exists") from error
        except PermissionError as error:
            raise PermissionDeniedError(None, None, f"{error.filename}; Permission denied") from error
        except IsADirectoryError as error:
            raise FailedPreconditionError(None, None, f"{error.filename}; Is a directory") from error
        except io.UnsupportedOperation as error:
            raise PermissionDeniedError(None, None, f"File isn't open for this: {error}") from error
        except OSError as error:
            raise UnknownError(None, None, f"{error.filename}; {error.strerror}") from error

    return call
