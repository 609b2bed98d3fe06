"""Classes, and functions that save and restore objects, which a program registers by name and by what they are for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from ..graph import log

__all__ = [
    "get_registered_class",
    "get_registered_class_name",
    "get_registered_saver_name",
    "get_restore_function",
    "get_save_function",
    "get_strict_predicate_restore",
    "register_checkpoint_saver",
    "register_serializable",
    "validate_restore_function",
]

_Kept = TypeVar("_Kept")
_NAME = re.compile(r"^[a-zA-Z0-9._-]+$")


class _Registry(Generic[_Kept]):
    """What is registered of one kind, by name; the last one whose predicate holds is that of an object."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self.kept: dict[str, tuple[Callable[[Any], Any], _Kept]] = {}

    def add(self, package: Any, name: Any, predicate: Any, value: _Kept) -> None:
        kind = self._kind
        if not isinstance(package, str) or not isinstance(name, str):
            raise TypeError(
                f"The package and name registered to a {kind} must be strings, got: package={type(package)}, "
                f"name={type(name)}"
            )
        if not callable(predicate):
            raise TypeError(f"The predicate registered to a {kind} must be callable, got: {type(predicate)}")
        full = f"{package}.{name}"
        if not _NAME.match(full):
            raise ValueError(
                f"Invalid registered {kind}. Please check that the package and name follow the regex "
                f"'{_NAME.pattern}': (package='{package}', name='{name}')"
            )
        if full in self.kept:
            raise ValueError(f"The name '{full}' has already been registered to a {kind}. Found: {self.kept[full][1]}")
        self.kept[full] = (predicate, value)

    def name_of(self, value: Any) -> str | None:
        return next((name for name, (holds, _) in reversed(self.kept.items()) if holds(value)), None)

    def __getitem__(self, name: str) -> _Kept:
        if name not in self.kept:
            raise LookupError(f"The {self._kind} registry does not have name '{name}' registered.")
        return self.kept[name][1]


class _Saver(NamedTuple):
    save: Callable[..., Any]
    restore: Callable[..., Any]
    strict: bool


_classes: _Registry[type] = _Registry("serializable class")
_savers: _Registry[_Saver] = _Registry("checkpoint saver")


def register_serializable(
    package: str = "Custom", name: str | None = None, predicate: Callable[[Any], Any] | None = None
) -> Callable[[Any], Any]:
    """Return a decorator that registers a class as ``<package>.<name>``, the name by default the class's own.

    It is the class of the objects for which ``predicate`` holds, by default of its instances.

    Raises TypeError for what is no class or no function, ValueError for a name that cannot be one, or is taken.

    Source: ``tensorflow/python/saved_model/registration/registration.py``, as are the functions below.
    """

    def register(cls: Any) -> Any:
        if not isinstance(cls, type):
            raise TypeError(f"Registered serializable must be a class: {cls}")
        holds = predicate if predicate is not None else (lambda value: isinstance(value, cls))
        _classes.add(package, cls.__name__ if name is None else name, holds, cls)
        return cls

    return register


def get_registered_class_name(obj: Any) -> str | None:
    """Return the name of the class that is registered last for an object, or None."""
    return _classes.name_of(obj)


def get_registered_class(registered_name: str) -> type | None:
    """Return the class that has a name, or None."""
    return _classes[registered_name] if registered_name in _classes.kept else None


def register_checkpoint_saver(
    package: str = "Custom",
    name: str | None = None,
    predicate: Callable[[Any], Any] | None = None,
    save_fn: Callable[..., Any] | None = None,
    restore_fn: Callable[..., Any] | None = None,
    strict_predicate_restore: bool = True,
) -> None:
    """Register, as ``<package>.<name>``, functions that save and restore the objects for which ``predicate`` holds.

    A checkpoint calls ``save_fn(trackables=, file_prefix=)`` with all of them by their paths from its first object.
    It writes files with ``io_ops.save_v2`` and returns their prefixes, None for no file; what is in them becomes a part
    of the checkpoint. When that is restored, ``restore_fn(trackables=, merged_prefix=)`` reads it with
    ``io_ops.restore_v2``. An object that is restored and for which ``predicate`` does not hold is an error, or left as
    it is unless ``strict_predicate_restore``.

    Raises TypeError for what is no function or no name, ValueError for a name that cannot be one, or is taken.
    """
    if not callable(save_fn):
        raise TypeError(f"The save_fn must be callable, got: {type(save_fn)}")
    if not callable(restore_fn):
        raise TypeError(f"The restore_fn must be callable, got: {type(restore_fn)}")
    _savers.add(package, name, predicate, _Saver(save_fn, restore_fn, strict_predicate_restore))


def get_registered_saver_name(trackable: Any) -> str | None:
    """Return the name of the saver that is registered last for an object, or None."""
    return _savers.name_of(trackable)


def get_save_function(registered_name: str) -> Callable[..., Any]:
    """Return the function that saves; LookupError for a name that no saver has."""
    return _savers[registered_name].save


def get_restore_function(registered_name: str) -> Callable[..., Any]:
    """Return the function that restores; LookupError for a name that no saver has."""
    return _savers[registered_name].restore


def get_strict_predicate_restore(registered_name: str) -> bool:
    """Tell whether it is an error that an object is not the saver's; it is none where there is no such saver."""
    if registered_name not in _savers.kept:
        log.warning(f"Registered saver {registered_name} was not found when restoring checkpoints.")
        return False
    return _savers[registered_name].strict


def validate_restore_function(trackable: Any, registered_name: str) -> None:
    """Raise ValueError where there is no saver of a name, or where it is not for an object."""
    if registered_name not in _savers.kept:
        raise ValueError(
            f"Error when restoring object {trackable} from checkpoint. This object was saved using a registered saver "
            f"named '{registered_name}', but this saver cannot be found in the current context."
        )
    if not _savers.kept[registered_name][0](trackable):
        raise ValueError(
            f"Object {trackable} was saved with the registered saver named '{registered_name}'. However, this saver "
            "cannot be used to restore the object because the predicate does not pass."
        )
