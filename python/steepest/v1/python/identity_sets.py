"""Sets and dicts of objects, whatever these make of ``==``; weak ones forget objects that nobody else holds."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, MutableSet
from typing import Any

from ..graph.identity_dicts import ObjectIdentityDictionary, ObjectIdentityWeakKeyDictionary

__all__ = [
    "ObjectIdentityDictionary",
    "ObjectIdentitySet",
    "ObjectIdentityWeakKeyDictionary",
    "ObjectIdentityWeakSet",
    "Reference",
    "_ObjectIdentityWrapper",
    "_WeakObjectIdentityWrapper",
]


class _ObjectIdentityWrapper:
    """Stands for an object in sets and dicts, whatever that makes of ``==``. Comparing the two is an error."""

    __slots__ = ("__weakref__", "_of")

    def __init__(self, wrapped: Any) -> None:
        self._of = wrapped

    @property
    def unwrapped(self) -> Any:
        """The object."""
        return self._of

    def __lt__(self, other: Any) -> bool:
        return id(self.unwrapped) < id(self._other(other))

    def __gt__(self, other: Any) -> bool:
        return id(self.unwrapped) > id(self._other(other))

    def __eq__(self, other: Any) -> bool:
        return other is not None and self.unwrapped is self._other(other)

    def _other(self, other: Any) -> Any:
        if not isinstance(other, _ObjectIdentityWrapper):
            raise TypeError(f"Cannot compare wrapped object with unwrapped object {other!r:.60}")
        return other.unwrapped

    def __hash__(self) -> int:
        return id(self.unwrapped)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} wrapping {self.unwrapped!r}>"


class _WeakObjectIdentityWrapper(_ObjectIdentityWrapper):
    """The same, for an object that may go: then it stands for None."""

    __slots__ = ()

    def __init__(self, wrapped: Any) -> None:
        super().__init__(weakref.ref(wrapped))

    @property
    def unwrapped(self) -> Any:
        """The object, None where it is gone."""
        return self._of()


class Reference(_ObjectIdentityWrapper):
    """Stands for an object that may not be a key itself. Source: ``object_identity.Reference``."""

    __slots__ = ()

    def deref(self) -> Any:
        """Return the object."""
        return self.unwrapped


class ObjectIdentitySet(MutableSet[Any]):
    """A set of objects, whatever these make of ``==``."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._items = ObjectIdentityDictionary((item, None) for item in items)

    def add(self, value: Any) -> None:
        """Put an object in."""
        self._items[value] = None

    def discard(self, value: Any) -> None:
        """Take an object out, if it is in."""
        self._items.pop(value, None)

    def difference(self, items: Iterable[Any]) -> ObjectIdentitySet:
        """Return those of the objects that are not among others."""
        others = ObjectIdentitySet(items)
        return type(self)(item for item in self if item not in others)

    def intersection(self, items: Iterable[Any]) -> ObjectIdentitySet:
        """Return those of the objects that are among others."""
        others = ObjectIdentitySet(items)
        return type(self)(item for item in self if item in others)

    def difference_update(self, items: Iterable[Any]) -> None:
        """Take objects out."""
        for item in items:
            self.discard(item)

    def update(self, items: Iterable[Any]) -> None:
        """Put objects in."""
        for item in items:
            self.add(item)

    def clear(self) -> None:
        """Take all objects out."""
        self._items.clear()

    def __contains__(self, value: object) -> bool:
        return value in self._items

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


class ObjectIdentityWeakSet(ObjectIdentitySet):
    """A set of objects that forgets those that nobody else holds."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._items = ObjectIdentityWeakKeyDictionary((item, None) for item in items)
