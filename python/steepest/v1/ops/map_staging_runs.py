"""What the operations of staging areas with keys do when a session runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.errors import InvalidArgumentError, ResourceExhaustedError
from ..graph.run_values import array_of
from .queue_waiting import Attempt, Elements

__all__ = ["Get", "GetAny", "MapArea", "Peek", "Put", "clear", "incomplete_size", "size"]

Components = list[Any]
"""What there is for one key: an array for each component, None for what is not put in yet, or taken out again."""


class MapArea:
    """What a staging area with keys is; called with a session it gives what is there.

    ``ordered``: the least key comes out first where none is asked for, else the one that was put in first.
    """

    def __init__(self, name: str, count: int, ordered: bool, capacity: int, limit: int) -> None:
        self._made = name, count, ordered, capacity, limit

    def __call__(self, session: Any) -> MapStaged:
        key = ("map staging", self._made[0])
        found: MapStaged | None = session._queues.get(key)
        if found is None:
            found = session._queues.setdefault(key, MapStaged(*self._made))
            if session._closed:
                found.cancel()
        return found

    def asked(self, question: Callable[[MapStaged], Any]) -> Callable[[Any], Any]:
        """Return what a run does that asks something of what is there."""
        return lambda session: question(self(session))


class MapStaged(Elements):
    """What a staging area with keys holds in a session; every attempt waits for itself."""

    def __init__(self, name: str, count: int, ordered: bool, capacity: int, limit: int) -> None:
        super().__init__("MapStagingArea", name, capacity or -1)
        self._count, self._ordered, self.limit = count, ordered, limit
        self.complete: dict[int, Components] = {}
        self.incomplete: dict[int, Components] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self.complete)

    def entered(self, attempt: Attempt) -> Attempt:
        """Begin an attempt."""
        line = deque[Attempt]()
        with self._changed:
            self._lines = [*(each for each in self._lines if each), line]
        return self._entered(attempt, line)

    def put_in(self, key: int, places: Sequence[int], arrays: Sequence[Any]) -> bool:
        """Put components in if there is room; tell whether there was.

        Raises InvalidArgumentError where a component is there, ResourceExhaustedError for more bytes than may be.
        """
        new = sum(array.nbytes for array in arrays)
        if self.limit and new > self.limit:
            into = f"into Staging Area with a memory limit of '{self.limit}'."
            size = f"Attempted to insert tensors with combined size of '{new}' bytes"
            raise ResourceExhaustedError(None, None, f"{size} {into}")
        there = self.incomplete.get(key, [None] * self._count)
        for place in places:
            if not 0 <= place < self._count:
                _refuse(f"Index '{place}' for key '{key}' was out of bounds '{self._count}'.")
            if there[place] is not None:
                _refuse(f"The tensor for index '{place}' for key '{key}' was already initialized '{self._count}'.")
        given = dict(zip(places, arrays, strict=True))
        found = [given.get(k, array) for k, array in enumerate(there)]
        whole = all(array is not None for array in found)
        full = whole and len(self) >= self._capacity >= 0
        if full or (self.limit and self._bytes + new > self.limit):
            return False
        self._bytes += new
        if whole:
            self.incomplete.pop(key, None)
            self.complete[key] = found
        else:
            self.incomplete[key] = found
        return True

    def next_key(self) -> int | None:
        """Return the key that comes out where none is asked for; None where there is none."""
        return (min(self.complete) if self._ordered else next(iter(self.complete))) if self.complete else None

    def taken(self, key: int, places: Sequence[int], keep: bool) -> list[Any] | None:
        """Return components of a key, and take them out unless ``keep``; None where the key is not there.

        Raises InvalidArgumentError for components that were taken before.
        """
        there = self.complete.get(key)
        if there is None:
            return None
        for place in places:
            if not 0 <= place < self._count:
                _refuse(f"Index '{place}' for key '{key}' was out of bounds '{self._count}'.")
            if there[place] is None:
                _refuse(f"Tensor at index '{place}' for key '{key}' has already been removed.")
        found = [there[place] for place in places]
        if not keep:
            self._bytes -= sum(array.nbytes for array in found)
            for place in places:
                there[place] = None
            if all(array is None for array in there):
                del self.complete[key]
        return found

    def clear(self) -> None:
        """Throw all away."""
        with self._changed:
            self.complete.clear()
            self.incomplete.clear()
            self._bytes = 0
            self._advance()


class _Attempt(Attempt):
    """Tries until it is done; what it cannot have is its error."""

    def __init__(self, elements: MapStaged) -> None:
        super().__init__(elements)
        self.staged = elements

    def advance(self) -> bool:
        try:
            self.done = self.tried()
        except (InvalidArgumentError, ResourceExhaustedError) as error:
            self.fail(error)
        return self.done

    def tried(self) -> bool:
        raise NotImplementedError


class _Put(_Attempt):
    doing = "Put"

    def __init__(self, staged: MapStaged, key: int, places: Sequence[int], arrays: Sequence[Any]) -> None:
        super().__init__(staged)
        self._new = key, places, arrays

    def tried(self) -> bool:
        return self.staged.put_in(*self._new)


class _Take(_Attempt):
    doing = "Get"

    def __init__(self, staged: MapStaged, key: int | None, places: Sequence[int], keep: bool) -> None:
        super().__init__(staged)
        self.key, self._places, self._keep = key, places, keep
        self.found: list[Any] | None = None

    def tried(self) -> bool:
        key = self.staged.next_key() if self.key is None else self.key
        if key is not None:
            self.found = self.staged.taken(key, self._places, self._keep)
            self.key = key if self.found is not None else self.key
        return self.found is not None


class Put:
    """Puts components of one key in."""

    def __init__(self, area: MapArea) -> None:
        self._area = area

    def __call__(self, session: Any, key: Any, places: Any, *values: Any) -> None:
        self.end(session, self.begin(session, key, places, *values))

    def begin(self, session: Any, key: Any, places: Any, *values: Any) -> Attempt:
        """Begin, and do not wait."""
        number, staged = _key(key), self._area(session)
        positions = array_of(places).ravel().tolist()
        if any(before >= after for before, after in pairwise(positions)):
            _refuse("Indices are not strictly ordered")
        return staged.entered(_Put(staged, number, positions, [np.array(unwrap(value)) for value in values]))

    def end(self, session: Any, attempt: Attempt) -> None:
        """Wait until they are in."""
        attempt.elements.wait(session, attempt)


class Get:
    """Takes components of a key out."""

    _keep = False

    def __init__(self, area: MapArea) -> None:
        self._area = area

    def __call__(self, session: Any, key: Any, places: Any) -> Any:
        found = self._awaited(session, _key(key), places).found or []
        return tuple(found) if len(found) > 1 else found[0]

    def _awaited(self, session: Any, key: int | None, places: Any) -> _Take:
        staged = self._area(session)
        attempt = _Take(staged, key, array_of(places).ravel().tolist(), self._keep)
        staged.wait(session, staged.entered(attempt))
        return attempt


class Peek(Get):
    """Shows components of a key and leaves them."""

    _keep = True


class GetAny(Get):
    """Takes components of some key out; returns the key before them."""

    def __call__(self, session: Any, places: Any) -> Any:  # type: ignore[override]  # nobody says which key
        attempt = self._awaited(session, None, places)
        return np.int64(attempt.key or 0), *(attempt.found or ())


def size(staged: MapStaged) -> Any:
    """Return how many keys have all their components, or had."""
    return np.int32(len(staged))


def incomplete_size(staged: MapStaged) -> Any:
    """Return how many keys have not all components yet."""
    return np.int32(len(staged.incomplete))


def clear(staged: MapStaged) -> None:
    """Throw all away."""
    staged.clear()


def _key(key: Any) -> int:
    found = array_of(key)
    if found.ndim:
        _refuse(f"key must be an int64 scalar: [{','.join(map(str, found.shape))}]")
    return int(found)


def _refuse(why: str) -> None:
    raise InvalidArgumentError(None, None, why)
