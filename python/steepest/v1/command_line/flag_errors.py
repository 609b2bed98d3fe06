"""What is raised for flags that are unknown, defined twice or have values that they cannot have."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "CantOpenFlagFileError",
    "DuplicateFlagError",
    "Error",
    "FlagNameConflictsWithMethodError",
    "IllegalFlagValueError",
    "UnparsedFlagAccessError",
    "UnrecognizedFlagError",
    "ValidationError",
]


class Error(Exception):
    """What is wrong with a flag."""


class CantOpenFlagFileError(Error):
    """The file of a ``--flagfile`` cannot be read."""


class DuplicateFlagError(Error):
    """A flag is defined twice."""


class FlagNameConflictsWithMethodError(Error):
    """A flag has the name of a method of ``FLAGS``."""


class IllegalFlagValueError(Error):
    """A flag cannot have the value that it is given."""


class UnparsedFlagAccessError(Error):
    """A flag is read before the command line is."""


class ValidationError(Error):
    """A checker refuses the value of a flag."""


class UnrecognizedFlagError(Error):
    """The command line has a flag that nobody has defined."""

    def __init__(self, flagname: str, flagvalue: str = "", suggestions: Iterable[str] = ()) -> None:
        self.flagname, self.flagvalue = flagname, flagvalue
        near = difflib.get_close_matches(flagname, list(suggestions), 3, 0.7)
        hint = f". Did you mean: {', '.join(near)} ?" if near else ""
        super().__init__(f"Unknown command line flag '{flagname}'{hint}")
