"""A call whose axes, shapes or counts come as the last inputs of an operation, and are read at each run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .run_values import array_of

__all__ = ["RunArguments"]


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
