"""The lists that attributes of objects are set to: what they hold, and whether a checkpoint can tell it by place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex

from .containers import NOT_SAVED, WRAPPERS, List, wrap_or_unwrap
from .trackable import is_trackable

__all__ = ["ListWrapper"]


class ListWrapper(List, list[Any]):
    """A list that an attribute was set to: what the list holds, and whether a checkpoint can tell its items by place.

    The plain list changes with it. It is not saved any more once an item that could be saved has been replaced, moved
    or removed, or the plain list has been changed otherwise.

    Source: ``ListWrapper`` of ``tensorflow/python/training/tracking/data_structures.py``.
    """

    # The object is a list itself: as such it holds what the plain list held when it was last seen.
    _loose = True
    _moved = False
    _changed_outside = False

    def __init__(self, wrapped_list: Iterable[Any]) -> None:
        super().__init__(wrapped_list)
        self._see()

    def _made(self, *args: Any) -> list[Any]:
        given = args[0]
        return given._storage if isinstance(given, ListWrapper) else given if isinstance(given, list) else list(given)

    def _see(self) -> None:
        list.__setitem__(self, slice(None), self._storage)

    def _look(self) -> None:
        """Note whether the plain list was changed otherwise."""
        seen, here = list(list.__iter__(self)), self._storage
        if len(seen) != len(here) or any(a is not b for a, b in zip(seen, here, strict=True)):
            self._changed_outside |= any(map(is_trackable, [*seen, *here]))
            self._see()

    @property
    def _checkpoint_dependencies(self) -> list[Any]:
        self._look()
        start = (
            f"Unable to save the object {self._storage} (a list wrapper constructed to track trackable TensorFlow "
            "objects). "
        )
        if self._moved:
            raise ValueError(
                f"{start}A list element was replaced (__setitem__, __setslice__), deleted (__delitem__, __delslice__), "
                "or moved (sort). In order to support restoration on object creation, tracking is exclusively for "
                f"append-only data structures.\n\n{NOT_SAVED.format('list')}"
            )
        if self._changed_outside:
            raise ValueError(
                f"{start}The wrapped list was modified outside the wrapper (its final value was {self._storage}), "
                f"which breaks restoration on object creation.\n\n{NOT_SAVED.format('list')}"
            )
        return super()._checkpoint_dependencies

    def _altered(self, change: Any, *args: Any, **kwargs: Any) -> Any:
        """Change the plain list; where it has items to save, these have no fixed places any more."""
        self._look()
        self._moved |= any(map(is_trackable, self._storage))
        out = change(self._storage, *args, **kwargs)
        self._moved |= any(map(is_trackable, self._storage))
        self._see()
        return out

    def _as_dirty(self, other: ListWrapper) -> Any:
        other._look()
        self._moved, self._changed_outside = other._moved, other._changed_outside
        return self

    def copy(self) -> Any:
        return super().copy()._as_dirty(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return super().__deepcopy__(memo)._as_dirty(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self._storage,)

    def append(self, value: Any) -> None:
        if len(self._storage) != list.__len__(self):
            self._look()
        super().append(value)
        list.append(self, self._storage[-1])

    def extend(self, values: Iterable[Any]) -> None:
        List.extend(self, values)

    def insert(self, index: SupportsIndex, value: Any) -> None:
        """Add an item before others."""
        self._altered(list.insert, index, wrap_or_unwrap(value))

    def pop(self, index: SupportsIndex = -1) -> Any:
        """Remove an item, and return it."""
        return self._altered(list.pop, index)

    def remove(self, value: Any) -> None:
        """Remove the first item that is equal to a value."""
        self._altered(list.remove, value)

    def clear(self) -> None:
        """Remove all items."""
        self._altered(list.clear)

    def reverse(self) -> None:
        """Turn the order around."""
        self._altered(list.reverse)

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Order the items."""
        self._altered(list.sort, key=key, reverse=reverse)

    def __delitem__(self, key: Any) -> None:
        self._altered(list.__delitem__, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._look()
        before = list(self._storage)
        self._storage[key] = value if isinstance(key, slice) else wrap_or_unwrap(value)
        for place, item in enumerate(self._storage):
            if place >= len(before) or item is not before[place]:
                self._moved |= place < len(before) and is_trackable(before[place])
                self._storage[place] = wrap_or_unwrap(item) if self._moved else self._track_value(item, str(place))
        self._moved |= any(map(is_trackable, before[len(self._storage) :]))
        self._see()

    def __imul__(self, times: SupportsIndex) -> Any:
        if int(times) <= 0:
            self.clear()
            return self
        return super().__imul__(times)

    def index(self, value: Any, *where: Any) -> int:
        return self._storage.index(value, *where)

    def count(self, value: Any) -> int:
        return self._storage.count(value)

    def __iter__(self) -> Any:
        return iter(self._storage)

    def __reversed__(self) -> Any:
        return reversed(self._storage)

    def __contains__(self, value: object) -> bool:
        return value in self._storage

    def __eq__(self, other: object) -> bool:
        return bool(self._storage == getattr(other, "_storage", other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return bool(self._storage < getattr(other, "_storage", other))

    def __le__(self, other: Any) -> bool:
        return bool(self._storage <= getattr(other, "_storage", other))

    def __gt__(self, other: Any) -> bool:
        return bool(self._storage > getattr(other, "_storage", other))

    def __ge__(self, other: Any) -> bool:
        return bool(self._storage >= getattr(other, "_storage", other))

    __hash__ = None  # type: ignore[assignment]

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self._storage.__sizeof__()

    def __repr__(self) -> str:
        return f"ListWrapper({self._storage!r})"


WRAPPERS[list] = ListWrapper
