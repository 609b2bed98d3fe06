"""Names of classes of specs, by which programs find them: ``type_spec_registry`` of TensorFlow."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .type_spec import TypeSpec

__all__ = ["get_name", "lookup", "register"]

_by_name: dict[str, type] = {}
_names: dict[type, str] = {}
_FORM = re.compile(r"^(\w+[\w.-]*\.)+\w+$")


def register(name: str) -> Callable[[Any], Any]:
    """Return a decorator that registers a class of specs under a name, ``project.Class``.

    Raises TypeError for what is no name or no class of specs, ValueError for a name of another form, for one that is
    taken, and for a class that has another one.

    Source: ``tensorflow/python/framework/type_spec_registry.py``.
    """
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}")
    if not _FORM.match(name):
        raise ValueError(
            "Registered name must have the form '{project_name}.{type_name}' (e.g. 'my_project.MyTypeSpec'); got "
            f"{name!r}."
        )

    def registered(cls: Any) -> Any:
        _check(cls)
        if cls in _names:
            raise ValueError(f"Class {_shown(cls)} has already been registered with name {_names[cls]}.")
        if name in _by_name:
            raise ValueError(f"Name {name} has already been registered for class {_shown(_by_name[name])}.")
        _names[cls] = name
        _by_name[name] = cls
        return cls

    return registered


def _check(cls: Any) -> None:
    if not (isinstance(cls, type) and issubclass(cls, TypeSpec)):
        raise TypeError(f"Expected `cls` to be a TypeSpec; got {cls!r}")


def _shown(cls: type) -> str:
    return f"{cls.__module__}.{cls.__name__}"


def get_name(cls: Any) -> str:
    """Return the name of a class of specs. Raises TypeError for another class, ValueError for one without a name."""
    _check(cls)
    if cls not in _names:
        raise ValueError(f"TypeSpec {_shown(cls)} has not been registered.")
    return _names[cls]


def lookup(name: str) -> type:
    """Return the class of a name. Raises TypeError for what is no name, ValueError for one that is not there."""
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}")
    if name not in _by_name:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}")
    return _by_name[name]
