"""The elements of a queue in a session, by kind: which of them leaves next."""

from __future__ import annotations

import heapq
from collections import deque
from itertools import count

import numpy as np

from .queue_waiting import Element, Elements

__all__ = ["Fifo", "Prioritized", "Shuffled"]


class Fifo(Elements):
    """First in, first out."""

    def __init__(self, kind: str, name: str, capacity: int) -> None:
        super().__init__(kind, name, capacity)
        self._inside: deque[Element] = deque()

    def __len__(self) -> int:
        return len(self._inside)

    def add(self, element: Element) -> None:
        self._inside.append(element)

    def remove(self) -> Element:
        return self._inside.popleft()

    def put_back(self, element: Element) -> None:
        self._inside.appendleft(element)


class Shuffled(Elements):
    """Out at random, while so many stay as ``kept`` says."""

    def __init__(self, kind: str, name: str, capacity: int, kept: int, draws: np.random.Generator) -> None:
        super().__init__(kind, name, capacity)
        self._inside: list[Element] = []
        self.kept, self._draws = kept, draws

    def __len__(self) -> int:
        return len(self._inside)

    def add(self, element: Element) -> None:
        self._inside.append(element)

    def remove(self) -> Element:
        at = int(self._draws.integers(len(self._inside)))
        self._inside[at], self._inside[-1] = self._inside[-1], self._inside[at]
        return self._inside.pop()


class Prioritized(Elements):
    """The one whose first part is least comes out first; of equal ones that which came first."""

    def __init__(self, kind: str, name: str, capacity: int) -> None:
        super().__init__(kind, name, capacity)
        self._inside: list[tuple[int, int, Element]] = []
        self._numbers = count()

    def __len__(self) -> int:
        return len(self._inside)

    def add(self, element: Element) -> None:
        heapq.heappush(self._inside, (int(element[0]), next(self._numbers), element))

    def remove(self) -> Element:
        return heapq.heappop(self._inside)[2]
