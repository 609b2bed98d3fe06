"""Objects in collections as a graph's file has them: by the operations and values of which they are made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["file_form", "made_of", "parts_in_file"]

_forms: dict[str, tuple[type, Callable[[Any], list[Any]], Callable[[list[Any]], Any]]] = {}


def file_form(kind: str, of: type, parts: Callable[[Any], list[Any]], make: Callable[[list[Any]], Any]) -> None:
    """Have objects of a class be in files of graphs.

    Args:
        kind: what they are called there.
        of: the class.
        parts: gives the operations and values of which an object is made.
        make: makes one of them.
    """
    _forms[kind] = of, parts, make


def parts_in_file(item: Any) -> tuple[str, list[Any]] | None:
    """Return what an object is called in a file, and its parts; None for one that cannot be in a file."""
    for kind, (of, parts, _) in _forms.items():
        if type(item) is of:
            return kind, parts(item)
    return None


def made_of(kind: str, parts: list[Any]) -> Any:
    """Return the object of these parts. Raises KeyError for an unknown kind."""
    return _forms[kind][2](parts)
