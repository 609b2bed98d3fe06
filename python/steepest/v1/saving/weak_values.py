"""Numbers and the objects that have them, which are not kept where that can be."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, MutableMapping
from typing import Any

__all__ = ["WeakValues"]


class WeakValues(MutableMapping[int, Any]):
    """A mapping from numbers to objects: one that nothing else keeps is gone. Lists and such it keeps itself."""

    def __init__(self) -> None:
        self._held: dict[int, Any] = {}

    def __setitem__(self, number: int, value: Any) -> None:
        try:
            self._held[number] = weakref.ref(value)
        except TypeError:
            self._held[number] = lambda: value

    def __getitem__(self, number: int) -> Any:
        value = self._held[number]()
        if value is None:
            raise KeyError(number)
        return value

    def __delitem__(self, number: int) -> None:
        del self._held[number]

    def __iter__(self) -> Iterator[int]:
        return (number for number, held in list(self._held.items()) if held() is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)
