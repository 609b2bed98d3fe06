"""Objects by what programs give for them: a name, a name with settings, or the object itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["CUSTOM", "found", "serialized"]

CUSTOM: dict[str, Any] = {}
"""A program's own objects by their names; they come first."""


def found(kind: str, known: Mapping[str, Any], identifier: Any, makes: bool = True) -> Any:
    """Return what an identifier stands for: None, a name, ``{"class_name": ..., "config": ...}``, or a callable.

    A program's own objects in `CUSTOM` are known too. Where ``known`` ``makes`` objects they are made, of a class too.
    Raises ValueError for others.
    """
    if identifier is None:
        return None
    if isinstance(identifier, (str, Mapping)):
        given: Mapping[str, Any] = {"class_name": identifier} if isinstance(identifier, str) else identifier
        name, config = str(given.get("class_name")), given.get("config", {})
        made = CUSTOM.get(name, known.get(name))
        if made is None:
            raise ValueError(f"Unknown {kind}: {name!r}; known are {', '.join([*known, *CUSTOM])}")
        return made(**config) if makes and (isinstance(made, type) or name not in CUSTOM) else made
    if callable(identifier):
        return identifier() if isinstance(identifier, type) else identifier
    raise ValueError(f"Could not interpret {kind} identifier: {identifier}")


def serialized(made: Any) -> Any:
    """Return the class and the settings of an object, the name of a function, None for None."""
    if made is None or not hasattr(made, "get_config"):
        return getattr(made, "__name__", None)
    return {"class_name": type(made).__name__, "config": made.get_config()}
