"""The elements of a queue in a session, by kind: which of them leaves next."""

from __future__ import annotations

from collections import deque

from .queue_waiting import Element, Elements
from .random_sequences import Draws

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
    """Out at random, while so many stay as ``kept`` says: seeds give TensorFlow's own order."""

    def __init__(self, kind: str, name: str, capacity: int, kept: int, draws: Draws) -> None:
        super().__init__(kind, name, capacity)
        self._inside: list[Element] = []
        self.kept, self._draws = kept, draws
        self._words: list[int] = []

    def __len__(self) -> int:
        return len(self._inside)

    def add(self, element: Element) -> None:
        self._inside.append(element)

    def remove(self) -> Element:
        if not self._words:
            self._words = self._draws.words(16)(64)[::-1].tolist()
        at = self._words.pop() % len(self._inside)
        self._inside[at], self._inside[-1] = self._inside[-1], self._inside[at]
        return self._inside.pop()


class Prioritized(Elements):
    """The one whose first part is least comes out first; equal ones in the order of the C++ library's heaps."""

    def __init__(self, kind: str, name: str, capacity: int) -> None:
        super().__init__(kind, name, capacity)
        self._inside: list[tuple[int, Element]] = []

    def __len__(self) -> int:
        return len(self._inside)

    def add(self, element: Element) -> None:
        self._inside.append((int(element[0]), element))
        self._rise(len(self._inside) - 1)

    def remove(self) -> Element:
        inside = self._inside
        _, first = inside[0]
        last = inside.pop()
        if inside:
            hole, child = 0, 1
            while child < len(inside):
                if child + 1 < len(inside) and inside[child + 1][0] <= inside[child][0]:
                    child += 1
                inside[hole] = inside[child]
                hole, child = child, 2 * child + 1
            inside[hole] = last
            self._rise(hole)
        return first

    def _rise(self, at: int) -> None:
        """Move an element towards the top while the one above it has a greater number."""
        inside, moved = self._inside, self._inside[at]
        while at and inside[(at - 1) // 2][0] > moved[0]:
            inside[at] = inside[(at - 1) // 2]
            at = (at - 1) // 2
        inside[at] = moved
