"""What distributions ask of their functions: the caller's arguments, notes in docstrings, what is there."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["AppendDocstring", "first_implemented", "parent_frame_arguments"]


def parent_frame_arguments() -> dict[str, Any]:
    """Return the arguments of the function that calls this one, by name, without the tuple of ``*args``."""
    frame = inspect.currentframe()
    if frame is None or frame.f_back is None:
        return {}
    names, _, keywords, values = inspect.getargvalues(frame.f_back)
    found = {name: values[name] for name in names}
    return found | (values[keywords] if keywords else {})


class AppendDocstring:
    """Decorates a function: its docstring gets a note, and a line for each of some keyword arguments.

    Raises ValueError for a name with blanks in it, or a text of several lines.
    """

    def __init__(self, additional_note: str = "", kwargs_dict: Mapping[str, str] | None = None) -> None:
        lines = []
        for name, text in sorted((kwargs_dict or {}).items()):
            if any(letter.isspace() for letter in name):
                raise ValueError(f'Parameter name "{name}" contains whitespace.')
            if "\n" in text.lstrip():
                raise ValueError(f'Parameter description for "{name}" contains newlines.')
            lines.append(f"*  `{name}`: {text.lstrip()}")
        heading = ["", "", "##### `kwargs`:", "", *lines] if lines else []
        self._note = additional_note + "\n".join(heading)

    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same, and whose docstring is longer."""

        @functools.wraps(fn)
        def same(*args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs)

        same.__doc__ = self._note if fn.__doc__ is None else f"{fn.__doc__}\n{self._note}"
        return same


def first_implemented(*ways: Callable[[], Any]) -> Any:
    """Return the result of the first way that is implemented, else raise what the first one says."""
    told: NotImplementedError | None = None
    for way in ways:
        try:
            return way()
        except NotImplementedError as error:
            told = told or error
    assert told is not None
    raise told
