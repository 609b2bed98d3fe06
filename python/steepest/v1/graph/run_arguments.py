"""Calls whose axes, shapes or counts are read from the last inputs at each run; calls that fail then."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .errors import InvalidArgumentError, NotFoundError
from .run_values import array_of

__all__ = ["RunArguments", "misfit", "unregistered"]


class RunArguments:
    """``function(*arguments, *values)``, where some arguments are the values of the last inputs.

    ``readers`` has for each of these inputs its place among the arguments, and how an array becomes the argument.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: Sequence[Any],
        readers: Sequence[tuple[int, Callable[[Any], Any]]],
    ) -> None:
        self.function = function
        self.arguments = list(arguments)
        self.readers = readers
        self.count = len(readers)

    def __call__(self, *values: Any) -> Any:
        return self.with_values(values[-self.count :])(*values[: -self.count])

    def with_values(self, values: Sequence[Any]) -> Callable[..., Any]:
        """Return the function of the other inputs, for values that stay as they are in all runs."""
        arguments = self.arguments.copy()
        for (place, read), value in zip(self.readers, values, strict=True):
            arguments[place] = read(array_of(value))
        return functools.partial(self.function, *arguments)


def unregistered(op_type: str) -> Callable[..., NoReturn]:
    """Return the function of an operation that has none: a run of it is a NotFoundError."""

    def fail(*values: Any) -> NoReturn:
        raise NotFoundError(None, None, f"Op type not registered '{op_type}'")

    return fail


def misfit(message: str) -> Callable[..., NoReturn]:
    """Return the function of an operation whose inputs do not fit it: a run of it is an InvalidArgumentError."""

    def fail(*values: Any) -> NoReturn:
        raise InvalidArgumentError(None, None, message)

    return fail
