"""Dicts of objects, whatever these make of ``==``; a weak one forgets objects that nobody else holds."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, MutableMapping
from typing import Any

__all__ = ["ObjectIdentityDictionary", "ObjectIdentityWeakKeyDictionary"]


class ObjectIdentityDictionary(MutableMapping[Any, Any]):
    """A dict whose keys are objects, whatever these make of ``==``."""

    def __init__(self, items: Any = ()) -> None:
        self._items: dict[int, tuple[Any, Any]] = {}
        self.update(items)

    def __getitem__(self, key: Any) -> Any:
        return self._items[id(key)][1]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._items[id(key)] = key, value

    def __delitem__(self, key: Any) -> None:
        del self._items[id(key)]

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)


class ObjectIdentityWeakKeyDictionary(ObjectIdentityDictionary):
    """A dict of objects that forgets those that nobody else holds."""

    def __setitem__(self, key: Any, value: Any) -> None:
        number = id(key)
        self._items[number] = weakref.ref(key, lambda _: self._items.pop(number, None)), value

    def __iter__(self) -> Iterator[Any]:
        return (key for reference, _ in list(self._items.values()) if (key := reference()) is not None)
