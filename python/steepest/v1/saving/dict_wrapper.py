"""The dicts that attributes of objects are set to: what they hold, and whether a checkpoint can tell it by name."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from .containers import NOT_SAVED, WRAPPERS, TrackableDataStructure, wrap_or_unwrap
from .trackable import is_trackable

__all__ = ["_DictWrapper"]


class _DictWrapper(TrackableDataStructure, dict[Any, Any]):
    """A dict that an attribute was set to; the plain dict changes with it.

    Items may be replaced and removed. It is not saved any more once the plain dict has been changed otherwise, and
    while an item that could be saved has a key that is no string.
    """

    _loose = True
    _changed_outside = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = args[0] if len(args) == 1 and not kwargs else None
        self._storage: dict[Any, Any] = given if type(given) is dict else dict(*args, **kwargs)
        for key, value in list(self._storage.items()):
            self._storage[key] = self._held(key, value)
        self._see()

    @property
    def _values(self) -> Iterable[Any]:
        return [self._storage[key] for key in sorted(self._storage, key=str)]

    def _see(self) -> None:
        dict.clear(self)
        dict.update(self, self._storage)

    def _look(self) -> None:
        seen, here = dict(dict.items(self)), self._storage
        if seen.keys() != here.keys() or any(seen[key] is not here[key] for key in here):
            self._changed_outside |= any(map(is_trackable, [*seen.values(), *here.values()]))
            self._see()

    def _held(self, key: Any, value: Any) -> Any:
        return self._track_value(value, key) if isinstance(key, str) else wrap_or_unwrap(value)

    @property
    def _checkpoint_dependencies(self) -> list[Any]:
        self._look()
        start = (
            f"Unable to save the object {self._storage} (a dictionary wrapper constructed automatically on attribute "
            "assignment). "
        )
        end = f"\n\n{NOT_SAVED.format('dictionary')}"
        if any(not isinstance(key, str) and is_trackable(value) for key, value in self._storage.items()):
            raise ValueError(
                f"{start}The wrapped dictionary contains a non-string key which maps to a trackable object or mutable "
                f"data structure.{end}"
            )
        if self._changed_outside:
            raise ValueError(
                f"{start}The wrapped dictionary was modified outside the wrapper (its final value was "
                f"{self._storage}), which breaks restoration on object creation.{end}"
            )
        return super()._checkpoint_dependencies

    def _as_dirty(self, other: _DictWrapper) -> Any:
        other._look()
        self._changed_outside = other._changed_outside
        return self

    def copy(self) -> Any:
        return type(self)(copy.copy(self._storage))._as_dirty(self)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        return type(self)(copy.deepcopy(self._storage, memo))._as_dirty(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self._storage,)

    def __setitem__(self, key: Any, value: Any) -> None:
        if len(self._storage) != dict.__len__(self):
            self._look()
        if self._storage.get(key) is not value:
            self._forget(key)
        self._storage[key] = self._held(key, value)
        dict.__setitem__(self, key, self._storage[key])

    def __delitem__(self, key: Any) -> None:
        self.pop(key)

    def pop(self, key: Any, *default: Any) -> Any:
        self._look()
        out = self._storage.pop(key, *default)
        self._forget(key)
        self._see()
        return out

    def popitem(self) -> tuple[Any, Any]:
        key = next(reversed(self._storage), None)
        return key, self.pop(key)

    def clear(self) -> None:
        for key in list(self._storage):
            self.pop(key)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self._storage:
            self[key] = default
        return self._storage[key]

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __or__(self, other: Any) -> Any:
        return self._storage | getattr(other, "_storage", other)

    def __ror__(self, other: Any) -> Any:
        return other | self._storage

    def get(self, key: Any, default: Any = None) -> Any:
        return self._storage.get(key, default)

    def keys(self) -> Any:
        return self._storage.keys()

    def values(self) -> Any:
        return self._storage.values()

    def items(self) -> Any:
        return self._storage.items()

    def __getitem__(self, key: Any) -> Any:
        return self._storage[key]

    def __contains__(self, key: object) -> bool:
        return key in self._storage

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Any:
        return iter(self._storage)

    def __reversed__(self) -> Any:
        return reversed(self._storage)

    def __eq__(self, other: object) -> bool:
        return bool(self._storage == getattr(other, "_storage", other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"DictWrapper({self._storage!r})"


WRAPPERS[dict] = _DictWrapper
