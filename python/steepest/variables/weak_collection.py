"""The list behind a collection of the core: it keeps alive what a program adds, not the variables that enter it."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, MutableSequence
from typing import Any

__all__ = ["Collection"]


class Collection(MutableSequence[Any]):
    """A list whose items are held strongly (``append``) or weakly (``append_weakly``).

    A weak item that has died is no longer part of the sequence. Items are compared by identity
    where they are arrays or variables, whose ``==`` is elementwise.
    """

    def __init__(self) -> None:
        self._entries: list[Any] = []
        self._sweep_at = 64

    def _alive(self) -> list[Any]:
        # One pass holds every item it finds, so that entries and items stay aligned while others die.
        pairs = [(entry, entry() if isinstance(entry, weakref.ref) else entry) for entry in self._entries]
        alive = [(entry, item) for entry, item in pairs if item is not None or not isinstance(entry, weakref.ref)]
        self._entries = [entry for entry, _ in alive]
        return [item for _, item in alive]

    def append_weakly(self, item: Any) -> None:
        """Append ``item`` without keeping it alive."""
        self._entries.append(weakref.ref(item))
        if len(self._entries) > self._sweep_at:
            # Doubling keeps the sweeps' total cost linear in the number of variables ever made.
            self._sweep_at = max(64, 2 * len(self._alive()))

    def __len__(self) -> int:
        return len(self._alive())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._alive())

    def __getitem__(self, index: Any) -> Any:
        return self._alive()[index]

    def __setitem__(self, index: Any, item: Any) -> None:
        self._alive()
        self._entries[index] = item

    def __delitem__(self, index: Any) -> None:
        self._alive()
        del self._entries[index]

    def insert(self, index: int, value: Any) -> None:
        """Insert ``value`` before ``index``; the collection keeps it alive."""
        self._alive()
        self._entries.insert(index, value)

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the position of ``value``; ValueError when it is not in the collection."""
        for position, item in list(enumerate(self._alive()))[slice(start, stop)]:
            if _same(item, value):
                return position
        raise ValueError(f"{value!r} is not in the collection")

    def __contains__(self, value: Any) -> bool:
        return any(_same(item, value) for item in self._alive())

    def __repr__(self) -> str:
        return repr(self._alive())


def _same(item: Any, value: Any) -> bool:
    return item is value or not (hasattr(item, "dtype") or hasattr(value, "dtype") or item != value)
