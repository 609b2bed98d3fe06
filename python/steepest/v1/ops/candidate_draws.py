"""How candidate samplers draw classes: TensorFlow's own numbers, made of a sequence of words of 32 bits.

Source: TensorFlow's ``range_sampler.cc``, ``distribution_sampler.cc`` and ``simple_philox.cc``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

__all__ = ["Classes", "classes_of", "drawn_classes", "expected_counts"]

Words = Callable[[int], Any]
"""What gives the first so many of a sequence of words."""


class Classes(Protocol):
    """A distribution over the classes from 0 on."""

    def values(self, words: Words, count: int) -> Any:
        """Return the first ``count`` classes that the words give, int64."""

    def probabilities(self, classes: Any) -> Any:
        """Return the share of each class, float32."""

    def learn(self, classes: Any) -> None:
        """Count the true classes of a batch, where that changes the shares."""


class _Fixed:
    """Shares that no batch changes."""

    def learn(self, classes: Any) -> None:
        del classes


class _Same(_Fixed):
    """Each class is as likely as the others."""

    def __init__(self, size: int) -> None:
        self._size = size

    def values(self, words: Words, count: int) -> Any:
        return _remainders(words, count, self._size, 2, _pairs, (0, 1))[0].astype(np.int64)

    def probabilities(self, classes: Any) -> Any:
        return np.full(np.shape(classes), 1 / self._size, np.float32)


class _Logarithmic(_Fixed):
    """Class k has the share ``log((k + 2) / (k + 1)) / log(size + 1)``."""

    def __init__(self, size: int) -> None:
        self._size, self._scale = size, np.log1p(np.float64(size))

    def values(self, words: Words, count: int) -> Any:
        found = words(2 * count)
        bits = (found[::2] & np.uint32(0xFFFFF)).astype(np.uint64) << np.uint64(32) | found[1::2]
        units = (np.uint64(1023 << 52) | bits).view(np.float64) - 1
        return (np.exp(units * self._scale).astype(np.int64) - 1) % self._size

    def probabilities(self, classes: Any) -> Any:
        ranks = np.asarray(classes, np.float64)
        return (np.log((ranks + 2) / (ranks + 1)) / self._scale).astype(np.float32)


class _Weighted(_Fixed):
    """Class k has the share ``weights[k] / sum(weights)``: A. Walker's method of aliases, 1977."""

    def __init__(self, weights: Any) -> None:
        self._weights = np.asarray(weights, np.float32)
        self._total = np.add.accumulate(self._weights)[-1]  # one after the other, in single precision
        size = len(self._weights)
        chances = (self._weights * np.float32(size)).astype(np.float64) / self._weights.astype(np.float64).sum()
        aliases = np.arange(size)
        rare = np.flatnonzero(chances < 1).tolist()
        frequent = np.flatnonzero(chances >= 1).tolist()
        while rare and frequent:
            low, high = rare.pop(), frequent.pop()
            aliases[low] = high
            chances[high] -= 1 - chances[low]
            (rare if chances[high] < 1 else frequent).append(high)
        chances[[*rare, *frequent]] = 1  # what rounding has left over
        self._chances, self._aliases = chances.astype(np.float32), aliases

    def values(self, words: Words, count: int) -> Any:
        places, found = _remainders(words, count, len(self._weights), 2, _second, (1,))
        units = (np.uint32(127 << 23) | found[::2] & np.uint32(0x7FFFFF)).view(np.float32) - np.float32(1)
        places = places.astype(np.int64)
        return np.where(units < self._chances[places], places, self._aliases[places])

    def probabilities(self, classes: Any) -> Any:
        return self._weights[classes] / self._total


class _Counted:
    """Class k is as likely as often it was counted: all once at first, then each true class of a batch."""

    def __init__(self, size: int) -> None:
        self._counts = np.ones(size, np.int64)

    def values(self, words: Words, count: int) -> Any:
        ends = np.cumsum(self._counts)
        places = _remainders(words, count, int(ends[-1]), 1, _all, (0,))[0]
        return np.searchsorted(ends, places.astype(np.int64), "right")

    def probabilities(self, classes: Any) -> Any:
        return self._counts[classes].astype(np.float32) / np.float32(self._counts.sum())

    def learn(self, classes: Any) -> None:
        np.add.at(self._counts, np.ravel(classes), 1)


_KINDS: dict[str, Callable[[int], Classes]] = {
    "UniformCandidateSampler": _Same,
    "LogUniformCandidateSampler": _Logarithmic,
    "LearnedUnigramCandidateSampler": _Counted,
}


def classes_of(op_type: str, size: int, weights: Any = None) -> Classes:
    """Return the distribution over so many classes that a sampler has in TensorFlow, or that of weights."""
    return _KINDS[op_type](size) if weights is None else _Weighted(weights)


def _remainders(words: Words, count: int, size: int, each: int, numbers_of: Callable[[Any], Any], own: Any) -> Any:
    """Return integers below ``size``, and the words that they were made of.

    ``each``: how many words there are for a number, of which ``numbers_of`` makes numbers of those at ``own``. Numbers
    among the first, which would make small remainders more likely, are passed over, with their own words.
    """
    found, passed = words(each * count), 0
    while True:
        numbers = numbers_of(found)
        kind = numbers.dtype.type
        least = 0 if size & (size - 1) == 0 else int(np.iinfo(kind).max) % size + 1
        small = np.flatnonzero(numbers < kind(least))
        if not small.size:
            return numbers % kind(size), found
        passed += len(own)
        rest = np.delete(found, [each * int(small[0]) + at for at in own])
        found = np.concatenate([rest, words(each * count + passed)[-len(own) :]])


def _all(words: Any) -> Any:
    return words


def _second(words: Any) -> Any:
    return words[1::2]


def _pairs(words: Any) -> Any:
    return words[::2] | words[1::2].astype(np.uint64) << np.uint64(32)


def drawn_classes(classes: Classes, words: Words, count: int, unique: bool) -> tuple[Any, int]:
    """Return so many classes, each of them once where they are unique, and after how many tries."""
    if not unique:
        return classes.values(words, count), count
    tries = count + count // 4 + 4
    while True:
        values = classes.values(words, tries)
        first = np.unique(values, return_index=True)[1]
        if len(first) >= count:
            places = np.sort(first)[:count]
            return values[places], int(places[-1]) + 1
        tries *= 2


def expected_counts(shares: Any, count: int, tries: int) -> Any:
    """Return how often classes with these shares come in a sample of ``count`` that took so many tries."""
    if tries == count:
        return shares * np.float32(count)
    return -np.expm1(np.float32(tries) * np.log1p(-shares))
